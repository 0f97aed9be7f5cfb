"""One board's account of time while it is on the table.

Opened when the board lies on the tray, closed when its record is; what came between is kept as stretches
(`segments`). Must never be carried over to another board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table_controller.clock.segments import (
    NS_PER_MS,
    Owner,
    Segments,
    Share,
    blurred,
    columns_of,
    cut,
    extended,
    moved,
    presumed_of,
    seats_of,
)
from table_controller.screen.entry import Mover
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense
from table_controller.screen.times import RecordTime

_PROCEDURE = Owner(share=Share.PROCEDURE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """`placed_at`: of the board, ns, which also tells one board from the next. `begun`, `upto`: ms.

    `closed`: the board left the tray with its play over, ms; until then the account runs on. `number`: what
    was believed of it last. `uncertainty`: ns. `unmeasured`: gaps of unknown length.
    """

    placed_at: int
    begun: int
    upto: int
    number: int | None = None
    in_auction: bool = False
    """Its auction has begun, so that it counts as a board begun (27.3)."""
    segments: Segments = ()
    closed: int | None = None
    uncertainty: int = 0
    unmeasured: int = 0

    def run(self, to: int, owner: Owner) -> Ledger:
        """With the time up to `to` (ms) given to its owner."""
        if self.closed is not None or to <= self.upto:
            return self
        return replace(self, segments=extended(self.segments, self.upto, to, owner), upto=to)

    def blur(self, since: int) -> Ledger:
        return replace(self, segments=blurred(self.segments, since))

    def tray_left(self, mover: Mover) -> Ledger:
        return replace(self, segments=moved(self.segments, mover))

    def close(self, at: int) -> Ledger:
        return self if self.closed is not None else replace(self, closed=max(at, self.begun))

    def reopen(self, at: int) -> Ledger:
        """The same board is back: the play goes on, and in between nothing was due."""
        if self.closed is None:
            return self
        return replace(self, closed=None).run(at, _PROCEDURE)

    def row(self, *, session: str, ordinal: int, outcome: str, rules: Rules) -> RecordTime:
        """The board's row. Its columns sum to `ended - begun` whatever happened."""
        ended = self.upto if self.closed is None else self.closed
        kept = cut(self.segments, ended)
        return RecordTime(
            session=session,
            ordinal=ordinal,
            board=self.number,
            begun=self.begun,
            ended=ended,
            columns=columns_of(kept),
            seats=seats_of(kept),
            hold_presumed=presumed_of(kept),
            uncertainty=-(-self.uncertainty // NS_PER_MS),
            unmeasured=self.unmeasured,
            reads_calls=rules.reads_calls,
            reads_cards=rules.has(Sense.CARDS),
            outcome=outcome,
        )


def opened(placed_at: int, number: int | None) -> Ledger:
    begun = placed_at // NS_PER_MS
    return Ledger(placed_at=placed_at, begun=begun, upto=begun, number=number)
