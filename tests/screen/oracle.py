"""A second opinion on when the window may be ordered open, written from the rules and not from the core.

Must not call the functions it checks: it reads the facts itself.
"""

from __future__ import annotations

from table_controller.laws.contract import Contract, PassedOut, contract_of
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.strategies import OpensOn
from table_controller.screen import events as ev
from table_controller.screen.entry import FaultKind
from table_controller.screen.facts import TableState
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from table_controller.screen.senses import Sense


def may_be_ordered_open(state: TableState, rules: Rules) -> str | None:
    """None, or the rule that this order broke. `state` is the one after the event."""
    kinds = {fault.kind for fault in state.faults}
    if FaultKind.WINDOW_OBSTRUCTED in kinds:
        return "the window was ordered open against something in its way"
    if state.unread:
        return "the window was ordered open before the sensors had been read again"
    if state.window.override is ev.WindowOrder.OPEN:
        return None
    if FaultKind.WINDOW_JAMMED in kinds:
        return "a jammed window was ordered open before a person came"
    if state.holds:
        return "the window was ordered open in a hold"
    if state.phase is Phase.PLAY:  # it belongs open then; the order is given anew
        return None if state.lead.faced else "the window was ordered open in play with no lead faced"
    return _not_before_lead(state, rules)


def _not_before_lead(state: TableState, rules: Rules) -> str | None:
    given = state.contract.given
    result = given if given is not None else contract_of(state.auction.calls)
    if isinstance(result, PassedOut):
        return "the window was ordered open after a pass-out"
    if rules.reads_calls:
        if given is None and state.auction.diverged:
            return "the window was ordered open while the faces differ"
        if not isinstance(result, Contract):
            return "the window was ordered open with no contract"
    of_it = state.auction.laid[: state.auction.calls.ended_at]
    shown = all(set(laid.sides) == set(ScreenSide) for laid in of_it)
    settled = given is not None or state.auction.shown_settled
    if rules.shown_before_window and rules.reads_calls and not shown and not settled:
        return "the window was ordered open before the auction was shown to both faces"
    leader = state.contract.leader or (result.leader if isinstance(result, Contract) else None)
    return _not_on_this_lead(state, rules, leader)


def _not_on_this_lead(state: TableState, rules: Rules, leader: Seat | None) -> str | None:
    lying = {lead.seat: lead for lead in state.lead.lying}
    if leader is None:
        if len(lying) != 1:
            return f"the window was ordered open with {len(lying)} leads lying and no leader known"
        if Sense.WINDOW_MOTOR in rules.senses and not state.window.worked & {Seat.W, Seat.S}:
            return "a motor was ordered open with no leader known and no handle worked"
        leader = next(iter(lying))
    if leader not in lying:
        return "the window was ordered open with no lead by the presumed leader"
    if len(lying) > 1:
        return "the window was ordered open while another lead lies"
    match rules.opens_on:
        case OpensOn.LEAD_FACED if lying[leader].faced is not True and not state.lead.faced:
            return "the window was ordered open before the lead was faced"
        case OpensOn.LEAD_ANNOUNCED if not state.lead.announced:
            return "the window was ordered open before the lead was announced"
        case _:
            return None
