"""The alphabet for deep searches: one letter for each thing that can go on from here, right or wrong.

Where the full alphabet tries every seat and every call, this one asks the state who is due, what lies and
what is open, and tries the proper deed, an improper one of each family, and each of the director's orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from table_controller.laws.call import ALL_BIDS, DOUBLE, PASS, Bid, Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import events as ev
from table_controller.screen.beliefs import column, leader, right_lead, standing
from table_controller.screen.entry import FaultKind, Standing
from table_controller.screen.facts import TableState
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from tests.screen.alphabet import Letter, letter, order
from tests.screen.driving import bid


def coarse(state: TableState, rules: Rules) -> Iterator[Letter]:
    yield from _tray_and_board(state)
    if not state.phase.before_auction or state.board.current is not None:
        yield from _calls(state, rules)
        yield from _leads(state, rules)
    yield from _window(state)
    yield from _hardware(state)
    yield from _orders(state)


def _calls(state: TableState, rules: Rules) -> Iterator[Letter]:
    here = state.tray.at or ScreenSide.NE
    turn = standing(state.auction).turn or rules.seats_on(here)[0]
    for call in (PASS, _next_bid(state), _lower(state)):
        yield letter(ev.CallMade, seat=turn, call=call)
    other = next(seat for seat in rules.seats_on(here) if seat is not turn)
    yield letter(ev.CallMade, seat=other, call=PASS)
    yield letter(ev.CallMade, after=20_000_000, seat=other, call=PASS)
    for seat in rules.seats_on(here):
        lying = next(reversed(column(state.auction, seat)), None)
        if lying is not None:
            yield letter(ev.CallWithdrawn, seat=seat, call=lying.call)
    for laid in state.auction.laid:
        if laid.lifted is not None or laid.gone is not None:
            yield letter(ev.CallMade, seat=laid.seat, call=laid.call)


def _next_bid(state: TableState) -> Call:
    last = state.auction.calls.last_bid
    if last is None or not isinstance(last.call, Bid):
        return bid("1C")
    higher = [one for one in ALL_BIDS if one > last.call]
    return min(higher) if higher else PASS


def _lower(state: TableState) -> Call:
    """A call that cannot be legal now: a bid too low, or a double of nothing."""
    return DOUBLE if state.auction.calls.last_bid is None else bid("1C")


def _leads(state: TableState, rules: Rules) -> Iterator[Letter]:
    if state.phase.before_auction:
        return
    right = leader(state) or Seat.W
    for seat in (right, right.partner):
        lying = any(lead.seat is seat for lead in state.lead.lying)
        if not lying:
            yield letter(ev.LeadMade, seat=seat, faced=False)
            yield letter(ev.LeadMade, seat=seat, faced=True)
        else:
            yield letter(ev.LeadFaced, seat=seat)
            yield letter(ev.LeadWithdrawn, seat=seat)
    if right_lead(state, rules) is not None:
        yield letter(ev.LeadAnnounced, seat=rules.faces.screenmate(right))
        yield letter(ev.DummySpread)
    if state.phase in (Phase.CLARIFICATION, Phase.PLAY):
        yield letter(ev.ClaimMade, seat=Seat.N)


def _tray_and_board(state: TableState) -> Iterator[Letter]:
    at = state.tray.at
    if at is None:
        for side in ScreenSide:
            yield letter(ev.TrayArrived, side=side)
    else:
        yield letter(ev.TrayLeft, side=at)
        yield letter(ev.CardsCleared, side=at)
        yield letter(ev.TraySeen, side=at, columns=_columns(state, short=None))
        latest = state.auction.laid[-1].seat if state.auction.laid else None
        if latest is not None:
            yield letter(ev.TraySeen, side=at, columns=_columns(state, short=latest))
    current = state.board.current
    if state.board.present is not False and current is not None:
        yield letter(ev.BoardRemoved)
    number = 1 if current is None or current.number is None else current.number
    for placed in (number, number + 1):
        yield letter(ev.BoardPlaced, number=placed)


def _columns(state: TableState, short: Seat | None) -> tuple[ev.Column, ...]:
    found = []
    for seat in Seat:
        lying = [laid for laid in state.auction.laid if laid.seat is seat and laid.lies]
        shown = lying[:-1] if seat is short else lying
        found.append(ev.Column(seat=seat, count=len(shown), top=shown[-1].call if shown else None))
    return tuple(found)


def _window(state: TableState) -> Iterator[Letter]:
    for shown in (ev.WindowState.CLOSED, ev.WindowState.BETWEEN, ev.WindowState.OPEN):
        if shown is not state.window.state:
            yield letter(ev.WindowMoved, state=shown, order=state.given.window)
            if state.given.window is not None:
                yield letter(ev.WindowMoved, state=shown, order=None)


def _hardware(state: TableState) -> Iterator[Letter]:
    seconds = 200_000_000_000
    yield letter(ev.TimePassed, after=seconds)
    conflict: dict[str, Any] = {"sense": "tray", "kind": FaultKind.SENSOR_CONFLICT, "component": "tray"}
    yield letter(ev.SensorCleared if state.doubts else ev.SensorDoubted, **conflict)
    obstructed: dict[str, Any] = {"kind": FaultKind.WINDOW_OBSTRUCTED, "component": "window.motor"}
    yield letter(ev.FaultGone if state.faults else ev.FaultSeen, **obstructed)
    yield letter(ev.SensorsRead if state.unread else ev.Restarted)


def _orders(state: TableState) -> Iterator[Letter]:
    yield order(ev.Resumed, reasons=()) if state.holds else order(ev.Held)
    yield order(ev.TrayBackOrdered)
    to = ev.WindowOrder.CLOSE if state.window.override is ev.WindowOrder.OPEN else ev.WindowOrder.OPEN
    yield order(ev.WindowOverridden, to=to)
    waiting = [entry.id for entry in state.book.entries if entry.standing is Standing.OPEN][-1:]
    for entry in waiting:
        for verdict in (ev.Verdict.ACCEPT, ev.Verdict.CANCEL):
            yield order(ev.Ruled, entries=(entry,), verdict=verdict)
    if state.auction.laid:
        last = len(state.auction.laid) - 1
        yield order(ev.Corrected, what=ev.CorrectedCall(index=last, call=None))
    one = bid("1NT")
    calls = ((Seat.N, one), (Seat.E, PASS), (Seat.S, PASS), (Seat.W, PASS))
    yield order(ev.Corrected, what=ev.CorrectedAuction(calls=calls))
    yield order(ev.Corrected, what=ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
    yield order(ev.Corrected, what=ev.CorrectedLeader(seat=Seat.E))
    for phase in ("auction.ne", "lead.awaiting", "play"):
        yield order(ev.Corrected, what=ev.CorrectedPhase(phase=phase))
