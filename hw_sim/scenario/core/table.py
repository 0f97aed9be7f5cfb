"""The core's table as a scenario needs it: the simulator's core stage, with a director and faults.

What hands do while the sensors are doubted, the cable is out or the controller is down is found afterwards,
as the sensing would find it: as differences, marked inferred. Must never tell the core what its senses would
not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from firmware_bridge.readings import Direction
from hw_sim.core_runner.stage import CoreStage
from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.refusals import Why
from hw_sim.scenario.core.orders import events_of
from hw_sim.scenario.deeds import DirectorDeed, Doubtful
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.seen import Seen
from hw_sim.table.changes import MS, SECOND, Travel
from hw_sim.table.tags import BoardTag
from table_controller.clock.table import TimedTable
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.model import Regulations
from table_controller.screen import events as ev
from table_controller.screen.effects import Effect
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Event, WindowOrder, WindowState
from table_controller.screen.senses import Sense

CONFLICT_NOTICED = SECOND
CHATTER_NOTICED = 5 * SECOND
JAM_NOTICED = 8 * SECOND
_OF_TRAY = (
    ev.TrayLeft,
    ev.TrayArrived,
    ev.TraySeen,
    ev.CallMade,
    ev.CallWithdrawn,
    ev.StopCardSeen,
    ev.CardsCleared,
)
_TARGET = {WindowOrder.OPEN: WindowState.OPEN, WindowOrder.CLOSE: WindowState.CLOSED}
_OF_LEAD = (ev.LeadMade, ev.LeadFaced, ev.LeadWithdrawn)


@dataclass(slots=True)
class Told:
    """What the core was last told of what lies where: what a fresh reading is compared with."""

    tray: ScreenSide | None = None
    window: WindowState = WindowState.UNKNOWN
    columns: dict[Seat, tuple[Call, ...]] = field(default_factory=lambda: dict.fromkeys(Seat, ()))
    leads: dict[Seat, bool] = field(default_factory=dict)
    board: BoardTag | None = None


class CoreTable(CoreStage):
    """`seen` gets every effect. `history` is every event told, for a controller that comes back."""

    def __init__(
        self,
        *,
        regulations: Regulations,
        senses: frozenset[Sense],
        travel: Travel,
        tray_on: ScreenSide,
        seen: Seen,
    ) -> None:
        self.seen = seen
        self.history: list[Event] = []
        self._regulations = regulations
        self._begins_on = tray_on
        self._told = Told()
        self._board: BoardTag | None = None
        self._deaf = False
        self._down = False
        self._down_since: int | None = None
        self._doubtful: set[tuple[Doubtful, Seat | None]] = set()
        self._blocked = False
        self._stuck = False
        super().__init__(regulations=regulations, senses=senses, travel=travel)

    def _start(self) -> None:
        self._tray = self._heading = self._begins_on
        self.tell(ev.TrayArrived(at=self.now, inferred=True, side=self._begins_on), Sense.TRAY)
        self._tell_seen(self._begins_on)
        self.tell(ev.WindowMoved(at=self.now, inferred=True, state=WindowState.OPEN), Sense.WINDOW)

    # --- events in, effects out

    def tell(self, event: Event, *senses: Sense) -> None:
        if self._deaf or self._down or self._is_doubtful(event):
            return
        if self._senses.issuperset(senses):
            self.history.append(event)
            self._note(event)
        super().tell(event, *senses)

    def _is_doubtful(self, event: Event) -> bool:
        if not self._doubtful:
            return False
        if isinstance(event, _OF_TRAY):
            return (Doubtful.TRAY, None) in self._doubtful
        if isinstance(event, ev.WindowMoved):
            return (Doubtful.WINDOW, None) in self._doubtful
        return isinstance(event, _OF_LEAD) and (Doubtful.LEAD, event.seat) in self._doubtful

    def _note(self, event: Event) -> None:
        told = self._told
        match event:
            case ev.TrayLeft():
                told.tray = None
            case ev.TrayArrived(side=side):
                told.tray = side
            case ev.TraySeen():
                told.columns = {seat: tuple(cards) for seat, cards in self._columns.items()}
            case ev.CallMade(seat=seat, call=call):
                told.columns[seat] = (*told.columns[seat], call)
            case ev.CallWithdrawn(seat=seat):
                told.columns[seat] = told.columns[seat][:-1]
            case ev.WindowMoved(state=state):
                told.window = state
            case ev.LeadMade(seat=seat, faced=faced):
                told.leads[seat] = bool(faced)
            case ev.LeadFaced(seat=seat):
                told.leads[seat] = True
            case ev.LeadWithdrawn(seat=seat):
                told.leads.pop(seat, None)
            case ev.BoardPlaced():
                told.board = self._board
            case ev.BoardRemoved():
                told.board = None
            case _:
                pass

    def _obey(self, effect: Effect) -> None:
        self.seen.take(effect)
        super()._obey(effect)

    def order(self, deed: DirectorDeed) -> None:
        """The director gives an order."""
        if self._down:
            raise CannotBePlayed("the controller is down and hears no director", Why.CONTROLLER_HEARS_NOBODY)
        for event in events_of(deed, self.now, self.seen):
            self.tell(event)

    # --- hands

    def place_board(self, tag: BoardTag, *, hands: bool = True) -> None:
        self._board = tag
        super().place_board(tag, hands=hands)

    def lift_board(self) -> None:
        self._board = None
        super().lift_board()

    def hold_call(self, seat: Seat, call: Call) -> None:
        """Lay it and keep the fingers on it."""
        self._reach(seat)
        self._columns[seat].append(call)
        self.tell(ev.CallMade(at=self.now, seat=seat, call=call), Sense.CALLS)

    def let_go(self, seat: Seat) -> None:
        self.tell(ev.CallReleased(at=self.now, seat=seat), Sense.RELEASED)

    def lose_card(self, seat: Seat) -> None:
        """The top card of this seat falls off a tray that is on its way."""
        self._columns[seat].pop()

    def sit_down(self, seat: Seat, player: str) -> None:
        self.tell(ev.SeatTaken(at=self.now, seat=seat, player=player), Sense.SEATS)

    def push_pane(self, *, opens: bool) -> None:
        """Somebody moves the window without a handle."""
        self._turn += 1
        self._hand_until = self.now + self.travel.window_by_hand
        self._travel_to(WindowState.OPEN if opens else WindowState.CLOSED, self.travel.window_by_hand)
        self._agenda.at(self._hand_until, self._pane_let_go)

    def _pane_let_go(self) -> None:
        if self._order is not None:
            self._motor()

    def move_window(self, seat: Seat, to: Direction) -> None:
        if self._stuck:
            raise CannotBePlayed(f"{seat} cannot move the window, which jams", Why.WINDOW_JAMS, seat=seat)
        super().move_window(seat, to)

    def _show(self, state: WindowState, turn: int) -> None:
        """An order is done only when the window is where it says, whoever moved it meanwhile."""
        order = self._order
        super()._show(state, turn)
        if order is not None and state is not _TARGET[order]:
            self._order = order

    # --- faults

    def _motor(self) -> None:
        stands = not self._blocked and not self._stuck
        if stands and not self._down and not self._deaf and (Doubtful.WINDOW, None) not in self._doubtful:
            super()._motor()
            return
        self._turn += 1
        turn = self._turn
        if self._stuck and self._order is not None:
            self._agenda.at(self.now + JAM_NOTICED, lambda: self._jammed(turn))

    def _jammed(self, turn: int) -> None:
        if turn == self._turn and self._stuck:
            self.tell(_fault(self.now, FaultKind.WINDOW_JAMMED))

    def obstruct(self, there: bool) -> None:
        if there is self._blocked:
            return
        self._blocked = there
        if there:
            self.tell(_fault(self.now, FaultKind.WINDOW_OBSTRUCTED), Sense.WINDOW)
        else:
            gone = ev.FaultGone(at=self.now, kind=FaultKind.WINDOW_OBSTRUCTED, component="window")
            self.tell(gone, Sense.WINDOW)
        if Sense.WINDOW_MOTOR in self._senses:
            self._motor()

    def jam(self, stuck: bool) -> None:
        self._stuck = stuck
        self._motor()

    def fail(self, what: Doubtful, seat: Seat | None) -> int:
        """Begin a fault; how long until it has been noticed, ns."""
        self._doubtful.add((what, seat))
        if what is Doubtful.WINDOW:
            self._motor()
        noticed = CHATTER_NOTICED if what is Doubtful.LEAD else CONFLICT_NOTICED
        self._agenda.at(self.now + noticed, lambda: self._doubt(what, seat))
        return noticed + 100 * MS

    def _doubt(self, what: Doubtful, seat: Seat | None) -> None:
        if (what, seat) in self._doubtful:
            kind, component = _doubted(what, seat)
            self.tell(ev.SensorDoubted(at=self.now, sense=what.value, kind=kind, component=component))

    def recover(self, what: Doubtful, seat: Seat | None) -> int:
        """It can be believed again, and what happened meanwhile is found."""
        self._doubtful.discard((what, seat))
        kind, component = _doubted(what, seat)
        self.tell(ev.SensorCleared(at=self.now, sense=what.value, kind=kind, component=component))
        self._read_afresh()
        if self._order is not None:
            self._motor()
        return 0

    def cable(self, plugged: bool) -> int:
        if plugged:
            self._deaf = False
            self.tell(ev.LinkRestored(at=self.now))
            self._read_afresh()
        else:
            self.tell(ev.LinkLost(at=self.now, why="unplugged"))
            self._deaf = True
            self._motor()
        return 0

    def reset_device(self) -> int:
        self.tell(ev.DeviceReset(at=self.now, cause="watchdog"))
        self.tell(ev.SensorsRead(at=self.now))
        return 0

    def misdeed(self, order: MisdeedOrder) -> None:
        """There are no wires here."""

    def die(self) -> int:
        self._down, self._down_since = True, self.now
        self._order = None
        self._motor()
        return 0

    def come_back(self) -> int:
        """From the journal, then every sensor afresh."""
        if not self._down:
            raise CannotBePlayed("the controller is not down", Why.CONTROLLER_NOT_DOWN)
        self._down = False
        self._deadlines.clear()
        self.seen.restarted()
        self.table = TimedTable(regulations=self._regulations, senses=self._senses)
        for number, event in enumerate(self.history, start=1):
            self.table.handle(event, number)
        self.tell(ev.Restarted(at=self.now, down_since=self._down_since))
        self._read_afresh()
        return 0

    def _read_afresh(self) -> None:
        self._find_differences()
        self.tell(ev.SensorsRead(at=self.now))

    def _find_differences(self) -> None:
        """What a fresh reading of every sensor shows, told as the sensing tells it."""
        at, told = self.now, replace(self._told)
        if self._tray is not told.tray:
            if told.tray is not None:
                self.tell(ev.TrayLeft(at=at, inferred=True, side=told.tray), Sense.TRAY)
            if self._tray is not None:
                self.tell(ev.TrayArrived(at=at, inferred=True, side=self._tray), Sense.TRAY)
        if self._tray is not None:
            if self._tray is told.tray:
                self._find_cards()
            self._tell_seen(self._tray)
        if self._window is not told.window:
            self.tell(ev.WindowMoved(at=at, inferred=True, state=self._window), Sense.WINDOW)
        for seat in Seat:
            self._find_lead(seat)
        if self._board != told.board:
            if self._board is None:
                self.tell(ev.BoardRemoved(at=at, inferred=True), Sense.BOARD)
            else:
                self.place_board(self._board)

    def _find_cards(self) -> None:
        for seat in Seat:
            before, lies = self._told.columns[seat], tuple(self._columns[seat])
            same = next((n for n, pair in enumerate(zip(before, lies, strict=False)) if pair[0] != pair[1]),
                        min(len(before), len(lies)))  # fmt: skip
            for call in reversed(before[same:]):
                self.tell(ev.CallWithdrawn(at=self.now, inferred=True, seat=seat, call=call), Sense.CALLS)
            for call in lies[same:]:
                self.tell(ev.CallMade(at=self.now, inferred=True, seat=seat, call=call), Sense.CALLS)

    def _find_lead(self, seat: Seat) -> None:
        before, lies = self._told.leads.get(seat), self._leads.get(seat)
        if before is lies:
            return
        if lies is None:
            self.tell(ev.LeadWithdrawn(at=self.now, inferred=True, seat=seat), Sense.LEAD)
        elif before is None:
            faced = lies if Sense.LEAD_FACE in self._senses else None
            self.tell(ev.LeadMade(at=self.now, inferred=True, seat=seat, faced=faced), Sense.LEAD)
        elif lies:
            self.tell(ev.LeadFaced(at=self.now, inferred=True, seat=seat), Sense.LEAD, Sense.LEAD_FACE)


def _fault(at: int, kind: FaultKind) -> Event:
    return ev.FaultSeen(at=at, kind=kind, component="window", detail="in a scenario")


def _doubted(what: Doubtful, seat: Seat | None) -> tuple[FaultKind, str]:
    if what is Doubtful.LEAD and seat is not None:
        return FaultKind.SENSOR_SUSPECT, f"lead.{seat.lower()}.present"
    return FaultKind.SENSOR_CONFLICT, what.value
