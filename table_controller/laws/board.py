"""The duplicate board: its number, dealer and vulnerability.

By the number the three repeat every sixteen boards. Must never prefer the number to what a record, or the
director, says of dealer and vulnerability: those win, and the difference is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.seat import Partnership, Seat


class Vulnerability(StrEnum):
    """Which partnerships are vulnerable."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    BOTH = "Both"

    def includes(self, partnership: Partnership) -> bool:
        return self is Vulnerability.BOTH or self.value == partnership.value


_NONE, _NS, _EW, _BOTH = Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.BOTH
_DEALERS = (Seat.N, Seat.E, Seat.S, Seat.W)
_CYCLE = (
    (_NONE, _NS, _EW, _BOTH),
    (_NS, _EW, _BOTH, _NONE),
    (_EW, _BOTH, _NONE, _NS),
    (_BOTH, _NONE, _NS, _EW),
)


def dealer_of(number: int) -> Seat:
    """The dealer printed on a board of this number (L2). Raises ValueError below 1."""
    return _DEALERS[_checked(number) % 4]


def vulnerability_of(number: int) -> Vulnerability:
    """The vulnerability printed on a board of this number (L2). Raises ValueError below 1."""
    return _CYCLE[_checked(number) // 4 % 4][number % 4 - 1]


def _checked(number: int) -> int:
    """The number counted from nought."""
    if number < 1:
        raise ValueError(f"a board's number is 1 or more, not {number}")
    return number - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board as it is played. An unknown number, dealer or vulnerability is None."""

    number: int | None
    dealer: Seat | None
    vulnerability: Vulnerability | None

    def __post_init__(self) -> None:
        if self.number is not None:
            _checked(self.number)

    @classmethod
    def numbered(cls, number: int) -> Board:
        """The board as its number says it is."""
        return cls(number=number, dealer=dealer_of(number), vulnerability=vulnerability_of(number))

    @property
    def departures(self) -> tuple[str, ...]:
        """What of this board is not what its number says, in words; empty where they agree or are unknown."""
        if self.number is None:
            return ()
        said: list[str] = []
        if self.dealer is not None and self.dealer is not dealer_of(self.number):
            said.append(f"dealer {self.dealer}, by board {self.number} it is {dealer_of(self.number)}")
        if self.vulnerability is not None and self.vulnerability is not vulnerability_of(self.number):
            by_number = vulnerability_of(self.number)
            said.append(f"vulnerability {self.vulnerability}, by board {self.number} it is {by_number}")
        return tuple(said)
