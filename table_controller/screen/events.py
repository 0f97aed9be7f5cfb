"""What can happen at a table, in the past tense: the closed union `Event`.

Everything the core learns arrives as one of these, time included, so that the same events give the same
effects. A fact is never refused. Must never carry a sensor name, a file or a wall clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.event_base import (
    Column as Column,
    EventBase,
    WindowOrder as WindowOrder,
    WindowState as WindowState,
)
from table_controller.screen.orders import (
    BoardDue as BoardDue,
    Corrected as Corrected,
    CorrectedAuction as CorrectedAuction,
    CorrectedBoard as CorrectedBoard,
    CorrectedCall as CorrectedCall,
    CorrectedContract as CorrectedContract,
    CorrectedLeader as CorrectedLeader,
    CorrectedPhase as CorrectedPhase,
    Correction as Correction,
    EntryClosed as EntryClosed,
    Held as Held,
    Resumed as Resumed,
    Ruled as Ruled,
    SeatObliged as SeatObliged,
    SessionOpened as SessionOpened,
    SessionPlan as SessionPlan,
    Subject as Subject,
    SummonsClassified as SummonsClassified,
    TrayBackOrdered as TrayBackOrdered,
    Verdict as Verdict,
    WindowOverridden as WindowOverridden,
)

# --- board and tray


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlaced(EventBase):
    """A board lies on the tray. `number`, `dealer`, `vulnerability`: what its tag says, else None."""

    number: int | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRemoved(EventBase):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayLeft(EventBase):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayArrived(EventBase):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class TraySeen(EventBase):
    """What a face's readers show once they have settled after an arrival (or at a restart)."""

    side: ScreenSide
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayHandled(EventBase):
    """A hand took (`held`) or let go the tray's handle at this seat."""

    seat: Seat
    held: bool


# --- window


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowMoved(EventBase):
    """The window's state changed. `order`: the order of ours being carried out when it did, or None."""

    state: WindowState
    order: WindowOrder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowHandled(EventBase):
    """A hand took (`held`) or let go the window's handle at this seat."""

    seat: Seat
    held: bool


# --- calls


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade(EventBase):
    """A bidding card lies on the tray in this seat's column."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReleased(EventBase):
    """The hand has left the card just laid (tables that sense it)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWithdrawn(EventBase):
    """A card was taken off the tray in this seat's column: `call` is what lay on top."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCleared(EventBase):
    """All bidding cards of this face have been taken up."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionOverPressed(EventBase):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertPlaced(EventBase):
    """This seat alerted his own screenmate (to his partner's last call, or his own: `interpretation`)."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRemoved(EventBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StopCardSeen(EventBase):
    seat: Seat


# --- hands and players


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsTaken(EventBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(EventBase):
    """A player's token lies at this seat. `player` is an opaque token, never a name."""

    seat: Seat
    player: str


# --- lead and play


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadMade(EventBase):
    """A card lies on this seat's lead spot, first seen face down or `faced` (None: the spot cannot tell)."""

    seat: Seat
    faced: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadAnnounced(EventBase):
    """This seat pressed *my screenmate has led face down*."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadFaced(EventBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadWithdrawn(EventBase):
    """The lead spot at this seat is empty again."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(EventBase):
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DummySpread(EventBase):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade(EventBase):
    seat: Seat


# --- the director: what he does is in `orders`


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorSummoned(EventBase):
    seat: Seat


# --- time, hardware, ourselves


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(EventBase):
    """A deadline the core set has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorDoubted(EventBase):
    """`sense` (a signal's name without seat or face: `tray`, `window`, `lead`) cannot be believed."""

    sense: str
    kind: FaultKind
    component: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorCleared(EventBase):
    sense: str
    kind: FaultKind
    component: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSeen(EventBase):
    """A fault that makes no sense doubtful: jammed window, storage, clock, an inferred edge."""

    kind: FaultKind
    component: str
    detail: str = ""
    standing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGone(EventBase):
    kind: FaultKind
    component: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReset(EventBase):
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsLost(EventBase):
    """So many changes will never be told; 0: nobody knows, for nothing was read for `gap` ns before `at`."""

    count: int
    gap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLost(EventBase):
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRestored(EventBase):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted(EventBase):
    """The controller came back. Events read off the levels follow, marked inferred, and `SensorsRead`."""

    down_since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorsRead(EventBase):
    """All there is to sense has been read afresh since the controller, the device, the link or the belief in
    a sensor came back; what differs from what was believed has been told.
    """


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
    | SensorsRead
)
