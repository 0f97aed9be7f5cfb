"""The cases that happened, those a process, a port or a thread must suffer; the others are in the files
beside.

Cases 1, 2: test_debounce. 10, 11, 12, 15: test_link. 9, 12, 13, 14: test_faults.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic_ns

import pytest

from firmware_bridge.gpio_backend import GpioPort
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.readings import Direction, LevelRead, LinkDown, LinkUp, Reading, Snapshot
from firmware_bridge.serial_rig import SerialPort, SerialRig
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.hardware.host_faults import ControllerProcess
from hw_sim.hardware.pinserver import SimulatedPins
from hw_sim.misdeeds.hardware import HardwareBench, commit
from hw_sim.misdeeds.timeline import Timeline
from tests.firmware_bridge.calm import Watch
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import bench_of, make_gpio, make_serial, until

MS = 1_000_000
ROOT = Path(__file__).resolve().parents[2]


class Child:
    """The controller's place taken by a process that only holds a rig."""

    def __init__(self, kind: str, address: Path, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.firmware_bridge.child", kind, str(address)],
            cwd=ROOT if cwd is None else cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def heard(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self.say("quit")
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        self._thread.join(5)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Hardware:
    """Simulated hardware of either kind, in this process."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.moves: list[tuple[str, Direction, int]] = []
        self.hub = DeviceHub().start()
        self.address = folder / ("device" if kind == "serial" else "pins.sock")
        made = SimulatedDevice if kind == "serial" else SimulatedPins
        self.wires = made(SPEC, self.hub, self.address, on_motor=lambda *a: self.moves.append(a))
        self.wires.start()

    def close(self) -> None:
        self.wires.close()
        self.hub.close()


@pytest.fixture(params=["serial", "gpio"])
def hardware(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hardware]:
    made = Hardware(request.param, tmp_path)
    yield made
    made.close()


def test_case_3_a_read_only_working_directory_makes_no_difference(hardware: Hardware, tmp_path: Path) -> None:
    cwd = tmp_path / "read-only"
    cwd.mkdir()
    cwd.chmod(0o555)
    child = Child(hardware.kind, hardware.address, cwd=cwd)
    try:
        until(lambda: child.heard("Snapshot"), 10)
        assert list(cwd.iterdir()) == []
    finally:
        child.close()


def test_case_4_a_second_owner_is_told_and_the_first_is_undisturbed(hardware: Hardware) -> None:
    first = Child(hardware.kind, hardware.address)
    try:
        until(lambda: first.heard("Snapshot"), 10)
        second = Child(hardware.kind, hardware.address)
        second.process.wait(10)
        second._thread.join(5)
        assert second.process.returncode == 2
        (line,) = second.lines
        assert line.startswith("refused: ")
        assert "is already in use by another process; stop that one first" in line
        hardware.wires.set_input("a", True)
        until(lambda: first.heard("signal='a', active=True"))
        assert not first.heard("LinkDown")
    finally:
        first.close()


def test_case_5_a_handler_that_blocks_a_second_costs_no_event_and_no_time(hardware: Hardware) -> None:
    kind = hardware.kind
    told: list[Reading] = []
    blocking = threading.Event()

    def slow(reading: Reading) -> None:
        if isinstance(reading, LevelRead) and reading.signal == "a":
            blocking.set()
            time.sleep(1.0)
        told.append(reading)

    rig: SerialRig | GpioRig
    if kind == "serial":
        rig = SerialRig(SPEC, SerialPort(path=str(hardware.address)))
    else:
        rig = GpioRig(SPEC, GpioPort(factory="hw-sim", socket=str(hardware.address)))
    try:
        rig.start(slow)
        until(lambda: any(isinstance(r, Snapshot) for r in told))
        time.sleep(0.3)
        hardware.wires.set_input("a", True)
        blocking.wait(5)
        truth = []
        with Watch() as watch:
            for i in range(6):
                truth.append(monotonic_ns())
                hardware.wires.set_input("b", i % 2 == 0)
                time.sleep(0.1)
            until(lambda: sum(isinstance(r, LevelRead) and r.signal == "b" for r in told) == 6)
        for read, at in zip(
            [r for r in told if isinstance(r, LevelRead) and r.signal == "b"], truth, strict=True
        ):
            assert abs(read.at - at) < 50 * MS + read.uncertainty + watch.worst
            assert not read.inferred
    finally:
        rig.close()


def test_case_6_an_exception_in_a_callback_silences_nothing_and_is_counted(hardware: Hardware) -> None:
    told: list[Reading] = []

    def raising(reading: Reading) -> None:
        if isinstance(reading, LevelRead) and reading.signal == "a":
            raise RuntimeError("a handler's mistake")
        told.append(reading)

    rig: SerialRig | GpioRig
    if hardware.kind == "serial":
        rig = SerialRig(SPEC, SerialPort(path=str(hardware.address)))
    else:
        rig = GpioRig(SPEC, GpioPort(factory="hw-sim", socket=str(hardware.address)))
    try:
        rig.start(raising)
        until(lambda: any(isinstance(r, Snapshot) for r in told))
        hardware.wires.set_input("a", True)
        hardware.wires.set_input("b", True)
        until(lambda: any(isinstance(r, LevelRead) and r.signal == "b" for r in told))
        health = rig.health()
        assert health.callback_errors == 1
        assert "a handler's mistake" in health.last_error
        assert health.thread_alive
    finally:
        rig.close()


def test_case_6_an_exception_in_an_edge_callback_kills_no_line(tmp_path: Path) -> None:
    bench, pins = make_gpio(tmp_path)
    rig = bench.rig
    assert isinstance(rig, GpioRig)
    try:
        rig.start(bench.inbox)
        bench.wait(Snapshot)
        whole = rig._lines._on_edge

        def broken(index: int, active: bool, at: int) -> None:
            if index == 0:
                raise MemoryError("no room for the edge")
            whole(index, active, at)

        rig._lines._on_edge = broken
        pins.set_input("a", True)
        pins.set_input("b", True)
        assert bench.wait(LevelRead).signal == "b"
        # The edge that failed is found by its level.
        healed = bench.wait(LevelRead)
        assert (healed.signal, healed.inferred) == ("a", True)
        assert rig.health().callback_errors == 1
        assert rig.health().backend_restarts == 0
    finally:
        rig.close()
        pins.close()
        assert bench.hub is not None
        bench.hub.close()


def test_case_7_a_cable_pulled_between_two_reads_is_one_loss_and_no_dead_thread(tmp_path: Path) -> None:
    with bench_of("serial", tmp_path) as bench:
        bench.wait(Snapshot)
        device = bench.world
        assert isinstance(device, SimulatedDevice)
        for _ in range(5):
            device.unplug()
            bench.wait(LinkDown)
            assert not [r for r in bench.settle(0.05) if isinstance(r, LinkDown)]
            device.replug()
            bench.wait(LinkUp)
            assert bench.rig.health().thread_alive


@pytest.mark.parametrize(
    "error", [OSError(5, "EIO"), TypeError("fd is None"), ValueError("fd -1"), "termios"]
)
def test_case_7_whatever_the_port_raises_is_one_link_lost(tmp_path: Path, error: Exception | str) -> None:
    import termios

    bench, device = make_serial(tmp_path)
    raised = termios.error(6, "gone") if isinstance(error, str) else error
    rig = bench.rig
    assert isinstance(rig, SerialRig)
    try:
        rig.start(bench.inbox)
        bench.wait(Snapshot)
        port = rig._serial
        assert port is not None

        def gone(size: int = 1) -> bytes:
            raise raised

        setattr(port, "read", gone)  # noqa: B010
        down = bench.wait(LinkDown)
        assert type(raised).__name__ in down.why
        bench.wait(LinkUp)
        assert not [r for r in bench.settle(0.1) if isinstance(r, LinkDown)]
    finally:
        rig.close()
        device.close()
        assert bench.hub is not None
        bench.hub.close()


def test_case_16_kill_9_while_the_window_is_closing_stops_the_motor_within_its_lease(
    hardware: Hardware,
) -> None:
    child = Child(hardware.kind, hardware.address)
    try:
        until(lambda: child.heard("Snapshot"), 10)
        child.say("close-window")
        until(lambda: hardware.wires.motor("motor") is Direction.CLOSE)
        time.sleep(0.6)  # longer than a lease: it runs because it is renewed
        until(lambda: hardware.wires.motor("motor") is Direction.CLOSE)
        with Watch() as watch:
            killed = monotonic_ns()
            child.process.send_signal(signal.SIGKILL)
            until(lambda: hardware.moves[-1][1] is Direction.STOP)
        assert hardware.wires.motor("motor") is Direction.STOP
        stopped = hardware.moves[-1]
        # The lease is 400 ms; the rest is what a busy machine takes to notice.
        assert stopped[2] - killed < 600 * MS + watch.paused
    finally:
        child.close()


def test_a_stopped_controller_process_leaves_outputs_safe_and_loses_nothing(tmp_path: Path) -> None:
    """SIGSTOP, the long form of case 11: the process stands still in the middle of everything."""
    hardware = Hardware("serial", tmp_path)
    child = Child("serial", hardware.address)
    try:
        until(lambda: child.heard("Snapshot"), 10)
        child.say("lamp")
        until(lambda: hardware.wires.outputs()["lamp"])
        child.process.send_signal(signal.SIGSTOP)
        until(lambda: not hardware.wires.outputs()["lamp"])
        for i in range(10):
            hardware.wires.set_input("a", i % 2 == 0)
            time.sleep(0.05)
        time.sleep(1.0)
        child.process.send_signal(signal.SIGCONT)
        until(lambda: sum("signal='a'" in line for line in child.lines) == 10)
        assert not any("inferred=True" in line for line in child.lines)
        until(lambda: hardware.wires.outputs()["lamp"])
    finally:
        child.process.send_signal(signal.SIGCONT)
        child.close()
        hardware.close()


def test_wall_time_is_never_asked() -> None:
    """A wall clock that steps two weeks moves nothing here: nothing here looks at it."""
    for path in sorted((ROOT / "firmware_bridge").rglob("*.py")):
        text = path.read_text()
        for word in ("time.time(", "datetime", "time_ns(", "localtime", "gmtime"):
            assert word not in text.replace("monotonic_ns(", ""), f"{path.name} uses {word}"


def test_host_stall_and_second_opener_are_misdeeds_by_name(hardware: Hardware) -> None:
    child = Child(hardware.kind, hardware.address)
    timeline = Timeline().start()
    command = [sys.executable, "-m", "tests.firmware_bridge.child", hardware.kind, str(hardware.address)]
    steps: list[float] = []
    host = ControllerProcess(child.process, command, steps.append)
    bench = HardwareBench(
        spec=SPEC,
        wires=FaultyWires(hardware.wires, timeline.after, Random(1)),
        after=timeline.after,
        host=host,
    )
    try:
        until(lambda: child.heard("Snapshot"), 10)
        commit(bench, "second-opener", seed=1)
        assert "already in use by another process" in bench.notes[0]
        commit(bench, "host-stall", seed=1, ms="3000")
        hardware.wires.set_input("a", True)
        time.sleep(0.3)
        assert not child.heard("signal='a'")
        until(lambda: child.heard("signal='a', active=True"), 15)
        commit(bench, "wall-step", seed=1)
        assert steps == [1209600.0]
    finally:
        timeline.close()
        host.stall(False)
        child.close()
