"""`table-controller run`, the real process, behind simulated wires."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hw_sim.players.asks import Script, Until
from hw_sim.table.changes import MS, Travel
from hw_sim.table.site import Way
from hw_sim.table.tags import BoardTag
from hw_sim.table.window_panel import SWITCH_REACH
from tests.table_controller.live_table import LiveTable, boards, command, events, games, rows


@pytest.fixture
def table(tmp_path: Path):
    with LiveTable(tmp_path) as live:
        yield live


def test_a_recorded_deal_through_wire_process_and_journal_and_told_again(table: LiveTable) -> None:
    table.run()
    play = table.play(games()[0])
    table.settle()
    assert table.stop() == 0
    assert "sound" in command("journal", "verify", table.journal)
    (board,) = boards(table.journal)
    assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
    assert (board["contract"], board["declarer"], board["outcome"]) == ("3NT", "N", "completed")
    assert board["crossings"] == play.account.crossings
    assert not [row for row in rows(table.journal) if row["type"] in ("irregularity", "fault")]
    told = json.loads(command("replay", table.journal, "--json"))
    assert told["same"] is True
    assert [b["contract"] for b in told["boards"]] == ["3NT"]


def test_case_17_killed_in_the_auction_and_back_as_if_nothing_had_moved(table: LiveTable) -> None:
    """Power cut in the auction: same board, same auction, the visit interrupted, nothing invented."""
    table.run()

    def power_cut() -> None:
        table.settle(300 * MS)
        table.kill()
        table.settle(1_000 * MS)
        table.run()
        table.settle(2_000 * MS)

    play = table.play(games()[0], when=lambda play: len(play.account.calls) == 1, deed=power_cut)
    table.settle()
    assert table.stop() == 0
    (board,) = boards(table.journal)
    assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
    assert board["outcome"] == "completed"
    assert board["irregularities"] == []
    told = events(table.journal)
    assert [event["event"] for event in told].count("Restarted") == 1
    assert [event["event"] for event in told].count("BoardPlaced") == 1
    assert not [
        e for e in told if e.get("inferred") and e["event"] in ("TrayLeft", "CallMade", "CallWithdrawn")
    ]
    visits = [row["body"]["visit"] for row in rows(table.journal) if row["type"] == "visit"]
    assert next(visit.get("interrupted", False) for visit in visits if visit["ordinal"] == 1) is True
    seqs = [row["seq"] for row in rows(table.journal)]
    assert seqs == list(range(1, len(seqs) + 1))
    assert json.loads(command("replay", table.journal, "--json"))["same"] is True


@pytest.mark.parametrize("way", [Way.WIRE, pytest.param(Way.GPIO, marks=pytest.mark.long)])
def test_killed_while_the_window_closes_the_motor_stops_within_its_lease_and_goes_on(
    tmp_path: Path, way: Way
) -> None:
    """Hardware case 16."""
    with LiveTable(tmp_path, way=way, travel=replace(Travel.quickest(), window=4_000 * MS)) as table:
        table.run()
        body, stood = table.site.body, []

        def halfway() -> bool:
            return 0.1 < table.panel.position(body.now) < 0.9

        def cut() -> None:
            table.kill()
            table.settle(450 * MS)
            stood.append(table.panel.position(body.now))
            table.settle(700 * MS)
            stood.append(table.panel.position(body.now))
            table.run()
            table.settle(6_000 * MS)
            stood.append(table.panel.position(body.now))

        def script() -> Script:
            body.place_board(BoardTag(number=1))
            yield Until(seen=halfway, within=10_000 * MS, complaint="it did not close")
            cut()

        table.site.live.play(script())
        assert table.stop() == 0
        assert stood[0] == stood[1]
        assert 0 < stood[0] < 1
        assert stood[2] <= SWITCH_REACH
        moved = [e for e in events(table.journal) if e["event"] == "WindowMoved"]
        assert [e["state"] for e in moved if e.get("order") == "close"][-1] == "closed"


def test_a_second_instance_is_refused_in_one_sentence_and_the_first_is_undisturbed(table: LiveTable) -> None:
    table.run()
    time.sleep(1.5)
    said = command("run", "--config", table.site.config, ok=2)
    assert len(said.strip().splitlines()) == 1
    assert "another process" in said
    table.play(games()[0])
    table.settle()
    assert table.stop() == 0
    assert len(boards(table.journal)) == 1
