"""Every fault of the hardware, below the drivers, on both ways in: what must happen is in the journal."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from hw_sim.players.asks import Script, pause
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.tags import BoardTag
from hw_sim.table.wiring import TableKind
from tests.table_controller.faulty import (
    a_board_with,
    assert_the_board_is_right,
    both,
    long,
    table,
    wire_only,
)
from tests.table_controller.live_table import LiveTable, events, rows

pytestmark = pytest.mark.live

__all__ = ["table"]


@long
@both
def test_bounces_spikes_and_double_trips_are_one_event_each_and_no_fault(table: LiveTable) -> None:
    play = a_board_with(
        table,
        lambda: table.commit("bounce", signal="tray.ne", ms="20"),
        lambda: table.commit("double-trip", signal="tray.sw", ms="8"),
        lambda: table.commit("glitch", signal="director.n", ms="5"),
        lambda: table.commit("emi", inputs="6", ms="3"),
    )
    assert_the_board_is_right(table, play)
    assert table.faults() == []
    assert "DirectorSummoned" not in [event["event"] for event in events(table.journal)]


@long
@both
def test_a_lost_edge_is_healed_by_the_level_and_marked(table: LiveTable) -> None:
    play = a_board_with(table, lambda: table.commit("lost-edge", signal="tray.sw"))
    assert_the_board_is_right(table, play)
    assert ("raised", "EDGE_INFERRED", "tray.sw") in table.faults()
    healed = [
        e for e in events(table.journal) if e["event"] in ("TrayArrived", "TrayLeft") and e.get("inferred")
    ]
    assert any(0 < event["at"] - event["not_before"] <= 300 * MS for event in healed if "not_before" in event)


@long
@both
def test_a_chattering_input_is_suspect_soon_and_slows_nothing_else(table: LiveTable) -> None:
    play = a_board_with(
        table, lambda: table.commit("storm", signal="director.n", hz="200", ms="3000"), settle_ms=4_000
    )
    assert_the_board_is_right(table, play)
    assert ("raised", "SENSOR_SUSPECT", "director.n") in table.faults()
    assert ("cleared", "SENSOR_SUSPECT", "director.n") in table.faults()
    assert [event["event"] for event in events(table.journal)].count("DirectorSummoned") <= 1


@both
def test_both_limits_are_a_conflict_within_two_seconds_that_clears_by_itself(table: LiveTable) -> None:
    table.run()
    table.settle(2_000 * MS)
    table.commit("both-limits", ms="3000")
    table.settle(4_000 * MS)
    assert table.stop() == 0
    assert table.faults() == [
        ("raised", "SENSOR_CONFLICT", "window"),
        ("cleared", "SENSOR_CONFLICT", "window"),
    ]
    assert any(
        row["body"].get("what") == "note" and "raw window" in str(row["body"]) for row in rows(table.journal)
    )


@long
@both
def test_tray_on_both_faces_for_three_seconds_is_case_16(table: LiveTable) -> None:
    def both_docks() -> None:
        table.commit("stuck", signal="tray.sw", level="active", ms="3000")
        table.settle(3_500 * MS)

    play = a_board_with(table, both_docks, calls=1)
    assert_the_board_is_right(table, play)
    assert table.faults() == [
        ("raised", "SENSOR_CONFLICT", "tray"),
        ("cleared", "SENSOR_CONFLICT", "tray"),
    ]


@long
@wire_only
def test_a_watchdog_reset_in_mid_board_is_journalled_with_its_cause_and_invents_nothing(
    table: LiveTable,
) -> None:
    def reset() -> None:
        table.commit("reset", cause="watchdog", boot_ms="200")
        table.settle(2_500 * MS)

    play = a_board_with(table, reset, calls=1)
    assert_the_board_is_right(table, play)
    causes = [event["cause"] for event in events(table.journal) if event["event"] == "DeviceReset"]
    assert causes == ["watchdog"]
    assert ("raised", "DEVICE_RESET", "device") in table.faults()


@wire_only
def test_a_cable_pulled_and_put_back_loses_and_doubles_nothing(table: LiveTable) -> None:
    play = a_board_with(table, lambda: table.commit("unplug", ms="700"), calls=2)
    assert_the_board_is_right(table, play)
    told = table.faults()
    assert [change for change, kind, _ in told if kind == "LINK_LOST"] == ["raised", "cleared"]


@long
@wire_only
def test_one_byte_in_a_hundred_corrupted_each_way_changes_nothing(table: LiveTable) -> None:
    table.device.line.noise = 0.01
    play = a_board_with(table)
    assert_the_board_is_right(table, play)
    assert table.faults() == []


@long
@wire_only
def test_a_device_that_falls_silent_is_a_lost_link_and_comes_back(table: LiveTable) -> None:
    def mute() -> None:
        table.commit("mute", ms="3000")
        table.settle(6_000 * MS)

    play = a_board_with(table, mute, calls=1)
    assert_the_board_is_right(table, play)
    assert [c for c, kind, _ in table.faults() if kind == "LINK_LOST"] == ["raised", "cleared"]


@long
@wire_only
def test_a_host_that_stands_still_finds_everything_afterwards(table: LiveTable) -> None:
    """Hardware case 11, with a short stall: events keep their times, nothing is lost."""

    def stall() -> None:
        table.send(signal.SIGSTOP)
        table.timeline.after(2_500, lambda: table.send(signal.SIGCONT))

    play = a_board_with(table, stall, calls=1)
    assert_the_board_is_right(table, play)


@long
@both
def test_a_limit_that_is_never_made_is_a_jam_once_and_nobody_tries_again(table: LiveTable) -> None:
    """Hardware case 14."""
    table.run()
    table.settle(1_500 * MS)
    table.commit("jam", ms="60000")
    table.site.live.play(_board_on_the_tray(table))
    table.settle(12_000 * MS)
    assert table.stop() == 0
    assert [kind for change, kind, _ in table.faults() if change == "raised"].count("WINDOW_JAMMED") == 1
    orders = [
        row["body"]["value"]["effect"] for row in rows(table.journal) if row["body"].get("what") == "order"
    ]
    assert orders.count("CloseWindow") == 1


@both
def test_something_in_the_windows_way_stops_it_and_is_said(table: LiveTable) -> None:
    table.run()
    table.settle(1_500 * MS)
    table.commit("obstruct", ms="2500")
    table.site.live.play(_board_on_the_tray(table))
    table.settle(4_500 * MS)
    assert table.stop() == 0
    told = table.faults()
    assert ("raised", "WINDOW_OBSTRUCTED", "window") in told
    assert ("cleared", "WINDOW_OBSTRUCTED", "window") in told


def _board_on_the_tray(table: LiveTable) -> Script:
    table.site.body.place_board(BoardTag(number=1))
    yield pause(0.5)


def test_a_directory_that_cannot_be_written_changes_no_path(tmp_path: Path) -> None:
    """Hardware case 3."""
    with LiveTable(tmp_path, kind=TableKind.HEADER, way=Way.GPIO) as table:
        table.cwd = Path("/proc")
        table.run()
        table.settle(2_500 * MS)
        assert table.stop() == 0
        assert table.journal.exists()
