"""The hall: every table, case, alarm and notice as the directors should see it now.

A frozen value: `fold` makes the next one from news and leaves this as it was. Must never be changed in place,
and never read a clock: what depends on the time takes it as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from director_console.pauses import over
from director_console.projection.alarm import Alarm, AlarmState
from director_console.projection.case import Case, Handling, queue_order
from director_console.projection.contest import Plan
from director_console.projection.inputs import (
    CommandSeen,
    Matter,
    NoticeSeen,
    Presence,
    Snapshot,
    TimeRuled,
)
from director_console.projection.round_clock import RoundClock
from director_console.projection.timing import Times
from table_controller.screen.effects import RecordBoard, TableView
from table_controller.screen.entry import Level

STALE_AFTER_MS = 45_000
Key = tuple[str, str, int]
"""Table, epoch, number of an entry or fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNow:
    """One table. `heard_at`: when it last spoke itself (ms); None: never since this console knows it.

    `last_received`: all its numbers up to this one are stored; `highest`: the highest number seen at all;
    `last_seq`: what the table itself says it has written.
    """

    name: str
    rev: int
    epoch: str = ""
    past: frozenset[str] = frozenset()
    """The journals it wrote before this one, as far as we have seen it change."""
    session: str = ""
    presence: Presence = Presence.UNKNOWN
    heard_at: int | None = None
    view: TableView | None = None
    view_seq: int = 0
    view_at: int = 0
    snapshot: Snapshot | None = None
    last_received: int = 0
    highest: int = 0
    last_seq: int = 0
    last_board: RecordBoard | None = None
    boards_over: int = 0
    board_since: int = 0
    """When the board on the table was first seen there (ms); 0: not known."""

    @property
    def behind(self) -> int:
        """How many reports the table has written that are not here yet."""
        return max(self.last_seq, self.highest) - self.last_received

    def stale(self, now: int) -> bool:
        return self.heard_at is None or over(self.heard_at, now, STALE_AFTER_MS + 1)

    @property
    def rev_of_state(self) -> int | None:
        """The table's own revision of what was last seen of it: a command that moves things names it."""
        return None if self.snapshot is None else self.snapshot.rev

    @property
    def phase(self) -> str:
        if self.view is not None:
            return self.view.phase
        return self.snapshot.phase if self.snapshot is not None else ""

    @property
    def holds(self) -> tuple[str, ...]:
        """Why it is held now: `entry:NUMBER`, `director`; empty: it is not held, or nobody knows."""
        if self.view is not None:
            return self.view.holds
        return self.snapshot.holds if self.snapshot is not None else ()

    @property
    def board(self) -> int | None:
        if self.view is not None:
            return self.view.board
        return self.snapshot.board if self.snapshot is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Everything at once. `rev` counts changes of this value; each part has the `rev` of its last change."""

    rev: int = 0
    tables: Mapping[str, TableNow] = field(default_factory=dict)
    cases: Mapping[Key, Case] = field(default_factory=dict)
    alarms: Mapping[Key, Alarm] = field(default_factory=dict)
    commands: Mapping[str, CommandSeen] = field(default_factory=dict)
    notices: Mapping[int, NoticeSeen] = field(default_factory=dict)
    of_table: Mapping[str, frozenset[Key]] = field(default_factory=dict)
    """The keys of the cases and alarms of each table: a tile asks for its own four times a second."""
    broker_up: bool = False
    order: tuple[str, ...] = ()
    strip_rev: int = 0
    """Last change of anything the strip or the queue shows."""
    clock: RoundClock | None = None
    plans: tuple[Plan, ...] = ()
    """Sessions as they were laid down and changed, the latest first."""

    times: Mapping[str, Times] = field(default_factory=dict)
    """By table, what its clock has reported."""
    time_rulings: Mapping[tuple[str, str, Matter], tuple[TimeRuled, ...]] = field(default_factory=dict)
    """By table, session and matter, every version, the last one standing."""

    def plan_of(self, table: str) -> Plan | None:
        """The session that holds at this table, None where no clock is kept."""
        return next((plan for plan in self.plans if plan.concerns(table)), None)

    def in_order(self) -> tuple[TableNow, ...]:
        """The tables where the wall shows them, always in the same place: by natural order of their names."""
        return tuple(self.tables[name] for name in self.order)

    def waiting(self) -> tuple[Case, ...]:
        """The queue: what waits for a director, first things first."""
        found = (case for case in self.cases.values() if case.waits and self.shown(case))
        return tuple(sorted(found, key=queue_order))

    def left_held(self) -> tuple[TableNow, ...]:
        """The tables that stand still though no case that stops them waits: only *resume* lets them go on."""
        said = {case.table for case in self.waiting() if case.level is Level.HOLD}
        return tuple(table for table in self.in_order() if table.holds and table.name not in said)

    def over(self, case: Case) -> bool:
        """Whether the board of the case is off the table or over: no verdict changes anything there then."""
        table = self.tables.get(case.table)
        if table is None or table.epoch != case.epoch:
            return True
        return case.entry.board is not None and (table.board != case.entry.board or table.phase == "complete")

    def shown(self, case: Case) -> bool:
        """Whether the director may be shown it yet: some facts only once the board is over (23.2.7)."""
        if not case.entry.after_board:
            return True
        table = self.tables.get(case.table)
        if table is None or table.epoch != case.epoch:
            return True
        return table.board != case.entry.board or table.phase == "complete"

    def cases_of(self, table: str) -> tuple[Case, ...]:
        found = [self.cases[key] for key in self.of_table.get(table, ()) if key in self.cases]
        return tuple(sorted(found, key=lambda case: (-case.when, -case.entry.id)))

    def alarms_of(self, table: str) -> tuple[Alarm, ...]:
        found = [self.alarms[key] for key in self.of_table.get(table, ()) if key in self.alarms]
        return tuple(sorted(found, key=lambda alarm: (-alarm.when, -alarm.fault.id)))

    def standing_alarms(self, now: int) -> tuple[Alarm, ...]:
        """The alarms that are anything but normal, put away or out of service ones last; the newest first."""
        away = (AlarmState.SHELVED, AlarmState.OUT_OF_SERVICE)
        found = [(alarm.state(now), alarm) for alarm in self.alarms.values()]
        kept = [
            (state in away, -alarm.when, alarm) for state, alarm in found if state is not AlarmState.NORMAL
        ]
        return tuple(alarm for _, _, alarm in sorted(kept, key=lambda item: (*item[:2], item[2].key)))

    def open_notices(self) -> tuple[NoticeSeen, ...]:
        found = [notice for notice in self.notices.values() if not notice.acknowledged_by]
        return tuple(sorted(found, key=lambda notice: -notice.id))

    def count(self, handling: Handling) -> int:
        return sum(case.handling is handling for case in self.cases.values())


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key by which table 9 comes before table 10, and open-2 before open-10."""
    parts = re.findall(r"\d+|\D+", name)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
