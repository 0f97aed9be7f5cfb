"""What is printed on a duplicate board and read by a tag reader: `7`, `7:E:NS`, `:W:All`.

Must never fill in what a tag leaves out: dealer and vulnerability that are not printed follow from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTag:
    """A board's tag. Raises ValueError for one that cannot be read or says nothing."""

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None

    def __post_init__(self) -> None:
        if self.vulnerability is not None and self.dealer is None:
            raise ValueError("a board's tag prints the vulnerability behind the dealer; give the dealer too")
        if not str(self):
            raise ValueError("a board's tag says its number, its dealer, or both; give one of them")
        if len(str(self)) > MAX_BYTES:
            raise ValueError(f"a board's tag has at most {MAX_BYTES} characters, {str(self)!r} has more")

    def __str__(self) -> str:
        parts = [str(self.number or "")]
        if self.dealer is not None:
            parts.append(self.dealer.value)
            if self.vulnerability is not None:
                parts.append(_PRINTED[self.vulnerability])
        return ":".join(parts)
