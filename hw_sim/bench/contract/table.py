"""The table as an eye above it sees it.

Must never hold what the controller believes.
"""

from __future__ import annotations

from typing import Literal

from hw_sim.bench.contract.base import FaceName, SeatName, Shape


class TrayShape(Shape):
    """`on` None: between the faces. `heading`: the face it was pushed towards last."""

    on: FaceName | None
    heading: FaceName


class BoardShape(Shape):
    """What is printed on the board that lies on the tray; None is not printed."""

    number: int | None
    dealer: SeatName | None
    vulnerability: str | None
    """None, NS, EW or Both."""


class WindowShape(Shape):
    """`position` 0 closed to 1 open, in hundredths. `motor`: open, close or stop."""

    position: float
    motor: Literal["open", "close", "stop"]
    obstructed: bool
    jammed: bool


class TableFrame(Shape):
    """The physical table. Every mapping by seat has all four.

    `columns`: cards oldest first, as `1C`, `P`, `X`, `XX`, `STOP`. `alerts`: this seat's alert card lies in
    his screenmate's column. `touched`: fingers on the card just laid. `leads`: on his lead spot. `played`: on
    his playing spot, as `SQ`. `hands`: his cards are in the board. `pressed`: buttons and handles worked now,
    by signal (`director.n`, `announced.e`, `claim.s`, `auction_over.ne`, `window.handle.w`, `tray.handle.n`).
    `lamps`: every output but the motor, by name (`summons.n`, `hold.ne`, `window.lamp`, `window.lamp.close`).
    """

    ms: int
    """Since this session began."""
    tray: TrayShape
    board: BoardShape | None
    columns: dict[SeatName, list[str]]
    alerts: dict[SeatName, bool]
    touched: dict[SeatName, bool]
    leads: dict[SeatName, Literal["", "down", "faced"]]
    played: dict[SeatName, str]
    hands: dict[SeatName, bool]
    players: dict[SeatName, str]
    window: WindowShape
    lamps: dict[str, bool]
    pressed: list[str]
