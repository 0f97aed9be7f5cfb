"""The boards of a session as bars, each divided into its columns to scale. Pure geometry.

What is unknown is a part of its own, drawn as unknown. For the director alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from director_console.projection.timing import TimeSeen
from table_controller.screen.times import TimeColumns

WIDTH = 900
LEFT = 40
ROW = 24
TOP = 22
MINUTE_MS = 60_000
LEAST_MS = 5 * MINUTE_MS
KINDS = ("ns", "ew", "common", "hold", "transit", "questions", "director", "faults", "procedure", "unknown")
"""In the order drawn; `hold` is all three holds, `faults` holds after an irregularity too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    kind: str
    length: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One board; `lengths` of all kinds, ms, by `KINDS`."""

    seen: TimeSeen
    y: int
    parts: tuple[Part, ...]
    lengths: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsChart:
    bars: tuple[Bar, ...]
    width: int
    height: int
    ticks: tuple[tuple[int, float], ...]
    """Minutes and their x."""


def lengths_of(columns: TimeColumns) -> tuple[tuple[str, int], ...]:
    """The columns as they are drawn; they sum to the board's time like the columns do."""
    return (
        ("ns", columns.ns),
        ("ew", columns.ew),
        ("common", columns.common),
        ("hold", columns.hold_ns + columns.hold_ew + columns.hold_unknown),
        ("transit", columns.transit),
        ("questions", columns.questions),
        ("director", columns.director),
        ("faults", columns.held + columns.faults),
        ("procedure", columns.procedure),
        ("unknown", columns.unknown),
    )


def chart_of_boards(boards: Sequence[TimeSeen]) -> BoardsChart:
    longest = max((seen.time.columns.total for seen in boards), default=0)
    scale_to = max(longest, LEAST_MS)
    per_ms = (WIDTH - LEFT - 10) / scale_to
    step = next(step for step in (1, 2, 5, 10, 30, 60, 10**6) if scale_to / (step * MINUTE_MS) <= 12)
    ticks = tuple(
        (minute, LEFT + minute * MINUTE_MS * per_ms) for minute in range(0, scale_to // MINUTE_MS + 1, step)
    )
    return BoardsChart(
        bars=tuple(_bar(seen, index, per_ms) for index, seen in enumerate(boards)),
        width=WIDTH,
        height=TOP + ROW * len(boards) + 6,
        ticks=ticks,
    )


def _bar(seen: TimeSeen, index: int, per_ms: float) -> Bar:
    x, parts, lengths = float(LEFT), [], lengths_of(seen.time.columns)
    for kind, length in lengths:
        if length:
            parts.append(Part(kind=kind, length=length, x=x, width=length * per_ms))
            x += length * per_ms
    return Bar(seen=seen, y=TOP + ROW * index, parts=tuple(parts), lengths=lengths)
