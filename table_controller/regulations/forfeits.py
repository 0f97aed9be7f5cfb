"""Forfeited matches and sessions: what the side that was there gets, and when a team is out.

Indications like `clock`'s. Averages and scores are Decimals as the scorer gives them; nothing is rounded,
since the article names no rounding. Must never know a figure that is not in the regulations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from table_controller.regulations.time_tables import ForfeitTable, UnplayedBoards


class Candidate(StrEnum):
    """The three figures of which the side that was there gets the best."""

    OWN_AVERAGE = "own_average"
    OPPOSITE_OF_FORFEITER = "opposite_of_forfeiter"
    DRAWN_MATCH = "drawn_match"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit:
    """VP of a forfeited match. `candidates` shows every figure that was compared."""

    forfeiter: Decimal
    other: Decimal
    candidates: tuple[tuple[Candidate, Decimal], ...]


def round_robin(
    table: ForfeitTable,
    *,
    top: Decimal,
    drawn: Decimal,
    own_average: Decimal | None = None,
    forfeiters_average: Decimal | None = None,
) -> Forfeit:
    """A round-robin match by VP, on a scale with this `top` and this score for a `drawn` match.

    Averages are so far in the stage; None before a first match, and then that figure is not compared.
    """
    candidates: list[tuple[Candidate, Decimal]] = []
    if own_average is not None:
        candidates.append((Candidate.OWN_AVERAGE, own_average))
    if forfeiters_average is not None and top == table.opposite_on_top:
        opposite = min(table.opposite_of - forfeiters_average, table.opposite_on_top)
        candidates.append((Candidate.OPPOSITE_OF_FORFEITER, opposite))
    candidates.append((Candidate.DRAWN_MATCH, table.drawn_times * drawn))
    return _best(candidates)


def swiss(table: ForfeitTable, *, drawn: Decimal) -> Forfeit:
    """A match of a Swiss by VP."""
    return _best([(Candidate.DRAWN_MATCH, table.drawn_times * drawn)])


def _best(candidates: Sequence[tuple[Candidate, Decimal]]) -> Forfeit:
    best = max(value for _, value in candidates)
    return Forfeit(forfeiter=Decimal(0), other=best, candidates=tuple(candidates))


def board_a_match(table: ForfeitTable, boards: int, *, win_counts_one: bool) -> Decimal:
    """Points of the side that was there: per board, by whether a won board counts two or one (1, 0.5, 0)."""
    return boards * (table.board_a_match_small if win_counts_one else table.board_a_match)


def pairs(table: ForfeitTable, *, imps: bool) -> UnplayedBoards:
    """What each board of a forfeited round counts."""
    return table.pairs_imp if imps else table.pairs_matchpoints


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStanding:
    """Whether forfeits put a team out, and whether its results go with it."""

    out: bool
    results_cancelled: bool


def team_standing(
    table: ForfeitTable, forfeited: Sequence[bool], *, stage_matches: int, is_swiss: bool
) -> TeamStanding:
    """`forfeited`: the team's matches of the stage in order, true where it forfeited.

    Played are those it did not forfeit.
    """
    running = longest = 0
    for match in forfeited:
        running = running + 1 if match else 0
        longest = max(longest, running)
    out = longest >= table.out_after_running or sum(forfeited) >= table.out_after_in_all
    played = sum(not match for match in forfeited)
    under = Decimal(played) < table.results_kept_from * stage_matches
    return TeamStanding(out=out, results_cancelled=out and under and not is_swiss)
