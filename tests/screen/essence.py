"""When two states are the same for a search: everything that decides, nothing that only tells when.

`essence` leaves out times and journal numbers, `without_book` the entries too; `how_it_goes_on` keeps only
what the end of the board depends on.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import cast

from table_controller.screen.entry import Kind, Standing
from table_controller.screen.facts import TableState

TIMES = frozenset(
    {
        *("at", "since", "placed_at", "removed_at", "left_at", "arrived", "left", "due", "due_since", "gone"),
        *("lifted", "phase_since", "counting_from", "cleared_at", "gap", "transit", "deadlines", "number"),
        *("evidence", "revision", "uncertainty", "text"),
    }
)
"""Fields whose value is a time or a journal number: only whether they are known belongs to the essence."""

Plan = tuple[tuple[str, bool], ...] | None
_PLANS: dict[type, Plan] = {}
_KNOWN: dict[int, tuple[object, object]] = {}
"""By identity: most parts of a state are the very same objects as in the one before."""


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
    if len(_KNOWN) > 200_000:
        _KNOWN.clear()
    _KNOWN[id(value)] = (value, found)
    return found


def _plan(kind: type) -> Plan:
    plan = None
    if is_dataclass(kind):
        plan = tuple((one.name, one.name in TIMES) for one in fields(kind) if one.compare)
    _PLANS[kind] = plan
    return plan


def how_it_goes_on(state: TableState) -> object:
    """What decides whether the board can be brought to its end: calls, tray, window, lead, holds."""
    auction = state.auction
    cards = tuple(
        (laid.lies, laid.lifted is None, laid.gone is None, laid.sides, laid.stay == state.tray.stay)
        for laid in auction.laid
    )
    return (
        *(state.phase, _unshown(state), bool(state.holds), bool(state.faults), bool(state.doubts)),
        *(state.board.current, state.board.present, state.board.ended, state.board.sure, state.board.back),
        *(state.tray.at, state.tray.left_from, state.window.state, state.window.override),
        *(auction.calls, cards, auction.begun, auction.diverged, auction.mismatch, auction.cleared),
        *(auction.said_over, auction.shown_settled, len(auction.strays), essence(auction.pending)),
        *(essence(state.lead), len(state.play.cards), state.play.begun, state.play.claimed_by),
        *(state.contract, state.window.worked, state.given.window),
    )


def _unshown(state: TableState) -> bool:
    return any(
        Kind.AUCTION_NOT_SHOWN in entry.kinds and entry.standing is Standing.OPEN
        for entry in state.book.entries
    )


def without_book(state: TableState) -> object:
    """The essence without the book, the visits and what waits by time: for deep searches."""
    parts = (
        state.board,
        state.tray,
        state.auction,
        state.window,
        state.lead,
        state.play,
        state.contract,
        state.doubts,
        state.given.window,
    )
    faults = tuple(fault.kind for fault in state.faults)
    return (state.phase, _unshown(state), bool(state.holds), faults, *(essence(part) for part in parts))
