"""One rule as data: a value, who says so, since when, and how sure we are that he says it.

A director may ask of anything this table does "who says?"; so nothing that an authority decides is a bare
number in code. Must never hold a rule without a citation: one that has none does not load.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)

NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000


class Standing(StrEnum):
    """How well the source of a provision is known."""

    TEXT = "text"  # the rule itself was read
    QUOTED = "quoted"  # read as a quotation in another document
    UNCONFIRMED = "unconfirmed"  # common knowledge, no text seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a rule stands. `article` is None where it is not known, and is then shown as unknown.

    `note` says in a few words what a director must know of the source: "implied", "one ruling", "older EBU".
    """

    document: str
    article: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision(Generic[T_co]):
    """A value with its source. `date` is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `unknown`.

    `layer` is the id of the profile or supplement that gave it: `laws-2017`, an authority, an event.
    """

    value: T_co
    citation: Citation
    date: str
    standing: Standing
    layer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One article an irregularity falls under, as the profile in force numbers it.

    `document` is the title of the document; `number` is None where it is not known. `law` is true for the
    Laws of bridge (then `number_2017` is the number in the code of 2017). `provision` is the dotted key of
    the provision this article stands for, where the profile says no more than that provision does. `note` as
    in Citation.
    """

    document: str
    number: str | None
    law: bool
    number_2017: str | None
    standing: Standing
    provision: str | None = None
    note: str = ""


def nanoseconds(seconds: float) -> int:
    """Seconds (as provisions give them) to integer nanoseconds (as events carry them)."""
    return round(seconds * NS_PER_S)
