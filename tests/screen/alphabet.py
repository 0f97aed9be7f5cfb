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


def letter(kind: type[ev.Event], /, after: int = S, **values: Any) -> Letter:
    shown = " ".join(f"{value}" for value in values.values())

    def event(at: int) -> ev.Event:
        return kind(at=at, **values)

    return Letter(f"{kind.__name__} {shown}".strip(), event, after)


def order(kind: type[ev.Event], **values: Any) -> Letter:
    return letter(kind, by="TD", command="c", **values)


def _corrected(what: ev.Correction) -> Letter:
    return order(ev.Corrected, what=what)


def _constant() -> Iterator[Letter]:
    for seat in Seat:
        for call in CALLS:
            yield letter(ev.CallMade, seat=seat, call=call)
        for faced in (False, True):
            yield letter(ev.LeadMade, seat=seat, faced=faced)
        yield letter(ev.LeadFaced, seat=seat)
        yield letter(ev.LeadWithdrawn, seat=seat)
    for side in ScreenSide:
        yield letter(ev.TrayLeft, side=side)
        yield letter(ev.TrayArrived, side=side)
        yield letter(ev.CardsCleared, side=side)
    for window in ev.WindowState:
        for order in (None, ev.WindowOrder.OPEN, ev.WindowOrder.CLOSE):
            yield letter(ev.WindowMoved, state=window, order=order)
    for seat in (Seat.W, Seat.N):
        yield letter(ev.WindowHandled, seat=seat, held=True)
        yield letter(ev.TrayHandled, seat=seat, held=True)
        yield letter(ev.LeadAnnounced, seat=seat)
        yield letter(ev.DirectorSummoned, seat=seat)
        yield letter(ev.AlertPlaced, seat=seat)
        yield letter(ev.AlertRemoved, seat=seat)
    yield letter(ev.CallMade, after=20_000_000, seat=Seat.E, call=PASS)
    yield letter(ev.CardPlayed, seat=Seat.E, card=parse_card("SA"))
    yield letter(ev.CardPlayed, seat=Seat.S, card=parse_card("S2"))
    yield letter(ev.DummySpread)
    yield letter(ev.ClaimMade, seat=Seat.N)
    yield letter(ev.AuctionOverPressed, side=NE)
    yield letter(ev.HandsTaken, seat=Seat.N)
    yield letter(ev.SeatTaken, seat=Seat.N, player="other")
    yield letter(ev.StopCardSeen, seat=Seat.N)
    yield from _hardware()
    yield from _orders()


def _hardware() -> Iterator[Letter]:
    yield letter(ev.TimePassed, after=200 * S)
    yield letter(ev.SensorDoubted, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray", detail="")
    yield letter(
        ev.SensorDoubted, sense="lead", kind=FaultKind.SENSOR_SUSPECT, component="lead.e.present", detail=""
    )
    yield letter(ev.SensorCleared, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray")
    yield letter(ev.FaultSeen, kind=FaultKind.WINDOW_OBSTRUCTED, component="window.motor")
    yield letter(ev.FaultGone, kind=FaultKind.WINDOW_OBSTRUCTED, component="window.motor")
    yield letter(ev.DeviceReset, cause="watchdog")
    yield letter(ev.EventsLost, count=3)
    yield letter(ev.LinkLost, why="")
    yield letter(ev.LinkRestored)
    yield letter(ev.Restarted)
    yield letter(ev.SensorsRead)


def _orders() -> Iterator[Letter]:
    yield order(ev.Held)
    yield order(ev.Resumed, reasons=())
    yield order(ev.Resumed, reasons=("director",))
    yield order(ev.TrayBackOrdered)
    for to in ev.WindowOrder:
        yield order(ev.WindowOverridden, to=to)
    yield order(ev.SeatObliged, seat=Seat.N, turns=None)
    yield order(ev.SessionOpened, session="s", boards=(ev.BoardDue(number=9),), players=((Seat.N, "one"),))
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
            yield letter(ev.CallWithdrawn, seat=seat, call=lying[-1].call)
    for one in state.auction.pending:
        yield letter(ev.CallReleased, seat=one.seat)
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
            yield order(ev.Ruled, entries=(entry,), verdict=verdict)
        yield order(ev.EntryClosed, entry=entry)
        yield order(ev.SummonsClassified, entry=entry, subject=ev.Subject.TEMPO, about=Seat.E)
    for index in range(max(len(state.auction.laid) - 2, 0), len(state.auction.laid)):
        yield _corrected(ev.CorrectedCall(index=index, call=PASS))
        yield _corrected(ev.CorrectedCall(index=index, call=None))


def _of_board(state: TableState) -> Iterator[Letter]:
    current = state.board.current
    number = 1 if current is None or current.number is None else current.number
    for placed in (number, number + 1, None):
        yield letter(ev.BoardPlaced, number=placed)
    yield letter(ev.BoardRemoved)
