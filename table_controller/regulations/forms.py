"""Readers of the values a TOML file may hold: each returns a typed value or says what it expected.

Used by `keys` for every provision. Must never know which provision it reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar

from table_controller.laws.seat import Faces, Seat
from table_controller.regulations.model import LawNumbers, Movers

E = TypeVar("E", bound=StrEnum)


def fields(
    value: object, *, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Mapping[str, object]:
    """A TOML table with the fields named and no other."""
    wanted = f"expected a table with {', '.join(required)}"
    if not isinstance(value, dict):
        raise ValueError(f"{wanted}, not {shown(value)}")
    if not set(required) <= set(value) <= {*required, *optional}:
        raise ValueError(f"{wanted}, not with {', '.join(map(shown, value)) or 'nothing'}")
    return value


def one_of(kind: type[E]) -> Callable[[object], E]:
    """A reader for a named strategy, written as its value."""

    def parse(value: object) -> E:
        for member in kind:
            if value == member.value and isinstance(value, str):
                return member
        raise ValueError(f"expected one of {', '.join(member.value for member in kind)}, not {shown(value)}")

    return parse


def yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, not {shown(value)}")


def positive(value: object) -> float:
    """A positive, finite number (seconds or milliseconds by the key's ending)."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        return float(value)
    raise ValueError(f"expected a number above zero, not {shown(value)}")


def seat(value: object) -> Seat:
    return one_of(Seat)(value)


def _two_seats(value: object) -> tuple[Seat, Seat]:
    if isinstance(value, list) and len(value) == 2:
        return seat(value[0]), seat(value[1])
    raise ValueError(f"expected two seats such as ['N', 'E'], not {shown(value)}")


def faces(value: object) -> Faces:
    both = fields(value, required=("ne", "sw"))
    return Faces(ne=_two_seats(both["ne"]), sw=_two_seats(both["sw"]))


def movers(value: object) -> Movers:
    both = fields(value, required=("ne", "sw"))
    return Movers(ne=seat(both["ne"]), sw=seat(both["sw"]))


def law_numbers(value: object) -> LawNumbers:
    """A table of older numbers to 2017 numbers, both as text."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a table such as {{ '34' = '17D3' }}, not {shown(value)}")
    pairs: list[tuple[str, str]] = []
    for old, new in value.items():
        if not isinstance(new, str) or not new:
            raise ValueError(f"expected text for the 2017 number of {shown(old)}, not {shown(new)}")
        pairs.append((str(old), new))
    return LawNumbers(pairs=tuple(pairs))


def shown(value: object) -> str:
    """A value as it may stand in a sentence: short, on one line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
