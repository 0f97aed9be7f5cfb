"""Making the ZIP: every file in it named in the manifest with its SHA-256."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterable

from director_console.evidence.select import Export, Selection, rows_of
from director_console.evidence.sheet import sheet_html
from director_console.projection.hall import Hall
from director_console.projection.inputs import PlanLaid, TimeRuled
from director_console.reading import stored_envelope
from director_console.rows import case_row, step_row, time_ruling_row
from director_console.store import reports
from director_console.store.acts import commands_of, rulings
from director_console.store.book import audit_rows
from director_console.store.reports import StoredReport
from director_console.store.timekeeping import kept
from table_controller.messages import LogBody, What, mac, read_body, wall_text
from table_controller.messages.mac import KeyRing
from table_controller.screen.events import CardPlayed

FORMAT = "screen-table-evidence"
VERSION = 1
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The same record gives the same bytes, whenever it is exported."""


def holds_hands(report: StoredReport) -> bool:
    """Whether cards stand in this report."""
    if report.stream != "log" or report.what not in (What.EVENT, What.BOARD):
        return False
    if report.what == What.BOARD:
        return True
    body = read_body(stored_envelope(report))
    try:
        return isinstance(body, LogBody) and isinstance(body.event(), CardPlayed)
    except ValueError:
        return True


def report_line(report: StoredReport, *, hands: bool) -> bytes:
    """The report as received; or, where it holds cards that may not be shown, its name and hash instead."""
    if hands or not holds_hands(report):
        return report.raw
    withheld = {
        "withheld": "hands",
        "id": f"{report.table}-{report.epoch}-{report.seq}",
        "epoch": report.epoch,
        "seq": report.seq,
        "sha256": hashlib.sha256(report.raw).hexdigest(),
    }
    return json.dumps(withheld, sort_keys=True).encode()


def build(db: sqlite3.Connection, hall: Hall, keys: KeyRing | None, export: Export) -> bytes:
    """The whole ZIP."""
    rows = rows_of(db, export.selection)
    files = {
        "reports.jsonl": b"".join(report_line(row, hands=export.hands) + b"\n" for row in rows),
        "clocks.jsonl": _lines(_clock_row(row) for row in rows),
        "receipts.jsonl": _lines(_receipts(db, export.selection.table)),
        "cases.jsonl": _lines(_cases(hall, export)),
        "rulings.jsonl": _lines(_rulings(db, export.selection)),
        "time.jsonl": _lines(time_rows(db, export.selection)),
        "commands.jsonl": _lines(_commands(db, export.selection)),
        "sheet.html": sheet_html(hall, rows, export).encode(),
    }
    manifest = _manifest(db, hall, keys, export, rows, files)
    return _zip({"manifest.json": json.dumps(manifest, indent=1, ensure_ascii=False).encode(), **files})


def _manifest(
    db: sqlite3.Connection,
    hall: Hall,
    keys: KeyRing | None,
    export: Export,
    rows: list[StoredReport],
    files: dict[str, bytes],
) -> dict[str, object]:
    last_audit = next(audit_rows(db, newest_first=True), None)
    epochs = {row.epoch: 0 for row in rows}
    selection = export.selection
    return {
        "format": FORMAT,
        "version": VERSION,
        "made": wall_text(export.at * 1_000_000),
        "by": export.by,
        "reason": export.reason,
        "venue": export.venue,
        "event": export.event,
        "table": selection.table,
        "case": None if selection.case is None else f"{selection.case.epoch}/{selection.case.entry.id}",
        "hands": export.hands,
        "journals": {epoch: _journal(db, hall, selection, epoch, rows) for epoch in epochs},
        "mac": check_macs(rows, keys),
        "audit": None if last_audit is None else {"rows": last_audit.n, "hash": last_audit.hash},
        "files": {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in files.items()
        },
    }


def _journal(
    db: sqlite3.Connection, hall: Hall, selection: Selection, epoch: str, rows: list[StoredReport]
) -> dict[str, object]:
    numbers = [row.seq for row in rows if row.epoch == epoch]
    first, last = min(numbers), max(numbers)
    table = hall.tables.get(selection.table)
    said = last
    if selection.case is None and table is not None and table.epoch == epoch:
        said = max(last, table.last_seq)
    missing = [
        [max(start, first), min(end, said)]
        for start, end in reports.gaps(db, selection.table, epoch, said)
        if end >= first and start <= said
    ]
    return {"first": first, "last": last, "missing": missing}


def check_macs(rows: Iterable[StoredReport], keys: KeyRing | None) -> dict[str, object]:
    """How many reports were sealed by the table's key, and which were not."""
    good, bad, unknown = 0, [], 0
    for row in rows:
        key = None if keys is None else keys.of(row.table)
        if key is None:
            unknown += 1
        elif mac.verify(mac.parse_object(row.raw), key):
            good += 1
        else:
            bad.append(f"{row.table}-{row.epoch}-{row.seq}")
    return {"good": good, "bad": bad, "unknown": unknown}


def _clock_row(row: StoredReport) -> dict[str, object]:
    return {
        "id": f"{row.table}-{row.epoch}-{row.seq}",
        "mono_ms": row.mono_ms,
        "session": row.session,
        "wall": row.wall,
        "clock": row.clock,
        "received": wall_text(row.received * 1_000_000),
        "happened": wall_text(row.happened * 1_000_000),
    }


def _receipts(db: sqlite3.Connection, table: str) -> Iterable[dict[str, object]]:
    query = 'SELECT epoch, upto, at FROM receipts WHERE "table" = ? ORDER BY n'
    for epoch, upto, at in db.execute(query, (table,)):
        yield {"epoch": epoch, "upto": upto, "at": wall_text(at * 1_000_000)}


def _cases(hall: Hall, export: Export) -> Iterable[dict[str, object]]:
    for case in reversed(hall.cases_of(export.selection.table)):
        chosen = export.selection.case
        if chosen is None or chosen.key == case.key:
            yield {**case_row(case, export.lang), "steps": [step_row(step) for step in case.steps]}


def _rulings(db: sqlite3.Connection, selection: Selection) -> Iterable[dict[str, object]]:
    for ruling in rulings(db):
        chosen = selection.case
        of_case = chosen is None or (ruling.epoch, ruling.entry) == (chosen.epoch, chosen.entry.id)
        if ruling.table == selection.table and of_case:
            yield {
                "epoch": ruling.epoch,
                "entry": ruling.entry,
                "version": ruling.version,
                "verdict": ruling.verdict,
                "text": ruling.text,
                "by": ruling.by,
                "at": wall_text(ruling.at * 1_000_000),
                "command": ruling.command,
            }


def time_rows(db: sqlite3.Connection, selection: Selection) -> Iterable[dict[str, object]]:
    """Of a whole table: the sessions laid down for it, without who sat there, and every version of what was
    decided about its time.
    """
    if selection.case is not None:
        return
    for item in kept(db):
        match item:
            case PlanLaid(plan=plan) if plan.concerns(selection.table):
                body = json.loads(plan.to_json())
                del body["lineup"]
                body["before"] = {selection.table: body["before"].get(selection.table, [])}
                session = {"session": plan.session, "by": plan.by, "at": wall_text(plan.at * 1_000_000)}
                yield {"what": "session", **session, **body}
            case TimeRuled() if item.table == selection.table:
                yield time_ruling_row(item)
            case _:
                pass


def _commands(db: sqlite3.Connection, selection: Selection) -> Iterable[dict[str, object]]:
    for command in commands_of(db, selection.table):
        if selection.case is None or command.entry == selection.case.entry.id:
            yield {
                "id": command.id,
                "epoch": command.epoch,
                "verb": command.verb,
                "args": command.args,
                "by": command.by,
                "issued": wall_text(command.issued * 1_000_000),
                "progress": command.progress.value,
                "reason": command.reason,
            }


def _lines(rows: Iterable[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n" for row in rows)


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, ZIP_DATE), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
