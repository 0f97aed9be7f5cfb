"""One percent of the bytes corrupted each way at 100 events a second: every event once, in order.

Two minutes in `make test`, the hour in `make test-long`; both on a virtual clock, with the pure link ends
and the frames that ship.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from firmware_bridge.readings import EventsDropped, LevelRead, LinkDown
from firmware_bridge.rig import InputSpec, RigSpec
from hw_sim.hardware.virtual_link import VirtualLink

MS = 1_000_000
INPUTS = 20
SPEC = RigSpec(
    inputs=tuple(InputSpec(signal=f"s{i}", pin=i, debounce_ms=5, release_ms=5) for i in range(INPUTS))
)


@dataclass(frozen=True, slots=True)
class Figures:
    events: int
    p50_ms: float
    p99_ms: float
    most_ms: float
    resent_events: int
    naks: int
    host_bad: int
    device_bad: int
    error_ms: float


def storm(minutes: float, noise: float, seed: int) -> Figures:
    """Work an input every 10 ms; AssertionError if anything is lost, doubled or out of order."""
    link = VirtualLink(SPEC, seed=seed, drift_ppm=5000)
    link.open()
    link.line.noise = noise
    link.run(3000)
    truth: list[tuple[int, str, bool]] = []
    levels = [False] * INPUTS
    end = link.now + round(minutes * 60_000) * MS

    def work() -> None:
        at = len(truth) % INPUTS
        levels[at] = not levels[at]
        link.set(f"s{at}", levels[at])
        truth.append((link.now, f"s{at}", levels[at]))
        if link.now < end:
            link.after(10, work)

    work()
    link.run(minutes * 60_000 + 3000)
    told = [(when, r) for when, r in link.readings if isinstance(r, LevelRead)]
    assert [(r.signal, r.active) for _, r in told] == [(s, a) for _, s, a in truth]
    assert not any(r.inferred for _, r in told)
    assert not link.of(LinkDown)
    assert not link.of(EventsDropped)
    waits = sorted(when - at for (when, _), (at, _, _) in zip(told, truth, strict=True))
    errors = [abs(r.at - at) for (_, r), (at, _, _) in zip(told, truth, strict=True)]
    counts = link.link.counts
    return Figures(
        events=len(truth),
        p50_ms=waits[len(waits) // 2] / MS,
        p99_ms=waits[len(waits) * 99 // 100] / MS,
        most_ms=waits[-1] / MS,
        resent_events=link.device.resent,
        naks=counts.naks,
        host_bad=counts.bad_frames,
        device_bad=counts.device_bad_frames,
        error_ms=max(errors) / MS,
    )


def check(figures: Figures) -> None:
    print(figures)
    assert figures.p99_ms < 250
    assert figures.error_ms < 2
    assert figures.host_bad > 0
    assert figures.device_bad > 0


def test_two_minutes_of_noise() -> None:
    check(storm(2, 0.01, seed=3))


@pytest.mark.parametrize("seed", [4, 5, 6, 7])
def test_half_a_minute_of_noise_with_other_seeds(seed: int) -> None:
    check(storm(0.5, 0.01, seed))


@pytest.mark.long
def test_an_hour_of_noise() -> None:
    check(storm(60, 0.01, seed=1))
