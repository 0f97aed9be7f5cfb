"""The tray's visits as a chart: each split into two thinkings, hold and transit, against the reference line.

Pure geometry. What is unknown is left out and marked, never drawn as zero. For the director alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.screen.entry import Visit

WIDTH = 640
ROW = 26
BAR = 16
LEFT = 96
NS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a bar. `what`: first, second, hold or transit; `length`: ns; `x`, `width`: in the
    drawing.
    """

    what: str
    seat: str
    length: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One visit. `total`: ns from arrival to departure, None where either is unknown."""

    visit: Visit
    y: int
    parts: tuple[Part, ...]
    total: int | None
    complete: bool
    """False: a part of it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """`reference_x`: where the line is; `ticks`: seconds and their x."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    reference: int
    reference_x: float
    ticks: tuple[tuple[int, float], ...]


def chart_of(visits: Sequence[Visit], reference: int) -> Chart:
    """`reference` in ns, as the profile in force has it."""
    longest = max((sum(length for _, _, length in _parts(visit)) for visit in visits), default=0)
    scale_to = max(longest, reference * 3 // 2, 10 * NS)
    per_ns = (WIDTH - LEFT - 24) / scale_to
    bars = tuple(_bar(visit, index, per_ns) for index, visit in enumerate(visits))
    step = next(step for step in (5, 10, 20, 30, 60, 120, 300, 600, 10**9) if scale_to / (step * NS) <= 8)
    ticks = tuple((second, LEFT + second * NS * per_ns) for second in range(0, scale_to // NS + 1, step))
    return Chart(
        bars=bars,
        width=WIDTH,
        height=ROW * len(bars) + 30,
        reference=reference,
        reference_x=LEFT + reference * per_ns,
        ticks=ticks,
    )


def _parts(visit: Visit) -> list[tuple[str, str, int]]:
    found: list[tuple[str, str, int]] = []
    for name, share in zip(("first", "second"), visit.shares[:2], strict=False):
        if share.thinking is not None:
            found.append((name, share.seat.value, share.thinking))
    for name, length in (("hold", visit.hold), ("transit", visit.transit)):
        if length is not None:
            found.append((name, "", length))
    return found


def _bar(visit: Visit, index: int, per_ns: float) -> Bar:
    x = float(LEFT)
    parts: list[Part] = []
    for what, seat, length in _parts(visit):
        width = max(0.0, length * per_ns)
        parts.append(Part(what=what, seat=seat, length=length, x=x, width=width))
        x += width
    known = visit.arrived is not None and visit.left is not None
    complete = known and visit.hold is not None and all(share.thinking is not None for share in visit.shares)
    total = visit.left - visit.arrived if visit.left is not None and visit.arrived is not None else None
    return Bar(visit=visit, y=24 + ROW * index, parts=tuple(parts), total=total, complete=complete)
