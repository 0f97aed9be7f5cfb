"""Which entry a scenario speaks of: `#2`, or the latest of a kind.

Must never guess: an entry that is not there is said.
"""

from __future__ import annotations

from hw_sim.refusals import Why
from hw_sim.scenario.deeds import EntryRef
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.seen import Seen
from table_controller.screen.entry import Kind

DIRECTORS_OWN = "director"


def entry_id(ref: EntryRef, seen: Seen) -> int:
    """The table's own number of the entry. Raises CannotBePlayed."""
    if isinstance(ref, int):
        found = seen.numbered(ref)
        if found is None:
            count = len(seen.entries)
            raise CannotBePlayed(
                f"there is no entry #{ref}; {count} were reported so far",
                Why.NO_SUCH_ENTRY,
                number=ref,
                count=count,
            )
        return found.id
    try:
        found = seen.latest(Kind(ref))
    except ValueError:
        raise CannotBePlayed(
            f"{ref} is no kind of the catalogue", Why.NO_SUCH, thing="kind", name=ref, known=list(Kind)
        ) from None
    if found is None:
        raise CannotBePlayed(
            f"there is no entry {ref}; write the kind of one that was reported",
            Why.NO_ENTRY_OF_KIND,
            kind=ref,
        )
    return found.id


def hold_reason(ref: EntryRef, seen: Seen) -> str:
    """The reason of a hold as the table names it."""
    return DIRECTORS_OWN if ref == DIRECTORS_OWN else f"entry:{entry_id(ref, seen)}"
