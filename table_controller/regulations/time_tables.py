"""What an authority says of late and slow tables and of forfeits, as typed rows.

The rows come from `profiles/*.toml`; `clock` reads them off for one case. An amount is a Decimal, so that
half of 1.5 VP is 0.75 VP and nothing else. Must never hold an authority's figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Contest(StrEnum):
    """The form of a contest, as the tables divide them. Individuals follow the tables for pairs."""

    TEAMS_VP = "teams_vp"
    TEAMS_KNOCKOUT = "teams_knockout"
    PAIRS_MATCHPOINTS = "pairs_matchpoints"
    PAIRS_IMP = "pairs_imp"


class Unit(StrEnum):
    VP = "vp"
    IMP = "imp"
    PERCENT_OF_TOP = "percent_of_top"


class BoardScore(StrEnum):
    """What a side gets at matchpoints for a board that is not played."""

    ZERO = "zero"
    AVERAGE_PLUS = "average_plus"
    AVERAGE_MINUS = "average_minus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imps:
    """The same at IMPs."""

    amount: Decimal


Score = BoardScore | Imps


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduct:
    amount: Decimal
    unit: Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class DeductPerMinute:
    """An amount for each minute begun above `above_min` minutes."""

    amount: Decimal
    unit: Unit
    above_min: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """A warning the first time. The next time `again`, or what the next row says where `again` is None."""

    again: Deduct | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MayDropBoards:
    """The director may drop some boards: `least` to `most` of them, scored so."""

    least: int
    most: int
    offender: Score
    other: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplayedBoards:
    """Boards not played are scored so."""

    offender: Score
    other: Score


class Deed(StrEnum):
    """What needs no figure."""

    MAY_FORFEIT_TWO_BOARD_ROUND = "may_forfeit_two_board_round"
    FORFEIT_SESSION = "forfeit_session"
    COMMITTEE = "committee"
    STOP_PLAY = "stop_play"
    UNPLAYED_CANCELLED_OR_APPEAL = "unplayed_cancelled_or_appeal"


Step = Deduct | DeductPerMinute | Warn | MayDropBoards | UnplayedBoards | Deed


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Over the row before, up to and including `up_to_min` minutes; None: whatever is more.

    `second_reading` is filled where the text can be read in two ways.
    """

    up_to_min: int | None
    steps: tuple[Step, ...]
    second_reading: tuple[Step, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeTable:
    """Rows by contest; empty where the authority has no such table."""

    by_contest: tuple[tuple[Contest, tuple[Row, ...]], ...] = ()

    def rows(self, contest: Contest) -> tuple[Row, ...]:
        return dict(self.by_contest).get(contest, ())


class SlowShares(StrEnum):
    """How a slow-play total is borne by the two sides."""

    HALF_IF_BOTH_ELSE_OBSERVED = "half_if_both_else_observed"
    NOT_STATED = "not_stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitTable:
    """What a forfeited match or session is worth to the side that was there.

    Round robin by VP: the best of its own average, `opposite_of` less the forfeiter's average (only on the
    scale whose top is `opposite_on_top`, at most that top) and `drawn_times` a drawn match. Swiss: the last
    alone.
    A board-a-match board counts `board_a_match`, or `board_a_match_small` where a win counts one.
    """

    drawn_times: Decimal
    opposite_of: Decimal
    opposite_on_top: Decimal
    board_a_match: Decimal
    board_a_match_small: Decimal
    pairs_matchpoints: UnplayedBoards
    pairs_imp: UnplayedBoards
    out_after_running: int
    out_after_in_all: int
    results_kept_from: Decimal
    """Share of the stage's matches from which a withdrawn team's results stay."""
