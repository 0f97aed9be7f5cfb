"""Who is there: heartbeats as the table sends them, and what a listener may believe of wills and snapshots.

The broker keeps wills and retained messages of runs that are over, and may deliver them at any time; so
presence is judged by session, and a snapshot by its age. Pure: time is an argument. Must never let a late
will of an old run hide a table that is there, nor an old snapshot pass for a live one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from table_controller.messages import Presence

NS = 1_000_000_000
HEARTBEAT_NS = 30 * NS
STALE_NS = 45 * NS
ANNOUNCE_SPREAD_NS = 3 * NS
COALESCE_NS = NS // 10
"""Changes that follow each other faster than this become one snapshot."""


class Heartbeat:
    """When a table publishes avail and state. `draw(low, high)` picks a whole number between the two."""

    def __init__(self, draw: Callable[[int, int], int]) -> None:
        self._draw = draw
        self._state_due: int | None = None
        self._avail_due: int | None = None
        self._last = -HEARTBEAT_NS

    def connected(self, now: int) -> None:
        """Both are due at once."""
        self._state_due = self._avail_due = now

    def disconnected(self) -> None:
        self._state_due = self._avail_due = None

    def changed(self, now: int) -> None:
        """The view changed: a snapshot is due, but not sooner than a tenth of a second after the last."""
        due = max(now, self._last + COALESCE_NS)
        if self._state_due is not None:
            self._state_due = min(self._state_due, due)

    def announced(self, now: int) -> None:
        """The console asked everybody: both are due after a random while, so that not all answer at once."""
        if self._state_due is not None:
            due = now + self._draw(0, ANNOUNCE_SPREAD_NS)
            self._state_due = min(self._state_due, due)
            self._avail_due = due if self._avail_due is None else min(self._avail_due, due)

    def deadline(self) -> int | None:
        """When something is due next; None while not connected."""
        due = [time for time in (self._state_due, self._avail_due) if time is not None]
        return min(due, default=None)

    def avail_due(self, now: int) -> bool:
        return self._avail_due is not None and now >= self._avail_due

    def state_due(self, now: int) -> bool:
        return self._state_due is not None and now >= self._state_due

    def sent_avail(self, now: int) -> None:
        """With every heartbeat again: it undoes a will that came late."""
        self._avail_due = now + HEARTBEAT_NS

    def sent_state(self, now: int) -> None:
        self._last = now
        self._state_due = now + HEARTBEAT_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a listener knows of one writer. `heard`: when he was last heard himself, in ns; None: never
    live.
    """

    session: str = ""
    status: Presence = Presence.OFFLINE
    heard: int | None = None
    state_at: int | None = None
    """When the snapshot in hand was made, on the listener's clock; None if that is not known."""
    state_mono: int = 0

    def stale(self, now: int) -> bool:
        """Whether the snapshot in hand may not be shown as live."""
        return self.state_at is None or now - self.state_at > STALE_NS


def avail_heard(known: Known, *, session: str, status: Presence, retained: bool, now: int) -> Known:
    """An avail message came. A will of another session than the one we know is about a run that is over."""
    if status is Presence.OFFLINE:
        if known.heard is not None and session != known.session:
            return known
        return replace(known, session=session, status=status)
    if retained and known.heard is not None and session != known.session:
        return known
    heard = known.heard if retained else now
    return replace(known, session=session, status=status, heard=heard)


def state_heard(known: Known, *, session: str, mono_ms: int, retained: bool, now: int) -> Known:
    """A snapshot came. A live one proves its session; a kept one proves nothing, and its age is not known.

    Its age becomes known once the same session has been heard live: then both are on the same monotonic
    clock.
    """
    if retained:
        if known.heard is not None:
            return known
        return replace(known, session=session, state_at=None, state_mono=mono_ms)
    if session == known.session and known.heard is not None and mono_ms < known.state_mono:
        return known
    return replace(
        known, session=session, status=Presence.ONLINE, heard=now, state_at=now, state_mono=mono_ms
    )
