"""The pure host against the firmware that ships, on a virtual clock: commands, leases, limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge import wire
from firmware_bridge.errors import RigConfigError
from firmware_bridge.firmware import frames
from firmware_bridge.readings import (
    CommandFailed,
    Direction,
    LinkDown,
    LinkUp,
    MoveEnded,
    MoveStatus,
    OutputReleased,
    ReleaseCause,
)
from firmware_bridge.rig import (
    InputSpec,
    MoveWindow,
    SetOutput,
)
from hw_sim.hardware.virtual_link import VirtualLink
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.links import opened, orderer

MS = 1_000_000


def test_a_lamp_is_lit_and_put_out() -> None:
    link = opened()
    link.command(SetOutput(output="lamp", on=True))
    link.command(SetOutput(output="low lamp", on=True))
    link.run(100)
    assert (link.board.output(13), link.board.output(14)) == (1, 0)
    link.command(SetOutput(output="lamp", on=False))
    link.run(100)
    assert link.board.output(13) == 0


def test_an_output_that_does_not_exist_or_is_of_another_kind_is_refused() -> None:
    link = opened()
    with pytest.raises(RigConfigError, match="does not exist"):
        link.command(SetOutput(output="siren", on=True))
    with pytest.raises(RigConfigError, match="is a motor"):
        link.command(SetOutput(output="motor", on=True))
    with pytest.raises(RigConfigError, match="is a lamp"):
        link.command(MoveWindow(output="lamp", direction=Direction.OPEN))


def test_case_16_a_motor_whose_controller_dies_stops_within_its_lease() -> None:
    link = opened()
    link.command(MoveWindow(output="motor", direction=Direction.CLOSE))
    link.run(50)
    started = next(at for at, pin, level in link.written if (pin, level) == (17, 1))
    link.host_stalled = True
    link.run(2000)
    stopped = next(at for at, pin, level in link.written if pin == 17 and at > started)
    assert stopped - started <= 401 * MS
    link.host_stalled = False
    link.run(500)
    ended = [r for r in link.of(MoveEnded) if isinstance(r, MoveEnded)]
    assert [(e.direction, e.status) for e in ended] == [(Direction.CLOSE, MoveStatus.LEASE_EXPIRED)]


def test_a_renewed_lease_keeps_the_motor_running_until_its_limit() -> None:
    link = opened()
    for ms in range(0, 1200, 150):
        link.after(ms, lambda: link.command(MoveWindow(output="motor", direction=Direction.OPEN)))
    link.after(1100, lambda: link.set("limit.open", True))
    link.run(1000)
    assert link.board.output(16) == 1
    link.run(500)
    assert link.board.output(16) == 0
    ended = [r for r in link.of(MoveEnded) if isinstance(r, MoveEnded)]
    assert ended[0].status is MoveStatus.LIMIT
    starts = [w for w in link.written if w[1:] == (16, 1)]
    assert len(starts) == 1


@pytest.mark.parametrize(
    ("signal", "status"),
    [
        ("blocked", MoveStatus.OBSTRUCTED),
        ("current", MoveStatus.OVERCURRENT),
        ("limit.close", MoveStatus.LIMIT),
    ],
)
def test_a_closing_motor_stops_at_once_for(signal: str, status: MoveStatus) -> None:
    link = opened()
    link.command(MoveWindow(output="motor", direction=Direction.CLOSE))
    link.run(100)
    link.set(signal, True)
    link.run(100)
    assert link.board.output(17) == 0
    (ended,) = [r for r in link.of(MoveEnded) if isinstance(r, MoveEnded)]
    assert (ended.direction, ended.status) == (Direction.CLOSE, status)


def test_it_may_back_off_from_what_is_in_the_way_and_not_press_on() -> None:
    link = opened()
    link.set("blocked", True)
    link.run(100)
    link.command(MoveWindow(output="motor", direction=Direction.CLOSE))
    link.run(100)
    assert link.board.output(17) == 0
    (ended,) = [r for r in link.of(MoveEnded) if isinstance(r, MoveEnded)]
    assert ended.status is MoveStatus.OBSTRUCTED
    link.command(MoveWindow(output="motor", direction=Direction.OPEN))
    link.run(100)
    assert link.board.output(16) == 1


def test_the_motor_is_never_driven_both_ways_at_once() -> None:
    link = opened()
    for i in range(40):
        way = (Direction.OPEN, Direction.CLOSE, Direction.STOP)[i % 3]
        link.after(30 * i, orderer(link, MoveWindow(output="motor", direction=way)))
    link.run(2000)
    state = {16: 0, 17: 0}
    for _, pin, level in link.written:
        if pin in state:
            state[pin] = level
            assert sum(state.values()) < 2


def test_a_latch_is_let_go_after_its_longest_time() -> None:
    link = opened()
    link.command(SetOutput(output="latch", on=True))
    link.run(200)
    assert link.board.output(15) == 1
    link.run(300)
    assert link.board.output(15) == 0
    (released,) = [r for r in link.of(OutputReleased) if isinstance(r, OutputReleased)]
    assert (released.output, released.why) == ("latch", ReleaseCause.LONGEST_ON)
    link.run(3000)
    assert link.board.output(15) == 0


def test_a_motor_that_reaches_nothing_stops_after_its_longest_run() -> None:
    link = opened()
    for ms in range(0, 5000, 150):
        link.after(ms, lambda: link.command(MoveWindow(output="motor", direction=Direction.OPEN)))
    link.run(3500)
    first = next(r for r in link.of(MoveEnded) if isinstance(r, MoveEnded))
    assert first.status is MoveStatus.LONGEST_RUN


def test_commands_get_through_a_line_that_loses_a_third() -> None:
    link = opened()
    link.line.drop_every = 3
    for i in range(10):
        link.after(700 * i, orderer(link, SetOutput(output="lamp", on=i % 2 == 0)))
    link.run(8000)
    lit = [level for _, pin, level in link.written if pin == 13]
    assert lit == [0] + [1, 0] * 5
    assert link.link.commands.resends > 0
    assert link.of(CommandFailed) == []


def test_a_repeated_command_is_carried_out_once() -> None:
    link = opened()
    order = wire.CommandFrame(
        number=500, op=frames.OP_MOVE, output=3, argument=frames.MOVE_OPEN, lease_ms=100
    )
    session = link.device.session
    for ms in (0, 50, 200, 400):
        link.after(ms, lambda: link.board.incoming.extend(wire.encode(order, session)))
    link.run(600)
    assert len([w for w in link.written if w[1:] == (16, 1)]) == 1


def test_a_device_that_never_answers_a_command_is_said_to() -> None:
    link = opened()
    link.device._command = lambda values: None  # type: ignore[method-assign]
    link.command(MoveWindow(output="motor", direction=Direction.OPEN))
    link.run(1000)
    (failed,) = [r for r in link.of(CommandFailed) if isinstance(r, CommandFailed)]
    assert (failed.output, failed.why) == ("motor", "the device did not answer")


def test_an_order_without_a_link_fails_for_a_motor_and_waits_for_a_lamp() -> None:
    link = VirtualLink(SPEC)
    link.command(MoveWindow(output="motor", direction=Direction.OPEN))
    link.command(SetOutput(output="lamp", on=True))
    link.open()
    link.run(500)
    (failed,) = [r for r in link.of(CommandFailed) if isinstance(r, CommandFailed)]
    assert failed.output == "motor"
    assert link.board.output(13) == 1
    assert (0, 16, 1) not in [(0, pin, level) for _, pin, level in link.written]


def test_a_restart_ends_the_movement_that_ran() -> None:
    link = opened()
    link.command(MoveWindow(output="motor", direction=Direction.OPEN))
    link.run(50)
    link.reset(frames.RESET_WATCHDOG)
    link.run(4000)
    ended = [r for r in link.of(MoveEnded) if isinstance(r, MoveEnded)]
    assert len(ended) == 1


def test_a_pin_the_device_has_not_is_refused_and_said() -> None:
    spec = replace(SPEC, inputs=(*SPEC.inputs, InputSpec(signal="far", pin=100, chain=True)))
    link = VirtualLink(spec)
    link.open()
    link.run(3000)
    assert link.of(LinkUp) == []
    (down,) = link.of(LinkDown)
    assert isinstance(down, LinkDown)
    assert "has not all the pins" in down.why
