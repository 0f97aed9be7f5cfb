"""When two states are the same for a search: everything that decides, nothing that only tells when.

Three abstractions, each with what it leaves out and why the core cannot tell the difference:

* `essence`: without times and journal numbers. What a time decides comes with its deadline, and which waits
  run, and which of them are over, is in the facts.
* `what_decides`, for deep searches. Counters only ever compared for being equal or in order (the tray's
  stays, the cards' uids) become what these comparisons give. Entries are what can still be amended: kinds,
  stage, course and whether it is frozen, of those open, and which standing condition each is known under; an
  entry that is closed is only kept. Visits, crossings and what a face showed before the latest reading are
  told and never asked.
* `how_it_goes_on`: only what the end of the board depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import cast

from table_controller.laws.auction import Auction
from table_controller.laws.board import Board
from table_controller.laws.call import PASS
from table_controller.laws.contract import Contract, contract_of
from table_controller.screen.entry import Fault, Kind, Standing
from table_controller.screen.facts import (
    Alert,
    AuctionFacts,
    Book,
    Hold,
    Laid,
    LeadFacts,
    TableState,
    TrayFacts,
)
from table_controller.screen.phases import Phase

TIMES = frozenset(
    {
        *("at", "since", "placed_at", "removed_at", "left_at", "arrived", "left", "due", "due_since", "gone"),
        *("lifted", "phase_since", "counting_from", "cleared_at", "gap", "transit", "deadlines", "number"),
        *("evidence", "revision", "uncertainty", "text", "unwatched", "let_since"),
    }
)
"""Fields whose value is a time or a journal number: only whether they are known belongs to the essence."""

Plan = tuple[tuple[str, bool], ...] | None
_PLANS: dict[type, Plan] = {}
_KNOWN: dict[int, tuple[object, object]] = {}
_NUMBERS: dict[tuple[object, ...], tuple[tuple[object, ...], int]] = {}
"""By identity: most parts of a state are the very same objects as in the one before."""
MOST_KNOWN = 200_000
AT_ONCE = 50_000_000
"""ns. Two calls no further apart are simultaneous under every profile shipped."""


def essence(value: object) -> object:
    """The value without times and numbers: hashable, equal for states that differ in nothing else."""
    kind = type(value)
    if kind is tuple:
        return tuple(map(essence, cast(tuple[object, ...], value)))
    plan = _PLANS[kind] if kind in _PLANS else _plan(kind)
    if plan is None:
        return value
    known = _KNOWN.get(id(value))
    if known is not None and known[0] is value:
        return known[1]
    found = (
        kind.__name__,
        *(
            (getattr(value, name) is None) if is_time else essence(getattr(value, name))
            for name, is_time in plan
        ),
    )
    _keep(_KNOWN, id(value), (value, found))
    return found


def _plan(kind: type) -> Plan:
    plan = None
    if is_dataclass(kind):
        times = TIMES - {"number"} if kind is Board else TIMES
        plan = tuple((one.name, one.name in times) for one in fields(kind) if one.compare)
    _PLANS[kind] = plan
    return plan


def _keep(known: dict, key: object, value: object) -> None:  # type: ignore[type-arg]
    if len(known) > MOST_KNOWN:
        known.clear()
    known[key] = value


# --- numbers that stand for values


def number_of(parts: Iterable[object]) -> int:
    """A number of 64 bits for what these parts say: the same in every process and on every day.

    Two different ones among twenty million are given the same number once in a hundred thousand searches.
    """
    return int.from_bytes(blake2b(repr(tuple(parts)).encode(), digest_size=8).digest())


def remembered(of: Callable[..., object], *values: object) -> int:
    """The number of what `of` says of these very objects."""
    key = (of, *map(id, values))
    known = _NUMBERS.get(key)
    if known is not None:  # the values are kept with it, so no other object can have their identity
        return known[1]
    found = number_of((_ordered(of(*values)),))
    _keep(_NUMBERS, key, (values, found))
    return found


def digest(value: object) -> int:
    """The number of a part's essence."""
    return remembered(essence, value)


def _ordered(value: object) -> object:
    """Sets in an order that is the same in every process."""
    kind = type(value)
    if kind is tuple:
        return tuple(map(_ordered, cast(tuple[object, ...], value)))
    if isinstance(value, frozenset):
        return ("set", *sorted(repr(_ordered(one)) for one in value))
    return value


# --- what decides


def what_decides(state: TableState, at: int) -> int:
    """Equal for two states from which every event does the same, but for times, numbers and what is told.

    `at`: the time of the latest event, since two calls can come at once.
    """
    given, book, auction = state.given, state.book, state.auction
    return number_of(
        (
            *(state.phase.value, given.window, state.unread, tuple(name for name, _ in given.deadlines)),
            *map(digest, (state.board, state.play, state.contract, state.doubts, state.window)),
            *map(digest, (state.session, state.obligations, given.holds, given.lamps)),
            remembered(_faults, state.faults),
            remembered(_tray, state.tray),
            remembered(_calls, auction, state.tray, book),
            remembered(_lead, state.lead, book),
            remembered(_entries, book, state.holds, auction),
            remembered(_alerts, state.alerts, auction),
            *_at_once(auction, at),
        )
    )


def _faults(faults: tuple[Fault, ...]) -> object:
    return tuple(sorted(fault.kind.value for fault in faults))


def _tray(tray: TrayFacts) -> object:
    where = (tray.at, tray.since is None, tray.left_from, tray.left_at is None, tray.sent_back)
    return (*where, essence(tray.mover), tray.handles)


def _calls(auction: AuctionFacts, tray: TrayFacts, book: Book) -> object:
    cards = (*auction.laid, *auction.strays, *auction.void, *(one.card for one in auction.taken))
    ranks = {uid: rank for rank, uid in enumerate(sorted({one.uid for one in cards}))}
    stays = {stay: rank for rank, stay in enumerate(sorted({one.stay for one in cards}))}
    about = about_in(book)
    keys = {key for key, _ in book.keys}

    def card(one: Laid) -> object:
        here = (one.stay == tray.stay, one.stay == 0, one.stay == auction.reopened, stays[one.stay])
        said = (remembered(_card, one), ranks[one.uid], *here)
        told = bool(one.alerted) and ("one_face", str(one.uid)) in keys
        return (*said, told, *map(about, one.entries))

    return (
        digest(auction.calls),
        tuple(map(card, auction.laid)),
        tuple(map(card, auction.strays)),
        tuple(map(card, auction.void)),
        tuple(card(one.card) for one in auction.taken),
        digest(auction.pending),
        essence(auction.views[:1]) if auction.mismatch else None,
        *(auction.begun, auction.diverged, auction.called_since_missed, auction.mismatch),
        *(auction.said_over, auction.shown_settled),
        *(auction.corrected, auction.alerts_judged, auction.due_since is None),
        *(digest(auction.cleared), digest(auction.unread)),
    )


def _card(one: Laid) -> object:
    return (
        *(one.seat, one.call, one.sides, one.faults, one.obliged, one.bound, one.lies),
        *(one.lifted is None, one.gone is None, one.alerted, one.read_as, one.unlaid),
    )


def _at_once(auction: AuctionFacts, at: int) -> Iterator[object]:
    """The cards laid so lately that another could come at the same time."""
    for index, one in enumerate((*auction.laid, *auction.strays)):
        if at - one.at <= AT_ONCE:
            yield (index, at - one.at)


def about_in(book: Book) -> Callable[[int | None], tuple[object, ...] | None]:
    """What can still become of an entry; nothing of one that is closed."""
    entries = {entry.id: entry for entry in book.entries}

    def about(entry_id: int | None) -> tuple[object, ...] | None:
        entry = None if entry_id is None else entries.get(entry_id)
        if entry is None or entry.standing is not Standing.OPEN:
            return None
        stage = None if entry.stage is None else entry.stage.value
        kinds = tuple(kind.value for kind in entry.kinds)
        whose = (entry.seats, entry.phase == Phase.SETUP) if Kind.SUMMONS in entry.kinds else None
        marks = (entry.id in book.frozen, entry.id in book.own, essence(whose))
        return (kinds, stage, *marks, tuple(map(str, entry.course)))

    return about


def _lead(lead: LeadFacts, book: Book) -> object:
    about = about_in(book)
    lying = tuple((one.seat, one.faced, about(one.entry)) for one in lead.lying)
    return (lying, lead.announced, lead.faced, essence(lead.lifted))


def _entries(book: Book, holds: tuple[Hold, ...], auction: AuctionFacts) -> object:
    about = about_in(book)
    waiting = [entry.id for entry in book.entries if entry.standing is Standing.OPEN]
    found = {repr(about(entry_id)) for entry_id in waiting}
    keys = {repr((_condition(auction, key), about(entry_id))) for key, entry_id in book.keys}
    in_force = sorted(repr(_hold(hold.reason, about)) for hold in holds)
    latest = tuple(map(about, waiting[-1:]))  # the one a letter rules on
    return (*sorted(found), *sorted(keys), *in_force, latest)


def _condition(auction: AuctionFacts, key: tuple[str, ...]) -> object:
    """The standing condition; a number in it matters only by being that of the latest card, or not."""
    return (*(part for part in key if not part.isdigit()), str(auction.uid) in key)


def _hold(reason: str, about: Callable[[int | None], object]) -> object:
    kind, _, number = reason.partition(":")
    return (kind, about(int(number)) if number else None)


def _alerts(alerts: tuple[Alert, ...], auction: AuctionFacts) -> object:
    places = {one.uid: index for index, one in enumerate(auction.laid)}
    return tuple((one.seat, None if one.uid is None else places.get(one.uid)) for one in alerts)


# --- how it goes on


def how_it_goes_on(state: TableState, next_board: int) -> int:
    """What decides whether the board can be brought to its end: tray, window, lead, holds, and of the calls
    whose turn it is, what is open and which cards are not where they should be.

    Which bids they were does not matter, since everybody passes from here on.
    """
    auction, board, lead = state.auction, state.board, state.lead
    stay = state.tray.stay
    cards = tuple(
        (one.seat, one.lies, one.lifted is None, one.gone is None, one.sides, one.stay == stay)
        for one in auction.laid
        if not one.lies or len(one.sides) < 2 or one.stay == stay
    )
    current = None if board.current is None else (board.current.number == next_board, board.current.dealer)
    return hash(
        (
            *(
                state.phase,
                _unshown(state),
                bool(state.holds),
                bool(state.faults),
                bool(state.doubts),
                state.unread,
            ),
            *(current, board.present, board.ended, board.sure, board.back, board.waiting is None),
            *(board.foreign is None, state.tray.at, state.tray.left_from),
            *(state.window.state, state.window.override, state.window.obeyed, state.window.worked),
            state.given.window,
            *(_reading(auction.calls), cards, auction.begun, auction.diverged, auction.mismatch),
            *(auction.cleared, auction.said_over, auction.shown_settled, len(auction.strays)),
            *(essence(auction.pending), essence(lead), len(state.play.cards), state.play.begun),
            *(state.play.claimed_by, state.contract),
        )
    )


def _reading(calls: Auction) -> object:
    passes = 0
    for made in reversed(calls.calls):
        if made.call != PASS:
            break
        passes += 1
    contract = contract_of(calls)
    leader = contract.leader if isinstance(contract, Contract) else contract
    bid = calls.last_bid is not None
    return (calls.turn, calls.skipped, calls.deprived, calls.set_aside, passes, bid, calls.is_over, leader)


def _unshown(state: TableState) -> bool:
    return any(
        Kind.AUCTION_NOT_SHOWN in entry.kinds and entry.standing is Standing.OPEN
        for entry in state.book.entries
    )
