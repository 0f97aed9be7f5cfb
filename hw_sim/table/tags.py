"""What is printed on a duplicate board and read by a tag reader: `7`, `7:E:NS`, `:W:All`.

Must never fill in what a tag leaves out: dealer and vulnerability that are not printed follow from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.refusals import Refusing, Why
from table_controller.laws.board import Vulnerability
from table_controller.laws.seat import Seat

MAX_BYTES = 12
"""A tag reader carries no more."""
_PRINTED = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "NS",
    Vulnerability.EW: "EW",
    Vulnerability.BOTH: "All",
}


class NoTag(Refusing, ValueError):
    """No board says this; the sentence says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTag:
    """A board's tag. Raises ValueError for one that cannot be read or says nothing."""

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None

    def __post_init__(self) -> None:
        if self.vulnerability is not None and self.dealer is None:
            raise NoTag(
                "a board's tag prints the vulnerability behind the dealer; give the dealer too",
                Why.BOARD_NEEDS_DEALER,
            )
        if not str(self):
            raise NoTag(
                "a board's tag says its number, its dealer, or both; give one of them",
                Why.BOARD_SAYS_NOTHING,
            )
        if len(str(self)) > MAX_BYTES:
            raise NoTag(
                f"a board's tag has at most {MAX_BYTES} characters, {str(self)!r} has more",
                Why.BOARD_SAYS_TOO_MUCH,
                text=str(self),
                most=MAX_BYTES,
            )

    def __str__(self) -> str:
        parts = [str(self.number or "")]
        if self.dealer is not None:
            parts.append(self.dealer.value)
            if self.vulnerability is not None:
                parts.append(_PRINTED[self.vulnerability])
        return ":".join(parts)
