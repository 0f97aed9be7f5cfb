"""Started and stopped, pulled and put back, over and over: no thread, descriptor or memory is left behind.

A few times in `make test`, a thousand in `make test-long`.
"""

from __future__ import annotations

import gc
import os
import threading
import time
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from firmware_bridge.errors import PortInUseError
from firmware_bridge.gpio_backend import GpioPort
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.readings import LevelRead, LinkDown, LinkUp, Snapshot
from firmware_bridge.serial_rig import SerialPort, SerialRig
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import Bench, make_gpio, make_serial, until


def counts() -> tuple[int, int]:
    return threading.active_count(), len(os.listdir("/proc/self/fd"))


def start_and_stop(folder: Path, kind: str, times: int) -> None:
    """Case 8: stop during a blocking read; no exception, no thread or descriptor left."""
    bench: Bench
    bench, world = make_serial(folder) if kind == "serial" else make_gpio(folder)
    errors: list[str] = []
    threading.excepthook = lambda args: errors.append(repr(args.exc_value))
    try:
        before = counts()
        for i in range(times):
            rig: SerialRig | GpioRig
            if kind == "serial":
                rig = SerialRig(SPEC, SerialPort(path=str(folder / "device")))
            else:
                rig = GpioRig(SPEC, GpioPort(factory="hw-sim", socket=str(folder / "pins.sock")))
            for patience in range(200):
                try:
                    rig.start(bench.inbox)
                    break
                except PortInUseError:
                    # The simulator hears of the hang-up a moment later.
                    assert patience < 199
                    time.sleep(0.005)
                    rig.close()
                    rig = GpioRig(SPEC, GpioPort(factory="hw-sim", socket=str(folder / "pins.sock")))
            if i % 3 == 0:
                time.sleep(0.01)
            rig.close()
        until(lambda: counts() <= before)
        assert errors == []
    finally:
        threading.excepthook = threading.__excepthook__
        world.close()
        assert bench.hub is not None
        bench.hub.close()


@pytest.mark.parametrize("kind", ["serial", "gpio"])
def test_case_8_thirty_starts_and_stops(tmp_path: Path, kind: str) -> None:
    start_and_stop(tmp_path, kind, 30)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["serial", "gpio"])
def test_case_8_a_thousand_starts_and_stops(tmp_path: Path, kind: str) -> None:
    start_and_stop(tmp_path, kind, 1000)


def held_by_rig() -> int:
    """Bytes held that the rig's own code allocated."""
    gc.collect()
    wanted = [tracemalloc.Filter(True, "*/firmware_bridge/*"), tracemalloc.Filter(False, "*/tests/*")]
    shot = tracemalloc.take_snapshot().filter_traces(wanted)
    return sum(line.size for line in shot.statistics("filename"))


def unplug_and_replug(folder: Path, times: int) -> None:
    """With a back-off of 0: every loss told once, every return too, nothing left behind."""
    bench, device = make_serial(folder, backoff_first_s=0.0, backoff_most_s=0.0)
    try:
        bench.rig.start(bench.inbox)
        bench.wait(Snapshot)
        before = counts()
        memory = 0
        kinds: Counter[type] = Counter()
        tracemalloc.start()
        for turn in range(times):
            device.unplug()
            bench.wait(LinkDown)
            device.replug()
            bench.wait(LinkUp)
            kinds.update(type(r) for r in bench.told)
            bench.told.clear()
            if turn == times // 4:
                memory = held_by_rig()
        bench.wait(Snapshot)
        until(lambda: counts() <= before)
        assert held_by_rig() - memory < 50_000
        tracemalloc.stop()
        kinds.update(type(r) for r in bench.told)
        assert (kinds[LinkDown], kinds[LinkUp]) == (times, times + 1)
        device.set_input("a", True)
        assert bench.wait(LevelRead).signal == "a"
    finally:
        bench.rig.close()
        device.close()
        assert bench.hub is not None
        bench.hub.close()


def test_twenty_unplugs(tmp_path: Path) -> None:
    unplug_and_replug(tmp_path, 20)


@pytest.mark.long
def test_a_thousand_unplugs(tmp_path: Path) -> None:
    unplug_and_replug(tmp_path, 1000)
