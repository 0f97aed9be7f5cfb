"""Fields of forms: what each takes, and the one sentence it says when it gets something else.

Pure. An unknown field is refused, a missing one is empty; nothing typed is lost, since the page is shown
again with what was given. Sentences are keys into the console's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import Seat

LONGEST_TEXT = 2000
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

UNSEEN = re.compile(
    "[\x80-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters nobody sees that turn the order of others around or hide in a text: taken out."""


class Bad(ValueError):
    """What is wrong with one field: a key into the words, and what to fill in."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field. `options`: the only values it takes (empty: any). `many`: it may come several times."""

    name: str
    required: bool = False
    options: tuple[str, ...] = ()
    longest: int = LONGEST_TEXT
    whole: tuple[int, int] | None = None
    """Least and greatest, for a whole number."""
    many: bool = False
    secret: bool = False
    """Never given back to the page, never kept in a draft or log."""

    def read(self, given: Sequence[str]) -> tuple[str, ...]:
        """What was given, checked. Raises Bad."""
        texts = tuple(text if self.secret else UNSEEN.sub("", text).strip() for text in given)
        texts = tuple(text for text in texts if text)
        if not texts and self.required:
            raise Bad("field.required")
        if len(texts) > 1 and not self.many:
            raise Bad("field.once")
        for text in texts:
            self._check(text)
        return texts

    def _check(self, text: str) -> None:
        if len(text) > self.longest:
            raise Bad("field.too_long", longest=self.longest)
        if CONTROL.search(text):
            raise Bad("field.odd_characters")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Bad("field.odd_characters") from None
        if self.options and text not in self.options:
            raise Bad("field.choose", options=", ".join(self.options))
        if self.whole is not None:
            _whole(text, *self.whole)


def _whole(text: str, least: int, greatest: int) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text) or not least <= int(text) <= greatest:
        raise Bad("field.whole", least=least, greatest=greatest)
    return int(text)


@dataclass(frozen=True, slots=True)
class Values:
    """What a form held, after checking. Each accessor gives None or the empty text where nothing was
    given.
    """

    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        found = self.given.get(name, ())
        return found[0] if found else ""

    def all(self, name: str) -> tuple[str, ...]:
        return self.given.get(name, ())

    def whole(self, name: str) -> int | None:
        text = self.text(name)
        return int(text) if text else None

    def flag(self, name: str) -> bool:
        return bool(self.text(name))

    def seat(self, name: str) -> Seat | None:
        text = self.text(name)
        return Seat(text) if text else None


SEATS = tuple(seat.value for seat in Seat)
_SUITS = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S"})
_PASSES = {"P", "PASS", "-", "--", "过", "不叫", "PAS"}
_DOUBLES = {"X", "DBL", "DOUBLE", "*", "加倍"}
_REDOUBLES = {"XX", "RDBL", "REDOUBLE", "**", "再加倍"}


def read_call(text: str) -> Call:
    """A call as a director may type it: `1s`, `3NT`, `3n`, `pass`, `x`, `1♠`. Raises Bad."""
    upper = text.strip().upper().translate(_SUITS)
    if upper in _PASSES:
        upper = "P"
    elif upper in _DOUBLES:
        upper = "X"
    elif upper in _REDOUBLES:
        upper = "XX"
    elif re.fullmatch(r"[1-7](N|SA|无将)", upper):
        upper = f"{upper[0]}NT"
    try:
        return parse_call(upper)
    except ValueError:
        raise Bad("field.call", text=text[:20]) from None


def read_auction(text: str, dealer: Seat) -> tuple[tuple[Seat, Call], ...]:
    """Calls with spaces or commas between, from the dealer on in rotation; `S:2H` names another seat.
    Raises Bad.
    """
    calls: list[tuple[Seat, Call]] = []
    seat = dealer
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        named = re.fullmatch(r"([NESWnesw])[:：](.+)", word)
        if named:
            seat = Seat(named[1].upper())
            word = named[2]
        calls.append((seat, read_call(word)))
        seat = seat.lho
    return tuple(calls)
