"""Words for tests about the window's orders."""

from __future__ import annotations

from table_controller.screen import effects, events as ev
from tests.screen.driving import FULL, Driver

OPEN, CLOSE = ev.WindowOrder.OPEN, ev.WindowOrder.CLOSE
ORDERS = (effects.OpenWindow, effects.CloseWindow, effects.StopWindow)


def ordered(driver: Driver) -> list[str]:
    """What the last event had ordered of the window."""
    return [type(one).__name__ for one in driver.last if isinstance(one, ORDERS)]


def by_director(driver: Driver, to: ev.WindowOrder) -> Driver:
    return driver.order(ev.WindowOverridden, to=to)


def bidding() -> Driver:
    return Driver().ready(1).call("N", "1C")


def led(senses: frozenset[str] = FULL) -> Driver:
    """The right lead lies and the window has been ordered open."""
    driver = Driver(senses=senses).contract("1C P P P").lead("E")
    assert ordered(driver) == ["OpenWindow"]
    return driver
