"""The order in which events leave: that in which they happened.

Signals with different debounce tell the same instant at different times, and some things are held back until
they are sure. An event waits here until nothing earlier can still come. Bounded: nothing waits longer than
the longest settling. Must never drop an event, nor let time go back.
"""

from __future__ import annotations

import heapq
from dataclasses import replace

from table_controller.screen.events import Event


class Gate:
    """`order_ns`: by how much a later-told event may have happened earlier."""

    def __init__(self, order_ns: int) -> None:
        self._order_ns = order_ns
        self._heap: list[tuple[int, int, Event]] = []
        self._count = 0
        self._last = 0

    def put(self, event: Event) -> None:
        self._count += 1
        heapq.heappush(self._heap, (event.at, self._count, event))

    def started(self, at: int) -> None:
        """Nothing leaves with an earlier time than this."""
        self._last = max(self._last, at)

    def take(self, now: int, pending_since: int | None) -> list[Event]:
        """What may leave now, in order. Too late takes the time of the last, and says so."""
        until = now - self._order_ns
        if pending_since is not None:
            until = min(until, pending_since)
        taken: list[Event] = []
        while self._heap and self._heap[0][0] <= until:
            event = heapq.heappop(self._heap)[2]
            if event.at < self._last:
                late = self._last - event.at
                event = replace(event, at=self._last, uncertainty=max(event.uncertainty, late))
            self._last = event.at
            taken.append(event)
        return taken

    def deadline(self, pending_since: int | None) -> int | None:
        """When the next one may leave, if nothing is pending before it."""
        if not self._heap or (pending_since is not None and self._heap[0][0] > pending_since):
            return None
        return self._heap[0][0] + self._order_ns
