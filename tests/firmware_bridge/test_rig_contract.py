"""One contract, three rigs: memory, direct GPIO on simulated pins, serial to the firmware that ships."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.errors import RigConfigError, RigStateError
from firmware_bridge.readings import (
    Direction,
    LevelRead,
    LinkUp,
    MoveEnded,
    MoveStatus,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import LinkState, MoveWindow, SetOutput
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import Bench, bench_of, until

MS = 1_000_000


@pytest.fixture(params=["memory", "gpio", "serial"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    with bench_of(request.param, tmp_path) as made:
        made.wait(Snapshot)
        yield made


def test_the_link_is_told_first_then_every_level_and_text(bench: Bench) -> None:
    assert isinstance(bench.told[0], LinkUp)
    shot = bench.told[-1]
    assert isinstance(shot, Snapshot)
    assert shot.levels == bench.rig.levels() == {i.signal: False for i in SPEC.inputs}
    assert shot.tokens == bench.rig.tokens() == {"t0": "", "t5": ""}
    assert bench.rig.health().link is LinkState.UP
    assert bench.rig.health().thread_alive


def test_a_change_is_told_once_at_its_time_on_the_monotonic_clock(bench: Bench) -> None:
    before = time.monotonic_ns()
    bench.world.set_input("a", True)
    after = time.monotonic_ns()
    read = bench.wait(LevelRead)
    assert (read.signal, read.active, read.inferred) == ("a", True, False)
    # GPIO's callback has a thread of its own, which a busy machine may let wait.
    late = 50 * MS if bench.kind == "gpio" else 2 * MS
    assert before - 2 * MS - read.uncertainty <= read.at <= after + late + read.uncertainty
    assert bench.rig.levels()["a"] is True
    assert not [r for r in bench.settle() if isinstance(r, LevelRead)]


def test_every_kind_of_wiring_reads_active_when_worked(bench: Bench) -> None:
    for signal in ("a", "b", "c", "d", "quick"):
        for active in (True, False):
            bench.world.set_input(signal, active)
            read = bench.wait(LevelRead)
            assert (read.signal, read.active) == (signal, active)


def test_a_readers_text_is_told(bench: Bench) -> None:
    bench.world.set_token("t5", "12:3NT")
    read = bench.wait(TokenRead)
    assert (read.signal, read.token, read.inferred) == ("t5", "12:3NT", False)
    assert bench.rig.tokens() == {"t0": "", "t5": "12:3NT"}
    bench.world.set_token("t5", "")
    assert bench.wait(TokenRead).token == ""


def test_lamps_and_latches_follow_orders_whatever_their_safe_level(bench: Bench) -> None:
    for name in ("lamp", "low lamp", "latch"):
        bench.rig.command(SetOutput(output=name, on=True))
        until(lambda n=name: bench.world.outputs()[n])  # type: ignore[misc]
        bench.rig.command(SetOutput(output=name, on=False))
        until(lambda n=name: not bench.world.outputs()[n])  # type: ignore[misc]


def test_a_motor_runs_under_its_lease_and_no_longer(bench: Bench) -> None:
    bench.rig.command(MoveWindow(output="motor", direction=Direction.CLOSE, lease_ms=200))
    until(lambda: bench.world.motor("motor") is Direction.CLOSE)
    ended = bench.wait(MoveEnded)
    assert (ended.output, ended.direction, ended.status) == (
        "motor",
        Direction.CLOSE,
        MoveStatus.LEASE_EXPIRED,
    )
    until(lambda: bench.world.motor("motor") is Direction.STOP)


def test_a_motor_stops_at_its_limit(bench: Bench) -> None:
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=1000))
    until(lambda: bench.world.motor("motor") is Direction.OPEN)
    bench.world.set_input("limit.open", True)
    ended = bench.wait(MoveEnded)
    assert (ended.direction, ended.status) == (Direction.OPEN, MoveStatus.LIMIT)
    until(lambda: bench.world.motor("motor") is Direction.STOP)
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN))
    assert bench.wait(MoveEnded).status is MoveStatus.LIMIT
    assert bench.world.motor("motor") is Direction.STOP


def test_stop_stops_and_says_done(bench: Bench) -> None:
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=2000))
    until(lambda: bench.world.motor("motor") is Direction.OPEN)
    bench.rig.command(MoveWindow(output="motor", direction=Direction.STOP))
    assert bench.wait(MoveEnded).status is MoveStatus.DONE
    until(lambda: bench.world.motor("motor") is Direction.STOP)


def test_turning_round_ends_the_first_movement(bench: Bench) -> None:
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=1000))
    until(lambda: bench.world.motor("motor") is Direction.OPEN)
    bench.rig.command(MoveWindow(output="motor", direction=Direction.CLOSE, lease_ms=300))
    first = bench.wait(MoveEnded)
    assert (first.direction, first.status) == (Direction.OPEN, MoveStatus.DONE)
    assert bench.wait(MoveEnded).direction is Direction.CLOSE


def test_obstruction_and_overcurrent_stop_a_closing_motor(bench: Bench) -> None:
    for signal, status in (("blocked", MoveStatus.OBSTRUCTED), ("current", MoveStatus.OVERCURRENT)):
        bench.rig.command(MoveWindow(output="motor", direction=Direction.CLOSE, lease_ms=1000))
        until(lambda: bench.world.motor("motor") is Direction.CLOSE)
        bench.world.set_input(signal, True)
        assert bench.wait(MoveEnded).status is status
        bench.world.set_input(signal, False)
        bench.settle(0.05)


def test_orders_that_cannot_be_are_refused_in_a_sentence(bench: Bench) -> None:
    with pytest.raises(RigConfigError, match="does not exist"):
        bench.rig.command(SetOutput(output="siren", on=True))
    with pytest.raises(RigConfigError, match="is a lamp"):
        bench.rig.command(MoveWindow(output="lamp", direction=Direction.OPEN))


def test_it_starts_once(bench: Bench) -> None:
    with pytest.raises(RigStateError, match="already been started"):
        bench.rig.start(bench.inbox)


def test_closing_leaves_outputs_safe_and_no_thread(bench: Bench) -> None:
    bench.rig.command(SetOutput(output="lamp", on=True))
    bench.rig.command(MoveWindow(output="motor", direction=Direction.OPEN, lease_ms=2000))
    until(lambda: bench.world.outputs()["lamp"])
    bench.rig.close()
    until(lambda: not bench.world.outputs()["lamp"])
    until(lambda: bench.world.motor("motor") is Direction.STOP)
    bench.rig.close()
    assert not [t for t in threading.enumerate() if t.name in ("serial-rig", "gpio-rig", "hw-sim-pins")]


def test_two_hundred_changes_on_four_inputs_arrive_all_in_order(bench: Bench) -> None:
    signals = ("quick", "limit.open", "limit.close", "blocked")
    got: dict[str, list[bool]] = {signal: [] for signal in signals}
    for turn in range(50):
        for signal in signals:
            bench.world.set_input(signal, turn % 2 == 0)
        for _ in signals:
            read = bench.wait(LevelRead)
            got[read.signal].append(read.active)
    assert all(levels == [turn % 2 == 0 for turn in range(50)] for levels in got.values())
    assert not [r for r in bench.settle() if isinstance(r, LevelRead)]
