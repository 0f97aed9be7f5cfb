"""The pure host against the firmware that ships, on a virtual clock: sessions, losses, commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware_bridge import wire
from firmware_bridge.errors import RigConfigError
from firmware_bridge.firmware import frames
from firmware_bridge.firmware.sampler import RING
from firmware_bridge.link import HostLink
from firmware_bridge.readings import (
    CommandFailed,
    DeviceRestarted,
    Direction,
    EventsDropped,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    MoveStatus,
    OutputReleased,
    Reading,
    ReleaseCause,
    ResetCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import (
    Command,
    InputSpec,
    LinkState,
    MoveWindow,
    OutputKind,
    OutputSpec,
    RigSpec,
    SetOutput,
)
from hw_sim.virtual_link import VirtualLink
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.vectors import samples

MS = 1_000_000


def opened(spec: RigSpec = SPEC, **options: float) -> VirtualLink:
    link = VirtualLink(spec, **options)  # type: ignore[arg-type]
    link.open()
    link.run(500)
    return link


def names(link: VirtualLink) -> list[str]:
    return [type(reading).__name__ for _, reading in link.readings]


def levels(link: VirtualLink) -> list[tuple[str, bool]]:
    return [(r.signal, r.active) for _, r in link.readings if isinstance(r, LevelRead)]


def last(link: VirtualLink, kind: type[Reading]) -> Reading:
    return link.of(kind)[-1]


# -- greeting and configuration
# -------------------------------------------------------------------------------


def test_a_fresh_device_is_greeted_configured_and_looked_at() -> None:
    link = opened()
    assert names(link) == ["LinkUp", "Snapshot"]
    up = last(link, LinkUp)
    assert isinstance(up, LinkUp)
    assert up.device.interpreter.startswith("cpython ")
    assert up.device.reset_cause is ResetCause.POWER_ON
    assert up.device.protocol == "1.0"
    shot = last(link, Snapshot)
    assert isinstance(shot, Snapshot)
    assert shot.levels == {i.signal: False for i in SPEC.inputs}
    assert shot.tokens == {"t0": "", "t5": ""}
    assert link.link.state(link.now) is LinkState.UP


def test_outputs_rest_at_their_safe_levels_before_anything_is_ordered() -> None:
    link = opened()
    assert {pin: link.board.output(pin) for pin in range(13, 18)} == {13: 0, 14: 1, 15: 0, 16: 0, 17: 0}


def test_a_device_that_is_still_configured_is_not_configured_again() -> None:
    link = opened()
    link.link.closed(link.now, "pulled")
    link.run(300)
    before = link.device.config_crc
    sent: list[wire.Frame] = []
    watch_host(link, sent)
    link.open()
    link.run(500)
    assert not any(isinstance(f, wire.ConfigInput) for f in sent)
    assert link.device.config_crc == before


def test_configuration_survives_one_percent_noise() -> None:
    link = VirtualLink(SPEC, seed=11)
    link.line.noise = 0.01
    link.open()
    link.run(4000)
    assert names(link)[:2] == ["LinkUp", "Snapshot"]


def test_another_major_version_is_refused_readably() -> None:
    link = VirtualLink(SPEC)
    link.device.step = lambda: answer_with_major(link, 2)  # type: ignore[method-assign]
    link.open()
    link.run(6000)
    (down,) = link.of(LinkDown)
    assert isinstance(down, LinkDown)
    assert "protocol 2.0" in down.why
    assert "flash the firmware" in down.why
    assert link.link.state(link.now) is LinkState.OPENING


def test_the_firmware_answers_another_major_and_keeps_its_session() -> None:
    link = opened()
    session = link.device.session
    link.board.incoming.extend(wire.encode(wire.Hello(nonce=7, major=9), 99))
    link.device.step()
    reader = frames.FrameReader()
    ((code, answered, body),) = reader.feed(bytes(link.board.outgoing))
    welcome = wire.decode(code, body)
    assert isinstance(welcome, wire.Welcome)
    assert (answered, welcome.nonce, welcome.major) == (99, 7, 1)
    assert link.device.session == session


def test_a_device_too_small_is_refused_readably() -> None:
    spec = RigSpec(outputs=tuple(OutputSpec(name=f"o{i}", kind=OutputKind.LAMP, pin=i) for i in range(17)))
    link = VirtualLink(spec)
    link.open()
    link.run(7000)
    downs = link.of(LinkDown)
    assert len(downs) == 1
    assert isinstance(downs[0], LinkDown)
    assert "17 outputs, the device has 16" in downs[0].why


def test_frames_of_another_session_are_dropped_and_counted() -> None:
    link = opened()
    stale = link.link.counts.stale_frames
    link.link.received(
        wire.encode(wire.EventFrame(first=0, dropped=0, entries=b"\0\0\0\0\0\1"), 250), link.now
    )
    assert link.link.counts.stale_frames == stale + 1
    assert levels(link) == []


def test_case_10_two_seconds_of_noise_before_the_greeting_are_ignored_and_counted() -> None:
    link = VirtualLink(SPEC)
    link.open()
    for ms in range(0, 2000, 40):
        link.after(ms, lambda: link.link.received(b"AT+GCAP\r\n\0boot rom v2 \xff\xfe", link.now))
    link.muted = True
    link.run(2000)
    link.muted = False
    link.run(1000)
    assert names(link) == ["LinkUp", "Snapshot"]
    assert link.link.counts.bad_frames >= 50
    assert link.link.counts.noise_bytes > 500


# -- events
# ---------------------------------------------------------------------------------------------------


def test_a_change_is_told_once_at_its_first_edge() -> None:
    link = opened(drift_ppm=5000)
    pressed = link.now + 100 * MS
    link.after(100, lambda: link.set("a", True))
    link.run(1000)
    (read,) = link.of(LevelRead)
    assert isinstance(read, LevelRead)
    assert abs(read.at - pressed) <= max(read.uncertainty, 1)
    assert abs(read.at - pressed) < 2 * MS
    assert (read.signal, read.active, read.inferred) == ("a", True, False)


def test_every_kind_of_wiring_reads_active_when_it_is_worked() -> None:
    link = opened()
    for signal in ("a", "c", "d", "quick"):
        link.set(signal, True)
    link.run(300)
    assert sorted(levels(link)) == [("a", True), ("c", True), ("d", True), ("quick", True)]


def test_a_readers_text_is_told_with_its_time() -> None:
    link = opened()
    link.board.set_token(5, b"2:P")
    link.run(300)
    link.board.set_token(5, b"")
    link.run(300)
    got = [(r.signal, r.token) for r in link.of(TokenRead) if isinstance(r, TokenRead)]
    assert got == [("t5", "2:P"), ("t5", "")]


def test_a_lost_frame_is_asked_for_again_and_order_is_kept() -> None:
    link = opened()
    link.line.drop_every = 3
    expected = []
    for i in range(40):
        signal, active = "abcd"[i % 4], (i // 4) % 2 == 0
        expected.append((signal, active))
        link.after(30 * i, worker(link, signal, active))
    link.run(3000)
    assert levels(link) == expected


def test_duplicated_frames_are_told_once() -> None:
    link = opened()
    link.line.duplicate = 1.0
    for i in range(20):
        link.after(60 * i, worker(link, "a", i % 2 == 0))
    link.run(2000)
    assert len(levels(link)) == 20
    assert link.link.intake.duplicates > 0


def test_bytes_one_at_a_time_are_the_same() -> None:
    link = opened()
    link.line.split = 1
    for i in range(6):
        link.after(200 * i, worker(link, "b", i % 2 == 0))
    link.run(3000)
    assert levels(link) == [("b", i % 2 == 0) for i in range(6)]


def test_a_full_ring_is_a_counted_gap_and_a_fresh_look() -> None:
    link = opened()
    link.host_stalled = True
    for i in range(RING + 36):
        link.after(40 * i, worker(link, "abcd"[i % 4], (i // 4) % 2 == 0))
    link.run(20_000)
    link.host_stalled = False
    link.run(1500)
    dropped = sum(r.count for r in link.of(EventsDropped) if isinstance(r, EventsDropped))
    told = [r for r in link.of(LevelRead) if isinstance(r, LevelRead) and not r.inferred]
    assert len(told) == RING
    assert dropped == 36
    assert link.link.intake.levels["a"] is ((RING + 32) // 4 % 2 == 0)
    assert isinstance(link.readings[-1][1], Snapshot)


def test_a_loss_is_told_once_also_to_a_host_that_starts_anew() -> None:
    link = opened()
    link.host_stalled = True
    for i in range(RING + 16):
        link.after(40 * i, worker(link, "abcd"[i % 4], (i // 4) % 2 == 0))
    link.run(7000)
    link.host_stalled = False
    link.run(1500)
    assert sum(r.count for r in link.of(EventsDropped) if isinstance(r, EventsDropped)) == 16
    link.link = HostLink(SPEC, seed=99)
    link.readings.clear()
    link.open()
    link.run(1500)
    assert names(link) == ["LinkUp", "Snapshot"]


def test_a_loss_while_no_host_lived_is_told_to_the_next_one() -> None:
    link = opened()
    link.host_stalled = True
    for i in range(RING + 16):
        link.after(40 * i, worker(link, "abcd"[i % 4], (i // 4) % 2 == 0))
    link.run(7000)
    link.link = HostLink(SPEC, seed=99)
    link.host_stalled = False
    link.readings.clear()
    link.open()
    link.run(1500)
    assert [r.count for r in link.of(EventsDropped) if isinstance(r, EventsDropped)] == [16]
    assert len(link.of(LevelRead)) == RING


def test_a_doubted_input_is_trusted_again_when_the_device_has_restarted() -> None:
    link = opened()

    def swing(level: bool, left: int) -> None:
        link.set("a", level)
        if left:
            link.after(2.5, lambda: swing(not level, left - 1))

    swing(True, 801)
    link.run(1500)
    assert len(link.of(SignalSuspected)) == 1
    link.reset(frames.RESET_WATCHDOG)
    link.run(700)
    link.run(3000)
    assert len(link.of(SignalTrusted)) == 1


def test_what_the_device_logs_is_kept_for_people() -> None:
    link = opened()
    assert link.link.log_lines == ["configured: 9 inputs, 4 outputs"]


def test_case_11_a_host_that_stalls_20_s_finds_outputs_safe_and_events_kept() -> None:
    link = opened()
    link.command(SetOutput(output="lamp", on=True))
    link.run(100)
    assert link.board.output(13) == 1
    link.host_stalled = True
    pressed = link.now + 5_000 * MS
    link.after(5000, lambda: link.set("a", True))
    link.run(2000)
    assert link.board.output(13) == 0
    link.run(18_000)
    link.host_stalled = False
    link.run(1000)
    (read,) = [r for r in link.of(LevelRead) if isinstance(r, LevelRead)]
    assert abs(read.at - pressed) < 2 * MS
    assert not read.inferred
    assert any(isinstance(r, OutputReleased) and r.why is ReleaseCause.HOST_SILENT for _, r in link.readings)
    assert link.board.output(13) == 1


def test_the_digest_finds_a_level_that_no_event_told() -> None:
    link = opened()
    at = link.device.sampler
    at.level[1] = 1
    link.run(1500)
    (read,) = [r for r in link.of(LevelRead) if isinstance(r, LevelRead)]
    assert (read.signal, read.active, read.inferred) == ("b", True, True)
    assert read.not_before is not None
    assert read.not_before < read.at


def test_a_chattering_input_is_doubted_and_the_others_are_not_slowed() -> None:
    link = opened()

    def swing(level: bool, left: int) -> None:
        link.set("a", level)
        if left:
            link.after(2.5, lambda: swing(not level, left - 1))

    swing(True, 1601)
    pressed = link.now + 2000 * MS
    link.after(2000, lambda: link.set("b", True))
    link.run(8000)
    doubts = link.of(SignalSuspected)
    assert len(doubts) == len(link.of(SignalTrusted)) == 1
    assert doubts[0].at - (pressed - 2000 * MS) < 5_000 * MS
    (when, read) = next((t, r) for t, r in link.readings if isinstance(r, LevelRead))
    assert (read.signal, abs(read.at - pressed) < 2 * MS) == ("b", True)
    assert when - pressed < 60 * MS
    assert [s for s, _ in levels(link)] == ["b"]


def test_case_15_spikes_on_six_inputs_at_once_tell_nothing() -> None:
    link = opened()
    for signal in ("a", "b", "c", "d", "limit.open", "limit.close"):
        link.set(signal, True)
        link.after(3, worker(link, signal, False))
    link.run(1000)
    assert levels(link) == []
    assert link.link.counts.glitches == 6
    assert link.link.counts.edges == 12


# -- losing and finding
# ---------------------------------------------------------------------------------------


def test_case_12_a_watchdog_reset_in_mid_board_invents_nothing() -> None:
    link = opened()
    link.set("a", True)
    link.board.set_token(0, b"7")
    link.run(500)
    link.readings.clear()
    link.reset(frames.RESET_WATCHDOG)
    link.run(4000)
    assert names(link) == ["LinkDown", "LinkUp", "DeviceRestarted", "Snapshot"]
    restarted = last(link, DeviceRestarted)
    assert isinstance(restarted, DeviceRestarted)
    assert restarted.cause is ResetCause.WATCHDOG
    shot = last(link, Snapshot)
    assert isinstance(shot, Snapshot)
    assert shot.levels["a"] is True
    assert shot.tokens["t0"] == "7"


def test_what_changed_during_a_reset_is_told_as_inferred() -> None:
    link = opened()
    link.readings.clear()
    link.reset(frames.RESET_BROWN_OUT)
    link.set("b", True)
    link.run(4000)
    (read,) = [r for r in link.of(LevelRead) if isinstance(r, LevelRead)]
    assert (read.signal, read.active, read.inferred) == ("b", True, True)


def test_two_boots_with_the_same_number_are_told_apart_by_the_uptime() -> None:
    link = opened()
    link.run(20_000)
    number = link.board.boot_id
    link.reset(frames.RESET_PIN)
    link.board.boot_id = number
    link.run(4000)
    assert any(isinstance(r, DeviceRestarted) for _, r in link.readings)


def test_silence_is_degraded_then_lost_then_a_reason_to_reopen() -> None:
    link = opened()
    link.readings.clear()
    link.muted = True
    link.run(1100)
    assert link.link.state(link.now) is LinkState.DEGRADED
    link.run(1200)
    assert names(link) == ["LinkDown"]
    assert not link.link.wants_reopen(link.now)
    link.run(3000)
    assert link.link.wants_reopen(link.now)
    link.muted = False
    link.run(1000)
    assert names(link) == ["LinkDown", "LinkUp", "Snapshot"]


def test_case_7_and_9_events_of_the_time_unplugged_arrive_once_in_order() -> None:
    link = opened()
    link.set("a", True)
    link.run(100)
    link.link.closed(link.now, "pulled")
    link.readings.clear()
    link.muted = True
    truth = [("a", False), ("b", True), ("a", True), ("b", False)]
    for i, (signal, active) in enumerate(truth):
        link.after(200 + 100 * i, worker(link, signal, active))
    # The device goes on living: only the line is cut.
    for ms in range(0, 1000, 5):
        link.after(ms, lambda: link.device.tick(link.board.ticks_us()))
    link.run(1000)
    link.muted = False
    link.open()
    link.run(1000)
    told = [r for r in link.of(LevelRead) if isinstance(r, LevelRead)]
    assert [(r.signal, r.active) for r in told] == truth
    assert all(not r.inferred for r in told)
    assert sorted(r.at for r in told) == [r.at for r in told]


# -- commands and leases
# --------------------------------------------------------------------------------------


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


def worker(link: VirtualLink, signal: str, active: bool) -> Callable[[], None]:
    return lambda: link.set(signal, active)


def orderer(link: VirtualLink, command: Command) -> Callable[[], None]:
    return lambda: link.command(command)


def answer_with_major(link: VirtualLink, major: int) -> None:
    for code, session, body in link.device.reader.feed(link.board.receive()):
        hello = wire.decode(code, body)
        if isinstance(hello, wire.Hello):
            welcome = next(f for f in samples() if isinstance(f, wire.Welcome))
            link.board.outgoing += wire.encode(replace(welcome, nonce=hello.nonce, major=major), session)


def watch_host(link: VirtualLink, sent: list[wire.Frame]) -> None:
    reader = frames.FrameReader()
    through = link.line.to_device

    def spy(data: bytes, now: int) -> bytes:
        sent.extend(wire.decode(code, body) for code, _, body in reader.feed(data))
        return through(data, now)

    link.line.to_device = spy  # type: ignore[method-assign]
