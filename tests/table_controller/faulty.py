"""A board played at a table with something wrong below the drivers, on both ways in.

`table` is the fixture a test imports; it takes (kind, way) from `both` or `wire_only`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hw_sim.players.four import BoardPlay
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from tests.table_controller.live_table import LiveTable, boards, events, games

WIRE = pytest.param((TableKind.FULL, Way.WIRE), id="wire")
GPIO = pytest.param((TableKind.FULL, Way.GPIO), id="gpio")


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveTable]:
    kind, way = request.param
    seconds = {"board.back_within_s": 1}
    with LiveTable(tmp_path, kind=kind, way=way, quick=False, seconds=seconds) as live:
        yield live


both = pytest.mark.parametrize("table", [WIRE, GPIO], indirect=True)
wire_only = pytest.mark.parametrize("table", [WIRE], indirect=True)
long = pytest.mark.long
"""A board at the usual debounce takes its time; three of these are in the short run, all in the long one."""


def after_calls(count: int) -> Callable[[BoardPlay], bool]:
    return lambda play: len(play.account.calls) >= count


def a_board_with(
    table: LiveTable, *deeds: Callable[[], None], calls: int = 2, settle_ms: int = 1_600
) -> BoardPlay:
    """One board, the deeds done after so many calls; the controller stopped in order afterwards."""
    table.run()

    def all_of_them() -> None:
        for deed in deeds:
            deed()

    play = table.play(games()[0], when=after_calls(calls), deed=all_of_them)
    table.settle(settle_ms * MS)
    assert table.stop() == 0, table.log.read_text()
    return play


def assert_the_board_is_right(table: LiveTable, play: BoardPlay) -> None:
    (board,) = boards(table.journal)
    assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
    assert board["outcome"] == "completed"
    timed = {"ALERT_TAKEN_BACK_AT_ONCE"}  # a busy machine may let an alert card lie for less than a second
    assert set(board["irregularities"]) <= timed
    told = [event["event"] for event in events(table.journal)]
    assert told.count("TrayLeft") == play.account.crossings + 1
    assert told.count("CallMade") == len(play.account.calls)
