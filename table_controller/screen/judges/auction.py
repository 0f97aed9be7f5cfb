"""The auction as a whole: shown or not, the same on both faces or not, over or stuck."""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import Seat
from table_controller.screen.beliefs import faces_differ, is_over, seen_by_both
from table_controller.screen.book import (
    New,
    amend,
    begin_hold,
    hold_reason,
    known_id,
    merged,
    open_entry,
    report,
)
from table_controller.screen.calls import set_auction
from table_controller.screen.entry import Entry, Kind, Level, Standing
from table_controller.screen.facts import SaidOver
from table_controller.screen.moment import Arrived, Cleared, Healed, Made, Missed, Moment

NOT_SHOWN = ("not_shown",)
DIVERGED = ("diverged",)
STUCK = ("stuck",)


def judge_auction(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case Cleared():
                _cleared(m, happening)
            case Missed():
                _diverged(m, happening.seats)
            case Healed():
                _healed(m)
            case Arrived() if happening.crossed:
                _arrived_cleared(m)
            case Made():
                _stuck(m)
            case _:
                continue
    said = m.now.auction.said_over
    if said is SaidOver.LEAD and m.before.auction.said_over is None:
        report(m, New(kinds=(Kind.AUCTION_OVER_INFERRED,)), ("over_inferred",))


def _cleared(m: Moment, happening: Cleared) -> None:
    over = is_over(m.now, m.rules)
    if over and (seen_by_both(m.now) or not m.rules.must_be_shown):
        return
    level = Level.HOLD if faces_differ(m.now) else Level.REPORT
    entry_id = report(m, New(kinds=(Kind.AUCTION_NOT_SHOWN,), level=level, side=happening.side), NOT_SHOWN)
    entry = open_entry(m, entry_id)
    if entry is not None and entry.level < level and not m.held:
        amend(m, entry, level=level)
        begin_hold(m, hold_reason(entry.id))


def _arrived_cleared(m: Moment) -> None:
    """The half-empty tray arrives: the two faces have not seen the same auction."""
    entry = _not_shown(m)
    if entry is None or is_over(m.now, m.rules) or m.now.auction.diverged or not faces_differ(m.now):
        return
    set_auction(m, replace(m.now.auction, diverged=True))
    _diverged(m, ())


def _diverged(m: Moment, seats: tuple[Seat, ...]) -> None:
    """A new entry; or a kind more of the one about what was not shown, the hold being that one's already."""
    entry = _not_shown(m)
    if entry is None:
        report(m, New(kinds=(Kind.AUCTION_DIVERGED,), seats=seats), DIVERGED)
        return
    kinds = merged(entry.kinds, (Kind.AUCTION_DIVERGED,))
    amend(m, entry, kinds=kinds, seats=merged(entry.seats, seats), level=Level.HOLD)
    begin_hold(m, hold_reason(entry.id))


def _healed(m: Moment) -> None:
    """The hold that the difference began ends with it."""
    entry = open_entry(m, known_id(m, DIVERGED))
    if entry is None:
        return
    amend(m, entry, standing=Standing.HEALED)
    reason = hold_reason(entry.id)
    m.now = replace(m.now, holds=tuple(hold for hold in m.now.holds if hold.reason != reason))


def _not_shown(m: Moment) -> Entry | None:
    return open_entry(m, known_id(m, NOT_SHOWN))


def _stuck(m: Moment) -> None:
    """The passes are there, but a turn was skipped or an inadmissible call is open: nothing has ended."""
    calls = m.now.auction.calls
    if calls.passed_but_open:
        skipped = tuple(seat for seat in Seat if seat in calls.deprived)
        report(m, New(kinds=(Kind.AUCTION_STUCK,), seats=skipped), STUCK)
