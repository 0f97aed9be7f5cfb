"""Noting: what each event changes among the facts. The one place that knows every event.

A fact is never refused; an order that makes no sense here is answered with the reason, and the fact that it
was given stays journalled. Must never report anything to anybody.
"""

from __future__ import annotations

from typing import assert_never

from table_controller.screen import (
    board,
    calls,
    columns,
    corrections,
    director,
    hardware,
    holds,
    lead,
    people,
    tray,
    window,
)
from table_controller.screen.effects import Refuse
from table_controller.screen.events import (
    AlertPlaced,
    AlertRemoved,
    AuctionOverPressed,
    BoardPlaced,
    BoardRemoved,
    CallMade,
    CallReleased,
    CallWithdrawn,
    CardPlayed,
    CardsCleared,
    ClaimMade,
    Corrected,
    DeviceReset,
    DirectorSummoned,
    DummySpread,
    EntryClosed,
    EventsLost,
    FaultGone,
    FaultSeen,
    HandsTaken,
    Held,
    LeadAnnounced,
    LeadFaced,
    LeadMade,
    LeadWithdrawn,
    LinkLost,
    LinkRestored,
    Restarted,
    Resumed,
    Ruled,
    SeatObliged,
    SeatTaken,
    SensorCleared,
    SensorDoubted,
    SensorsRead,
    SessionOpened,
    StopCardSeen,
    SummonsClassified,
    TimePassed,
    TrayArrived,
    TrayBackOrdered,
    TrayHandled,
    TrayLeft,
    TraySeen,
    WindowHandled,
    WindowMoved,
    WindowOverridden,
)
from table_controller.screen.facts import SaidOver
from table_controller.screen.moment import Moment
from table_controller.screen.refusals import Refusal

_Order = (
    SummonsClassified
    | Ruled
    | Corrected
    | SeatObliged
    | EntryClosed
    | Held
    | Resumed
    | TrayBackOrdered
    | WindowOverridden
    | SessionOpened
)
_OfTable = BoardPlaced | BoardRemoved | TrayLeft | TrayArrived | TrayHandled | WindowMoved | WindowHandled
_OfCalls = TraySeen | CallMade | CallReleased | CallWithdrawn | CardsCleared | AuctionOverPressed
_Unnoted = StopCardSeen | HandsTaken | SeatTaken | TimePassed
"""For the judges alone; and the tick, whose deadlines were judged before anything was noted."""

_OfHardware = (
    SensorDoubted
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
_OfPlayers = (
    LeadMade
    | LeadFaced
    | LeadWithdrawn
    | LeadAnnounced
    | CardPlayed
    | DummySpread
    | ClaimMade
    | DirectorSummoned
    | AlertPlaced
    | AlertRemoved
)


def note(m: Moment) -> None:
    event = m.event
    if isinstance(event, _OfTable):
        _note_table(m, event)
    elif isinstance(event, _OfCalls):
        _note_calls(m, event)
    elif isinstance(event, _OfPlayers):
        _note_players(m, event)
    elif isinstance(event, _OfHardware):
        _note_hardware(m, event)
    elif isinstance(event, _Order):
        _note_order(m, event)
    elif isinstance(event, _Unnoted):
        return
    else:
        assert_never(event)


def _note_table(m: Moment, event: _OfTable) -> None:
    match event:
        case BoardPlaced():
            board.note_placed(m, event)
        case BoardRemoved():
            board.note_removed(m, event)
        case TrayLeft():
            tray.note_left(m, event)
        case TrayArrived():
            tray.note_arrived(m, event)
        case TrayHandled():
            tray.note_handled(m, event)
        case WindowMoved():
            window.note_moved(m, event)
        case WindowHandled():
            window.note_handled(m, event)
        case _:
            assert_never(event)


def _note_calls(m: Moment, event: _OfCalls) -> None:
    match event:
        case TraySeen():
            columns.note_seen(m, event)
        case CallMade():
            board.presume_board(m)
            columns.track_view(m, event.seat, event.call, 1)
            calls.note_made(m, event)
        case CallReleased():
            calls.note_released(m, event)
        case CallWithdrawn():
            columns.track_view(m, event.seat, None, -1)
            calls.note_withdrawn(m, event)
            columns.clear_if_emptied(m, event.seat)
        case CardsCleared():
            columns.note_cleared(m, event)
        case AuctionOverPressed():
            columns.say_over(m, SaidOver.BUTTON)
        case _:
            assert_never(event)


def _note_players(m: Moment, event: _OfPlayers) -> None:
    match event:
        case LeadMade():
            lead.note_lead_made(m, event)
        case LeadFaced():
            lead.note_lead_faced(m, event)
        case LeadWithdrawn():
            lead.note_lead_withdrawn(m, event)
        case LeadAnnounced():
            lead.note_announced(m, event)
        case CardPlayed():
            lead.note_card(m, event)
        case DummySpread():
            lead.note_dummy(m, event)
        case ClaimMade():
            lead.note_claim(m, event)
        case DirectorSummoned():
            people.note_summons(m, event)
        case AlertPlaced():
            people.note_alert(m, event)
        case AlertRemoved():
            people.note_alert_removed(m, event)
        case _:
            assert_never(event)


def _note_hardware(m: Moment, event: _OfHardware) -> None:
    match event:
        case SensorDoubted():
            hardware.note_doubted(m, event)
        case SensorCleared():
            hardware.note_cleared(m, event)
        case FaultSeen():
            hardware.note_fault(m, event)
        case FaultGone():
            hardware.note_fault_gone(m, event)
        case DeviceReset():
            hardware.note_reset(m, event)
        case EventsLost():
            hardware.note_events_lost(m, event)
        case LinkLost():
            hardware.note_link_lost(m, event)
        case LinkRestored():
            hardware.note_link_restored(m, event)
        case Restarted():
            hardware.note_restarted(m, event)
        case SensorsRead():
            hardware.note_read(m, event)
        case _:
            assert_never(event)


def _note_order(m: Moment, event: _Order) -> None:
    refused = _answer(m, event)
    if refused is not None:
        m.do(Refuse(command=event.command, refusal=refused))


def _answer(m: Moment, event: _Order) -> Refusal | None:
    """Carries an order into the facts; why not, if it makes no sense here."""
    match event:
        case Held():
            holds.note_held(m, event)
            return None
        case Resumed():
            return holds.note_resumed(m, event)
        case Corrected():
            return corrections.note_corrected(m, event)
        case Ruled():
            return director.note_ruled(m, event)
        case EntryClosed():
            return director.note_closed(m, event)
        case SummonsClassified():
            return director.note_classified(m, event)
        case SeatObliged():
            return director.note_obliged(m, event)
        case TrayBackOrdered():
            return director.note_tray_back(m, event)
        case WindowOverridden():
            return director.note_overridden(m, event)
        case SessionOpened():
            return director.note_session(m, event)
        case _:
            assert_never(event)
