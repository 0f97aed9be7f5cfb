"""Tests against the real clock on a machine that has other things to do.

Only what was measured excuses a failure. `Watch` sees the machine stand still; a bound in time is widened by
what it saw, no more. `calmly` runs a deed that can be repeated: when it fails while the machine itself stood
still for longer than the deed can bear, that proves nothing and it is tried again; when it fails in calm, it
fails.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic_ns, sleep

import pytest

MS = 1_000_000
STEP_NS = 1 * MS
A_PAUSE = 20 * MS
"""Less is the usual turn-taking of threads, which is no reason to be late."""


class Watch:
    """The longest time for which this process did not get to run, and all such times together, in ns."""

    def __init__(self) -> None:
        self._worst = 0
        self._paused = 0
        self._seen = monotonic_ns()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._seen = monotonic_ns()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def worst(self) -> int:
        return max(self._worst, self._now())

    @property
    def paused(self) -> int:
        """Of pauses long enough to be called so."""
        return self._paused + _counted(self._now())

    @property
    def paused_s(self) -> float:
        return self.paused / 1e9

    def _now(self) -> int:
        """The pause that has just ended: who asks may wake before the watch does."""
        return self._overdue() if self._thread.is_alive() else 0

    def _overdue(self) -> int:
        return monotonic_ns() - self._seen - STEP_NS

    def _run(self) -> None:
        while not self._stop.is_set():
            sleep(STEP_NS / 1e9)
            pause = self._overdue()
            self._seen += pause + STEP_NS
            self._worst = max(self._worst, pause)
            self._paused += _counted(pause)


def _counted(pause: int) -> int:
    return pause if pause >= A_PAUSE else 0


def calmly(
    deed: Callable[[], None],
    *,
    bears_ms: float = 8.0,
    attempts: int = 15,
    failures: tuple[type[Exception], ...] = (AssertionError,),
) -> None:
    """Do it until it passes, or fails while no pause was longer than it bears."""
    for _ in range(attempts):
        with Watch() as watch:
            try:
                deed()
                return
            except failures as failure:
                seen = failure
        if watch.worst <= bears_ms * MS:
            raise seen
    pytest.skip(f"the machine is too busy to time this: pauses above {bears_ms} ms in {attempts} attempts")
