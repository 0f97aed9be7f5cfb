"""Case 11, a host that stands still: outputs safe, events kept with their times, or a gap that is told.

A wire's device keeps events and counts what it cannot keep. On direct GPIO only the kernel keeps a few edges
of each line, and the rig tells of the time in which nobody read them.
"""

from __future__ import annotations

import os
import re
import signal
import time
import tty
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import monotonic_ns

import pytest

from firmware_bridge import gpio_lines
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.readings import Direction, LevelRead, ReadingGap, Snapshot, TokenRead
from firmware_bridge.serial_rig import SerialPort, SerialRig
from tests.firmware_bridge.calm import Watch, calmly
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import make_gpio, until
from tests.firmware_bridge.test_hardware_cases import Child, Hardware

MS = 1_000_000
STALL_S = 2.6
PAUSE_SLACK = 100 * MS
"""The rig's own measure of a pause is not to the millisecond ours."""
MANY = ("a", "b", "c", "d", "quick", "limit.open", "blocked", "current")


class Stalled:
    """A process with a rig in mid-movement, that stands still while a button is worked."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.hardware = Hardware(kind, folder)
        self.child = Child(kind, self.hardware.address)
        self.truth: list[int] = []
        self.watch = Watch()
        self.watch.__enter__()
        until(lambda: self.child.heard("Snapshot"), 10)
        self.child.say("lamp")
        self.child.say("close-window")
        until(lambda: self.hardware.wires.motor("motor") is Direction.CLOSE)

    def stall(self, changes: int, signals: tuple[str, ...] = ("a",)) -> None:
        """Stand still, inputs changing so often meanwhile, then go on."""
        stopped = monotonic_ns()
        self.child.process.send_signal(signal.SIGSTOP)
        until(lambda: self.hardware.wires.motor("motor") is Direction.STOP)
        for i in range(changes):
            self.truth.append(monotonic_ns())
            for wire in signals:
                self.hardware.wires.set_input(wire, i % 2 == 0)
            time.sleep(0.11)
        time.sleep(max(0.0, STALL_S - (monotonic_ns() - stopped) / 1e9))
        self.child.process.send_signal(signal.SIGCONT)

    def told(self) -> list[tuple[int, bool, bool]]:
        """(at, active, inferred) of each reading of the input."""
        shape = re.compile(r"LevelRead\(at=(\d+), .*signal='a', active=(\w+), inferred=(\w+)")
        found = [m for line in self.child.lines if (m := shape.search(line))]
        return [(int(m[1]), m[2] == "True", m[3] == "True") for m in found]

    def gaps(self) -> list[int]:
        """The length of each gap told."""
        return [
            int(m[1]) for line in self.child.lines if (m := re.search(r"ReadingGap\(.*length=(\d+)", line))
        ]

    def close(self) -> None:
        self.watch.__exit__()
        self.child.process.send_signal(signal.SIGCONT)
        self.child.close()
        self.hardware.close()


@pytest.fixture
def stalled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stalled]:
    made = Stalled(request.param, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("stalled", ["serial", "gpio"], indirect=True)
def test_case_11_a_stopped_process_finds_its_events_with_their_times_and_its_motor_safe(
    stalled: Stalled,
) -> None:
    stalled.stall(8)
    until(lambda: len(stalled.told()) == 8)
    for (at, active, inferred), (n, truth) in zip(stalled.told(), enumerate(stalled.truth), strict=True):
        assert active == (n % 2 == 0)
        assert not inferred
        assert abs(at - truth) < 20 * MS + stalled.watch.worst
    assert not stalled.child.heard("LinkDown")
    until(lambda: stalled.hardware.wires.outputs()["lamp"])
    if stalled.hardware.kind == "serial":
        assert stalled.gaps() == []
    else:
        until(lambda: max(stalled.gaps(), default=0) > STALL_S * 0.9e9)
        *others, longest = sorted(stalled.gaps())
        assert longest < STALL_S * 2e9 + stalled.watch.paused
        assert not [length for length in others if length > stalled.watch.worst + PAUSE_SLACK]


@pytest.mark.parametrize(
    ("stalled", "changes", "signals", "lost"),
    [
        pytest.param("serial", 21, MANY, "EventsDropped", id="a device's ring"),
        pytest.param("gpio", 21, ("a",), "ReadingGap", id="a kernel's few edges a line"),
    ],
    indirect=["stalled"],
)
def test_case_11_more_than_can_be_kept_is_a_loss_that_is_told_and_the_level_is_right(
    stalled: Stalled, changes: int, signals: tuple[str, ...], lost: str
) -> None:
    stalled.stall(changes, signals)
    until(lambda: stalled.child.heard(lost))
    until(lambda: bool(stalled.told()) and stalled.told()[-1][1])
    time.sleep(0.4)
    levels = [active for _, active, _ in stalled.told()]
    assert levels[-1] is True
    assert 0 < len(levels) < changes


def test_a_handler_that_blocks_is_no_gap_for_the_lines_were_read(tmp_path: Path) -> None:
    bench, pins = make_gpio(tmp_path)
    told: list[object] = []

    def slow(reading: object) -> None:
        told.append(reading)
        if isinstance(reading, LevelRead) and reading.signal == "a":
            time.sleep(1.3)

    watch = Watch()
    watch.__enter__()
    try:
        bench.rig.start(slow)
        pins.set_input("a", True)
        until(lambda: any(isinstance(r, LevelRead) and r.signal == "a" for r in told))
        pins.set_input("b", True)
        until(lambda: any(isinstance(r, LevelRead) and r.signal == "b" for r in told))
        time.sleep(0.3)
        gaps = [r.length for r in told if isinstance(r, ReadingGap)]
        assert not [length for length in gaps if length > watch.worst + PAUSE_SLACK]
    finally:
        watch.__exit__()
        bench.rig.close()
        pins.close()
        assert bench.hub is not None
        bench.hub.close()


def test_an_edge_that_is_told_late_has_the_time_at_which_it_was(tmp_path: Path) -> None:
    """The thread that tells of edges does not get to run; the kernel has stamped them."""
    folders = (tmp_path / str(number) for number in count())
    calmly(lambda: _late_edges(next(folders)))


def _late_edges(folder: Path) -> None:
    folder.mkdir()
    bench, pins = make_gpio(folder)
    rig = bench.rig
    assert isinstance(rig, GpioRig)
    try:
        rig.start(bench.inbox)
        bench.wait(Snapshot)
        backend = rig._lines.backend
        assert backend is not None
        take = backend._take  # type: ignore[attr-defined]

        def late(words: list[str]) -> None:
            if words[0] in ("level", "token"):
                time.sleep(0.1)
            take(words)

        setattr(backend, "_take", late)  # noqa: B010
        truth = []
        for active in (True, False):
            truth.append(monotonic_ns())
            pins.set_input("a", active)
            time.sleep(0.06)
        got = [bench.wait(LevelRead) for _ in range(2)]
        assert [(r.active, r.inferred) for r in got] == [(True, False), (False, False)]
        for read, at in zip(got, truth, strict=True):
            assert abs(read.at - at) < 10 * MS
        for text in ("1:P", "2:P"):
            at = monotonic_ns()
            pins.set_token("t0", text)
            told = bench.wait(TokenRead)
            assert told.token == text
            assert abs(told.at - at) < 10 * MS
    finally:
        rig.close()
        pins.close()
        assert bench.hub is not None
        bench.hub.close()


def test_a_device_that_reads_nothing_holds_up_no_thread(tmp_path: Path) -> None:
    """The terminal is full; what waits to be sent waits, and the rig still listens and ends."""
    master, slave = os.openpty()
    tty.setraw(slave)
    link = tmp_path / "device"
    link.symlink_to(os.ttyname(slave))
    rig = SerialRig(SPEC, SerialPort(path=str(link)))
    try:
        rig.start(lambda reading: None)
        rig._unsent += bytes(200_000)
        time.sleep(0.3)
        assert rig._unsent, "the terminal took everything"
        with Watch() as watch:
            began = monotonic_ns()
            rig.close()
            took = monotonic_ns() - began
        assert took < 2_000 * MS + watch.paused
        assert rig._thread is not None
        assert not rig._thread.is_alive()
    finally:
        rig.close()
        os.close(slave)
        os.close(master)


@pytest.mark.parametrize(
    "age", [None, -1.7e9, -0.5, 1.7e9], ids=["none", "of the wall", "ahead", "of no clock"]
)
def test_a_stamp_of_another_clock_is_not_believed(age: float | None) -> None:
    """Kernels before 5.7 stamp edges with the wall clock."""
    before = monotonic_ns()
    assert before <= gpio_lines.stamp_of(lambda: age) <= monotonic_ns()


def test_a_stamp_of_our_clock_is_the_edges_time() -> None:
    before = monotonic_ns()
    stamp = gpio_lines.stamp_of(lambda: 3.0)
    assert before <= stamp + 3_000 * MS <= monotonic_ns()
