"""The record of a board that is over: what happened, and nothing that was not seen."""

from __future__ import annotations

from table_controller.laws.contract import Contract
from table_controller.laws.play import Play
from table_controller.laws.score import score_of
from table_controller.screen.beliefs import all_tricks_played, leader, outcome, passed_out
from table_controller.screen.effects import RecordBoard
from table_controller.screen.entry import Kind, Standing
from table_controller.screen.facts import TableState
from table_controller.screen.phases import Phase

COMPLETED = "completed"
ABANDONED = "abandoned"
_NO_IRREGULARITY = (Kind.SUMMONS, Kind.LATE_ARRIVAL, Kind.SLOW_PLAY)


def record_of(state: TableState, *, abandoned: bool) -> RecordBoard:
    """The board's record as the facts stand. Misreadings, summonses and the session's time are none of it."""
    board = state.board.current
    result = outcome(state)
    contract = result if isinstance(result, Contract) else None
    tricks = _tricks(state, contract)
    vulnerability = None if board is None else board.vulnerability
    score = None
    if passed_out(state):
        score = 0
    elif contract is not None and tricks is not None and vulnerability is not None:
        vulnerable = vulnerability.includes(contract.declarer.partnership)
        score = score_of(contract, tricks, vulnerable=vulnerable)
    return RecordBoard(
        number=None if board is None else board.number,
        dealer=None if board is None else board.dealer,
        vulnerability=vulnerability,
        calls=tuple((made.seat, made.call) for made in state.auction.calls.calls),
        crossings=state.auction.crossings,
        contract=None if result is None else str(result),
        declarer=None if contract is None else contract.declarer,
        leader=leader(state),
        play=tuple((played.seat, played.card) for played in state.play.cards),
        claimed_by=state.play.claimed_by,
        tricks=tricks,
        score=score,
        irregularities=irregularities(state),
        outcome=ABANDONED if abandoned else COMPLETED,
        presumed=state.contract.presumed,
    )


def _tricks(state: TableState, contract: Contract | None) -> int | None:
    """Declarer's, where all thirteen have been seen."""
    if contract is None or not all_tricks_played(state):
        return None
    return Play(contract, state.play.cards).declarer_tricks


def irregularities(state: TableState) -> tuple[Kind, ...]:
    """The kinds reported on this board, once each, in the order they were."""
    found: dict[Kind, None] = {}
    for entry in state.book.entries:
        if entry.id in state.book.own and entry.standing is not Standing.MISREADING:
            found.update(dict.fromkeys(kind for kind in entry.kinds if kind not in _NO_IRREGULARITY))
    return tuple(found)


def was_abandoned(state: TableState, left: Phase) -> bool:
    """Another board came before this one had an end: from the auction or before a lead was down."""
    return state.board.waiting is not None and (left.in_auction or left.in_lead) and not passed_out(state)
