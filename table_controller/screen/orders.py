"""What the director does at a table, as events: each with who and why.

An order is a fact like any other: it is journalled whether or not it makes sense, and the core answers one
that does not with `Refuse`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.seat import Seat
from table_controller.screen.event_base import EventBase, WindowOrder
from table_controller.screen.times import NO_PLAN, SessionPlan as SessionPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorOrder(EventBase):
    """Something the director did. `by`: who; `why`: in his words, may be empty; `command`: its identity."""

    by: str
    why: str = ""
    command: str = ""


class Subject(StrEnum):
    """What the director says a summons was about."""

    TEMPO = "tempo"
    CALL = "call"
    TRAY = "tray"
    ALERT = "alert"
    LEAD = "lead"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummonsClassified(DirectorOrder):
    """`entry`: the summons' entry id. `about`: the player it concerns (TEMPO: who broke it)."""

    entry: int
    subject: Subject
    about: Seat | None = None


class Verdict(StrEnum):
    """The ruling's form. The table acts on ACCEPT, CANCEL and OBLIGE; OTHER is only kept."""

    ACCEPT = "accept"
    CANCEL = "cancel"
    OBLIGE = "oblige"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(DirectorOrder):
    """Closes exactly the entries it names."""

    entries: tuple[int, ...]
    verdict: Verdict
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedCall:
    """The call at `index` (from 0, in order made) was misread: it is `call`, or never was (None)."""

    index: int
    call: Call | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedAuction:
    """The auction is this."""

    calls: tuple[tuple[Seat, Call], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedBoard:
    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedContract:
    """`declarer` and the bid as text (`4S`, doubled 0 to 2); `bid` None: passed out."""

    bid: Call | None
    doubled: int = 0
    declarer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedLeader:
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedPhase:
    """A leaf of the phase machine, by the name the diagram has."""

    phase: str


Correction = (
    CorrectedCall | CorrectedAuction | CorrectedBoard | CorrectedContract | CorrectedLeader | CorrectedPhase
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(DirectorOrder):
    what: Correction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatObliged(DirectorOrder):
    """Must pass: for `turns` calls, or whenever it is its turn (None)."""

    seat: Seat
    turns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryClosed(DirectorOrder):
    """A misreading: the sensors were wrong."""

    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Held(DirectorOrder):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(DirectorOrder):
    """`reasons`: which holds end; empty ends them all."""

    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayBackOrdered(DirectorOrder):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOverridden(DirectorOrder):
    """The director's own order. An obstruction still refuses it."""

    to: WindowOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDue:
    """A board of the session. `dealer` and `vulnerability` None: they follow from the number."""

    number: int
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened(DirectorOrder):
    """What is to be played here.

    `players`: opaque tokens by seat. `alerts_waived`: pairs that alert nothing (21.6). `plan`: its time.
    """

    session: str
    boards: tuple[BoardDue, ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    alerts_waived: tuple[str, ...] = ()
    plan: SessionPlan = NO_PLAN
