"""What happened at the table as rows of its journal.

One place decides on which stream a thing is told, so that live rows and the rows a replay would write can be
compared word for word. Pure. Must never leave anything out: what the core said is what is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, cast

from table_controller.codec import Json, to_json
from table_controller.journal import NewRow
from table_controller.messages import Change, ClockQuality, FaultChange, What
from table_controller.screen.effects import (
    Amend,
    ClearDeadline,
    ClearFault,
    CloseWindow,
    Effect,
    HoldTray,
    LightSummons,
    Moved,
    OpenWindow,
    RaiseFault,
    RecordBoard,
    RecordVisit,
    Refuse,
    ReleaseTray,
    Report,
    SetDeadline,
    ShowState,
    StopWindow,
)
from table_controller.screen.entry import Standing
from table_controller.screen.events import Event
from table_controller.topics import Stream

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """When rows are written: monotonic ms, the wall as text or None, and how far that can be believed."""

    mono_ms: int
    wall: str | None = None
    clock: ClockQuality = ClockQuality.UNSET
    rev: int | None = None


def told(effect: Effect) -> tuple[Stream, dict[str, Json]]:
    """The stream an effect is told on, and the body it has there."""
    match effect:
        case Report(entry=entry):
            return Stream.IRREGULARITY, {"change": Change.NEW.value, "entry": to_json(entry)}
        case Amend(entry=entry):
            change = Change.AMENDED if entry.standing is Standing.OPEN else Change.CLOSED
            return Stream.IRREGULARITY, {"change": change.value, "entry": to_json(entry)}
        case RaiseFault(fault=fault):
            return Stream.FAULT, {"change": FaultChange.RAISED.value, "fault": to_json(fault)}
        case ClearFault(fault=fault):
            return Stream.FAULT, {"change": FaultChange.CLEARED.value, "fault": to_json(fault)}
        case RecordVisit(visit=visit):
            return Stream.VISIT, {"visit": to_json(visit)}
        case _:
            return Stream.LOG, {"what": _what(effect).value, "value": to_json(effect)}


def event_row(event: Event, stamp: Stamp, cause: str | None = None) -> NewRow:
    """The row of an event; `cause` is the id of the command behind it, if there is one."""
    return _row(Stream.LOG, {"what": What.EVENT.value, "value": to_json(event)}, stamp, cause)


def effect_row(effect: Effect, stamp: Stamp, cause: str) -> NewRow:
    """The row of an effect; `cause` is the id of the row of its event."""
    stream, body = told(effect)
    return _row(stream, body, stamp, cause)


def log_row(what: What, value: dict[str, Json], stamp: Stamp, cause: str | None = None) -> NewRow:
    """A row about ourselves: a boot, a command, the storage, a note."""
    return _row(Stream.LOG, {"what": what.value, "value": cast("Json", value)}, stamp, cause)


def _row(stream: Stream, body: dict[str, Json], stamp: Stamp, cause: str | None) -> NewRow:
    return NewRow(
        stream=stream,
        body=body,
        mono_ms=stamp.mono_ms,
        wall=stamp.wall,
        clock=stamp.clock,
        rev=stamp.rev,
        cause=cause,
    )


def _what(
    effect: OpenWindow
    | CloseWindow
    | StopWindow
    | HoldTray
    | ReleaseTray
    | LightSummons
    | RecordBoard
    | SetDeadline
    | ClearDeadline
    | Moved
    | Refuse
    | ShowState,
) -> What:
    match effect:
        case OpenWindow() | CloseWindow() | StopWindow() | HoldTray() | ReleaseTray() | LightSummons():
            return What.ORDER
        case SetDeadline() | ClearDeadline():
            return What.DEADLINE
        case Moved():
            return What.MOVED
        case RecordBoard():
            return What.BOARD
        case Refuse():
            return What.REFUSED
        case ShowState():
            return What.VIEW
        case _:
            assert_never(effect)
