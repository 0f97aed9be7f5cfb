"""A console with its pages: messages go straight into the desk, forms over HTTP to the real service."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path

import httpx
import uvicorn
from argon2 import PasswordHasher

from director_console.running import Options, Running
from director_console.store import people
from director_console.store.people import Role, add_user
from director_console.wire import Arrived, LinkChanged
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Verb
from tests.director_console.generator import PLACE, Sent, keyring
from tests.director_console.playing import Playing
from tests.director_console.test_desk import FakeWire

PASSWORD = "correct horse battery"


people._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Slow hashing is tested elsewhere; here it would only make the tests slow."""


class WebRig:
    """`client` is logged in as `anna`, chief. `hear` waits until the desk has taken everything."""

    def __init__(self, directory: Path, names: tuple[str, ...] = ("7", "9")) -> None:
        self.directory = directory
        self.epoch = ""
        self.keys: KeyRing = keyring(list(names))
        file = {"venue": self.keys.venue.hex(), "tables": {k: v.hex() for k, v in self.keys.tables.items()}}
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "keys.json").write_text(json.dumps(file))
        self.running = Running(Options(address=None, place=PLACE, data=directory, keys=None))
        self.wire = FakeWire()
        self.running.desk.wire = self.wire
        with self.running.book.deed():
            for name, role in (("anna", Role.CHIEF), ("ben", Role.DIRECTOR), ("olga", Role.OBSERVER)):
                add_user(self.running.book, name, role, PASSWORD, 1, "test")
        self.running.start()
        self.running.desk.inbox.put(LinkChanged(up=True, at=self.now()))
        self._serve()
        self.client = self.login("anna")

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def login(self, name: str, password: str = PASSWORD) -> httpx.Client:
        client = self.stranger()
        answer = client.post("/login", data={"name": name, "password": password})
        assert answer.status_code == 303, answer.text
        return client

    def stranger(self) -> httpx.Client:
        """A browser nobody has logged in with."""
        client = httpx.Client(base_url=self.base, follow_redirects=False, timeout=10)
        self._clients.append(client)
        return client

    def _serve(self) -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._clients: list[httpx.Client] = []
        config = uvicorn.Config(self.running.app, log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self._server.should_exit = True
        self._thread.join(5)
        self.running.stop()

    def hear(self, *sent: Sent) -> None:
        for one in sent:
            arrived = Arrived(topic=one.topic, payload=one.payload, retained=False, token=None, at=self.now())
            self.running.desk.inbox.put(arrived)
        self.settle()

    def settle(self) -> None:
        """Until everything put so far has been worked on."""
        self.running.desk.do(lambda act: None).result(5)

    def until(self, wanted: Callable[[], bool], seconds: float = 5) -> None:
        end = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < end, "did not come about"
            time.sleep(0.02)

    def tokens(self, client: httpx.Client, page: str, action: str) -> dict[str, str]:
        """The hidden fields of the form with this action on this page."""
        html = client.get(page).text
        form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', html, re.S)
        assert form, f"no form for {action} on {page}"
        fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
        return {name: unescape(value) for name, value in fields}

    def post(
        self,
        page: str,
        action: str,
        fields: dict[str, str],
        client: httpx.Client | None = None,
        **headers: str,
    ) -> httpx.Response:
        client = client or self.client
        return client.post(action, data={**self.tokens(client, page, action), **fields}, headers=headers)

    def until_sent(self, verb: Verb) -> None:
        self.until(lambda: bool(self.sent(verb)))

    def sent(self, verb: Verb) -> list[dict[str, object]]:
        return self.wire.of(f"command/{verb}")


def case_path(table: Playing, entry: int = 1) -> str:
    return f"/cases/{table.wired.name}/{table.wired.epoch}/{entry}"
