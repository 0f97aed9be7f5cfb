"""The watch sees a pause and only a pause; a deed is repeated for a pause and for nothing else."""

from __future__ import annotations

import threading
import time

import pytest

from tests.firmware_bridge import calm
from tests.firmware_bridge.calm import MS, Watch, calmly


class Machine:
    """As the watch knows it: the watch gets no turn in a pause."""

    def __init__(self) -> None:
        self._runs = threading.Event()
        self._runs.set()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
        self._runs.wait(5)

    def pause(self, seconds: float) -> None:
        self._runs.clear()
        time.sleep(seconds)
        self._runs.set()


EARLIER = 100 * MS
"""The watch may have gone to sleep a little before the machine stood still."""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(calm, "sleep", made.sleep)
    return made


def test_a_pause_is_measured_at_once_and_stays_measured(machine: Machine) -> None:
    with Watch() as watch:
        before = time.monotonic_ns()
        machine.pause(0.4)
        seen = watch.worst
        took = time.monotonic_ns() - before
        assert 300 * MS < seen <= took + EARLIER
    assert seen <= watch.worst <= watch.paused <= time.monotonic_ns() - before + EARLIER


def test_waiting_is_no_pause() -> None:
    def once() -> None:
        with Watch() as watch:
            time.sleep(0.5)
        assert watch.worst < 100 * MS

    for _ in range(10):
        try:
            once()
            return
        except AssertionError:
            continue
    pytest.fail("ten times half a second, and never one without a pause")


def test_what_fails_in_calm_fails_and_what_fails_for_a_pause_is_done_again(machine: Machine) -> None:
    tries: list[int] = []

    def always() -> None:
        tries.append(1)
        raise AssertionError("wrong")

    with pytest.raises(AssertionError, match="wrong"):
        calmly(always, bears_ms=60_000)
    assert len(tries) == 1

    def at_first() -> None:
        tries.append(2)
        if tries.count(2) == 1:
            machine.pause(0.4)
            raise AssertionError("late")

    calmly(at_first, bears_ms=200)
    assert tries.count(2) == 2


def test_a_machine_that_never_rests_times_nothing(machine: Machine) -> None:
    def late() -> None:
        machine.pause(0.3)
        raise AssertionError("late")

    with pytest.raises(pytest.skip.Exception, match="too busy to time this"):
        calmly(late, bears_ms=100, attempts=2)
