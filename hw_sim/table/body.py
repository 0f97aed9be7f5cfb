"""The physical table over time: tray, cards, window, leads, board and buttons, as sensors find them.

Pure: virtual time, no thread, no clock. Players' hands and the device's outputs act on it; what it tells is
the changes of its wires and readers, each with its true time. It knows what is possible and not what is
allowed: it must never refuse what the Laws forbid, only what nobody could do, and never guess at what the
controller believes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from firmware_bridge.readings import Direction
from hw_sim.players.hands import HUMAN_SIGHT, Impossible, out_of_reach
from hw_sim.refusals import Why
from hw_sim.table.agenda import Agenda, Deed
from hw_sim.table.changes import Change, LevelChange, TokenChange, Travel
from hw_sim.table.tags import BoardTag
from hw_sim.table.window_panel import CLOSED, OPEN, WindowPanel
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import Faces, ScreenSide, Seat

STOP_CARD = "STOP"


class Body:
    """One table. `now` moves only through `advance`; every act happens at `now`.

    `take_changes()` hands over what has changed since it was last asked, in order of time. `levels()` and
    `tokens()` are the present state of every wire and reader the simulator knows; a table that lacks a sense
    simply has nothing connected there.
    """

    def __init__(
        self,
        *,
        faces: Faces | None = None,
        travel: Travel | None = None,
        tray_on: ScreenSide = ScreenSide.NE,
        window: float = OPEN,
        latched_tray: bool = False,
        now: int = 0,
    ) -> None:
        self.now = now
        self.faces = faces or Faces()
        self.travel = travel or Travel()
        self._latched_tray = latched_tray
        self._agenda = Agenda()
        self._changes: list[Change] = []
        self._tray: ScreenSide | None = tray_on
        self._heading: ScreenSide = tray_on
        self._push = 0
        self._columns: dict[Seat, list[str]] = {seat: [] for seat in Seat}
        self._leads: dict[Seat, bool] = {}
        self._panel = WindowPanel(
            position=window, by_motor=self.travel.window, by_hand=self.travel.window_by_hand
        )
        self._window_turn = 0
        self._outputs: dict[str, bool] = {}
        self._lit: Counter[str] = Counter()
        self._levels: dict[str, bool] = {}
        self._tokens: dict[str, str] = {}
        self._show_tray()
        self._show_window()
        for seat in Seat:
            self._show_lead(seat)
            self._token(f"card.{seat.lower()}", "")
            for name in ("announced", "director", "released", "alert", "tray.handle", "claim", "hand"):
                self._level(f"{name}.{seat.lower()}", False)
            self._level(f"window.handle.{seat.lower()}", False)
            self._token(f"seat.{seat.lower()}", "")
        for side in ScreenSide:
            self._level(f"auction_over.{side.lower()}", False)
            self._level(f"cleared.{side.lower()}", True)
            self._read_dock(side)
        for name in ("board.present", "window.obstructed", "window.overcurrent"):
            self._level(name, False)
        self._token("board.id", "")
        self._changes.clear()

    # --- time and what the wires say

    def advance(self, to: int) -> None:
        """Let time pass. Raises ValueError if it would go back."""
        if to < self.now:
            raise ValueError("time at a table does not go back")
        while (taken := self._agenda.take(to)) is not None:
            self.now = max(self.now, taken[0])
            taken[1]()
        self.now = to

    def due(self) -> int | None:
        """When something will change by itself, or None."""
        return self._agenda.due()

    def take_changes(self) -> list[Change]:
        taken, self._changes = self._changes, []
        return taken

    def levels(self) -> Mapping[str, bool]:
        return dict(self._levels)

    def tokens(self) -> Mapping[str, str]:
        return dict(self._tokens)

    def _level(self, signal: str, active: bool) -> None:
        if self._levels.get(signal) is not active:
            self._levels[signal] = active
            self._changes.append(LevelChange(at=self.now, signal=signal, active=active))

    def _token(self, signal: str, token: str) -> None:
        if self._tokens.get(signal) != token:
            self._tokens[signal] = token
            self._changes.append(TokenChange(at=self.now, signal=signal, token=token))

    def _later(self, after: int, deed: Deed) -> None:
        self._agenda.at(self.now + after, deed)

    def _press(self, signal: str) -> None:
        self._level(signal, True)
        self._later(self.travel.press, lambda: self._level(signal, False))

    # --- what people see

    @property
    def tray_at(self) -> ScreenSide | None:
        """The face the tray is on; None while it is between."""
        return self._tray

    @property
    def window_closed(self) -> bool:
        return self._panel.position(self.now) <= CLOSED + HUMAN_SIGHT

    @property
    def window_open(self) -> bool:
        return self._panel.position(self.now) >= OPEN - HUMAN_SIGHT

    def lamp(self, output: str) -> bool:
        """Whether this lamp or latch is on."""
        return self._outputs.get(output, False)

    def times_lit(self, output: str) -> int:
        """How often this lamp has been switched on: a short light is seen too."""
        return self._lit[output]

    def cards_of(self, seat: Seat) -> tuple[str, ...]:
        """The bidding cards in this seat's column, oldest first."""
        return tuple(self._columns[seat])

    # --- tray and board

    def push_tray(self, seat: Seat) -> None:
        """Push the tray across. Raises Impossible where this seat cannot, or a latch keeps it."""
        side = self.faces.side_of(seat)
        if self._tray is not side:
            raise Impossible(
                f"{seat} cannot push the tray, which is not on face {side}",
                Why.SEAT_AWAY_FROM_TRAY,
                seat=seat,
                side=side,
            )
        if self._latched_tray and self.lamp(f"hold.{side.lower()}"):
            raise Impossible(
                f"{seat} cannot push the tray: the latch on face {side} keeps it",
                Why.TRAY_LATCHED,
                seat=seat,
                side=side,
            )
        handle = f"tray.handle.{seat.lower()}"
        self._level(handle, True)
        self._heading = side.other
        self._push += 1
        self._later(self.travel.tray_clears, lambda: self._tray_clears(side, handle))

    def _tray_clears(self, side: ScreenSide, handle: str) -> None:
        push = self._push
        self._tray = None
        self._show_tray()
        self._later(self.travel.reader, lambda: self._read_dock(side))
        self._later(self.travel.tray_clears, lambda: self._level(handle, False))
        self._later(
            max(self.travel.tray - self.travel.tray_clears, 1), lambda: self._tray_arrives(push, side.other)
        )

    def _tray_arrives(self, push: int, side: ScreenSide) -> None:
        if push != self._push or self._tray is not None:
            return  # stopped on the way, or sent back
        self._tray = side
        self._show_tray()
        self._later(self.travel.reader, lambda: self._read_dock(side))

    def stop_tray(self) -> None:
        """Leave it between the faces. Raises Impossible while it is docked."""
        if self._tray is not None:
            raise Impossible("the tray is docked; it can be stopped only on its way", Why.TRAY_DOCKED_STOP)
        self._push += 1

    def move_tray_on(self, to: ScreenSide | None = None) -> None:
        """From between the faces to `to`, or on to where it was going."""
        if self._tray is not None:
            raise Impossible("the tray is docked; push it", Why.TRAY_DOCKED_BRING)
        self._push += 1
        push, side = self._push, to or self._heading
        self._later(self.travel.tray // 2, lambda: self._tray_arrives(push, side))

    def _show_tray(self) -> None:
        for side in ScreenSide:
            self._level(f"tray.{side.lower()}", self._tray is side)

    def place_board(self, tag: BoardTag, *, hands: bool = True) -> None:
        """Lay a board on the tray, its hands in their slots (`hands`) or taken out before."""
        self._level("board.present", True)
        self._token("board.id", str(tag))
        for seat in Seat:
            self._level(f"hand.{seat.lower()}", hands)

    def lift_board(self) -> None:
        self._level("board.present", False)
        self._token("board.id", "")

    def take_hand(self, seat: Seat) -> None:
        self._level(f"hand.{seat.lower()}", False)

    def return_hand(self, seat: Seat) -> None:
        self._level(f"hand.{seat.lower()}", True)

    # --- bidding cards

    def lay_call(self, seat: Seat, call: Call) -> None:
        """Lay a bidding card on top of this seat's column. Raises Impossible if the tray is out of reach."""
        self._lay(seat, str(call))

    def lay_stop_card(self, seat: Seat) -> None:
        self._lay(seat, STOP_CARD)

    def _lay(self, seat: Seat, card: str) -> None:
        self._reach(seat)
        self._columns[seat].append(card)
        self._level(f"cleared.{self.faces.side_of(seat).lower()}", False)
        self._level(f"released.{seat.lower()}", True)
        self._later(self.travel.touch, lambda: self._level(f"released.{seat.lower()}", False))
        self._read_soon()

    def lift_stop_card(self, seat: Seat) -> None:
        self._reach(seat)
        if STOP_CARD in self._columns[seat]:
            self._columns[seat].remove(STOP_CARD)
        self._read_soon()

    def lift_call(self, seat: Seat) -> None:
        """Take the top card of this seat's column off. Raises Impossible if there is none in reach."""
        self._reach(seat)
        if not self._columns[seat]:
            raise Impossible(f"{seat} has no card on the tray to take off", Why.NO_CARD_ON_TRAY, seat=seat)
        self._columns[seat].pop()
        self._read_soon()

    def clear_cards(self, seat: Seat) -> None:
        """Put this seat's whole column back into its box. Nothing where it is empty already."""
        self._reach(seat)
        self._columns[seat].clear()
        self._read_soon()
        side = self.faces.side_of(seat)
        if not any(self._columns[mate] for mate in self.faces.seats_on(side)):
            self._level(f"cleared.{side.lower()}", True)

    def lay_alert(self, seat: Seat) -> None:
        self._reach(seat)
        self._level(f"alert.{seat.lower()}", True)

    def lift_alert(self, seat: Seat) -> None:
        self._reach(seat)
        self._level(f"alert.{seat.lower()}", False)

    def reaches_tray(self, seat: Seat) -> bool:
        """On his own face, or anywhere through the open window."""
        return self._tray is not None and (self._tray is self.faces.side_of(seat) or self.window_open)

    def _reach(self, seat: Seat) -> None:
        if not self.reaches_tray(seat):
            raise out_of_reach(seat, self._tray)

    def _read_soon(self) -> None:
        side = self._tray
        if side is not None:
            self._later(self.travel.reader, lambda: self._read_dock(side))

    def _read_dock(self, side: ScreenSide) -> None:
        for seat in Seat:
            cards = self._columns[seat] if self._tray is side else []
            text = f"{len(cards)}:{cards[-1]}" if cards else "0"
            self._token(f"call.{side.lower()}.{seat.lower()}", text)

    # --- lead and play

    def lay_lead(self, seat: Seat, *, faced: bool = False) -> None:
        self._leads[seat] = faced
        self._show_lead(seat)

    def face_lead(self, seat: Seat) -> None:
        """Turn it up. Raises Impossible if nothing lies there."""
        if seat not in self._leads:
            raise Impossible(f"{seat} has no card on his lead spot to face", Why.NO_LEAD_TO_FACE, seat=seat)
        self._leads[seat] = True
        self._show_lead(seat)

    def lift_lead(self, seat: Seat) -> None:
        self._leads.pop(seat, None)
        self._show_lead(seat)

    def _show_lead(self, seat: Seat) -> None:
        self._level(f"lead.{seat.lower()}.faced", self._leads.get(seat, False))
        self._level(f"lead.{seat.lower()}.present", seat in self._leads)

    def play_card(self, seat: Seat, card: Card) -> None:
        """Lay a card on this seat's playing spot."""
        self._token(f"card.{seat.lower()}", str(card))

    def turn_trick(self) -> None:
        """The four cards of a trick are turned and taken off their spots."""
        for seat in Seat:
            self._token(f"card.{seat.lower()}", "")

    # --- buttons

    def press_director(self, seat: Seat) -> None:
        self._press(f"director.{seat.lower()}")

    def press_announced(self, seat: Seat) -> None:
        self._press(f"announced.{seat.lower()}")

    def press_claim(self, seat: Seat) -> None:
        self._press(f"claim.{seat.lower()}")

    def press_auction_over(self, side: ScreenSide) -> None:
        self._press(f"auction_over.{side.lower()}")

    def sit_down(self, seat: Seat, player: str) -> None:
        """Lay a player's token at his seat; an empty one takes it away."""
        self._token(f"seat.{seat.lower()}", player)

    # --- the window

    def move_window(self, seat: Seat, to: Direction) -> None:
        """Open or close it by the handle at this seat; a whole way takes `travel.window_by_hand`."""
        handle = f"window.handle.{seat.lower()}"
        self._level(handle, True)
        self._panel.grasp(to, self.now)
        self._follow_window()
        self._later(self.travel.window_by_hand, lambda: self._let_go(handle))

    def _let_go(self, handle: str) -> None:
        self._panel.let_go(self.now)
        self._follow_window()
        self._level(handle, False)

    def work_handle(self, seat: Seat) -> None:
        """Touch the window's handle without moving it: where a motor does the work."""
        self._press(f"window.handle.{seat.lower()}")

    @property
    def motor(self) -> Direction:
        """Which way the motor is driven now."""
        return self._panel.motor

    def drive_window(self, to: Direction) -> None:
        """The device gives the motor current towards `to`, or stops it."""
        self._panel.drive(to, self.now)
        self._follow_window()

    def jam_window(self, jammed: bool) -> None:
        self._panel.jam(jammed, self.now)
        self._follow_window()

    def obstruct_window(self, obstructed: bool) -> None:
        """Put something in its way, which the light barrier sees, or take it out."""
        self._level("window.obstructed", obstructed)

    def set_output(self, output: str, on: bool) -> None:
        """The device switches a lamp or a latch. Only a latch of the window moves anything."""
        self._lit[output] += on and not self.lamp(output)
        self._outputs[output] = on
        if output == "window.latch":
            self.drive_window(Direction.OPEN if on else Direction.CLOSE)

    def _follow_window(self) -> None:
        self._show_window()
        self._window_turn += 1
        turn = self._window_turn
        for when in self._panel.milestones():
            self._agenda.at(when, lambda: self._show_window() if turn == self._window_turn else None)

    def _show_window(self) -> None:
        self._level("window.closed", self._panel.closed(self.now))
        self._level("window.open", self._panel.open(self.now))
