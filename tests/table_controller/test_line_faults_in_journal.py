"""What a line and a device do wrong, behind a wire: the journal's board is right, what matters is said."""

from __future__ import annotations

import pytest

from hw_sim.table.changes import MS
from tests.table_controller.faulty import a_board_with, assert_the_board_is_right, long, table, wire_only
from tests.table_controller.live_table import LiveTable, events

pytestmark = pytest.mark.live

__all__ = ["table"]


@long
@wire_only
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("noise", {"noise": "0.01"}, id="one byte in a hundred altered"),
        pytest.param("lose", {"lose": "0.01"}, id="one byte in a hundred lost"),
        pytest.param("drop", {"drop_every": "5"}, id="every fifth frame lost"),
        pytest.param("duplicate", {"duplicate": "0.3"}, id="a third of the frames twice"),
        pytest.param("split", {"split": "3"}, id="three bytes at a time"),
        pytest.param("clock-drift", {"ppm": "5000"}, id="a clock half a percent wrong"),
    ],
)
def test_a_bad_line_changes_nothing(table: LiveTable, name: str, options: dict[str, str]) -> None:
    lasting = {} if name == "clock-drift" else {"ms": "60000"}
    play = a_board_with(table, lambda: table.commit(name, **options, **lasting), calls=1)
    assert_the_board_is_right(table, play)
    assert table.faults() == []


@long
@wire_only
def test_case_10_noise_before_the_greeting_is_one_loss_of_the_link_and_no_event(table: LiveTable) -> None:
    def garbage() -> None:
        table.commit("garbage", bytes="4000")
        table.settle(3_000 * MS)

    play = a_board_with(table, garbage, calls=1)
    assert_the_board_is_right(table, play)
    assert [change for change, kind, _ in table.faults() if kind == "LINK_LOST"] == [
        "raised",
        "cleared",
    ]


@long
@wire_only
@pytest.mark.parametrize("cause", ["watchdog", "brown_out", "power_on", "reset_pin"])
def test_case_12_a_reset_in_mid_board_is_journalled_with_its_cause(table: LiveTable, cause: str) -> None:
    def reset() -> None:
        table.commit("reset", cause=cause, boot_ms="200")
        table.settle(2_500 * MS)

    play = a_board_with(table, reset, calls=2)
    assert_the_board_is_right(table, play)
    assert [e["cause"] for e in events(table.journal) if e["event"] == "DeviceReset"] == [cause]


@long
@wire_only
def test_case_9_pulled_in_mid_board_its_events_arrive_once_and_in_order(table: LiveTable) -> None:
    """The port that comes back has another number each time; the table's file names it by its link."""
    ports: list[str] = []

    def unplug() -> None:
        path = table.site.directory / "tty"
        for _ in range(3):
            ports.append(str(path.resolve()))
            table.device.unplug()
            table.settle(300 * MS)
            table.device.replug()
            table.settle(2_000 * MS)

    play = a_board_with(table, unplug, calls=1)
    assert_the_board_is_right(table, play)
    changes = [change for change, kind, _ in table.faults() if kind == "LINK_LOST"]
    assert changes == ["raised", "cleared"] * 3
