"""What one face of the table sees and may do.

Must never hold anything that only the other face knows.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hw_sim.bench.contract.base import FaceName, SeatName, Shape
from hw_sim.bench.contract.table import BoardShape


class NearWindow(Shape):
    """The window as anybody at the table sees it, in twentieths of its way."""

    position: float


class NearTray(Shape):
    """The tray while it is on this face, and all that lies on it."""

    board: BoardShape | None
    columns: dict[SeatName, list[str]]
    alerts: dict[SeatName, bool]
    hands: dict[SeatName, bool]


class NearSeat(Shape):
    """What one seat has in front of him."""

    lead: Literal["", "down", "faced"]
    played: str


class NearFrame(Shape):
    """All that the players of one face see; nothing is heard, for the table is silent.

    `tick` counts from 0 as each page connects. `tray` None: it is not here, and nobody here sees where it is.
    `seats`: the two of this face; `through` what is seen of the other two through the open window, else None.
    `lamps`: of this face only.
    """

    tick: int
    face: FaceName
    tray: NearTray | None
    window: NearWindow
    seats: dict[SeatName, NearSeat]
    through: dict[SeatName, NearSeat] | None
    lamps: dict[str, bool]


class NearDeed(Shape):
    """A deed of one of this face's own seats, as a `.scn` line without expectations: `N 1C`.

    `tray to SW by N` too. What came of it is seen in the frames, never told.
    """

    line: str = Field(min_length=1, max_length=200)


class Taken(Shape):
    taken: Literal[True] = True
