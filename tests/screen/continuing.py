"""A lawful continuation: players who go on as the procedure says, and a director who deals with what waits.

It knows what people at the table see and what the console shows, and does the next proper thing until this
board is over and another is being called. Whatever state it starts in, that must be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from table_controller.laws.call import PASS
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind, Kind, Standing
from table_controller.screen.facts import TableState
from table_controller.screen.phases import Phase
from table_controller.screen.senses import Sense
from table_controller.screen.table import ScreenTable
from tests.screen.driving import S

MOST = 90
"""Events a continuation may take: a whole board, twice, and all that can be cleared up before it."""

NEXT = 77


class Unreachable(AssertionError):
    """The next board was not reached."""


def continue_to_next_board(table: ScreenTable, at: int, known: Callable[[TableState], bool]) -> int:
    """From the state the table is in; returns how many events it took. Raises Unreachable, naming the phase.

    `known` says of a state that a continuation from it has been found before.
    """
    taken: list[str] = []
    over = False
    for count in range(MOST):
        over = over or table.state.board.current is None
        if table.state.phase.in_auction and _is_next(table, over):
            return count
        if known(table.state):
            return count
        at += S
        event = _next(table, at)
        taken.append(type(event).__name__)
        for effect in table.handle(event, 0):
            over = over or isinstance(effect, effects.RecordBoard)
            if isinstance(effect, effects.Refuse) and isinstance(event, ev.Resumed):
                raise Unreachable(f"could not resume: {effect.refusal}")
    raise Unreachable(f"the next board is out of reach in {table.phase}: {' '.join(taken[-12:])}")


def _is_next(table: ScreenTable, over: bool) -> bool:
    """Another board is being called. Where no tag is read, the one before is `over` and recorded."""
    tagged = table.rules.has(Sense.BOARD_ID)
    return _number(table.state) == NEXT if tagged else over


def _placed(table: ScreenTable, at: int, number: int | None) -> ev.BoardPlaced:
    return ev.BoardPlaced(at=at, number=number if table.rules.has(Sense.BOARD_ID) else None)


def _next(table: ScreenTable, at: int) -> ev.Event:
    state = table.state
    mended = next(_mend(state, at), None)
    if mended is not None:
        return mended
    return _play_on(table, at)


def _mend(state: TableState, at: int) -> Iterator[ev.Event]:
    """What hardware and director put right first."""
    if state.unread:
        yield ev.SensorsRead(at=at)
    for doubt in state.doubts:
        if doubt.kind is FaultKind.LINK_LOST:
            yield ev.LinkRestored(at=at)
        else:
            yield ev.SensorCleared(at=at, sense=doubt.sense, kind=doubt.kind, component=doubt.component)
    for fault in state.faults:
        yield ev.FaultGone(at=at, kind=fault.kind, component=fault.component)
    if state.holds:
        yield ev.Resumed(at=at, by="TD")
    for entry in state.book.entries:
        if entry.standing is Standing.OPEN and Kind.AUCTION_NOT_SHOWN in entry.kinds:
            yield ev.Ruled(at=at, by="TD", entries=(entry.id,), verdict=ev.Verdict.OTHER)


def _play_on(table: ScreenTable, at: int) -> ev.Event:
    state = table.state
    match state.phase:
        case Phase.SETUP:
            return _placed(table, at, NEXT)
        case Phase.CLOSING:
            return _close(state, at)
        case Phase.AUCTION_NE | Phase.AUCTION_SW:
            return _bid_on(table, at)
        case Phase.LEAD_AWAITING | Phase.LEAD_DOWN | Phase.CLARIFICATION | Phase.OPENING:
            return _lead_on(table, at)
        case Phase.PLAY | Phase.COMPLETE:
            return _finish(table, at)


def _close(state: TableState, at: int) -> ev.Event:
    if state.window.state is not ev.WindowState.CLOSED:
        return ev.WindowMoved(at=at, state=ev.WindowState.CLOSED, order=ev.WindowOrder.CLOSE)
    return _arrive(state, at)


def _arrive(state: TableState, at: int) -> ev.Event:
    side = ScreenSide.NE if state.tray.left_from is None else state.tray.left_from.other
    return ev.TrayArrived(at=at, side=side)


def _bid_on(table: ScreenTable, at: int) -> ev.Event:
    state, rules = table.state, table.rules
    if state.board.present is False:
        number = None if state.board.current is None else state.board.current.number
        return _placed(table, at, number)
    here = state.tray.at
    for one in state.auction.pending:
        return ev.CallReleased(at=at, seat=one.seat)
    unseen = any(laid.lies and len(laid.sides) < 2 for laid in state.auction.laid)
    if table.view().contract == "Pass" and not unseen:
        return ev.BoardRemoved(at=at)  # cleared before it was shown: the players take the board away
    if here is None:
        return _arrive(state, at)
    if not rules.reads_calls:
        over = state.auction.begun
        return ev.AuctionOverPressed(at=at, side=here) if over else ev.TrayLeft(at=at, side=here)
    for laid in state.auction.laid:  # a card taken up is laid again
        if (laid.lifted or laid.gone) and rules.side_of(laid.seat) is here:
            return ev.CallMade(at=at, seat=laid.seat, call=laid.call)
    turn = table.view().turn
    if turn is None and not state.auction.laid:
        turn = rules.seats_on(here)[0]  # the table does not know who deals; the players do
    if turn is not None and rules.side_of(turn) is here:
        return ev.CallMade(at=at, seat=turn, call=PASS)
    return ev.TrayLeft(at=at, side=here)


def _lead_on(table: ScreenTable, at: int) -> ev.Event:
    state = table.state
    leader = table.view().leader
    seat = leader or (state.lead.lying[0].seat if state.lead.lying else Seat.W)
    wrong = [lead.seat for lead in state.lead.lying if lead.seat is not seat]
    if wrong:
        return ev.LeadWithdrawn(at=at, seat=wrong[0])
    if state.board.present is False:
        number = None if state.board.current is None else state.board.current.number
        return _placed(table, at, number)
    if any(laid.lies and len(laid.sides) < 2 for laid in state.auction.laid):
        here = state.tray.at
        return _arrive(state, at) if here is None else ev.TrayLeft(at=at, side=here)
    lead = next((one for one in state.lead.lying if one.seat is seat), None)
    if lead is None and not state.lead.faced:
        return ev.LeadMade(at=at, seat=seat, faced=False)
    if state.phase is Phase.OPENING:
        return _open(state, at)
    return _after_lead(table, at, seat)


def _after_lead(table: ScreenTable, at: int, seat: Seat) -> ev.Event:
    state, rules = table.state, table.rules
    if state.phase is Phase.LEAD_DOWN and not state.lead.announced and rules.has(Sense.ANNOUNCED):
        return ev.LeadAnnounced(at=at, seat=rules.faces.screenmate(seat))
    if not state.lead.faced and rules.has(Sense.LEAD_FACE):
        return ev.LeadFaced(at=at, seat=seat)
    if state.window.state is ev.WindowState.OPEN:
        return _finish(table, at)  # nobody can see the lead faced: the play is on
    if ev.WindowOrder.OPEN not in (state.window.override, state.given.window):
        return ev.WindowOverridden(at=at, by="TD", to=ev.WindowOrder.OPEN)
    return _open(state, at)


def _open(state: TableState, at: int) -> ev.Event:
    if state.window.state is ev.WindowState.CLOSED:
        return ev.WindowMoved(at=at, state=ev.WindowState.BETWEEN, order=ev.WindowOrder.OPEN)
    return ev.WindowMoved(at=at, state=ev.WindowState.OPEN, order=ev.WindowOrder.OPEN)


def _finish(table: ScreenTable, at: int) -> ev.Event:
    state = table.state
    if state.phase is Phase.PLAY and state.play.claimed_by is None and table.rules.has(Sense.CLAIM):
        return ev.ClaimMade(at=at, seat=Seat.N)
    if state.board.present is not False:
        return ev.BoardRemoved(at=at)
    return _placed(table, at, NEXT)


def _number(state: TableState) -> int | None:
    return None if state.board.current is None else state.board.current.number
