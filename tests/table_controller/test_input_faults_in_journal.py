"""What single inputs do wrong, on both ways in: a doubt in the journal in time, and a board that is right."""

from __future__ import annotations

import time

import pytest

from firmware_bridge.readings import Direction
from hw_sim.table.changes import MS
from tests.table_controller.faulty import a_board_with, assert_the_board_is_right, both, long, table
from tests.table_controller.live_table import LiveTable, events, rows

pytestmark = pytest.mark.live

__all__ = ["table"]

SUSPECT_WITHIN_MS = 5_000


def raised_at(table: LiveTable, component: str) -> int:
    """When the doubt was journalled, ms on the axis, which in a first boot is the machine's own."""
    found = [
        row["mono_ms"]
        for row in rows(table.journal)
        if row["type"] == "fault" and row["body"]["fault"]["component"] == component
    ]
    assert found, table.faults()
    return int(found[0])


@long
@both
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("storm", {"hz": "50"}, id="chatter at 50 Hz"),
        pytest.param("storm", {"hz": "2000"}, id="chatter at 2 kHz"),
        pytest.param("float", {"hz": "120"}, id="floating"),
    ],
)
def test_an_input_that_does_not_come_to_rest_is_suspect_within_five_seconds_and_then_trusted(
    table: LiveTable, name: str, options: dict[str, str]
) -> None:
    began: list[int] = []

    def begin() -> None:
        began.append(time.monotonic_ns() // MS)
        table.commit(name, signal="director.n", ms="5500", **options)

    play = a_board_with(table, begin, settle_ms=7_500)
    assert_the_board_is_right(table, play)
    assert 0 <= raised_at(table, "director.n") - began[0] <= SUSPECT_WITHIN_MS + table.watch.worst // MS
    assert ("cleared", "SENSOR_SUSPECT", "director.n") in table.faults()
    assert {component for _, _, component in table.faults()} == {"director.n"}


@long
@both
def test_a_slot_that_is_stuck_full_is_suspect_when_its_board_is_over(table: LiveTable) -> None:
    table.faulty.hold("hand.n", True)
    play = a_board_with(table)
    assert_the_board_is_right(table, play)
    assert table.faults() == [("raised", "SENSOR_SUSPECT", "hand.n")]


@long
@both
def test_a_button_that_is_stuck_is_one_press_and_then_suspect_and_trusted_when_it_comes_back(
    table: LiveTable,
) -> None:
    table.run()
    table.settle(1_000 * MS)
    table.commit("stuck", signal="claim.e", level="active", ms="8000")
    table.settle(11_000 * MS)
    assert table.stop() == 0
    assert table.faults() == [
        ("raised", "SENSOR_SUSPECT", "claim.e"),
        ("cleared", "SENSOR_SUSPECT", "claim.e"),
    ]
    assert [event["event"] for event in events(table.journal)].count("ClaimMade") <= 1


@long
@both
def test_case_1_a_short_press_and_another_five_seconds_later_are_two(table: LiveTable) -> None:
    table.run()
    table.settle(1_000 * MS)
    for _ in range(2):
        table.faulty.set_input("director.n", True)
        table.settle(100 * MS)
        table.faulty.set_input("director.n", False)
        table.settle(5_000 * MS)
    assert table.stop() == 0
    told = [event for event in events(table.journal) if event["event"] == "DirectorSummoned"]
    assert [event["seat"] for event in told] == ["N", "N"]
    assert 4_500 * MS < told[1]["at"] - told[0]["at"] < 7_000 * MS


@long
@both
def test_case_2_a_ten_ms_glitch_on_a_dock_that_holds_the_tray_is_no_event(table: LiveTable) -> None:
    table.run()
    table.settle(1_500 * MS)
    before = len(events(table.journal))
    for _ in range(5):
        table.commit("glitch", signal="tray.ne", ms="10")
        table.settle(300 * MS)
    assert table.stop() == 0
    assert events(table.journal)[before:] == []
    assert table.faults() == []


@long
@both
def test_case_15_spikes_on_six_inputs_at_each_start_of_the_motor_are_no_event(table: LiveTable) -> None:
    starts: list[Direction] = []
    drive = table.site.live.drive

    def noisy(output: str, direction: Direction) -> None:
        if direction is not Direction.STOP:
            starts.append(direction)
            table.commit("emi", inputs="6", ms="3")
        drive(output, direction)

    table.site.live.drive = noisy  # type: ignore[method-assign]
    play = a_board_with(table)
    assert len(starts) >= 2
    assert_the_board_is_right(table, play)
    assert table.faults() == []
    told = [event["event"] for event in events(table.journal)]
    assert told.count("LeadMade") == 1
    assert "DirectorSummoned" not in told


@both
def test_a_window_moved_by_hand_is_followed_and_not_put_down_to_an_order(table: LiveTable) -> None:
    table.run()
    table.settle(1_500 * MS)
    before = len(events(table.journal))
    table.commit("moved-by-hand", ms="500")
    table.settle(1_500 * MS)
    table.commit("moved-by-hand", ms="500")
    table.settle(1_500 * MS)
    assert table.stop() == 0
    moved = [e for e in events(table.journal)[before:] if e["event"] == "WindowMoved"]
    assert [event["state"] for event in moved] == ["between", "closed", "between", "open"]
    assert [event for event in moved if event.get("order")] == []
    assert table.faults() == []
