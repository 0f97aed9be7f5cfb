"""The orders: always what is desired minus what has been given, derived anew from facts and phase.

Nothing is ordered because a phase was entered, so nothing can be ordered twice, forgotten over a restart, or
ordered in a hold. Must never order the window open but as `beliefs.may_open` allows, the director's own
order apart; and never move a motor against something in its way.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.beliefs import blocked, may_open, obstructed, owed, passed_out
from table_controller.screen.book import open_entries
from table_controller.screen.effects import (
    ClearDeadline,
    CloseWindow,
    HoldTray,
    LightSummons,
    OpenWindow,
    ReleaseTray,
    SetDeadline,
    StopWindow,
)
from table_controller.screen.entry import Kind
from table_controller.screen.event_base import WindowOrder, WindowState
from table_controller.screen.facts import TableState
from table_controller.screen.judges.timed import deadlines
from table_controller.screen.moment import Moment
from table_controller.screen.phase import clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules

DIRECTOR = "director"


class Wish(Enum):
    """What the phase wants of the window. STAY: wherever it is, but not moving."""

    OPEN = auto()
    CLOSED = auto()
    STAY = auto()
    NOTHING = auto()


def order(m: Moment) -> None:
    _order_window(m)
    _order_tray(m)
    _order_lamps(m)
    _order_deadlines(m)


def window_wish(state: TableState, rules: Rules) -> Wish:
    phase = state.phase
    match phase:
        case Phase.SETUP | Phase.COMPLETE:
            return Wish.NOTHING
        case Phase.CLOSING | Phase.AUCTION_NE | Phase.AUCTION_SW:
            return Wish.NOTHING if passed_out(state) else Wish.CLOSED
        case Phase.LEAD_AWAITING | Phase.LEAD_DOWN:
            return Wish.STAY if state.window.begun else Wish.CLOSED
        case Phase.CLARIFICATION if clarifies_first(rules.opens_on):
            return Wish.STAY if state.window.begun else Wish.CLOSED
        case Phase.OPENING | Phase.CLARIFICATION | Phase.PLAY:
            return Wish.OPEN


def _order_window(m: Moment) -> None:
    state = m.now
    given = state.given.window
    if obstructed(state):
        return
    if state.window.override is not None:
        # He is a person, and after a jam the table waits for one.
        if given is not state.window.override:
            _give(m, state.window.override, DIRECTOR)
        return
    if blocked(state):
        return
    match window_wish(state, m.rules):
        case Wish.CLOSED if given is not WindowOrder.CLOSE:
            _give(m, WindowOrder.CLOSE, "auction" if not state.phase.in_lead else "lead")
        case Wish.OPEN if given is not WindowOrder.OPEN:
            if _may_order_open(state, m.rules):
                _give(m, WindowOrder.OPEN, m.rules.opens_on.value)
        case Wish.STAY if given is not None:
            if given is WindowOrder.OPEN and state.window.state is not WindowState.CLOSED:
                m.do(StopWindow(reason="lead lifted"))
            m.now = replace(state, given=replace(state.given, window=None))
        case _:
            return


def _may_order_open(state: TableState, rules: Rules) -> bool:
    """In play the lead is long gone, so what let the window open is history; a hold still withholds."""
    if state.phase is Phase.PLAY:
        return not state.holds
    return may_open(state, rules)


def _give(m: Moment, order: WindowOrder, reason: str) -> None:
    m.do(OpenWindow(reason=reason) if order is WindowOrder.OPEN else CloseWindow(reason=reason))
    m.now = replace(m.now, given=replace(m.now.given, window=order))


def hold_wish(state: TableState, rules: Rules) -> frozenset[ScreenSide]:
    """The face the tray is on, while a call is owed there or the director holds; nothing of its legality."""
    at = state.tray.at
    if not rules.hold_outputs or at is None:
        return frozenset()
    if state.tray.sent_back is not None:
        return frozenset()
    if state.holds:
        return frozenset({at})
    owes = state.phase.in_auction and bool(owed(state, rules, at))
    return frozenset({at}) if owes else frozenset()


def _order_tray(m: Moment) -> None:
    given = m.now.given.holds
    wish = hold_wish(m.now, m.rules)
    if m.now.holds and m.now.tray.sent_back is None:
        wish |= given  # no release is ordered in a hold
    if wish == given:
        return
    for side in ScreenSide:
        if side in wish and side not in given:
            m.do(HoldTray(side=side))
        elif side in given and side not in wish:
            m.do(ReleaseTray(side=side))
    m.now = replace(m.now, given=replace(m.now.given, holds=wish))


def _order_lamps(m: Moment) -> None:
    """*The director is coming*, at the seat that called, until its summons is dealt with."""
    given = m.now.given.lamps
    wish = frozenset(seat for entry in open_entries(m, Kind.SUMMONS) for seat in entry.seats)
    if wish == given:
        return
    for seat in Seat:
        if (seat in wish) is not (seat in given):
            m.do(LightSummons(seat=seat, on=seat in wish))
    m.now = replace(m.now, given=replace(m.now.given, lamps=wish))


def _order_deadlines(m: Moment) -> None:
    given = m.now.given.deadlines
    wish = tuple((name.value, at) for name, at in deadlines(m.now, m.rules))
    if wish == given:
        return
    for name, at in wish:
        if (name, at) not in given:
            m.do(SetDeadline(name=name, at=at))
    names = {name for name, _ in wish}
    for name, _ in given:
        if name not in names:
            m.do(ClearDeadline(name=name))
    m.now = replace(m.now, given=replace(m.now.given, deadlines=wish))
