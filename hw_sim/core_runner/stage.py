"""A table without metal: what hands do becomes an event at once, what the core orders happens in its time.

The order and the meaning of events are those of the sensing: a column cleared is its cards withdrawn, then
`CardsCleared`; a tray that arrives is `TrayArrived`, then `TraySeen`. Must never tell the core what its
senses would not.
"""

from __future__ import annotations

from collections import Counter

from firmware_bridge.readings import Direction
from hw_sim.players.hands import Impossible, out_of_reach
from hw_sim.refusals import Why
from hw_sim.table.agenda import Agenda
from hw_sim.table.changes import MS, Travel
from hw_sim.table.tags import BoardTag
from table_controller.clock.table import TimedTable
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.regulations.model import Regulations
from table_controller.screen import events as ev
from table_controller.screen.effects import (
    Amend,
    ClearDeadline,
    CloseWindow,
    Effect,
    HoldTray,
    LightSummons,
    OpenWindow,
    RecordBoard,
    RecordPace,
    RecordTime,
    RecordVisit,
    ReleaseTray,
    Report,
    SetDeadline,
    ShowState,
    StopWindow,
    TableView,
)
from table_controller.screen.entry import Entry, Visit
from table_controller.screen.events import Event, WindowOrder, WindowState
from table_controller.screen.senses import Sense

_START = 1_000 * MS


class CoreStage:
    """`entries` by id, `boards`, `times` and `visits` as they were recorded, `pace` and `view` the last ones
    shown; `events` counts them.
    """

    def __init__(
        self, *, regulations: Regulations, senses: frozenset[Sense], travel: Travel | None = None
    ) -> None:
        self.now = _START
        self.faces: Faces = regulations.seats.screen_sides.value
        self.travel = travel or Travel.quickest()
        self.table = TimedTable(regulations=regulations, senses=senses)
        self.entries: dict[int, Entry] = {}
        self.boards: list[RecordBoard] = []
        self.times: list[RecordTime] = []
        self.pace: RecordPace | None = None
        self.visits: list[Visit] = []
        self.view: TableView | None = None
        self.events = 0
        self._senses = senses
        self._agenda = Agenda()
        self._deadlines: dict[str, int] = {}
        self._tray: ScreenSide | None = ScreenSide.NE
        self._push = 0
        self._heading = ScreenSide.NE
        self._columns: dict[Seat, list[Call]] = {seat: [] for seat in Seat}
        self._clearing: dict[ScreenSide, tuple[int, frozenset[Seat]]] = {}
        self._leads: dict[Seat, bool] = {}
        self._slots: set[Seat] = set()
        self._window = WindowState.OPEN
        self._turn = 0
        self._order: WindowOrder | None = None
        self._hand_until = 0
        self._lamps: dict[str, bool] = {}
        self._lit: Counter[str] = Counter()
        self._start()

    def _start(self) -> None:
        self.tell(ev.TrayArrived(at=self.now, inferred=True, side=ScreenSide.NE), Sense.TRAY)
        self._tell_seen(ScreenSide.NE)
        self.tell(ev.WindowMoved(at=self.now, inferred=True, state=WindowState.OPEN), Sense.WINDOW)

    # --- events in, effects out

    def tell(self, event: Event, *senses: Sense) -> None:
        """Hand the event to the core, if the table has all these senses."""
        if not self._senses.issuperset(senses):
            return
        self.events += 1
        for effect in self.table.handle(event, self.events):
            self._obey(effect)

    def _obey(self, effect: Effect) -> None:
        match effect:
            case OpenWindow():
                self._drive(WindowOrder.OPEN)
            case CloseWindow():
                self._drive(WindowOrder.CLOSE)
            case StopWindow():
                self._drive(None)
            case HoldTray(side=side) | ReleaseTray(side=side):
                self._lamps[f"hold.{side.lower()}"] = isinstance(effect, HoldTray)
            case LightSummons(seat=seat, on=on):
                lamp = f"summons.{seat.lower()}"
                self._lit[lamp] += on and not self.lamp(lamp)
                self._lamps[lamp] = on
            case Report(entry=entry) | Amend(entry=entry):
                self.entries[entry.id] = entry
            case RecordBoard():
                self.boards.append(effect)
            case RecordTime():
                self.times.append(effect)
            case RecordPace():
                self.pace = effect
            case RecordVisit(visit=visit):
                self._keep_visit(visit)
            case SetDeadline(name=name, at=at):
                self._deadlines[name] = at
            case ClearDeadline(name=name):
                self._deadlines.pop(name, None)
            case ShowState(view=view):
                self.view = view
            case _:
                pass

    def _keep_visit(self, visit: Visit) -> None:
        """The same board and ordinal again is the same visit, better known."""
        if self.visits and (self.visits[-1].board, self.visits[-1].ordinal) == (visit.board, visit.ordinal):
            self.visits.pop()
        self.visits.append(visit)

    # --- time

    def advance(self, to: int) -> None:
        """Let time pass up to `to`, ns."""
        while (due := self.due()) is not None and due <= to:
            self.now = max(self.now, due)
            passed = [name for name, at in self._deadlines.items() if at <= self.now]
            for name in passed:
                del self._deadlines[name]
            if passed:
                self.tell(ev.TimePassed(at=self.now))
            while (taken := self._agenda.take(self.now)) is not None:
                taken[1]()
        self.now = max(to, self.now)

    def due(self) -> int | None:
        dues = [*self._deadlines.values()]
        if (due := self._agenda.due()) is not None:
            dues.append(due)
        return min(dues, default=None)

    # --- the window

    @property
    def window_closed(self) -> bool:
        return self._window is WindowState.CLOSED

    @property
    def window_open(self) -> bool:
        return self._window is WindowState.OPEN

    def _drive(self, order: WindowOrder | None) -> None:
        """The motor, or on a table worked by hand the lamps."""
        self._lamps["window.lamp"] = order is WindowOrder.OPEN
        self._lamps["window.lamp.close"] = order is WindowOrder.CLOSE
        if Sense.WINDOW_MOTOR not in self._senses and Sense.WINDOW_LATCH not in self._senses:
            return
        self._order = order
        if self.now >= self._hand_until:
            self._motor()

    def _motor(self) -> None:
        self._turn += 1
        match self._order:
            case WindowOrder.OPEN:
                self._travel_to(WindowState.OPEN, self.travel.window)
            case WindowOrder.CLOSE:
                self._travel_to(WindowState.CLOSED, self.travel.window)
            case None:
                pass

    def _travel_to(self, end: WindowState, whole: int) -> None:
        turn = self._turn
        if self._window is end:
            self._order = None
            return
        self._agenda.at(self.now + max(whole // 25, 1), lambda: self._show(WindowState.BETWEEN, turn))
        self._agenda.at(self.now + whole, lambda: self._show(end, turn))

    def _show(self, state: WindowState, turn: int) -> None:
        if turn != self._turn or state is self._window:
            return
        self._window = state
        order = self._order
        if state is not WindowState.BETWEEN and self.now > self._hand_until:
            self._order = None
        self.tell(ev.WindowMoved(at=self.now, state=state, order=order), Sense.WINDOW)

    def move_window(self, seat: Seat, to: Direction) -> None:
        self.tell(ev.WindowHandled(at=self.now, seat=seat, held=True), Sense.WINDOW_HANDLE)
        self._turn += 1
        self._hand_until = self.now + self.travel.window_by_hand
        end = WindowState.OPEN if to is Direction.OPEN else WindowState.CLOSED
        self._travel_to(end, self.travel.window_by_hand)
        self._agenda.at(self._hand_until, lambda: self._let_go(seat))

    def _let_go(self, seat: Seat) -> None:
        self.tell(ev.WindowHandled(at=self.now, seat=seat, held=False), Sense.WINDOW_HANDLE)
        if self._order is not None:
            self._motor()

    def work_handle(self, seat: Seat) -> None:
        self.tell(ev.WindowHandled(at=self.now, seat=seat, held=True), Sense.WINDOW_HANDLE)
        self.tell(ev.WindowHandled(at=self.now, seat=seat, held=False), Sense.WINDOW_HANDLE)

    def lamp(self, output: str) -> bool:
        return self._lamps.get(output, False)

    def times_lit(self, output: str) -> int:
        return self._lit[output]

    # --- tray and board

    @property
    def tray_at(self) -> ScreenSide | None:
        return self._tray

    def push_tray(self, seat: Seat) -> None:
        side = self.faces.side_of(seat)
        if self._tray is not side:
            raise Impossible(
                f"{seat} cannot push the tray, which is not on face {side}",
                Why.SEAT_AWAY_FROM_TRAY,
                seat=seat,
                side=side,
            )
        self._push += 1
        self._heading = side.other
        self.tell(ev.TrayHandled(at=self.now, seat=seat, held=True), Sense.MOVER)
        self._agenda.at(self.now + self.travel.tray_clears, lambda: self._tray_clears(seat, side))

    def _tray_clears(self, seat: Seat, side: ScreenSide) -> None:
        self._tray = None
        push = self._push
        self.tell(ev.TrayLeft(at=self.now, side=side), Sense.TRAY)
        self.tell(ev.TrayHandled(at=self.now, seat=seat, held=False), Sense.MOVER)
        rest = max(self.travel.tray - self.travel.tray_clears, 1)
        self._agenda.at(self.now + rest, lambda: self._tray_arrives(side.other, push))

    def _tray_arrives(self, side: ScreenSide, push: int) -> None:
        if push != self._push:
            return
        self._tray = side
        self.tell(ev.TrayArrived(at=self.now, side=side), Sense.TRAY)
        self._tell_seen(side)

    def _tell_seen(self, side: ScreenSide) -> None:
        columns = tuple(
            ev.Column(seat=seat, count=len(cards), top=cards[-1] if cards else None)
            for seat, cards in self._columns.items()
        )
        self.tell(ev.TraySeen(at=self.now, side=side, columns=columns), Sense.TRAY, Sense.CALLS)

    def stop_tray(self) -> None:
        if self._tray is not None:
            raise Impossible("the tray is docked; it can be stopped only on its way", Why.TRAY_DOCKED_STOP)
        self._push += 1

    def move_tray_on(self, to: ScreenSide | None = None) -> None:
        if self._tray is not None:
            raise Impossible("the tray is docked; push it", Why.TRAY_DOCKED_BRING)
        self._push += 1
        push, side = self._push, to or self._heading
        self._agenda.at(self.now + self.travel.tray // 2, lambda: self._tray_arrives(side, push))

    def place_board(self, tag: BoardTag, *, hands: bool = True) -> None:
        placed = ev.BoardPlaced(at=self.now)
        if Sense.BOARD_ID in self._senses:
            placed = ev.BoardPlaced(
                at=self.now, number=tag.number, dealer=tag.dealer, vulnerability=tag.vulnerability
            )
        self._slots = set(Seat) if hands else set()
        self.tell(placed, Sense.BOARD)

    def lift_board(self) -> None:
        self.tell(ev.BoardRemoved(at=self.now), Sense.BOARD)

    def take_hand(self, seat: Seat) -> None:
        if seat in self._slots:
            self._slots.discard(seat)
            self.tell(ev.HandsTaken(at=self.now, seat=seat), Sense.HANDS)

    def return_hand(self, seat: Seat) -> None:
        """A hand that goes back into its slot is no event."""

    # --- cards

    def cards_of(self, seat: Seat) -> tuple[str, ...]:
        return tuple(str(call) for call in self._columns[seat])

    def reaches_tray(self, seat: Seat) -> bool:
        return self._tray is not None and (self._tray is self.faces.side_of(seat) or self.window_open)

    def _reach(self, seat: Seat) -> None:
        if not self.reaches_tray(seat):
            raise out_of_reach(seat, self._tray)

    def lay_call(self, seat: Seat, call: Call) -> None:
        self._reach(seat)
        self._columns[seat].append(call)
        self._clearing.pop(self.faces.side_of(seat), None)
        self.tell(ev.CallMade(at=self.now, seat=seat, call=call), Sense.CALLS)
        self.tell(ev.CallReleased(at=self.now, seat=seat), Sense.RELEASED)

    def lay_stop_card(self, seat: Seat) -> None:
        self._reach(seat)
        self.tell(ev.StopCardSeen(at=self.now, seat=seat), Sense.CALLS)

    def lift_stop_card(self, seat: Seat) -> None:
        self._reach(seat)

    def lift_call(self, seat: Seat) -> None:
        self._reach(seat)
        if not (column := self._columns[seat]):
            raise Impossible(f"{seat} has no card on the tray to take off", Why.NO_CARD_ON_TRAY, seat=seat)
        self.tell(ev.CallWithdrawn(at=self.now, seat=seat, call=column.pop()), Sense.CALLS)
        self._emptied(seat)

    def _emptied(self, seat: Seat) -> None:
        """Both columns of a face emptied within the limit: that is how the readers know of clearing."""
        side = self.faces.side_of(seat)
        since, seats = self._clearing.get(side, (self.now, frozenset[Seat]()))
        late = self.now - since > self.table.rules.clearing
        self._clearing[side] = (self.now, frozenset({seat})) if late else (since, seats | {seat})
        if self._clearing[side][1].issuperset(self.faces.seats_on(side)) and self._is_empty(side):
            self.tell(ev.CardsCleared(at=self.now, side=side), Sense.CALLS)

    def _is_empty(self, side: ScreenSide) -> bool:
        return not any(self._columns[seat] for seat in self.faces.seats_on(side))

    def clear_cards(self, seat: Seat) -> None:
        self._reach(seat)
        had, side = bool(self._columns[seat]), self.faces.side_of(seat)
        while self._columns[seat]:
            self.lift_call(seat)
        if had and self._is_empty(side) and Sense.CALLS not in self._senses:
            self.tell(ev.CardsCleared(at=self.now, side=side), Sense.CLEARED)

    def lay_alert(self, seat: Seat) -> None:
        self._reach(seat)
        self.tell(ev.AlertPlaced(at=self.now, seat=seat), Sense.ALERTS)

    def lift_alert(self, seat: Seat) -> None:
        self._reach(seat)
        self.tell(ev.AlertRemoved(at=self.now, seat=seat), Sense.ALERTS)

    def lay_lead(self, seat: Seat, *, faced: bool = False) -> None:
        self._leads[seat] = faced
        told = faced if Sense.LEAD_FACE in self._senses else None
        self.tell(ev.LeadMade(at=self.now, seat=seat, faced=told), Sense.LEAD)

    def face_lead(self, seat: Seat) -> None:
        if seat not in self._leads:
            raise Impossible(f"{seat} has no card on his lead spot to face", Why.NO_LEAD_TO_FACE, seat=seat)
        self._leads[seat] = True
        self.tell(ev.LeadFaced(at=self.now, seat=seat), Sense.LEAD, Sense.LEAD_FACE)

    def lift_lead(self, seat: Seat) -> None:
        if self._leads.pop(seat, None) is not None:
            self.tell(ev.LeadWithdrawn(at=self.now, seat=seat), Sense.LEAD)

    def play_card(self, seat: Seat, card: Card) -> None:
        self.tell(ev.CardPlayed(at=self.now, seat=seat, card=card), Sense.CARDS)

    def turn_trick(self) -> None:
        """Turned cards are no event."""

    # --- buttons

    def press_director(self, seat: Seat) -> None:
        self.tell(ev.DirectorSummoned(at=self.now, seat=seat), Sense.SUMMONS)

    def press_announced(self, seat: Seat) -> None:
        self.tell(ev.LeadAnnounced(at=self.now, seat=seat), Sense.ANNOUNCED)

    def press_claim(self, seat: Seat) -> None:
        self.tell(ev.ClaimMade(at=self.now, seat=seat), Sense.CLAIM)

    def press_auction_over(self, side: ScreenSide) -> None:
        self.tell(ev.AuctionOverPressed(at=self.now, side=side), Sense.AUCTION_OVER)
