"""The simulator's pin factory has none of the mock factory's gaps, and lgpio's habits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice
from gpiozero.exc import PinInvalidBounce

from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, RigSpec
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.pins import SimFactory
from hw_sim.hardware.pinserver import SimulatedPins
from tests.firmware_bridge.rigs import until

SPEC = RigSpec(
    inputs=(InputSpec(signal="a", pin=4), InputSpec(signal="b", pin=5)),
    outputs=(OutputSpec(name="lamp", kind=OutputKind.LAMP, pin=6),),
)


@pytest.fixture
def pins(tmp_path: Path) -> Iterator[SimulatedPins]:
    hub = DeviceHub().start()
    made = SimulatedPins(SPEC, hub, tmp_path / "pins.sock")
    made.start()
    yield made
    made.close()
    hub.close()


@pytest.fixture
def factory(pins: SimulatedPins) -> Iterator[SimFactory]:
    made = SimFactory.open(str(pins.path))
    yield made
    made.close()


def test_a_callback_runs_in_the_factorys_thread_not_in_the_one_that_drives(
    pins: SimulatedPins, factory: SimFactory
) -> None:
    threads: list[str] = []
    device = DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    device.when_activated = lambda: threads.append(threading.current_thread().name)
    pins.set_input("a", True)
    until(lambda: threads == ["hw-sim-pins"])
    device.close()


def test_a_pull_does_not_override_a_level_that_is_held(pins: SimulatedPins, factory: SimFactory) -> None:
    pins.set_input("a", True)
    until(lambda: factory.level_of(4) is False)
    device = DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    assert device.is_active
    device.pin.pull = "up"
    assert device.is_active
    device.close()


def test_a_bounce_time_is_refused_and_not_ignored(factory: SimFactory) -> None:
    with pytest.raises(PinInvalidBounce, match="does not debounce"):
        DigitalInputDevice(4, pull_up=True, bounce_time=0.02, pin_factory=factory)


def test_it_has_pwm(pins: SimulatedPins, factory: SimFactory) -> None:
    device = PWMOutputDevice(6, pin_factory=factory)
    device.value = 0.5
    assert device.value == 0.5
    until(lambda: pins.outputs()["lamp"])
    device.close()


def test_states_that_are_missing_fail_the_assertion(factory: SimFactory) -> None:
    device = DigitalOutputDevice(6, pin_factory=factory)
    device.pin.clear_states()
    device.on()
    device.pin.assert_states([False, True])
    with pytest.raises(AssertionError):
        device.pin.assert_states([False, True, False])
    device.close()


def test_an_exception_in_a_callback_kills_the_thread_as_lgpios_does(
    pins: SimulatedPins, factory: SimFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    device = DigitalInputDevice(4, pull_up=True, pin_factory=factory)

    def broken() -> None:
        raise RuntimeError("a callback's mistake")

    device.when_activated = broken
    assert factory.alive()
    pins.set_input("a", True)
    until(lambda: not factory.alive())
    device.close()


def test_a_hidden_change_is_a_level_without_an_edge(pins: SimulatedPins, factory: SimFactory) -> None:
    edges: list[int] = []
    device = DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    device.when_activated = lambda: edges.append(1)
    pins.hide_input("a", True)
    until(lambda: bool(device.is_active))
    time.sleep(0.02)
    assert edges == []
    device.close()


def test_it_is_registered_by_its_name() -> None:
    from importlib.metadata import entry_points

    found = [e.value for e in entry_points(group="gpiozero_pin_factories") if e.name == "hw-sim"]
    assert found == ["hw_sim.hardware.pins:SimFactory"]
