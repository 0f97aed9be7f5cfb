"""Boards by their number, cards, tricks, and what a record of play can show."""

import random

import pytest

from table_controller.laws.board import Board, Vulnerability, dealer_of, vulnerability_of
from table_controller.laws.call import Denomination, parse_call
from table_controller.laws.card import ALL_CARDS, Card, Deal, Suit, parse_card
from table_controller.laws.contract import parse_contract
from table_controller.laws.play import CardFault, Play, PlayedCard, Trick, card_faults_in
from table_controller.laws.seat import Partnership, Seat


def test_dealer_and_vulnerability_of_the_sixteen_boards() -> None:
    """L2, and the table printed in it."""
    said = " ".join(f"{dealer_of(n)}{vulnerability_of(n)}" for n in range(1, 17))
    assert said == ("NNone ENS SEW WBoth NNS EEW SBoth WNone NEW EBoth SNone WNS NBoth ENone SNS WEW")
    assert all(dealer_of(n) is dealer_of(n + 16) for n in range(1, 40))
    assert all(vulnerability_of(n) is vulnerability_of(n + 16) for n in range(1, 40))
    with pytest.raises(ValueError, match="1 or more"):
        dealer_of(0)


def test_a_board_says_where_it_departs_from_its_number() -> None:
    assert Board.numbered(7).departures == ()
    odd = Board(number=7, dealer=Seat.N, vulnerability=Vulnerability.NONE)
    assert odd.departures == (
        "dealer N, by board 7 it is S",
        "vulnerability None, by board 7 it is Both",
    )
    assert Board(number=None, dealer=Seat.N, vulnerability=None).departures == ()


def test_vulnerability_by_partnership() -> None:
    assert Vulnerability.BOTH.includes(Partnership.NS)
    assert Vulnerability.EW.includes(Partnership.EW)
    assert not Vulnerability.EW.includes(Partnership.NS)
    assert not Vulnerability.NONE.includes(Partnership.EW)


def test_cards_are_written_suit_first() -> None:
    assert len({str(card) for card in ALL_CARDS}) == 52
    assert parse_card("HT") == Card(Suit.H, 10)
    for wrong in ("QS", "S10", "sq", "S1", ""):
        with pytest.raises(ValueError, match="suit first"):
            parse_card(wrong)
    with pytest.raises(ValueError, match="2 to 14"):
        Card(Suit.H, 15)


def test_a_deal_is_thirteen_cards_each_and_none_twice() -> None:
    suits = {seat: frozenset(c for c in ALL_CARDS if c.suit == i) for i, seat in enumerate(Seat)}
    deal = Deal.by_seat(suits)
    assert deal.of(Seat.W) == suits[Seat.W]
    with pytest.raises(ValueError, match="W has 0 cards"):
        Deal.by_seat({seat: suits[seat] for seat in (Seat.N, Seat.E, Seat.S)})
    with pytest.raises(ValueError, match="dealt twice"):
        Deal.by_seat({**suits, Seat.W: suits[Seat.N]})


def cards(text: str) -> tuple[PlayedCard, ...]:
    return tuple(PlayedCard(Seat(word[0]), parse_card(word[2:])) for word in text.split())


TRICKS = [
    pytest.param("W:S5 N:SK E:S2 S:SA", "NT", "S", id="L44F: highest of the suit led"),
    pytest.param("W:S5 N:HA E:S6 S:DA", "NT", "E", id="L44F: other suits never win at notrump"),
    pytest.param("W:SA N:H2 E:S6 S:SK", "H", "N", id="L44E: a trump wins"),
    pytest.param("W:SA N:H2 E:H3 S:SK", "H", "E", id="L44E: the highest trump wins"),
    pytest.param("W:C2 N:DA E:HA S:SA", "C", "W", id="L44E: a trump led and not followed"),
]


@pytest.mark.parametrize(("text", "trump", "winner"), TRICKS)
def test_who_wins_a_trick(text: str, trump: str, winner: str) -> None:
    assert Trick(cards(text)).winning(Denomination[trump]).seat is Seat(winner)


def test_the_winner_leads_and_tricks_are_counted_for_declarer() -> None:
    play = Play(parse_contract("1NT", Seat.S))
    assert play.turn is Seat.W
    for played in cards("W:S5 N:SK E:S2 S:S3 N:H2 E:HA S:H3 W:H4"):
        assert play.turn is played.seat
        play = play.after(played.seat, played.card)
    assert play.turn is Seat.E
    assert (play.declarer_tricks, play.won_by(Partnership.EW)) == (1, 1)
    assert not any(card_faults_in(play))


FAULTS = [
    pytest.param("N:S5", {CardFault.PLAYED_OUT_OF_TURN}, id="L41A, L54: the leader is declarer's left"),
    pytest.param("W:S5 E:S2", {CardFault.PLAYED_OUT_OF_TURN}, id="L44B: clockwise"),
    pytest.param("W:S5 N:S5", {CardFault.PLAYED_TWICE}, id="the same card twice"),
]


@pytest.mark.parametrize(("text", "last"), FAULTS)
def test_irregular_cards_are_recorded_and_named(text: str, last: set[CardFault]) -> None:
    found = card_faults_in(Play(parse_contract("1NT", Seat.S), cards(text)))
    assert found[-1] == last
    assert not any(found[:-1])


def test_a_revoke_shows_when_the_suit_turns_up_later() -> None:
    """L61A: failing to follow when able."""
    text = "W:S5 N:SK E:H2 S:S3 N:S4 E:S2 S:S6 W:S7"
    found = card_faults_in(Play(parse_contract("1NT", Seat.S), cards(text)))
    assert found[2] == {CardFault.REVOKE}
    assert sum(map(len, found)) == 1
    assert not any(card_faults_in(Play(parse_contract("1NT", Seat.S), cards(text)[:5]))), "not on a guess"


def test_a_revoke_shows_at_once_where_the_hands_are_known() -> None:
    deal = random_deal(3)
    leader, second = Seat.W, Seat.N
    suit = next(
        s
        for s in Suit
        if any(c.suit is s for c in deal.of(second)) and any(c.suit is s for c in deal.of(leader))
    )
    led = next(c for c in deal.of(leader) if c.suit is suit)
    other = next(c for c in deal.of(second) if c.suit is not suit)
    play = Play(parse_contract("1NT", Seat.S), (PlayedCard(leader, led), PlayedCard(second, other)), deal)
    assert card_faults_in(play)[1] == {CardFault.REVOKE}
    foreign = next(iter(deal.of(Seat.E)))
    assert CardFault.NOT_IN_HAND in card_faults_in(play.after(Seat.E, led).after(Seat.S, foreign))[3]


def random_deal(seed: int) -> Deal:
    pack = list(ALL_CARDS)
    random.Random(seed).shuffle(pack)
    return Deal.by_seat({seat: frozenset(pack[i * 13 : i * 13 + 13]) for i, seat in enumerate(Seat)})


@pytest.mark.parametrize("seed", range(20))
def test_a_play_that_follows_suit_has_no_faults_and_thirteen_tricks(seed: int) -> None:
    draw, deal = random.Random(seed), random_deal(seed)
    play = Play(parse_contract(draw.choice(["1NT", "4S", "2C"]), draw.choice(list(Seat))), (), deal)
    while (turn := play.turn) is not None:
        held = sorted(deal.of(turn) - {p.card for p in play.cards})
        led = play.tricks[-1].suit if len(play.cards) % 4 else None
        following = [card for card in held if card.suit is led]
        play = play.after(turn, draw.choice(following or held))
    assert not any(card_faults_in(play))
    assert play.won_by(Partnership.NS) + play.won_by(Partnership.EW) == 13
    late = play.after(Seat.N, play.cards[0].card)
    assert card_faults_in(late)[-1] >= {CardFault.AFTER_LAST_TRICK, CardFault.PLAYED_TWICE}


def test_a_call_is_never_mistaken_for_a_card() -> None:
    with pytest.raises(ValueError, match="not a call"):
        parse_call("S1")
