"""The orders: always what is desired minus what has been given, derived anew from facts and phase.

Nothing is ordered because a phase was entered, so nothing can be ordered twice, forgotten over a restart, or
ordered in a hold. Must never order the window open but as `beliefs.may_open` allows, the director's own
order apart; and never move a motor against something in its way, or before the sensors have been read again.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.beliefs import (
    blocked,
    lets_open,
    may_open,
    obstructed,
    owed,
    passed_out,
    window_unknowable,
)
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
from table_controller.screen.events import WindowOverridden
from table_controller.screen.facts import TableState
from table_controller.screen.judges.timed import deadlines
from table_controller.screen.moment import Moment
from table_controller.screen.override import TARGET, Stretch, gone_on, lapsed, stretch_of
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense

DIRECTOR = "director"
LIFTED = "lead lifted"
STALE = "not wished any more"


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
    match stretch_of(state.phase, rules):
        case Stretch.BEFORE | Stretch.AFTER:
            return Wish.NOTHING
        case Stretch.AUCTION:
            return Wish.NOTHING if passed_out(state) else Wish.CLOSED
        case Stretch.LEAD if not rules.has(Sense.LEAD) and state.window.state is not WindowState.CLOSED:
            return Wish.STAY  # no lead is sensed: it may be open for the play
        case Stretch.LEAD:
            return Wish.STAY if state.window.begun else Wish.CLOSED
        case Stretch.OPENED:
            return Wish.CLOSED if _not_yet(state, rules) else Wish.OPEN


def _not_yet(state: TableState, rules: Rules) -> bool:
    """It has not begun to open, and what let it open holds no longer: a hold, or another card beside it.

    Once it has left *closed* it is not turned back. A doubt withholds an order; it takes none back.
    """
    if state.window.state is not WindowState.CLOSED or window_unknowable(state, rules):
        return False
    if _is_history(state, rules):
        return bool(state.holds)
    return not lets_open(state, rules)


def _order_window(m: Moment) -> None:
    unsure = any(one.ended and not one.sure for one in (m.before.board, m.now.board))
    if not m.now.holds and not unsure and not isinstance(m.event, WindowOverridden):
        window = gone_on(m.now.window, m.before.phase, m.now.phase, m.rules)
        m.now = replace(m.now, window=window)
    _give_window(m)
    _take_back(m)


def _give_window(m: Moment) -> None:
    state = m.now
    if obstructed(state) or state.unread:
        return
    theirs = state.window.override
    ours = None if blocked(state) else _own_order(state, m.rules)
    if theirs is not None:
        # He is a person, and after a jam the table waits for one.
        if state.given.window is not theirs:
            _give(m, theirs, DIRECTOR)
        opened = stretch_of(state.phase, m.rules) is Stretch.OPENED
        if ours is theirs and not state.holds and not (opened and theirs is WindowOrder.CLOSE):
            m.now = replace(m.now, window=lapsed(state.window, state.phase, m.rules))
    elif ours is not None and state.given.window is not ours:
        _give(m, ours, _reason(state, ours, m.rules))


def _own_order(state: TableState, rules: Rules) -> WindowOrder | None:
    """What the table would order by itself, were nothing in force; None: nothing."""
    match window_wish(state, rules):
        case Wish.CLOSED:
            return WindowOrder.CLOSE
        case Wish.OPEN if _may_order_open(state, rules):
            return WindowOrder.OPEN
        case _:
            return None


def _reason(state: TableState, order: WindowOrder, rules: Rules) -> str:
    if order is WindowOrder.OPEN:
        return rules.opens_on.value
    return "auction" if stretch_of(state.phase, rules) is Stretch.AUCTION else "lead"


def _take_back(m: Moment) -> None:
    """A lead is lifted while the window opens: it stops and stays. And what is not wished any more is not
    left in force though nothing may be ordered in its place: a drive that waits for a person would go on.
    """
    state = m.now
    given = state.given.window
    if state.window.override is not None:
        return
    if window_wish(state, m.rules) is Wish.STAY:
        if given is WindowOrder.OPEN and state.window.state is not WindowState.CLOSED:
            m.do(StopWindow(reason=LIFTED))
    elif blocked(state) and _is_stale(given or m.before.given.window, state, m.rules):
        m.do(StopWindow(reason=STALE))
    else:
        return
    if given is not None:
        m.now = replace(state, given=replace(state.given, window=None))


def _is_stale(order: WindowOrder | None, state: TableState, rules: Rules) -> bool:
    if order is None or state.window.state is TARGET[order]:
        return False
    match window_wish(state, rules):
        case Wish.CLOSED:
            return order is WindowOrder.OPEN
        case Wish.OPEN:
            return order is WindowOrder.CLOSE and _may_order_open(state, rules)
        case _:
            return state.given.window is None


def _may_order_open(state: TableState, rules: Rules) -> bool:
    """In play the lead is long gone, so what let the window open is history; a hold still withholds.

    Where leads are not sensed no play can be known to have had one.
    """
    return not state.holds if _is_history(state, rules) else may_open(state, rules)


def _is_history(state: TableState, rules: Rules) -> bool:
    return state.phase is Phase.PLAY and rules.has(Sense.LEAD)


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
