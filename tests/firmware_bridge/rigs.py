"""The three rigs on the same wires, each with a world to work them: one contract for all."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from firmware_bridge.gpio_backend import GpioPort
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.memory_rig import MemoryRig
from firmware_bridge.readings import Direction, Reading
from firmware_bridge.rig import Rig, RigSpec
from firmware_bridge.serial_rig import SerialPort, SerialRig
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.pinserver import SimulatedPins
from tests.firmware_bridge.conftest import SPEC

R = TypeVar("R", bound=Reading)
PATIENCE_S = 5.0


class World(Protocol):
    """What the test may do to the wires."""

    def set_input(self, signal: str, active: bool) -> None: ...

    def set_token(self, signal: str, text: str) -> None: ...

    def outputs(self) -> dict[str, bool]: ...

    def motor(self, name: str) -> Direction: ...


class MemoryWorld:
    """The memory rig is its own world; a thread ends its leases."""

    def __init__(self, rig: MemoryRig) -> None:
        self.rig = rig
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def set_input(self, signal: str, active: bool) -> None:
        self.rig.set_level(signal, active)

    def set_token(self, signal: str, text: str) -> None:
        self.rig.set_token(signal, text)

    def outputs(self) -> dict[str, bool]:
        return dict(self.rig.outputs)

    def motor(self, name: str) -> Direction:
        return self.rig.moving.get(name, (Direction.STOP, 0))[0]

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _tick(self) -> None:
        while not self._stop.wait(0.01):
            self.rig.tick()


@dataclass
class Bench:
    """A started rig, its world, and what it told."""

    kind: str
    rig: Rig
    world: World
    hub: DeviceHub | None = None
    told: list[Reading] = field(default_factory=list)
    moves: list[tuple[str, Direction, int]] = field(default_factory=list)
    _new: queue.SimpleQueue[Reading] = field(default_factory=queue.SimpleQueue)

    def inbox(self, reading: Reading) -> None:
        self._new.put(reading)

    def wait(self, kind: type[R], *, ok: Callable[[R], bool] = lambda r: True, s: float = PATIENCE_S) -> R:
        """The next reading of a kind; AssertionError with everything told when it does not come."""
        until = time.monotonic() + s
        while True:
            try:
                reading = self._new.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {kind.__name__} in {s} s; told so far: {self.told}") from None
            self.told.append(reading)
            if isinstance(reading, kind) and ok(reading):
                return reading

    def settle(self, s: float = 0.15) -> list[Reading]:
        """Let a little time pass; everything told in it."""
        time.sleep(s)
        fresh = []
        while not self._new.empty():
            fresh.append(self._new.get())
        self.told += fresh
        return fresh


def until(ask: Callable[[], bool], s: float = PATIENCE_S) -> None:
    """Wait until it is so."""
    end = time.monotonic() + s
    while not ask():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.002)


def make_serial(folder: Path, spec: RigSpec = SPEC, **port: float) -> tuple[Bench, SimulatedDevice]:
    """A serial rig, not yet started, on a simulated device that is."""
    hub = DeviceHub().start()
    moves: list[tuple[str, Direction, int]] = []
    device = SimulatedDevice(spec, hub, folder / "device", on_motor=lambda *a: moves.append(a))
    device.start()
    options = {"backoff_first_s": 0.05, **port}
    rig = SerialRig(spec, SerialPort(path=str(folder / "device"), **options))  # type: ignore[arg-type]
    return Bench(kind="serial", rig=rig, world=device, hub=hub, moves=moves), device


def make_gpio(folder: Path, spec: RigSpec = SPEC) -> tuple[Bench, SimulatedPins]:
    """A GPIO rig, not yet started, on simulated pins that are."""
    hub = DeviceHub().start()
    moves: list[tuple[str, Direction, int]] = []
    pins = SimulatedPins(spec, hub, folder / "pins.sock", on_motor=lambda *a: moves.append(a))
    pins.start()
    rig = GpioRig(spec, GpioPort(factory="hw-sim", socket=str(folder / "pins.sock")))
    return Bench(kind="gpio", rig=rig, world=pins, hub=hub, moves=moves), pins


@contextmanager
def bench_of(kind: str, folder: Path, spec: RigSpec = SPEC) -> Iterator[Bench]:
    """A started rig of a kind; everything is closed at the end."""
    world: SimulatedDevice | SimulatedPins | MemoryWorld
    match kind:
        case "serial":
            bench, world = make_serial(folder, spec)
        case "gpio":
            bench, world = make_gpio(folder, spec)
        case _:
            memory = MemoryRig(spec)
            world = MemoryWorld(memory)
            bench = Bench(kind="memory", rig=memory, world=world)
    try:
        bench.rig.start(bench.inbox)
        yield bench
    finally:
        bench.rig.close()
        world.close()
        if bench.hub is not None:
            bench.hub.close()
