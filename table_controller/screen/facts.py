"""What the table believes, as one frozen, hashable value: `TableState`.

Facts stand beside the phase and are noted whatever the phase says. Equal states behave equally for ever;
nothing the core decides on may live anywhere else. Must never decide anything itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from table_controller.laws.auction import Auction, CallFault
from table_controller.laws.board import Board
from table_controller.laws.call import Call
from table_controller.laws.contract import Outcome
from table_controller.laws.play import PlayedCard
from table_controller.laws.seat import Partnership, ScreenSide, Seat
from table_controller.screen.entry import Certainty, Entry, Fault, FaultKind, Kind, Mover
from table_controller.screen.event_base import Column, WindowOrder, WindowState
from table_controller.screen.orders import BoardDue
from table_controller.screen.phases import Phase

NO_SEATS: frozenset[Seat] = frozenset()
NO_SIDES: frozenset[ScreenSide] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """`current` is the board being played, `waiting` the one put down before its record was closed.

    `foreign`: the number of another board's tag while the calls stay with the current one. `ended`: the
    play is over, `sure` of it or only until the same board comes back. `present` None: not sensed yet.
    """

    present: bool | None = None
    current: Board | None = None
    placed_at: int | None = None
    removed_at: int | None = None
    waiting: Board | None = None
    foreign: int | None = None
    ended: bool = False
    sure: bool = False
    back: bool = False
    abandoned: bool = False
    last_number: int | None = None
    played: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: str
    boards: tuple[BoardDue, ...]
    players: tuple[tuple[Seat, str], ...]
    waived: frozenset[Partnership]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayFacts:
    """`at` None: between the faces or not known; then `left_from` says which, None for unknown.

    `since`: when it came to `at`. `stay` counts arrivals. `sent_back`: the director ordered it to this face.
    """

    at: ScreenSide | None = None
    since: int | None = None
    stay: int = 0
    left_from: ScreenSide | None = None
    left_at: int | None = None
    mover: Mover = field(default_factory=Mover)
    handles: frozenset[Seat] = NO_SEATS
    sent_back: ScreenSide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A call on a visit: `due` is when it became this seat's turn on this face, None when not known."""

    seat: Seat
    call: Call | None
    at: int
    due: int | None
    uncertainty: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitFacts:
    """One stay of the tray during an auction; `left` is None while it lasts. `owed`: at the departure."""

    ordinal: int
    side: ScreenSide
    arrived: int | None
    marks: tuple[Mark, ...] = ()
    left: int | None = None
    owed: tuple[Seat, ...] = ()
    mover: Mover = field(default_factory=Mover)
    transit: int | None = None
    uncertainty: int = 0
    interrupted: bool = False
    returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A bidding card as laid. Index for index with the calls of the auction; strays and void ones have none.

    `uid` counts the cards of a board. `stay`: the stay of the tray on which it was laid. `sides`: the faces
    that have seen it. `lies`: it lies on the tray; `lifted`: taken up on the stay it was laid on.
    """

    uid: int
    seat: Seat
    call: Call
    at: int
    number: int
    stay: int
    sides: frozenset[ScreenSide]
    faults: frozenset[CallFault] = frozenset()
    obliged: bool = False
    """Made against an obligation to pass."""
    bound: bool = False
    """Made in a turn in which the seat was obliged to pass, whatever the call is."""
    lies: bool = True
    lifted: int | None = None
    gone: int | None = None
    """When it was missed, though laid on an earlier stay."""
    entries: tuple[int, ...] = ()
    alerted: tuple[Seat, ...] = ()
    unlaid: bool = False
    """The director's word stands for it while its card is away: laid to fit, it is no call more."""
    read_as: Call | None = None
    """What the readers show, where the director has corrected it."""

    def reads(self, call: Call) -> bool:
        return call in (self.call, self.read_as)

    @property
    def is_legal(self) -> bool:
        return not self.faults and not self.obliged


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A card taken up in whose place others have called since, or nobody yet."""

    card: Laid
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Placed, not released, where that is when a call is made."""

    seat: Seat
    call: Call
    at: int
    number: int
    uncertainty: int


class SaidOver(StrEnum):
    """What told a table that does not read calls that the auction is over."""

    BUTTON = "button"
    CLEARED = "cleared"
    LEAD = "lead"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionFacts:
    """`calls` and `laid` go index for index.

    `begun`: the first call has been made (where calls are not read: the tray has left with the auction on).
    `views`: what the readers of each face last showed. `diverged`: the faces' auctions differ.
    `shown_settled`: the director has dealt with what one face has not seen. `due_since`: a crossing has been
    due for no longer than this.
    """

    calls: Auction
    laid: tuple[Laid, ...] = ()
    strays: tuple[Laid, ...] = ()
    """Set aside because another call came at once (L33); made when the tray leaves, if they still lie."""
    void: tuple[Laid, ...] = ()
    """Cards that the director has made nobody's call, until they are taken up."""
    taken: tuple[Taken, ...] = ()
    pending: tuple[Pending, ...] = ()
    begun: bool = False
    uid: int = 0
    views: tuple[tuple[ScreenSide, tuple[Column, ...]], ...] = ()
    diverged: bool = False
    called_since_missed: bool = False
    """Somebody has called since the faces' auctions were found to differ: it heals no more by itself."""
    mismatch: bool = False
    cleared: frozenset[Seat] = NO_SEATS
    unread: frozenset[Seat] = NO_SEATS
    """Columns the director has corrected: what the readers show of them is no difference any more."""
    said_over: SaidOver | None = None
    shown_settled: bool = False
    corrected: bool = False
    reopened: int | None = None
    """The stay whose calls may be put right on this one, the director having sent the tray back for it."""
    crossings: int = 0
    crossings_since_call: int = 0
    due_since: int | None = None
    alerts_judged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowFacts:
    """`openers`: whose handles were held when it last left closed. `begun`: it left closed on our open order.

    `let_since`: since when it may be opened, and has not been. `worked`: seats that have worked a handle for
    the lead that lay first, alone. `override`: the director's own order, while it stands; `obeyed`: the
    window has been where that order wants it.
    """

    state: WindowState = WindowState.UNKNOWN
    since: int | None = None
    handles: frozenset[Seat] = NO_SEATS
    openers: frozenset[Seat] = NO_SEATS
    worked: frozenset[Seat] = NO_SEATS
    begun: bool = False
    override: WindowOrder | None = None
    let_since: int | None = None
    obeyed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingLead:
    """A card on a lead spot; `faced` None: the spot cannot tell."""

    seat: Seat
    faced: bool | None
    at: int
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftedLead:
    """The presumed leader took his face-down lead up. `begun`: the window had begun to open."""

    seat: Seat
    at: int
    number: int
    begun: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadFacts:
    """`faced`: the lead has been faced, so what lies on the spots is play from now on."""

    lying: tuple[LyingLead, ...] = ()
    announced: bool = False
    faced: bool = False
    lifted: LiftedLead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayFacts:
    """`begun`: a card other than the lead has been seen, or dummy spread."""

    cards: tuple[PlayedCard, ...] = ()
    begun: bool = False
    claimed_by: Seat | None = None
    contested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFacts:
    """What the director has given, or what is only presumed (a board that left with no lead)."""

    given: Outcome | None = None
    leader: Seat | None = None
    presumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    seat: Seat
    turns: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert card lying; `uid` of the call it is about, None when there is none."""

    seat: Seat
    at: int
    uid: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    sense: str
    kind: FaultKind
    component: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """`reason`: `director`, or `entry:` with the id of the entry that began it."""

    reason: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The orders in force, so that only what differs is ordered."""

    window: WindowOrder | None = None
    holds: frozenset[ScreenSide] = NO_SIDES
    lamps: frozenset[Seat] = NO_SEATS
    deadlines: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The entries of this board, and earlier ones still open. `keys`: standing conditions already reported.

    `frozen`: entries whose stage no longer moves. `own`: the entries about the board being played, whatever
    number it is found to have; a number may be unknown, misread, or come again.
    """

    next_id: int = 1
    entries: tuple[Entry, ...] = ()
    keys: tuple[tuple[tuple[str, ...], int], ...] = ()
    frozen: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything.

    `counting_from`: nothing timed began before a hold ended, the controller came back, or the director put
    the table back into the auction. `unwatched`: what has been in doubt, and when that ended: what rests on
    it is timed from then. `unread`: the sensors have not been read afresh since controller, device, link
    or the belief in a sensor came back, so that the window is not moved for what may be true no longer.
    """

    phase: Phase = Phase.SETUP
    phase_since: int | None = None
    board: BoardFacts = BoardFacts()
    session: Session | None = None
    tray: TrayFacts = TrayFacts()
    visit: VisitFacts | None = None
    auction: AuctionFacts = AuctionFacts(calls=Auction(None))
    window: WindowFacts = WindowFacts()
    lead: LeadFacts = LeadFacts()
    play: PlayFacts = PlayFacts()
    contract: ContractFacts = ContractFacts()
    obligations: tuple[Obligation, ...] = ()
    alerts: tuple[Alert, ...] = ()
    holds: tuple[Hold, ...] = ()
    faults: tuple[Fault, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    counting_from: int | None = None
    unwatched: tuple[tuple[str, int], ...] = ()
    unread: bool = False
    given: Given = Given()
    book: Book = Book()

    def entry(self, entry_id: int) -> Entry | None:
        return next((entry for entry in self.book.entries if entry.id == entry_id), None)

    def has_kind(self, kind: Kind) -> bool:
        return any(kind in entry.kinds for entry in self.book.entries)


NOBODY_KNOWN = Mover(seat=None, certainty=Certainty.UNKNOWN)
