"""What each deed of a scenario is at the table: hands move, time passes, the director gives an order.

Scripts of asks, as the simulator's players have them, so that virtual and real time run the same. Must never
look at what the table believes: people wait for what they see.
"""

from __future__ import annotations

from typing import assert_never

from firmware_bridge.readings import Direction
from hw_sim.misdeeds.hardware import NotHere, UnknownHardwareMisdeed
from hw_sim.players.asks import Pause, Script, Until
from hw_sim.players.hands import Impossible
from hw_sim.refusals import Said, Why
from hw_sim.scenario import deeds as d
from hw_sim.scenario.deeds import Deed, WindowSeen
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.room import Room
from hw_sim.table.changes import MS, SECOND
from hw_sim.table.tags import BoardTag
from table_controller.laws.auction import Auction
from table_controller.laws.board import dealer_of
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat

TOGETHER = 10 * MS
PATIENCE = 15 * SECOND
"""How long people wait to see what must come of itself, beyond the time the scenario's window takes."""
DIVIDED_FROM = SECOND
"""Waits of so long or more are divided."""
NOT_SEEN = {
    WindowSeen.CLOSED: Said("the window did not close", Why.WINDOW_DID_NOT_CLOSE),
    WindowSeen.OPEN: Said("the window did not open", Why.WINDOW_DID_NOT_OPEN),
    WindowSeen.LEAVES_CLOSED: Said("the window did not begin to open", Why.WINDOW_DID_NOT_BEGIN_TO_OPEN),
    WindowSeen.LEAVES_OPEN: Said("the window did not begin to close", Why.WINDOW_DID_NOT_BEGIN_TO_CLOSE),
}


class Players:
    """Plays the deeds of one scenario at one table; keeps what lies on it, as players see it."""

    def __init__(self, room: Room, board: BoardTag, window_takes: int = 0) -> None:
        self._room = room
        self._window_takes = window_takes
        self._hands = room.hands
        self._board = board
        self._auction = Auction(dealer_on(board))

    def do(self, deed: Deed) -> Script:
        """One deed, and the moment after it. Raises CannotBePlayed, Complaint."""
        try:
            yield from self._do(deed)
        except Impossible as problem:
            raise CannotBePlayed.since(problem) from None
        yield _least(self._room.between)
        if isinstance(deed, d.LiftCall):
            yield _least(
                self._room.between
            )  # a card lifted is told from a tray that leaves only when it stays off

    def _do(self, deed: Deed) -> Script:
        match deed:
            case d.Wait(ns=ns):
                yield from self._wait(ns)
            case d.PushTray(to=to, by=by):
                yield from self._push(to, by)
            case d.SendTray(by=by):
                self._hands.push_tray(by)
            case d.AwaitTray(to=to):
                yield self._until_tray(to)
            case d.LeaveTrayBetween(by=by):
                yield from self._leave_between(by)
            case d.BringTray(to=to):
                self._hands.move_tray_on(to)
                yield self._until_tray(to)
            case d.AwaitWindow(seen=seen):
                yield self._until_window(seen)
            case d.MoveWindow(seat=seat, opens=opens):
                yield from self._move_window(seat, opens)
            case d.RegularAuction(calls=calls):
                yield from self._regular(calls)
            case d.LayTogether(first=first, second=second):
                self._lay(first.seat, first.call)
                yield Pause(human=0, least=TOGETHER)
                self._lay(second.seat, second.call)
            case d.SensorFails(what=what, seat=seat):
                yield _least(self._room.levers.fail(what, seat))
            case d.SensorRecovers(what=what, seat=seat):
                yield _least(self._room.levers.recover(what, seat))
            case d.Cable(plugged=plugged):
                yield _least(self._room.levers.cable(plugged))
            case d.ResetDevice():
                yield _least(self._room.levers.reset_device())
            case d.ControllerDies():
                yield _least(self._room.levers.die())
            case d.ControllerReturns():
                yield _least(self._room.levers.come_back())
            case _:
                self._at_once(deed)

    def _at_once(self, deed: Deed) -> None:
        """What takes no time of its own."""
        hands, levers = self._hands, self._room.levers
        match deed:
            case d.PlaceBoard(tag=tag, hands=with_hands):
                self._place(tag, hands=with_hands)
            case d.LiftBoard():
                hands.lift_board()
            case d.TakeHand(seat=seat):
                hands.take_hand(seat)
            case d.ReturnHand(seat=seat):
                hands.return_hand(seat)
            case d.TakeHandsOf(side=side):
                for seat in hands.faces.seats_on(side):
                    hands.take_hand(seat)
            case d.SitDown(seat=seat, player=player):
                hands.sit_down(seat, player)
            case d.LayCall(seat=seat, call=call, keep=keep):
                self._lay(seat, call, keep=keep)
            case d.ReleaseCall(seat=seat):
                hands.let_go(seat)
            case d.LiftCall(seat=seat, call=call):
                self._lift(seat, call)
            case d.LoseCard(seat=seat):
                self._lose(seat)
            case d.ClearCards(seat=seat):
                hands.clear_cards(seat)
            case d.ClearFace(side=side):
                for seat in hands.faces.seats_on(side):
                    hands.clear_cards(seat)
            case d.LayStopCard(seat=seat):
                hands.lay_stop_card(seat)
            case d.LiftStopCard(seat=seat):
                hands.lift_stop_card(seat)
            case d.LayAlert(seat=seat):
                hands.lay_alert(seat)
            case d.LiftAlert(seat=seat):
                hands.lift_alert(seat)
            case d.PressAuctionOver(side=side):
                hands.press_auction_over(side)
            case d.WorkHandle(seat=seat):
                hands.work_handle(seat)
            case d.LayLead(seat=seat, faced=faced):
                hands.lay_lead(seat, faced=faced)
            case d.FaceLead(seat=seat):
                hands.face_lead(seat)
            case d.LiftLead(seat=seat):
                hands.lift_lead(seat)
            case d.AnnounceLead(seat=seat):
                hands.press_announced(seat)
            case d.PlayCard(seat=seat, card=card):
                hands.play_card(seat, card)
            case d.TurnTrick():
                hands.turn_trick()
            case d.Claim(seat=seat):
                hands.press_claim(seat)
            case d.CallDirector(seat=seat):
                hands.press_director(seat)
            case d.Obstruct(there=there):
                levers.obstruct(there)
            case d.Jam(stuck=stuck):
                levers.jam(stuck)
            case d.MisdeedBelow(order=order):
                try:
                    levers.misdeed(order)
                except (NotHere, UnknownHardwareMisdeed) as problem:
                    raise CannotBePlayed.since(problem) from None
            case (
                d.Wait()
                | d.PushTray()
                | d.SendTray()
                | d.AwaitTray()
                | d.LeaveTrayBetween()
                | d.BringTray()
                | d.AwaitWindow()
                | d.MoveWindow()
                | d.RegularAuction()
                | d.LayTogether()
                | d.SensorFails()
                | d.SensorRecovers()
                | d.Cable()
                | d.ResetDevice()
                | d.ControllerDies()
                | d.ControllerReturns()
            ):
                raise AssertionError(f"{deed} takes time")
            case (
                d.DirectorHolds()
                | d.DirectorResumes()
                | d.CallIs()
                | d.AuctionIs()
                | d.BoardIs()
                | d.ContractIs()
                | d.LeaderIs()
                | d.PhaseIs()
                | d.DirectorCloses()
                | d.DirectorRules()
                | d.DirectorObliges()
                | d.DirectorClassifies()
                | d.DirectorSendsTrayBack()
                | d.DirectorMovesWindow()
                | d.DirectorOpensSession()
            ):
                self._room.order(deed)
            case _:
                assert_never(deed)

    def _wait(self, ns: int) -> Script:
        long = ns >= DIVIDED_FROM
        yield Pause(human=0, least=round(ns / self._room.divisor) if long else ns)

    # --- board and tray

    def _place(self, tag: BoardTag | None, *, hands: bool) -> None:
        placed = tag or self._board
        self._hands.place_board(placed, hands=hands)
        if not self._auction.calls or not any(self._hands.cards_of(seat) for seat in Seat):
            self._auction = Auction(dealer_on(placed))

    def _push(self, to: ScreenSide, by: Seat | None) -> Script:
        here = self._hands.tray_at
        if here is to:
            raise CannotBePlayed(f"the tray is on {to} already", Why.TRAY_THERE_ALREADY, side=to)
        if here is None:
            raise CannotBePlayed(
                "the tray is between the faces; write `tray arrives at ...`", Why.TRAY_BETWEEN, side=to
            )
        self._hands.push_tray(by or self._room.customs.movers[here])
        yield self._until_tray(to)

    def _leave_between(self, by: Seat | None) -> Script:
        here = self._hands.tray_at
        if here is None:
            raise CannotBePlayed("the tray is between the faces already", Why.TRAY_BETWEEN_ALREADY)
        self._hands.push_tray(by or self._room.customs.movers[here])
        yield Until(
            seen=lambda: self._hands.tray_at is None,
            within=PATIENCE,
            complaint=Said("the tray did not leave", Why.TRAY_DID_NOT_LEAVE),
        )
        self._hands.stop_tray()

    def _until_tray(self, to: ScreenSide) -> Until:
        return Until(
            seen=lambda: self._hands.tray_at is to,
            within=PATIENCE,
            complaint=Said.because(f"the tray did not arrive at {to}", Why.TRAY_DID_NOT_ARRIVE, side=to),
        )

    # --- calls

    def _lay(self, seat: Seat, call: Call, *, keep: bool = False) -> None:
        if keep:
            self._hands.hold_call(seat, call)
        else:
            self._hands.lay_call(seat, call)
        self._auction = self._auction.after(seat, call)

    def _lift(self, seat: Seat, call: Call) -> None:
        cards = self._hands.cards_of(seat)
        if not cards or cards[-1] != str(call):
            raise _cannot_take_back(seat, call, cards[-1] if cards else None)
        self._hands.lift_call(seat)
        calls = self._auction.calls
        for index in range(len(calls) - 1, -1, -1):
            if (calls[index].seat, calls[index].call) == (seat, call):
                self._auction = self._auction.without(index)
                return

    def _lose(self, seat: Seat) -> None:
        if self._hands.tray_at is not None:
            raise CannotBePlayed("the tray is docked; a card falls off only on the way", Why.TRAY_DOCKED_CARD)
        if not self._hands.cards_of(seat):
            raise CannotBePlayed(f"no card of {seat} lies on the tray", Why.NO_CARD_ON_TRAY, seat=seat)
        self._hands.lose_card(seat)

    def _regular(self, calls: tuple[Call, ...]) -> Script:
        for call in calls:
            seat = self._auction.turn
            if seat is None:
                raise CannotBePlayed(
                    f"nobody is to call, so {call} is nobody's; the auction is over",
                    Why.NOBODY_TO_CALL,
                    call=call,
                )
            side = self._hands.faces.side_of(seat)
            if self._hands.tray_at is not side:
                yield from self._push(side, None)
                yield _least(self._room.between)
            self._lay(seat, call)
            yield _least(self._room.between)
        here = self._hands.tray_at
        if self._auction.is_over and here is not None:
            yield from self._push(here.other, None)

    # --- the window

    def _until_window(self, seen: WindowSeen) -> Until:
        hands = self._hands
        looks = {
            WindowSeen.CLOSED: lambda: hands.window_closed,
            WindowSeen.OPEN: lambda: hands.window_open,
            WindowSeen.LEAVES_CLOSED: lambda: not hands.window_closed,
            WindowSeen.LEAVES_OPEN: lambda: not hands.window_open,
        }
        within = PATIENCE + round(self._window_takes / self._room.divisor)
        return Until(seen=looks[seen], within=within, complaint=NOT_SEEN[seen])

    def _move_window(self, seat: Seat | None, opens: bool) -> Script:
        hands = self._hands
        if seat is None:
            hands.push_pane(opens=opens)
        else:
            hands.move_window(seat, Direction.OPEN if opens else Direction.CLOSE)
        yield _least(self._room.window_by_hand)


def dealer_on(tag: BoardTag) -> Seat | None:
    """The dealer printed on the board, or as its number says."""
    if tag.dealer is not None:
        return tag.dealer
    return None if tag.number is None else dealer_of(tag.number)


def _cannot_take_back(seat: Seat, call: Call, top: str | None) -> CannotBePlayed:
    text = f"{seat} cannot take {call} back: {top or 'no card'} lies on top of his column"
    if top is None:
        return CannotBePlayed(text, Why.NO_CARD_TO_TAKE_BACK, seat=seat, call=call)
    return CannotBePlayed(text, Why.ANOTHER_CARD_ON_TOP, seat=seat, call=call, top=top)


def _least(ns: int) -> Pause:
    return Pause(human=0, least=ns)
