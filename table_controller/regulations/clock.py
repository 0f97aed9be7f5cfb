"""Lateness, slow play and forfeits: what the authority's tables say of one case.

Indications, for the director to take or leave: he decides and he splits. Where the text can be read in two
ways both readings are given. Time is an argument: integer nanoseconds over the start, or over the time
allowed. Must never know a figure that is not in the regulations, and never choose between two readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import assert_never

from table_controller.laws.seat import Partnership
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import Provision
from table_controller.regulations.time_tables import (
    Contest,
    Deduct,
    DeductPerMinute,
    Deed,
    MayDropBoards,
    Row,
    SlowShares,
    Step,
    TimeTable,
    UnplayedBoards,
    Warn,
)

NS_PER_MIN = 60_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """The first time: a warning and no more."""


Outcome = Deduct | Warned | MayDropBoards | UnplayedBoards | Deed


@dataclass(frozen=True, slots=True, kw_only=True)
class Indication:
    """What the table says of one case. `readings` has one list of outcomes, or two where the text allows two.

    `row` counts from 1. `source` is the provision the table stands in.
    """

    contest: Contest
    row: int
    up_to_min: int | None
    readings: tuple[tuple[Outcome, ...], ...]
    source: Provision[TimeTable]


class ShareBasis(StrEnum):
    """Why a slow-play total is divided so."""

    HALF_EACH = "half_each"
    OBSERVED = "observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A total divided between the partnerships. `by_rule`: this is what the article says for the case;
    else it stands beside, for the director to see, or is the second way to read the article.
    """

    basis: ShareBasis
    ns: Decimal
    ew: Decimal
    by_rule: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowIndication:
    """The total for both sides, and for each reading with an amount the ways it may be borne."""

    total: Indication
    shares: tuple[tuple[Shares, ...], ...]
    source: Provision[SlowShares]


def late(regs: Regulations, contest: Contest, over_ns: int, earlier: int = 0) -> Indication | None:
    """What a table `over_ns` late falls under; `earlier` is how often it was warned before.

    None if it is in time or the authority has no table for this contest.
    """
    return _read(regs.clock.late, contest, over_ns, earlier)


def slow(
    regs: Regulations,
    contest: Contest,
    over_ns: int,
    earlier: int = 0,
    *,
    responsible: Partnership | None = None,
    observed: tuple[int, int] | None = None,
) -> SlowIndication | None:
    """What a table `over_ns` over its time falls under, for both sides together.

    `responsible` is the one partnership the director finds responsible, None for both. `observed` is how long
    NS and EW have each been over their own allowance (`overuse`), None if the table does not know. None as
    for `late`.
    """
    total = _read(regs.clock.slow, contest, over_ns, earlier)
    if total is None:
        return None
    rule = regs.clock.slow_shares
    shares = tuple(
        _shares(rule.value, contest, _amount(outcomes), responsible, observed) for outcomes in total.readings
    )
    return SlowIndication(total=total, shares=shares, source=rule)


def overuse(used_ns: int, boards: int, per_board_ns: int) -> int:
    """How long a partnership was over its allowance for the boards actually played; zero if it was not."""
    return max(0, used_ns - boards * per_board_ns)


def _read(source: Provision[TimeTable], contest: Contest, over_ns: int, earlier: int) -> Indication | None:
    rows = source.value.rows(contest)
    if over_ns <= 0 or not rows:
        return None
    index = next(i for i, row in enumerate(rows) if _reaches(row, over_ns))
    row = rows[index]
    readings = [row.steps] if row.second_reading is None else [row.steps, row.second_reading]
    return Indication(
        contest=contest,
        row=index + 1,
        up_to_min=row.up_to_min,
        readings=tuple(_outcomes(steps, rows[index + 1 :], over_ns, earlier) for steps in readings),
        source=source,
    )


def _reaches(row: Row, over_ns: int) -> bool:
    """An interval takes its upper bound: five minutes and no more are still in "to 5"."""
    return row.up_to_min is None or over_ns <= row.up_to_min * NS_PER_MIN


def _outcomes(steps: Sequence[Step], below: Sequence[Row], over_ns: int, earlier: int) -> tuple[Outcome, ...]:
    found: list[Outcome] = []
    for step in steps:
        match step:
            case Warn(again=again):
                found.extend(_warned(again, below, over_ns, earlier))
            case DeductPerMinute():
                found.append(_per_minute(step, over_ns))
            case Deduct() | MayDropBoards() | UnplayedBoards() | Deed():
                found.append(step)
            case _:
                assert_never(step)
    return tuple(_summed(found))


def _warned(again: Deduct | None, below: Sequence[Row], over_ns: int, earlier: int) -> tuple[Outcome, ...]:
    if earlier == 0:
        return (Warned(),)
    if again is not None:
        return (again,)
    return _outcomes(below[0].steps, below[1:], over_ns, earlier)


def _per_minute(step: DeductPerMinute, over_ns: int) -> Deduct:
    begun = max(0, -(-(over_ns - step.above_min * NS_PER_MIN) // NS_PER_MIN))
    return Deduct(amount=step.amount * begun, unit=step.unit)


def _summed(found: Sequence[Outcome]) -> list[Outcome]:
    """Deductions of one unit become one; nothing else changes its place."""
    totals: dict[str, Decimal] = {}
    for outcome in found:
        if isinstance(outcome, Deduct):
            totals[outcome.unit] = totals.get(outcome.unit, Decimal(0)) + outcome.amount
    summed: list[Outcome] = []
    for outcome in found:
        if not isinstance(outcome, Deduct):
            summed.append(outcome)
        elif outcome.unit in totals:
            summed.append(Deduct(amount=totals.pop(outcome.unit), unit=outcome.unit))
    return summed


def _amount(outcomes: Sequence[Outcome]) -> Decimal | None:
    return next((outcome.amount for outcome in outcomes if isinstance(outcome, Deduct)), None)


def _shares(
    rule: SlowShares,
    contest: Contest,
    total: Decimal | None,
    responsible: Partnership | None,
    observed: tuple[int, int] | None,
) -> tuple[Shares, ...]:
    """27.1: "in matches by VP, if both are responsible each bears half; otherwise by what was observed".

    *Otherwise* may mean "where only one is responsible" or also "in other contests"; outside matches by VP,
    with both responsible, neither way is marked as the rule and both are given.
    """
    if total is None or rule is SlowShares.NOT_STATED:
        return ()
    by_half = responsible is None and contest is Contest.TEAMS_VP
    by_observation = responsible is not None
    found: list[Shares] = []
    if responsible is None:
        half = total / 2
        found.append(Shares(basis=ShareBasis.HALF_EACH, ns=half, ew=half, by_rule=by_half))
    seen = _observed(responsible, observed)
    if seen is not None:
        ns, ew = seen
        part = total * ns / (ns + ew)
        found.append(Shares(basis=ShareBasis.OBSERVED, ns=part, ew=total - part, by_rule=by_observation))
    return tuple(found)


def _observed(responsible: Partnership | None, observed: tuple[int, int] | None) -> tuple[int, int] | None:
    """Weights for NS and EW. What the director found stands above what the clocks show."""
    match responsible:
        case Partnership.NS:
            return 1, 0
        case Partnership.EW:
            return 0, 1
        case None:
            return observed if observed is not None and sum(observed) > 0 else None
