"""The play of the cards: whose turn, who wins a trick, and what is irregular about a card.

A play here is a record of facts: it takes any card by any seat and says what is irregular. It must never
refuse a card, and never say *revoke* on a guess: a failure to follow suit is known where the hand is known,
or where the player later produces a card of the suit he did not follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.call import Denomination
from table_controller.laws.card import Card, Deal, Suit
from table_controller.laws.contract import Contract
from table_controller.laws.seat import Partnership, Seat


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card and the seat whose hand it came from."""

    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"{self.seat}:{self.card}"


@dataclass(frozen=True, slots=True)
class Trick:
    """Up to four cards in order of play; the first of them was led."""

    cards: tuple[PlayedCard, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.cards) <= 4:
            raise ValueError(f"a trick has 1 to 4 cards, not {len(self.cards)}")

    @property
    def leader(self) -> Seat:
        return self.cards[0].seat

    @property
    def suit(self) -> Suit:
        """The suit led."""
        return self.cards[0].card.suit

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == 4

    def winning(self, trump: Denomination) -> PlayedCard:
        """The card winning the trick so far: highest trump, else highest of the suit led (L44E, F)."""

        def strength(played: PlayedCard) -> tuple[bool, bool, int]:
            suit = played.card.suit
            return suit.is_trump(trump), suit is self.suit, played.card.rank

        return max(self.cards, key=strength)


class CardFault(StrEnum):
    """One way in which a played card departs from the Laws, as far as a record can show it."""

    PLAYED_OUT_OF_TURN = "PLAYED_OUT_OF_TURN"
    PLAYED_TWICE = "PLAYED_TWICE"
    NOT_IN_HAND = "NOT_IN_HAND"
    REVOKE = "REVOKE"
    AFTER_LAST_TRICK = "AFTER_LAST_TRICK"


@dataclass(frozen=True, slots=True)
class Play:
    """The cards played to a contract, in order of play; `deal` where the hands are known."""

    contract: Contract
    cards: tuple[PlayedCard, ...] = ()
    deal: Deal | None = None

    def after(self, seat: Seat, card: Card) -> Play:
        """The play with this card added, whatever is wrong with it (`card_faults_in` says what)."""
        return Play(self.contract, (*self.cards, PlayedCard(seat, card)), self.deal)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The cards by fours, the last trick perhaps incomplete. Cards beyond the thirteenth are in none."""
        counted = self.cards[:52]
        return tuple(Trick(counted[start : start + 4]) for start in range(0, len(counted), 4))

    @property
    def complete_tricks(self) -> tuple[Trick, ...]:
        return tuple(trick for trick in self.tricks if trick.is_complete)

    @property
    def turn(self) -> Seat | None:
        """The seat to lead or play next (dummy's turn is dummy's seat); None after thirteen tricks."""
        if len(self.cards) >= 52:
            return None
        open_cards = len(self.cards) % 4
        if open_cards:
            return self.cards[-1].seat.lho
        if not self.cards:
            return self.contract.leader
        return self.tricks[-1].winning(self.contract.trump).seat

    def won_by(self, partnership: Partnership) -> int:
        """Complete tricks won by the partnership."""
        trump = self.contract.trump
        return sum(trick.winning(trump).seat.partnership is partnership for trick in self.complete_tricks)

    @property
    def declarer_tricks(self) -> int:
        """Complete tricks won by declarer's partnership."""
        return self.won_by(self.contract.declarer.partnership)


def card_faults_in(play: Play) -> tuple[frozenset[CardFault], ...]:
    """For each card of the play, what was irregular about it. A revoke is judged with hindsight (L61A)."""
    revokes = _revokes(play)
    found: list[frozenset[CardFault]] = []
    seen: set[Card] = set()
    so_far = Play(play.contract, (), play.deal)
    for index, played in enumerate(play.cards):
        faults = set(_plain_faults(so_far, played, seen))
        if index in revokes:
            faults.add(CardFault.REVOKE)
        found.append(frozenset(faults))
        seen.add(played.card)
        so_far = so_far.after(played.seat, played.card)
    return tuple(found)


def _plain_faults(so_far: Play, played: PlayedCard, seen: set[Card]) -> Iterable[CardFault]:
    turn = so_far.turn
    if turn is None:
        yield CardFault.AFTER_LAST_TRICK
    elif played.seat is not turn:
        yield CardFault.PLAYED_OUT_OF_TURN
    if played.card in seen:
        yield CardFault.PLAYED_TWICE
    if so_far.deal is not None and played.card not in so_far.deal.of(played.seat):
        yield CardFault.NOT_IN_HAND


def _revokes(play: Play) -> set[int]:
    """Indices of the cards that did not follow suit though their hand could (L44C)."""
    found: set[int] = set()
    for start, trick in zip(range(0, 52, 4), play.tricks, strict=False):
        for offset, played in enumerate(trick.cards):
            if played.card.suit is not trick.suit and _could_follow(play, start + offset, trick.suit):
                found.add(start + offset)
    return found


def _could_follow(play: Play, index: int, suit: Suit) -> bool:
    """Whether the seat held a card of the suit when it played card `index`, as far as is known."""
    seat = play.cards[index].seat
    later = any(played.seat is seat and played.card.suit is suit for played in play.cards[index + 1 :])
    if play.deal is None or later:
        return later
    earlier = {played.card for played in play.cards[:index]}
    return any(card.suit is suit and card not in earlier for card in play.deal.of(seat))
