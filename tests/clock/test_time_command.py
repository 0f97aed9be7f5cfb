"""`table-controller time`: what a journal has of time, for a person and for a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.__main__ import app
from table_controller.clock.table import TimedTable
from table_controller.messages import ClockQuality
from table_controller.regulations.time_tables import Contest
from table_controller.screen.times import SessionPlan
from table_controller.service.reports import Stamp, effect_row, event_row
from tests.clock.driving import Timed
from tests.journal.helpers import opened
from tests.screen.driving import FULL, S

STAMP = Stamp(mono=0, wall=None, clock=ClockQuality.UNSET, rev=0)


def written(table: Timed, path: Path) -> Path:
    """Its journal, as the table would have kept it."""
    again = TimedTable(regulations=table.regulations, senses=table.senses)
    storage = opened(path)
    for event in table.log:
        rows = [event_row(event, STAMP)]
        rows += [effect_row(effect, STAMP) for effect in again.handle(event, storage.journal.next_seq)]
        storage.journal.append(rows)
    storage.close()
    return path


def command(*words: str | Path, ok: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    assert done.exit_code == ok, done.output
    return done.output


def played(senses: frozenset[str] = FULL) -> Timed:
    """Two boards, passed out; North takes two minutes over his first call."""
    table = Timed(senses=senses, session=False)
    table.lays_down((1, 2), SessionPlan(contest=Contest.TEAMS_VP, start=0, board_s=120, pair_s=60))
    table.tray("NE")
    table.ready(1).call("N", "P", 120).auction("P P P").crosses().lift(10)
    table.ready(2).auction("P P P P").crosses().lift(10)
    return table


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(played(), tmp_path_factory.mktemp("time") / "journal.sqlite")


def test_boards_shares_and_what_it_is_evidence_of(journal: Path) -> None:
    said = command("time", journal, "--habits")
    assert "Session s: 2 boards over" in said
    assert "first board 0:03 after the start" in said
    assert "North-South: 2:03 used of 2:00 for 2 boards, 0:03 over" in said
    assert "East-West" in said
    assert "evidence of time, for the director alone" in said


def test_for_a_program_it_is_the_rows_themselves(journal: Path) -> None:
    found = json.loads(command("time", journal, "--json", "--habits"))
    (session,) = found["sessions"]
    rows = played().rows
    assert session["columns"]["ns"] == sum(row.columns.ns for row in rows)
    assert [board["ordinal"] for board in session["boards"]] == [1, 2]
    assert session["all_read"] is True
    assert session["over_ms"][0] == session["columns"]["ns"] - 2 * 60_000
    assert session["over_ms"][1] == 0
    assert found["habits"]["NS"]["thinking"]["longest"] == 120 * S


def test_in_chinese(journal: Path) -> None:
    said = command("time", journal, "--lang", "zh-CN")
    assert "场次 s：2 副牌已结束" in said
    assert "只供裁判参考" in said


def test_what_was_not_read_makes_no_share(tmp_path: Path) -> None:
    path = written(played(FULL - {"cards", "claim"}), tmp_path / "journal.sqlite")
    assert "no share is observed" in command("time", path)


def test_without_a_session_it_says_so(tmp_path: Path) -> None:
    table = Timed(session=False)
    table.tray("NE")
    table.ready(1)
    table.over()
    assert "no clock was kept" in command("time", written(table, tmp_path / "journal.sqlite"))


def test_bad_input_is_one_sentence(tmp_path: Path, journal: Path) -> None:
    assert "there is no such file" in command("time", tmp_path / "none.sqlite", ok=2)
    assert "is no language" in command("time", journal, "--lang", "xx", ok=2)
