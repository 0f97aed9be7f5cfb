"""The other end of a table's reports, for tests: keeps rows, sends receipts and commands."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from table_controller.messages import (
    ClockQuality,
    CommandBody,
    Envelope,
    Message,
    ReceiptBody,
    ResultBody,
    StateBody,
    open_sealed,
    sealed,
    topics,
    ulid,
    wall_text,
)
from table_controller.messages.fields import Value
from table_controller.messages.mac import KeyRing, load_keys
from table_controller.messages.topics import Place, Verb
from table_controller.mqtt_client import Arrived
from tests.mqtt.wires import Owner

PLACE = Place(venue="demo", event="evening")


def write_keys(path: Path) -> KeyRing:
    keys = {"venue": secrets.token_hex(32), "tables": {"t1": secrets.token_hex(32)}}
    path.touch(mode=0o600)
    path.write_text(json.dumps(keys))
    return load_keys(path)


class ConsoleSide:
    """Listens in a thread of its own from `start` to `stop`."""

    def __init__(self, url: str, keys: KeyRing, *, receipts: bool = True) -> None:
        self.owner = Owner(url, "console", filters=topics.console_filters(PLACE), persistent=True)
        self.keys = keys
        self.receipts = receipts
        self.rows: dict[tuple[str, int], Message] = {}
        self.order: list[tuple[str, int]] = []
        self.doubled = 0
        self.avail: list[tuple[str, str]] = []
        self.results: list[ResultBody] = []
        self.state: StateBody | None = None
        self.state_envelope: Envelope | None = None
        self.lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> ConsoleSide:
        self.owner.start()
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self.owner.link.stop(1.0)

    def _run(self) -> None:
        while not self._stop.is_set():
            with self.lock:
                event = self.owner.step()
                if isinstance(event, Arrived):
                    self._take(event)

    def _take(self, arrived: Arrived) -> None:
        message = open_sealed(arrived.topic, arrived.payload, self.keys.of)
        envelope = message.envelope
        if envelope.seq is not None and envelope.epoch is not None:
            name = (envelope.epoch, envelope.seq)
            self.doubled += name in self.rows
            self.rows[name] = message
            self.order.append(name)
            if self.receipts:
                self._receipt(envelope.epoch)
        elif envelope.type == "avail":
            self.avail.append((message.body.status.value, envelope.session))  # type: ignore[union-attr]
        elif isinstance(message.body, StateBody):
            self.state, self.state_envelope = message.body, envelope
        elif isinstance(message.body, ResultBody):
            self.results.append(message.body)

    def upto(self, epoch: str) -> int:
        seq = 0
        while (epoch, seq + 1) in self.rows:
            seq += 1
        return seq

    def _receipt(self, epoch: str) -> None:
        body = ReceiptBody(epoch=epoch, upto=self.upto(epoch), by="console")
        self.owner.link.publish(
            topics.receipt(PLACE, "t1"), self._sealed("receipt", body.model_dump()), retain=True
        )

    def command(
        self,
        verb: Verb,
        *,
        expect_rev: int | None = None,
        id_: str | None = None,
        life_s: float = 30.0,
        retain: bool = False,
        **args: object,
    ) -> str:
        """Send a command about the snapshot in hand; its id."""
        now = time.time_ns()
        identity = id_ or ulid(now, secrets.token_bytes(10))
        seen = self.state_envelope
        body = CommandBody(
            id=identity,
            issued=wall_text(now),
            deadline=wall_text(now + round(life_s * 1e9)),
            expect_rev=expect_rev,
            seen_ms=None if seen is None else seen.mono_ms,
            by="TD",
            args=cast("Value", args),
        )
        payload = self._sealed(f"command/{verb}", body.model_dump(mode="json"), identity)
        with self.lock:
            self.owner.link.publish(topics.command(PLACE, "t1", verb), payload, retain=retain)
        return identity

    def _sealed(self, kind: str, body: dict[str, Any], identity: str | None = None) -> bytes:
        seen = self.state_envelope
        envelope = Envelope(
            v=1,
            id=identity or ulid(time.time_ns(), secrets.token_bytes(10)),
            type=kind,
            venue=PLACE.venue,
            event=PLACE.event,
            table="t1",
            session="console" if seen is None else seen.session,
            epoch=None if seen is None else seen.epoch,
            mono_ms=time.monotonic_ns() // 1_000_000,
            wall=wall_text(time.time_ns()),
            clock=ClockQuality.NTP,
            body=body,
        )
        key = self.keys.of("t1")
        assert key is not None
        return sealed(envelope, key)

    def until(self, holds: Callable[[], bool], seconds: float = 15.0) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, (self.avail, self.results, len(self.rows), self.state)
            time.sleep(0.02)

    def answer(self, command: str) -> ResultBody:
        """The last answer to a command, once there is one."""
        self.until(lambda: any(result.command == command for result in self.results))
        return [result for result in self.results if result.command == command][-1]
