"""What people at a table can do and see: all that simulated players know of it.

`Body` offers this at the metal, `core_runner` straight to the core: the players cannot tell. Must never show
anything a person at the table could not see, the controller's beliefs above all.
"""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.readings import Direction
from hw_sim.refusals import Refusing, Why
from hw_sim.table.tags import BoardTag
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import Faces, ScreenSide, Seat

HUMAN_SIGHT = 0.05
"""A person takes a window for closed, or open, within this part of its way: a little more than the limit
switches, at which the motor stops."""


class Impossible(Refusing, RuntimeError):
    """What nobody could do at a real table: a script's error, not a player's misdeed. One sentence."""


def out_of_reach(seat: Seat, tray: ScreenSide | None) -> Impossible:
    """That this seat cannot lay a hand on the tray, which is there (None: between the faces)."""
    if tray is None:
        between = f"{seat} cannot reach the tray, which is between the faces"
        return Impossible(between, Why.TRAY_BETWEEN_OUT_OF_REACH, seat=seat)
    return Impossible(
        f"{seat} cannot reach the tray, which is on face {tray}",
        Why.TRAY_OUT_OF_REACH,
        seat=seat,
        side=tray,
    )


class Sight(Protocol):
    """What anybody at the table sees."""

    @property
    def now(self) -> int: ...

    @property
    def faces(self) -> Faces: ...

    @property
    def tray_at(self) -> ScreenSide | None: ...

    @property
    def window_closed(self) -> bool: ...

    @property
    def window_open(self) -> bool: ...

    def lamp(self, output: str) -> bool: ...

    def times_lit(self, output: str) -> int: ...

    def cards_of(self, seat: Seat) -> tuple[str, ...]: ...

    def reaches_tray(self, seat: Seat) -> bool: ...


class Hands(Sight, Protocol):
    """What anybody at the table does. Each act happens now and takes no time of its own."""

    def place_board(self, tag: BoardTag, *, hands: bool = True) -> None: ...

    def lift_board(self) -> None: ...

    def take_hand(self, seat: Seat) -> None: ...

    def return_hand(self, seat: Seat) -> None: ...

    def push_tray(self, seat: Seat) -> None: ...

    def stop_tray(self) -> None: ...

    def move_tray_on(self, to: ScreenSide | None = None) -> None: ...

    def lay_call(self, seat: Seat, call: Call) -> None: ...

    def lay_stop_card(self, seat: Seat) -> None: ...

    def lift_stop_card(self, seat: Seat) -> None: ...

    def lift_call(self, seat: Seat) -> None: ...

    def clear_cards(self, seat: Seat) -> None: ...

    def lay_alert(self, seat: Seat) -> None: ...

    def lift_alert(self, seat: Seat) -> None: ...

    def lay_lead(self, seat: Seat, *, faced: bool = False) -> None: ...

    def face_lead(self, seat: Seat) -> None: ...

    def lift_lead(self, seat: Seat) -> None: ...

    def play_card(self, seat: Seat, card: Card) -> None: ...

    def turn_trick(self) -> None: ...

    def press_director(self, seat: Seat) -> None: ...

    def press_announced(self, seat: Seat) -> None: ...

    def press_claim(self, seat: Seat) -> None: ...

    def press_auction_over(self, side: ScreenSide) -> None: ...

    def move_window(self, seat: Seat, to: Direction) -> None: ...

    def work_handle(self, seat: Seat) -> None: ...


class Stage(Hands, Protocol):
    """A table on which time can be made to pass by whoever runs it."""

    def advance(self, to: int) -> None: ...

    def due(self) -> int | None: ...
