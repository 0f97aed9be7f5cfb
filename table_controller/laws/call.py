"""The thirty-eight calls: thirty-five bids, pass, double and redouble.

A *call* is any of them; a *bid* is only a level with a denomination. Must never judge: whether a call may
be made is the auction's business (`auction`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Denomination(IntEnum):
    """Suits and notrump in rank order."""

    C = 0
    D = 1
    H = 2
    S = 3
    NT = 4

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Pass:
    def __str__(self) -> str:
        return "P"


@dataclass(frozen=True, slots=True)
class Double:
    def __str__(self) -> str:
        return "X"


@dataclass(frozen=True, slots=True)
class Redouble:
    def __str__(self) -> str:
        return "XX"


@dataclass(frozen=True, slots=True, order=True)
class Bid:
    """A level (1 to 7) and a denomination. Bids compare by rank: `Bid(1, NT) < Bid(2, C)`."""

    level: int
    denomination: Denomination

    def __post_init__(self) -> None:
        if not 1 <= self.level <= 7:
            raise ValueError(f"a bid's level is 1 to 7, not {self.level}")

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}"


Call = Bid | Pass | Double | Redouble

PASS, DOUBLE, REDOUBLE = Pass(), Double(), Redouble()
ALL_BIDS = tuple(Bid(level, denomination) for level in range(1, 8) for denomination in Denomination)
ALL_CALLS: tuple[Call, ...] = (*ALL_BIDS, PASS, DOUBLE, REDOUBLE)
_BY_TEXT: dict[str, Call] = {str(call): call for call in ALL_CALLS}


def parse_call(text: str) -> Call:
    """The call written the way this product writes it: `P`, `X`, `XX`, `1C` .. `7NT` (exact, upper case).

    Raises ValueError with one sentence otherwise. Record formats have readers of their own.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a call; write P, X, XX or a bid from 1C to 7NT") from None
