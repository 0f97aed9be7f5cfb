"""The pure host against the firmware that ships, on a virtual clock: events, once and in order."""

from __future__ import annotations

from firmware_bridge.firmware import frames
from firmware_bridge.firmware.sampler import RING
from firmware_bridge.link import HostLink
from firmware_bridge.readings import (
    EventsDropped,
    LevelRead,
    OutputReleased,
    ReleaseCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import (
    SetOutput,
)
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.links import levels, names, opened, worker

MS = 1_000_000


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
