"""Everything that can be sensed or ordered, as letters of an alphabet: a name, and the event at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from table_controller.laws.call import DOUBLE, PASS, Bid, Call, Denomination
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import events as ev
from table_controller.screen.entry import FaultKind, Standing
from table_controller.screen.facts import TableState
from tests.screen.driving import S, bid

NE, SW = ScreenSide.NE, ScreenSide.SW
CALLS: tuple[Call, ...] = (PASS, DOUBLE, bid("1D"), bid("6NT"))


@dataclass(frozen=True, slots=True)
class Letter:
    """`after`: ns since the event before."""

    name: str
    event: Callable[[int], ev.Event]
    after: int = S


def alphabet(state: TableState) -> Iterator[Letter]:
    """The letters that say something in this state; some name what lies there or what is open."""
    yield from _CONSTANT
    yield from _of_columns(state)
    yield from _of_entries(state)
    yield from _of_board(state)


def _letter(kind: type[ev.Event], /, after: int = S, **values: Any) -> Letter:
    shown = " ".join(f"{value}" for value in values.values())

    def event(at: int) -> ev.Event:
        return kind(at=at, **values)

    return Letter(f"{kind.__name__} {shown}".strip(), event, after)


def _order(kind: type[ev.Event], **values: Any) -> Letter:
    return _letter(kind, by="TD", command="c", **values)


def _corrected(what: ev.Correction) -> Letter:
    return _order(ev.Corrected, what=what)


def _constant() -> Iterator[Letter]:
    for seat in Seat:
        for call in CALLS:
            yield _letter(ev.CallMade, seat=seat, call=call)
        for faced in (False, True):
            yield _letter(ev.LeadMade, seat=seat, faced=faced)
        yield _letter(ev.LeadFaced, seat=seat)
        yield _letter(ev.LeadWithdrawn, seat=seat)
    for side in ScreenSide:
        yield _letter(ev.TrayLeft, side=side)
        yield _letter(ev.TrayArrived, side=side)
        yield _letter(ev.CardsCleared, side=side)
    for window in ev.WindowState:
        for order in (None, ev.WindowOrder.OPEN, ev.WindowOrder.CLOSE):
            yield _letter(ev.WindowMoved, state=window, order=order)
    for seat in (Seat.W, Seat.N):
        yield _letter(ev.WindowHandled, seat=seat, held=True)
        yield _letter(ev.TrayHandled, seat=seat, held=True)
        yield _letter(ev.LeadAnnounced, seat=seat)
        yield _letter(ev.DirectorSummoned, seat=seat)
        yield _letter(ev.AlertPlaced, seat=seat)
        yield _letter(ev.AlertRemoved, seat=seat)
    yield _letter(ev.CallMade, after=20_000_000, seat=Seat.E, call=PASS)
    yield _letter(ev.CardPlayed, seat=Seat.E, card=parse_card("SA"))
    yield _letter(ev.CardPlayed, seat=Seat.S, card=parse_card("S2"))
    yield _letter(ev.DummySpread)
    yield _letter(ev.ClaimMade, seat=Seat.N)
    yield _letter(ev.AuctionOverPressed, side=NE)
    yield _letter(ev.HandsTaken, seat=Seat.N)
    yield _letter(ev.SeatTaken, seat=Seat.N, player="other")
    yield _letter(ev.StopCardSeen, seat=Seat.N)
    yield from _hardware()
    yield from _orders()


def _hardware() -> Iterator[Letter]:
    yield _letter(ev.TimePassed, after=200 * S)
    yield _letter(ev.SensorDoubted, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray", detail="")
    yield _letter(
        ev.SensorDoubted, sense="lead", kind=FaultKind.SENSOR_SUSPECT, component="lead.e.present", detail=""
    )
    yield _letter(ev.SensorCleared, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray")
    yield _letter(ev.FaultSeen, kind=FaultKind.WINDOW_OBSTRUCTED, component="window.motor")
    yield _letter(ev.FaultGone, kind=FaultKind.WINDOW_OBSTRUCTED, component="window.motor")
    yield _letter(ev.DeviceReset, cause="watchdog")
    yield _letter(ev.EventsLost, count=3)
    yield _letter(ev.LinkLost, why="")
    yield _letter(ev.LinkRestored)
    yield _letter(ev.Restarted)


def _orders() -> Iterator[Letter]:
    yield _order(ev.Held)
    yield _order(ev.Resumed, reasons=())
    yield _order(ev.Resumed, reasons=("director",))
    yield _order(ev.TrayBackOrdered)
    for to in ev.WindowOrder:
        yield _order(ev.WindowOverridden, to=to)
    yield _order(ev.SeatObliged, seat=Seat.N, turns=None)
    yield _order(ev.SessionOpened, session="s", boards=(ev.BoardDue(number=9),), players=((Seat.N, "one"),))
    yield _corrected(ev.CorrectedAuction(calls=()))
    passed = tuple((seat, PASS) for seat in (Seat.N, Seat.E, Seat.S, Seat.W))
    yield _corrected(ev.CorrectedAuction(calls=passed))
    one = Bid(1, Denomination.NT)
    yield _corrected(
        ev.CorrectedAuction(calls=((Seat.N, one), (Seat.E, PASS), (Seat.S, PASS), (Seat.W, PASS)))
    )
    yield _corrected(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
    yield _corrected(ev.CorrectedContract(bid=None))
    yield _corrected(ev.CorrectedLeader(seat=Seat.E))
    yield _corrected(ev.CorrectedBoard(number=9))
    yield _corrected(ev.CorrectedBoard(dealer=Seat.W))
    for phase in ("setup", "closing", "auction.sw", "lead.awaiting", "opening", "clarification", "play"):
        yield _corrected(ev.CorrectedPhase(phase=phase))
    yield _corrected(ev.CorrectedPhase(phase="complete"))


_CONSTANT = tuple(_constant())


def _of_columns(state: TableState) -> Iterator[Letter]:
    """Cards that lie can be taken up; what lies can be read as it is, or one short, or another."""
    believed = {}
    for seat in Seat:
        lying = [laid for laid in state.auction.laid if laid.seat is seat and laid.lies]
        believed[seat] = ev.Column(seat=seat, count=len(lying), top=lying[-1].call if lying else None)
        if lying:
            yield _letter(ev.CallWithdrawn, seat=seat, call=lying[-1].call)
    at = state.tray.at
    if at is None:
        return
    yield Letter(
        "TraySeen as believed",
        lambda when: ev.TraySeen(at=when, side=at, columns=tuple(believed.values())),
    )
    for seat, column in believed.items():
        if column.count:
            short = dict(believed) | {seat: ev.Column(seat=seat, count=column.count - 1, top=None)}
            other = dict(believed) | {seat: ev.Column(seat=seat, count=column.count, top=bid("7NT"))}
            for name, shown in (("short", short), ("other", other)):
                columns = tuple(shown.values())
                yield Letter(f"TraySeen {name} {seat}", _seen(at, columns))


def _seen(side: ScreenSide, columns: tuple[ev.Column, ...]) -> Callable[[int], ev.Event]:
    return lambda at: ev.TraySeen(at=at, side=side, columns=columns)


def _of_entries(state: TableState) -> Iterator[Letter]:
    waiting = [entry.id for entry in state.book.entries if entry.standing is Standing.OPEN][-2:]
    for entry in waiting:
        for verdict in (ev.Verdict.ACCEPT, ev.Verdict.CANCEL):
            yield _order(ev.Ruled, entries=(entry,), verdict=verdict)
        yield _order(ev.EntryClosed, entry=entry)
        yield _order(ev.SummonsClassified, entry=entry, subject=ev.Subject.TEMPO, about=Seat.E)
    for index in range(max(len(state.auction.laid) - 2, 0), len(state.auction.laid)):
        yield _corrected(ev.CorrectedCall(index=index, call=PASS))
        yield _corrected(ev.CorrectedCall(index=index, call=None))


def _of_board(state: TableState) -> Iterator[Letter]:
    current = state.board.current
    number = 1 if current is None or current.number is None else current.number
    for placed in (number, number + 1, None):
        yield _letter(ev.BoardPlaced, number=placed)
    yield _letter(ev.BoardRemoved)
