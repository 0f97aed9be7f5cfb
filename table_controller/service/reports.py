"""Events, effects and views as the rows and snapshots the director gets: which stream, which body.

The retained snapshot may be read by more than the director, so here is where everything is kept from it
that one face of the screen could not know of the other. Pure. Must never put a hand, a turn or a time into
it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from table_controller.commands.gate import Remembered
from table_controller.journal.rows import NewRow
from table_controller.messages import Change, ClockQuality, FaultChange, StateBody, Timer, What
from table_controller.messages.codec import Json, to_json
from table_controller.messages.topics import Stream
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
    RecordPace,
    RecordTime,
    RecordVisit,
    Refuse,
    ReleaseTray,
    Report,
    SetDeadline,
    ShowState,
    StopWindow,
    TableView,
)
from table_controller.screen.entry import Entry, Fault, Standing as EntryStanding
from table_controller.screen.events import Event

MS = 1_000_000
BEFORE_CONTRACT = ("setup", "closing", "auction")
"""Phases, or the beginnings of their names, that tell nothing of the calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """When and in which state a row is written. `mono`: monotonic ns; `wall`: as text, or None."""

    mono: int
    wall: str | None
    clock: ClockQuality
    rev: int


def event_row(event: Event, stamp: Stamp, cause: str | None = None) -> NewRow:
    """The row that says this happened. Its number is the event's number."""
    return _row(Stream.LOG, _log(What.EVENT, to_json(event)), stamp, cause)


def command_row(answer: Remembered, stamp: Stamp) -> NewRow:
    """The row that says what became of a command."""
    return _row(Stream.LOG, _log(What.COMMAND, answer.value()), stamp, answer.id)


def log_row(what: What, value: dict[str, Json], stamp: Stamp, cause: str | None = None) -> NewRow:
    """A row of the game log that is neither an event nor an effect: boot, storage, note."""
    return _row(Stream.LOG, _log(what, value), stamp, cause)


def effect_row(effect: Effect, stamp: Stamp, cause: str | None = None) -> NewRow:
    """The row an effect is kept as. `cause`: the id of the event's row."""
    stream, body = _effect_body(effect)
    return _row(stream, body, stamp, cause)


def _effect_body(effect: Effect) -> tuple[Stream, dict[str, Json]]:
    match effect:
        case Report(entry=entry):
            return Stream.IRREGULARITY, _entry_body(entry, Change.NEW)
        case Amend(entry=entry):
            closed = entry.standing is not EntryStanding.OPEN
            return Stream.IRREGULARITY, _entry_body(entry, Change.CLOSED if closed else Change.AMENDED)
        case RaiseFault(fault=fault):
            return Stream.FAULT, _fault_body(fault, FaultChange.RAISED)
        case ClearFault(fault=fault):
            return Stream.FAULT, _fault_body(fault, FaultChange.CLEARED)
        case RecordVisit(visit=visit):
            return Stream.VISIT, {"visit": to_json(visit)}
        case RecordBoard():
            return Stream.LOG, _log(What.BOARD, to_json(effect))
        case RecordTime():
            return Stream.LOG, _log(What.BOARD_TIME, to_json(effect))
        case RecordPace():
            return Stream.LOG, _log(What.SESSION_TIME, to_json(effect))
        case Moved():
            return Stream.LOG, _log(What.MOVED, to_json(effect))
        case Refuse():
            return Stream.LOG, _log(What.REFUSED, to_json(effect))
        case ShowState():
            return Stream.LOG, _log(What.VIEW, to_json(effect))
        case SetDeadline() | ClearDeadline():
            return Stream.LOG, _log(What.DEADLINE, to_json(effect))
        case OpenWindow() | CloseWindow() | StopWindow() | HoldTray() | ReleaseTray() | LightSummons():
            return Stream.LOG, _log(What.ORDER, to_json(effect))
        case _:
            assert_never(effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a snapshot says besides the view. `timers`: name -> monotonic ns. `head`: hash of the newest
    row.
    """

    last_seq: int
    head: str
    safe: bool
    timers: tuple[tuple[str, int], ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    health: dict[str, int | None] = field(default_factory=dict)


def snapshot(view: TableView, around: Surroundings) -> StateBody:
    """The retained snapshot of this view: only the calls both faces have seen, and no phase that tells of
    others.
    """
    auction: list[tuple[str, str]] = []
    for shown in view.calls:
        if len(shown.sides) < 2:
            break
        auction.append((shown.seat.value, str(shown.call)))
    hidden = len(auction) < len(view.calls)
    return StateBody(
        phase="auction" if hidden and not view.phase.startswith(BEFORE_CONTRACT) else view.phase,
        board=view.board,
        dealer=None if view.dealer is None else view.dealer.value,
        vulnerability=None if view.vulnerability is None else view.vulnerability.value,
        window=view.window.value,
        tray=view.tray,
        auction=tuple(auction),
        timers=tuple(Timer(name=name, due_ms=due // MS) for name, due in around.timers),
        holds=view.holds,
        open_entries=view.open_entries,
        faults=view.faults,
        summons=tuple(seat.value for seat in view.summons),
        off=view.off,
        last_seq=around.last_seq,
        head=around.head,
        safe=around.safe,
        versions=around.versions,
        health=around.health,
    )


def _entry_body(entry: Entry, change: Change) -> dict[str, Json]:
    return {"change": change.value, "entry": to_json(entry)}


def _fault_body(fault: Fault, change: FaultChange) -> dict[str, Json]:
    return {"change": change.value, "fault": to_json(fault)}


def _log(what: What, value: Json) -> dict[str, Json]:
    return {"what": what.value, "value": value}


def _row(stream: Stream, body: dict[str, Json], stamp: Stamp, cause: str | None) -> NewRow:
    return NewRow(
        stream=stream,
        body=body,
        mono_ms=stamp.mono // MS,
        wall=stamp.wall,
        clock=stamp.clock,
        rev=stamp.rev,
        cause=cause,
    )
