"""Noting the board: which it is, whether it lies on the tray, and when one ends and the next begins.

Where no tag is read the same board is presumed in the auction, and the next one after play; its number comes
from the session, from one more than the last, or stays unknown. Must never give an unknown board a dealer.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.auction import Auction
from table_controller.laws.board import Board, dealer_of, vulnerability_of
from table_controller.laws.contract import PassedOut
from table_controller.screen.beliefs import (
    all_tricks_played,
    is_over,
    may_play_be_on,
    passed_out,
    play_is_counted,
)
from table_controller.screen.book import renumber
from table_controller.screen.events import BoardDue, BoardPlaced, BoardRemoved
from table_controller.screen.facts import (
    AuctionFacts,
    BoardFacts,
    ContractFacts,
    LeadFacts,
    PlayFacts,
    Session,
    TableState,
    WindowFacts,
)
from table_controller.screen.moment import BoardOff, BoardOn, Moment
from table_controller.screen.phases import Phase


def note_placed(m: Moment, event: BoardPlaced) -> None:
    if event.number is not None and event.number < 1:
        event = replace(event, number=None)  # no board has that number: the tag was misread
    facts = m.now.board
    if m.now.phase is Phase.COMPLETE:
        _placed_after_the_end(m, event)
        return
    expected = expected_number(m.now)
    if facts.current is None:
        m.happened.append(BoardOn(number=event.number, expected=expected))
        _begin(m, board_from_tag(m.now, event))
        return
    number = event.number
    same = number is None or number == facts.current.number or facts.current.number is None
    was_there = facts.present is not False
    if number is None and not was_there and _must_be_next(m):
        same = False
    set_board(m, replace(facts, present=True, removed_at=None, placed_at=facts.placed_at or m.at))
    if same:
        _learn(m, event)
        if facts.foreign is not None and number is not None:
            set_board(m, replace(m.now.board, foreign=None))
        return
    if not m.now.auction.begun:
        m.happened.append(BoardOn(number=number, expected=expected, swapped=was_there))
        _begin(m, board_from_tag(m.now, event))
    elif was_there and not _may_be_next(m):
        set_board(m, replace(m.now.board, foreign=number))
        m.happened.append(BoardOn(number=number, expected=expected, swapped=True, foreign=True))
    else:
        m.happened.append(BoardOn(number=number, expected=expected))
        if _passed_out_unseen(m, was_there):
            m.now = replace(m.now, contract=ContractFacts(given=PassedOut(), presumed=True))
        set_board(m, replace(m.now.board, waiting=board_from_tag(m.now, event), ended=True, sure=True))


def _may_be_next(m: Moment) -> bool:
    """The play may be over for all the table can tell, so that another tag is the next board."""
    return may_play_be_on(m.now, m.rules) and not play_is_counted(m.now, m.rules)


def _must_be_next(m: Moment) -> bool:
    """No tag is read, and the board had lawfully left for the play: what is put down now is another one."""
    if m.rules.board_stays_for_play:
        return False
    if m.now.phase is Phase.LEAD_AWAITING:
        return _passed_out_unseen(m, was_there=False)
    over = m.now.play.claimed_by is not None or all_tricks_played(m.now)
    return may_play_be_on(m.now, m.rules) and (over or not play_is_counted(m.now, m.rules))


def _passed_out_unseen(m: Moment, was_there: bool) -> bool:
    """The next board comes while a lead is awaited, calls are not read, and the board had lawfully left."""
    awaited = m.now.phase is Phase.LEAD_AWAITING and not m.now.lead.lying
    unknown = not m.rules.reads_calls and m.now.contract.given is None
    return awaited and unknown and not was_there and not m.rules.board_stays_for_play


def _placed_after_the_end(m: Moment, event: BoardPlaced) -> None:
    facts = m.now.board
    same = event.number is not None and facts.current is not None and event.number == facts.current.number
    if same and not facts.sure:
        set_board(m, replace(facts, present=True, removed_at=None, ended=False, back=True))
        m.happened.append(BoardOn(number=event.number, expected=None, back=True))
    elif same and facts.present is not False:
        return  # a passed-out board that has not been lifted yet
    else:
        m.happened.append(BoardOn(number=event.number, expected=expected_number(m.now)))
        waiting = board_from_tag(m.now, event)
        set_board(m, replace(facts, present=True, waiting=waiting, sure=True))


def note_removed(m: Moment, event: BoardRemoved) -> None:
    facts = m.now.board
    set_board(m, replace(facts, present=False, removed_at=m.at, foreign=None))
    if facts.current is None or not m.now.auction.begun or m.now.phase is Phase.COMPLETE:
        return
    phase = m.now.phase
    if may_play_be_on(m.now, m.rules):
        _removed_in_play(m)
    elif phase is Phase.LEAD_AWAITING and _is_presumed_pass_out(m):
        set_board(m, replace(m.now.board, ended=True, sure=True))
        m.now = replace(m.now, contract=ContractFacts(given=PassedOut(), presumed=True))
    elif passed_out(m.now):
        return  # lifted, a passed-out board is complete
    elif m.rules.board_stays_for_play or not is_over(m.now, m.rules):
        m.happened.append(BoardOff())


def _removed_in_play(m: Moment) -> None:
    stays = m.rules.board_stays_for_play
    if m.now.play.claimed_by is not None or all_tricks_played(m.now):
        set_board(m, replace(m.now.board, ended=True, sure=True))
    elif not stays:
        return  # it lawfully leaves after the auction; the next board ends the play
    elif play_is_counted(m.now, m.rules):
        m.happened.append(BoardOff())
    else:
        set_board(m, replace(m.now.board, ended=True, sure=False))


def _is_presumed_pass_out(m: Moment) -> bool:
    """A lead is awaited, none lies, and calls are not read: the board left because all passed."""
    return (
        not m.rules.reads_calls
        and m.rules.board_stays_for_play
        and m.now.contract.given is None
        and not m.now.lead.lying
    )


def board_from_tag(state: TableState, event: BoardPlaced) -> Board:
    """The board as its tag, else the session, else its number says."""
    number = event.number if event.number is not None else presumed_number(state)
    due = board_due(state.session, number)
    return board_of(
        number,
        Board(number=number, dealer=event.dealer, vulnerability=event.vulnerability),
        None if due is None else Board(number=number, dealer=due.dealer, vulnerability=due.vulnerability),
    )


def board_of(number: int | None, *says: Board | None) -> Board:
    """The first that says wins; the number speaks last. A number below 1 is no board's and says nothing."""
    dealer = next((one.dealer for one in says if one is not None and one.dealer is not None), None)
    vulnerable = next((o.vulnerability for o in says if o is not None and o.vulnerability is not None), None)
    if number is None:
        return Board(number=None, dealer=dealer, vulnerability=vulnerable)
    return Board(
        number=number,
        dealer=dealer if dealer is not None else dealer_of(number),
        vulnerability=vulnerable if vulnerable is not None else vulnerability_of(number),
    )


def expected_number(state: TableState) -> int | None:
    """The next board of the session after the current one, in its order; None where nothing says."""
    if state.session is None:
        return None
    current = state.board.current
    played = {*state.board.played, None if current is None else current.number}
    return next((due.number for due in state.session.boards if due.number not in played), None)


def presumed_number(state: TableState) -> int | None:
    expected = expected_number(state)
    if expected is not None:
        return expected
    current = state.board.current
    last = state.board.last_number if current is None else current.number
    return None if last is None else last + 1


def board_due(session: Session | None, number: int | None) -> BoardDue | None:
    if session is None or number is None:
        return None
    return next((due for due in session.boards if due.number == number), None)


def presume_board(m: Moment) -> None:
    """A call with no board sensed: there must be one."""
    if m.now.board.current is None and m.now.phase is Phase.SETUP:
        _begin(m, board_from_tag(m.now, BoardPlaced(at=m.at)), present=m.now.board.present)


def _begin(m: Moment, board: Board, present: bool | None = True) -> None:
    facts = replace(
        m.now.board,
        current=board,
        present=present,
        placed_at=m.at,
        removed_at=None,
        waiting=None,
        foreign=None,
        ended=False,
        sure=False,
        back=False,
        abandoned=False,
    )
    m.now = replace(m.now, board=facts, auction=AuctionFacts(calls=Auction(board.dealer)))
    _keep_of(m, board.number)


def _keep_of(m: Moment, number: int | None) -> None:
    """Of what is in the book, the entries about this board are its own: it may have lain here before.

    A condition of another board is none of this one's.
    """
    book = m.now.book
    about = {entry.id: entry.board for entry in book.entries}
    own = frozenset(one for one in book.own if number is not None and about.get(one) == number)
    keys = tuple(pair for pair in book.keys if pair[1] in own or about.get(pair[1]) is None)
    m.now = replace(m.now, book=replace(book, own=own, keys=keys))


def _learn(m: Moment, event: BoardPlaced) -> None:
    """The same board tells what was not known of it. A dealer, once known, does not change by itself."""
    current = m.now.board.current
    if current is None or (event.number is None and event.dealer is None and event.vulnerability is None):
        return
    number = current.number if current.number is not None else event.number
    said = Board(number=number, dealer=event.dealer, vulnerability=event.vulnerability)
    known = board_of(number, current, said)
    if known == current:
        return
    if m.now.auction.begun:
        set_board(m, replace(m.now.board, current=known))  # the calls made stay as they were read
        renumber(m, known.number)
    else:
        set_current(m, known)


def set_current(m: Moment, board: Board) -> None:
    """Another belief about the board; the auction is read from its dealer."""
    auction = m.now.auction
    calls = Auction(board.dealer, auction.calls.calls, auction.calls.settled)
    m.now = replace(m.now, board=replace(m.now.board, current=board), auction=replace(auction, calls=calls))
    renumber(m, board.number)


def next_board(m: Moment) -> None:
    """The record is closed: what belonged to the board is forgotten, and a board already there begins."""
    now = m.now
    facts = now.board
    number = None if facts.current is None else facts.current.number
    played = facts.played if number is None or number in facts.played else (*facts.played, number)
    kept = tuple(entry for entry in now.book.entries if entry.standing.waits)
    of_next = frozenset(one.id for one in kept if one.id >= m.before.book.next_id) - now.book.own
    fresh = BoardFacts(
        present=facts.present,
        last_number=facts.last_number if number is None else number,
        played=played if now.session is not None else (),
    )
    m.now = clear_table(now, fresh)
    book = replace(now.book, entries=kept, keys=(), frozen=frozenset(), own=frozenset())
    m.now = replace(m.now, book=book)
    if facts.waiting is not None:
        _begin(m, facts.waiting)
        m.now = replace(m.now, book=replace(m.now.book, own=of_next))


def lift_before_first_call(m: Moment) -> None:
    """The board left before anybody called: nothing of it is kept."""
    facts = m.now.board
    fresh = BoardFacts(present=facts.present, last_number=facts.last_number, played=facts.played)
    m.now = clear_table(m.now, fresh)


def clear_table(state: TableState, board: BoardFacts) -> TableState:
    return replace(
        state,
        board=board,
        visit=None,
        auction=AuctionFacts(calls=Auction(None)),
        lead=LeadFacts(),
        play=PlayFacts(),
        contract=ContractFacts(),
        obligations=(),
        alerts=(),
        tray=replace(state.tray, sent_back=None),
        window=WindowFacts(state=state.window.state, since=state.window.since, handles=state.window.handles),
        given=replace(state.given, window=None),
    )


def set_board(m: Moment, facts: BoardFacts) -> None:
    m.now = replace(m.now, board=facts)
