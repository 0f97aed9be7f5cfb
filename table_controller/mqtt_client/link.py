"""The connection to the broker that heals itself, shared by table and console.

Each connection has a paho client of its own, so that nothing is held over, sent twice or past the window
when the link comes back: the outbox sends again what has no receipt. A thread of ours watches over it and
connects anew after a random wait, so that two hundred tables do not return in the same instant.

Must never lose a callback's news, and never block its owner except in `stop`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from table_controller.mqtt_client.connection import Connection
from table_controller.mqtt_client.events import Acknowledged, Arrived, LinkDown, LinkEvent, LinkUp
from table_controller.mqtt_client.settings import Settings, Will


class MqttLink:
    """The connection. `put` is called from paho's thread and ours, and must only put into a queue.

    Its other methods belong to the owner of the inbox, who passes every LinkEvent he takes out to `note`
    first.
    """

    def __init__(
        self,
        settings: Settings,
        put: Callable[[LinkEvent], None],
        *,
        will: Will | None = None,
        draw: Callable[[float, float], float] = random.uniform,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._put = put
        self._draw = draw
        self._clock = clock
        self.will = will
        """Used by the next connection. May be replaced at any time."""
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._keep_connected, name="mqtt", daemon=True)
        self._current: Connection | None = None
        self._live: Connection | None = None
        self._held: dict[int, object] = {}

    # --- the owner's side

    def start(self) -> None:
        """Begin to connect, and never give up until `stop`. Returns at once."""
        self._thread.start()

    @property
    def connected(self) -> bool:
        """As far as the owner has been told."""
        return self._live is not None

    @property
    def held(self) -> int:
        """Publishes the broker has not acknowledged."""
        return len(self._held)

    @property
    def room(self) -> int:
        """How many publishes may be given now."""
        return max(0, self._settings.window - len(self._held)) if self._live is not None else 0

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, token: object = None) -> bool:
        """Hand over at QoS 1. False: not connected, or the window is full; nothing was kept, ask again later.

        `token` comes back from `note` when the broker has acknowledged.
        """
        if self._live is None or len(self._held) >= self._settings.window:
            return False
        mid = self._live.publish(topic, payload, retain)
        if mid is None:
            return False
        self._held[mid] = token
        return True

    def farewell(self, topic: str, payload: bytes) -> None:
        """The last word before `stop`, retained. Where the window is full it goes at QoS 0: the goodbye comes
        after it on the same stream, and with a goodbye the broker does not say our will.
        """
        if not self.publish(topic, payload, retain=True) and self._live is not None:
            self._live.publish(topic, payload, retain=True, qos=0)

    def ack(self, message: Arrived) -> None:
        """The message is safe with us. Does nothing if it came over an earlier connection: it will come
        again.
        """
        if self._live is not None and message.connection == self._live.number:
            self._live.ack(message)

    def note(self, event: LinkEvent) -> object:
        """Keep the books. To be called with every event taken from the inbox; the token of what was
        acknowledged.
        """
        match event:
            case LinkUp(connection=number):
                current = self._current
                self._live = current if current is not None and current.number == number else None
                self._held.clear()
            case LinkDown(connection=number):
                if self._live is not None and self._live.number == number:
                    self._live = None
                    self._held.clear()
            case Acknowledged(connection=number, mid=mid):
                if self._live is not None and self._live.number == number:
                    return self._held.pop(mid, None)
            case _:
                pass
        return None

    def drop(self, why: str) -> None:
        """Give this connection up and make another: what arrived and was not acknowledged comes again. Where
        there is none, try at once.
        """
        if self._live is not None:
            self._live.give_up(why)
        else:
            self._wake.set()

    def stop(self, limit_s: float = 2.0) -> None:
        """Say goodbye in order, within the limit; what was published before still goes out. Never raises."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(limit_s + 1.0)
        self._live = None
        self._held.clear()

    # --- our thread's side

    def _keep_connected(self) -> None:
        number = 0
        failures = 0
        while not self._stopping.is_set():
            number += 1
            connection: Connection | None = None
            try:
                # Made anew each time: certificates that were renewed meanwhile are read here.
                connection = Connection(number, self._settings, self.will, self._put, self._clock)
                self._current = connection
                connection.run(self._stopping)
                why = connection.why
            except Exception as error:  # an unforeseen one must not end this thread
                why = f"{type(error).__name__}: {error}"
            was_up = connection is not None and connection.was_up
            connection = self._current = None  # closed before the next one is opened
            if not self._stopping.is_set():
                self._put(LinkDown(connection=number if was_up else 0, why=why))
                failures = 0 if was_up else failures + 1
                self._wake.wait(self._wait(failures))
                self._wake.clear()

    def _wait(self, failures: int) -> float:
        """Full jitter: the tables of a hall must not come back all at once.

        The first try that fails costs nothing, so that after a broker's restart, whose port is closed for a
        moment, everybody is back within the first limit.
        """
        settings = self._settings
        limit = min(settings.latest_s, settings.first_limit_s * 2 ** min(max(failures - 1, 0), 8))
        return self._draw(settings.soonest_s, max(limit, settings.soonest_s))
