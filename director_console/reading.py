"""From a message on the wire to what is kept and what is shown.

The only place where envelopes are taken apart. Pure: keys, times and topics are arguments. Must never let a
message through whose MAC is wrong, and never throw away one that is sound but about something this version
does not know: it is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from director_console.projection.clocks import Clocks
from director_console.projection.inputs import (
    AlarmSeen,
    BoardSeen,
    EntrySeen,
    Input,
    Presence,
    PresenceSeen,
    Snapshot,
    SnapshotSeen,
    ViewSeen,
)
from director_console.projection.timing import PaceSeen, TimeSeen
from director_console.store.reports import StoredReport
from table_controller.messages import (
    AvailBody,
    Body,
    Envelope,
    FaultBody,
    IrregularityBody,
    LogBody,
    Message,
    StateBody,
    VisitBody,
    What,
    read_body,
    wall_ns,
)
from table_controller.messages.codec import CodecError
from table_controller.messages.fields import ClockQuality
from table_controller.screen.effects import RecordBoard, RecordPace, RecordTime, ShowState

NS_PER_MS = 1_000_000
STREAMS = ("log", "irregularity", "fault", "visit")
TRUSTED_CLOCKS = (ClockQuality.NTP,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A report taken apart: what to keep, and what it tells the projection."""

    report: StoredReport
    inputs: tuple[Input, ...]


def row_of(message: Message, raw: bytes, received: int, clocks: Clocks) -> Row:
    """The report in this message. `received`: Unix ms. Raises ValueError where it carries no number."""
    envelope = message.envelope
    if envelope.table is None or envelope.epoch is None or not envelope.seq:
        raise ValueError(f"message {envelope.id}: a report names its table, epoch and number")
    happened = clocks.when(envelope.table, envelope.session, envelope.mono_ms, received)
    report = StoredReport(
        table=envelope.table,
        epoch=envelope.epoch,
        seq=envelope.seq,
        stream=envelope.type,
        what=message.body.what if isinstance(message.body, LogBody) else "",
        session=envelope.session,
        mono_ms=envelope.mono_ms,
        wall=envelope.wall,
        clock=envelope.clock,
        received=received,
        happened=happened,
        verified=True,
        raw=raw,
    )
    return Row(report=report, inputs=inputs_of(report, message.body))


def stored_envelope(report: StoredReport) -> Envelope:
    return Envelope.model_validate_json(report.raw)


def inputs_of_stored(report: StoredReport) -> tuple[Input, ...]:
    """What a kept report tells the projection."""
    return inputs_of(report, read_body(stored_envelope(report)))


def inputs_of(report: StoredReport, body: Body) -> tuple[Input, ...]:
    """What a report tells the projection; nothing where it is of a later version or not for the wall."""
    try:
        return _inputs(report, body)
    except CodecError:
        return ()


def _inputs(report: StoredReport, body: Body) -> tuple[Input, ...]:
    table, epoch, seq = report.table, report.epoch, report.seq
    match body:
        case IrregularityBody():
            entry = body.read()
            when = min(report.received, report.happened - report.mono_ms + entry.at // NS_PER_MS)
            seen = EntrySeen(
                table=table, epoch=epoch, seq=seq, entry=entry, when=when, reported=report.received
            )
            return (seen,)
        case FaultBody():
            return (AlarmSeen(table=table, epoch=epoch, seq=seq, fault=body.read(), when=report.happened),)
        case LogBody(what=What.VIEW):
            effect = body.effect()
            if isinstance(effect, ShowState):
                return (ViewSeen(table=table, epoch=epoch, seq=seq, view=effect.view, when=report.happened),)
        case LogBody(what=What.BOARD):
            effect = body.effect()
            if isinstance(effect, RecordBoard):
                return (BoardSeen(table=table, epoch=epoch, seq=seq, board=effect, when=report.happened),)
        case LogBody(what=What.BOARD_TIME | What.SESSION_TIME):
            return _times(report, body)
        case VisitBody() | _:
            pass
    return ()


def _times(report: StoredReport, body: LogBody) -> tuple[Input, ...]:
    """Of the table's clock. Its moments become the console's by the row they came in."""
    effect, offset = body.effect(), report.happened - report.mono_ms
    table, epoch, seq = report.table, report.epoch, report.seq
    match effect:
        case RecordTime():
            begun, ended = effect.begun + offset, effect.ended + offset
            seen = TimeSeen(table=table, epoch=epoch, seq=seq, time=effect, begun=begun, ended=ended)
            return (seen,)
        case RecordPace():
            return (PaceSeen(table=table, epoch=epoch, seq=seq, pace=effect, offset=offset),)
        case _:
            return ()


def presence_of(message: Message, received: int, *, live: bool) -> PresenceSeen | None:
    envelope, body = message.envelope, message.body
    if not isinstance(body, AvailBody) or envelope.table is None:
        return None
    return PresenceSeen(
        table=envelope.table,
        epoch=envelope.epoch or "",
        session=envelope.session,
        presence=Presence(body.status.value),
        at=received,
        live=live,
    )


def snapshot_of(message: Message, received: int, *, live: bool) -> SnapshotSeen | None:
    """A retained copy is as old as its clock says, if that can be believed; else its age is unknown (0)."""
    envelope, body = message.envelope, message.body
    if not isinstance(body, StateBody) or envelope.table is None:
        return None
    at = received
    if not live:
        dated = envelope.wall is not None and envelope.clock in TRUSTED_CLOCKS
        at = min(received, wall_ns(envelope.wall or "") // NS_PER_MS) if dated else 0
    snapshot = Snapshot(
        epoch=envelope.epoch or "",
        session=envelope.session,
        rev=envelope.rev or 0,
        mono_ms=envelope.mono_ms,
        last_seq=body.last_seq,
        head=body.head,
        safe=body.safe,
        phase=body.phase,
        board=body.board,
        dealer=body.dealer or "",
        vulnerability=body.vulnerability or "",
        tray=body.tray,
        window=body.window,
        auction=body.auction,
        holds=body.holds,
        off=body.off,
        clock=envelope.clock,
        wall=envelope.wall,
        versions=tuple(sorted(body.versions.items())),
        health=tuple(sorted(body.health.items())),
        timers=tuple((timer.name, timer.due_ms) for timer in body.timers),
    )
    return SnapshotSeen(table=envelope.table, snapshot=snapshot, at=at, live=live)
