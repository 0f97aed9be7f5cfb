"""Whether what a table says of itself is its latest word, or an old one said again.

A snapshot carries no number of its own: whoever carries it could show an old one and make a table that is
gone look alive. Within a session the writer's monotonic clock only goes on, and one that another has followed
is believed again only where it goes on: a broker that was set back keeps the word of an earlier run, which
must not silence the table that is there. Pure; remembers one run of the console.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

SESSIONS_KEPT = 50


@dataclass(slots=True)
class _Table:
    session: str = ""
    heard: OrderedDict[str, dict[str, int]] = field(default_factory=OrderedDict)
    """Of each session the clock of its latest word of each kind, ms; the one that spoke last at the end."""


@dataclass(slots=True)
class Freshness:
    """One memory for all tables."""

    _tables: dict[str, _Table] = field(default_factory=dict)

    def is_new(self, table: str, session: str, kind: str, mono_ms: int) -> bool:
        """Whether this may be the table's latest word of this kind; it is remembered if so."""
        known = self._tables.setdefault(table, _Table())
        marks = known.heard.get(session, {})
        if session == known.session:
            if mono_ms < marks.get(kind, 0):
                return False
        elif marks and mono_ms <= max(marks.values()):
            return False
        known.session = session
        known.heard[session] = {**marks, kind: mono_ms}
        known.heard.move_to_end(session)
        if len(known.heard) > SESSIONS_KEPT:
            known.heard.popitem(last=False)
        return True

    def is_over(self, table: str, session: str) -> bool:
        """Whether another session of this table has followed this one: for a will that comes late."""
        known = self._tables.get(table)
        return known is not None and session != known.session and session in known.heard
