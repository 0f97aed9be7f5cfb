"""The fifty-two cards and how they are dealt.

Written suit first, `SQ`, `HT`: a call is written level first, so the two are never mistaken for each other.
Must never order cards across suits: that is the business of a trick and its trumps (`play`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from table_controller.laws.call import Denomination
from table_controller.laws.seat import Seat

RANKS = "23456789TJQKA"
"""Ranks from the lowest to the highest, as they are written."""


class Suit(IntEnum):
    """The four suits in rank order."""

    C = 0
    D = 1
    H = 2
    S = 3

    def __str__(self) -> str:
        return self.name

    def is_trump(self, denomination: Denomination) -> bool:
        return int(self) == int(denomination)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A suit and a rank from 2 to 14 (the ace)."""

    suit: Suit
    rank: int

    def __post_init__(self) -> None:
        if not 2 <= self.rank <= 14:
            raise ValueError(f"a card's rank is 2 to 14, not {self.rank}")

    def __str__(self) -> str:
        return f"{self.suit}{RANKS[self.rank - 2]}"


ALL_CARDS = tuple(Card(suit, rank) for suit in Suit for rank in range(2, 15))
_BY_TEXT = {str(card): card for card in ALL_CARDS}


def parse_card(text: str) -> Card:
    """The card written the way this product writes it: `S2` .. `CA`, ten as `T` (exact, upper case).

    Raises ValueError with one sentence otherwise. Record formats have readers of their own.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card; write the suit first and T for ten, as in SQ or HT"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Four hands of thirteen cards (L6). Raises ValueError, naming hand or card, for anything else."""

    north: frozenset[Card]
    east: frozenset[Card]
    south: frozenset[Card]
    west: frozenset[Card]

    def __post_init__(self) -> None:
        seen: set[Card] = set()
        for seat in Seat:
            hand = self.of(seat)
            if len(hand) != 13:
                raise ValueError(f"{seat} has {len(hand)} cards, a hand has 13")
            if twice := seen & hand:
                raise ValueError(f"{min(twice)} is dealt twice")
            seen |= hand

    @classmethod
    def by_seat(cls, hands: Mapping[Seat, frozenset[Card]]) -> Deal:
        """The deal with these hands; a seat left out has none, and is refused."""
        nothing: frozenset[Card] = frozenset()
        north, east, south, west = (hands.get(seat, nothing) for seat in Seat)
        return cls(north=north, east=east, south=south, west=west)

    def of(self, seat: Seat) -> frozenset[Card]:
        match seat:
            case Seat.N:
                return self.north
            case Seat.E:
                return self.east
            case Seat.S:
                return self.south
            case Seat.W:
                return self.west
