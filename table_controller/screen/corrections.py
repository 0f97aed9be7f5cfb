"""The director corrects what the table believes; what was sensed stays on record.

A correction replaces a belief and the table goes on from there. One that makes no sense is refused with the
reason and changes nothing. Must never rule: it closes only the entries that the misreading itself made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from table_controller.laws.auction import Auction, CallFault, Doubling, MadeCall, faults_in
from table_controller.laws.board import Board
from table_controller.laws.call import Bid, Call
from table_controller.laws.contract import Contract, PassedOut
from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import BOTH_SIDES, column, declaring, is_over, passed_out
from table_controller.screen.board import board_due, board_of, set_board, set_current
from table_controller.screen.book import amend, open_entries, open_entry
from table_controller.screen.calls import make_void, set_auction
from table_controller.screen.entry import Kind, Standing
from table_controller.screen.facts import ContractFacts, Laid, PlayFacts, SaidOver
from table_controller.screen.lead import begin_play
from table_controller.screen.moment import Moment
from table_controller.screen.obligations import breaks, count_turn, give_turn_back, is_bound
from table_controller.screen.orders import (
    Corrected,
    CorrectedAuction,
    CorrectedBoard,
    CorrectedCall,
    CorrectedContract,
    CorrectedLeader,
    CorrectedPhase,
)
from table_controller.screen.phases import Phase
from table_controller.screen.refusals import Refusal, WhyRefused, refusal
from table_controller.screen.rephase import (
    auction_leaf,
    back_to_auction,
    rephase,
    reread_lead,
    set_phase,
    unsaid,
    why_not,
)

ABOUT_CALLS = frozenset(
    {
        Kind.INSUFFICIENT_BID,
        Kind.CALL_OUT_OF_ROTATION,
        Kind.INADMISSIBLE_DOUBLE,
        Kind.INADMISSIBLE_REDOUBLE,
        Kind.CALL_AFTER_FINAL_PASS,
        Kind.CALL_VIOLATING_OBLIGATION_TO_PASS,
    }
)


def note_corrected(m: Moment, event: Corrected) -> Refusal | None:
    """Returns why not, if the correction does not fit."""
    if m.now.board.current is None and not isinstance(event.what, CorrectedPhase):
        return refusal(WhyRefused.NO_BOARD)
    if m.now.board.ended and not isinstance(event.what, CorrectedPhase):
        return refusal(WhyRefused.BOARD_OVER)
    match event.what:
        case CorrectedCall():
            refused = _call(m, event, event.what)
        case CorrectedAuction():
            refused = _auction(m, event, event.what)
        case CorrectedBoard():
            refused = _board(m, event, event.what)
        case CorrectedContract():
            refused = _contract(m, event.what)
        case CorrectedLeader():
            refused = _leader(m, event.what)
        case CorrectedPhase():
            return _phase(m, event, event.what)
        case _:
            assert_never(event.what)
    if refused is None:
        rephase(m)
    return refused


Faults = tuple[frozenset[CallFault], ...]


def _call(m: Moment, event: Corrected, what: CorrectedCall) -> Refusal | None:
    auction = m.now.auction
    if not 0 <= what.index < len(auction.laid):
        return refusal(WhyRefused.NO_SUCH_CALL, number=what.index + 1, count=len(auction.laid))
    old = auction.laid[what.index]
    was_over = auction.calls.is_over
    if what.call is None:
        make_void(m, what.index)
        auction = m.now.auction
        calls, laid = auction.calls, auction.laid
    else:
        calls = auction.calls.replacing(what.index, what.call)
        away = old.lifted is not None or old.gone is not None  # and not cleared with the rest
        fresh = replace(
            old,
            call=what.call,
            read_as=old.read_as or old.call,
            entries=_still_true(m, old, _kinds(faults_in(calls)[what.index], what.call, old)),
            obliged=breaks(what.call, bound=old.bound),
            lies=old.lies or away,
            lifted=None,
            gone=None,
            unlaid=old.unlaid or away,
        )
        laid = (*auction.laid[: what.index], fresh, *auction.laid[what.index + 1 :])
    set_auction(
        m,
        replace(
            auction,
            calls=calls,
            laid=laid,
            unread=auction.unread | {old.seat},
            diverged=False,
            mismatch=False,
        ),
    )
    if was_over and not calls.is_over:
        _forget_said_over(m, event)
    kept = () if what.call is None else laid[what.index].entries
    for entry_id in old.entries:
        if entry_id in kept:
            _say_what_it_was(m, entry_id, what.call, laid[what.index])
        else:
            _close(m, event, entry_id)
    _reread(m, event)
    return None


def _kinds(faults: frozenset[CallFault], call: Call | None, laid: Laid) -> frozenset[Kind]:
    """In what this call, made in the place of that card, departs from the Laws and from rulings."""
    kinds = {Kind(fault.value) for fault in faults}
    if call is not None and breaks(call, bound=laid.bound):
        kinds.add(Kind.CALL_VIOLATING_OBLIGATION_TO_PASS)
    return frozenset(kinds)


def _still_true(m: Moment, old: Laid, kinds: frozenset[Kind]) -> tuple[int, ...]:
    """The entries about this call that the corrected one departs in too: they are no misreadings."""
    found = ((entry_id, open_entry(m, entry_id)) for entry_id in old.entries)
    return tuple(entry_id for entry_id, entry in found if entry is not None and kinds & set(entry.kinds))


def _say_what_it_was(m: Moment, entry_id: int, call: Call | None, laid: Laid) -> None:
    entry = open_entry(m, entry_id)
    if entry is not None and entry.call != call:
        kinds = _kinds(faults_in(m.now.auction.calls)[_place(m, laid)], call, laid)
        amend(m, entry, call=call, kinds=tuple(kind for kind in entry.kinds if kind in kinds))


def _place(m: Moment, laid: Laid) -> int:
    return next(index for index, one in enumerate(m.now.auction.laid) if one.uid == laid.uid)


def _auction(m: Moment, event: Corrected, what: CorrectedAuction) -> Refusal | None:
    auction = m.now.auction
    made = tuple(MadeCall(seat, call) for seat, call in what.calls)
    void = _no_calls(m, made)
    for one in auction.laid:
        give_turn_back(m, one)
    calls = Auction(auction.calls.dealer, made).settle()
    laid = _laid_as(m, made, void, faults_in(calls))
    kept = {entry for one in laid for entry in one.entries}
    gone = [entry for one in auction.laid for entry in one.entries if entry not in kept]
    set_auction(
        m,
        replace(
            auction,
            calls=calls,
            laid=laid,
            strays=(),
            void=void,
            taken=(),
            pending=(),
            begun=bool(made) or (auction.begun and not m.rules.reads_calls),
            uid=auction.uid + len(made),
            unread=frozenset({one.seat for one in made} | {one.seat for one in auction.laid}),
            corrected=bool(m.now.holds),
            diverged=False,
            mismatch=False,
            cleared=frozenset(),
            shown_settled=calls.is_over,
        ),
    )
    m.now = replace(m.now, contract=ContractFacts())  # an auction given speaks for itself
    _forget_said_over(m, event)
    for entry in gone:
        _close(m, event, entry)
    for one in laid:
        for entry_id in one.entries:
            _say_what_it_was(m, entry_id, one.call, one)
    _reread(m, event)
    return None


def _forget_said_over(m: Moment, event: Corrected) -> None:
    """Where calls are not read: what the button, the cards or a lead said of the end holds no more."""
    inferred = m.now.auction.said_over is SaidOver.LEAD and not m.now.auction.calls.is_over
    m.now = unsaid(m.now)
    if inferred:
        for entry in open_entries(m, Kind.AUCTION_OVER_INFERRED):
            if entry.id in m.now.book.own:
                _close(m, event, entry.id)


def _no_calls(m: Moment, made: tuple[MadeCall, ...]) -> tuple[Laid, ...]:
    """What lies in a column beyond the calls that the auction given has there: cards of no call any more."""
    found: list[Laid] = []
    for seat in Seat:
        lying = column(m.now.auction, seat)
        given = [one.call for one in made if one.seat is seat]
        surplus = len(lying) - len(given)
        others: list[Laid] = []
        for card in lying:
            if card.call in given:
                given.remove(card.call)
            else:
                others.append(replace(card, entries=()))
        found += others[-surplus:] if surplus > 0 else ()
    return tuple(found)


def _laid_as(
    m: Moment, made: tuple[MadeCall, ...], void: tuple[Laid, ...], faults: Faults
) -> tuple[Laid, ...]:
    """The cards of an auction given: those that were laid so keep what is known of them."""
    auction = m.now.auction
    found: list[Laid] = []
    for index, one in enumerate(made):
        old = auction.laid[index] if index < len(auction.laid) else None
        if old is not None and (old.seat, old.call) == (one.seat, one.call):
            found.append(replace(old, lies=True, lifted=None, gone=None))
            if old.bound:
                count_turn(m, old.seat)
            continue
        bound = is_bound(m.now, one.seat) if old is None else old.bound and old.seat is one.seat
        if bound:
            count_turn(m, one.seat)
        card = Laid(
            uid=auction.uid + 1 + index,
            seat=one.seat,
            call=one.call,
            at=m.at,
            number=m.number,
            stay=m.now.tray.stay,
            sides=BOTH_SIDES,
            bound=bound,
            obliged=breaks(one.call, bound=bound),
            entries=_kept_entries(m, old, one, faults[index]),
            read_as=_read_as(old, one.seat, void),
        )
        found.append(card)
    return tuple(found)


def _kept_entries(
    m: Moment, old: Laid | None, made: MadeCall, faults: frozenset[CallFault]
) -> tuple[int, ...]:
    """Those about the card that lay in this place, as far as the call given there departs in them too."""
    if old is None or old.seat is not made.seat:
        return ()
    return _still_true(m, old, _kinds(faults, made.call, old))


def _read_as(old: Laid | None, seat: Seat, void: tuple[Laid, ...]) -> Call | None:
    """What the readers show of the card in this place, unless it is one that is no call any more."""
    if old is None or old.seat is not seat or any(card.uid == old.uid for card in void):
        return None
    return old.read_as or old.call


def _board(m: Moment, event: Corrected, what: CorrectedBoard) -> Refusal | None:
    current = m.now.board.current
    assert current is not None
    if what.number is not None and what.number < 1:
        return refusal(WhyRefused.BOARD_BELOW_ONE, number=what.number)
    said = Board(number=None, dealer=what.dealer, vulnerability=what.vulnerability)
    if what.number is None:
        board = board_of(current.number, said, current)
    else:
        due = board_due(m.now.session, what.number)
        session = None if due is None else replace(said, dealer=due.dealer, vulnerability=due.vulnerability)
        board = board_of(what.number, said, session)
    set_current(m, board)
    set_board(m, replace(m.now.board, foreign=None))
    _close_if_expected(m, event, board.number)
    _reread(m, event)
    return None


def _close_if_expected(m: Moment, event: Corrected, number: int | None) -> None:
    """It was the right board after all, and its tag misread."""
    for entry in open_entries(m, Kind.WRONG_BOARD):
        due = {fact.text for fact in entry.facts if fact.name == "expected"}
        if entry.id in m.now.book.own and due == {str(number)}:
            _close(m, event, entry.id)


def _contract(m: Moment, what: CorrectedContract) -> Refusal | None:
    if what.bid is None:
        given: Contract | PassedOut = PassedOut()
    elif not isinstance(what.bid, Bid):
        return refusal(WhyRefused.CONTRACT_NO_BID, call=what.bid)
    elif what.declarer is None:
        return refusal(WhyRefused.DECLARER_MISSING)
    elif not 0 <= what.doubled <= 2:
        return refusal(WhyRefused.DOUBLED_UNKNOWN, doubled=what.doubled)
    else:
        given = Contract(what.bid, Doubling(what.doubled), what.declarer)
    m.now = replace(m.now, contract=replace(m.now.contract, given=given, presumed=False))
    set_auction(m, replace(m.now.auction, begun=True))
    return None


def _leader(m: Moment, what: CorrectedLeader) -> Refusal | None:
    if not is_over(m.now, m.rules):
        return refusal(WhyRefused.AUCTION_NOT_OVER)
    if passed_out(m.now):
        return refusal(WhyRefused.PASSED_OUT)
    if what.seat.partnership is declaring(m.now):
        return refusal(WhyRefused.LEADER_DECLARES, seat=what.seat)
    m.now = replace(m.now, contract=replace(m.now.contract, leader=what.seat))
    return None


def _phase(m: Moment, event: Corrected, what: CorrectedPhase) -> Refusal | None:
    try:
        phase = Phase(what.phase)
    except ValueError:
        return refusal(WhyRefused.NO_SUCH_PHASE, name=what.phase, names=", ".join(Phase))
    if phase is m.now.phase:
        return None
    reason = why_not(m.now, m.rules, phase)
    if reason is not None:
        return reason
    ends = phase in (Phase.SETUP, Phase.COMPLETE)
    set_board(m, replace(m.now.board, ended=ends, sure=ends))
    match phase:
        case Phase.SETUP | Phase.COMPLETE:
            set_phase(m, Phase.COMPLETE)
        case Phase.CLOSING | Phase.AUCTION_NE | Phase.AUCTION_SW:
            _forget_said_over(m, event)
            back_to_auction(m)
            if m.now.phase.in_auction and phase.in_auction:
                set_phase(m, auction_leaf(m.now, m.rules) if m.now.tray.at is not None else phase)
        case Phase.PLAY:
            begin_play(m)
            set_phase(m, phase)
        case _:
            m.now = replace(m.now, play=PlayFacts())
            reread_lead(m)
            set_phase(m, phase)
    return None


def _reread(m: Moment, event: Corrected) -> None:
    """What the corrected auction shows to be in order was misread too; nothing new is made."""
    auction = m.now.auction
    faults = faults_in(auction.calls)
    laid = tuple(replace(one, faults=faults[index]) for index, one in enumerate(auction.laid))
    set_auction(m, replace(auction, laid=laid))
    for one in laid:
        for entry_id in one.entries if one.is_legal else ():
            entry = open_entry(m, entry_id)
            if entry is not None and ABOUT_CALLS.issuperset(entry.kinds):
                _close(m, event, entry_id)


def _close(m: Moment, event: Corrected, entry_id: int) -> None:
    entry = open_entry(m, entry_id)
    if entry is not None:
        amend(m, entry, standing=Standing.MISREADING, closed_by=event.by, closed_why=event.why)
