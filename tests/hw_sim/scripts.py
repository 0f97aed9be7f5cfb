"""Boards for tests, written by hand."""

from __future__ import annotations

from hw_sim.players.script import BoardScript
from table_controller.laws.auction import Auction
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import parse_call
from table_controller.laws.card import ALL_CARDS, Card
from table_controller.laws.contract import Contract, contract_of
from table_controller.laws.seat import Seat


def script(
    dealer: str, calls: str, *, cards: int = 52, number: int | None = 1, alerts: tuple[int, ...] = ()
) -> BoardScript:
    """`calls` in rotation, apart by blanks; the cards go round from the leader without regard to tricks."""
    auction = Auction.in_rotation(Seat(dealer), [parse_call(text) for text in calls.split()])
    outcome = contract_of(auction)
    play: list[tuple[Seat, Card]] = []
    if isinstance(outcome, Contract):
        seat = outcome.leader
        for card in ALL_CARDS[:cards]:
            play.append((seat, card))
            seat = seat.lho
    return BoardScript(
        number=number,
        dealer=Seat(dealer),
        vulnerability=Vulnerability.NONE,
        calls=auction.calls,
        alerts=frozenset(alerts),
        play=tuple(play),
    )


NOTRUMP = script("S", "1NT P 3NT P P P")
LONG = script("N", "P 1C 1S X 2S 3D P 3NT P P 4S X P P P", number=5, alerts=(3,))
CLAIMED = script("E", "1D P 1H P 2H P 4H P P P", number=6, cards=30)
PASSED_OUT = script("E", "P P P P", number=2)
UNFINISHED = script("W", "1C P 1H", number=4)
