"""What hardware does in a scenario that it should not: a part of the closed union `Deed`.

Must never say how it is done: each runner has its own wires.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.scenario.deed_base import DeedBase
from table_controller.laws.seat import Seat


class Doubtful(StrEnum):
    """What cannot be believed for a while."""

    TRAY = "tray"
    """Both docks say it is there."""
    WINDOW = "window"
    """Both limit switches are made."""
    LEAD = "lead"
    """A lead spot's sensor chatters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorFails(DeedBase):
    """From now on, long enough to be noticed before the next line. `seat`: whose lead spot."""

    what: Doubtful
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorRecovers(DeedBase):
    what: Doubtful
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstruct(DeedBase):
    """Something is in the window's way, or no more."""

    there: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Jam(DeedBase):
    """The window sticks where it is, or moves again."""

    stuck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable(DeedBase):
    """The device's cable is pulled, or put back."""

    plugged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MisdeedBelow(DeedBase):
    """A misdeed of the hardware, by name: below what the core sees, which must make nothing of it."""

    order: MisdeedOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetDevice(DeedBase):
    """The microcontroller starts anew by its watchdog."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerDies(DeedBase):
    """The power goes, or the process is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerReturns(DeedBase):
    pass
