"""The same measure at a table of metal: debounced switches, settled readers, a journal; a real process."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hw_sim.core_runner.customs import customs_of
from hw_sim.core_runner.play import senses_of
from hw_sim.players.customs import STYLES, Floors, Manner
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.runner import play_out
from hw_sim.players.script import script_of
from hw_sim.table.changes import MS
from hw_sim.table.wiring import TableKind
from table_controller.clock.table import TimedTable
from table_controller.laws.seat import Partnership
from table_controller.messages import Status
from table_controller.messages.codec import effect_from_json
from table_controller.messages.topics import Verb
from table_controller.regulations.load import load
from table_controller.regulations.time_tables import Contest
from table_controller.screen.events import BoardDue, SessionOpened
from table_controller.screen.times import RecordPace, RecordTime, SessionPlan
from table_controller.service.resume import resume
from tests.clock.evening import games, used_ms
from tests.hw_sim.virtual_table import VirtualTable
from tests.mqtt.conftest import Mosquitto, mosquitto
from tests.table_controller.console_side import ConsoleSide, write_keys
from tests.table_controller.live_table import LiveTable, command, rows

__all__ = ["mosquitto"]
NS, EW = Partnership.NS, Partnership.EW
BOARDS = 3


def measured(account: BoardAccount, row: RecordTime) -> None:
    """Within a second a board of what the players used, and nothing lost."""
    assert row.board == account.number
    assert row.columns.total == row.ended - row.begun
    assert row.columns.ns == pytest.approx(used_ms(account, NS), abs=1_000)
    assert row.columns.ew == pytest.approx(used_ms(account, EW), abs=1_000)


@pytest.mark.parametrize("seed", range(2))
def test_sensing_and_debouncing_cost_less_than_a_second_a_board(seed: int) -> None:
    table = VirtualTable(quick=False)
    due = tuple(BoardDue(number=game.board or 0) for game in games()[:BOARDS])
    plan = SessionPlan(contest=Contest.TEAMS_VP, start=table.body.now, board_s=480)
    table.order(SessionOpened(at=table.body.now, by="TD", session="s", boards=due, plan=plan))
    pairs = {NS: STYLES["slow"], EW: STYLES["fast"]}
    ledger, manner = Ledger("t"), Manner(STYLES["steady"], Random(seed), Floors(), pairs)
    for game in games()[:BOARDS]:
        play = BoardPlay(
            hands=table,
            script=script_of(game),
            customs=customs_of("ccba-2006"),
            furniture=TableKind.FULL.furniture,
            manner=manner,
            ledger=ledger,
        )

        def look(play: BoardPlay = play) -> None:
            table.look()
            play.look()

        play_out(table, play.play(), between=look)
    table.advance(table.body.now + 100_000 * MS)
    again = TimedTable(regulations=load("ccba-2006"), senses=senses_of(TableKind.FULL))
    resume(table.engine.journal.rows(), again)
    assert again.keeping == table.core.keeping, "a restart goes on with the very same account"
    rows_kept = [row for row in table.engine.journal.rows() if '"RecordTime"' in row.body]
    assert len(rows_kept) == len(table.core.times) == BOARDS
    for account, row in zip(ledger.boards, table.core.times, strict=True):
        measured(account, row)
        assert row.columns.ns > row.columns.ew + 30_000


@pytest.fixture
def pair(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[tuple[LiveTable, ConsoleSide]]:
    keys = write_keys(tmp_path / "keys.json")
    with LiveTable(tmp_path, broker=mosquitto.url, mac_keys=tmp_path / "keys.json") as table:
        console = ConsoleSide(mosquitto.url, keys).start()
        yield table, console
        console.stop()


def told(journal: Path, what: str) -> list[Any]:
    found = [row["body"]["value"] for row in rows(journal) if row["body"].get("what") == what]
    return [effect_from_json(value) for value in found]


@pytest.mark.long
@pytest.mark.mosquitto
def test_a_session_by_command_two_boards_and_a_power_cut_through_process_and_broker(
    pair: tuple[LiveTable, ConsoleSide],
) -> None:
    """The rows are in the journal and at the console, once each; the cut is unknown; told again, the same."""
    table, console = pair
    table.run()
    console.until(lambda: console.state is not None)
    assert console.state is not None
    assert ("clock", "no session is laid down, so no clock is kept") in console.state.off
    table.settle(300 * MS)
    ordered = console.command(
        Verb.SESSION,
        session="evening",
        boards=[{"number": 1}, {"number": 2}],
        plan={"contest": "teams_vp", "start_ms": time.time_ns() // MS - 420_000, "board_seconds": 480},
        why="the evening begins",
    )
    assert console.answer(ordered).status is Status.DONE
    short = [replace(game, play=game.play[:8], claimed=9) for game in games()[:2]]
    first = table.play(short[0])

    def power_cut() -> None:
        table.kill()
        table.settle(2_000 * MS)
        table.run()
        table.settle(1_500 * MS)

    second = table.play(short[1], when=lambda play: len(play.account.calls) == 2, deed=power_cut)
    table.settle()
    console.until(lambda: console.state is not None and console.state.last_seq == len(console.rows))
    assert table.stop() == 0
    one, two = told(table.journal, "board_time")
    measured(first.account, one)
    assert (one.ordinal, two.ordinal, two.board) == (1, 2, 2)
    assert two.columns.total == two.ended - two.begun
    assert two.columns.unknown >= 2_000
    for partnership, ms in ((NS, two.columns.ns), (EW, two.columns.ew)):
        assert ms <= used_ms(second.account, partnership) + 1_000
    pace: RecordPace = told(table.journal, "session_time")[-1]
    assert (pace.begun, pace.finished, pace.unplayed) == ((1, 2), (1, 2), ())
    assert pace.arrived is not None
    assert pace.start is not None
    assert 420_000 <= pace.arrived - pace.start <= 450_000
    reported = [message.body for message in console.rows.values() if message.envelope.type == "log"]
    assert sum(getattr(body, "what", "") == "board_time" for body in reported) == 2
    late = [row["body"]["entry"] for row in rows(table.journal) if row["type"] == "irregularity"]
    assert [entry["kinds"] for entry in late if entry["kinds"] != ["SLOW_PLAY"]] == [["LATE_ARRIVAL"]]
    assert json.loads(command("replay", table.journal, "--json"))["same"] is True
