"""The pure host against the firmware that ships, on a virtual clock: greeting, losing, finding."""

from __future__ import annotations

import pytest

from firmware_bridge import wire
from firmware_bridge.firmware import frames
from firmware_bridge.readings import (
    DeviceRestarted,
    LevelRead,
    LinkDown,
    LinkUp,
    ResetCause,
    Snapshot,
)
from firmware_bridge.rig import (
    LinkState,
    OutputKind,
    OutputSpec,
    RigSpec,
)
from hw_sim.hardware.virtual_link import VirtualLink
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.links import answer_with_major, last, levels, names, opened, watch_host, worker

MS = 1_000_000


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


def test_a_time_in_which_the_host_itself_stood_still_is_no_silence_of_the_device() -> None:
    link = opened()
    link.host_stalled = True
    link.run(20_000)
    link.host_stalled = False
    link.run(1_000)
    assert link.of(LinkDown) == []
    assert link.link.state(link.now) is LinkState.UP
    link.muted = True
    link.run(3_000)
    assert len(link.of(LinkDown)) == 1


def slow(link: VirtualLink, ms: float) -> None:
    """From now on what the device says comes so much later."""
    arrive = link._arrive_host
    link._arrive_host = lambda data: link.after(ms, lambda: arrive(data))  # type: ignore[method-assign]


@pytest.mark.parametrize("ms", [300, 600, 900])
def test_a_device_that_is_slow_after_a_second_of_silence_is_not_lost(ms: int) -> None:
    """Each HELLO makes the answer to the one before stale: it is a sign of life all the same."""
    link = opened()
    arrive = link._arrive_host
    until = link.now + 1_100 * MS
    link._arrive_host = lambda data: link.at(max(link.now, until), lambda: arrive(data))  # type: ignore[method-assign]
    link.run(1_000)
    link._arrive_host = arrive  # type: ignore[method-assign]
    slow(link, ms)
    link.run(20_000)
    assert link.of(LinkDown) == []
    link.set("a", True)
    link.run(3_000)
    assert levels(link) == [("a", True)]


@pytest.mark.parametrize("ms", [300, 900])
def test_a_slow_device_is_greeted_too(ms: int) -> None:
    link = VirtualLink(SPEC)
    slow(link, ms)
    link.open()
    link.run(10_000)
    assert names(link) == ["LinkUp", "Snapshot"]


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
