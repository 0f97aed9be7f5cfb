"""That a console is here, said again where somebody else's word stands in its place.

A broker keeps the last word on `console/NAME/avail`. Where its access list is not in force, or a late will of
an earlier run comes, that word may not be ours: tables would wait for a console that is there, and everybody
who connects would be alarmed anew. Must never answer more than once a second, however much is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from director_console.pauses import over
from director_console.wire import Wire
from table_controller.messages import topics
from table_controller.messages.topics import Place

EVERY_MS = 1000
MOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A word on a console's topic. `session`: whose it is; empty where it was not believed. `online`: it says
    that a console is there.
    """

    topic: str
    session: str
    online: bool


class OwnWord:
    """`session`: of this run. `say_online` publishes our presence, retained."""

    def __init__(self, place: Place, console: str, session: str) -> None:
        self._topic = topics.console_avail(place, console)
        self._session = session
        self._again = False
        self._forged: set[str] = set()
        self._said_at = 0

    def heard(self, word: Heard) -> None:
        if word.topic == self._topic:
            self._again = self._again or word.session != self._session or not word.online
        elif not word.session and len(self._forged) < MOST:
            self._forged.add(word.topic)

    def due(self, now: int) -> bool:
        return (self._again or bool(self._forged)) and over(self._said_at, now, EVERY_MS)

    def say(self, wire: Wire, now: int, say_online: Callable[[], bool]) -> None:
        """Our own presence again; what nobody can have said is taken away."""
        if not self.due(now):
            return
        self._said_at = now
        if self._again and say_online():
            self._again = False
        self._forged = {topic for topic in self._forged if not wire.publish(topic, b"", retain=True)}
