"""Evidence: it carries everything, verifies, says what is withheld, and every alteration is found."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.cli import app
from director_console.evidence.verify import verify
from table_controller.laws.card import parse_card
from table_controller.laws.seat import Seat
from table_controller.screen.entry import Standing
from table_controller.screen.events import CardPlayed
from tests.director_console.generator import keyring
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig, case_path

CARD = "SQ"


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebRig]:
    made = WebRig(tmp_path_factory.mktemp("evidence"))
    table = Playing("7", made.keys, 3)
    made.hear(*table.hello())
    for _ in range(4):
        made.hear(*table.step())
    entry = table.entry()
    card = CardPlayed(at=5, seat=Seat.N, card=parse_card(CARD))
    made.hear(table.wired.entry(entry), table.wired.event(card), *table.step())
    page = case_path(table)
    made.post(page, f"{page}/rule", {"verdict": "other", "text": "裁定 <i>text</i>"})
    made.hear(table.wired.entry(replace(entry, standing=Standing.RULED, revision=1), "closed"))
    for _ in range(30):
        made.hear(*table.step())
    made.epoch = table.wired.epoch
    yield made
    made.close()


def exported(rig: WebRig, **fields: str) -> bytes:
    answer = rig.post("/evidence", "/evidence", {"table": "7", "reason": "appeal", **fields})
    assert answer.status_code == 303, answer.text
    file = rig.client.get(answer.headers["location"])
    assert file.headers["content-type"] == "application/zip"
    return file.content


def files_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def resealed(files: dict[str, bytes]) -> bytes:
    """With a manifest that agrees with the altered files: what a careful forger would do."""
    manifest = json.loads(files["manifest.json"])
    for name in manifest["files"]:
        manifest["files"][name] = {
            "sha256": hashlib.sha256(files[name]).hexdigest(),
            "bytes": len(files[name]),
        }
    return packed({**files, "manifest.json": json.dumps(manifest).encode()})


def test_a_whole_table_verifies_with_every_report_sealed(rig: WebRig) -> None:
    content = exported(rig, hands="1")
    findings = verify(content, rig.keys)
    assert findings.wrong == []
    assert findings.reports == findings.sealed == rig.running.desk.hall.tables["7"].last_received
    manifest = json.loads(files_of(content)["manifest.json"])
    assert manifest["mac"] == {"good": findings.reports, "bad": [], "unknown": 0}
    assert manifest["reason"] == "appeal"
    assert manifest["audit"]["rows"] > 0


def test_a_case_carries_its_board_rulings_commands_both_clocks_and_a_sheet(rig: WebRig) -> None:
    content = exported(rig, entry=f"{rig.epoch}/1")
    files = files_of(content)
    assert verify(content, rig.keys).wrong == []
    [case] = [json.loads(line) for line in files["cases.jsonl"].splitlines()]
    assert (case["id"], case["standing"]) == (1, "ruled")
    [ruling] = [json.loads(line) for line in files["rulings.jsonl"].splitlines()]
    assert ruling["text"] == "裁定 <i>text</i>"
    assert json.loads(files["commands.jsonl"].splitlines()[0])["verb"] == "ruling"
    clock = json.loads(files["clocks.jsonl"].splitlines()[0])
    assert {"mono_ms", "wall", "clock", "received", "happened"} <= clock.keys()
    sheet = files["sheet.html"].decode()
    assert "South" in sheet
    assert "裁定 &lt;i&gt;text&lt;/i&gt;" in sheet
    assert "<script" not in sheet


def test_without_hands_no_card_is_in_any_file_and_the_rest_still_verifies(rig: WebRig) -> None:
    content = exported(rig)
    files = files_of(content)
    assert all(f'"{CARD}"'.encode() not in text and b"played SQ" not in text for text in files.values())
    findings = verify(content, rig.keys)
    assert findings.wrong == []
    assert findings.withheld >= 2
    full = files_of(exported(rig, hands="1"))["reports.jsonl"].splitlines()
    short = files["reports.jsonl"].splitlines()
    for whole, line in zip(full, short, strict=True):
        if b'"withheld"' in line:
            assert json.loads(line)["sha256"] == hashlib.sha256(whole).hexdigest()


def test_the_same_record_gives_the_same_reports_every_time(rig: WebRig) -> None:
    first, second = files_of(exported(rig)), files_of(exported(rig))
    assert first["reports.jsonl"] == second["reports.jsonl"]
    assert first["cases.jsonl"] == second["cases.jsonl"]


Alter = Callable[[dict[str, bytes]], dict[str, bytes]]


def change_a_field(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "reports.jsonl": files["reports.jsonl"].replace(b'"seat":"S"', b'"seat":"N"', 1)}


def drop_a_line(files: dict[str, bytes]) -> dict[str, bytes]:
    lines = files["reports.jsonl"].splitlines(keepends=True)
    return {**files, "reports.jsonl": b"".join(lines[:3] + lines[4:])}


def swap_two_lines(files: dict[str, bytes]) -> dict[str, bytes]:
    lines = files["reports.jsonl"].splitlines(keepends=True)
    return {**files, "reports.jsonl": b"".join([lines[1], lines[0], *lines[2:]])}


def double_a_line(files: dict[str, bytes]) -> dict[str, bytes]:
    lines = files["reports.jsonl"].splitlines(keepends=True)
    return {**files, "reports.jsonl": b"".join([lines[0], *lines])}


def another_table(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "reports.jsonl": files["reports.jsonl"].replace(b'"table":"7"', b'"table":"9"', 1)}


def a_case_that_says_something_else(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "cases.jsonl": files["cases.jsonl"].replace(b'"INSUFFICIENT_BID"', b'"SUMMONS"')}


def rubbish(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "reports.jsonl": b"\xff{" + files["reports.jsonl"]}


ALTERATIONS = [
    change_a_field,
    drop_a_line,
    swap_two_lines,
    double_a_line,
    another_table,
    a_case_that_says_something_else,
    rubbish,
]


@pytest.mark.parametrize("alter", ALTERATIONS, ids=lambda alter: alter.__name__)
def test_an_alteration_is_found_even_where_the_manifest_was_made_to_agree(rig: WebRig, alter: Alter) -> None:
    files = alter(files_of(exported(rig, hands="1")))
    assert verify(packed(files), rig.keys).wrong
    assert verify(resealed(files), rig.keys).wrong


def test_files_added_missing_or_doubled_are_found(rig: WebRig) -> None:
    files = files_of(exported(rig))
    assert verify(packed({**files, "extra.txt": b"x"}), rig.keys).wrong == ["extra.txt: not in the manifest"]
    lacking = {name: content for name, content in files.items() if name != "rulings.jsonl"}
    assert verify(packed(lacking), rig.keys).wrong == ["rulings.jsonl: in the manifest but missing"]
    assert verify(b"PK nonsense", rig.keys).wrong
    assert verify(b"", rig.keys).wrong
    assert verify(packed({"manifest.json": b"[]"}), rig.keys).wrong


def test_with_a_strangers_keys_no_seal_is_right_and_without_keys_none_is_checked(rig: WebRig) -> None:
    content = exported(rig, hands="1")
    strange = keyring(["7"])
    other = replace(strange, tables={"7": b"another key of 32 bytes........."})
    assert len(verify(content, other).wrong) == verify(content, None).unsealed > 10


def test_a_file_can_be_checked_on_the_page_and_only_by_those_who_may(rig: WebRig) -> None:
    content = exported(rig)
    tokens = rig.tokens(rig.client, "/evidence", "/evidence/check")
    answer = rig.client.post("/evidence/check", data=tokens, files={"evidence": ("e.zip", content)})
    assert "It verifies." in answer.text
    bad = rig.client.post("/evidence/check", data=tokens, files={"evidence": ("e.zip", content[:-40])})
    assert "It does not verify" in bad.text
    olga = rig.login("olga")
    assert (
        olga.post("/evidence/check", data=tokens, files={"evidence": ("e.zip", content)}).status_code == 403
    )


def test_only_the_one_who_gave_a_reason_gets_the_file_and_the_export_is_in_the_audit_log(rig: WebRig) -> None:
    answer = rig.post("/evidence", "/evidence", {"table": "7", "reason": "committee"})
    assert rig.login("ben").get(answer.headers["location"]).status_code == 403
    rows = rig.running.console.reader.execute(
        "SELECT by, detail FROM audit WHERE act = 'evidence exported'"
    ).fetchall()
    assert any(by == "anna" and '"reason":"committee"' in detail for by, detail in rows)
    refused = rig.post("/evidence", "/evidence", {"table": "7", "reason": "x"})
    assert refused.status_code == 422


def test_the_command_line_does_what_the_page_does(rig: WebRig, tmp_path: Path) -> None:
    out = tmp_path / "e.zip"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = CliRunner().invoke(app, list(arguments))
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    data = str(rig.directory)
    made = run(
        "export",
        "--table",
        "7",
        "--case",
        f"{rig.epoch}/1",
        "--out",
        str(out),
        "--reason",
        "appeal",
        "--data",
        data,
    )
    assert (made.returncode, made.stdout.strip()) == (0, str(out)), made.stderr
    page = files_of(exported(rig, entry=f"{rig.epoch}/1"))
    assert files_of(out.read_bytes())["reports.jsonl"] == page["reports.jsonl"]
    checked = run("verify", str(out), "--keys", str(rig.directory / "keys.json"), "--json")
    assert (checked.returncode, json.loads(checked.stdout)["good"]) == (0, True)
    files = change_a_field(files_of(out.read_bytes()))
    out.write_bytes(resealed(files))
    assert run("verify", str(out), "--keys", str(rig.directory / "keys.json")).returncode == 1
    for bad in (
        ("export", "--table", "none", "--out", str(tmp_path / "x.zip"), "--reason", "appeal", "--data", data),
        ("export", "--table", "7", "--out", str(out), "--reason", "appeal", "--data", data),
        (
            "export",
            "--table",
            "7",
            "--case",
            "e/99",
            "--out",
            str(tmp_path / "x"),
            "--reason",
            "appeal",
            "--data",
            data,
        ),
        ("verify", str(tmp_path / "none.zip")),
        ("cases", "--data", str(tmp_path)),
        ("run", "--broker", "http://nowhere"),
        ("run", "--venue", "a/b"),
        ("user", "role", "nobody", "chief", "--data", data),
    ):
        refused = run(*bad)
        assert refused.returncode == 2, bad
        assert len(refused.stderr.strip().splitlines()) == 1, refused.stderr
    audit = run("audit", "--data", data, "--json")
    assert audit.returncode == 0
    assert '"act": "ruling"' in audit.stdout


def test_a_row_altered_in_the_audit_log_breaks_its_chain(rig: WebRig, tmp_path: Path) -> None:
    from director_console.store.audit import first_break
    from director_console.store.book import audit_rows

    rows = list(audit_rows(rig.running.console.reader))
    assert first_break(rows) is None
    for index in (0, len(rows) // 2, len(rows) - 1):
        altered = [*rows[:index], replace(rows[index], by="somebody"), *rows[index + 1 :]]
        assert first_break(altered) == index + 1
    assert first_break(rows[1:]) == 1
    assert first_break([rows[0], *rows[2:]]) == 2
