"""A pair's evening as a chart: every thinking in the order played, against that pair's own habit.

Pure geometry. Heights go by the square root, so that one long thinking does not flatten the others; the ticks
say what they mean. What is unknown is left out and counted beside the chart. For the director alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.clock.habits import Habit, Sample
from table_controller.laws.seat import ScreenSide

WIDTH = 900
HEIGHT = 210
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 14, 24
NS = 1_000_000_000
TICKS = (5, 10, 20, 40, 60, 120, 180, 300, 600, 1200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thinking. `hold_y`: how far up the hold after it goes, None where the pair did not push."""

    sample: Sample
    x: float
    y: float
    hold_y: float | None
    face_ne: bool
    stands_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMark:
    """Where a board begins on the axis."""

    text: str
    x: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningChart:
    points: tuple[Point, ...]
    boards: tuple[BoardMark, ...]
    ticks: tuple[tuple[int, float], ...]
    base: float
    median_y: float
    band: tuple[float, float]
    """The middle half, from its lower edge to its upper."""
    reference_y: float
    width: int = WIDTH
    height: int = HEIGHT


def chart_of_evening(habit: Habit, reference: int) -> EveningChart | None:
    """`reference` in ns. None where no thinking is known."""
    known = [s for s in habit.samples if s.thinking is not None and not s.interrupted]
    if not known:
        return None
    top = max(habit.thinking.longest, reference * 3 // 2)
    step = (WIDTH - LEFT - RIGHT) / len(known)
    out = {id(long.sample) for long in habit.long}

    def height(length: int) -> float:
        return HEIGHT - BOTTOM - math.sqrt(min(length, top) / top) * (HEIGHT - TOP - BOTTOM)

    points = tuple(
        Point(
            sample=sample,
            x=LEFT + (number + 0.5) * step,
            y=height(sample.thinking or 0),
            hold_y=None if sample.hold is None else height(sample.hold),
            face_ne=sample.face is ScreenSide.NE,
            stands_out=id(sample) in out,
        )
        for number, sample in enumerate(known)
    )
    return EveningChart(
        points=points,
        boards=_boards(points),
        ticks=tuple((second, height(second * NS)) for second in TICKS if second * NS <= top),
        base=height(0),
        median_y=height(habit.thinking.median),
        band=(height(habit.thinking.lower), height(habit.thinking.upper)),
        reference_y=height(reference),
    )


def _boards(points: Sequence[Point]) -> tuple[BoardMark, ...]:
    """A mark where the board changes; the table too where it changes. None nearer than can be read."""
    found: list[BoardMark] = []
    before: tuple[str, int | None] | None = None
    for point in points:
        here = point.sample.where, point.sample.board
        if here != before and (not found or point.x - found[-1].x >= 22):
            found.append(BoardMark(text=f"{point.sample.board or '?'}", x=point.x))
        before = here
    return tuple(found)
