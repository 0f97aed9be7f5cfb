"""A board's time as it went by: stretches that touch, each somebody's or nobody's.

Kept as stretches until the board is over, because what comes later can say what an earlier stretch was: the
mover of a tray is known when it leaves, and a change read off a level may have happened any time before.
Milliseconds throughout, cut from nanoseconds at the boundaries, so that the parts sum exactly. Must never
lose or double a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from table_controller.laws.seat import Partnership, Seat
from table_controller.screen.entry import Certainty, Mover
from table_controller.screen.times import TimeColumns

NS_PER_MS = 1_000_000


class Share(StrEnum):
    """Whose, or what, a stretch of time is. `HOLD` waits for the tray to leave, which tells its mover."""

    OWN = "own"
    HOLD = "hold"
    HOLD_NS = "hold_ns"
    HOLD_EW = "hold_ew"
    HOLD_UNKNOWN = "hold_unknown"
    TRANSIT = "transit"
    QUESTIONS = "questions"
    DIRECTOR = "director"
    HELD = "held"
    FAULTS = "faults"
    COMMON = "common"
    PROCEDURE = "procedure"
    UNKNOWN = "unknown"


SURE = frozenset({Share.DIRECTOR, Share.HELD, Share.FAULTS})
"""Known from orders and faults, not from sensors: a doubt about when a sensor changed does not touch them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose the present is. `seat` with OWN alone."""

    share: Share
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """From `start` to `end`, ms. `presumed`: a hold whose mover is only presumed."""

    start: int
    end: int
    owner: Owner
    presumed: bool = False


Segments = tuple[Segment, ...]


def extended(segments: Segments, start: int, end: int, owner: Owner) -> Segments:
    """With the time from `start` to `end` added at the end."""
    if end <= start:
        return segments
    if segments and segments[-1].owner == owner and not segments[-1].presumed:
        return (*segments[:-1], replace(segments[-1], end=end))
    return (*segments, Segment(start=start, end=end, owner=owner))


def blurred(segments: Segments, since: int) -> Segments:
    """With everything after `since` unknown that rests on what the sensors showed."""
    unknown = Owner(share=Share.UNKNOWN)
    found: list[Segment] = []
    for one in segments:
        if one.end <= since or one.owner.share in SURE:
            found.append(one)
        elif one.start >= since:
            found.append(Segment(start=one.start, end=one.end, owner=unknown))
        else:
            found.append(replace(one, end=since))
            found.append(Segment(start=since, end=one.end, owner=unknown))
    return tuple(found)


def cut(segments: Segments, end: int) -> Segments:
    """Without what lies after `end`."""
    return tuple(replace(one, end=min(one.end, end)) for one in segments if one.start < end)


def moved(segments: Segments, mover: Mover) -> Segments:
    """The tray has left: the hold before it was its mover's."""
    if mover.seat is None:
        share = Share.HOLD_UNKNOWN
    else:
        share = Share.HOLD_NS if mover.seat.partnership is Partnership.NS else Share.HOLD_EW
    presumed = mover.certainty is Certainty.PRESUMED
    return tuple(
        replace(one, owner=Owner(share=share), presumed=presumed) if one.owner.share is Share.HOLD else one
        for one in segments
    )


def columns_of(segments: Iterable[Segment]) -> TimeColumns:
    """The sums. A hold whose tray never left is nobody's known."""
    sums = dict.fromkeys(Share, 0)
    own = dict.fromkeys(Partnership, 0)
    for one in segments:
        if one.owner.seat is not None:
            own[one.owner.seat.partnership] += one.end - one.start
        else:
            sums[one.owner.share] += one.end - one.start
    return TimeColumns(
        ns=own[Partnership.NS],
        ew=own[Partnership.EW],
        hold_ns=sums[Share.HOLD_NS],
        hold_ew=sums[Share.HOLD_EW],
        hold_unknown=sums[Share.HOLD_UNKNOWN] + sums[Share.HOLD],
        transit=sums[Share.TRANSIT],
        questions=sums[Share.QUESTIONS],
        director=sums[Share.DIRECTOR],
        held=sums[Share.HELD],
        faults=sums[Share.FAULTS],
        common=sums[Share.COMMON],
        procedure=sums[Share.PROCEDURE],
        unknown=sums[Share.UNKNOWN] + sums[Share.OWN],
    )


def seats_of(segments: Iterable[Segment]) -> tuple[tuple[Seat, int], ...]:
    """Own time by seat, for those that had any."""
    sums = dict.fromkeys(Seat, 0)
    for one in segments:
        if one.owner.seat is not None:
            sums[one.owner.seat] += one.end - one.start
    return tuple((seat, ms) for seat, ms in sums.items() if ms)


def presumed_of(segments: Iterable[Segment]) -> int:
    return sum(one.end - one.start for one in segments if one.presumed)
