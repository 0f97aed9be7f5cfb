"""`TimedTable`: a `ScreenTable` that also keeps time. What runs at a table is one of these.

The core stays as it is; the clock reads over its shoulder, adds its rows to the effects, and has the core
enter what it indicates. The same events give the same effects, so a restart and a replay give the same rows.
Must never change what the core made of an event, nor
cost it: a clock that fails stops, says so, and the table goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import replace
from functools import partial

from table_controller.clock.indications import Indicated, indicate, late_arrival, slow_begins, slow_ended
from table_controller.clock.keeper import Keeping, keep
from table_controller.clock.segments import NS_PER_MS
from table_controller.clock.standing import SessionStanding
from table_controller.regulations.model import Regulations
from table_controller.screen.effects import (
    ClearDeadline,
    Effect,
    RecordPace,
    SetDeadline,
    ShowState,
    TableView,
)
from table_controller.screen.events import Event, Restarted
from table_controller.screen.facts import TableState
from table_controller.screen.phase import PhaseMachine
from table_controller.screen.table import ScreenTable

SESSION_OVER = "session_over"
"""The deadline at which the time allowed is over. It is the round's, and tells nothing of anybody's tempo."""
NO_CLOCK = ("clock", "no session is laid down, so no clock is kept")


class TimedTable(ScreenTable):
    """One table with its clock. Arguments as `ScreenTable`."""

    __slots__ = ("_given", "_keeping", "_pace", "_stopped")

    def __init__(
        self,
        *,
        regulations: Regulations,
        senses: AbstractSet[str],
        machine: PhaseMachine | None = None,
    ) -> None:
        super().__init__(regulations=regulations, senses=senses, machine=machine)
        self._keeping = Keeping()
        self._pace: RecordPace | None = None
        self._given: int | None = None
        self._stopped = ""

    @property
    def keeping(self) -> Keeping:
        """What the clock remembers; frozen."""
        return self._keeping

    def view(self) -> TableView:
        return self._with_clock(super().view())

    def handle(self, event: Event, number: int = 0) -> list[Effect]:
        before, before_view = self.state, self.view()
        effects = super().handle(event, number)
        if not self._stopped:
            try:
                effects += self._keep(event, number, before, effects)
            except Exception as problem:  # an error of ours here must cost the table nothing that it ordered
                self._stopped = f"the clock has stopped: Error of ours, {type(problem).__name__}: {problem}"
        effects = [effect for effect in effects if not isinstance(effect, ShowState)]
        view = self.view()
        return effects if view == before_view else [*effects, ShowState(view=view)]

    def _keep(self, event: Event, number: int, before: TableState, done: Sequence[Effect]) -> list[Effect]:
        if isinstance(event, Restarted):
            self._given = None
        self._keeping, rows = keep(self._keeping, event, before, self.state, done, self.rules)
        effects: list[Effect] = []
        for found in self._indicated(event):
            effects += self.add(event, number, partial(indicate, found))
        return [*effects, *rows, *self._paces(), *self._deadline(event.at)]

    def _with_clock(self, view: TableView) -> TableView:
        session = self._keeping.session
        if self._stopped:
            return replace(view, off=(*view.off, ("clock", self._stopped)))
        if session is None:
            return replace(view, off=(*view.off, NO_CLOCK))
        named, ours = session.plan.regulations, self.rules.regulations.id
        if named in ("", ours):
            return view
        why = f"the session is laid down under {named}, and this table follows {ours}"
        return replace(view, off=(*view.off, ("clock", why)))

    def _indicated(self, event: Event) -> Iterator[Indicated]:
        """What has become true of time, each once a session."""
        session = self._keeping.session
        if session is None:
            return
        regulations = self.rules.regulations
        if not session.late_said and (late := late_arrival(session, regulations)) is not None:
            session = replace(session, late_said=True)
            yield late
        ended = session.ended
        over_at = session.over_at
        if not session.slow_said and ended is None and over_at is not None:
            over_ns = over_at * NS_PER_MS
            if event.at >= over_ns and (began := slow_begins(session, regulations, over_ns)) is not None:
                session = replace(session, slow_said=True)
                yield began
        if not session.ended_said and ended is not None:
            last = slow_ended(session, regulations)
            session = replace(session, slow_said=session.slow_said or last is not None, ended_said=True)
            if last is not None:
                yield last
        if ended is None and session.ended_said:
            session = replace(session, ended_said=False)
        self._keeping = replace(self._keeping, session=session)

    def _paces(self) -> list[Effect]:
        session, ledger = self._keeping.session, self._keeping.ledger
        pace = None
        if session is not None:
            begun = ledger is not None and ledger.in_auction
            pace = session.pace(None if ledger is None else ledger.number, begun=begun)
        if pace == self._pace or pace is None:
            return []
        self._pace = pace
        return [pace]

    def _deadline(self, at: int) -> list[Effect]:
        """When the time allowed is over, asked for once, and again after a restart."""
        due = _due(self._keeping.session, at)
        if due == self._given:
            return []
        self._given = due
        return [ClearDeadline(name=SESSION_OVER) if due is None else SetDeadline(name=SESSION_OVER, at=due)]


def _due(session: SessionStanding | None, at: int) -> int | None:
    if session is None or session.ended is not None or session.over_at is None:
        return None
    due = session.over_at * NS_PER_MS
    return due if due > at else None
