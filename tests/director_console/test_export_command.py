"""`director-console export`: hands only after a reason, and never without a word in the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console import exporting
from director_console.cli import app
from director_console.exporting import system_user
from director_console.store.audit import first_break
from director_console.store.book import StoreError, audit_rows
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig

run = CliRunner().invoke


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebRig]:
    made = WebRig(tmp_path_factory.mktemp("export"))
    table = Playing("7", made.keys, 3)
    made.hear(*table.hello(), *table.step())
    yield made
    made.close()


def export(rig: WebRig, out: Path, *words: str, reason: str = "appeal"):
    given = ["--table", "7", "--out", str(out), "--reason", reason, "--data", str(rig.directory)]
    return run(app, ["export", *given, *words])


def exports(rig: WebRig) -> list[tuple[str, dict[str, object]]]:
    rows = list(audit_rows(rig.running.console.reader))
    assert first_break(rows) is None
    return [(row.by, json.loads(row.detail)) for row in rows if row.act == "evidence exported"]


@pytest.mark.parametrize("hands", [(), ("--hands",)])
def test_an_export_is_in_the_audit_log_beside_the_running_console(rig, tmp_path, hands):
    done = export(rig, tmp_path / "e.zip", *hands, "--by", "anna", reason="  appeal of board 3 ")
    assert (done.exit_code, done.stderr) == (0, ""), done.stderr
    by, detail = exports(rig)[-1]
    assert by == "command line"
    assert detail == {
        "table": "7",
        "entry": "",
        "hands": len(hands),
        "reason": "appeal of board 3",
        "user": system_user(),
        "said": "anna",
    }


@pytest.mark.parametrize("reason", ["", "   ", "x", "\n\n\n\n", "two\nlines", "\udcff\udcff", "r" * 501])
def test_what_says_nothing_is_no_reason(rig, tmp_path, reason):
    before = exports(rig)
    done = export(rig, tmp_path / "e.zip", "--hands", reason=reason)
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "--reason" in done.stderr
    assert not (tmp_path / "e.zip").exists()
    assert exports(rig) == before


def test_hands_that_cannot_be_recorded_are_not_exported(rig, tmp_path, monkeypatch):
    def shut(directory: Path) -> None:
        raise StoreError(f"{directory}: read-only")

    monkeypatch.setattr(exporting, "open_book", shut)
    done = export(rig, tmp_path / "hands.zip", "--hands")
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not (tmp_path / "hands.zip").exists()
    done = export(rig, tmp_path / "e.zip")
    assert done.exit_code == 0
    assert "not in the audit log" in done.stderr


@pytest.mark.parametrize("name", ["there.zip", "no/such.zip", "n" * 300])
def test_where_nothing_can_be_written_nothing_is_recorded_and_nothing_lost(rig, tmp_path, name):
    (tmp_path / "there.zip").write_text("another's")
    before = exports(rig)
    done = export(rig, tmp_path / name, "--hands")
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert (tmp_path / "there.zip").read_text() == "another's"
    assert exports(rig) == before


def test_a_disk_that_takes_no_file_leaves_none(rig, tmp_path, monkeypatch):
    def full(*words: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("director_console.cli_data.build", full)
    done = export(rig, tmp_path / "e.zip")
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert not (tmp_path / "e.zip").exists()
