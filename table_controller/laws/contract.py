"""What an auction comes to: a contract with its declarer, a pass-out, or nothing yet.

Must never guess: an auction that is not over, or in which something is still open, has no contract.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.auction import Auction, Doubling
from table_controller.laws.call import ALL_BIDS, Bid, Denomination
from table_controller.laws.seat import Seat

_MARKS = {Doubling.UNDOUBLED: "", Doubling.DOUBLED: "X", Doubling.REDOUBLED: "XX"}


@dataclass(frozen=True, slots=True)
class Contract:
    """The last bid, what stands on it, and who plays it. Written `4SX`, `3NT`: the declarer is beside it."""

    bid: Bid
    doubled: Doubling
    declarer: Seat

    @property
    def leader(self) -> Seat:
        """Declarer's left-hand opponent, who makes the opening lead (L41A)."""
        return self.declarer.lho

    @property
    def dummy(self) -> Seat:
        return self.declarer.partner

    @property
    def trump(self) -> Denomination:
        """The denomination; `Denomination.NT` where there are no trumps."""
        return self.bid.denomination

    @property
    def tricks_needed(self) -> int:
        """Six more than the level."""
        return self.bid.level + 6

    def __str__(self) -> str:
        return f"{self.bid}{_MARKS[self.doubled]}"


@dataclass(frozen=True, slots=True)
class PassedOut:
    """Nobody bid (L22A)."""

    def __str__(self) -> str:
        return "Pass"


Outcome = Contract | PassedOut


def parse_contract(text: str, declarer: Seat) -> Contract:
    """The contract written the way this product writes it: `1C` .. `7NT`, with `X` or `XX` behind it.

    Raises ValueError with one sentence otherwise. Record formats have readers of their own.
    """
    for bid in ALL_BIDS:
        for doubled, mark in _MARKS.items():
            if text == f"{bid}{mark}":
                return Contract(bid, doubled, declarer)
    raise ValueError(
        f"{text!r} is not a contract; write a bid from 1C to 7NT, with X or XX behind if doubled"
    )


def contract_of(auction: Auction) -> Outcome | None:
    """The contract (L22B), with irregular calls counted as they lie; None while the auction is not over."""
    if not auction.is_over:
        return None
    if auction.last_bid is None:
        return PassedOut()
    return Contract(_bid(auction), auction.doubling, _declarer(auction))


def _bid(auction: Auction) -> Bid:
    assert auction.last_bid is not None
    assert isinstance(auction.last_bid.call, Bid)
    return auction.last_bid.call


def _declarer(auction: Auction) -> Seat:
    """The one of the partnership that made the last bid who first named its denomination."""
    assert auction.last_bid is not None
    denomination = _bid(auction).denomination
    for made in auction.standing:
        if (
            isinstance(made.call, Bid)
            and made.call.denomination is denomination
            and made.seat.partnership is auction.last_bid.seat.partnership
        ):
            return made.seat
    return auction.last_bid.seat
