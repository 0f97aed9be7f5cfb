"""One connection to the broker: a paho client from its making to its end.

paho's network thread calls back; here a callback builds one frozen value and puts it into the owner's
inbox. An exception in a callback ends paho's thread while `is_connected()` stays true, so every callback is
wrapped, and what the broker last said is watched from outside. Must never decide anything about a message.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import sys
import threading
from collections.abc import Callable

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from table_controller.mqtt_client.events import Acknowledged, Arrived, CallbackFailed, LinkEvent, LinkUp
from table_controller.mqtt_client.refusal import refusal
from table_controller.mqtt_client.settings import Address, Settings, Will, tls_context

SILENT_KEEPALIVES = 2.5
"""Nothing heard for so many keepalives, not even an answer to a ping: the connection is given up."""
UNANSWERED_S = 30.0
"""A publish the broker has not acknowledged for so long: the connection is given up."""
SESSION_KEPT_S = 2 * 24 * 3600
"""How long a broker keeps a console's session (MQTT 5; under 3.1.1 the broker's own setting rules)."""


class Connection:
    """One paho client from connecting to the end of its connection."""

    def __init__(
        self,
        number: int,
        settings: Settings,
        will: Will | None,
        put: Callable[[LinkEvent], None],
        clock: Callable[[], float],
    ) -> None:
        self.number = number
        self.was_up = False
        self.why = "not connected"
        self._settings = settings
        self._put = put
        self._clock = clock
        self._refused = ""
        """That the broker refused our certificate: known from its alert alone, before the end."""
        self._over = threading.Event()
        self._heard = clock()
        self._sent: dict[int, float] = {}
        self._answered_early: set[int] = set()
        self._sent_lock = threading.Lock()
        self._client = self._made(will)

    def run(self, stopping: threading.Event) -> None:
        """Connect, and return when the connection is over or we are to stop."""
        address = self._settings.address
        self._heard = self._clock()
        try:
            self._connect_async(address)
            self._client.loop_start()
            while not self._over.wait(0.2) and not stopping.is_set():
                if (trouble := self._trouble()) is not None:
                    self.why = trouble
                    break
        finally:
            self._close(2.0 if stopping.is_set() else 0.5)

    def publish(self, topic: str, payload: bytes, retain: bool, qos: int = 1) -> int | None:
        try:
            info = self._client.publish(topic, payload, qos=qos, retain=retain)
        except (ValueError, RuntimeError, OSError):
            return None
        if info.rc != paho.MQTT_ERR_SUCCESS:
            return None
        if qos == 0:
            return info.mid
        with self._sent_lock:
            if info.mid in self._answered_early:
                self._answered_early.remove(info.mid)
            else:
                self._sent[info.mid] = self._clock()
        return info.mid

    def give_up(self, why: str) -> None:
        """Ask the watching thread to end this connection. From any thread; returns at once."""
        self.why = why
        self._over.set()

    def ack(self, message: Arrived) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._client.ack(message.mid, message.qos)

    def _made(self, will: Will | None) -> paho.Client:
        settings = self._settings
        five = settings.version == 5
        client = paho.Client(
            callback_api_version=CallbackAPIVersion.VERSION2,
            client_id=settings.client_id,
            clean_session=None if five else not settings.persistent,
            protocol=MQTTProtocolVersion.MQTTv5 if five else MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
            manual_ack=settings.persistent,
        )
        client.suppress_exceptions = True
        client.max_inflight_messages_set(settings.window)
        address = settings.address
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if address.tls:
            client.tls_set_context(tls_context(settings.tls))
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=True)
        self._attach(client)
        return client

    def _connect_async(self, address: Address) -> None:
        settings = self._settings
        if settings.version == 5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            if settings.persistent:
                properties.SessionExpiryInterval = SESSION_KEPT_S
            self._client.connect_async(
                address.host,
                address.port,
                settings.keepalive_s,
                clean_start=not settings.persistent,
                properties=properties,
            )
        else:
            self._client.connect_async(address.host, address.port, settings.keepalive_s)

    def _trouble(self) -> str | None:
        """Why this connection should be given up, though nobody has said that it is over."""
        now = self._clock()
        silence = SILENT_KEEPALIVES * self._settings.keepalive_s
        if now - self._heard > silence:
            return f"nothing heard from the broker for {silence:.0f} s"
        with self._sent_lock:
            oldest = min(self._sent.values(), default=now)
        if now - oldest > UNANSWERED_S:
            return f"a publish has not been acknowledged for {UNANSWERED_S:.0f} s"
        return None

    def _close(self, limit_s: float) -> None:
        """End paho's thread, in order if the broker answers, by closing the socket if it does not."""
        with contextlib.suppress(Exception):
            self._client.disconnect()
        ending = threading.Thread(target=self._client.loop_stop, name="mqtt-end", daemon=True)
        ending.start()
        ending.join(limit_s)
        if ending.is_alive():
            with contextlib.suppress(Exception):
                open_socket = self._client.socket()
                if isinstance(open_socket, socket.socket):
                    open_socket.shutdown(socket.SHUT_RDWR)
            ending.join(1.0)
        self._detach()

    def _detach(self) -> None:
        """So that client and connection do not hold each other: what paho keeps open besides the socket is
        closed with the client, and not only when some collection of garbage comes.
        """
        client = self._client
        client.on_connect = client.on_connect_fail = client.on_disconnect = client.on_message = None
        client.on_publish = client.on_socket_open = client.on_log = None

    # --- paho's side: build one value, put it, nothing else

    def _attach(self, client: paho.Client) -> None:
        client.on_connect = self._guarded("on_connect", self._on_connect)
        client.on_connect_fail = self._guarded("on_connect_fail", self._on_connect_fail)
        client.on_disconnect = self._guarded("on_disconnect", self._on_disconnect)
        client.on_message = self._guarded("on_message", self._on_message)
        client.on_publish = self._guarded("on_publish", self._on_publish)
        client.on_socket_open = self._guarded("on_socket_open", self._on_socket_open)
        client.on_log = self._guarded("on_log", self._on_log)

    def _guarded(self, where: str, callback: Callable[..., None]) -> Callable[..., None]:
        def guarded(*args: object) -> None:
            try:
                callback(*args)
            except Exception as error:
                with contextlib.suppress(Exception):
                    self._put(CallbackFailed(where=where, what=f"{type(error).__name__}: {error}"))

        return guarded

    def _on_connect(
        self, client: paho.Client, _user: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        self._heard = self._clock()
        if reason.is_failure:
            self.why = f"the broker refused the connection: {reason}"
            self._over.set()
            return
        self._subscribe(client)
        self.was_up = True
        self._put(LinkUp(connection=self.number))

    def _subscribe(self, client: paho.Client) -> None:
        filters = self._settings.filters
        if not filters:
            return
        if self._settings.version == 5:
            # As under 3.1.1: marked is what the broker had kept, not what it passes on and keeps too.
            options = SubscribeOptions(qos=1, retainAsPublished=False)
            client.subscribe([(name, options) for name in filters])
        else:
            client.subscribe([(name, 1) for name in filters])

    def _on_connect_fail(self, _client: paho.Client, _user: object) -> None:
        problem = sys.exc_info()[1]
        self.why = refusal(str(problem)) or f"no connection to {self._settings.address}{_because(problem)}"
        self._over.set()

    def _on_disconnect(
        self, _client: paho.Client, _user: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if not self._over.is_set():
            lost = f"the connection was lost: {reason}" if self.was_up else f"not connected: {reason}"
            self.why = self._refused or lost
            self._over.set()

    def _on_message(self, _client: paho.Client, _user: object, message: paho.MQTTMessage) -> None:
        self._heard = self._clock()
        self._put(
            Arrived(
                connection=self.number,
                topic=message.topic,
                payload=bytes(message.payload),
                retained=bool(message.retain),
                duplicate=bool(message.dup),
                mid=message.mid,
                qos=message.qos,
            )
        )

    def _on_publish(
        self, _client: paho.Client, _user: object, mid: int, reason: ReasonCode, _properties: object
    ) -> None:
        self._heard = self._clock()
        with self._sent_lock:
            if self._sent.pop(mid, None) is None:
                self._answered_early.add(mid)
        refused = str(reason) if reason.is_failure else None
        self._put(Acknowledged(connection=self.number, mid=mid, refused=refused))

    def _on_socket_open(self, _client: paho.Client, _user: object, opened: socket.socket) -> None:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _on_log(self, _client: paho.Client, _user: object, _level: int, line: str) -> None:
        if line == "Received PINGRESP":
            self._heard = self._clock()
        self._refused = self._refused or refusal(line)


def _because(problem: BaseException | None) -> str:
    """Why a connection could not be made, in a few words; paho calls back while it handles the exception."""
    match problem:
        case ssl.SSLCertVerificationError():
            return f": its certificate is not believed ({problem.verify_message})"
        case ssl.SSLError():
            return f": TLS failed ({problem.reason or 'no reason given'})"
        case OSError():
            return f": {problem.strerror or problem}"
        case _:
            return ""
