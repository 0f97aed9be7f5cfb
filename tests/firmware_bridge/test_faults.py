"""Every fault of the hardware at this layer, injected below the drivers by its name, on both ways in.

Given a fault by name and a seed, then what must happen happens: read from what the rig told.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.readings import (
    DeviceRestarted,
    Direction,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    MoveStatus,
    ResetCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
)
from firmware_bridge.rig import LinkState, MoveWindow, SetOutput
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.misdeeds.hardware import (
    HARDWARE_MISDEEDS,
    HardwareBench,
    NotHere,
    UnknownHardwareMisdeed,
    commit,
)
from hw_sim.misdeeds.timeline import Timeline
from tests.firmware_bridge.calm import Watch, calmly
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import Bench, bench_of, until

pytestmark = pytest.mark.live

MS = 1_000_000


class Faulty:
    """A bench whose wires go through `FaultyWires`."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.timeline = Timeline().start()
        assert not isinstance(bench.world, dict)
        self.wires = FaultyWires(bench.world, self.timeline.after, Random(5))  # type: ignore[arg-type]
        cable = bench.world if isinstance(bench.world, SimulatedDevice) else None
        self.hardware = HardwareBench(spec=SPEC, wires=self.wires, after=self.timeline.after, cable=cable)

    def commit(self, name: str, **options: str) -> None:
        commit(self.hardware, name, seed=1, **options)

    def rest(self, *signals: str) -> None:
        """As nobody had touched them; what an attempt before left is forgotten."""
        for signal in signals:
            self.wires.set_input(signal, False)
        self.bench.settle(0.15)

    def close(self) -> None:
        self.timeline.close()
        assert self.timeline.errors == []


def faulty_of(kind: str, folder: Path) -> Iterator[Faulty]:
    with bench_of(kind, folder) as bench:
        bench.wait(Snapshot)
        made = Faulty(bench)
        try:
            yield made
        finally:
            made.close()


@pytest.fixture(params=["serial", "gpio"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Faulty]:
    yield from faulty_of(request.param, tmp_path)


@pytest.fixture
def serial(tmp_path: Path) -> Iterator[Faulty]:
    yield from faulty_of("serial", tmp_path)


@pytest.fixture
def gpio(tmp_path: Path) -> Iterator[Faulty]:
    yield from faulty_of("gpio", tmp_path)


def test_bounce_is_one_event_at_its_first_edge(table: Faulty) -> None:
    def bounced() -> None:
        table.rest("a")
        for active in (True, False):
            table.commit("bounce", signal="a", ms="20")
            before = time.monotonic_ns()
            table.wires.set_input("a", active)
            read = table.bench.wait(LevelRead)
            assert (read.signal, read.active) == ("a", active)
            assert -2 * MS <= read.at - before - read.uncertainty < 5 * MS
            assert not [r for r in table.bench.settle(0.1) if isinstance(r, LevelRead)]

    calmly(bounced)


def test_glitch_is_counted_and_not_told(table: Faulty) -> None:
    def glitched() -> None:
        table.rest("a", "b", "c", "d")
        table.bench.settle(0.5)  # what an attempt before left is counted late
        before = table.bench.rig.health().glitches
        # Slow inputs alone: one that is told to be quick believes what it sees.
        for signal in ("a", "b", "c", "d"):
            table.commit("glitch", signal=signal, ms="3")
        told = table.bench.settle(0.5)
        assert not [r for r in told if isinstance(r, LevelRead)]
        assert table.bench.rig.health().glitches == before + 4

    calmly(glitched)


def test_double_trip_is_one_event(table: Faulty) -> None:
    def tripped() -> None:
        table.rest("b")
        table.commit("double-trip", signal="b", ms="8")
        table.wires.set_input("b", True)
        assert table.bench.wait(LevelRead).signal == "b"
        assert not [r for r in table.bench.settle(0.2) if isinstance(r, LevelRead)]

    calmly(tripped)


@pytest.mark.parametrize(("name", "hz"), [("storm", "400"), ("float", "120")])
def test_a_restless_input_is_suspect_within_5_s_and_slows_nothing_else(
    table: Faulty, name: str, hz: str
) -> None:
    with Watch() as watch:
        began = time.monotonic_ns()
        table.commit(name, signal="a", hz=hz, ms="4000")
        doubted = table.bench.wait(SignalSuspected, s=15)
        assert doubted.signal == "a"
        assert time.monotonic_ns() - began < 5_000 * MS + watch.paused
    with Watch() as watch:
        pressed = time.monotonic_ns()
        table.wires.set_input("b", True)
        read = table.bench.wait(LevelRead)
        assert read.signal == "b"
        assert time.monotonic_ns() - pressed < 500 * MS + watch.paused
    if name == "storm":
        assert table.bench.wait(SignalTrusted, s=15).signal == "a"


def test_a_stuck_input_stays_and_is_as_it_truly_is_afterwards(table: Faulty) -> None:
    table.commit("stuck", signal="a", level="active", ms="300")
    assert table.bench.wait(LevelRead).active is True
    table.wires.set_input("a", True)
    table.wires.set_input("a", False)
    assert table.bench.wait(LevelRead).active is False


def test_a_lost_edge_is_healed_within_250_ms_and_marked(table: Faulty) -> None:
    """By comparing levels: on GPIO all of them, on a wire the digest of every answer to a ping."""
    on_the_way = 250 * MS + (20 * MS if table.bench.kind == "serial" else 0)

    def healed() -> None:
        table.rest("a")
        table.bench.settle(0.3)
        for active in (True, False, True):
            table.commit("lost-edge", signal="a")
            before = time.monotonic_ns()
            table.wires.set_input("a", active)
            read = table.bench.wait(LevelRead)
            assert (read.signal, read.active, read.inferred) == ("a", active, True)
            assert read.not_before is not None
            assert read.not_before - read.uncertainty <= before <= read.at + read.uncertainty
            assert time.monotonic_ns() - before < on_the_way
        assert table.bench.rig.health().inferred >= 3

    calmly(healed)


def test_both_limits_and_jam_are_what_the_wires_say(table: Faulty) -> None:
    table.commit("both-limits", ms="200")
    levels = {table.bench.wait(LevelRead).signal for _ in range(2)}
    assert levels == {"limit.open", "limit.close"}
    table.bench.settle(0.4)
    table.commit("jam", ms="400")
    table.bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=250))
    table.wires.set_input("limit.open", True)
    assert table.bench.wait(MoveEnded).status is MoveStatus.LEASE_EXPIRED


def test_case_14_open_and_close_have_limits_of_their_own(table: Faulty) -> None:
    table.wires.set_input("limit.close", True)
    table.bench.wait(LevelRead)
    table.bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=300))
    until(lambda: table.bench.world.motor("motor") is Direction.OPEN)
    assert table.bench.wait(MoveEnded).status is MoveStatus.LEASE_EXPIRED
    table.bench.settle(0.6)
    assert table.bench.world.motor("motor") is Direction.STOP


def test_obstruct_stops_a_closing_window(table: Faulty) -> None:
    table.bench.rig.command(MoveWindow(output="motor", direction=Direction.CLOSE, lease_ms=1000))
    until(lambda: table.bench.world.motor("motor") is Direction.CLOSE)
    table.commit("obstruct", ms="300")
    assert table.bench.wait(MoveEnded).status is MoveStatus.OBSTRUCTED


def test_moved_by_hand_is_followed(table: Faulty) -> None:
    table.wires.set_input("limit.close", True)
    table.bench.wait(LevelRead)
    table.commit("moved-by-hand", ms="60")
    got = [table.bench.wait(LevelRead) for _ in range(2)]
    assert [(r.signal, r.active) for r in got] == [("limit.close", False), ("limit.open", True)]
    assert not [r for r in table.bench.settle() if isinstance(r, MoveEnded)]


def test_reset_is_told_with_its_cause_and_invents_nothing(serial: Faulty) -> None:
    serial.wires.set_input("a", True)
    serial.wires.set_token("t0", "7")
    serial.bench.wait(LevelRead)
    serial.bench.settle()
    serial.commit("reset", cause="brown_out")
    restarted = serial.bench.wait(DeviceRestarted)
    assert restarted.cause is ResetCause.BROWN_OUT
    shot = serial.bench.wait(Snapshot)
    assert shot.levels["a"] is True
    assert shot.tokens["t0"] == "7"
    after = serial.bench.told[serial.bench.told.index(restarted) :]
    assert [type(r) for r in after] == [DeviceRestarted, Snapshot]


def test_case_9_unplugged_and_back_under_another_name_events_arrive_once(serial: Faulty) -> None:
    device = serial.bench.world
    assert isinstance(device, SimulatedDevice)
    before = os.readlink(device.link_path)
    hold = os.openpty()  # takes the name that would be free again
    try:
        device.unplug()
        down = serial.bench.wait(LinkDown)
        assert "lost" in down.why
        hold2 = os.openpty()
        serial.wires.set_input("a", True)
        time.sleep(0.1)
        serial.wires.set_input("a", False)
        time.sleep(0.1)
        device.replug()
        for fd in hold2:
            os.close(fd)
        assert os.readlink(device.link_path) != before
        serial.bench.wait(LinkUp)
        got = [serial.bench.wait(LevelRead) for _ in range(2)]
        assert [(r.signal, r.active, r.inferred) for r in got] == [("a", True, False), ("a", False, False)]
        assert not [r for r in serial.bench.settle(0.3) if isinstance(r, (LevelRead, LinkDown))]
    finally:
        for fd in hold:
            os.close(fd)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("noise", {"noise": "0.01"}),
        ("lose", {"lose": "0.01"}),
        ("drop", {"drop_every": "4"}),
        ("duplicate", {"duplicate": "0.5"}),
        ("split", {"split": "2"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_line_costs_time_and_no_event(serial: Faulty, name: str, options: dict[str, str]) -> None:
    serial.commit(name, ms="60000", **options)
    expected = []
    for i in range(40):
        signal, active = ("quick", "limit.open")[i % 2], i // 2 % 2 == 0
        serial.wires.set_input(signal, active)
        expected.append((signal, active))
        time.sleep(0.02)
    got = [serial.bench.wait(LevelRead) for _ in expected]
    for signal in ("quick", "limit.open"):
        assert [r.active for r in got if r.signal == signal] == [a for s, a in expected if s == signal]
    assert not any(r.inferred for r in got)


def test_garbage_at_greeting_is_ignored_and_counted(serial: Faulty) -> None:
    serial.commit("garbage", bytes="2000")
    serial.bench.wait(LinkUp)
    serial.bench.wait(Snapshot)
    assert serial.bench.rig.health().bad_frames > 0
    serial.wires.set_input("a", True)
    assert serial.bench.wait(LevelRead).signal == "a"


def test_mute_is_degraded_then_lost_then_found(serial: Faulty) -> None:
    serial.commit("mute", ms="5000")  # two seconds are a loss, and those in which we stood still do not count
    until(lambda: serial.bench.rig.health().link is LinkState.DEGRADED)
    assert "nothing heard" in serial.bench.wait(LinkDown, s=10).why
    serial.bench.wait(LinkUp, s=15)


def test_case_13_event_times_with_the_devices_clock_half_a_percent_off(serial: Faulty) -> None:
    serial.commit("clock-drift", ppm="5000")
    time.sleep(1.2)
    for i in range(30):
        before = time.monotonic_ns()
        serial.wires.set_input("quick", i % 2 == 0)
        after = time.monotonic_ns()
        read = serial.bench.wait(LevelRead)
        assert before - 2 * MS - read.uncertainty <= read.at <= after + 2 * MS + read.uncertainty
        time.sleep(0.03)


def test_outputs_return_after_a_lost_link_and_movements_do_not(serial: Faulty) -> None:
    serial.bench.rig.command(SetOutput(output="lamp", on=True))
    serial.bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=300))
    until(lambda: serial.bench.world.outputs()["lamp"])
    serial.commit("unplug", ms="1500")
    serial.bench.wait(LinkDown)
    until(lambda: not serial.bench.world.outputs()["lamp"], 2)
    serial.bench.wait(LinkUp)
    until(lambda: serial.bench.world.outputs()["lamp"])
    assert serial.bench.world.motor("motor") is Direction.STOP


def test_a_dead_notification_thread_is_said_and_the_back_end_opened_anew(gpio: Faulty) -> None:
    assert isinstance(gpio.bench.rig, GpioRig)
    gpio.bench.rig.command(SetOutput(output="lamp", on=True))
    until(lambda: gpio.bench.world.outputs()["lamp"])
    gpio.bench.world.drop_client()  # type: ignore[attr-defined]
    gpio.wires.set_input("a", True)
    assert "has died" in gpio.bench.wait(LinkDown).why
    gpio.bench.wait(LinkUp)
    read = gpio.bench.wait(LevelRead)
    assert (read.signal, read.active, read.inferred) == ("a", True, True)
    gpio.bench.wait(Snapshot)
    until(lambda: gpio.bench.world.outputs()["lamp"])
    assert gpio.bench.rig.health().backend_restarts == 1


def test_unknown_names_options_and_values_are_refused_in_a_sentence(gpio: Faulty) -> None:
    with pytest.raises(UnknownHardwareMisdeed, match="choose one of bounce, glitch"):
        gpio.commit("gremlin")
    with pytest.raises(UnknownHardwareMisdeed, match="has no option 'volts'; it has signal, ms"):
        gpio.commit("bounce", volts="5")
    with pytest.raises(UnknownHardwareMisdeed, match="expected a number"):
        gpio.commit("bounce", ms="long")
    with pytest.raises(UnknownHardwareMisdeed, match="no input 'z'"):
        gpio.commit("bounce", signal="z")
    with pytest.raises(NotHere, match="reset needs cable"):
        gpio.commit("reset")


def test_every_fault_of_the_list_has_a_name() -> None:
    listed = (
        "bounce glitch emi double-trip float stuck lost-edge storm jam obstruct both-limits moved-by-hand "
        "reset unplug noise drop duplicate split garbage mute host-stall second-opener clock-drift wall-step"
    )
    assert set(listed.split()) <= set(HARDWARE_MISDEEDS)
