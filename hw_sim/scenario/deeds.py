"""What can be done in a scenario, by players, the director and the hardware: the closed union `Deed`.

A deed is what somebody does at the table, never what the table believes. Must never say what is expected of
it: that is `expectations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hw_sim.scenario.deed_base import DeedBase
from hw_sim.scenario.director_deeds import (
    AuctionIs as AuctionIs,
    BoardIs as BoardIs,
    CallIs as CallIs,
    ContractIs as ContractIs,
    Correction as Correction,
    DirectorClassifies as DirectorClassifies,
    DirectorCloses as DirectorCloses,
    DirectorDeed as DirectorDeed,
    DirectorHolds as DirectorHolds,
    DirectorMovesWindow as DirectorMovesWindow,
    DirectorObliges as DirectorObliges,
    DirectorOpensSession as DirectorOpensSession,
    DirectorResumes as DirectorResumes,
    DirectorRules as DirectorRules,
    DirectorSendsTrayBack as DirectorSendsTrayBack,
    EntryRef as EntryRef,
    LeaderIs as LeaderIs,
    PhaseIs as PhaseIs,
    SessionTimes as SessionTimes,
)
from hw_sim.scenario.hardware_deeds import (
    Cable as Cable,
    ControllerDies as ControllerDies,
    ControllerReturns as ControllerReturns,
    Doubtful as Doubtful,
    Jam as Jam,
    MisdeedBelow as MisdeedBelow,
    Obstruct as Obstruct,
    ResetDevice as ResetDevice,
    SensorFails as SensorFails,
    SensorRecovers as SensorRecovers,
)
from hw_sim.table.tags import BoardTag
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import ScreenSide, Seat

# --- board, hands, seats


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceBoard(DeedBase):
    """`tag` None: the scenario's own board. `hands` False: they have been taken out before."""

    tag: BoardTag | None = None
    hands: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftBoard(DeedBase):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeHand(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnHand(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeHandsOf(DeedBase):
    """Both hands of a face."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class SitDown(DeedBase):
    """`player` is an opaque token."""

    seat: Seat
    player: str


# --- tray


@dataclass(frozen=True, slots=True, kw_only=True)
class PushTray(DeedBase):
    """Across, to `to`. `by` None: the proper mover of the face it is on."""

    to: ScreenSide
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendTray(DeedBase):
    """Pushed across, and nobody waits for it to arrive."""

    by: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitTray(DeedBase):
    """People wait until it has arrived."""

    to: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveTrayBetween(DeedBase):
    """Pushed off the face it is on, and left between the two."""

    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BringTray(DeedBase):
    """From between the faces to `to`."""

    to: ScreenSide


# --- calls and cards on the tray


@dataclass(frozen=True, slots=True, kw_only=True)
class LayCall(DeedBase):
    """`keep`: the fingers stay on the card."""

    seat: Seat
    call: Call
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayTogether(DeedBase):
    """Two cards at the same moment, the first a hair before the second."""

    first: LayCall
    second: LayCall


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCall(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftCall(DeedBase):
    """The top card, which must be this call."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseCard(DeedBase):
    """Between the faces the top card of this seat's column falls off the tray."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearCards(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearFace(DeedBase):
    """Both players of a face."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class LayStopCard(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftStopCard(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LayAlert(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftAlert(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PressAuctionOver(DeedBase):
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularAuction(DeedBase):
    """The calls in rotation from the seat whose turn it is, the tray pushed as it ought to be, to the end."""

    calls: tuple[Call, ...]


# --- window


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveWindow(DeedBase):
    """By hand, the whole way. `seat` None: nobody's handle; somebody pushes the pane."""

    seat: Seat | None
    opens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkHandle(DeedBase):
    """The handle is touched and the motor does the work."""

    seat: Seat


class WindowSeen(StrEnum):
    """What people wait to see of the window."""

    CLOSED = "closed"
    OPEN = "open"
    LEAVES_CLOSED = "begins to open"
    LEAVES_OPEN = "begins to close"


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitWindow(DeedBase):
    seen: WindowSeen


# --- lead and play


@dataclass(frozen=True, slots=True, kw_only=True)
class LayLead(DeedBase):
    seat: Seat
    faced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceLead(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftLead(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceLead(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCard(DeedBase):
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTrick(DeedBase):
    """The cards of the trick are turned and taken off their spots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDirector(DeedBase):
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(DeedBase):
    ns: int


Deed = (
    PlaceBoard
    | LiftBoard
    | TakeHand
    | ReturnHand
    | TakeHandsOf
    | SitDown
    | PushTray
    | SendTray
    | AwaitTray
    | LeaveTrayBetween
    | BringTray
    | LayCall
    | LayTogether
    | ReleaseCall
    | LiftCall
    | LoseCard
    | ClearCards
    | ClearFace
    | LayStopCard
    | LiftStopCard
    | LayAlert
    | LiftAlert
    | PressAuctionOver
    | RegularAuction
    | MoveWindow
    | WorkHandle
    | AwaitWindow
    | LayLead
    | FaceLead
    | LiftLead
    | AnnounceLead
    | PlayCard
    | TurnTrick
    | Claim
    | CallDirector
    | Wait
    | DirectorDeed
    | SensorFails
    | SensorRecovers
    | Obstruct
    | Jam
    | Cable
    | MisdeedBelow
    | ResetDevice
    | ControllerDies
    | ControllerReturns
)
