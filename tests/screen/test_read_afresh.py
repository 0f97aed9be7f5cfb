"""Something comes back, and what was believed may be true no longer: the window waits until all is read."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind
from tests.screen.driving import Driver

SUSPECT: dict[str, Any] = {"sense": "lead", "kind": FaultKind.SENSOR_SUSPECT, "component": "lead.e.present"}
LINK: tuple[type[ev.Event], dict[str, Any]] = (ev.LinkLost, {})
BACK = {
    "controller": (None, ev.Restarted, {}),
    "link": (LINK, ev.LinkRestored, {}),
    "device": (None, ev.DeviceReset, {"cause": "watchdog"}),
    "belief": ((ev.SensorDoubted, SUSPECT), ev.SensorCleared, SUSPECT),
}


def comes_back(driver: Driver, what: str) -> Driver:
    """And nothing has been read yet."""
    gone, back, fields = BACK[what]
    if gone is not None:
        driver.send(gone[0], **gone[1])
    return driver.unread(back, **fields)


def held_with_a_lead() -> Driver:
    """The lead lies, and only what is about to come back keeps the window shut."""
    return Driver().contract().order(ev.Held).lead("E")


def moved(driver: Driver) -> list[type[effects.Effect]]:
    kinds = (effects.OpenWindow, effects.CloseWindow)
    return [type(effect) for effect in driver.last if isinstance(effect, kinds)]


@pytest.mark.parametrize("what", BACK)
def test_the_window_opens_when_all_has_been_read_and_not_before(what: str) -> None:
    driver = comes_back(held_with_a_lead(), what).resume()
    assert not moved(driver)
    driver.send(ev.SensorsRead)
    assert moved(driver) == [effects.OpenWindow]


@pytest.mark.parametrize("what", BACK)
def test_it_does_not_open_for_a_lead_that_was_taken_up_meanwhile(what: str) -> None:
    driver = comes_back(held_with_a_lead(), what).resume()
    driver.lead_up("E")
    assert not moved(driver)
    driver.send(ev.SensorsRead)
    assert effects.OpenWindow not in moved(driver)


@pytest.mark.parametrize("what", ["controller", "link", "device"])
def test_it_is_not_closed_either_before_all_has_been_read(what: str) -> None:
    driver = comes_back(Driver().ready(1).call("N", "1C"), what)
    assert not moved(driver)
    driver.send(ev.SensorsRead)
    assert moved(driver) == [effects.CloseWindow]


def test_the_directors_order_waits_for_it_too_and_is_carried_out() -> None:
    driver = comes_back(Driver().ready(1).call("N", "1C"), "link")
    driver.order(ev.WindowOverridden, to=ev.WindowOrder.OPEN)
    assert driver.refused is None
    assert not moved(driver)
    driver.send(ev.SensorsRead)
    assert moved(driver) == [effects.OpenWindow]


def test_nothing_new_is_ordered_where_nothing_differs() -> None:
    driver = comes_back(Driver().contract().lead("E"), "belief").send(ev.SensorsRead)
    assert not moved(driver)


def test_what_comes_to_light_is_judged() -> None:
    driver = comes_back(Driver().ready(1).call("N", "1C"), "controller")
    driver.call("S", "1H")
    assert driver.kinds == ["CALL_OUT_OF_ROTATION"]
