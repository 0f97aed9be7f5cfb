"""Device times on the host's axis: within 2 ms of truth with the device's clock 0.5 % off."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.clock import WRAP, ClockFit

MS = 1_000_000
S = 1_000 * MS


class Pair:
    """A device that counts at its own rate, and pings that take random time each way."""

    def __init__(self, ppm: float, first_us: int, seed: int = 1) -> None:
        self.rate = 1 + ppm / 1e6
        self.first_us = first_us
        self.random = Random(seed)
        self.fit = ClockFit()

    def count(self, host: int) -> int:
        return (self.first_us + round(host * self.rate / 1000)) % WRAP

    def ping(self, at: int, slowest_ms: float = 3.0) -> None:
        there = round((0.2 + self.random.random() * slowest_ms) * MS)
        back = round((0.2 + self.random.random() * slowest_ms) * MS)
        self.fit.add(sent=at, received=at + there + back, t_us=self.count(at + there))

    def error(self, host: int) -> int:
        return self.fit.to_host(self.count(host)).at - host


@pytest.mark.parametrize("ppm", [-5000, -200, 0, 200, 5000])
@pytest.mark.parametrize("first_us", [0, WRAP - 5_000_000, 123_456_789])
def test_events_are_placed_within_2_ms_with_the_clock_up_to_half_a_percent_off(
    ppm: int, first_us: int
) -> None:
    pair = Pair(ppm, first_us)
    for i in range(10):
        pair.ping(1000 * S + i * 20 * MS)
    at = 1000 * S + 250 * MS
    worst = 0
    for _ in range(400):
        at += 250 * MS
        pair.ping(at)
        worst = max(worst, abs(pair.error(at + pair.random.randrange(250) * MS)))
    assert worst < 2 * MS
    assert pair.fit.error_ppm == pytest.approx(ppm, abs=60)


def test_the_stated_uncertainty_covers_the_true_error() -> None:
    pair = Pair(5000, 0, seed=4)
    for i in range(400):
        at = 50 * S + i * 250 * MS
        pair.ping(at, slowest_ms=20)
        for host in (at, at - 10 * S, at + 100 * MS):
            if host >= 50 * S:
                instant = pair.fit.to_host(pair.count(host))
                assert abs(instant.at - host) <= instant.uncertainty


def test_events_kept_while_the_host_was_away_are_placed_by_the_rate_learnt_before_and_after() -> None:
    pair = Pair(5000, 0)
    for i in range(100):
        pair.ping(10 * S + i * 250 * MS)
    back = 35 * S + 600 * S
    for i in range(10):
        pair.ping(back + i * 20 * MS)
    for host in (36 * S, 100 * S, 300 * S, back - S):
        assert abs(pair.error(host)) < 2 * MS


def test_the_count_is_restored_after_it_wrapped_unseen() -> None:
    pair = Pair(200, 0)
    for i in range(100):
        pair.ping(10 * S + i * 250 * MS)
    later = 5 * 3600 * S
    for i in range(10):
        pair.ping(later + i * 20 * MS)
    assert abs(pair.error(later + S)) < 2 * MS


def test_an_event_just_ahead_of_the_last_ping_is_not_an_hour_old() -> None:
    pair = Pair(0, WRAP - 1000)
    pair.ping(0)
    assert abs(pair.error(200 * MS)) < 5 * MS


def test_nothing_is_placed_before_a_ping() -> None:
    fit = ClockFit()
    assert not fit.ready
    with pytest.raises(RuntimeError, match="ready"):
        fit.to_host(5)
