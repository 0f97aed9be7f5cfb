"""Levels of direct GPIO are told in the order in which they happened, however late they are read."""

from __future__ import annotations

from itertools import permutations

import pytest

from firmware_bridge.gpio_inputs import MS, GpioInputs
from firmware_bridge.readings import LevelRead, Reading
from firmware_bridge.rig import InputSpec, RigSpec

CLOSED, OPEN, TRAY = "window.closed", "window.open", "tray.ne"


def inputs_of(order: tuple[str, ...], told: list[Reading]) -> GpioInputs:
    """The window stands open and the tray is away; the wires are in this order."""
    wires = tuple(InputSpec(signal=signal, pin=pin) for pin, signal in enumerate(order))
    inputs = GpioInputs(RigSpec(inputs=wires), told.append, lambda _index, _active: None)
    inputs.take_stock([signal == OPEN for signal in order], {}, 0)
    return inputs


def levels(told: list[Reading]) -> list[tuple[str, bool]]:
    return [(reading.signal, reading.active) for reading in told if isinstance(reading, LevelRead)]


HAPPENED = [(OPEN, False, 100), (TRAY, True, 400), (CLOSED, True, 900)]
"""Signal, level, ms."""


@pytest.mark.parametrize("order", list(permutations((CLOSED, OPEN, TRAY))))
def test_a_window_was_between_its_limits_also_when_both_are_read_late(order: tuple[str, ...]) -> None:
    told: list[Reading] = []
    inputs = inputs_of(order, told)
    for signal, level, ms in HAPPENED:
        inputs.edge(order.index(signal), level, ms * MS)
    inputs.poll(5_000 * MS)
    assert levels(told) == [(signal, level) for signal, level, _ in HAPPENED]


@pytest.mark.parametrize("order", list(permutations((CLOSED, OPEN, TRAY))))
def test_what_settles_between_two_looks_is_told_by_its_time(order: tuple[str, ...]) -> None:
    told: list[Reading] = []
    inputs = inputs_of(order, told)
    for signal, level, ms in ((TRAY, True, 100), (OPEN, False, 102), (CLOSED, True, 104)):
        inputs.edge(order.index(signal), level, ms * MS)
    assert levels(told) == []  # none has come to rest
    inputs.poll(200 * MS)
    assert levels(told) == [(TRAY, True), (OPEN, False), (CLOSED, True)]
