"""The small words of the scenario language: seats, calls, times, and phrases made of them.

A phrase is written as it is read: `takes {call} back`, with `[by {by:seat}]` for what may be left out. Must
never know what a phrase means.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from hw_sim.misdeeds.order import read_order
from hw_sim.refusals import Refusing, Why
from hw_sim.scenario.errors import NotUnderstood
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import PASS, Call, parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat

T = TypeVar("T")
NS_PER_S = 1_000_000_000
_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}
_CALL = r"(?:pass|P|XX|X|[1-7](?:NT|[CDHS]))"
_REF = r"(?:\#\d+|the summons|[A-Z][A-Z_]{5,})"


def call_of(text: str) -> Call:
    return PASS if text == "pass" else parse_call(text)


def time_of(text: str) -> int:
    """`20 s`, `3 min`, `30 ms`, in ns. Raises ValueError, KeyError."""
    number, unit = text.split()
    seconds = float(number) * _UNITS[unit]
    if not math.isfinite(seconds):
        raise ValueError(f"{text!r} is no time")
    return round(seconds * NS_PER_S)


def seats_of(text: str) -> tuple[Seat, ...]:
    return tuple(Seat(word) for word in re.findall(r"[NESW]", text))


def seat_calls_of(text: str) -> tuple[tuple[Seat, Call], ...]:
    pairs = re.findall(rf"([NESW])\s+({_CALL})", text)
    return tuple((Seat(seat), call_of(call)) for seat, call in pairs)


def ref_of(text: str) -> int | str:
    """An entry: by its number, or the latest of a kind."""
    if text.startswith("#"):
        return int(text[1:])
    return "SUMMONS" if text == "the summons" else text


def refs_of(text: str) -> tuple[int | str, ...]:
    return tuple(ref_of(found) for found in re.findall(_REF, text))


def pairs_of(text: str) -> tuple[tuple[Seat, str], ...]:
    """`N n1, E e7`: a token for each of some seats."""
    return tuple((Seat(seat), token) for seat, token in re.findall(r"([NESW])\s+([\w-]+)", text))


def boards_of(text: str) -> tuple[int, ...]:
    """`1-3, 7`: board numbers in their order."""
    found: list[int] = []
    for part in text.replace(",", " ").split():
        first, _, last = part.partition("-")
        found.extend(range(int(first), int(last or first) + 1))
    return tuple(found)


SLOTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "seat": (r"[NESW]", Seat),
    "seats": (r"[NESW](?:(?:,| and)? [NESW])*", seats_of),
    "side": (r"NE|SW", ScreenSide),
    "call": (_CALL, call_of),
    "calls": (rf"{_CALL}(?: {_CALL})*", lambda text: tuple(call_of(word) for word in text.split())),
    "seat_calls": (rf"[NESW] {_CALL}(?:, [NESW] {_CALL})*", seat_calls_of),
    "bid": (r"[1-7](?:NT|[CDHS])", parse_call),
    "card": (r"[SHDC][2-9TJQKA]", parse_card),
    "time": (r"\d+(?:\.\d+)? (?:ms|s|min)", time_of),
    "number": (r"\d+", int),
    "vulnerability": (r"None|NS|EW|Both", Vulnerability),
    "ref": (_REF, ref_of),
    "refs": (rf"{_REF}(?:(?:,| and) {_REF})*", refs_of),
    "word": (r"[\w.-]+", str),
    "pairs": (r"[NESW] [\w-]+(?:, [NESW] [\w-]+)*", pairs_of),
    "boards": (r"\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*", boards_of),
    "misdeed": (r"[a-z-]+(?: [a-z_]+=\S+)*", read_order),
    "text": (r'"[^"]*"', lambda text: text[1:-1]),
}
_PIECE = re.compile(r"\{(?:(\w+):)?(\w+)\}|(\[)|(\])|([^\[\]{]+)")


@dataclass(frozen=True, kw_only=True)  # no slots: Python 3.11 cannot have them on a frozen generic
class Phrase(Generic[T]):
    """`form` as it is read, `example` as it is written, `means` in one clause; `make` from its slots."""

    form: str
    example: str
    means: str
    make: Callable[..., T]

    def read(self, text: str) -> T | None:
        """What it makes of this text, None if it is another phrase."""
        found = _compiled(self.form).fullmatch(text)
        if found is None:
            return None
        slots = {name: _slot_of(self.form, name)(value) for name, value in found.groupdict().items()
                 if value is not None}  # fmt: skip
        return self.make(**slots)


@lru_cache(maxsize=512)
def _compiled(form: str) -> re.Pattern[str]:
    parts: list[str] = []
    for name, kind, opens, closes, words in _PIECE.findall(form):
        if kind:
            parts.append(f"(?P<{name or kind}>{SLOTS[kind][0]})")
        elif opens:
            parts.append("(?:")
        elif closes:
            parts.append(")?")
        else:
            parts.append(re.escape(words))
    return re.compile("".join(parts))


@lru_cache(maxsize=2048)
def _slot_of(form: str, name: str) -> Callable[[str], object]:
    kinds = {given or kind: kind for given, kind, *_ in _PIECE.findall(form) if kind}
    return SLOTS[kinds[name]][1]


def read_phrase(text: str, phrases: Sequence[Phrase[T]], what: str, who: str | None = None) -> T:
    """The first phrase that fits; `who`: whose deed it is. Raises NotUnderstood, naming what there is."""
    for phrase in phrases:
        try:
            found = phrase.read(text)
        except ValueError as problem:
            raise not_a_word(text, problem) from None
        if found is not None:
            return found
    near = like(text, phrases)
    if who is not None:
        raise NotUnderstood(
            f"{text!r} is no {what}; write {listed(near)}", Why.NO_SUCH_DEED, text=text, who=who, like=near
        )
    raise NotUnderstood(
        f"{text!r} is no {what}; write {listed(near)}", Why.NO_SUCH_PHRASE, text=text, thing=what, like=near
    )


def not_a_word(text: str, problem: ValueError) -> NotUnderstood:
    """A word of this phrase is none: for the reason it says itself, where it says one."""
    sentence = f"{text!r}: {problem}"
    if isinstance(problem, Refusing):
        return NotUnderstood(sentence, problem.said.why, **problem.said.params)
    return NotUnderstood(sentence, Why.PHRASE_WRONG, text=text)


def like(text: str, phrases: Sequence[Phrase[T]]) -> list[str]:
    """The phrases nearest to this text, as examples; all where none is near."""
    words = set(re.findall(r"\w+", text))
    ranked = sorted(phrases, key=lambda phrase: -len(words & set(re.findall(r"\w+", phrase.example))))
    near = [one.example for one in ranked if words & set(re.findall(r"\w+", one.example))][:4]
    return near or [one.example for one in phrases]


def listed(items: Iterable[str]) -> str:
    return ", ".join(f"`{item}`" for item in items)
