"""The desk of a scenario's director: it hears what all tables report, and sends orders as a console does.

One thread owns the connection. Must never acknowledge a row it has not handed on.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import threading
import time
from dataclasses import dataclass
from typing import cast

from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.scenario.full.commands import Command
from hw_sim.scenario.full.reports import Reports
from table_controller.messages import (
    ClockQuality,
    CommandBody,
    Envelope,
    Message,
    ReceiptBody,
    Refused,
    open_sealed,
    sealed,
    topics,
    ulid,
    wall_text,
)
from table_controller.messages.codec import Json
from table_controller.messages.fields import Value
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place
from table_controller.mqtt_client import Arrived, LinkEvent, LinkUp, MqttLink, Settings, parse_address

WHO = "TD"
PLACE = Place(venue="scenarios", event="scenarios")
UP_WITHIN_S = 15.0
LIFE_NS = 30_000_000_000


@dataclass(frozen=True, slots=True)
class _Outgoing:
    topic: str
    payload: bytes


class Desk:
    """`url` of the broker, `keys` of all tables. `listen(table)` before the table's controller starts."""

    def __init__(self, url: str, keys: KeyRing, place: Place = PLACE) -> None:
        self._keys = keys
        self._place = place
        self._session = secrets.token_hex(6)
        self._inbox: queue.SimpleQueue[LinkEvent | _Outgoing | None] = queue.SimpleQueue()
        self._tables: dict[str, queue.SimpleQueue[Message]] = {}
        self._up = threading.Event()
        self._waiting: list[_Outgoing] = []
        settings = Settings(
            address=parse_address(url),
            client_id=f"desk-{self._session}",
            filters=topics.console_filters(place),
        )
        self._link = MqttLink(settings, self._inbox.put)
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    def start(self) -> None:
        """Connect. Raises JointBroken."""
        self._link.start()
        self._thread.start()
        if not self._up.wait(UP_WITHIN_S):
            raise JointBroken(Joint.BROKER, f"the desk could not connect within {UP_WITHIN_S:.0f} s")

    def close(self) -> None:
        self._inbox.put(None)
        self._thread.join(5)
        self._link.stop(1.0)

    def listen(self, table: str) -> queue.SimpleQueue[Message]:
        """Where this table's messages come in from now on."""
        return self._tables.setdefault(table, queue.SimpleQueue())

    def forget(self, table: str) -> None:
        self._tables.pop(table, None)

    def order(self, table: str, command: Command, reports: Reports) -> str:
        """Send an order, given in the state that `reports` has come to; its id."""
        verb, args = command
        now = time.time_ns()
        id_ = ulid(now, secrets.token_bytes(10))
        body = CommandBody(
            id=id_,
            issued=wall_text(now),
            deadline=wall_text(now + LIFE_NS),
            expect_rev=reports.rev,
            seen_ms=reports.mono_ms,
            by=WHO,
            args=_plain(args),
        )
        self._put(
            topics.command(self._place, table, verb),
            Envelope(
                id=id_,
                type=f"command/{verb}",
                venue=self._place.venue,
                event=self._place.event,
                table=table,
                epoch=reports.epoch or None,
                session=reports.session,
                mono_ms=time.monotonic_ns() // 1_000_000,
                wall=wall_text(now),
                clock=ClockQuality.NTP,
                body=body.model_dump(mode="json"),
            ),
        )
        return id_

    def receipt(self, table: str, reports: Reports) -> None:
        """Everything up to here is ours."""
        now = time.time_ns()
        body = ReceiptBody(epoch=reports.epoch, upto=reports.rows, by="desk")
        self._put(
            topics.receipt(self._place, table),
            Envelope(
                id=ulid(now, secrets.token_bytes(10)),
                type="receipt",
                venue=self._place.venue,
                event=self._place.event,
                table=table,
                session=self._session,
                mono_ms=time.monotonic_ns() // 1_000_000,
                wall=wall_text(now),
                clock=ClockQuality.NTP,
                body=body.model_dump(mode="json"),
            ),
        )

    def _put(self, topic: str, envelope: Envelope) -> None:
        key = self._keys.of(envelope.table)
        if key is None:
            raise LookupError(f"no key of table {envelope.table}")
        self._inbox.put(_Outgoing(topic, sealed(envelope, key)))

    def _run(self) -> None:
        while True:
            try:
                news = self._inbox.get(timeout=0.05 if self._waiting else 1.0)
            except queue.Empty:
                self._send()
                continue
            match news:
                case None:
                    return
                case _Outgoing():
                    self._waiting.append(news)
                case _:
                    self._link.note(news)
                    self._heard(news)
            self._send()

    def _send(self) -> None:
        while self._waiting and self._link.publish(self._waiting[0].topic, self._waiting[0].payload):
            del self._waiting[0]

    def _heard(self, news: LinkEvent) -> None:
        match news:
            case LinkUp():
                self._up.set()
            case Arrived(topic=topic, payload=payload):
                with contextlib.suppress(Refused):
                    message = open_sealed(topic, payload, self._keys.of)
                    inbox = self._tables.get(message.envelope.table or "")
                    if inbox is not None:
                        inbox.put(message)
            case _:
                pass


def _plain(args: dict[str, Json]) -> Value:
    """The same under the name the messages have for it."""
    return cast("Value", args)
