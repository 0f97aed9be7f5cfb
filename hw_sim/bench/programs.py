"""The programs around the table: broker and director's console, each with a plug.

Started from the bench's own thread, which lives to the end. Must never be confidential, and never listen
anywhere but on loopback.
"""

from __future__ import annotations

import json
import secrets
import time
from pathlib import Path

from hw_sim.bench.furnish import EVENT, TABLE, VENUE, Place, write_private
from hw_sim.processes import broker
from hw_sim.processes.broker import BrokerKind
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.supervise import Child, Supervisor, program
from hw_sim.refusals import Why
from hw_sim.scenario.full.desk import Desk
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place as Topics

PERSON = "director"
UP_WITHIN_S = 30.0


class Programs:
    """`start` once. `console_wanted` False: no console at all."""

    def __init__(self, directory: Path, kind: BrokerKind, *, console_wanted: bool, lang: str) -> None:
        self._directory = directory
        self._kind = kind
        self._lang = lang
        self._wanted = console_wanted
        self._supervisor = Supervisor(directory)
        self._broker: Child | None = None
        self._console: Child | None = None
        self._port = 0
        self._pages = 0
        venue, table = secrets.token_bytes(32), secrets.token_bytes(32)
        self._keys = directory / "keys.json"
        write_private(self._keys, {"venue": venue.hex(), "tables": {TABLE: table.hex()}})
        self._ring = KeyRing(venue=venue, tables={TABLE: table})
        self.address = ""
        self.login = ""
        self.desk: Desk | None = None

    @property
    def url(self) -> str:
        return f"mqtt://{broker.LOOPBACK}:{self._port}"

    @property
    def place(self) -> Place:
        return Place(directory=self._directory, broker=self.url, keys=self._keys)

    @property
    def broker_in(self) -> bool:
        return self._broker is not None and self._broker.alive

    @property
    def console_in(self) -> bool:
        return self._console is not None and self._console.alive

    def start(self) -> Desk:
        """Broker, desk, console. Raises JointBroken, BrokerError."""
        self.plug_broker()
        desk = self.desk = Desk(self.url, self._ring, Topics(venue=VENUE, event=EVENT))
        desk.start()
        if self._wanted:
            self.plug_console()
        return desk

    def close(self) -> None:
        if self.desk is not None:
            self.desk.close()
        self._supervisor.stop_all()

    # --- plugs

    def plug_broker(self) -> None:
        """On the port it had before, so that everybody finds it again. Raises JointBroken."""
        if self.broker_in:
            return
        words = ""
        for _ in range(3):
            port = self._port or broker.free_port()
            child = self._supervisor.start("broker", broker.command(self._kind, port, self._directory))
            if broker.wait_until_listening(port):
                self._port, self._broker = port, child
                return
            words = child.last_words()
            self._supervisor.stop(child)
        raise JointBroken(Joint.BROKER, f"it did not start: {words or 'it said nothing'}")

    def pull_broker(self) -> None:
        child, self._broker = self._broker, None
        if child is not None:
            self._supervisor.stop(child, 2.0)

    def plug_console(self) -> None:
        """Raises JointBroken."""
        if self.console_in:
            return
        if not self._wanted:
            raise JointBroken(
                Joint.CONSOLE, "the bench was started without one (--no-console)", why=Why.NO_CONSOLE
            )
        self._pages = self._pages or broker.free_port()
        run = [*program("director-console"), "run", "--broker", self.url, "--port", str(self._pages)]
        run += ["--venue", VENUE, "--event", EVENT, "--data", str(self._directory / "console")]
        run += ["--keys", str(self._keys), "--lang", self._lang]
        run += ["--demo", "--json", "--one-time-login", "--login-as", PERSON]
        log = self._directory / "console.log"
        begins = log.stat().st_size if log.exists() else 0
        child = self._console = self._supervisor.start("console", run)
        end = time.monotonic() + UP_WITHIN_S
        while time.monotonic() < end and child.alive:
            said = log.read_bytes()[begins:].decode(errors="replace") if log.exists() else ""
            for line in (line for line in said.splitlines() if line.startswith("{")):
                value = json.loads(line)
                if "login" in value:
                    self.login = str(value["login"])
                    self.address = f"http://{broker.LOOPBACK}:{self._pages}"
                    return
            time.sleep(0.05)
        raise JointBroken(Joint.CONSOLE, f"it did not say how to log in: {child.last_words(3)}")

    def pull_console(self) -> None:
        child, self._console = self._console, None
        self.login = ""
        if child is not None:
            self._supervisor.stop(child, 4.0)
