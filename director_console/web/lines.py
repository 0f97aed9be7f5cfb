"""Rows of the journal and facts of a case as lines a director reads.

Hands, and with them cards played, are left out unless they have been revealed. Must never fail on a row of a
later version: it is shown by its name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields

from director_console.projection.case import Case
from director_console.projection.hall import TableNow
from director_console.reading import stored_envelope
from director_console.store import reports
from director_console.store.reports import StoredReport
from director_console.web import sentences
from director_console.web.i18n import known, say
from director_console.web.values import (
    fact_name,
    fact_value,
    refusal_text,
    status_text,
    value_text,
    verb_text,
    verbatim,
)
from table_controller.messages import (
    FaultBody,
    IrregularityBody,
    LogBody,
    VisitBody,
    What,
    read_body,
)
from table_controller.messages.codec import CodecError
from table_controller.screen.effects import Effect, Moved, RecordBoard, RecordPace, RecordTime, Refuse
from table_controller.screen.entry import Level, Visit
from table_controller.screen.events import CallWithdrawn, CardPlayed, Event, EventsLost
from table_controller.words import Lang, refusal

QUIET = (What.VIEW, What.DEADLINE)
"""Rows that say nothing to a reader: the table's picture of itself, and its alarm clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line. `gap`: numbers that are missing, from and to. `entry`: the case it opens or amends."""

    seq: int
    mono_ms: int = 0
    happened: int = 0
    wall: str | None = None
    clock: str = ""
    stream: str = ""
    text: str = ""
    gap: tuple[int, int] | None = None
    entry: int | None = None


def log_lines(
    lang: str, rows: Sequence[StoredReport], missing: Sequence[tuple[int, int]], *, hands: bool
) -> list[LogLine]:
    """Newest first, with what is missing in its place."""
    found = [LogLine(seq=first, gap=(first, last)) for first, last in missing]
    in_auction = True
    for row in rows:
        in_auction = _in_auction(row, in_auction)
        line = _line(lang, row, hands=hands, in_auction=in_auction)
        if line is not None:
            found.append(line)
    return sorted(found, key=lambda line: -line.seq)


def _in_auction(row: StoredReport, before: bool) -> bool:
    """Whether a call can still be taken back after this row; afterwards its card is only taken up."""
    if row.stream != "log" or row.what != What.MOVED:
        return before
    try:
        body = read_body(stored_envelope(row))
        moved = body.effect() if isinstance(body, LogBody) and body.has_effect else None
    except (CodecError, ValueError):
        return before
    return moved.dest.startswith("auction") if isinstance(moved, Moved) else before


def _line(lang: str, row: StoredReport, *, hands: bool, in_auction: bool) -> LogLine | None:
    if row.stream == "log" and row.what in QUIET:
        return None
    entry: int | None = None
    try:
        body = read_body(stored_envelope(row))
        match body:
            case LogBody():
                text = _log_text(lang, body, hands=hands, in_auction=in_auction)
            case IrregularityBody():
                said = body.read()
                entry = said.id
                name = sentences.sentence(lang, said)
                text = say(lang, f"log.entry_{body.change.value}", text=name)
            case FaultBody():
                text = say(
                    lang, f"log.fault_{body.change.value}", text=sentences.fault_sentence(lang, body.read())
                )
            case VisitBody():
                visit = body.read()
                text = say(
                    lang, "log.visit", side=value_text(lang, "side", visit.screen_side), n=visit.ordinal
                )
            case _:
                text = row.stream
    except (CodecError, ValueError):
        text = say(lang, "log.newer", what=row.what or row.stream)
    return LogLine(
        seq=row.seq,
        mono_ms=row.mono_ms,
        happened=row.happened,
        wall=row.wall,
        clock=row.clock,
        stream=row.stream,
        text=text,
        entry=entry,
    )


def _log_text(lang: str, body: LogBody, *, hands: bool, in_auction: bool) -> str:
    if body.what is What.EVENT:
        event = body.event()
        if isinstance(event, CardPlayed) and not hands:
            return say(lang, "event.card_hidden", seat=sentences.word(lang, "seat", event.seat))
        if isinstance(event, EventsLost) and event.gap:
            return say(lang, "event.events_lost_unread", seconds=f"{event.gap / 1e9:.1f}")
        if isinstance(event, CallWithdrawn) and not in_auction:
            return _named(lang, "event", event, key="CallTakenUp")
        return _named(lang, "event", event)
    if body.what is What.ORDER:
        return _named(lang, "order", body.effect())
    if body.has_effect:
        effect = body.effect()
        match effect:
            case Moved():
                key = "log.corrected_phase" if effect.by_correction else "log.phase"
                return say(lang, key, phase=sentences.phase_name(lang, effect.dest))
            case RecordBoard():
                return say(lang, "log.board", number=effect.number or "?", contract=effect.contract or "?")
            case Refuse():
                why = refusal(effect.refusal.code, dict(effect.refusal.slots), Lang(lang))
                return say(lang, "log.refused", reason=why)
            case RecordTime():
                return say(lang, "log.board_time", number=effect.board or "?")
            case RecordPace():
                return say(lang, "log.session_time", begun=len(effect.begun), finished=len(effect.finished))
            case _:
                return say(lang, "log.newer", what=type(effect).__name__)
    if body.what is What.COMMAND:
        value = {name: str(item) for name, item in body.value.items() if item is not None}
        said = say(
            lang,
            "log.command",
            verb=verb_text(lang, value.get("verb", "?")),
            by=value.get("by", "?"),
            status=status_text(lang, value.get("status", "?")),
        )
        why = _why_refused(lang, body)
        return f"{said}: {why}" if why else said
    text = body.value.get("text")
    if not known(lang, f"log.{body.what.value}"):
        return say(lang, "log.newer", what=body.what.value)
    said = verbatim(lang, text) if isinstance(text, str) else ""
    return f"{say(lang, f'log.{body.what.value}')} {said}".strip()


def _why_refused(lang: str, body: LogBody) -> str:
    reason, code, pairs = (body.value.get(name) for name in ("reason", "code", "slots"))
    slots = {
        str(pair[0]): str(pair[1])
        for pair in (pairs if isinstance(pairs, list) else [])
        if isinstance(pair, list) and len(pair) == 2
    }
    return refusal_text(lang, str(reason or ""), str(code or ""), slots)


def _named(lang: str, group: str, value: Event | Effect, key: str = "") -> str:
    """The sentence of this kind of event or order with its fields filled in."""
    name = key or type(value).__name__
    if not known(lang, f"{group}.{name}"):
        return say(lang, "log.newer", what=name)
    slots = {field.name: value_text(lang, field.name, getattr(value, field.name)) for field in fields(value)}
    return say(lang, f"{group}.{name}", **slots)


def visits_of(db: sqlite3.Connection, table: TableNow, board: int | None = None) -> list[Visit]:
    """The visits of the board on the table, each once, as last reported."""
    wanted = table.board if board is None else board
    latest: dict[int, Visit] = {}
    for row in reports.read(db, table.name, table.epoch, streams=("visit",), newest=120):
        body = read_body(stored_envelope(row))
        if isinstance(body, VisitBody):
            visit = body.read()
            if visit.board == wanted:
                latest[visit.ordinal] = visit
    return [latest[ordinal] for ordinal in sorted(latest)]


def fact_lines(lang: str, case: Case) -> list[tuple[str, str, str]]:
    """What is known of a case beside its sentence: name, value, and what that means where it needs saying."""
    meant = {
        sentences.word(lang, "four_facts", "gap"): say(lang, "key.gap"),
        say(lang, "case.standing"): say(lang, "key.standing"),
    }
    return [(name, value, meant.get(name, "")) for name, value in _facts(lang, case)]


def _facts(lang: str, case: Case) -> list[tuple[str, str]]:
    entry = case.entry
    found: list[tuple[str, str]] = []
    if entry.stage is not None:
        found.append((say(lang, "case.stage"), sentences.word(lang, "stage", entry.stage)))
    found.append((say(lang, "case.phase"), sentences.phase_name(lang, entry.phase)))
    if entry.screen_side is not None:
        found.append((say(lang, "case.face"), sentences.word(lang, "face", entry.screen_side)))
    found.extend(sentences.four_facts(lang, entry))
    for fact in entry.facts:
        found.append((fact_name(lang, fact.name), fact_value(lang, fact.name, fact.text)))
    found.append((say(lang, "case.standing"), sentences.word(lang, "entry_standing", entry.standing)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    at: int
    by: str
    text: str


def history_of(lang: str, case: Case) -> list[HistoryLine]:
    """What became of a case, from the table and from the directors, in order."""
    found = [
        HistoryLine(
            at=amendment.reported,
            by=say(lang, "case.by_table"),
            text=say(
                lang,
                "case.reported" if index == 0 else "case.amended",
                standing=sentences.word(lang, "entry_standing", amendment.entry.standing),
                level=level_name(lang, amendment.entry.level),
            ),
        )
        for index, amendment in enumerate(case.amendments)
    ]
    for step in case.steps:
        text = say(lang, f"step.{step.step.value}", owner=step.owner)
        found.append(HistoryLine(at=step.at, by=step.by, text=f"{text} {step.text}".strip()))
    for ruling in case.rulings:
        verdict = sentences.word(lang, "verdict", ruling.verdict)
        text = say(lang, "case.ruling_version", version=ruling.version, verdict=verdict)
        found.append(HistoryLine(at=ruling.at, by=ruling.by, text=f"{text} {ruling.text}".strip()))
    return sorted(found, key=lambda line: line.at)


def level_name(lang: str, level: Level) -> str:
    return sentences.word(lang, "level", level.name.lower())
