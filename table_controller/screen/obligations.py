"""Obligations to pass, laid on a seat by a ruling: for so many turns, or as long as the auction lasts.

A turn is used by a call that stands. One taken up again gives it back, and what is laid in its place is bound
as it was. Must never lay an obligation itself: that is the director's.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.call import Call, Pass
from table_controller.laws.seat import Seat
from table_controller.screen.facts import Laid, Obligation, TableState
from table_controller.screen.moment import Moment


def is_bound(state: TableState, seat: Seat) -> bool:
    """Whether this seat must pass in the turn that it has now."""
    return any(one.seat is seat for one in state.obligations)


def breaks(call: Call, *, bound: bool) -> bool:
    return bound and not isinstance(call, Pass)


def count_turn(m: Moment, seat: Seat) -> None:
    """The seat has used a turn."""
    if not m.now.obligations:
        return
    left: list[Obligation] = []
    for one in m.now.obligations:
        if one.seat is not seat or one.turns is None:
            left.append(one)
        elif one.turns > 1:
            left.append(replace(one, turns=one.turns - 1))
    m.now = replace(m.now, obligations=tuple(left))


def give_turn_back(m: Moment, card: Laid) -> None:
    """The card is no call any more: the turn in which it was made is the seat's again."""
    if not card.bound:
        return
    old = next((one for one in m.now.obligations if one.seat is card.seat), None)
    if old is not None and old.turns is None:
        return
    turns = 1 if old is None or old.turns is None else old.turns + 1
    others = tuple(one for one in m.now.obligations if one is not old)
    m.now = replace(m.now, obligations=(*others, Obligation(seat=card.seat, turns=turns)))
