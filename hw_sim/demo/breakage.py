"""Joints broken on purpose, so that a test can see that the break is noticed and named.

Must never stand in for a fault of the hardware: those are misdeeds, which the product survives.
"""

from __future__ import annotations

import signal
from enum import StrEnum

from hw_sim.processes.supervise import Supervisor
from hw_sim.table.site import Site

DROPPED_EVERY = 1
"""Every second frame lost is no break: it is sent again until it comes through."""


class Breakage(StrEnum):
    """Which joint is broken, from the first table's first board on."""

    MUTE = "mute"
    """The firmware neither hears nor speaks."""
    DROP = "drop"
    """What the firmware says is lost, frame by frame; it still hears."""
    WINDOW = "window"
    """The window's motor does not follow its orders."""
    BROKER = "broker"
    CONSOLE = "console"


def break_joint(breakage: Breakage, site: Site, supervisor: Supervisor, board: int) -> None:
    """Break it, if this is the first board of the first table."""
    if site.name != "1" or board != 1:
        return
    match breakage:
        case Breakage.MUTE:
            if site.device is not None:
                site.device.mute(True)
        case Breakage.DROP:
            if site.device is not None:
                site.device.line.drop_every = DROPPED_EVERY
        case Breakage.WINDOW:
            site.live.swallow_motor = True
        case Breakage.BROKER | Breakage.CONSOLE:
            for child in supervisor.children:
                if child.name == breakage.value:
                    child.signal(signal.SIGKILL)
