"""Tables that are held, as lines of the strip, the queue and a case: what stops them, and what would end it.

Must never take a ruled case for a table that goes on: a hold ends when the table says so, and not before.
"""

from __future__ import annotations

from dataclasses import dataclass

from director_console.projection.case import Case
from director_console.projection.hall import Hall, TableNow

BY_ENTRY = "entry:"
BY_DIRECTOR = "director"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLine:
    """A table that is held. `case`: the one that stops it, None where it is the director himself."""

    table: TableNow
    case: Case | None

    @property
    def since(self) -> int:
        """When it was stopped, ms; 0: not known."""
        return 0 if self.case is None else self.case.when

    @property
    def to(self) -> str:
        return f"/tables/{self.table.name}" if self.case is None else f"/cases/{self.case.key}"


def held_line(hall: Hall, table: TableNow) -> HeldLine:
    for reason in table.holds:
        number = reason.removeprefix(BY_ENTRY)
        if reason.startswith(BY_ENTRY) and number.isdigit():
            case = hall.cases.get((table.name, table.epoch, int(number)))
            if case is not None:
                return HeldLine(table=table, case=case)
    return HeldLine(table=table, case=None)


def ends_with(table: TableNow, case: Case) -> tuple[str, ...]:
    """The holds that a ruling on this case may end: its own and the director's, never another case's."""
    if table.epoch != case.epoch:
        return ()
    own = (f"{BY_ENTRY}{case.entry.id}", BY_DIRECTOR)
    return tuple(reason for reason in table.holds if reason in own)
