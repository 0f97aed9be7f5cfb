"""A timed table driven by hand: `tests.screen.driving` with the clock that runs at a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from table_controller.clock.table import TimedTable
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.load import load
from table_controller.screen import effects, events as ev
from table_controller.screen.times import RecordPace, RecordTime, SessionPlan
from tests.screen.driving import FULL, Driver

PLAN = SessionPlan()


class Timed(Driver):
    """Each event comes one second after the last unless told otherwise."""

    table: TimedTable

    def __init__(
        self, regulations: str = "ccba-2006", senses: Iterable[str] = FULL, *, session: bool = True
    ) -> None:
        super().__init__(regulations, senses)
        self.senses = frozenset(senses)
        self.regulations = load(regulations)
        self.table = TimedTable(regulations=self.regulations, senses=self.senses)
        if session:
            self.lays_down()

    def lays_down(self, boards: Iterable[int] = (), plan: SessionPlan = PLAN, session: str = "s") -> Self:
        due = tuple(ev.BoardDue(number=number) for number in boards)
        self.order(ev.SessionOpened, session=session, boards=due, plan=plan)
        return self

    @property
    def rows(self) -> list[RecordTime]:
        return self.did(effects.RecordTime)

    @property
    def row(self) -> RecordTime:
        (found,) = self.rows
        return found

    @property
    def pace(self) -> RecordPace:
        return self.did(effects.RecordPace)[-1]

    def columns(self) -> dict[str, int]:
        """What the last row has, in seconds where they are whole, without what is nothing."""
        row = self.rows[-1]
        assert row.columns.total == row.ended - row.begun
        names = row.columns.__dataclass_fields__
        return {name: getattr(row.columns, name) for name in names if getattr(row.columns, name)}

    def restarts(self, down: float, *, known: bool = True) -> Self:
        """A new controller goes on from the journal: every event told again, then `Restarted`."""
        self.table = TimedTable(regulations=self.regulations, senses=self.senses)
        for number, event in enumerate(self.log, start=1):
            self.table.handle(event, number)
        since = self.at
        self.send(ev.Restarted, down, down_since=since if known else None)
        return self

    def tray_to(self, side: ScreenSide) -> Self:
        """It comes there, from wherever it is; at once where nobody has pushed it yet."""
        here = self.state.tray.at
        if here is not side:
            if here is not None:
                self.leaves()
            self.tray(side.value)
        return self

    def correct_after(self, seconds: float, what: ev.Correction) -> Self:
        self.send(ev.Corrected, seconds, by="TD", what=what)
        return self

    def over(self) -> Self:
        """Pass out and take the board off: the shortest way to its row."""
        self.auction("P P P P").crosses()
        self.lift(0)
        return self


def begun(**given: Any) -> Timed:
    """Board 1, dealer North: his call is due from here on."""
    table = Timed(**given)
    table.tray("NE")
    table.ready(1)
    return table


def now(table: Timed) -> dict[str, int]:
    """The columns as they stand, before the board is over."""
    ledger = table.table.keeping.ledger
    assert ledger is not None
    row = ledger.row(session="s", ordinal=1, outcome="", rules=table.table.rules)
    assert row.columns.total == row.ended - row.begun
    return {name: getattr(row.columns, name) for name in row.columns.__dataclass_fields__}


def owned(table: Timed, seat: Seat) -> int:
    ledger = table.table.keeping.ledger
    assert ledger is not None
    return dict(ledger.row(session="s", ordinal=1, outcome="", rules=table.table.rules).seats).get(seat, 0)
