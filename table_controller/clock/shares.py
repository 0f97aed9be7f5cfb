"""Rows of boards added up: what each partnership used, against what it had for the boards actually played.

Not the boards that were laid down: a match cut short is measured by what was played. Own time alone counts;
hold, transit, questions, the director's time and faults are nobody's. Must never call a share observed where
part of the calls or cards was not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from table_controller.laws.seat import Partnership, Seat
from table_controller.screen.times import RecordTime, SessionPlan, TimeColumns

NS_PER_MS = 1_000_000
MS_PER_S = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """`boards` added up. `all_read`: calls and cards of every one were read; else own time is only a part of
    what was used. `columns` and `seats` in ms.
    """

    boards: int
    columns: TimeColumns
    seats: Mapping[Seat, int]
    all_read: bool
    unmeasured: int
    uncertainty: int

    def used(self, partnership: Partnership) -> int:
        return self.columns.ns if partnership is Partnership.NS else self.columns.ew


@dataclass(frozen=True, slots=True, kw_only=True)
class PairShare:
    """One partnership against its allowance, ms. `over` is 0 where it was within it."""

    partnership: Partnership
    used: int
    allowed: int
    over: int


def add_up(rows: Iterable[RecordTime]) -> Sums:
    """A row delivered twice counts once; abandoned boards count with the time they took."""
    once = {(row.session, row.ordinal): row for row in rows}
    found = once.values()
    seats = dict.fromkeys(Seat, 0)
    for row in found:
        for seat, ms in row.seats:
            seats[seat] += ms
    names = [field.name for field in fields(TimeColumns)]
    return Sums(
        boards=len(once),
        columns=TimeColumns(**{name: sum(getattr(row.columns, name) for row in found) for name in names}),
        seats=seats,
        all_read=bool(once) and all(row.reads_calls and row.reads_cards for row in found),
        unmeasured=sum(row.unmeasured for row in found),
        uncertainty=sum(row.uncertainty for row in found),
    )


def per_pair_ms(plan: SessionPlan, boards: int) -> int | None:
    """What one partnership has for a board, ms: as given, else half of the board's. `boards`: the round's."""
    if plan.pair_s is not None:
        return plan.pair_s * MS_PER_S
    if plan.board_s is not None:
        return plan.board_s * MS_PER_S // 2
    if plan.round_s is not None and boards:
        return plan.round_s * MS_PER_S // (2 * boards)
    return None


def pair_shares(sums: Sums, per_pair: int) -> tuple[PairShare, PairShare]:
    """NS, then EW; the allowance is scaled to the boards in `sums`."""
    ns, ew = (
        PairShare(
            partnership=partnership,
            used=sums.used(partnership),
            allowed=sums.boards * per_pair,
            over=max(0, sums.used(partnership) - sums.boards * per_pair),
        )
        for partnership in (Partnership.NS, Partnership.EW)
    )
    return ns, ew


def observed(sums: Sums, per_pair: int | None) -> tuple[int, int] | None:
    """How long NS and EW have each been over, in ns, as `regulations.clock.slow` takes it; None if the table
    does not know.
    """
    if per_pair is None or not sums.all_read:
        return None
    ns, ew = pair_shares(sums, per_pair)
    return ns.over * NS_PER_MS, ew.over * NS_PER_MS
