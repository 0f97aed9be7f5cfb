"""What every watcher of a few signals has in common.

A watcher turns the raw levels and texts of one part of the table into events. It holds back what it is not
yet sure of, and says so by `pending_since`, so that events leave in the order in which they happened. It
believes only what it has itself reported, which is why a restart can rebuild it from the journal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from firmware_bridge.readings import LevelRead, TokenRead
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Event, FaultSeen, SensorCleared, SensorDoubted
from table_controller.sensing.signals import Signal

E = TypeVar("E", bound=Event)
Emit = Callable[[Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """When something was sensed: the stamp an event takes from its reading."""

    at: int
    uncertainty: int = 0
    inferred: bool = False
    not_before: int | None = None

    def stamp(self, event: E) -> E:
        """The event with this stamp on it."""
        return replace(
            event,
            at=self.at,
            uncertainty=self.uncertainty,
            inferred=self.inferred,
            not_before=self.not_before,
        )


def when_of(reading: LevelRead | TokenRead) -> When:
    return When(
        at=reading.at,
        uncertainty=reading.uncertainty,
        inferred=reading.inferred,
        not_before=reading.not_before,
    )


class Watcher:
    """Base of all watchers: does nothing, waits for nothing.

    `baseline` is called once, when every level and token has been told for the first time since the start.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def level(self, signal: Signal, active: bool, when: When) -> None:
        """A level of this watcher's signals changed."""

    def token(self, signal: Signal, text: str, when: When) -> None:
        """A text of this watcher's readers changed."""

    def freeze(self, signal: Signal, when: When) -> None:
        """This signal is not to be believed from now on."""

    def thaw(self, signal: Signal, when: When) -> None:
        """It is to be believed again."""

    def baseline(self, when: When) -> None:
        """Everything has been read; what differs from belief is told as inferred."""

    def tick(self, now: int) -> None:
        """Time has passed."""

    def deadline(self) -> int | None:
        """When `tick` is next wanted."""
        return None

    def pending_since(self) -> int | None:
        """The time of the earliest thing held back; nothing later may leave before it."""
        return None

    def believe(self, event: Event) -> None:
        """An event that once left here is read back from the journal."""


def doubt(sense: str, kind: FaultKind, component: str, detail: str, when: When) -> SensorDoubted:
    return SensorDoubted(at=when.at, sense=sense, kind=kind, component=component, detail=detail)


def trust(sense: str, kind: FaultKind, component: str, when: When) -> SensorCleared:
    return SensorCleared(at=when.at, sense=sense, kind=kind, component=component)


def unreadable(component: str, text: str, when: When) -> FaultSeen:
    """A reader sent what nobody could have printed."""
    return FaultSeen(
        at=when.at,
        kind=FaultKind.SENSOR_SUSPECT,
        component=component,
        detail=f"reads {text!r}, which is none of its texts",
        standing=False,
    )
