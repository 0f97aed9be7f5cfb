"""What the tests put between a link and its broker: an inbox with an owner, and a cable that can go dead."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable

from table_controller.mqtt_client import Arrived, LinkEvent, LinkUp, MqttLink, Settings, Will, parse_address


class Owner:
    """The owner of a link: takes events out of the inbox, keeps the books, remembers what came."""

    def __init__(
        self,
        url: str,
        name: str,
        *,
        filters: tuple[str, ...] = (),
        persistent: bool = False,
        version: int = 4,
        will: Will | None = None,
        keepalive_s: int = 10,
        soonest_s: float = 0.05,
        first_limit_s: float = 0.2,
        latest_s: float = 0.5,
    ) -> None:
        self.inbox: queue.Queue[LinkEvent] = queue.Queue()
        self.events: list[LinkEvent] = []
        self.tokens: list[object] = []
        self.acking = True
        self.put: Callable[[LinkEvent], None] = self.inbox.put
        settings = Settings(
            address=parse_address(url),
            client_id=name,
            filters=filters,
            persistent=persistent,
            version=version,
            keepalive_s=keepalive_s,
            soonest_s=soonest_s,
            first_limit_s=first_limit_s,
            latest_s=latest_s,
        )
        self.link = MqttLink(settings, lambda event: self.put(event), will=will)

    def start(self, wait: bool = True) -> Owner:
        self.link.start()
        if wait:
            self.until(lambda: self.link.connected)
            time.sleep(0.1)
        return self

    def step(self, patience: float = 0.02) -> LinkEvent | None:
        try:
            event = self.inbox.get(timeout=patience)
        except queue.Empty:
            return None
        token = self.link.note(event)
        if token is not None:
            self.tokens.append(token)
        self.events.append(event)
        if isinstance(event, Arrived) and self.acking:
            self.link.ack(event)
        return event

    def until(self, true: Callable[[], bool], limit_s: float = 15.0) -> None:
        limit = time.monotonic() + limit_s
        while not true():
            if time.monotonic() > limit:
                raise TimeoutError(f"not within {limit_s} s; last events: {self.events[-5:]}")
            self.step()

    def drain(self, seconds: float = 0.3) -> None:
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self.step()

    @property
    def arrived(self) -> list[Arrived]:
        return [event for event in self.events if isinstance(event, Arrived)]

    @property
    def payloads(self) -> list[bytes]:
        return [event.payload for event in self.arrived]

    @property
    def ups(self) -> int:
        return sum(isinstance(event, LinkUp) for event in self.events)


class Cable:
    """A TCP relay to the broker. `dead`: bytes are swallowed and nobody is told, as on a half-open link."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.dead = threading.Event()
        self.passed = 0
        self._sockets: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            for side in (near, far):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._relay, args=(source, target), daemon=True).start()

    def _relay(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if not self.dead.is_set():
                    self.passed += 1
                    target.sendall(data)
            if not self.dead.is_set():
                target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def cut(self) -> None:
        """Close every connection through it."""
        for each in self._sockets[1:]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        del self._sockets[1:]

    def close(self) -> None:
        for each in self._sockets:
            each.close()
