"""When a thing happened, on the console's clock, though the table may not know the time of day.

A report carries the table's monotonic time and perhaps a wall time of doubtful quality. The console sees when
reports come; the least delay it has seen tells how the two run together. Must never move a time forward past
the moment the report was received.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Clocks:
    """The least of received minus monotonic, ms, for each (table, session)."""

    least: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def seen(self, table: str, session: str, mono_ms: int, received: int) -> Clocks:
        """With one more live report, all times in ms."""
        offset = received - mono_ms
        known = self.least.get((table, session))
        if known is not None and known <= offset:
            return self
        return Clocks({**self.least, (table, session): offset})

    def when(self, table: str, session: str, mono_ms: int, received: int) -> int:
        """Console time (ms) of a moment of that session; when it was received if not known better."""
        offset = self.least.get((table, session))
        return received if offset is None else min(received, mono_ms + offset)
