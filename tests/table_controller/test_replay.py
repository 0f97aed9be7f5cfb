"""An evening told again: the same under its own regulations, and what others would have made of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hw_sim.core_runner import customs_of
from hw_sim.core_runner.play import senses_of
from hw_sim.players.customs import STYLES, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import script_of
from hw_sim.table.wiring import TableKind
from table_controller.journal import Journal, NewRow, Row
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.messages.topics import Stream
from table_controller.replay.cli import core_of_boot, given_by
from table_controller.replay.evening import Replayed, replay
from table_controller.screen.table import ScreenTable
from tests.hw_sim.virtual_table import IDENTITY, VirtualTable
from tests.table_controller.live_table import command, games, write_seconds


def evening(regulations: str = "ccba-2006", boards: int = 2) -> list[Row]:
    """The rows of an evening on virtual time, a boot row before them."""
    table = VirtualTable(TableKind.FULL, regulations, quick=False)
    for game in games(cards=4)[:boards]:
        play_out(
            table,
            BoardPlay(
                hands=table,
                script=script_of(game),
                customs=customs_of(regulations),
                furniture=TableKind.FULL.furniture,
                manner=Manner(STYLES["fast"], Random(1)),
                ledger=Ledger("1", None),
            ).play(),
            between=table.look,
        )
    rows = list(table.engine.journal.rows())
    boot = {
        "what": What.BOOT.value,
        "value": {"profile": regulations, "supplements": [], "senses": sorted(senses_of(TableKind.FULL))},
    }
    return [replace(rows[0], seq=0, stream="log", body=json.dumps(boot), cause=None), *rows]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return evening()


def _what(row: Row) -> str:
    return str(json.loads(row.body)["what"])


def told_again(rows: list[Row], profile: str | None = None) -> Replayed:
    return replay(rows, lambda boot: core_of_boot(boot, profile), given_by)


def test_a_replay_is_the_same_as_what_happened(rows: list[Row]) -> None:
    replayed = told_again(rows)
    assert replayed.same
    assert [board.contract for board in replayed.boards] == ["3NT", "2S"]
    assert replayed.events > 100


def test_a_row_that_was_changed_is_found(rows: list[Row]) -> None:
    at = next(i for i, row in enumerate(rows) if '"Moved"' in row.body)
    changed = [*rows]
    changed[at] = replace(rows[at], body=rows[at].body.replace("board_placed", "board_lifted"))
    (difference,) = told_again(changed).differences
    assert "board_lifted" in str(difference.live)
    assert "board_placed" in str(difference.replayed)


def test_another_authority_would_have_opened_the_window_later_and_judges_no_order_of_ours(
    rows: list[Row],
) -> None:
    replayed = told_again(rows, "ebl-2016")
    moments = replayed.other_moments()
    assert {name for name, _, _ in moments} == {"OpenWindow"}
    assert all(live is not None and here is not None and here > live for _, live, here in moments)
    assert replayed.entries == {}


@pytest.mark.parametrize("profile", ["wbf", "acbl", "dbf"])
def test_a_clean_evening_is_clean_under_every_authority(rows: list[Row], profile: str) -> None:
    replayed = told_again(rows, profile)
    assert [entry.kinds for entry in replayed.entries.values()] == []
    assert len(replayed.boards) == 2


def test_a_restart_in_the_journal_is_replayed_as_it_was_lived(rows: list[Row]) -> None:
    """The core was rebuilt from all rows before the second boot row, and so is the replay's."""
    events = [i for i, row in enumerate(rows) if row.stream == "log" and _what(row) == "event"]
    cut = events[len(events) // 2]
    replayed = told_again([*rows[:cut], rows[0], *rows[cut:]])
    assert replayed.boots == 2
    assert replayed.same


def journal_of(path: Path, rows: list[Row]) -> Path:
    journal = Journal.new(path / "journal.sqlite", identity=IDENTITY, epoch="e1", session="s1")
    journal.append(
        [
            NewRow(stream=Stream(row.stream), body=json.loads(row.body), mono_ms=row.mono_ms, cause=row.cause)
            for row in rows
        ]
    )
    journal.close()
    return path / "journal.sqlite"


def test_on_the_command_line(rows: list[Row], tmp_path: Path) -> None:
    path = journal_of(tmp_path, rows)
    other = json.loads(command("replay", path, "--regulations", "ebl-2016", "--json"))
    assert other["regulations"] == "ebl-2016"
    assert other["other_moments"][0]["order"] == "OpenWindow"
    said = command("replay", path, "-r", "ebl-2016")
    assert "under ebl-2016 it would be given after row" in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("replay", "/nowhere/journal.sqlite"), "there is no such file"),
        (("replay", "{plain}"), "journal"),
        (("replay", "{journal}", "-r", "fifa"), "'fifa'"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(
    words: tuple[str, ...], says: str, rows: list[Row], tmp_path: Path
) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("not a journal")
    places = {"{plain}": plain, "{journal}": journal_of(tmp_path, rows)}
    said = command(*(places.get(word, word) for word in words), ok=2)
    assert says in said
    assert len(said.strip().splitlines()) == 1


def test_supplements_travel_in_the_journal(tmp_path: Path) -> None:
    gone = tmp_path / "gone.toml"
    text = write_seconds(tmp_path, {"tray.stalled_after_s": 3}).read_text(encoding="utf-8")
    boot: dict[str, Json] = {
        "profile": "ccba-2006",
        "supplements": [str(gone)],
        "supplement_texts": [text],
        "senses": ["tray"],
    }
    core, _ = core_of_boot(boot, None)
    assert isinstance(core, ScreenTable)
    assert core._rules.regulations.tray.stalled_after_s.value == 3
