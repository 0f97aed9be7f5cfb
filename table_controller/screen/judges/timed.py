"""What waiting alone makes true: the one list of deadlines, and what each means when it has passed.

A deadline follows from the facts like everything else, so that it is set, moved and cleared by comparing, and
comes true the same whether the tick or another event finds it passed. Must never remark on tempo.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from table_controller.screen.beliefs import (
    blocked,
    doubted,
    is_over,
    leader,
    lets_open,
    owed,
    seen_by_both,
)
from table_controller.screen.board import set_board
from table_controller.screen.book import New, report
from table_controller.screen.calls import miss_what_is_gone, set_auction
from table_controller.screen.entry import Kind
from table_controller.screen.event_base import WindowState
from table_controller.screen.events import Restarted, TimePassed
from table_controller.screen.facts import TableState
from table_controller.screen.moment import Moment
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules, needs, senses_doubted
from table_controller.screen.senses import Sense


class Wait(StrEnum):
    """The names of the deadlines."""

    STALLED = "tray_stalled"
    FORGOTTEN = "tray_forgotten"
    STILL_CLOSED = "window_still_closed"
    CLEARING = "clearing"
    BOARD_BACK = "board_back"


def deadlines(state: TableState, rules: Rules) -> tuple[tuple[Wait, int], ...]:
    """Every wait now running: its name and when it is over, monotonic ns."""
    found: list[tuple[Wait, int]] = []
    if not state.holds:
        found += _stalled(state, rules)
        found += _forgotten(state, rules)
        found += _still_closed(state, rules)
        found += _clearing(state, rules)
    board = state.board
    if board.ended and not board.sure and board.removed_at is not None:
        found.append((Wait.BOARD_BACK, board.removed_at + rules.back_within))
    return tuple(sorted(found))


def judge_time(m: Moment) -> None:
    """Deadlines that passed before this event, judged on the facts as they stood.

    What came due while the controller was down nobody watched: it counts anew from the restart.
    """
    if isinstance(m.event, Restarted):
        return
    tick = isinstance(m.event, TimePassed)
    for name, due in deadlines(m.now, m.rules):
        if due < m.at or (tick and due == m.at):
            _passed(m, name, due)


def _passed(m: Moment, name: Wait, due: int) -> None:
    side = m.now.tray.at or m.now.tray.left_from
    match name:
        case Wait.STALLED:
            report(m, New(kinds=(Kind.TRAY_STALLED,), at=due, side=side), _stalled_key(m.now))
        case Wait.FORGOTTEN:
            report(m, New(kinds=(Kind.TRAY_FORGOTTEN,), at=due, side=side), _forgotten_key(m.now))
        case Wait.STILL_CLOSED:
            report(m, New(kinds=(Kind.WINDOW_STILL_CLOSED,), at=due), _STILL_CLOSED_KEY)
        case Wait.CLEARING:
            miss_what_is_gone(m)
        case Wait.BOARD_BACK:
            set_board(m, replace(m.now.board, sure=True))


def _stalled(state: TableState, rules: Rules) -> Iterator[tuple[Wait, int]]:
    tray = state.tray
    if tray.at is not None or tray.left_at is None or tray.left_from is None or not state.auction.begun:
        return
    if (
        (is_over(state, rules) and seen_by_both(state))
        or state.lead.faced
        or _known(state, _stalled_key(state))
    ):
        return
    if _is_on(state, rules, Kind.TRAY_STALLED):
        yield Wait.STALLED, _base(state, tray.left_at, Kind.TRAY_STALLED) + rules.stalled


def _forgotten(state: TableState, rules: Rules) -> Iterator[tuple[Wait, int]]:
    since = state.auction.due_since
    if since is None or not _crossing_is_due(state, rules):
        return
    if _is_on(state, rules, Kind.TRAY_FORGOTTEN) and not _known(state, _forgotten_key(state)):
        yield Wait.FORGOTTEN, _base(state, since, Kind.TRAY_FORGOTTEN) + rules.forgotten


def _crossing_is_due(state: TableState, rules: Rules) -> bool:
    """The calls of this face are complete, or the auction is over and not yet shown to the other."""
    auction = state.auction
    at = state.tray.at
    if at is None or not auction.begun:
        return False
    if is_over(state, rules):
        waiting = state.phase.in_auction or state.phase.in_lead
        return waiting and rules.must_be_shown and not seen_by_both(state) and not auction.cleared
    return state.phase.in_auction and not owed(state, rules, at)


def note_due(m: Moment) -> None:
    """A crossing counts from when it became due, whatever made it so: a call, a card put back, the tray set
    back on the face it had left, a correction, a ruling. So does an opening, from when it is let."""
    if _crossing_is_due(m.now, m.rules) and not _crossing_is_due(m.before, m.rules):
        set_auction(m, replace(m.now.auction, due_since=m.at))
    let = m.now.phase is Phase.OPENING and lets_open(m.now, m.rules) and not blocked(m.now)
    if let is not (m.now.window.let_since is not None):
        m.now = replace(m.now, window=replace(m.now.window, let_since=m.at if let else None))


def _still_closed(state: TableState, rules: Rules) -> Iterator[tuple[Wait, int]]:
    since = state.window.let_since
    if since is None or rules.motor:
        return
    if state.window.state is WindowState.OPEN or leader(state) is None or not rules.has(Sense.WINDOW):
        return
    if _is_on(state, rules, Kind.WINDOW_STILL_CLOSED) and not _known(state, _STILL_CLOSED_KEY):
        yield Wait.STILL_CLOSED, _base(state, since, Kind.WINDOW_STILL_CLOSED) + rules.open_within


def _clearing(state: TableState, rules: Rules) -> Iterator[tuple[Wait, int]]:
    if state.auction.diverged or is_over(state, rules) or not _is_on(state, rules, Kind.AUCTION_DIVERGED):
        return
    gone = [
        laid.gone
        for laid in state.auction.laid
        if laid.gone is not None and laid.seat not in state.auction.cleared
    ]
    if gone:
        yield Wait.CLEARING, _base(state, min(gone), Kind.AUCTION_DIVERGED) + rules.clearing


def _is_on(state: TableState, rules: Rules, kind: Kind) -> bool:
    """A check that is off, or doubted now, waits for nothing."""
    return kind not in rules.off and not (state.doubts and doubted(state) & needs(kind))


def _base(state: TableState, since: int, kind: Kind) -> int:
    """Nothing counts from before a hold ended or the controller came back, nor what nobody could see."""
    senses = needs(kind)
    watched = (at for name, at in state.unwatched if senses_doubted(name) & senses)
    return max(since, state.counting_from or 0, *watched)


_STILL_CLOSED_KEY = ("still_closed",)


def _stalled_key(state: TableState) -> tuple[str, ...]:
    return ("stalled", str(state.tray.left_at))


def _forgotten_key(state: TableState) -> tuple[str, ...]:
    return ("forgotten", str(state.tray.stay))


def _known(state: TableState, key: tuple[str, ...]) -> bool:
    return any(known == key for known, _ in state.book.keys)
