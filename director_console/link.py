"""The console's one connection to the broker: a persistent session, acknowledged by hand after the commit.

Thin: `table_controller.mqtt_client` does the work, this gives it the desk's words. Must never decide anything
about a message.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from director_console.dispatch import Dispatch
from director_console.wire import Arrived, LinkChanged, News
from table_controller.messages import sealed, topics
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place
from table_controller.mqtt_client import (
    Acknowledged,
    Address,
    Arrived as Received,
    CallbackFailed,
    LinkDown,
    LinkEvent,
    LinkUp,
    MqttLink,
    Settings,
    TlsFiles,
    Will,
)

log = logging.getLogger(__name__)
WINDOW = 100
"""Two hundred receipts or session plans are to be said in seconds; the broker takes no more at once."""
TAKEN_OVER = "session taken over"
"""What MQTT 5 calls it (reason code 0x8E) when another of our name is let in; MQTT 3.1.1 does not tell."""
RETURNS, RETURNS_MS = 4, 10_000
"""Let in, and back three times within ten seconds: no network does that, another of our name does."""
LATEST_BACK_S = 2.0
"""There is one console, so it need not be as shy as two hundred tables when the broker comes back."""


class BrokerWire:
    """The desk's wire over MQTT. `put` puts into the desk's inbox; `now`: Unix ms."""

    def __init__(
        self,
        address: Address,
        place: Place,
        keys: KeyRing,
        dispatch: Dispatch,
        put: Callable[[News], None],
        now: Callable[[], int],
        *,
        version: int = 4,
        tls: TlsFiles | None = None,
    ) -> None:
        self._place = place
        self._keys = keys
        self._dispatch = dispatch
        self._now = now
        settings = Settings(
            address=address,
            client_id=f"console-{dispatch.console}",
            filters=topics.console_filters(place),
            persistent=True,
            version=version,
            tls=tls,
            window=WINDOW,
            soonest_s=0.2,
            first_limit_s=1.0,
            latest_s=LATEST_BACK_S,
        )

        def put_news(event: LinkEvent) -> None:
            put(News(value=event, at=now()))

        self._ups: deque[int] = deque(maxlen=RETURNS)
        """When we were let in (ms), the latest ones."""
        self._told_other = False
        self._told = ""
        """Why there is no link, as last said: the same is not said at every try."""
        will = Will(topic=self._avail_topic, payload=self._avail("offline"))
        self._link = MqttLink(settings, put_news, will=will)

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        """Say goodbye, then close within a limit."""
        self._link.farewell(self._avail_topic, self._avail("stopping"))
        self._link.stop()

    @property
    def _avail_topic(self) -> str:
        return topics.console_avail(self._place, self._dispatch.console)

    def _avail(self, status: str) -> bytes:
        body = {"status": status, "role": "primary"}
        return sealed(self._dispatch.envelope("console", dict(body), self._now()), self._keys.venue)

    def open(self, news: News) -> Arrived | LinkChanged | None:
        event = news.value
        if not isinstance(event, LinkUp | LinkDown | Received | Acknowledged | CallbackFailed):
            return None
        self._link.note(event)
        match event:
            case LinkUp():
                log.info("connected to the broker")
                self._told = ""
                self._ups.append(news.at)
                if len(self._ups) == RETURNS and news.at - self._ups[0] <= RETURNS_MS:
                    self._other_console()
                self._link.publish(self._avail_topic, self._avail("online"), retain=True)
                return LinkChanged(up=True, at=news.at)
            case LinkDown():
                if event.why != self._told:
                    self._told = event.why
                    log.warning("no link to the broker: %s; trying on", event.why)
                if TAKEN_OVER in event.why.lower():
                    self._other_console()
                return LinkChanged(up=False, at=news.at)
            case Received():
                return Arrived(
                    topic=event.topic,
                    payload=event.payload,
                    retained=event.retained,
                    token=event,
                    at=news.at,
                )
            case CallbackFailed():
                log.error("our error in %s: %s", event.where, event.what)
                return None
            case Acknowledged():
                if event.refused is not None:
                    log.warning("the broker refused a message: %s", event.refused)
                return None

    def _other_console(self) -> None:
        """Somebody has our name: two of us push each other off for ever. Said once a run."""
        if not self._told_other:
            self._told_other = True
            log.warning(
                "another console of this venue is running: the broker lets one in and ends the other, again "
                "and again; stop one of the two"
            )

    @property
    def connected(self) -> bool:
        return self._link.connected

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> bool:
        return self._link.publish(topic, payload, retain=retain)

    def acknowledge(self, arrived: Arrived) -> None:
        if isinstance(arrived.token, Received):
            self._link.ack(arrived.token)
