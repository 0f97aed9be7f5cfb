"""Debouncing of one input from its edges, for rigs that have no device to do it.

Pure: levels and host nanoseconds in, settled changes out; the same rules as the firmware's sampler, which a
test compares. It must never lose an edge from its counts, nor tell a change later than its debounce time.

An edge unsettles the input; it settles when no edge came for its debounce time. Settled at the other level:
one change, stamped with the first edge (with the last, where it bounced longer than the debounce time).
Settled where it was: a glitch. Unsettled for a second, or for more than one second of two, or changing faster
than any person can: suspect, until quiet for two.
"""

from __future__ import annotations

from dataclasses import dataclass

MS = 1_000_000
UNSETTLED_NS = 1000 * MS
QUIET_NS = 2000 * MS
WINDOW_NS = 2000 * MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The input changed at `at`, not before `not_before`; `inferred` when no edge told it."""

    at: int
    level: bool
    inferred: bool = False
    not_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Glitched:
    """A spike that came to nothing."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubted:
    """The input does not settle."""

    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """The input is quiet again, at this level since `at`."""

    at: int
    level: bool


Outcome = Settled | Glitched | Doubted | Cleared


class Debouncer:
    """One input. `on_ns`, `off_ns`: how long active, inactive must last. `level` is where it begins."""

    def __init__(self, *, on_ns: int, off_ns: int, level: bool) -> None:
        self.level = level
        self.raw = level
        self.edges = 0
        self.glitches = 0
        self.suspect = False
        self._need = {True: on_ns, False: off_ns}
        self._most = 500 * MS // max(MS, min(on_ns, off_ns))
        self._unsettled = False
        self._first = 0
        self._changed = 0
        self._inferred_since: int | None = None
        self._window = 0
        self._changes = 0
        self._busy = 0

    def edge(self, raw: bool, at: int, *, not_before: int | None = None) -> list[Outcome]:
        """The wire is at `raw` since `at`; `not_before` when comparing levels says so and no edge did."""
        out = self.poll(at - 1)
        if raw == self.raw:
            return out
        self.raw = raw
        self.edges += 1
        self._changed = at
        if not self._unsettled:
            self._unsettled = True
            self._first = at
            self._inferred_since = not_before
        return out + self.poll(at)

    def poll(self, now: int) -> list[Outcome]:
        """What has become sure by `now`."""
        if not self._unsettled:
            return []
        quiet = now - self._changed
        if self.suspect:
            return self._clear(now) if quiet >= QUIET_NS else []
        if quiet >= self._need[self.raw]:
            return self._settle(now)
        if now - self._first >= UNSETTLED_NS:
            return self._doubt(now)
        return []

    def restart(self, level: bool) -> None:
        """Begin anew at this level; the counts go on."""
        self.level = self.raw = level
        self.suspect = self._unsettled = False
        self._changes = self._busy = 0

    def deadline(self) -> int | None:
        """When `poll` could next say something; None: not before another edge."""
        if not self._unsettled:
            return None
        if self.suspect:
            return self._changed + QUIET_NS
        return min(self._changed + self._need[self.raw], self._first + UNSETTLED_NS)

    def _settle(self, now: int) -> list[Outcome]:
        changed = self.raw != self.level
        if now - self._window >= WINDOW_NS:
            self._open_window(now)
        self._busy += self._changed - self._first
        self._changes += changed
        if self._busy > UNSETTLED_NS or self._changes > self._most:
            return self._doubt(now)
        self._unsettled = False
        if not changed:
            self.glitches += 1
            return [Glitched(at=self._first)]
        self.level = self.raw
        bounced = self._changed - self._first > self._need[self.raw]
        return [
            Settled(
                at=self._changed if bounced else self._first,
                level=self.raw,
                inferred=self._inferred_since is not None,
                not_before=self._inferred_since,
            )
        ]

    def _open_window(self, now: int) -> None:
        self._window = now
        self._changes = self._busy = 0

    def _doubt(self, now: int) -> list[Outcome]:
        self.suspect = True
        return [Doubted(at=now)]

    def _clear(self, now: int) -> list[Outcome]:
        self.suspect = self._unsettled = False
        self._open_window(now)
        self.level = self.raw
        return [Cleared(at=self._changed, level=self.raw)]
