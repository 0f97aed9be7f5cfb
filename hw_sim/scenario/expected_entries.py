"""What a scenario expects of an entry: its kinds and seats, and attributes of it.

Must never hold how an entry is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import Certainty, Kind, Level, Stage, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class HasStage:
    stage: Stage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HasLevel:
    level: Level


@dataclass(frozen=True, slots=True, kw_only=True)
class HasCourse:
    """A row of the course whose key has these words, or none that has (`there` False)."""

    words: str
    there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HasCalledOver:
    by: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HasMover:
    """`seat` None where nobody is named; `certainty` None: whatever it is."""

    seat: Seat | None
    certainty: Certainty | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HasCall:
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class HasOtherCall:
    """The call laid in its place, or the bid it failed to outrank."""

    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class HasStanding:
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class HasFace:
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class HasBoard:
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IsAfterBoard:
    """To be shown only when the board is over."""

    after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HasGap:
    """From the call to the push that carried it."""

    ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HasFact:
    name: str
    text: str | None = None
    there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class HasCitation:
    """An article departed from."""

    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedBy:
    """Somebody closed it; `why` None: whatever he said."""

    who: str
    why: str | None = None


Attribute = (
    HasStage
    | HasLevel
    | HasCourse
    | HasCalledOver
    | HasMover
    | HasCall
    | HasOtherCall
    | HasStanding
    | HasFace
    | HasBoard
    | IsAfterBoard
    | HasGap
    | HasFact
    | HasCitation
    | ClosedBy
)


class EntryMode(StrEnum):
    """In what way an entry is expected."""

    REPORT = "report"
    """It, or one of its kinds, is new with this deed."""
    AMEND = "amend"
    """It was there before and this deed changed it."""
    ENTRY = "entry"
    """It is there."""
    NO_ENTRY = "no entry"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryExpected:
    """An entry with all these kinds. `seats` None: whoever; empty: nobody named. `number`: that of `#2`."""

    mode: EntryMode
    kinds: tuple[Kind, ...]
    seats: tuple[Seat, ...] | None = None
    number: int | None = None
    attributes: tuple[Attribute, ...] = ()
