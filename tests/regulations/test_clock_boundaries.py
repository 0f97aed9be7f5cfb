"""Articles 26 and 27, both sides of every bound of every column: written out here, not read off a profile."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from table_controller.regulations.clock import NS_PER_MIN, Outcome, late, slow
from table_controller.regulations.time_tables import Contest, Deed
from tests.regulations.test_clock import (
    CCBA,
    FORFEIT,
    IMP,
    KO,
    MP,
    ROUND,
    STOP,
    UNPLAYED_IMP,
    UNPLAYED_MP,
    VP,
    WARNED,
    drop,
    imp,
    top,
    vp,
)

COMMITTEE, CANCEL = Deed.COMMITTEE, Deed.UNPLAYED_CANCELLED_OR_APPEAL
Row = list[Outcome]
LATE_BOUNDS, SLOW_BOUNDS = (5, 10, 15, 20, 25), (2, 5, 10, 15, 20, 25)
STOPPED_MP: Row = [STOP, top("20"), UNPLAYED_MP]
STOPPED_IMP: Row = [STOP, imp("6"), UNPLAYED_IMP]

LATE: dict[Contest, list[Row]] = {
    VP: [[WARNED], [vp("1")], [vp("2")], [vp("3")], [vp("4")], [COMMITTEE]],
    MP: [
        [WARNED],
        [top("10"), drop(1, 1, imps=False)],
        [top("20"), drop(1, 2, imps=False)],
        [top("30"), drop(2, 3, imps=False), ROUND],
        [FORFEIT],
        [FORFEIT],
    ],
    IMP: [
        [WARNED],
        [imp("3"), drop(1, 1, imps=True)],
        [imp("6"), drop(1, 2, imps=True)],
        [imp("9"), drop(2, 3, imps=True), ROUND],
        [FORFEIT],
        [FORFEIT],
    ],
}
SLOW: dict[Contest, list[Row]] = {
    VP: [[vp("1")], [vp("1")], [vp("1.5")], [vp("2")], [vp("2.5")], [vp("3")], [COMMITTEE]],
    MP: [[WARNED], [top("10")], [top("20")], STOPPED_MP, STOPPED_MP, STOPPED_MP, STOPPED_MP],
    IMP: [[WARNED], [imp("3")], [imp("6")], STOPPED_IMP, STOPPED_IMP, STOPPED_IMP, STOPPED_IMP],
}


def sides(bounds: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Of each bound: the last second that is still in the row, and the first that is not. Rows from 1."""
    for row, bound in enumerate(bounds, start=1):
        yield bound, 0, row
        yield bound, 1, row + 1


def over(minutes: int, seconds: int) -> int:
    return minutes * NS_PER_MIN + seconds * NS_PER_MIN // 60


@pytest.mark.parametrize(
    ("contest", "minutes", "seconds", "row"),
    [
        pytest.param(contest, *side, id=f"26: {contest} {side[0]}:{side[1]:02}")
        for contest in LATE
        for side in sides(LATE_BOUNDS)
    ],
)
def test_late_on_both_sides_of_every_bound(contest: Contest, minutes: int, seconds: int, row: int) -> None:
    found = late(CCBA, contest, over(minutes, seconds))
    assert found is not None
    assert (found.row, found.readings) == (row, (tuple(LATE[contest][row - 1]),))


@pytest.mark.parametrize(
    ("contest", "minutes", "seconds", "row"),
    [
        pytest.param(contest, *side, id=f"27: {contest} {side[0]}:{side[1]:02}")
        for contest in SLOW
        for side in sides(SLOW_BOUNDS)
    ],
)
def test_slow_on_both_sides_of_every_bound(contest: Contest, minutes: int, seconds: int, row: int) -> None:
    found = slow(CCBA, contest, over(minutes, seconds))
    assert found is not None
    assert (found.total.row, found.total.readings) == (row, (tuple(SLOW[contest][row - 1]),))


@pytest.mark.parametrize("minute", range(25))
def test_26_knock_out_one_imp_and_one_for_each_minute_begun_above_five(minute: int) -> None:
    for seconds in (1, 59):
        found = late(CCBA, KO, over(minute, seconds))
        assert found is not None
        expected: Row = [WARNED] if minute < 5 else [imp(str(1 + minute - 5 + 1))]
        assert found.readings == (tuple(expected),)
    if minute > 5:
        whole = late(CCBA, KO, over(minute, 0))
        assert whole is not None
        assert whole.readings == ((imp(str(1 + minute - 5)),),)


@pytest.mark.parametrize("minute", range(25))
def test_27_knock_out_one_imp_each_minute_begun_to_twenty_five(minute: int) -> None:
    for seconds in (1, 59):
        found = slow(CCBA, KO, over(minute, seconds))
        assert found is not None
        assert found.total.readings == ((imp(str(minute + 1)),),)


@pytest.mark.parametrize("table", [late, slow])
@pytest.mark.parametrize("contest", Contest)
def test_a_nanosecond_over_a_bound_is_over_it(table: object, contest: Contest) -> None:
    """Nothing is rounded before it is looked up: 5:00.000000001 is not "to 5"."""
    bounds = LATE_BOUNDS if table is late else SLOW_BOUNDS
    for row, bound in enumerate(bounds, start=1):
        found = [table(CCBA, contest, bound * NS_PER_MIN + extra) for extra in (0, 1)]  # type: ignore[operator]
        totals = [one if table is late else one.total for one in found]
        assert [total.row for total in totals] == [row, row + 1]


def test_the_check_number_of_a_slow_match_by_vp() -> None:
    """Slow 9.5 min, teams VP, both responsible -> 0.75 VP each."""
    found = slow(CCBA, VP, int(Decimal("9.5") * NS_PER_MIN))
    assert found is not None
    assert [(share.ns, share.ew) for share in found.shares[0]] == [(Decimal("0.75"), Decimal("0.75"))]
