"""Short ways to write auctions and plays in the tests of the laws."""

from __future__ import annotations

import random

from table_controller.laws.auction import Auction, MadeCall, faults_of
from table_controller.laws.call import ALL_BIDS, ALL_CALLS, PASS, Call, parse_call
from table_controller.laws.seat import Seat


def auction(dealer: str, calls: str) -> Auction:
    """`auction("N", "1C P E:1H")`: a call takes the turn unless it is written with its seat."""
    made = Auction(Seat(dealer))
    for word in calls.split():
        seat, _, text = word.rpartition(":")
        due = Seat(seat) if seat else made.turn or made.calls[-1].seat.lho
        made = made.after(due, parse_call(text))
    return made


def legal_auction(dealer: Seat, seed: int) -> Auction:
    """A legal, complete auction; seeds differ in length, from pass-outs to doubled slams."""
    draw = random.Random(seed)
    made = Auction(dealer)
    while made.turn is not None:
        turn = made.turn
        legal = [call for call in ALL_CALLS if not faults_of(made, turn, call)]
        made = made.after(turn, _drawn(draw, legal))
    return made


def _drawn(draw: random.Random, legal: list[Call]) -> Call:
    bids = [call for call in legal if call in ALL_BIDS]
    others = [call for call in legal if call not in ALL_BIDS and call != PASS]
    if others and draw.random() < 0.2:
        return draw.choice(others)
    if bids and draw.random() < 0.4:
        return bids[min(int(draw.expovariate(0.35)), len(bids) - 1)]
    return PASS


def made(*words: str) -> tuple[MadeCall, ...]:
    return tuple(MadeCall(Seat(word[0]), parse_call(word[2:])) for word in words)
