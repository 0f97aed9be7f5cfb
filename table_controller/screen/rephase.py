"""Phases set by correction: the only change of phase that is no row of the table.

After a correction the phase must be a leaf that is coherent with the facts, or the correction is refused.
Must never be used for anything the players did.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import ScreenSide
from table_controller.screen.beliefs import (
    declaring,
    has_contract,
    is_over,
    opens_on_met,
    passed_out,
    right_lead,
    window_known_closed,
)
from table_controller.screen.effects import Moved
from table_controller.screen.facts import LeadFacts, PlayFacts, TableState
from table_controller.screen.moment import Moment
from table_controller.screen.phase import clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.refusals import Refusal, WhyRefused, refusal
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense

CORRECTED = "corrected"
_AFTER_AUCTION = (
    Phase.LEAD_AWAITING,
    Phase.LEAD_DOWN,
    Phase.OPENING,
    Phase.CLARIFICATION,
    Phase.PLAY,
    Phase.COMPLETE,
)


def rephase(m: Moment) -> None:
    """If the auction is not over after all, back into it; if it is not passed out after all, to the lead.

    Whose lead it is may have changed, and with it whether the right one lies and is faced.
    """
    _forget_leader_who_declares(m)
    if not is_over(m.now, m.rules):
        _judge_alerts_again(m)
    if m.now.phase is not Phase.PLAY and not m.now.play.begun:
        reread_lead(m)
    state = m.now
    if state.phase not in _AFTER_AUCTION or state.board.ended:
        return
    if not _has_result(state, m.rules):
        back_to_auction(m)
    elif not state.phase.in_lead and passed_out(state) is not (state.phase is Phase.COMPLETE):
        set_phase(m, Phase.LEAD_AWAITING)


def _forget_leader_who_declares(m: Moment) -> None:
    """Whom the director named is of the declaring side after all: the lead is where the contract has it."""
    named = m.now.contract.leader
    if named is not None and named.partnership is declaring(m.now):
        m.now = replace(m.now, contract=replace(m.now.contract, leader=None))


def reread_lead(m: Moment) -> None:
    """Whether the lead has been faced, read off what lies."""
    right = right_lead(m.now, m.rules)
    faced = has_contract(m.now, m.rules) and right is not None and right.faced is True
    m.now = replace(m.now, lead=replace(m.now.lead, faced=faced, lifted=None))


def _has_result(state: TableState, rules: Rules) -> bool:
    return has_contract(state, rules) or passed_out(state)


def unsaid(state: TableState) -> TableState:
    """Without anybody's word that the auction is over: the director says that it is not.

    Where calls are not read it may have begun all the same.
    """
    return replace(state, auction=replace(state.auction, said_over=None))


def back_to_auction(m: Moment) -> None:
    """Through *closing* where the window is not closed. A lead lying stays a card on a spot."""
    _judge_alerts_again(m)
    lead = LeadFacts(lying=m.now.lead.lying)
    m.now = replace(m.now, window=replace(m.now.window, worked=frozenset()))
    m.now = replace(
        m.now,
        lead=lead,
        play=PlayFacts(),
        contract=replace(m.now.contract, leader=None),  # the next contract has a leader of its own
        given=replace(m.now.given, window=None),
        counting_from=m.at,
    )
    set_phase(m, auction_leaf(m.now, m.rules))


def _judge_alerts_again(m: Moment) -> None:
    """The auction goes on, so that its end is still to come."""
    if m.now.auction.alerts_judged:
        m.now = replace(m.now, auction=replace(m.now.auction, alerts_judged=False))


def auction_leaf(state: TableState, rules: Rules) -> Phase:
    if rules.has(Sense.WINDOW) and not window_known_closed(state):
        return Phase.CLOSING
    at = state.tray.at or state.tray.left_from or ScreenSide.NE
    return Phase.AUCTION_NE if at is ScreenSide.NE else Phase.AUCTION_SW


def set_phase(m: Moment, phase: Phase) -> None:
    if m.now.phase is phase:
        return
    m.do(Moved(trigger=CORRECTED, source=m.now.phase.value, dest=phase.value, by_correction=True))
    m.now = replace(m.now, phase=phase, phase_since=m.at)


def why_not(state: TableState, rules: Rules, phase: Phase) -> Refusal | None:
    """Why the facts and the profile do not fit this phase; None if they do."""
    why = _why_not(state, rules, phase)
    if why is WhyRefused.PHASE_TRAY_ELSEWHERE:
        return refusal(why, phase=phase, side=state.tray.at)
    return None if why is None else refusal(why, phase=phase)


def _why_not(state: TableState, rules: Rules, phase: Phase) -> WhyRefused | None:
    if state.board.current is None:
        return None if phase is Phase.SETUP else WhyRefused.PHASE_NO_BOARD
    over = _has_result(state, rules)
    match phase:
        case Phase.SETUP:
            lies = state.board.present is not False and rules.has(Sense.BOARD)
            return WhyRefused.PHASE_BOARD_ON_TRAY if lies else None
        case Phase.CLOSING | Phase.AUCTION_NE | Phase.AUCTION_SW:
            if _has_result(unsaid(state), rules):
                return WhyRefused.PHASE_AUCTION_OVER
            return _why_not_there(state, phase)
        case Phase.COMPLETE:
            return None
    if not over:
        return WhyRefused.PHASE_AUCTION_NOT_OVER
    if passed_out(state):
        return WhyRefused.PHASE_PASSED_OUT
    return _why_not_led(state, rules, phase)


def _why_not_there(state: TableState, phase: Phase) -> WhyRefused | None:
    other = {Phase.AUCTION_NE: ScreenSide.SW, Phase.AUCTION_SW: ScreenSide.NE}.get(phase)
    if other is not None and state.tray.at is other:
        return WhyRefused.PHASE_TRAY_ELSEWHERE
    return None


def _why_not_led(state: TableState, rules: Rules, phase: Phase) -> WhyRefused | None:
    lead = right_lead(state, rules)
    faced = lead is not None and lead.faced is True
    match phase:
        case Phase.LEAD_AWAITING:
            return WhyRefused.PHASE_LEAD_LIES if lead is not None else None
        case Phase.PLAY:
            return None
        case Phase.LEAD_DOWN | Phase.OPENING | Phase.CLARIFICATION if lead is None and rules.has(Sense.LEAD):
            return WhyRefused.PHASE_NO_LEAD
        case Phase.CLARIFICATION if faced and not clarifies_first(rules.opens_on):
            return WhyRefused.PHASE_LEAD_FACED
        case Phase.OPENING if rules.opens_on_sensed and not opens_on_met(state, rules):
            return WhyRefused.PHASE_OPENS_ON_NOT_MET
    return None
