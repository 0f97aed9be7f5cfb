"""What a scenario needs of a table it is played at: hands, a director, and levers on the hardware.

The core's table and the one in real processes both are this; the deeds cannot tell. Must never show what the
table believes.
"""

from __future__ import annotations

from typing import Protocol

from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.players.customs import Customs
from hw_sim.players.hands import Hands
from hw_sim.scenario.deeds import DirectorDeed, Doubtful
from table_controller.laws.call import Call
from table_controller.laws.seat import Seat


class ScenarioHands(Hands, Protocol):
    """What players do that the simulator's own players never do."""

    def hold_call(self, seat: Seat, call: Call) -> None:
        """Lay it and keep the fingers on it."""

    def let_go(self, seat: Seat) -> None: ...

    def lose_card(self, seat: Seat) -> None:
        """The top card of this seat falls off a tray that is on its way."""

    def push_pane(self, *, opens: bool) -> None:
        """Move the window without a handle."""

    def sit_down(self, seat: Seat, player: str) -> None: ...


class Levers(Protocol):
    """What hardware does that it should not."""

    def fail(self, what: Doubtful, seat: Seat | None) -> int:
        """Begin a fault; how long it takes to be noticed, ns."""

    def recover(self, what: Doubtful, seat: Seat | None) -> int: ...

    def obstruct(self, there: bool) -> None: ...

    def jam(self, stuck: bool) -> None: ...

    def cable(self, plugged: bool) -> int: ...

    def reset_device(self) -> int: ...

    def misdeed(self, order: MisdeedOrder) -> None:
        """Begin it; the core's table has no wires and makes nothing of it. Raises as `commit`."""

    def die(self) -> int: ...

    def come_back(self) -> int: ...


class Room(Protocol):
    """One table. `divisor`: by how much waits of a second or more are divided.

    `between`: a person's time from one deed to the next, ns; the hardware needs it to tell them apart.
    """

    @property
    def hands(self) -> ScenarioHands: ...

    @property
    def levers(self) -> Levers: ...

    @property
    def customs(self) -> Customs: ...

    @property
    def divisor(self) -> float: ...

    @property
    def between(self) -> int: ...

    @property
    def window_by_hand(self) -> int:
        """How long a hand takes for the whole way and lets go, ns."""

    def order(self, deed: DirectorDeed) -> None:
        """What the director does, at his desk."""
