"""The session page's figures: boards begun and over, each pair's clock, and what the articles say of the
time.

Read from the journal when asked and kept until the table has gone on.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from director_console.projection.contest import (
    BoardTime,
    Pace,
    PairClock,
    Plan,
    pace_of,
    pair_clock,
    plan_from,
)
from director_console.projection.hall import TableNow
from director_console.reading import stored_envelope
from director_console.store import reports
from director_console.store.reports import StoredReport
from table_controller.messages import VisitBody, read_body
from table_controller.regulations import clock
from table_controller.regulations.clock_words import all_said
from table_controller.regulations.load import load as load_regulations
from table_controller.regulations.sheet import source_text
from table_controller.screen.entry import Visit
from table_controller.words.dictionary import Lang

NS_PER_MS = 1_000_000


def plans(db: sqlite3.Connection) -> tuple[Plan, ...]:
    """The plans given, the latest first."""
    rows = db.execute("SELECT session, body, by, at FROM contests ORDER BY n DESC")
    return tuple(plan_from(*row) for row in rows)


def plan_of(found: Sequence[Plan], table: str) -> Plan | None:
    return next((plan for plan in found if plan.concerns(table)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePace:
    """One line of the session page. `indications`: sentences with their source."""

    table: TableNow
    plan: Plan | None
    pace: Pace
    clock: PairClock
    indications: tuple[str, ...]


_kept: dict[tuple[str, str], tuple[int, tuple[BoardTime, ...], PairClock]] = {}


def times_of(db: sqlite3.Connection, table: TableNow) -> tuple[tuple[BoardTime, ...], PairClock]:
    """Boards and pair clocks of the table's present journal."""
    known = _kept.get((table.name, table.epoch))
    if known is not None and known[0] == table.highest:
        return known[1], known[2]
    rows = reports.read(db, table.name, table.epoch, what=("moved", "board"))
    visits = _visits(db, table)
    found = (_boards(rows), pair_clock(visits))
    _kept[table.name, table.epoch] = (table.highest, *found)
    return found


def _boards(rows: Sequence[StoredReport]) -> tuple[BoardTime, ...]:
    found: list[BoardTime] = []
    begun: int | None = None
    for row in rows:
        value = json.loads(row.raw)["body"]["value"]
        if row.what == "board":
            number = value.get("number")
            found.append(
                BoardTime(number=number, begun=row.happened if begun is None else begun, ended=row.happened)
            )
            begun = None
        elif begun is None and str(value.get("dest", "")).startswith("auction"):
            begun = row.happened
    if begun is not None:
        found.append(BoardTime(number=None, begun=begun, ended=None))
    return tuple(found)


def _visits(db: sqlite3.Connection, table: TableNow) -> list[Visit]:
    latest: dict[tuple[int | None, int], Visit] = {}
    for row in reports.read(db, table.name, table.epoch, streams=("visit",)):
        body = read_body(stored_envelope(row))
        if isinstance(body, VisitBody):
            visit = body.read()
            latest[visit.board, visit.ordinal] = visit
    return list(latest.values())


def table_pace(db: sqlite3.Connection, table: TableNow, plan: Plan | None, now: int, lang: str) -> TablePace:
    boards, pairs = times_of(db, table)
    pace = pace_of(plan, boards, now)
    return TablePace(
        table=table,
        plan=plan,
        pace=pace,
        clock=pairs,
        indications=() if plan is None else _indications(plan, pace, Lang(lang)),
    )


def _indications(plan: Plan, pace: Pace, lang: Lang) -> tuple[str, ...]:
    """What the articles for late and slow tables would say, both readings where there are two."""
    regulations = load_regulations(plan.regulations)
    found: list[str] = []
    late = clock.late(regulations, plan.contest, (pace.late or 0) * NS_PER_MS)
    if late is not None:
        found.append(_said(late, lang))
    slow = clock.slow(regulations, plan.contest, (pace.over or 0) * NS_PER_MS)
    if slow is not None:
        found.append(_said(slow.total, lang))
    return tuple(found)


def _said(indication: clock.Indication, lang: Lang) -> str:
    readings = " / ".join(all_said(reading, lang) for reading in indication.readings)
    return f"{readings} ({source_text(indication.source, lang)})"
