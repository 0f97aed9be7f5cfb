"""The demonstration: simulated tables with real controllers, a broker, the director's console, all at once.

Every program is a process of its own that meets the others only where real ones do; whatever ends the
demonstration ends them all. Must never compare a table with itself: the measure is the players' ledger.
"""

from __future__ import annotations

import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from typing import TypedDict

from hw_sim.core_runner import customs_of
from hw_sim.demo.breakage import Breakage, break_joint
from hw_sim.demo.console_reader import read_console
from hw_sim.demo.diagnosis import diagnose
from hw_sim.demo.director import ScriptedDirector, open_client
from hw_sim.demo.faults import DemoFaults
from hw_sim.demo.summary import Summary, compare
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.misdeeds.plan import Plan, choose
from hw_sim.players.asks import Complaint
from hw_sim.players.customs import STYLES
from hw_sim.players.script import BoardScript
from hw_sim.processes import broker
from hw_sim.processes.broker import BrokerKind
from hw_sim.processes.joints import Joint, JointBroken, check_alive
from hw_sim.processes.supervise import Child, Supervisor, program
from hw_sim.table.live import Stopped
from hw_sim.table.site import Hall, Site

VENUE, EVENT = "demo", "evening"
PERSON, SCRIPTED = "director", "scripted-director"
UP_WITHIN_S = 30.0
LOOK_EVERY_S = 0.5
MOST_BOARDS = 100
"""Of a session; a longer record is played without one."""
PROBE_EVERY_S = 5.0
SETTLES_WITHIN_S = 20.0
"""After the last board: for the last rulings, and for reports on their way."""
IDLE_NS = 300_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`boards` 0: until stopped. `patience_s`: how long a case is left to a person. `every` 0: no misdeeds.

    `misdeeds`: only these, by name, on every board where they can be done. `faults`: what hardware does on
    every board.
    """

    scripts: Sequence[BoardScript]
    tables: int = 4
    speed: float = 10.0
    boards: int = 0
    seed: int = 1
    port: int = 0
    broker: BrokerKind = BrokerKind.AUTO
    patience_s: float = 0.0
    every: int = 3
    misdeeds: tuple[str, ...] = ()
    faults: tuple[MisdeedOrder, ...] = ()
    regulations: str = "ccba-2006"
    breakage: Breakage | None = None
    quick: bool = False


class Demo:
    """Use as a context; `play` until the boards are played or `stop` is called from anywhere.

    `say` is given one line at a time for whoever watches.
    """

    def __init__(self, options: Options, directory: Path, say: Callable[[str], None]) -> None:
        self.options = options
        self.directory = directory
        self.data = directory / "console"
        self.address = ""
        self.login = ""
        self._script_login = ""
        self.sites: list[Site] = []
        self.supervisor = Supervisor(directory)
        self.director: ScriptedDirector | None = None
        self._say = say
        self._hub = DeviceHub()
        self._faults = DemoFaults(options.faults, seed=options.seed, speed=options.speed, say=say)
        self.broker_port = 0
        self._probe_at = 0.0
        self._stop = threading.Event()
        self._failed: list[BaseException] = []
        self._players: list[threading.Thread] = []
        self._director_thread: threading.Thread | None = None

    def __enter__(self) -> Demo:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # --- building it up

    def start(self) -> None:
        """Start every program, the first that others need first. Raises JointBroken."""
        directory = self.directory
        names = [str(n + 1) for n in range(self.options.tables)]
        keys = _write_keys(directory / "console-keys.json", names)
        port = self._start_broker()
        url = f"mqtt://{broker.LOOPBACK}:{port}"
        self._start_console(url, directory / "console-keys.json")
        hall = Hall(
            directory=directory,
            hub=self._hub.start(),
            customs=customs_of(self.options.regulations),
            style=STYLES["steady"],
            speed=self.options.speed,
            quick=self.options.quick,
            regulations=self.options.regulations,
            broker=url,
            mac_keys=None,
            venue=VENUE,
            event=EVENT,
            seed=self.options.seed,
        )
        self._faults.start()
        for number, name in enumerate(names):
            own = directory / f"keys-{name}.json"
            _write_private(own, {"venue": keys["venue"], "tables": {name: keys["tables"][name]}})
            site = Site(name, number, hall.with_keys(own))
            self.sites.append(site)
            self._faults.stand_between(site)
            site.start()
            run = [*program("table-controller"), "run", "--config", str(site.config)]
            child = self.supervisor.start(f"controller-{name}", run, self._faults.environment(site))
            self._faults.controller(site, child)

    def _start_broker(self) -> int:
        for _ in range(3):
            port = broker.free_port()
            child = self.supervisor.start("broker", broker.command(self.options.broker, port, self.directory))
            if broker.wait_until_listening(port):
                self.broker_port = port
                return port
            words = child.last_words()
            self.supervisor.stop(child)
        raise JointBroken(Joint.BROKER, f"it did not start: {words or 'it said nothing'}")

    def _start_console(self, url: str, keys: Path) -> None:
        port = self.options.port or broker.free_port()
        run = [*program("director-console"), "run", "--broker", url, "--port", str(port)]
        run += ["--venue", VENUE, "--event", EVENT, "--data", str(self.data), "--keys", str(keys)]
        run += ["--demo", "--json", "--one-time-login", "--login-as", PERSON, "--login-as", SCRIPTED]
        child = self.supervisor.start("console", run)
        logins = self._logins_said_by(child)
        self.login, self._script_login = logins[PERSON], logins[SCRIPTED]
        self.address = f"http://{broker.LOOPBACK}:{port}"

    def _logins_said_by(self, child: Child) -> dict[str, str]:
        """The links that let somebody in once, by user: the console prints them when it is up."""
        end = time.monotonic() + UP_WITHIN_S
        while time.monotonic() < end:
            check_alive(self.supervisor)
            said = [json.loads(line) for line in child.last_words(200).splitlines() if line.startswith("{")]
            logins = {line["user"]: line["login"] for line in said if "login" in line}
            if logins.keys() >= {PERSON, SCRIPTED}:
                return logins
            time.sleep(0.05)
        raise JointBroken(Joint.CONSOLE, f"it did not say how to log in within {UP_WITHIN_S:.0f} s")

    # --- letting it run

    def play(self) -> None:
        """Play until every table has its boards, or until stopped. Raises JointBroken."""
        for number, site in enumerate(self.sites):
            thread = threading.Thread(
                target=self._guarded, args=(self._play_table, site, number), name=f"players-{site.name}"
            )
            thread.daemon = True
            self._players.append(thread)
            thread.start()
        self._director_thread = threading.Thread(
            target=self._guarded, args=(self._direct,), name="director", daemon=True
        )
        self._director_thread.start()
        while not self._stop.is_set() and any(thread.is_alive() for thread in self._players):
            time.sleep(0.1)
            self._check()

    def stop(self) -> None:
        """Stop playing soon. From any thread, or a signal's handler."""
        self._stop.set()

    def _check(self) -> None:
        if self._failed:
            raise self._failed[0]
        self._alive()
        if time.monotonic() >= self._probe_at:
            self._probe_at = time.monotonic() + PROBE_EVERY_S
            if not broker.answers(self.broker_port):
                raise JointBroken(Joint.BROKER, "it does not answer a greeting")

    def _alive(self) -> None:
        check_alive(self.supervisor)

    def _guarded(self, deed: Callable[..., None], *arguments: object) -> None:
        try:
            deed(*arguments)
        except Stopped:
            pass
        except BaseException as problem:
            self._failed.append(problem)

    def _play_table(self, site: Site, number: int) -> None:
        options = self.options
        random = Random(f"{options.seed}/misdeeds/{number}")
        plan = Plan(random, site.hall.customs, director=True, every=options.every, table=number)
        site.await_controller(self._alive)
        for count, script in enumerate(itertools.cycle(self._scripts_of(number)), start=1):
            if self._stop.is_set():
                return
            deed = (
                choose(random, script, site.hall.customs, director=True, names=options.misdeeds)
                if options.misdeeds
                else plan.for_board(script)
            )
            if options.breakage is not None:
                break_joint(options.breakage, site, self.supervisor, count)
            self._faults.on_board(site, count)
            try:
                account = site.play(script, deed)
            except Complaint as complaint:
                raise diagnose(site, complaint, self.supervisor) from None
            what = f", {', '.join(account.misdeeds)}" if account.misdeeds else ""
            self._say(f"table {site.name}: board {account.number}, {account.contract}{what}")
            if options.boards and count == options.boards:
                site.live.idle(IDLE_NS)
                return

    def _scripts_of(self, number: int) -> list[BoardScript]:
        """Every table plays them all, and begins with others."""
        scripts = self.options.scripts
        first = number * len(scripts) // max(self.options.tables, 1)
        return [*scripts[first:], *scripts[:first]]

    def _sessions(self) -> dict[str, list[int]]:
        """Each table's boards in order; none where a number comes twice, as in two evenings' records."""
        found: dict[str, list[int]] = {}
        for number, site in enumerate(self.sites):
            numbers = [script.number for script in self._scripts_of(number) if script.number is not None]
            if not numbers or len(set(numbers)) < len(self.options.scripts) or len(numbers) > MOST_BOARDS:
                return {}
            found[site.name] = numbers
        return found

    def _direct(self) -> None:
        with open_client(self.address) as client:
            director = ScriptedDirector(client, patience_s=self.options.patience_s, tell=self._tell_table)
            director.log_in(self._script_login)
            self.director = director
            sessions = self._sessions()
            laid_down = not sessions
            while not self._stop.is_set():
                now = datetime.now()
                laid_down = laid_down or director.lay_down_sessions(sessions, now)
                director.look(time.monotonic())
                time.sleep(LOOK_EVERY_S)

    def _tell_table(self, table: str, kind: str) -> None:
        for site in self.sites:
            if site.name == table:
                site.say_go_on(kind)

    # --- ending it

    def sum_up(self) -> Summary:
        """After the last board: what the console has of it, once it has come to rest. Raises JointBroken."""
        end = time.monotonic() + SETTLES_WITHIN_S
        ledgers = {site.name: site.ledger.boards for site in self.sites}
        while True:
            self._check()
            summary = compare(ledgers, read_console(self.data))
            if summary.good or time.monotonic() >= end:
                summary.rulings = 0 if self.director is None else self.director.rulings
                return summary
            time.sleep(LOOK_EVERY_S)

    def close(self) -> None:
        """End everything that was started. May be called twice."""
        self._stop.set()
        self._faults.close()
        for site in self.sites:
            site.stop()
        self.supervisor.stop_all()
        for thread in self._players:
            thread.join(3)
        if self._director_thread is not None:
            self._director_thread.join(3)
        for site in self.sites:
            site.close()
        self._hub.close()


class _Keys(TypedDict):
    """Message keys in hexadecimal: the venue's, and each table's by its name."""

    venue: str
    tables: dict[str, str]


def _write_keys(file: Path, tables: Sequence[str]) -> _Keys:
    """New message keys for one venue, kept from other users of this machine."""
    keys = _Keys(venue=secrets.token_hex(32), tables={name: secrets.token_hex(32) for name in tables})
    _write_private(file, keys)
    return keys


def _write_private(file: Path, value: object) -> None:
    file.touch(mode=0o600)
    file.write_text(json.dumps(value), encoding="utf-8")
