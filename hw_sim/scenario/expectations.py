"""What a scenario expects of the table: the closed union `Expectation`.

Written behind `->` it is about what the deed of that line brought; on a line that begins with `expect` it is
about how things stand. Must never hold anything about how a runner looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hw_sim.scenario.expected_entries import (
    Attribute as Attribute,
    ClosedBy as ClosedBy,
    EntryExpected as EntryExpected,
    EntryMode as EntryMode,
    HasBoard as HasBoard,
    HasCall as HasCall,
    HasCalledOver as HasCalledOver,
    HasCitation as HasCitation,
    HasCourse as HasCourse,
    HasFace as HasFace,
    HasFact as HasFact,
    HasGap as HasGap,
    HasLevel as HasLevel,
    HasMover as HasMover,
    HasOtherCall as HasOtherCall,
    HasStage as HasStage,
    HasStanding as HasStanding,
    IsAfterBoard as IsAfterBoard,
)
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCount:
    """So many entries of this kind since the scenario began; `kind` None: of any kind but a summons."""

    count: int
    kind: Kind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingReported:
    """No entry is new with this deed, a summons apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoIrregularity:
    """None since the scenario began, summonses apart."""


# --- the window


class OrderSeen(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOrdered:
    """This order was given with the deed; on an `expect` line: is the last one given."""

    order: OrderSeen


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowNotOrdered:
    """No such order with the deed, or not in force; `order` None: none at all."""

    order: OrderSeen | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowStands:
    """As the table senses it: closed, between, open, unknown."""

    state: str


# --- phase, auction, contract


@dataclass(frozen=True, slots=True, kw_only=True)
class InPhase:
    """A leaf, or the beginning of its name: `auction` is also `auction.ne`."""

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThroughPhase:
    """The deed brought the table into this phase, perhaps only to leave it again."""

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBoard:
    number: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """None: the table does not know."""

    dealer: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vulnerable:
    vulnerability: Vulnerability | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractStands:
    """`4SX` by a seat, `Pass`, or None: unknown."""

    contract: str | None
    declarer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderStands:
    seat: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStands:
    seat: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionStands:
    """The calls as they lie, oldest first."""

    calls: tuple[tuple[Seat, Call], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayStands:
    """NE, SW, moving, conflict or unknown."""

    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadLies:
    """The seat whose lead lies; None: none does. `faced` None: whichever."""

    seat: Seat | None
    faced: bool | None = None


# --- holds, lamps, faults, refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class OnHold:
    on: bool
    number: int | None = None
    """How many reasons for it there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldOutput:
    """The hold output of a face."""

    side: ScreenSide
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SummonsLamp:
    seat: Seat
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultExpected:
    """Raised since the scenario began. `standing` None: whether or not it still stands."""

    kind: FaultKind
    standing: bool | None = None
    there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFault:
    """None stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A director's order was refused, for a reason with these words."""

    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIs:
    """A check is off at this table now, or on."""

    check: str
    off: bool


# --- visits and boards


class Part(StrEnum):
    """Of a visit, besides the players' thinking."""

    HOLD = "hold"
    TRANSIT = "transit"
    STAY = "stay"
    """From arrival to departure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitExpected:
    """The latest visit to a face, or the one of this ordinal. Times in ns; None: expected to be unknown."""

    side: ScreenSide
    ordinal: int | None = None
    thinking: tuple[tuple[Seat, int | None], ...] = ()
    parts: tuple[tuple[Part, int | None], ...] = ()
    interrupted: bool | None = None
    returned: bool | None = None
    mover: HasMover | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitCount:
    count: int


class Outcome(StrEnum):
    COMPLETED = "completed"
    ABANDONED = "abandoned"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecorded:
    """The latest board whose record was closed. What is None is not looked at; `contract` as recorded.

    `irregularities`: these, and there may be others.
    """

    number: int | None = None
    outcome: Outcome | None = None
    contract: str | None = None
    declarer: Seat | None = None
    tricks: int | None = None
    crossings: int | None = None
    irregularities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCount:
    """So many boards' records were closed."""

    count: int


Expectation = (
    EntryExpected
    | EntryCount
    | NothingReported
    | NoIrregularity
    | WindowOrdered
    | WindowNotOrdered
    | WindowStands
    | InPhase
    | ThroughPhase
    | OnBoard
    | Dealt
    | Vulnerable
    | ContractStands
    | LeaderStands
    | TurnStands
    | AuctionStands
    | TrayStands
    | LeadLies
    | OnHold
    | HoldOutput
    | SummonsLamp
    | FaultExpected
    | NoFault
    | Refused
    | CheckIs
    | VisitExpected
    | VisitCount
    | BoardRecorded
    | BoardCount
)

OF_THE_DEED = (EntryMode.REPORT, EntryMode.AMEND)
