"""Forfeits (28): what the side that was there gets, and when a team is out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from table_controller.regulations.forfeits import (
    Candidate,
    board_a_match,
    pairs,
    round_robin,
    swiss,
    team_standing,
)
from table_controller.regulations.load import load
from table_controller.regulations.time_tables import BoardScore, ForfeitTable, Imps

FOUND = load("ccba-2006").clock.forfeit.value
assert FOUND is not None
TABLE: ForfeitTable = FOUND
D = Decimal


@pytest.mark.parametrize(
    ("own", "theirs", "best"),
    [
        pytest.param("21", "15", "21", id="own average is best"),
        pytest.param("14", "8", "22", id="30 minus the forfeiter's average is best"),
        pytest.param("14", "2", "25", id="but at most 25"),
        pytest.param("14", "16", "18.0", id="1.2 times a drawn match is best"),
    ],
)
def test_28_round_robin_gives_the_best_of_three(own: str, theirs: str, best: str) -> None:
    found = round_robin(TABLE, top=D(25), drawn=D(15), own_average=D(own), forfeiters_average=D(theirs))
    assert found.forfeiter == 0
    assert found.other == D(best)
    assert len(found.candidates) == 3


def test_28_thirty_minus_is_only_for_the_scale_to_25() -> None:
    found = round_robin(TABLE, top=D(20), drawn=D(10), own_average=D(9), forfeiters_average=D(2))
    assert [name for name, _ in found.candidates] == [Candidate.OWN_AVERAGE, Candidate.DRAWN_MATCH]
    assert found.other == D(12)


def test_28_before_a_first_match_there_is_no_average() -> None:
    assert round_robin(TABLE, top=D(25), drawn=D(15)).other == D(18)


def test_28_swiss_gives_a_drawn_match_and_a_fifth() -> None:
    assert swiss(TABLE, drawn=D(15)).other == D(18)


def test_28_board_a_match() -> None:
    assert board_a_match(TABLE, 8, win_counts_one=False) == 16
    assert board_a_match(TABLE, 8, win_counts_one=True) == 8


def test_28_pairs() -> None:
    matchpoints, imps = pairs(TABLE, imps=False), pairs(TABLE, imps=True)
    assert (matchpoints.offender, matchpoints.other) == (BoardScore.ZERO, BoardScore.AVERAGE_PLUS)
    assert (imps.offender, imps.other) == (Imps(amount=D(-3)), Imps(amount=D(3)))


@pytest.mark.parametrize(
    ("matches", "is_out"),
    [("-F-F-", False), ("-FF", True), ("F-F-F", True), ("F", False), ("", False), ("F-F--", False)],
)
def test_28_two_running_or_three_in_all_put_a_team_out(matches: str, is_out: bool) -> None:
    forfeited = [mark == "F" for mark in matches]
    assert team_standing(TABLE, forfeited, stage_matches=11, is_swiss=False).out is is_out


@pytest.mark.parametrize(
    ("played", "stage", "is_swiss", "cancelled"),
    [(4, 10, False, True), (5, 10, False, False), (5, 11, False, True), (4, 10, True, False)],
)
def test_28_results_go_too_under_half_of_the_matches_except_in_a_swiss(
    played: int, stage: int, is_swiss: bool, cancelled: bool
) -> None:
    forfeited = [False] * played + [True, True]
    found = team_standing(TABLE, forfeited, stage_matches=stage, is_swiss=is_swiss)
    assert found.out
    assert found.results_cancelled is cancelled


def test_28_results_stay_while_a_team_is_not_out() -> None:
    assert not team_standing(TABLE, [True], stage_matches=10, is_swiss=False).results_cancelled
