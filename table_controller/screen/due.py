"""Which step of the procedure is due, from the facts and the phase: by level, not by edge.

The core fires what is due until nothing is. A trigger that is due but has no row is our own error. Must never
look at the event: the same facts in the same phase are due the same step.
"""

from __future__ import annotations

from table_controller.laws.seat import ScreenSide
from table_controller.screen.beliefs import (
    has_contract,
    is_let_open,
    is_over,
    passed_out,
    right_lead,
    seen_by_both,
    tray_face,
    window_known_closed,
    window_unknowable,
)
from table_controller.screen.event_base import WindowState
from table_controller.screen.facts import TableState
from table_controller.screen.phase import Trigger, clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense


def due(state: TableState, rules: Rules) -> Trigger | None:
    """The next trigger due, None when the phase fits the facts."""
    match state.phase:
        case Phase.SETUP:
            return Trigger.BOARD_PLACED if state.board.current is not None else None
        case Phase.CLOSING:
            return _from_closing(state, rules)
        case Phase.AUCTION_NE | Phase.AUCTION_SW:
            return _from_auction(state, rules)
        case Phase.LEAD_AWAITING | Phase.LEAD_DOWN:
            return _from_lead(state, rules)
        case Phase.OPENING:
            return _from_opening(state, rules)
        case Phase.CLARIFICATION:
            return _from_clarification(state, rules)
        case Phase.PLAY:
            return Trigger.PLAY_OVER if state.board.ended else None
        case Phase.COMPLETE:
            return _from_complete(state, rules)


def _from_closing(state: TableState, rules: Rules) -> Trigger | None:
    if not state.auction.begun and state.board.present is False:
        return Trigger.BOARD_LIFTED
    if not (state.auction.begun or window_known_closed(state) or not rules.has(Sense.WINDOW)):
        return None
    face = tray_face(state, rules)
    if face is None:
        face = _face_meant(state, rules)
    if face is None:
        return None
    return Trigger.AUCTION_ON_NE if face is ScreenSide.NE else Trigger.AUCTION_ON_SW


def _face_meant(state: TableState, rules: Rules) -> ScreenSide | None:
    """Where the tray must be though it is not sensed on a face: where it left, or where somebody called."""
    if state.auction.begun and state.auction.laid:
        return state.tray.left_from or rules.side_of(state.auction.laid[-1].seat)
    if not rules.has(Sense.TRAY) or state.auction.begun:
        return state.tray.left_from or ScreenSide.NE
    return None


def _from_auction(state: TableState, rules: Rules) -> Trigger | None:
    if state.auction.begun and state.board.waiting is not None:
        return Trigger.BOARD_ABANDONED
    if not state.auction.begun:
        if state.board.present is False:
            return Trigger.BOARD_LIFTED
        if rules.has(Sense.WINDOW) and not window_known_closed(state):
            return Trigger.WINDOW_REOPENED
    if is_over(state, rules) and (over := _when_over(state, rules)) is not None:
        return over
    face = state.tray.at
    if face is ScreenSide.SW and state.phase is Phase.AUCTION_NE:
        return Trigger.TRAY_ON_SW
    if face is ScreenSide.NE and state.phase is Phase.AUCTION_SW:
        return Trigger.TRAY_ON_NE
    return None


def _when_over(state: TableState, rules: Rules) -> Trigger | None:
    """A pass-out is complete once shown or lifted; a contract that is not known waits to be."""
    if passed_out(state):
        shown = seen_by_both(state) or not rules.has(Sense.TRAY) or state.auction.shown_settled
        given = state.contract.given is not None
        return Trigger.PASSED_OUT if shown or given or state.board.present is False else None
    return Trigger.AUCTION_OVER if has_contract(state, rules) else None


def _from_lead(state: TableState, rules: Rules) -> Trigger | None:
    if passed_out(state):
        return Trigger.PASSED_OUT
    if state.play.begun or (state.board.ended and not rules.has(Sense.LEAD)):
        return Trigger.PLAY_BEGINS
    if state.board.waiting is not None:
        return Trigger.BOARD_ABANDONED
    lead = right_lead(state, rules)
    if state.phase is Phase.LEAD_AWAITING:
        return Trigger.LEAD_MADE if lead is not None else None
    if clarifies_first(rules.opens_on):
        return Trigger.CLARIFICATION_BEGINS
    if lead is None and rules.has(Sense.LEAD):
        return Trigger.LEAD_LIFTED
    return Trigger.OPENING_PERMITTED if is_let_open(state, rules) else None


def _is_lifted(state: TableState, rules: Rules) -> bool:
    """The lead was taken up before it was faced. Where leads are not sensed, none can be missed."""
    return rules.has(Sense.LEAD) and right_lead(state, rules) is None and not state.lead.faced


def _from_opening(state: TableState, rules: Rules) -> Trigger | None:
    if state.board.ended:
        return Trigger.PLAY_OVER
    if state.play.begun:
        return Trigger.PLAY_BEGINS
    if _is_lifted(state, rules):
        return Trigger.LEAD_LIFTED
    opened = state.window.state is WindowState.OPEN or window_unknowable(state, rules)
    return Trigger.WINDOW_OPENED if opened else None


def _from_clarification(state: TableState, rules: Rules) -> Trigger | None:
    if state.board.ended:
        return Trigger.PLAY_OVER
    if state.play.begun:
        return Trigger.PLAY_BEGINS
    if _is_lifted(state, rules):
        return Trigger.LEAD_LIFTED
    if clarifies_first(rules.opens_on):
        return Trigger.OPENING_PERMITTED if is_let_open(state, rules) else None
    lead = right_lead(state, rules)
    faced = state.lead.faced or (lead is not None and lead.faced is True)
    return Trigger.LEAD_FACED if faced else None


def _from_complete(state: TableState, rules: Rules) -> Trigger | None:
    board = state.board
    if board.back:
        return Trigger.BOARD_BACK
    sure = board.sure or passed_out(state)
    gone = board.present is False or board.waiting is not None or not rules.has(Sense.BOARD)
    return Trigger.RECORD_CLOSED if sure and gone else None
