"""What is still to happen at a simulated table, in order of time.

Must never look at a clock: whoever owns the agenda says how far time has gone.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

Deed = Callable[[], None]


class Agenda:
    """Deeds with their times; those of one instant happen in the order they were entered."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Deed]] = []
        self._order = count()

    def at(self, when: int, deed: Deed) -> None:
        heapq.heappush(self._heap, (when, next(self._order), deed))

    def due(self) -> int | None:
        """When the next deed happens, or None."""
        return self._heap[0][0] if self._heap else None

    def take(self, until: int) -> tuple[int, Deed] | None:
        """The next deed that happens not later than `until`, with its time; None when there is none."""
        if not self._heap or self._heap[0][0] > until:
            return None
        when, _, deed = heapq.heappop(self._heap)
        return when, deed
