"""Whether what a table says of itself is its latest word, or an old one said again.

A snapshot carries no number of its own: whoever carries it could show an old one and make a table that is
gone look alive. Within a session the writer's monotonic clock only goes on, and a session that has been
followed by another does not come back. Pure; remembers one run of the console.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SESSIONS_KEPT = 50


@dataclass(slots=True)
class _Table:
    session: str = ""
    mono_ms: int = 0
    past: deque[str] = field(default_factory=lambda: deque(maxlen=SESSIONS_KEPT))


@dataclass(slots=True)
class Freshness:
    """One memory for all tables."""

    _tables: dict[str, _Table] = field(default_factory=dict)

    def is_new(self, table: str, session: str, mono_ms: int) -> bool:
        """Whether this may be the table's latest word; it is remembered if so."""
        known = self._tables.setdefault(table, _Table())
        if session in known.past:
            return False
        if session == known.session:
            if mono_ms < known.mono_ms:
                return False
            known.mono_ms = mono_ms
            return True
        if known.session:
            known.past.append(known.session)
        known.session, known.mono_ms = session, mono_ms
        return True

    def is_over(self, table: str, session: str) -> bool:
        """Whether another session of this table has followed this one: for a will that comes late."""
        known = self._tables.get(table)
        return known is not None and session in known.past
