"""The table's body with what only scenarios do to it: fingers that stay on a card, a pane pushed without a
handle, a card that falls off on the way.

Must never do what nobody could.
"""

from __future__ import annotations

from firmware_bridge.readings import Direction
from hw_sim.table.body import Body
from hw_sim.table.changes import MS
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat

FINGERS_LEAVE = 20 * MS
"""Taken off, a card is out of its reader before the fingers are off the spot."""


class ScenarioBody(Body):
    """A table's body in a scenario."""

    @property
    def heading(self) -> ScreenSide:
        """The face the tray was pushed towards last."""
        return self._heading

    @property
    def window_position(self) -> float:
        """0 closed, 1 open."""
        return self._panel.position(self.now)

    @property
    def window_jammed(self) -> bool:
        return self._panel.jammed

    def place_of_lead(self, seat: Seat) -> bool | None:
        """Whether his lead is faced; None where none lies."""
        return self._leads.get(seat)

    def hold_call(self, seat: Seat, call: Call) -> None:
        """Lay it and keep the fingers on it."""
        self._reach(seat)
        self._columns[seat].append(str(call))
        self._level(f"cleared.{self.faces.side_of(seat).lower()}", False)
        self._level(_touched(seat), True)
        self._read_soon()

    def let_go(self, seat: Seat) -> None:
        self._level(_touched(seat), False)

    def lift_call(self, seat: Seat) -> None:
        super().lift_call(seat)
        if self.levels()[_touched(seat)]:
            self._later(self.travel.reader + FINGERS_LEAVE, lambda: self.let_go(seat))

    def push_pane(self, *, opens: bool) -> None:
        """Somebody moves the window, and no handle tells of it."""
        self._panel.grasp(Direction.OPEN if opens else Direction.CLOSE, self.now)
        self._follow_window()
        self._later(self.travel.window_by_hand, self._pane_let_go)

    def _pane_let_go(self) -> None:
        self._panel.let_go(self.now)
        self._follow_window()

    def lose_card(self, seat: Seat) -> None:
        """The top card of this seat falls off a tray that is on its way."""
        self._columns[seat].pop()


def _touched(seat: Seat) -> str:
    return f"released.{seat.lower()}"
