"""What the director does in a scenario, at his desk: the closed union `DirectorDeed`.

Must never say whether it makes sense: the table answers that.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.scenario.deed_base import DeedBase
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Bid, Call
from table_controller.laws.seat import Seat

EntryRef = int | str
"""An entry by its number among those of the scenario, or the latest of a kind by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorHolds(DeedBase):
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorResumes(DeedBase):
    """`reasons` as he names them: `director`, or an entry; none: all of them."""

    reasons: tuple[EntryRef, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIs(DeedBase):
    """The call numbered from 1 was another, or never was (None)."""

    number: int
    call: Call | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionIs(DeedBase):
    calls: tuple[tuple[Seat, Call], ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardIs(DeedBase):
    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractIs(DeedBase):
    """`bid` None: passed out."""

    bid: Bid | None
    doubled: int = 0
    declarer: Seat | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderIs(DeedBase):
    seat: Seat
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseIs(DeedBase):
    phase: str
    why: str = ""


Correction = CallIs | AuctionIs | BoardIs | ContractIs | LeaderIs | PhaseIs


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorCloses(DeedBase):
    """The entry was a misreading."""

    entry: EntryRef
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorRules(DeedBase):
    """`verdict`: accept, cancel or other."""

    verdict: str
    entries: tuple[EntryRef, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorObliges(DeedBase):
    """A ruling on these entries by which a seat must pass: for `turns`, or whenever its turn comes."""

    seat: Seat
    turns: int | None
    entries: tuple[EntryRef, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorClassifies(DeedBase):
    entry: EntryRef
    subject: str
    about: Seat | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorSendsTrayBack(DeedBase):
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorMovesWindow(DeedBase):
    opens: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTimes:
    """`contest` as the time tables have it; `due` when it begins, ns from the order on, below 0 before it;
    `board` what both sides have for a board, ns, and `pair` what each has.
    """

    contest: str
    due: int
    board: int
    pair: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorOpensSession(DeedBase):
    """`boards` in their order; `waived`: pairs that alert nothing; `times` None: nothing is said of time."""

    boards: tuple[int, ...]
    players: tuple[tuple[Seat, str], ...] = ()
    waived: tuple[str, ...] = ()
    times: SessionTimes | None = None


DirectorDeed = (
    DirectorHolds
    | DirectorResumes
    | CallIs
    | AuctionIs
    | BoardIs
    | ContractIs
    | LeaderIs
    | PhaseIs
    | DirectorCloses
    | DirectorRules
    | DirectorObliges
    | DirectorClassifies
    | DirectorSendsTrayBack
    | DirectorMovesWindow
    | DirectorOpensSession
)
