"""When a message that was not believed is worth a fault of its own: at once, then at most once a minute.

Whoever forges a thousand messages a second must be heard of, and must not fill the journal. Pure: time is an
argument.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table_controller.messages import Distrust

AGAIN_NS = 60_000_000_000
_SAID: dict[Distrust, str] = {
    Distrust.FORGED: "a wrong MAC: not from the console, or altered on the way",
    Distrust.MISPLACED: "moved from another table, event or topic",
    Distrust.STRANGER: "from a table for which there is no key here",
    Distrust.VERSION: "of a version this program does not read",
    Distrust.MALFORMED: "not readable",
    Distrust.TYPE: "of a type this program does not know",
}


@dataclass(slots=True)
class DistrustWatch:
    """Remembers what has been said, and counts what has not."""

    _said: dict[Distrust, int] = field(default_factory=dict)
    _unsaid: dict[Distrust, int] = field(default_factory=dict)

    def heard(self, why: Distrust, now: int) -> str | None:
        """What to report of this one, one line; None: it is only counted. `now`: ns."""
        before = self._said.get(why)
        if before is not None and now - before < AGAIN_NS:
            self._unsaid[why] = self._unsaid.get(why, 0) + 1
            return None
        self._said[why] = now
        more = self._unsaid.pop(why, 0)
        return f"{_SAID[why]} ({more} more since the last)" if more else _SAID[why]
