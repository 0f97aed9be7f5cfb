"""Every provision of a profile, changed to each other answer in turn.

Strategies: every other member. Yes or no: the other. Waits: a tenth less and a tenth more. Faces and movers:
the other seatings. Numbers of the Laws: each one, wrong. Tables of times: each figure, a neighbour.
Must never change two things at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from table_controller.laws.seat import Faces, Seat
from table_controller.regulations.keys import ALL
from table_controller.regulations.model import LawNumbers, Movers, Regulations
from table_controller.regulations.provision import Provision

N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W
FACES = (Faces(), Faces(ne=(N, W), sw=(S, E)))
MOVERS = (Movers(ne=N, sw=S), Movers(ne=E, sw=S), Movers(ne=N, sw=W), Movers(ne=E, sw=W))


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One provision of one profile with another value; `shown` says which, in a word."""

    profile: str
    provision: str
    shown: str
    value: object

    def __str__(self) -> str:
        return f"{self.profile} {self.provision} {self.shown}"

    def of(self, regulations: Regulations) -> Regulations:
        group, name = self.provision.split(".")
        rules = getattr(regulations, group)
        return replace(
            regulations, **{group: replace(rules, **{name: replace(getattr(rules, name), value=self.value)})}
        )


def value_of(regulations: Regulations, provision: str) -> object:
    group, name = provision.split(".")
    found = getattr(getattr(regulations, group), name)
    assert isinstance(found, Provision)
    return found.value


def flips_of(profile: str, regulations: Regulations) -> Iterator[Flip]:
    for provision in ALL:
        for shown, value in _others(value_of(regulations, provision)):
            yield Flip(profile=profile, provision=provision, shown=shown, value=value)


def _others(value: object) -> Iterator[tuple[str, object]]:
    match value:
        case bool():
            yield str(not value).lower(), not value
        case float():
            yield "a tenth less", value * 0.9
            yield "a tenth more", value * 1.1
        case StrEnum():
            yield from ((str(other), other) for other in type(value) if other is not value)
        case Faces():
            yield from ((f"{one.ne[1]} with North", one) for one in FACES if one != value)
        case Movers():
            yield from ((f"{one.ne} and {one.sw}", one) for one in MOVERS if one != value)
        case LawNumbers(pairs=pairs):
            for place, (old, new) in enumerate(pairs):
                wrong = (*pairs[:place], (old, f"{new}X"), *pairs[place + 1 :])
                yield f"{old} as {new}X", LawNumbers(pairs=wrong)
        case None:
            return
        case _:
            yield from _neighbours(value, "")


def _neighbours(value: Any, where: str) -> Iterator[tuple[str, object]]:
    """Every figure and every named answer inside a table, one at a time."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, StrEnum):
        members = list(type(value))
        other = members[(members.index(value) + 1) % len(members)]
        if other is not value:
            yield f"{where}: {other}", other
    elif isinstance(value, int | Decimal):
        yield f"{where}: {value + 1}", value + 1
    elif isinstance(value, tuple):
        for place, one in enumerate(value):
            for shown, near in _neighbours(one, f"{where}[{place}]"):
                yield shown, (*value[:place], near, *value[place + 1 :])
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for shown, near in _neighbours(getattr(value, field.name), f"{where}.{field.name}"):
                yield shown, replace(value, **{field.name: near})
