"""What the console tells everybody of the time: the round's clock, and which table is on time or delayed.

Broadcast to the tables (`all/clock`, `all/pause`) and retained for public screens (`public/clock`,
`public/tables`). Must never say more on `public/...` than the round, the time left, and one truth value a
table; no label, no name, no reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from director_console.pauses import over
from director_console.projection.hall import Hall
from director_console.projection.punctual import delayed_tables
from director_console.projection.round_clock import RoundClock
from table_controller.messages import topics, wall_text
from table_controller.messages.codec import Json
from table_controller.messages.topics import Broadcast, Place

NS_PER_MS = 1_000_000
LOOK_EVERY_MS = 5_000
"""How often it is looked whether a table has become delayed."""

Send = Callable[[str, str, dict[str, Json], bool], bool]
"""Topic, type, body, whether it is retained; False where the link is down."""


def clock_body(clock: RoundClock | None) -> dict[str, Json]:
    """The round's clock as a message: when it ends while it runs, what is left while it stands."""
    if clock is None:
        return {"round": 0, "running": False, "ends": None, "remaining_ms": 0, "label": ""}
    ends = None if clock.ends is None else wall_text(clock.ends * NS_PER_MS)
    return {
        "round": clock.round,
        "running": clock.running,
        "ends": ends,
        "remaining_ms": None if clock.running else clock.remaining,
        "label": "",
    }


class Publicity:
    """Remembers what was said, and says what has changed since; all of it again after the link was lost."""

    def __init__(self, place: Place, console: str) -> None:
        self.place = place
        self.console = console
        self.looked_at = 0
        self.link_changed(up=False)

    def link_changed(self, *, up: bool) -> None:
        """Whoever listens may have missed anything."""
        self.up = up
        self._said: dict[str, Mapping[str, Json]] = {}

    def due(self, hall: Hall, now: int) -> bool:
        """Whether `say` could have something to say."""
        if not self.up:
            return False
        if self._said.get("public/clock") != clock_body(hall.clock):
            return True
        return over(self.looked_at, now, LOOK_EVERY_MS)

    def say(self, hall: Hall, now: int, send: Send) -> None:
        """What has changed. What could not be sent is said the next time."""
        clock = clock_body(hall.clock)
        if hall.clock is not None or f"all/{Broadcast.CLOCK}" in self._said:
            stands = hall.clock is not None and hall.clock.begun and not hall.clock.running
            pause: dict[str, Json] = {"paused": stands, "by": self.console, "label": ""}
            self._everybody(Broadcast.PAUSE, pause, send)
            self._everybody(Broadcast.CLOCK, clock, send)
        self._one("public/clock", topics.public(self.place, "clock"), clock, True, send)
        if not over(self.looked_at, now, LOOK_EVERY_MS) and "public/tables" in self._said:
            return
        self.looked_at = now
        delayed: dict[str, Json] = {"delayed": dict(delayed_tables(hall, now))}
        self._one("public/tables", topics.public(self.place, "tables"), delayed, True, send)

    def _everybody(self, broadcast: Broadcast, body: dict[str, Json], send: Send) -> None:
        self._one(f"all/{broadcast}", topics.everybody(self.place, broadcast), body, False, send)

    def _one(self, type_: str, topic: str, body: dict[str, Json], retain: bool, send: Send) -> None:
        if self._said.get(type_) != body and send(topic, type_, body, retain):
            self._said[type_] = body
