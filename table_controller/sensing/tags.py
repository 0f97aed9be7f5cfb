"""What the texts of readers say: bidding cards in a column, a board's tag, a playing card, a player.

The grammar is printed in the wiring page: `2:P` (two cards, a pass on top), `0` (none), `7:E:NS` (board 7,
dealer East, North-South vulnerable), `SQ`. Must never raise on what a reader sends: what cannot be read is
None, and the caller says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call, parse_call
from table_controller.laws.card import Card, parse_card
from table_controller.laws.seat import Seat

STOP = "STOP"
"""The top of a column when a stop card lies there."""

_VULNERABILITY = {
    "None": Vulnerability.NONE,
    "NS": Vulnerability.NS,
    "EW": Vulnerability.EW,
    "All": Vulnerability.BOTH,
    "Both": Vulnerability.BOTH,
}
MOST_CARDS = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """One column as a reader sees it: how many cards, and the top one. `stop`: the top is a stop card."""

    count: int = 0
    top: Call | None = None
    stop: bool = False


EMPTY = Pile()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTag:
    """What is printed on a board; None where it does not say."""

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


def read_pile(text: str) -> Pile | None:
    """A column's token `COUNT:TOP`, or `0` or nothing for an empty one; None if it cannot be read."""
    count_text, _, top_text = text.partition(":")
    if text in ("", "0"):
        return EMPTY
    if not (count_text.isascii() and count_text.isdecimal() and 1 <= int(count_text) <= MOST_CARDS):
        return None
    count = int(count_text)
    if top_text == STOP:
        return Pile(count=count, stop=True)
    try:
        return Pile(count=count, top=parse_call(top_text))
    except ValueError:
        return None


def read_tag(text: str) -> BoardTag | None:
    """A board's tag `[NUMBER][:DEALER[:VUL]]`; None if it cannot be read or says nothing."""
    number_text, *rest = text.split(":")
    if len(rest) > 2 or not (number_text or any(rest)):
        return None
    number: int | None = None
    if number_text:
        if not (number_text.isascii() and number_text.isdecimal() and int(number_text) >= 1):
            return None
        number = int(number_text)
    dealer_text = rest[0] if rest else ""
    vulnerability_text = rest[1] if len(rest) == 2 else ""
    if dealer_text not in ("", *Seat) or vulnerability_text not in ("", *_VULNERABILITY):
        return None
    return BoardTag(
        number=number,
        dealer=Seat(dealer_text) if dealer_text else None,
        vulnerability=_VULNERABILITY.get(vulnerability_text),
    )


def read_card(text: str) -> Card | None:
    """A playing card's token; None if it cannot be read."""
    try:
        return parse_card(text)
    except ValueError:
        return None
