"""What the core wants done, in the imperative: the closed union `Effect`.

The service journals them, then carries them out; on replay they are journalled nowhere and carried out never.
Must never carry anything but values.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import Call
from table_controller.laws.card import Card
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import Entry, Fault, Kind, Visit
from table_controller.screen.events import WindowState
from table_controller.screen.refusals import Refusal as Refusal
from table_controller.screen.times import RecordPace as RecordPace, RecordTime as RecordTime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWindow:
    """`reason`: a key in words, e.g. `lead placed`, `director`."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseWindow:
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StopWindow:
    """Stop where it is and stay."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldTray:
    """Turn this face's hold output on."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTray:
    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class LightSummons:
    """*The director is coming*, lit only at the seat that called."""

    seat: Seat
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A new entry."""

    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend:
    """The same entry, changed (also when closed)."""

    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordVisit:
    """A visit is over, or its transit has become known (same board and ordinal, again)."""

    visit: Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordBoard:
    """A board is over: what `hw-sim records` and the PBN export read.

    `contract`: as `4SX`, `3NT`, `Pass`, or None when unknown. `tricks`: declarer's, None when not known.
    `score`: for declarer's side, None when not known. `crossings`: of the tray between two calls; the one
    that shows the finished auction is not counted. `outcome`: completed, abandoned or unfinished.
    """

    number: int | None
    dealer: Seat | None
    vulnerability: Vulnerability | None
    calls: tuple[tuple[Seat, Call], ...]
    crossings: int
    contract: str | None
    declarer: Seat | None
    leader: Seat | None
    play: tuple[tuple[Seat, Card], ...]
    claimed_by: Seat | None
    tricks: int | None
    score: int | None
    irregularities: tuple[Kind, ...]
    outcome: str
    presumed: bool = False
    """The contract is presumed: a board that left while a lead was awaited, with no calls read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseFault:
    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearFault:
    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDeadline:
    """Send `TimePassed` at `at` (monotonic ns). One a name: setting again moves it."""

    name: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearDeadline:
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The phase machine fired `trigger`; a move `by_correction` has none of its rows behind it."""

    trigger: str
    source: str
    dest: str
    by_correction: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """A director's order made no sense here. That he gave it stays journalled.

    `words.refusal` makes a sentence of `refusal.code` and `refusal.slots`.
    """

    command: str
    refusal: Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class CallShown:
    """One call of the auction as it lies.

    `sides`: the faces that have seen it. `entry`: the entry about it, if any.
    """

    seat: Seat
    call: Call
    sides: tuple[ScreenSide, ...]
    entry: int | None = None
    alerted_by: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """What a director's tile shows. Whole, so that the last one is enough.

    `tray`: NE, SW, moving, conflict or unknown. `turn`: the seat whose call or card is due, or None.
    `lead`: seat of the lead lying, if any. `off`: checks that are off or suspended now, by name, with why.
    """

    phase: str
    board: int | None
    dealer: Seat | None
    vulnerability: Vulnerability | None
    tray: str
    window: WindowState
    calls: tuple[CallShown, ...]
    turn: Seat | None
    contract: str | None
    declarer: Seat | None
    leader: Seat | None
    lead: Seat | None
    lead_faced: bool | None
    cards_played: int
    holds: tuple[str, ...]
    open_entries: tuple[int, ...]
    faults: tuple[int, ...]
    summons: tuple[Seat, ...]
    off: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowState:
    """The view changed. The service keeps from the retained topic what is not yet on both faces."""

    view: TableView


Effect = (
    OpenWindow
    | CloseWindow
    | StopWindow
    | HoldTray
    | ReleaseTray
    | LightSummons
    | Report
    | Amend
    | RecordVisit
    | RecordBoard
    | RecordTime
    | RecordPace
    | RaiseFault
    | ClearFault
    | SetDeadline
    | ClearDeadline
    | Moved
    | Refuse
    | ShowState
)
