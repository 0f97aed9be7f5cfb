"""An evening's figures of the two pairs at a table, read from the journal where they have sat.

Called only once a reason was given. What was read is kept until a table has gone on.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from director_console.projection.evening_chart import EveningChart, chart_of_evening
from director_console.projection.hall import Hall
from director_console.projection.pairs import Pair, pairs_at
from director_console.reading import stored_envelope
from director_console.store import reports
from table_controller.clock.habits import Habit, Sample, habit_of, samples_of
from table_controller.messages import VisitBody, read_body
from table_controller.messages.codec import CodecError
from table_controller.screen.entry import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One visit, as last reported; `at`: when it was first reported, Unix ms."""

    at: int
    visit: Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEvening:
    pair: Pair
    habit: Habit
    chart: EveningChart | None


_kept: dict[str, tuple[tuple[str, int], tuple[Seen, ...]]] = {}


def visits_at(db: sqlite3.Connection, hall: Hall, table: str) -> tuple[Seen, ...]:
    """Every visit of the tray at this table, over all its journals, in order, each once."""
    now = hall.tables.get(table)
    mark = ("", 0) if now is None else (now.epoch, now.highest)
    known = _kept.get(table)
    if known is not None and known[0] == mark:
        return known[1]
    found: dict[tuple[str, int | None, int, int | None], Seen] = {}
    for row in reports.read(db, table, streams=("visit",)):
        try:
            body = read_body(stored_envelope(row))
            visit = body.read() if isinstance(body, VisitBody) else None
        except (CodecError, ValueError):
            continue
        if visit is not None:
            key = row.epoch, visit.board, visit.ordinal, visit.arrived
            first = found.get(key)
            found[key] = Seen(at=row.happened if first is None else first.at, visit=visit)
    seen = tuple(sorted(found.values(), key=lambda one: one.at))
    _kept[table] = (mark, seen)
    return seen


def evening_of(db: sqlite3.Connection, hall: Hall, table: str, reference: int) -> tuple[PairEvening, ...]:
    """NS and EW of this table. `reference` in ns, as the profile in force has it."""
    return tuple(_pair(db, hall, pair, reference) for pair in pairs_at(hall.plans, table))


def _pair(db: sqlite3.Connection, hall: Hall, pair: Pair, reference: int) -> PairEvening:
    samples: list[Sample] = []
    for sitting in sorted(pair.sittings, key=lambda one: one.since):
        visits = [
            seen.visit
            for seen in visits_at(db, hall, sitting.table)
            if sitting.since <= seen.at and (sitting.until is None or seen.at < sitting.until)
        ]
        samples += samples_of(visits, sitting.partnership, where=sitting.table, order=len(samples))
    habit = habit_of(samples, reference)
    return PairEvening(pair=pair, habit=habit, chart=chart_of_evening(habit, reference))
