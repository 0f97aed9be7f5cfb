"""`ScreenTable`: events in, effects out. Note, judge, advance; then what is desired is ordered.

Sans-IO and deterministic: no clock, no thread, no file, no socket; the same events give the same effects.
The whole state is one frozen, hashable value. `handle` takes any event at any time and must never raise for
what happened at a table; a fact out of place becomes an entry, a senseless order a `Refuse`.
"""

from __future__ import annotations

from collections.abc import Callable, Set as AbstractSet

from table_controller.regulations.model import Regulations
from table_controller.screen.advance import advance
from table_controller.screen.book import flush
from table_controller.screen.desired import order
from table_controller.screen.effects import Effect, ShowState, TableView
from table_controller.screen.events import Event
from table_controller.screen.facts import TableState
from table_controller.screen.judges import judge
from table_controller.screen.judges.timed import judge_time, note_due
from table_controller.screen.moment import Moment
from table_controller.screen.note import note
from table_controller.screen.phase import PhaseMachine, machine_for
from table_controller.screen.rules import Rules, rules_of
from table_controller.screen.view import view_of


class ScreenTable:
    """One table under one authority's regulations.

    `senses`: what it can sense and move, by the names in `senses`. Raises ValueError for a name that is none.
    """

    __slots__ = ("_machine", "_rules", "_state", "_view")

    def __init__(
        self,
        *,
        regulations: Regulations,
        senses: AbstractSet[str],
        machine: PhaseMachine | None = None,
    ) -> None:
        self._rules = rules_of(regulations, frozenset(senses))
        self._machine = machine if machine is not None else machine_for(self._rules.opens_on)
        self._state = TableState()
        self._view = view_of(self._state, self._rules)

    @classmethod
    def from_state(
        cls, state: TableState, *, regulations: Regulations, senses: AbstractSet[str]
    ) -> ScreenTable:
        """A table in this state: for exploring, and for nothing that runs."""
        table = cls(regulations=regulations, senses=senses)
        table.take(state)
        return table

    def handle(self, event: Event, number: int = 0) -> list[Effect]:
        """What follows from one event; `number` is the journal's of its row, 0 where there is none."""
        m = Moment(self._rules, self._state, event, number)
        judge_time(m)
        note(m)
        judge(m)
        advance(m, self._machine)
        note_due(m)
        flush(m)
        return self._done(m)

    def add(self, event: Event, number: int, judge: Callable[[Moment], None]) -> list[Effect]:
        """What follows from one more judgement on an event that has been handled: the clock's, of time."""
        m = Moment(self._rules, self._state, event, number)
        judge(m)
        flush(m)
        return self._done(m)

    def _done(self, m: Moment) -> list[Effect]:
        order(m)
        self._state = m.now
        view = view_of(self._state, self._rules)
        if view != self._view:
            self._view = view
            m.do(ShowState(view=view))
        return m.effects

    def view(self) -> TableView:
        return self._view

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def phase(self) -> str:
        """A leaf of the phase machine, by the name the diagram has."""
        return self._state.phase.value

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def checks_off(self) -> tuple[tuple[str, str], ...]:
        """The checks this table cannot make, each with the reason."""
        return self._rules.checks_off

    def take(self, state: TableState, view: TableView | None = None) -> None:
        """Be in this state; `view` is what it shows, if known. For exploring, and for nothing that runs."""
        self._state = state
        self._view = view_of(state, self._rules) if view is None else view
