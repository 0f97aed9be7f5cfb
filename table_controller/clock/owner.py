"""Whose the present is, read off what the table believes.

A partnership owns the clock while its call or card is due. Everything else is a column of its own and
nobody's: the movers are always the same two players, so charging them the hold would always charge one pair.
Must never guess: where it is not known whose turn it is, the time is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from table_controller.clock.segments import Owner, Share
from table_controller.laws.play import Play
from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import (
    contract,
    doubted,
    has_contract,
    is_over,
    leader,
    owed,
    passed_out,
    shown,
    standing,
    tray_face,
)
from table_controller.screen.entry import FaultKind
from table_controller.screen.facts import TableState
from table_controller.screen.holds import DIRECTOR
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense

_HOLD = Owner(share=Share.HOLD)
_TRANSIT = Owner(share=Share.TRANSIT)
_COMMON = Owner(share=Share.COMMON)
_PROCEDURE = Owner(share=Share.PROCEDURE)
_FAULTS = Owner(share=Share.FAULTS)
UNKNOWN = Owner(share=Share.UNKNOWN)

_WINDOW_FAULTS = frozenset(
    {FaultKind.WINDOW_JAMMED, FaultKind.WINDOW_OBSTRUCTED, FaultKind.WINDOW_MOVED_BY_ITSELF}
)
_WATCHED = {
    Phase.CLOSING: frozenset({Sense.WINDOW, Sense.TRAY}),
    Phase.AUCTION_NE: frozenset({Sense.TRAY, Sense.CALLS}),
    Phase.AUCTION_SW: frozenset({Sense.TRAY, Sense.CALLS}),
    Phase.LEAD_AWAITING: frozenset({Sense.TRAY, Sense.CALLS, Sense.LEAD}),
    Phase.LEAD_DOWN: frozenset({Sense.LEAD, Sense.WINDOW}),
    Phase.OPENING: frozenset({Sense.LEAD, Sense.WINDOW}),
    Phase.PLAY: frozenset({Sense.CARDS}),
}
"""What the clock rests on in each phase; while one of them is in doubt the time is the fault's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """What the clock itself remembers of the director. `summoned`: acts of players since a summons that was
    not dealt with yet, None without one; `here`: he has given an order in the hold that is in force.
    """

    summoned: int | None = None
    here: bool = False


NOBODY = Presence()


def owner_of(state: TableState, rules: Rules, presence: Presence) -> Owner:
    """Whose the time is from now on, as long as nothing happens."""
    if (of_director := _director(state, presence)) is not None:
        return of_director
    if any(doubt.kind is FaultKind.LINK_LOST for doubt in state.doubts):
        return UNKNOWN
    if _is_faulty(state, rules):
        return _FAULTS
    if state.alerts and (state.phase.in_auction or state.phase.in_lead):
        return Owner(share=Share.QUESTIONS)
    match state.phase:
        case Phase.SETUP | Phase.COMPLETE | Phase.LEAD_DOWN | Phase.OPENING | Phase.CLARIFICATION:
            return _PROCEDURE
        case Phase.CLOSING:
            return _in_auction(state, rules) if state.auction.begun else _PROCEDURE
        case Phase.AUCTION_NE | Phase.AUCTION_SW:
            return _in_auction(state, rules)
        case Phase.LEAD_AWAITING:
            return _lead(state, rules)
        case Phase.PLAY:
            return _in_play(state, rules)
        case _:
            assert_never(state.phase)


def _director(state: TableState, presence: Presence) -> Owner | None:
    called = presence.summoned is not None
    if called or presence.here or any(hold.reason == DIRECTOR for hold in state.holds):
        return Owner(share=Share.DIRECTOR)
    return Owner(share=Share.HELD) if state.holds else None


def _is_faulty(state: TableState, rules: Rules) -> bool:
    watched = _WATCHED.get(state.phase, frozenset())
    if state.doubts and doubted(state) & watched & rules.senses:
        return True
    return Sense.WINDOW in watched and any(
        fault.kind in _WINDOW_FAULTS and fault.standing and fault.cleared_at is None for fault in state.faults
    )


def _in_auction(state: TableState, rules: Rules) -> Owner:
    if not rules.reads_calls:
        return _COMMON
    if rules.has(Sense.TRAY) and state.tray.at is None:
        return UNKNOWN if state.tray.left_from is None else _TRANSIT
    if is_over(state, rules):
        return _HOLD if passed_out(state) else UNKNOWN
    if not rules.has(Sense.TRAY):
        return _own(standing(state.auction).turn)
    face = tray_face(state, rules)
    assert face is not None
    due = owed(state, rules, face)
    if due:
        return _own(due[0])
    return UNKNOWN if standing(state.auction).turn is None else _HOLD


def _own(seat: Seat | None) -> Owner:
    return UNKNOWN if seat is None else Owner(share=Share.OWN, seat=seat)


def _lead(state: TableState, rules: Rules) -> Owner:
    """The finished auction crosses once more before the lead is anybody's, where it must be shown."""
    if rules.reads_calls and not shown(state, rules) and not state.auction.cleared:
        if state.tray.at is None:
            return UNKNOWN if state.tray.left_from is None else _TRANSIT
        if rules.must_be_shown:
            return _HOLD
    seat = leader(state)
    if seat is None:
        return UNKNOWN if rules.reads_calls else _COMMON
    return _own(seat)


def _in_play(state: TableState, rules: Rules) -> Owner:
    """Dummy's cards are played by declarer, so their time is his. Before a card has been seen nothing is due
    that could be sensed: bidding cards are put away and the lead is being faced.
    """
    if not rules.has(Sense.CARDS):
        return _COMMON
    if state.play.claimed_by is not None:
        return _PROCEDURE
    found = contract(state)
    if found is None:
        return UNKNOWN if has_contract(state, rules) and rules.reads_calls else _COMMON
    if not state.play.cards:
        return _PROCEDURE
    turn = Play(found, state.play.cards).turn
    if turn is None:
        return _PROCEDURE
    return _own(found.declarer if turn is found.declarer.partner else turn)
