"""One event being dealt with: what was before, what is now, what happened, and what is to be done.

A `Moment` lives for one call of `handle` and is never kept. Noting changes `now` and says what `happened`;
judging turns that into entries; advancing moves the phase; ordering adds the effects. Must never outlive the
event, and nothing in it may be read by a later one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import Effect
from table_controller.screen.entry import Kind, Mover
from table_controller.screen.events import Event
from table_controller.screen.facts import Laid, LiftedLead, TableState
from table_controller.screen.rules import Rules, needs, senses_doubted
from table_controller.screen.senses import Sense


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A call was made, by the card `uid`. `aside`: uids of calls it set aside (L28B)."""

    uid: int
    first: bool
    aside: tuple[int, ...] = ()
    again: bool = False
    """Its card lay there, set aside, and was made when the tray left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A card of this stay was taken up and another, `uid`, laid in its place."""

    old: Laid
    uid: int
    after: int
    """ns between taking up and laying."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simultaneous:
    """`later` was laid within the limit of a call in turn, and is set aside; `uid` of its card."""

    later: Seat
    call: Call
    uid: int
    entries: tuple[int, ...] = ()
    """The entries the card already had, where it had been laid first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """The tray left with this card taken up and nothing in its place."""

    card: Laid


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedLegal:
    """A card set aside became a call in its turn."""

    card: Laid


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """Cards that should lie are not there, or others lie; on arrival or for too long."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """What was missed is back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """The bidding cards of a face were taken up."""

    side: ScreenSide


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed:
    """The tray left. `made` and `owed` on this visit; `shown`: the auction was over before."""

    side: ScreenSide
    made: int
    owed: tuple[Seat, ...]
    mover: Mover
    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """The tray came to `side`. `crossed`: from the other face; `known`: the departure had been seen."""

    side: ScreenSide
    crossed: bool
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftClosed:
    """The window left *closed*. `ours`: an order of ours was being carried out."""

    ours: bool
    openers: frozenset[Seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadLaid:
    """`again`: the presumed leader had lifted a face-down lead."""

    seat: Seat
    again: LiftedLead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadUp:
    """A card left a lead spot. `entry`: the entry about it, if any; `right`: it was the presumed leader's."""

    seat: Seat
    entry: int | None
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOff:
    """The board left the tray while it should lie there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOn:
    """A board was put down. `swapped`: on another one; `foreign`: after the first call.

    `number` as its tag says. `expected`: by the session, None where nothing is.
    """

    number: int | None
    expected: int | None
    swapped: bool = False
    foreign: bool = False
    back: bool = False
    """The same board, after the play seemed to be over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertUp:
    """`after` ns of lying; None: it was left lying when the tray left. `uid` of the call it was about."""

    seat: Seat
    uid: int | None
    after: int | None


Happening = (
    Made
    | Replaced
    | Simultaneous
    | Withdrawn
    | TurnedLegal
    | Missed
    | Healed
    | Cleared
    | Departed
    | Arrived
    | LeftClosed
    | LeadLaid
    | LeadUp
    | BoardOff
    | BoardOn
    | AlertUp
)

STOPPED_BY_HOLD = frozenset(
    {
        Kind.TRAY_ON_WRONG_FACE,
        Kind.TRAY_CROSSED_EARLY,
        Kind.TRAY_CROSSED_WITHOUT_CALLS,
        Kind.TRAY_MOVED_BY_WRONG_SEAT,
        Kind.TRAY_STALLED,
        Kind.TRAY_FORGOTTEN,
        Kind.BOARD_OFF_TRAY,
        Kind.WINDOW_NOT_CLOSED,
        Kind.AUCTION_NOT_SHOWN,
        Kind.AUCTION_DIVERGED,
        Kind.INSUFFICIENT_BID,
        Kind.CALL_OUT_OF_ROTATION,
        Kind.INADMISSIBLE_DOUBLE,
        Kind.INADMISSIBLE_REDOUBLE,
        Kind.CALL_AFTER_FINAL_PASS,
        Kind.CHANGE_OF_CALL,
        Kind.CALL_WITHDRAWN,
        Kind.SIMULTANEOUS_CALLS,
        Kind.CALL_VIOLATING_OBLIGATION_TO_PASS,
        Kind.STOP_CARD_USED,
        Kind.OPENING_LEAD_OUT_OF_TURN,
        Kind.LEAD_BEFORE_PLAY_PERIOD,
        Kind.LEAD_FACED_EARLY,
        Kind.LEAD_CHANGED,
        Kind.ALERT_ON_ONE_FACE_ONLY,
        Kind.ALERT_TAKEN_BACK_AT_ONCE,
        Kind.AUCTION_STUCK,
        Kind.AUCTION_OVER_INFERRED,
    }
)
"""Between hold and resume calls, tray and lead are the director's hands: nothing new is reported of them."""


class Moment:
    """`number`: the journal's of the event, 0 where there is none."""

    __slots__ = ("before", "effects", "event", "flushed", "happened", "now", "number", "rules")

    def __init__(self, rules: Rules, before: TableState, event: Event, number: int) -> None:
        self.rules = rules
        self.before = before
        self.now = before
        self.flushed = before.book
        self.event = event
        self.number = number
        self.happened: list[Happening] = []
        self.effects: list[Effect] = []

    @property
    def at(self) -> int:
        return self.event.at

    @property
    def held(self) -> bool:
        """A hold was in force when the event came."""
        return bool(self.before.holds)

    def judges(self, kind: Kind) -> bool:
        """Whether this check is on: sensed, not doubted, not stopped by a hold."""
        rules = self.rules
        if kind in rules.off or (kind in STOPPED_BY_HOLD and self.held):
            return False
        if kind in rules.off_without_contract and self.now.contract.given is None:
            return False
        return not self.now.doubts or not (needs(kind) & self.doubted())

    def doubted(self) -> frozenset[Sense]:
        found: frozenset[Sense] = frozenset()
        for doubt in self.now.doubts:
            found |= senses_doubted(doubt.sense)
        return found

    def do(self, effect: Effect) -> None:
        self.effects.append(effect)

    def interrupt(self) -> None:
        """The visit's figures are no evidence of tempo any more."""
        visit = self.now.visit
        if visit is not None and not visit.interrupted:
            self.now = replace(self.now, visit=replace(visit, interrupted=True))
