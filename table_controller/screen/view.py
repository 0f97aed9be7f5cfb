"""What a director's tile shows of the table: whole, so that the last view is enough.

Must never hold a time, a tempo or a hand.
"""

from __future__ import annotations

from table_controller.laws.play import Play
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.beliefs import (
    contract,
    is_over,
    leader,
    outcome,
    right_lead,
    standing,
)
from table_controller.screen.effects import CallShown, TableView
from table_controller.screen.entry import FaultKind, Kind, Level, Standing
from table_controller.screen.facts import Doubt, TableState
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules, needs, senses_doubted
from table_controller.screen.senses import NEEDS


def view_of(state: TableState, rules: Rules) -> TableView:
    board = state.board.current
    result = outcome(state)
    known = contract(state)
    lead = right_lead(state, rules) or (state.lead.lying[0] if len(state.lead.lying) == 1 else None)
    waiting = [entry for entry in state.book.entries if entry.standing is Standing.OPEN]
    return TableView(
        phase=state.phase.value,
        board=None if board is None else board.number,
        dealer=None if board is None else board.dealer,
        vulnerability=None if board is None else board.vulnerability,
        tray=_tray(state),
        window=state.window.state,
        calls=_calls(state),
        turn=_turn(state, rules),
        contract=None if result is None else str(result),
        declarer=None if known is None else known.declarer,
        leader=leader(state),
        lead=None if lead is None else lead.seat,
        lead_faced=None if lead is None else (True if state.lead.faced else lead.faced),
        cards_played=len(state.play.cards),
        holds=tuple(hold.reason for hold in state.holds),
        open_entries=tuple(entry.id for entry in waiting if entry.level > Level.NOTE),
        faults=tuple(fault.id for fault in state.faults),
        summons=tuple(dict.fromkeys(entry.seats[0] for entry in waiting if Kind.SUMMONS in entry.kinds)),
        off=_off(state, rules),
    )


def _tray(state: TableState) -> str:
    if any(doubt.kind is FaultKind.SENSOR_CONFLICT and doubt.sense == "tray" for doubt in state.doubts):
        return "conflict"
    if state.tray.at is not None:
        return state.tray.at.value
    return "moving" if state.tray.left_from is not None else "unknown"


def _calls(state: TableState) -> tuple[CallShown, ...]:
    return tuple(
        CallShown(
            seat=laid.seat,
            call=laid.call,
            sides=tuple(side for side in ScreenSide if side in laid.sides),
            entry=laid.entries[-1] if laid.entries else None,
            alerted_by=laid.alerted,
        )
        for laid in state.auction.laid
    )


def _turn(state: TableState, rules: Rules) -> Seat | None:
    """Whose call or card is due, None when nobody can know."""
    phase = state.phase
    if phase.in_auction or phase is Phase.CLOSING:
        return None if is_over(state, rules) else standing(state.auction).turn
    if phase.in_lead:
        return leader(state)
    known = contract(state)
    if phase is Phase.PLAY and known is not None and state.play.cards and state.play.claimed_by is None:
        return Play(known, state.play.cards).turn
    return None


_NO_DOUBT: tuple[Doubt, ...] = ()


def _off(state: TableState, rules: Rules) -> tuple[tuple[str, str], ...]:
    if state.doubts == _NO_DOUBT:
        return rules.checks_off
    suspended = [
        (kind.value, f"suspended: {doubt.component} cannot be believed")
        for doubt in state.doubts
        for kind in NEEDS
        if kind not in rules.off and needs(kind) & senses_doubted(doubt.sense)
    ]
    return (*rules.checks_off, *dict(reversed(suspended)).items())
