"""Deeds at their times, on the real clock, in one thread: what faults need that last a while.

The virtual link has the same `after`; a fault cannot tell which of the two it runs on.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

After = Callable[[float, Callable[[], None]], None]


@dataclass(order=True, slots=True)
class _Planned:
    at: float
    order: int
    deed: Callable[[], None] = field(compare=False)


class Timeline:
    """`after(ms, deed)` from any thread; deeds run one after another."""

    def __init__(self) -> None:
        self._heap: list[_Planned] = []
        self._order = 0
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None
        self.errors: list[Exception] = []

    def start(self) -> Timeline:
        """Begin; returns itself."""
        self._thread = threading.Thread(target=self._run, name="timeline", daemon=True)
        self._thread.start()
        return self

    def after(self, ms: float, deed: Callable[[], None]) -> None:
        """Do it so many milliseconds from now."""
        with self._changed:
            self._order += 1
            heapq.heappush(self._heap, _Planned(monotonic() + ms / 1000, self._order, deed))
            self._changed.notify()

    def close(self) -> None:
        """Forget what is still to come."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(5)

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closing and (not self._heap or self._heap[0].at > monotonic()):
                    wait = self._heap[0].at - monotonic() if self._heap else None
                    self._changed.wait(wait)
                if self._closing:
                    return
                planned = heapq.heappop(self._heap)
            try:
                planned.deed()
            except Exception as error:
                self.errors.append(error)
