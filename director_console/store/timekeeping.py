"""Acts about time: sessions laid down, the clock of the round, decisions about late and slow tables.

Only ever added to, each with who and why in the chained log. Every function that writes is called inside a
deed and gives back the projection's input.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from director_console.projection.contest import Plan, plan_from
from director_console.projection.inputs import ClockSet, Matter, PlanLaid, TimeRuled, TimeVerdict
from director_console.projection.round_clock import ClockAct, RoundClock, clock_from
from director_console.store.book import Book


def lay_plan(book: Book, plan: Plan) -> PlanLaid:
    book.db.execute(
        "INSERT INTO contests (session, body, by, at) VALUES (?, ?, ?, ?)",
        (plan.session, plan.to_json(), plan.by, plan.at),
    )
    book.audit(
        plan.at,
        plan.by,
        "session laid down",
        session=plan.session,
        boards=len(plan.boards),
        tables=" ".join(plan.tables),
        why=plan.why,
    )
    return PlanLaid(plan=plan)


def set_clock(book: Book, clock: RoundClock | None, act: ClockAct, why: str, by: str, at: int) -> ClockSet:
    book.db.execute(
        "INSERT INTO round_clocks (act, body, why, by, at) VALUES (?, ?, ?, ?, ?)",
        (act, "null" if clock is None else clock.to_json(), why, by, at),
    )
    book.audit(at, by, f"round clock {act}", round=None if clock is None else clock.round, why=why)
    return ClockSet(clock=clock)


def rule_time(book: Book, ruled: TimeRuled) -> TimeRuled:
    """Keep it under the next version; `ruled.version` is not looked at."""
    version = book.db.execute(
        "SELECT coalesce(max(version), 0) + 1 FROM time_rulings "
        'WHERE "table" = ? AND session = ? AND what = ?',
        (ruled.table, ruled.session, ruled.matter),
    ).fetchone()[0]
    book.db.execute(
        'INSERT INTO time_rulings ("table", session, what, version, verdict, ns, ew, reason, shown, by, at) '
        "VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            ruled.table,
            ruled.session,
            ruled.matter,
            version,
            ruled.verdict,
            ruled.ns,
            ruled.ew,
            ruled.reason,
            json.dumps(ruled.shown, ensure_ascii=False),
            ruled.by,
            ruled.at,
        ),
    )
    book.audit(
        ruled.at,
        ruled.by,
        f"time {ruled.matter}",
        table=ruled.table,
        session=ruled.session,
        version=version,
        verdict=ruled.verdict,
        reason=ruled.reason,
    )
    return replace(ruled, version=version)


_RULINGS = 'SELECT "table", session, what, version, verdict, ns, ew, reason, shown, by, at FROM time_rulings'
_Row = tuple[str, str, str, int, str, str, str, str, str, str, int]


def _ruled(row: _Row) -> TimeRuled:
    table, session, what, version, verdict, ns, ew, reason, shown, by, at = row
    return TimeRuled(
        table=table,
        session=session,
        matter=Matter(what),
        version=version,
        verdict=TimeVerdict(verdict),
        ns=ns,
        ew=ew,
        reason=reason,
        shown=tuple(json.loads(shown)),
        by=by,
        at=at,
    )


def time_rulings(db: sqlite3.Connection) -> Iterator[TimeRuled]:
    """Every version of every decision, in the order given."""
    for row in db.execute(f"{_RULINGS} ORDER BY n"):
        yield _ruled(row)


def kept(db: sqlite3.Connection) -> Iterator[PlanLaid | ClockSet | TimeRuled]:
    """All of it, in the order in which the projection takes it at the start."""
    for row in db.execute("SELECT session, body, by, at FROM contests ORDER BY n"):
        yield PlanLaid(plan=plan_from(*row))
    for (body,) in db.execute("SELECT body FROM round_clocks ORDER BY n DESC LIMIT 1"):
        yield ClockSet(clock=clock_from(body))
    yield from time_rulings(db)
