"""What every event has in common, and the words several events share.

A room of its own only so that `events` and `orders` can both stand on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.call import Call
from table_controller.laws.seat import Seat


class WindowState(StrEnum):
    CLOSED = "closed"
    BETWEEN = "between"
    """Neither limit switch: on its way, or left part-way."""
    OPEN = "open"
    UNKNOWN = "unknown"


class WindowOrder(StrEnum):
    OPEN = "open"
    CLOSE = "close"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventBase:
    """`at`: monotonic ns, never decreasing from event to event. `uncertainty`: ns, the most it may be off.

    `inferred`: not seen as an edge but read off a level later; it happened between `not_before` and `at`.
    """

    at: int
    uncertainty: int = 0
    inferred: bool = False
    not_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One player's bidding cards as a dock's reader sees them: how many, and the top one (None: empty)."""

    seat: Seat
    count: int
    top: Call | None
