"""A venue as `director-console broker` makes it, its mosquitto, and people who connect to it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from director_console.broker_admin import deeds
from director_console.broker_admin.authority import common_name, key_pem, new_key
from director_console.broker_admin.deeds import Plan
from director_console.broker_admin.granting import redeem
from director_console.broker_admin.layout import Layout
from table_controller.enrolment.protocol import Granted, Redeem, parse_code
from table_controller.messages.topics import Place

PLACE = Place(venue="hall", event="open")
LOOPBACK = "127.0.0.1"


def now() -> datetime:
    return datetime.now(UTC)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def request_of(key: ec.EllipticCurvePrivateKey, name: str = "table") -> str:
    request = (
        x509.CertificateSigningRequestBuilder().subject_name(common_name(name)).sign(key, hashes.SHA256())
    )
    return request.public_bytes(serialization.Encoding.PEM).decode()


@dataclass(frozen=True, slots=True)
class Identity:
    """A certificate, its key and the authority its holder trusts, as files."""

    name: str
    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "table.pem"

    @property
    def key(self) -> Path:
        return self.folder / "table.key"

    @property
    def authority(self) -> Path:
        return self.folder / "ca.pem"


def keep_identity(folder: Path, name: str, authority: str, certificate: str, key: bytes) -> Identity:
    folder.mkdir(parents=True, exist_ok=True)
    identity = Identity(name, folder)
    identity.authority.write_text(authority)
    identity.certificate.write_text(certificate)
    identity.key.touch(0o600)
    identity.key.write_bytes(key)
    return identity


class Venue:
    """A venue in a directory, with a mosquitto of its own on loopback once started."""

    def __init__(
        self,
        root: Path,
        tables: tuple[str, ...],
        hosts: tuple[str, ...] = (LOOPBACK,),
        place: Place = PLACE,
    ) -> None:
        self.root = root
        self.layout = Layout(root)
        self.port, self.door_port = free_port(), free_port()
        plan = Plan(
            venue=place.venue,
            event=place.event,
            tables=tables,
            hosts=hosts,
            broker_port=self.port,
            door_port=self.door_port,
            broker_user="root" if os.geteuid() == 0 else "",
            listen=LOOPBACK,
        )
        self.codes = {one.table: one.code for one in deeds.begin(root, plan, now())}
        self.granted: dict[str, Granted] = {}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mqtts://{LOOPBACK}:{self.port}"

    def enrol(self, name: str, code: str | None = None) -> Identity:
        """As a table does, but without the network."""
        key = new_key()
        secret = parse_code(code or self.codes[name]).secret.hex()
        granted = redeem(self.root, Redeem(secret=secret, request=request_of(key)), now())
        self.granted[name] = granted
        folder = self.root.parent / f"at-table-{name}"
        return keep_identity(folder, name, granted.authority, granted.certificate, key_pem(key))

    def own(self, room: str, name: str) -> Identity:
        """One of those whose keys lie in the venue's directory."""
        return keep_identity(
            self.root.parent / f"copy-{name}",
            name,
            self.layout.trusted(room).read_text(),
            self.layout.certificate(room, name).read_text(),
            self.layout.key(room, name).read_bytes(),
        )

    def start(self) -> None:
        self.log = (self.root.parent / "mosquitto.log").open("ab")
        self.process = subprocess.Popen(
            [mosquitto_program(), "-c", str(self.layout.config)], stdout=self.log, stderr=self.log
        )
        wait_for(lambda: socket.socket().connect_ex((LOOPBACK, self.port)) == 0, 10)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
            self.process = None
            self.log.close()


def mosquitto_program() -> str:
    return shutil.which("mosquitto") or "/usr/sbin/mosquitto"


def wait_for(wanted: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < end, f"did not come about within {seconds} s"
        time.sleep(0.02)


@dataclass(slots=True)
class Will:
    topic: str
    payload: bytes


@dataclass(slots=True)
class Person:
    """Somebody who connects, asks for `filters`, and keeps whatever comes."""

    identity: Identity | None
    port: int
    client_id: str
    filters: tuple[str, ...] = ("#",)
    will: Will | None = None
    clean: bool = True
    version: int = 4
    got: list[tuple[str, bytes]] = field(default_factory=list)
    refused: str = ""
    up: bool = False
    ever_up: bool = False
    client: paho.Client = field(init=False)

    def __post_init__(self) -> None:
        five = self.version == 5
        self.client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self.client_id,
            clean_session=None if five else self.clean,
            protocol=MQTTProtocolVersion.MQTTv5 if five else MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
        )
        if self.identity is not None:
            context = ssl.create_default_context(cafile=str(self.identity.authority))
            context.load_cert_chain(self.identity.certificate, self.identity.key)
            self.client.tls_set_context(context)
        if self.will is not None:
            self.client.will_set(self.will.topic, self.will.payload, qos=1, retain=True)
        self.client.on_message = self._message
        self.client.on_connect = self._connected
        self.client.on_subscribe = self._subscribed
        self.client.on_disconnect = self._disconnected

    def _message(self, client: object, user: object, message: paho.MQTTMessage) -> None:
        self.got.append((message.topic, bytes(message.payload)))

    def _connected(
        self, client: paho.Client, user: object, flags: object, reason: object, more: object
    ) -> None:
        if str(reason) != "Success":
            self.refused = str(reason)
            return
        self.ever_up = True
        if self.filters:
            client.subscribe([(name, 1) for name in self.filters])
        else:
            self.up = True

    def _subscribed(
        self, client: object, user: object, message: object, reasons: object, more: object
    ) -> None:
        """Only from here on does he hear what is said."""
        self.up = True

    def _disconnected(
        self, client: object, user: object, flags: object, reason: object, more: object
    ) -> None:
        self.up = False
        self.refused = self.refused or str(reason)

    def begin(self) -> Person:
        """Connect; `up` says whether it was let in, `refused` why not."""
        try:
            self.client.connect(LOOPBACK, self.port, keepalive=10)
        except (OSError, ssl.SSLError, ValueError) as problem:
            self.refused = f"{type(problem).__name__}: {problem}"
            return self
        self.client.loop_start()
        with contextlib.suppress(AssertionError):
            wait_for(lambda: self.up or bool(self.refused), 15)
        return self

    def say(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> None:
        with contextlib.suppress(ValueError, RuntimeError):
            self.client.publish(topic, payload, qos=qos, retain=retain)

    def drop(self) -> None:
        """Be gone without a word, so that the will is said."""
        opened = self.client.socket()
        if isinstance(opened, socket.socket):
            with contextlib.suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
        self.client.loop_stop()

    def end(self) -> None:
        with contextlib.suppress(Exception):
            self.client.disconnect()
            self.client.loop_stop()


def journalled(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Stream and body of every row in a table's journal, read beside the table that writes it."""
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return [(stream, json.loads(body)) for stream, body in db.execute("SELECT stream, body FROM row")]
    finally:
        db.close()
