"""One event for each change, at its first edge; spikes counted; the host's rules are the firmware's."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings, strategies as st

from firmware_bridge.debounce import Cleared, Debouncer, Doubted, Glitched, Outcome, Settled
from firmware_bridge.firmware.frames import LEVEL_SUSPECT
from firmware_bridge.firmware.pins import Pins
from firmware_bridge.firmware.sampler import MASK, Sampler

MS = 1_000_000


def outcomes(edges: list[tuple[float, bool]], until_ms: float, on: int = 25, off: int = 25) -> list[Outcome]:
    """Feed edges (ms, level), polling exactly when asked to."""
    debouncer = Debouncer(on_ns=on * MS, off_ns=off * MS, level=False)
    out: list[Outcome] = []
    for ms, level in edges:
        at = round(ms * MS)
        while (due := debouncer.deadline()) is not None and due < at:
            out += debouncer.poll(due)
        out += debouncer.edge(level, at)
    while (due := debouncer.deadline()) is not None and due <= until_ms * MS:
        out += debouncer.poll(due)
    return out


def test_case_1_a_short_pulse_then_a_press_five_seconds_later_are_two_presses() -> None:
    got = outcomes([(0, True), (100, False), (5000, True), (5100, False)], 6000)
    assert [(s.at // MS, s.level) for s in got if isinstance(s, Settled)] == [
        (0, True),
        (100, False),
        (5000, True),
        (5100, False),
    ]


def test_case_2_a_release_glitch_on_a_held_sensor_is_counted_and_not_told() -> None:
    got = outcomes([(0, True), (1000, False), (1010, True)], 3000)
    assert got == [Settled(at=0, level=True), Glitched(at=1000 * MS)]


@pytest.mark.parametrize("bounce", [3, 10, 20])
def test_contact_bounce_is_one_event_stamped_at_the_first_edge(bounce: int) -> None:
    edges = [(0.0, True)]
    level = True
    while edges[-1][0] + 1.5 < bounce:
        level = not level
        edges.append((edges[-1][0] + 1.5, level))
    if not level:
        edges.append((float(bounce), True))
    assert outcomes(edges, 1000) == [Settled(at=0, level=True)]


def test_a_spike_of_5_ms_tells_nothing() -> None:
    assert outcomes([(0, True), (5, False)], 1000) == [Glitched(at=0)]


def test_a_magnets_double_trip_is_one_event() -> None:
    assert outcomes([(0, True), (8, False), (16, True)], 1000) == [Settled(at=0, level=True)]


def test_a_burst_longer_than_the_debounce_time_is_stamped_where_it_became_stable() -> None:
    edges = [(5.0 * i, i % 2 == 0) for i in range(21)]
    assert outcomes(edges, 1000) == [Settled(at=100 * MS, level=True)]


@pytest.mark.parametrize("hz", [50, 120, 2000])
def test_chatter_is_doubted_within_5_s_and_believed_again_when_quiet(hz: int) -> None:
    half = 500 / hz
    edges = [(i * half, i % 2 == 0) for i in range(round(3000 / half))]
    got = outcomes(edges, 10_000)
    assert isinstance(got[0], Doubted)
    assert got[0].at <= 1_100 * MS
    assert isinstance(got[-1], Cleared)
    assert len(got) == 2


def test_changes_faster_than_any_person_are_doubted_even_if_each_settles() -> None:
    edges = [(i * 30.0, i % 2 == 0) for i in range(100)]
    got = outcomes(edges, 10_000)
    settled = [s for s in got if isinstance(s, Settled)]
    assert len(settled) == 20
    assert any(isinstance(o, Doubted) for o in got)
    assert isinstance(got[-1], Cleared)


def test_an_inferred_edge_says_since_when_it_may_have_been() -> None:
    debouncer = Debouncer(on_ns=25 * MS, off_ns=25 * MS, level=False)
    assert debouncer.edge(True, 500 * MS, not_before=250 * MS) == []
    assert debouncer.poll(525 * MS) == [Settled(at=500 * MS, level=True, inferred=True, not_before=250 * MS)]


class OnePin(Pins):
    level = 0

    def setup_input(self, pin: int, pull: int) -> None:
        pass

    def read(self, words: array[int]) -> None:
        words[0] = self.level


def firmware_says(edges: list[tuple[int, bool]], until: int, on: int, off: int) -> list[tuple[int, int]]:
    """(microseconds, level byte) of every event the firmware keeps, ticking whenever due. No wrap here."""
    pins = OnePin()
    sampler = Sampler(pins)
    sampler.configure([(0, 0, on, off)])
    now = 0
    out = []

    def drain() -> None:
        while sampler.tail < sampler.head:
            full, _, what, _ = sampler.entry(sampler.tail)
            sampler.tail += 1
            out.append((full, what))

    def run_to(t: int) -> None:
        nonlocal now
        while (wait := sampler.due(now)) >= 0 and now + wait < t:
            now += wait
            sampler.tick(now)
            drain()
        now = t

    for at, level in edges:
        run_to(at)
        pins.level = int(level)
        sampler.tick(at)
        drain()
    run_to(until)
    return out


def host_says(edges: list[tuple[int, bool]], until: int, on: int, off: int) -> list[tuple[int, int]]:
    level = 0
    out = []
    for outcome in outcomes([(us / 1000, raw) for us, raw in edges], (until - 1) / 1000, on, off):
        match outcome:
            case Settled(at=at, level=settled) | Cleared(at=at, level=settled):
                level = int(settled)
                out.append((at // 1000, level))
            case Doubted(at=at):
                out.append((at // 1000, level | LEVEL_SUSPECT))
            case Glitched():
                pass
    return out


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(1, 60_000), min_size=1, max_size=200),
    st.sampled_from([(0, 0), (1, 1), (5, 25), (25, 25), (25, 5)]),
)
def test_host_and_firmware_say_the_same_of_the_same_edges(gaps: list[int], times: tuple[int, int]) -> None:
    at, level = 0, False
    edges = []
    for gap in gaps:
        at += gap
        level = not level
        edges.append((at, level))
    until = at + 5_000_000
    assert host_says(edges, until, *times) == firmware_says(edges, until, *times)


def test_the_firmware_counts_on_over_the_wrap_of_its_clock() -> None:
    pins = OnePin()
    sampler = Sampler(pins)
    sampler.last_t = MASK - 5000
    sampler.configure([(0, 0, 10, 10)])
    sampler.tick(MASK - 5000)
    pins.level = 1
    sampler.tick(MASK - 2000)
    sampler.tick((MASK - 2000 + 10_000) & MASK)
    assert sampler.head == 1
    full, _, what, _ = sampler.entry(0)
    assert (full, what) == (MASK - 2000, 1)
    assert sampler.now(8000) == (1 << 30) | 8000
