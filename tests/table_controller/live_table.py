"""A whole table for tests: simulated wires and players, and a real `table-controller run` that owns them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from firmware_bridge.gpio_rig import STALL_NS
from hw_sim.core_runner import customs_of
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.misdeeds.hardware import HardwareBench, commit
from hw_sim.misdeeds.timeline import Timeline
from hw_sim.players.asks import Script
from hw_sim.players.customs import STYLES
from hw_sim.players.four import BoardPlay
from hw_sim.players.script import script_of
from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from hw_sim.table.changes import Travel
from hw_sim.table.site import Hall, Site, Way
from hw_sim.table.window_panel import WindowPanel
from hw_sim.table.wiring import TableKind
from tests.firmware_bridge.calm import Watch

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "hw_sim" / "recordings"
UP = "is up"
CONTROLLER = [sys.executable, "-m", "table_controller"]


def games(cards: int = 5) -> list[RecordedGame]:
    """Recorded games, each claimed after so many cards, since fifty-two take seconds."""
    found = [g for g in read_records([RECORDS / "first-round.pbn"]) if isinstance(g, RecordedGame)]
    return [replace(game, play=game.play[:cards], claimed=9) for game in found]


class LiveTable:
    """One table and its controller's process. Use as a context."""

    def __init__(
        self,
        directory: Path,
        *,
        kind: TableKind = TableKind.FULL,
        way: Way = Way.WIRE,
        regulations: str = "ccba-2006",
        broker: str | None = None,
        mac_keys: Path | None = None,
        travel: Travel | None = None,
        seconds: Mapping[str, float] | None = None,
        quick: bool = True,
    ) -> None:
        supplements = () if seconds is None else (write_seconds(directory, seconds),)
        self.hub = DeviceHub()
        hall = Hall(
            directory=directory,
            hub=self.hub,
            customs=customs_of(regulations),
            style=STYLES["fast"],
            speed=float("inf"),
            quick=quick,
            kind=kind,
            way=way,
            regulations=regulations,
            supplements=supplements,
            broker=broker,
            mac_keys=mac_keys,
        )
        self.site = Site("t1", 1, hall)
        if travel is not None:
            self.site.body.travel = travel
            self.panel._by_motor = travel.window
        self.timeline = Timeline()
        self.faulty = FaultyWires(self.site.wires, self.timeline.after, Random(1))
        self.site.wires = self.faulty
        self.bench = HardwareBench(
            spec=self.site.wiring.rig, wires=self.faulty, after=self.timeline.after, cable=self.site.device
        )
        self.journal = self.site.data / "journal.sqlite"
        self.log = directory / "controller.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.cwd: Path = ROOT
        self.options: list[str] = []
        self.watch = Watch()
        self.environment = environment(PYTHONPATH=str(ROOT))

    @property
    def panel(self) -> WindowPanel:
        """The window itself."""
        return self.site.body._panel

    def __enter__(self) -> LiveTable:
        self.watch.__enter__()
        self.hub.start()
        self.timeline.start()
        self.site.start()
        return self

    def __exit__(self, *problem: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        self.timeline.close()
        self.site.close()
        self.hub.close()
        self.watch.__exit__()

    @property
    def stood_still(self) -> bool:
        """Whether the machine did, for so long that nobody read a header's lines: the table is right to say
        that events may have been lost.
        """
        return self.site.device is None and self.watch.worst >= STALL_NS // 2

    def explains(self, row: Mapping[str, Any]) -> bool:
        """Whether this row of the journal says only that the machine stood still, and it did."""
        body = row["body"]
        lost = (row["type"] == "fault" and body["fault"]["kind"] == "EVENTS_LOST") or (
            body.get("what") == "event" and body["value"]["event"] == "EventsLost"
        )
        return lost and self.stood_still

    def faults(self) -> list[tuple[str, str, str]]:
        """Every row about a fault but those that a pause of the machine explains: change, kind, component."""
        return fault_changes([row for row in rows(self.journal) if not self.explains(row)])

    def commit(self, misdeed: str, **options: str) -> None:
        """A misdeed of the hardware, now."""
        commit(self.bench, misdeed, 1, **options)

    def run(self) -> None:
        """Start the controller, and wait until it says that it is up."""
        before = self.log.read_text().count(UP) if self.log.exists() else 0
        log = self.log.open("ab")
        command = [*CONTROLLER, "run", "--config", str(self.site.config), *self.options]
        self.process = subprocess.Popen(command, cwd=self.cwd, env=self.environment, stdout=log, stderr=log)
        log.close()
        until(lambda: self.log.read_text().count(UP) > before or not self.alive, 30)
        if self.alive:
            self.site.await_controller(lambda: None)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def device(self) -> SimulatedDevice:
        """The microcontroller; only on the wire."""
        assert self.site.device is not None
        return self.site.device

    def send(self, number: signal.Signals) -> None:
        """A signal to the controller's process."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)

    def play(self, game: RecordedGame, *, when: Callable[[BoardPlay], bool] = lambda play: False,
             deed: Callable[[], None] = lambda: None) -> BoardPlay:  # fmt: skip
        """Play one game; `deed` is done once, when `when` first holds."""
        play = self.site._board(script_of(game), None)

        def interrupted() -> Script:
            done = False
            for ask in play.play():
                if not done and when(play):
                    done = True
                    deed()
                yield ask

        self.site.live.play(interrupted())
        return play

    def settle(self, ns: int = 600_000_000) -> None:
        """Let so much real time pass, the table's body keeping up."""
        self.site.live.idle(time.monotonic_ns() + ns - self.site.body.now)


def write_seconds(directory: Path, seconds: Mapping[str, float]) -> Path:
    """A supplement that shortens provisions in seconds, for tests that cannot wait."""
    lines = ['id = "short"', 'title = { en = "Short waits", zh-CN = "短" }', "[documents.test]",
             'title = "For the test"', 'date = "unknown"']  # fmt: skip
    for key, value in seconds.items():
        lines += [f"[provisions.{key}]", f"value = {value}", 'document = "test"', 'standing = "text"']
    path = directory / "short.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def command(*words: str | Path, ok: int = 0) -> str:
    """A `table-controller` command's standard output; asserts its exit code."""
    done = subprocess.run(
        [*CONTROLLER, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == ok, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout if ok == 0 else done.stderr


def rows(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in command("journal", "export", journal).splitlines()]


def faults(journal: Path) -> list[tuple[str, str, str]]:
    """Every row about a fault: change, kind, component."""
    return fault_changes(rows(journal))


def fault_changes(told: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    bodies = [row["body"] for row in told if row["type"] == "fault"]
    return [(body["change"], body["fault"]["kind"], body["fault"]["component"]) for body in bodies]


def events(journal: Path) -> list[dict[str, Any]]:
    return [row["body"]["value"] for row in rows(journal) if row["body"].get("what") == "event"]


def boards(journal: Path) -> list[dict[str, Any]]:
    return [row["body"]["value"] for row in rows(journal) if row["body"].get("what") == "board"]


def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come in time"
        time.sleep(0.05)


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}
