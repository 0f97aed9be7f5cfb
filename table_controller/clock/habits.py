"""A pair's own habit over an evening: its thinking and its holds, so that a long one can be seen against it.

Evidence, for the director alone, and not more than evidence: a long visit says that time was used, not what
for, and not that anything was told by it. A figure that is unknown is counted as unknown and enters nothing;
an interrupted visit enters nothing. Must never say what a tempo means.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from table_controller.laws.seat import Partnership, ScreenSide, Seat
from table_controller.screen.entry import Certainty, Visit

ENOUGH = 8
"""Fewer figures than this are no habit, and nothing is called long against them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A pair's part of one visit: what its player there thought, and the hold where one of the pair pushed.

    ns; None: unknown, or none of theirs. `where`: the table, where an evening has several. `order`: rises
    with the evening. `hold_presumed`: who pushed rests on who should have, not on who was sensed.
    """

    board: int | None
    ordinal: int
    face: ScreenSide
    seat: Seat
    thinking: int | None
    hold: int | None = None
    hold_presumed: bool = False
    interrupted: bool = False
    where: str = ""
    order: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A distribution, ns: the middle half lies from `lower` to `upper`. `unknown`: figures not known."""

    count: int = 0
    unknown: int = 0
    median: int = 0
    lower: int = 0
    upper: int = 0
    longest: int = 0

    @property
    def enough(self) -> bool:
        return self.count >= ENOUGH

    @property
    def far(self) -> int:
        """Beyond this a figure stands out from the others: one and a half times the middle half above it."""
        return self.upper + (self.upper - self.lower) * 3 // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Long:
    """A thinking that stands out. `times`: how many tenths of the pair's median it is (35: 3.5 times)."""

    sample: Sample
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """One pair's evening. `faces`: its thinking on each face (24.4 wants about equal time there).

    `long`: thinkings beyond the reference that also stand out from this pair's own; none where the pair has
    too few figures for a habit.
    """

    samples: tuple[Sample, ...]
    thinking: Spread
    holds: Spread
    faces: tuple[tuple[ScreenSide, Spread], ...]
    seats: tuple[tuple[Seat, Spread], ...]
    long: tuple[Long, ...]
    interrupted: int


def samples_of(
    visits: Iterable[Visit], partnership: Partnership, *, where: str = "", order: int = 0
) -> tuple[Sample, ...]:
    """This partnership's part of each visit, in their order; numbered from `order` on."""
    found: list[Sample] = []
    for visit in visits:
        mover = visit.mover.seat
        ours = mover is not None and mover.partnership is partnership
        hold = visit.hold if ours else None
        for share in visit.shares:
            if share.seat.partnership is not partnership:
                continue
            found.append(
                Sample(
                    board=visit.board,
                    ordinal=visit.ordinal,
                    face=visit.screen_side,
                    seat=share.seat,
                    thinking=share.thinking,
                    hold=hold,
                    hold_presumed=ours and visit.mover.certainty is not Certainty.KNOWN,
                    interrupted=visit.interrupted,
                    where=where,
                    order=order + len(found),
                )
            )
            hold = None
    return tuple(found)


def habit_of(samples: Sequence[Sample], reference: int) -> Habit:
    """`reference`: the delay (ns) that the profile says is not enough to carry information."""
    counted = [sample for sample in samples if not sample.interrupted]
    thinking = spread_of([sample.thinking for sample in counted])
    faces = tuple(
        (face, spread_of([sample.thinking for sample in counted if sample.face is face]))
        for face in ScreenSide
    )
    seats = tuple(
        (seat, spread_of([sample.thinking for sample in counted if sample.seat is seat]))
        for seat in Seat
        if any(sample.seat is seat for sample in counted)
    )
    return Habit(
        samples=tuple(samples),
        thinking=thinking,
        holds=spread_of([sample.hold for sample in counted if sample.hold is not None]),
        faces=faces,
        seats=seats,
        long=_long(counted, thinking, reference),
        interrupted=len(samples) - len(counted),
    )


def spread_of(figures: Sequence[int | None]) -> Spread:
    """The distribution of what is known of these."""
    known = [figure for figure in figures if figure is not None]
    unknown = len(figures) - len(known)
    if not known:
        return Spread(unknown=unknown)
    if len(known) == 1:
        [only] = known
        return Spread(count=1, unknown=unknown, median=only, lower=only, upper=only, longest=only)
    lower, median, upper = (round(cut) for cut in statistics.quantiles(known, n=4, method="inclusive"))
    return Spread(
        count=len(known),
        unknown=unknown,
        median=median,
        lower=lower,
        upper=upper,
        longest=max(known),
    )


def _long(samples: Sequence[Sample], own: Spread, reference: int) -> tuple[Long, ...]:
    if not own.enough:
        return ()
    least = max(reference, own.far)
    return tuple(
        Long(sample=sample, times=10 * sample.thinking // max(1, own.median))
        for sample in samples
        if sample.thinking is not None and sample.thinking > least
    )
