"""The bidding cards in one player's column, card by card, from a reader that sees only how many and the top.

The count is needed: a pass on a pass looks the same. What lies beneath is what we saw being laid; a card we
never saw on top is unknown, and stays so. Must never say that a card was laid or lifted: it says what
differs, and the docks know whether the tray was there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table_controller.laws.call import Call
from table_controller.laws.seat import Seat
from table_controller.screen.events import Column
from table_controller.sensing.tags import Pile


class Other(Enum):
    """A card in a column that is no call we can name."""

    STOP = "stop card"
    UNKNOWN = "unknown"


Item = Call | Other


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """From what was believed to what is read: cards taken off (top first), then cards laid (lowest first)."""

    lifted: tuple[Item, ...] = ()
    laid: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A column as believed, lowest card first."""

    items: tuple[Item, ...] = ()

    def shows(self, pile: Pile) -> bool:
        """Whether a reader over this stack would read this pile."""
        if len(self.items) != pile.count:
            return False
        return not self.items or self.items[-1] is Other.UNKNOWN or self.items[-1] == _top(pile)

    def towards(self, pile: Pile) -> Difference:
        """What must have been lifted and laid for the reader to read this pile now."""
        kept, lifted = list(self.items), []
        while len(kept) > pile.count:
            lifted.append(kept.pop())
        top = _top(pile)
        if pile.count and len(kept) == pile.count and kept[-1] is not Other.UNKNOWN and kept[-1] != top:
            lifted.append(kept.pop())
        missing = pile.count - len(kept)
        laid: tuple[Item, ...] = (*[Other.UNKNOWN] * (missing - 1), top) if missing else ()
        return Difference(lifted=tuple(lifted), laid=laid)

    def after(self, difference: Difference) -> Stack:
        kept = self.items[: len(self.items) - len(difference.lifted)]
        return Stack(items=(*kept, *difference.laid))

    def column(self, seat: Seat) -> Column:
        """The calls among these cards, as an event tells them."""
        calls = [item for item in self.items if item is not Other.STOP]
        top = calls[-1] if calls else None
        return Column(seat=seat, count=len(calls), top=None if isinstance(top, Other) else top)


def stack_of(column: Column) -> Stack:
    """The stack behind a column that an event told: only its top is known."""
    if not column.count:
        return Stack()
    top: Item = Other.UNKNOWN if column.top is None else column.top
    return Stack(items=(*[Other.UNKNOWN] * (column.count - 1), top))


def _top(pile: Pile) -> Item:
    if pile.stop:
        return Other.STOP
    return Other.UNKNOWN if pile.top is None else pile.top
