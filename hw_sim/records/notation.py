"""Calls, cards, seats and contracts as records write them, in all their spellings.

These readers answer None for what they cannot read and never raise. Must never turn something unreadable
into something likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from table_controller.laws.auction import Doubling
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import DOUBLE, PASS, REDOUBLE, Bid, Call, Denomination
from table_controller.laws.card import RANKS, Card, Deal, Suit
from table_controller.laws.contract import Contract
from table_controller.laws.seat import Partnership, Seat

_SUIT_SIGNS = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"})
_CALLS: dict[str, Call] = {
    **dict.fromkeys(("P", "PASS", "PAS", "PASSE"), PASS),
    **dict.fromkeys(("X", "D", "DBL", "DB", "DOUBLE"), DOUBLE),
    **dict.fromkeys(("XX", "R", "RDBL", "RD", "RDB", "REDBL", "REDOUBLE"), REDOUBLE),
}
_BID = re.compile(r"([1-7])(NT|N|[CDHS])")
_CONTRACT = re.compile(r"([1-7])\s*(NT|N|[CDHS])\s*([NESW]?)\s*(XX|X|RDBL|DBL|R|D|\*\*|\*)?")
_DOUBLINGS = {
    "": Doubling.UNDOUBLED,
    **dict.fromkeys(("X", "D", "DBL", "*"), Doubling.DOUBLED),
    **dict.fromkeys(("XX", "R", "RDBL", "**"), Doubling.REDOUBLED),
}
_SEATS = {name: seat for seat in Seat for name in (seat.value, seat.name)} | {
    "NORTH": Seat.N,
    "EAST": Seat.E,
    "SOUTH": Seat.S,
    "WEST": Seat.W,
}
_VULNERABILITIES = {
    **dict.fromkeys(("NONE", "LOVE", "-", "0", "NIL"), Vulnerability.NONE),
    **dict.fromkeys(("NS", "N-S", "N/S"), Vulnerability.NS),
    **dict.fromkeys(("EW", "E-W", "E/W"), Vulnerability.EW),
    **dict.fromkeys(("ALL", "BOTH", "GAME"), Vulnerability.BOTH),
}


def read_call(text: str) -> Call | None:
    """`Pass`, `p`, `X`, `Dbl`, `1NT`, `1n`, `2♥`; nothing may hang on to it."""
    word = text.strip().upper().translate(_SUIT_SIGNS)
    if word in _CALLS:
        return _CALLS[word]
    bid = _BID.fullmatch(word)
    return None if bid is None else Bid(int(bid.group(1)), _denomination(bid.group(2)))


def _denomination(text: str) -> Denomination:
    return Denomination.NT if text.startswith("N") else Denomination[text]


def read_card(text: str) -> Card | None:
    """Suit first: `SQ`, `h10`, `♦T`."""
    word = text.strip().upper().translate(_SUIT_SIGNS).replace("10", "T")
    if len(word) != 2 or word[0] not in "CDHS" or word[1] not in RANKS:
        return None
    return Card(Suit[word[0]], RANKS.index(word[1]) + 2)


def read_seat(text: str) -> Seat | None:
    """A compass point by letter or name."""
    return _SEATS.get(text.strip().upper())


def read_vulnerability(text: str) -> Vulnerability | None:
    return _VULNERABILITIES.get(text.strip().upper())


def is_unknown(text: str | None) -> bool:
    """Whether a record's value only says that it says nothing."""
    return text is None or text.strip() in ("", "?")


def read_contract(text: str) -> str | Contract | None:
    """`3NT`, `3N`, `4Sx`, `4SXX`, `5HNX`: a contract; `Pass`, `PAS`: "Pass"; None for anything else.

    A declarer that is not written with it is given as North: the caller knows better or has none.
    """
    word = text.strip().upper().translate(_SUIT_SIGNS).replace(" ", "")
    if word in ("PASS", "PAS", "P", "PASSE", "PASSED", "PASSEDOUT", "PASSOUT", "AP"):
        return "Pass"
    found = _CONTRACT.fullmatch(word)
    if found is None:
        return None
    level, denomination, seat, doubled = found.groups()
    declarer = Seat(seat) if seat else Seat.N
    return Contract(Bid(int(level), _denomination(denomination)), _DOUBLINGS[doubled or ""], declarer)


def read_suits(text: str, separator: str) -> frozenset[Card] | None:
    """A hand as four suits, spades first, `separator` between: `KQ7.T92.A654.K64`, ranks in any order."""
    suits = text.upper().replace("10", "T").split(separator)
    if len(suits) != 4:
        return None
    return _cards(zip((Suit.S, Suit.H, Suit.D, Suit.C), suits, strict=True))


def read_lettered_suits(text: str) -> frozenset[Card] | None:
    """A hand with the letter of each suit before its ranks: `SKQT7HT92DA654CK64`."""
    word = text.strip().upper().replace("10", "T")
    if re.fullmatch(r"(?:[SHDC][2-9TJQKA]*)*", word) is None:
        return None
    return _cards((Suit[found[0]], found[1:]) for found in re.findall(r"[SHDC][2-9TJQKA]*", word))


def _cards(suits: Iterable[tuple[Suit, str]]) -> frozenset[Card] | None:
    cards: list[Card] = []
    for suit, ranks in suits:
        for rank in ranks.strip().replace("-", ""):
            if rank not in RANKS:
                return None
            cards.append(Card(suit, RANKS.index(rank) + 2))
    return frozenset(cards) if len(set(cards)) == len(cards) else None


def read_tricks(text: str, declarer: Seat | None) -> int | None:
    """Declarer's tricks from `9`, `^9` (marked irregular), `NS 9`, `EW 4`, `NS 9 EW 4`; else None."""
    word = text.strip().lstrip("^").strip().upper()
    if word.isascii() and word.isdigit():
        tricks = int(word[:3])
        return tricks if tricks <= 13 else None
    won = {Partnership(side): int(number) for side, number in re.findall(r"(NS|EW)\s*(\d{1,2})", word)}
    if declarer is None or re.fullmatch(r"(?:(?:NS|EW)\s*\d{1,2}\s*){1,2}", word) is None:
        return None
    ours, theirs = won.get(declarer.partnership), won.get(declarer.partnership.opponents)
    if ours is not None and theirs is not None and ours + theirs != 13:
        return None
    tricks = ours if ours is not None else 13 - (theirs or 0)
    return tricks if 0 <= tricks <= 13 else None


def completed(hands: dict[Seat, frozenset[Card]]) -> Deal | str:
    """The deal of four hands, or why they are none, in words."""
    try:
        return Deal.by_seat(hands)
    except ValueError as error:
        return str(error)
