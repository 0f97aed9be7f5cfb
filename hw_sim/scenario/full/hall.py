"""Plays scenarios through the whole system: a broker, a desk, and for each scenario a table of its own.

Scenarios may be played from several threads at once. Must never leave a process behind.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hw_sim.core_runner import customs_of
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.players.asks import Complaint
from hw_sim.processes import broker
from hw_sim.processes.broker import BrokerKind
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.supervise import Child, Supervisor
from hw_sim.processes.workplace import open_workplace
from hw_sim.scenario.checking import Scale, unmet
from hw_sim.scenario.core.faster import faster
from hw_sim.scenario.core.runner import begins_on
from hw_sim.scenario.deeds import Wait
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.expectations import Expectation
from hw_sim.scenario.full.desk import PLACE, Desk
from hw_sim.scenario.full.table import FullTable, Setting
from hw_sim.scenario.full.wires_of import wires_of
from hw_sim.scenario.model import DIVISOR, USUAL_WINDOW, Line, Scenario
from hw_sim.scenario.playing import Players
from hw_sim.scenario.result import Failure, Result, unexpected
from hw_sim.scenario.seen import Seen
from hw_sim.table.changes import MS, Travel
from hw_sim.table.wiring import TableFile
from table_controller.messages.mac import KeyRing

SCALE = Scale(divisor=DIVISOR, tolerance=75_000_000_000)
"""A real second and a quarter: people's pauses are not divided, and a busy machine is no stop-watch."""
TRAY, TRAY_CLEARS = 100 * MS, 40 * MS
"""Across well within a stalled tray's time, which is divided too."""
PRESS, TOUCH = 250 * MS, 60 * MS
"""So long that a busy machine cannot miss it."""
SETTLE_MS = 90
COMES_WITHIN_NS = 12_000_000_000
TABLES = tuple(f"t{n}" for n in range(1, 1_000))


class FullHall:
    """Use as a context. `play` one scenario; results do not depend on what was played before."""

    def __init__(self, broker_kind: BrokerKind = BrokerKind.AUTO) -> None:
        self._kind = broker_kind
        self._workplace = open_workplace("screen-table-scenarios-")
        self._directory = self._workplace.path
        self._names = iter(TABLES)
        self._count = itertools.count(1)
        self._hub = DeviceHub()
        self._supervisor = Supervisor(self._directory)
        self._keys = {name: secrets.token_bytes(32) for name in TABLES}
        self._venue = secrets.token_bytes(32)
        self._url = ""
        self._desk: Desk | None = None
        self.controller: tuple[str, ...] = ("-m", "table_controller")
        """How the interpreter is told to be a controller."""

    @property
    def directory(self) -> Path:
        """Where everything lies while the hall is open."""
        return self._directory

    @property
    def processes(self) -> list[Child]:
        """What runs for all tables; each table's own end with it."""
        return list(self._supervisor.children)

    def __enter__(self) -> FullHall:
        try:
            self._hub.start()
            self._url = f"mqtt://{broker.LOOPBACK}:{self._start_broker()}"
            self._desk = Desk(self._url, KeyRing(venue=self._venue, tables=self._keys))
            self._desk.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End everything. May be called twice."""
        if self._desk is not None:
            self._desk.close()
            self._desk = None
        self._supervisor.stop_all()
        self._hub.close()
        self._workplace.close()

    def _start_broker(self) -> int:
        words = ""
        for _ in range(3):
            port = broker.free_port()
            child = self._supervisor.start("broker", broker.command(self._kind, port, self._directory))
            if broker.wait_until_listening(port):
                return port
            words = child.last_words()
            self._supervisor.stop(child)
        raise JointBroken(Joint.BROKER, f"it did not start: {words or 'it said nothing'}")

    # --- playing

    def play(self, scenario: Scenario, regulations: str | None = None) -> Result:
        """Play it, under another profile if one is named. Raises UnknownRegulations, JointBroken."""
        profile = regulations or scenario.regulations
        if scenario.not_in_full is not None:
            return Result(
                scenario=scenario,
                regulations=profile,
                failures=(),
                seen=Seen(),
                full=True,
                skipped=scenario.not_in_full,
            )
        began = time.monotonic()
        table = self._table(scenario, profile)
        try:
            table.start()
            failures = _Run(scenario, table).play()
        finally:
            table.close()
        failures += unexpected(scenario, table.seen)
        return Result(
            scenario=scenario,
            regulations=profile,
            failures=tuple(failures),
            seen=table.seen,
            full=True,
            seconds=time.monotonic() - began,
        )

    def _table(self, scenario: Scenario, profile: str) -> FullTable:
        assert self._desk is not None, "use the hall as a context"
        name = next(self._names)
        directory = self._directory / name
        directory.mkdir()
        customs = customs_of(profile, scenario.supplements)
        quicker = directory / "faster.toml"
        quicker.write_text(faster(profile, scenario.supplements, DIVISOR), encoding="utf-8")
        keys = directory / "keys.json"
        _write_private(keys, {"venue": self._venue.hex(), "tables": {name: self._keys[name].hex()}})
        wires = wires_of(scenario)
        window = USUAL_WINDOW if scenario.window_takes is None else scenario.window_takes
        least = Travel.quickest()

        def config(tty: Path) -> str:
            return TableFile(
                table=name,
                directory=directory / "data",
                rig=f'kind = "serial"\nport = "{tty}"',
                wiring=wires,
                venue=PLACE.venue,
                event=PLACE.event,
                regulations=profile,
                supplements=(*scenario.supplements, quicker),
                broker=self._url,
                mac_keys=keys,
                quick=True,
                settle_ms=SETTLE_MS,
            ).text()

        setting = Setting(
            directory=directory,
            wiring=wires,
            travel=replace(
                least,
                tray=TRAY,
                tray_clears=TRAY_CLEARS,
                press=PRESS,
                touch=TOUCH,
                window=max(least.window, round(window / DIVISOR)),
            ),
            tray_on=begins_on(scenario, customs),
            customs=customs,
            divisor=DIVISOR,
            config=config,
            controller=(sys.executable, *self.controller),
        )
        return FullTable(name, setting, self._hub, self._desk)


class _Run:
    """One scenario at its table, line by line."""

    def __init__(self, scenario: Scenario, table: FullTable) -> None:
        self._scenario = scenario
        self._table = table
        self._players = Players(table, scenario.board, scenario.window_takes or 0)
        self._failures: list[Failure] = []
        self._since_last = False

    def play(self) -> list[Failure]:
        for line in self._scenario.lines:
            if not self._play_line(line):
                return self._failures
        self._table.be_quiet()
        return self._failures

    def _play_line(self, line: Line) -> bool:
        """False where nothing can be played any more."""
        table = self._table
        if not (isinstance(line.deed, Wait) and self._since_last):
            # A short wait may be over before the deed it follows is: what came belongs to both.
            if line.expected:
                table.be_quiet()
            table.seen.begin(line.number)
        self._since_last = not line.expected
        if line.deed is not None:
            try:
                table.live.play(self._players.do(line.deed))
            except (CannotBePlayed, Complaint) as problem:
                self._fail(line, str(problem))
                return False
            table.collect()
        if line.expected:
            self._expect(line, line.expected, of_deed=line.deed is not None)
        return True

    def _expect(self, line: Line, expected: tuple[Expectation, ...], *, of_deed: bool) -> None:
        """What must come may take its time; what must not come has had it when the table is quiet."""
        table = self._table
        table.be_quiet()
        end = time.monotonic_ns() + COMES_WITHIN_NS
        while True:
            left = [(one, unmet(one, table.seen, of_deed=of_deed, scale=SCALE)) for one in expected]
            whys = [why for _, why in left if why is not None]
            if not whys or time.monotonic_ns() > end:
                break
            table.let_pass(50 * MS)
        for why in whys:
            self._fail(line, why)

    def _fail(self, line: Line, why: str) -> None:
        self._failures.append(Failure(line=line.number, text=line.text, why=why))


def _write_private(path: Path, value: Mapping[str, object]) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(value, file)
