"""`table-controller time`: what a journal has of time, for the director: boards, pairs, an evening's habits.

Reads rows that were written at the table; it measures nothing anew. Must never say what a time was used for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

from rich.table import Table

from table_controller.cli_errors import one_sentence
from table_controller.clock.habits import Habit, habit_of, samples_of
from table_controller.clock.shares import Sums, add_up, observed, pair_shares, per_pair_ms
from table_controller.journal import Row
from table_controller.laws.seat import Partnership
from table_controller.messages import LogBody, VisitBody, What
from table_controller.messages.codec import Json, to_json
from table_controller.messages.mac import parse_object
from table_controller.messages.topics import Stream
from table_controller.plain.console import plain_console
from table_controller.plain.folded import folded
from table_controller.regulations.load import DEFAULT, load
from table_controller.replay.cli import rows_of
from table_controller.screen.entry import Visit
from table_controller.screen.events import SessionOpened
from table_controller.screen.times import NO_PLAN, RecordPace, RecordTime, SessionPlan, TimeColumns
from table_controller.words import Lang, word

NS_PER_MS = 1_000_000
COLUMNS = tuple(field.name for field in fields(TimeColumns))


@dataclass(slots=True)
class SessionTimes:
    """What the journal has of one session, the latest plan and pace of it."""

    id: str
    rows: list[RecordTime]
    plan: SessionPlan = NO_PLAN
    boards: int = 0
    pace: RecordPace | None = None


def run_time(journal: Path, lang: Lang, *, habits: bool, as_json: bool) -> int:
    """Print it; the exit code."""
    with one_sentence():
        rows = rows_of(journal)
        sessions = sessions_of(rows)
        reference = round(load(DEFAULT).tempo.reference_s.value * 1_000_000_000)
        pairs = habits_of(rows, reference) if habits else {}
    if as_json:
        print(json.dumps(_plain(sessions, pairs), ensure_ascii=False))
        return 0
    if not sessions:
        print(word("time", "no_session", lang))
    for session in sessions:
        _show(session, lang)
    for pair, habit in pairs.items():
        _show_habit(pair, habit, lang)
    if sessions or pairs:
        print(word("time", "evidence", lang))
    return 0


def sessions_of(rows: Iterable[Row]) -> list[SessionTimes]:
    """The sessions in the order they were laid down. A row counts once."""
    found: dict[str, SessionTimes] = {}

    def of(session: str) -> SessionTimes:
        return found.setdefault(session, SessionTimes(session, []))

    for row in rows:
        if row.stream != Stream.LOG:
            continue
        body = LogBody.model_validate(parse_object(row.body.encode()))
        if body.what is What.EVENT and body.value.get("event") == "SessionOpened":
            event = body.event()
            assert isinstance(event, SessionOpened)
            session = of(event.session)
            session.boards = max(session.boards, len(event.boards))
            session.plan = event.plan
        elif body.what in (What.BOARD_TIME, What.SESSION_TIME):
            effect = body.effect()
            if isinstance(effect, RecordTime):
                of(effect.session).rows.append(effect)
            elif isinstance(effect, RecordPace):
                of(effect.session).pace = effect
    return [session for session in found.values() if session.rows or session.pace is not None]


def habits_of(rows: Iterable[Row], reference: int) -> dict[Partnership, Habit]:
    """Each partnership of this table over the whole journal. `reference`, ns: as the profile has it."""
    visits: dict[tuple[int | None, int, int | None], Visit] = {}
    for row in rows:
        if row.stream == Stream.VISIT:
            visit = VisitBody.model_validate(parse_object(row.body.encode())).read()
            visits[visit.board, visit.ordinal, visit.arrived] = visit
    return {pair: habit_of(samples_of(visits.values(), pair), reference) for pair in Partnership}


def _show(session: SessionTimes, lang: Lang) -> None:
    sums = add_up(session.rows)
    print(word("time", "session", lang, session=session.id, boards=len(session.rows)))
    for line in _pace_lines(session.pace, lang):
        print("  " + line)
    used = [name for name in COLUMNS if getattr(sums.columns, name)]
    table = Table(box=None, pad_edge=False)
    for name in ("board", *used, "whole"):
        table.add_column(word("time", name, lang), justify="right")
    for row in session.rows:
        number = "?" if row.board is None else str(row.board)
        table.add_row(number, *_cells(row.columns, used), clock(row.ended - row.begun))
    table.add_row(word("time", "all", lang), *_cells(sums.columns, used), clock(sums.columns.total))
    plain_console().print(folded(table))
    for line in _share_lines(session, sums, lang):
        print("  " + line)


def _cells(columns: TimeColumns, names: Sequence[str]) -> list[str]:
    return [clock(getattr(columns, name)) for name in names]


def _pace_lines(pace: RecordPace | None, lang: Lang) -> list[str]:
    found: list[str] = []
    if pace is not None and pace.start is not None and pace.arrived is not None:
        late = pace.arrived - pace.start
        found.append(
            word("time", "arrived", lang, late=clock(late)) if late > 0 else word("time", "in_time", lang)
        )
    if pace is not None and pace.due is not None and pace.ended is not None:
        over = pace.ended - pace.due
        found.append(
            word("time", "over", lang, over=clock(over)) if over > 0 else word("time", "within", lang)
        )
    return found


def _share_lines(session: SessionTimes, sums: Sums, lang: Lang) -> list[str]:
    found: list[str] = []
    per_pair = per_pair_ms(session.plan, session.boards)
    if not sums.all_read:
        found.append(word("time", "not_read", lang))
    elif per_pair is not None:
        for share in pair_shares(sums, per_pair):
            slots = {"pair": word("partnership", share.partnership, lang), "boards": sums.boards}
            times = {"used": share.used, "allowed": share.allowed, "over": share.over}
            found.append(
                word("time", "pair", lang, **slots, **{name: clock(ms) for name, ms in times.items()})
            )
    if sums.unmeasured:
        found.append(word("time", "unmeasured", lang, count=sums.unmeasured))
    return found


def _show_habit(pair: Partnership, habit: Habit, lang: Lang) -> None:
    thinking, holds = habit.thinking, habit.holds
    spread = {name: _seconds(getattr(thinking, name)) for name in ("lower", "upper", "median", "longest")}
    slots = {"pair": word("partnership", pair, lang), "count": thinking.count, "holds": holds.count}
    print(word("time", "habit", lang, **slots, **spread, hold=_seconds(holds.median)))
    for face, each in habit.faces:
        print(word("time", "face", lang, face=face.value, count=each.count, median=_seconds(each.median)))
    for one in habit.long:
        sample = one.sample
        seen = {"board": "?" if sample.board is None else sample.board, "visit": sample.ordinal}
        seen |= {"seat": word("seat", sample.seat, lang), "time": _seconds(sample.thinking or 0)}
        print(word("time", "long", lang, **seen, times=f"{one.times / 10:.1f}"))


def _plain(sessions: Sequence[SessionTimes], pairs: dict[Partnership, Habit]) -> dict[str, Json]:
    told: list[Json] = []
    for session in sessions:
        sums = add_up(session.rows)
        per_pair = per_pair_ms(session.plan, session.boards)
        weights = observed(sums, per_pair)
        told.append(
            {
                "session": session.id,
                "plan": to_json(session.plan),
                "pace": to_json(session.pace),
                "boards": [to_json(row) for row in session.rows],
                "columns": cast("Json", {name: getattr(sums.columns, name) for name in COLUMNS}),
                "all_read": sums.all_read,
                "over_ms": None if weights is None else [ns // NS_PER_MS for ns in weights],
            }
        )
    return {
        "sessions": told,
        "habits": {
            pair.value: {
                "thinking": to_json(habit.thinking),
                "holds": to_json(habit.holds),
                "faces": {face.value: to_json(each) for face, each in habit.faces},
                "long": [to_json(one) for one in habit.long],
            }
            for pair, habit in pairs.items()
        },
    }


def clock(ms: int) -> str:
    """`7:05`; seconds are cut."""
    seconds = abs(ms) // 1_000
    return f"{'-' if ms < 0 else ''}{seconds // 60}:{seconds % 60:02d}"


def _seconds(ns: int) -> str:
    return f"{ns / 1_000_000_000:.1f} s"
