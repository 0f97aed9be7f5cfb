"""Which reports belong to a piece of evidence."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from director_console.projection.case import Case
from director_console.projection.inputs import ViewSeen
from director_console.reading import inputs_of_stored
from director_console.store import reports
from director_console.store.reports import StoredReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A table's whole record (every journal of it), or one case with the board it happened on."""

    table: str
    case: Case | None = None

    @property
    def name(self) -> str:
        """What the file is called, without its ending."""
        if self.case is None:
            return f"table-{self.table}"
        return f"case-{self.case.table}-{self.case.epoch}-{self.case.entry.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What is asked for. `hands`: with the cards played; `at`: Unix ms."""

    selection: Selection
    hands: bool
    reason: str
    by: str
    at: int
    venue: str
    event: str
    lang: str = "en"


def rows_of(db: sqlite3.Connection, selection: Selection) -> list[StoredReport]:
    """The reports, in order of journal and number."""
    case = selection.case
    if case is None:
        return reports.read(db, selection.table)
    named = {amendment.seq for amendment in case.amendments} | set(case.entry.evidence)
    named |= _of_board(db, case)
    return reports.read(db, case.table, case.epoch, first=min(named), last=max(named))


def _of_board(db: sqlite3.Connection, case: Case) -> set[int]:
    """The first and last number at which the table showed the board of this case."""
    found: set[int] = set()
    for row in reports.read(db, case.table, case.epoch, what=("view",)):
        for item in inputs_of_stored(row):
            if isinstance(item, ViewSeen) and item.view.board == case.entry.board:
                found.add(row.seq)
    return {min(found), max(found)} if found else set()
