"""Checking a ZIP somebody hands us: whole, unaltered, in order, sealed, and telling what its reports tell.

Must never trust a size or a name in it: it may come from anywhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import zipfile
import zlib
from dataclasses import dataclass, field

from director_console.evidence.build import FORMAT, VERSION
from table_controller.messages import mac
from table_controller.messages.codec import Json
from table_controller.messages.mac import KeyRing, NotCanonical

LARGEST_FILE = 256 * 1024 * 1024
MOST_FILES = 20
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    ValueError,
    OSError,
    RuntimeError,
    NotImplementedError,
)
"""What reading a damaged or malicious ZIP raises."""


@dataclass(slots=True)
class Findings:
    """`wrong`: sentences; none of them means that it verifies. The rest are counts for the reader."""

    wrong: list[str] = field(default_factory=list)
    reports: int = 0
    withheld: int = 0
    sealed: int = 0
    unsealed: int = 0
    manifest: dict[str, Json] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        return not self.wrong


def verify(content: bytes, keys: KeyRing | None) -> Findings:
    """Everything that can be checked; without keys, everything but the seals."""
    findings = Findings()
    try:
        files = _open(content)
    except UNREADABLE as error:
        findings.wrong.append(f"not a ZIP that can be read: {error}")
        return findings
    manifest = _manifest(files, findings)
    if manifest is None:
        return findings
    findings.manifest = manifest
    _hashes(files, manifest, findings)
    if "reports.jsonl" in files:
        entries = _reports(files["reports.jsonl"], manifest, keys, findings)
        _cases(files.get("cases.jsonl", b""), entries, findings)
    return findings


def _open(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = archive.infolist()
        if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > LARGEST_FILE:
            raise ValueError("it is larger than any evidence of ours")
        if len({info.filename for info in infos}) != len(infos):
            raise ValueError("a file is in it twice")
        return {info.filename: archive.read(info) for info in infos}


def _manifest(files: dict[str, bytes], findings: Findings) -> dict[str, Json] | None:
    try:
        manifest = json.loads(files.get("manifest.json", b""))
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        findings.wrong.append("manifest.json: missing, or not of evidence of ours")
        return None
    if manifest.get("version") != VERSION:
        findings.wrong.append(f"manifest.json: version {manifest.get('version')}, this reads {VERSION}")
        return None
    return manifest


def _hashes(files: dict[str, bytes], manifest: dict[str, Json], findings: Findings) -> None:
    named = manifest.get("files")
    if not isinstance(named, dict):
        findings.wrong.append("manifest.json: names no files")
        return
    for name in sorted(files.keys() - named.keys() - {"manifest.json"}):
        findings.wrong.append(f"{name}: not in the manifest")
    for name, said in named.items():
        content = files.get(name)
        if content is None:
            findings.wrong.append(f"{name}: in the manifest but missing")
        elif not isinstance(said, dict) or said.get("sha256") != hashlib.sha256(content).hexdigest():
            findings.wrong.append(f"{name}: altered, its SHA-256 is not the manifest's")


def _reports(
    content: bytes, manifest: dict[str, Json], keys: KeyRing | None, findings: Findings
) -> dict[tuple[str, int], Json]:
    """Check every line; gives the last state of every entry among them."""
    last: dict[str, int] = {}
    entries: dict[tuple[str, int], Json] = {}
    allowed = _missing(manifest)
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = mac.parse_object(line)
        except NotCanonical as error:
            findings.wrong.append(f"reports.jsonl line {number}: {error}")
            continue
        epoch, seq = row.get("epoch"), row.get("seq")
        if not isinstance(epoch, str) or not isinstance(seq, int):
            findings.wrong.append(f"reports.jsonl line {number}: names no journal and number")
            continue
        _order(last, allowed, epoch, seq, findings)
        findings.reports += 1
        if "withheld" in row:
            findings.withheld += 1
            continue
        _seal(row, manifest, keys, findings)
        body = row.get("body")
        if row.get("type") == "irregularity" and isinstance(body, dict):
            entry = body.get("entry")
            if isinstance(entry, dict) and isinstance(entry.get("id"), int):
                entries[epoch, int(str(entry["id"]))] = entry
    return entries


def _missing(manifest: dict[str, Json]) -> set[tuple[str, int]]:
    """The numbers the manifest itself says are missing."""
    found: set[tuple[str, int]] = set()
    journals = manifest.get("journals")
    for epoch, journal in journals.items() if isinstance(journals, dict) else ():
        gaps = journal.get("missing") if isinstance(journal, dict) else None
        for gap in gaps if isinstance(gaps, list) else ():
            if isinstance(gap, list) and len(gap) == 2 and all(isinstance(end, int) for end in gap):
                first, last = int(str(gap[0])), int(str(gap[1]))
                found.update((epoch, seq) for seq in range(first, min(last, first + 100_000) + 1))
    return found


def _order(
    last: dict[str, int], allowed: set[tuple[str, int]], epoch: str, seq: int, findings: Findings
) -> None:
    before = last.get(epoch)
    last[epoch] = seq
    if before is None:
        return
    if seq <= before:
        findings.wrong.append(f"report {epoch}-{seq}: out of order, it follows {before}")
        return
    lacking = [
        number for number in range(before + 1, min(seq, before + 1000)) if (epoch, number) not in allowed
    ]
    if lacking:
        findings.wrong.append(f"report {epoch}-{lacking[0]}: missing, and the manifest does not say so")


def _seal(row: dict[str, Json], manifest: dict[str, Json], keys: KeyRing | None, findings: Findings) -> None:
    table = row.get("table")
    if table != manifest.get("table"):
        findings.wrong.append(f"report {row.get('id')}: of another table")
    key = keys.of(table) if keys is not None and isinstance(table, str) else None
    if key is None:
        findings.unsealed += 1
    elif mac.verify(row, key):
        findings.sealed += 1
    else:
        findings.wrong.append(f"report {row.get('id')}: its seal is wrong")


def _cases(content: bytes, entries: dict[tuple[str, int], Json], findings: Findings) -> None:
    """The cases must say what the reports say."""
    for line in content.splitlines():
        try:
            row = json.loads(line)
            epoch, number, entry = row["epoch"], row["id"], row["entry"]
        except (ValueError, KeyError, TypeError, RecursionError):
            findings.wrong.append("cases.jsonl: a line cannot be read")
            continue
        if entries.get((epoch, number)) != entry:
            findings.wrong.append(f"case {epoch}/{number}: is not what its reports say")
