"""A pair's own habit over an evening: what stands out is against that pair, and unknown enters nothing."""

from __future__ import annotations

import statistics
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from hw_sim.players.customs import STYLES, Style
from table_controller.clock.habits import ENOUGH, habit_of, samples_of, spread_of
from table_controller.laws.call import PASS
from table_controller.laws.seat import Partnership, ScreenSide, Seat
from table_controller.screen.entry import Certainty, Mover, Share, Visit
from tests.clock.evening import evening, games

S = 1_000_000_000
REFERENCE = 20 * S
NE, SW = ScreenSide.NE, ScreenSide.SW
NS, EW = Partnership.NS, Partnership.EW


def visit(
    ordinal: int,
    first: int | None,
    second: int | None,
    *,
    side: ScreenSide = NE,
    hold: int | None = S,
    mover: Seat | None = Seat.N,
    interrupted: bool = False,
) -> Visit:
    seats = (Seat.N, Seat.E) if side is NE else (Seat.S, Seat.W)
    shares = tuple(
        Share(seat=seat, thinking=thinking, call=PASS)
        for seat, thinking in zip(seats, (first, second), strict=True)
    )
    certainty = Certainty.UNKNOWN if mover is None else Certainty.KNOWN
    return Visit(
        board=1,
        ordinal=ordinal,
        screen_side=side,
        arrived=0,
        left=60 * S,
        shares=shares,
        hold=hold,
        transit=S,
        mover=Mover(seat=mover, certainty=certainty),
        interrupted=interrupted,
    )


def test_a_long_visit_is_long_against_its_own_pair_only() -> None:
    """Thirty seconds stand out from a pair that takes five, and not from one that takes about twenty-five."""
    visits = [visit(number, 5 * S, (15 + number % 5 * 5) * S) for number in range(1, 10)]
    visits.append(visit(10, 30 * S, 30 * S))
    quick, slow = (habit_of(samples_of(visits, pair), REFERENCE) for pair in (NS, EW))
    assert [(one.sample.ordinal, one.times) for one in quick.long] == [(10, 60)]
    assert slow.long == ()
    assert (quick.thinking.median, slow.thinking.median) == (5 * S, 55 * S // 2)
    assert (quick.thinking.longest, slow.thinking.longest) == (30 * S, 35 * S)


def test_up_to_the_reference_nothing_is_long() -> None:
    """A delay of up to 20 s is not enough to carry information (23.2.3)."""
    visits = [visit(number, S, S) for number in range(1, 12)]
    assert habit_of(samples_of([*visits, visit(12, 20 * S, S)], NS), REFERENCE).long == ()
    (only,) = habit_of(samples_of([*visits, visit(12, 20 * S + 1, S)], NS), REFERENCE).long
    assert only.sample.ordinal == 12


def test_too_few_figures_are_no_habit() -> None:
    visits = [visit(number, S, S) for number in range(1, ENOUGH - 1)]
    habit = habit_of(samples_of([*visits, visit(ENOUGH - 1, 90 * S, S)], NS), REFERENCE)
    assert not habit.thinking.enough
    assert habit.long == ()


def test_unknown_and_interrupted_enter_nothing_and_are_counted() -> None:
    visits = [visit(1, 5 * S, S), visit(2, None, S), visit(3, 500 * S, S, interrupted=True)]
    habit = habit_of(samples_of(visits, NS), REFERENCE)
    assert (habit.thinking.count, habit.thinking.unknown, habit.interrupted) == (1, 1, 1)
    assert habit.thinking.longest == 5 * S


def test_a_hold_is_his_pairs_who_pushed_and_nobodys_where_nobody_knows() -> None:
    visits = [
        visit(1, S, S, hold=9 * S),
        visit(2, S, S, hold=7 * S, mover=Seat.E),
        visit(3, S, S, mover=None),
    ]
    assert habit_of(samples_of(visits, NS), REFERENCE).holds.longest == 9 * S
    assert habit_of(samples_of(visits, EW), REFERENCE).holds.longest == 7 * S
    assert habit_of(samples_of(visits, NS), REFERENCE).holds.count == 1


def test_24_4_the_time_on_each_face_stands_side_by_side() -> None:
    visits = [visit(1, 10 * S, S), visit(2, 2 * S, S, side=SW), visit(3, 12 * S, S)]
    faces = dict(habit_of(samples_of(visits, NS), REFERENCE).faces)
    assert (faces[NE].median, faces[SW].median) == (11 * S, 2 * S)
    assert (faces[NE].count, faces[SW].count) == (2, 1)


@given(st.lists(st.one_of(st.none(), st.integers(0, 10**12)), max_size=40))
def test_a_spread_is_that_of_what_is_known(figures: list[int | None]) -> None:
    known = [figure for figure in figures if figure is not None]
    spread = spread_of(figures)
    assert (spread.count, spread.unknown) == (len(known), len(figures) - len(known))
    if known:
        assert spread.median == pytest.approx(statistics.median(known), abs=1)
        assert min(known) <= spread.lower <= spread.median <= spread.upper <= spread.longest == max(known)


def test_an_evening_of_known_paces() -> None:
    """Twelve boards: the slower pair's habit is the slower one, and the one long think is found."""
    slow, quick = Style(call=9.0, spread=0.2), replace(STYLES["fast"], spread=0.2)
    played = evening(games()[:12], seed=3, pairs={NS: slow, EW: quick})
    habits = {pair: habit_of(samples_of(played.stage.visits, pair), REFERENCE) for pair in (NS, EW)}
    assert habits[NS].thinking.enough
    assert habits[NS].thinking.median > 3 * habits[EW].thinking.median
    visits = [*played.stage.visits]
    at = next(n for n, one in enumerate(visits) if any(s.seat is Seat.E and s.thinking for s in one.shares))
    shares = tuple(
        replace(share, thinking=45 * S) if share.seat is Seat.E else share for share in visits[at].shares
    )
    visits[at] = replace(visits[at], shares=shares)
    (found,) = habit_of(samples_of(visits, EW), REFERENCE).long
    assert (found.sample.seat, found.sample.thinking) == (Seat.E, 45 * S)
