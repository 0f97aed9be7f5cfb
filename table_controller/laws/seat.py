"""Seats, partnerships and the two faces of the screen.

The words of the Laws: North, East, South and West go clockwise, so a seat's left-hand opponent is the
next one. *Partnership* is what the Laws also call a side; the face of the screen a player sits on is a
`ScreenSide`, never a side. Must never know about sensors or time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Partnership(StrEnum):
    """Two partners."""

    NS = "NS"
    EW = "EW"

    @property
    def opponents(self) -> Partnership:
        return Partnership.EW if self is Partnership.NS else Partnership.NS


class Seat(StrEnum):
    """A player's place at the table, clockwise."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def lho(self) -> Seat:
        """The left-hand opponent: next in rotation."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 1) % 4]

    @property
    def partner(self) -> Seat:
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 2) % 4]

    @property
    def rho(self) -> Seat:
        """The right-hand opponent: the one before in rotation."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 3) % 4]

    @property
    def partnership(self) -> Partnership:
        return Partnership.NS if self in (Seat.N, Seat.S) else Partnership.EW


_CLOCKWISE = (Seat.N, Seat.E, Seat.S, Seat.W)


class ScreenSide(StrEnum):
    """A face of the screen, named by who sits there in the usual seating: North and East, South and West."""

    NE = "NE"
    SW = "SW"

    @property
    def other(self) -> ScreenSide:
        return ScreenSide.SW if self is ScreenSide.NE else ScreenSide.NE


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """Which two opponents share a face. A provision, since at least one event seated South with East.

    `ne` is the face North sits on, `sw` the one South sits on, whoever their screenmates are.
    """

    ne: tuple[Seat, Seat] = (Seat.N, Seat.E)
    sw: tuple[Seat, Seat] = (Seat.S, Seat.W)

    def __post_init__(self) -> None:
        if Seat.N not in self.ne or Seat.S not in self.sw or {*self.ne, *self.sw} != set(Seat):
            raise ValueError("faces: North sits on one face, South on the other, and each seat once")

    def side_of(self, seat: Seat) -> ScreenSide:
        return ScreenSide.NE if seat in self.ne else ScreenSide.SW

    def seats_on(self, side: ScreenSide) -> tuple[Seat, Seat]:
        return self.ne if side is ScreenSide.NE else self.sw

    def screenmate(self, seat: Seat) -> Seat:
        first, second = self.seats_on(self.side_of(seat))
        return second if seat is first else first
