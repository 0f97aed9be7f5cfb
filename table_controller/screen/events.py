"""What can happen at a table, in the past tense: the closed union `Event`.

Everything the core learns arrives as one of these, time included, so that the same events give the same
effects. A fact is never refused. Must never carry a sensor name, a file or a wall clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind


class WindowState(StrEnum):
    CLOSED = "closed"
    BETWEEN = "between"
    """Neither limit switch: on its way, or left part-way."""
    OPEN = "open"
    UNKNOWN = "unknown"


class WindowOrder(StrEnum):
    OPEN = "open"
    CLOSE = "close"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """`at`: monotonic ns, never decreasing from event to event. `uncertainty`: ns, the most it may be off.

    `inferred`: not seen as an edge but read off a level afterwards; it happened between `not_before` and `at`.
    """

    at: int
    uncertainty: int = 0
    inferred: bool = False
    not_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One player's bidding cards as a dock's reader sees them: how many, and the top one (None when empty)."""

    seat: Seat
    count: int
    top: Call | None


# --- board and tray


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlaced(_Event):
    """A board lies on the tray. `number`, `dealer`, `vulnerability`: what its tag says, None where it does not."""

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRemoved(_Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayLeft(_Event):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayArrived(_Event):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class TraySeen(_Event):
    """What a face's readers show once they have settled after an arrival (or at a restart)."""

    side: ScreenSide
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayHandled(_Event):
    """A hand took (`held`) or let go the tray's handle at this seat."""

    seat: Seat
    held: bool


# --- window


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowMoved(_Event):
    """The window's state changed. `order`: the order of ours being carried out when it did, or None."""

    state: WindowState
    order: WindowOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowHandled(_Event):
    """A hand took (`held`) or let go the window's handle at this seat."""

    seat: Seat
    held: bool


# --- calls


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade(_Event):
    """A bidding card lies on the tray in this seat's column."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReleased(_Event):
    """The hand has left the card just laid (tables that sense it)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWithdrawn(_Event):
    """A card was taken off the tray in this seat's column: `call` is what lay on top."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCleared(_Event):
    """All bidding cards of this face have been taken up."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionOverPressed(_Event):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertPlaced(_Event):
    """This seat alerted his own screenmate (to his partner's last call, or his own: `interpretation`)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRemoved(_Event):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StopCardSeen(_Event):
    seat: Seat


# --- hands and players


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsTaken(_Event):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(_Event):
    """A player's token lies at this seat. `player` is an opaque token, never a name."""

    seat: Seat
    player: str


# --- lead and play


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadMade(_Event):
    """A card lies on this seat's lead spot, first seen face down or `faced` (None: the spot cannot tell)."""

    seat: Seat
    faced: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadAnnounced(_Event):
    """This seat pressed *my screenmate has led face down*."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadFaced(_Event):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadWithdrawn(_Event):
    """The lead spot at this seat is empty again."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(_Event):
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DummySpread(_Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(_Event):
    seat: Seat


# --- the director


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorSummoned(_Event):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order(_Event):
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
class SummonsClassified(_Order):
    """`entry`: the summons' entry id. `about`: the player it concerns (TEMPO: who is said to have broken tempo)."""

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
class Ruled(_Order):
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
class Corrected(_Order):
    what: Correction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatObliged(_Order):
    """Must pass: for `turns` calls, or whenever it is its turn (None)."""

    seat: Seat
    turns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryClosed(_Order):
    """A misreading: the sensors were wrong."""

    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Held(_Order):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(_Order):
    """`reasons`: which holds end; empty ends them all."""

    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayBackOrdered(_Order):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOverridden(_Order):
    """The director's own order. An obstruction still refuses it."""

    to: WindowOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDue:
    """A board of the session. `dealer` and `vulnerability` None: they follow from the number."""

    number: int
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened(_Order):
    """What is to be played here. `players`: opaque tokens by seat; `alerts_waived`: pairs that alert nothing (21.6)."""

    session: str
    boards: tuple[BoardDue, ...] = ()
    players: tuple[tuple[Seat, str], ...] = ()
    alerts_waived: tuple[str, ...] = ()


# --- time, hardware, ourselves


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(_Event):
    """A deadline the core set has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorDoubted(_Event):
    """`sense` (a signal's name without its seat or face, e.g. `tray`, `window`, `lead`) cannot be believed."""

    sense: str
    kind: FaultKind
    component: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorCleared(_Event):
    sense: str
    kind: FaultKind
    component: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSeen(_Event):
    """A fault that makes no sense doubtful: jammed window, storage, clock, an inferred edge."""

    kind: FaultKind
    component: str
    detail: str = ""
    standing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGone(_Event):
    kind: FaultKind
    component: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReset(_Event):
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsLost(_Event):
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLost(_Event):
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRestored(_Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted(_Event):
    """The controller came back. Events read off the levels follow, marked inferred; `down_since` may be unknown."""

    down_since: int | None = None


Event = (
    BoardPlaced
    | BoardRemoved
    | TrayLeft
    | TrayArrived
    | TraySeen
    | TrayHandled
    | WindowMoved
    | WindowHandled
    | CallMade
    | CallReleased
    | CallWithdrawn
    | CardsCleared
    | AuctionOverPressed
    | AlertPlaced
    | AlertRemoved
    | StopCardSeen
    | HandsTaken
    | SeatTaken
    | LeadMade
    | LeadAnnounced
    | LeadFaced
    | LeadWithdrawn
    | CardPlayed
    | DummySpread
    | ClaimMade
    | DirectorSummoned
    | SummonsClassified
    | Ruled
    | Corrected
    | SeatObliged
    | EntryClosed
    | Held
    | Resumed
    | TrayBackOrdered
    | WindowOverridden
    | SessionOpened
    | TimePassed
    | SensorDoubted
    | SensorCleared
    | FaultSeen
    | FaultGone
    | DeviceReset
    | EventsLost
    | LinkLost
    | LinkRestored
    | Restarted
)
