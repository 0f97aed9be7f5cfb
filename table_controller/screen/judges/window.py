"""The window: not closed, or opened when it should be shut. A movement of ours is never judged.

The closing order that belongs to such an opening follows from the facts once the given one is forgotten.
"""

from __future__ import annotations

from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import (
    contract,
    declaring,
    is_over,
    opens_on_met,
    passed_out,
    right_lead,
    window_known_closed,
)
from table_controller.screen.book import New, report
from table_controller.screen.entry import Kind
from table_controller.screen.event_base import WindowOrder
from table_controller.screen.moment import Departed, LeftClosed, Made, Moment
from table_controller.screen.phase import clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.window import forget_given

_UP_TO_PLAY = frozenset({Phase.OPENING, Phase.CLARIFICATION})


def judge_window(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case LeftClosed(ours=False):
                _left_closed(m, happening)
            case Made():
                _not_closed(m)
            case Departed() if not m.rules.reads_calls and not m.before.auction.begun:
                if m.now.auction.calls.dealer is not None:
                    _not_closed(m)
            case _:
                continue


def _not_closed(m: Moment) -> None:
    if not window_known_closed(m.now) and m.now.window.override is not WindowOrder.OPEN:
        report(m, New(kinds=(Kind.WINDOW_NOT_CLOSED,)), ("not_closed",))


def _left_closed(m: Moment, happening: LeftClosed) -> None:
    if not m.now.auction.begun:
        if not m.held:
            forget_given(m)
        return
    if passed_out(m.now):
        return
    if m.held:
        if _was_to_be_shut(m):
            _report(m, Kind.WINDOW_FORCED_IN_HOLD, happening)
        return
    if _in_auction(m):
        if m.judges(Kind.WINDOW_OPENED_IN_AUCTION):
            forget_given(m)
        _report(m, Kind.WINDOW_OPENED_IN_AUCTION, happening)
    elif _accepts_wrong_lead(m, happening):
        _report(m, Kind.WINDOW_OPENED_BY_DECLARING_SIDE, happening)
    elif _before_lead(m):
        if m.judges(Kind.WINDOW_OPENED_BEFORE_LEAD):
            forget_given(m)
        _report(m, Kind.WINDOW_OPENED_BEFORE_LEAD, happening)


def _was_to_be_shut(m: Moment) -> bool:
    """In a hold it stays as it is: shut until the lead has opened it, or as the director has ordered."""
    if m.before.window.override is WindowOrder.CLOSE:
        return True
    phase = m.now.phase
    return _in_auction(m) or phase.in_lead or phase is Phase.OPENING or _before_lead(m)


def _in_auction(m: Moment) -> bool:
    return m.now.phase.in_auction or m.now.phase is Phase.CLOSING


def _before_lead(m: Moment) -> bool:
    """A contract stands, its leader is known, and what the window opens on has not happened."""
    phase = m.now.phase
    waiting = phase.in_lead or (phase is Phase.CLARIFICATION and clarifies_first(m.rules.opens_on))
    if not waiting or contract(m.now) is None or not is_over(m.now, m.rules):
        return False
    sensed = m.rules.opens_on_sensed or right_lead(m.now, m.rules) is None
    return sensed and not opens_on_met(m.now, m.rules)


def _accepts_wrong_lead(m: Moment, happening: LeftClosed) -> bool:
    """Whether the right lead lies too, or is faced, is nothing to this: the row has a dash there."""
    if m.now.play.begun or not (m.now.phase.in_lead or m.now.phase in _UP_TO_PLAY):
        return False
    if contract(m.now) is None or not m.judges(Kind.WINDOW_OPENED_BY_DECLARING_SIDE):
        return False
    return _wrong_lead_faced(m) and _by_declaring_side(m, happening.openers)


def _wrong_lead_faced(m: Moment) -> bool:
    right = right_lead(m.now, m.rules)
    return any(lead is not right and lead.faced for lead in m.now.lead.lying)


def _by_declaring_side(m: Moment, openers: frozenset[Seat]) -> bool:
    side = declaring(m.now)
    return bool(openers) and all(seat.partnership is side for seat in openers)


def _report(m: Moment, kind: Kind, happening: LeftClosed) -> None:
    seats = tuple(seat for seat in Seat if seat in happening.openers)
    report(m, New(kinds=(kind,), seats=seats), ("window", kind))
