"""Noting the tray: where it is, whose hand moved it, and what crosses with it.

A tray that leaves a dock empties its readers; that is no withdrawal. What each face last saw is kept apart.
Must never invent a departure: a tray found on the other face has crossed, and nobody knows when or by whom.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import ScreenSide
from table_controller.screen import calls, tempo
from table_controller.screen.aside import make_what_still_lies
from table_controller.screen.beliefs import BOTH_SIDES, is_over, owed, seen_by_both
from table_controller.screen.entry import Certainty, Mover
from table_controller.screen.events import TrayArrived, TrayHandled, TrayLeft
from table_controller.screen.facts import NOBODY_KNOWN, TrayFacts
from table_controller.screen.moment import AlertUp, Arrived, Departed, Moment, Withdrawn
from table_controller.screen.phases import Phase
from table_controller.screen.senses import Sense


def note_handled(m: Moment, event: TrayHandled) -> None:
    held = m.now.tray.handles
    handles = held | {event.seat} if event.held else held - {event.seat}
    m.now = replace(m.now, tray=replace(m.now.tray, handles=handles))


def note_left(m: Moment, event: TrayLeft) -> None:
    tray = m.now.tray
    if tray.at is None and tray.left_from is not None:
        return  # already on its way
    if tray.at is event.side.other:
        note_arrived(m, TrayArrived(at=event.at, side=event.side, inferred=True))
    running = not is_over(m.now, m.rules)
    calls.set_auction(m, replace(m.now.auction, reopened=None))
    calls.let_go(m)
    mover = _mover(m, event.side)
    if m.now.auction.begun:
        _leave_with_auction(m, event.side, mover, running=running)
    elif not m.rules.reads_calls and _may_begin(m, event.side):
        _begin_unread(m, event.side)
        _leave_with_auction(m, event.side, mover, running=True)
    m.now = replace(
        m.now,
        tray=replace(m.now.tray, at=None, since=None, left_from=event.side, left_at=m.at, mover=mover),
    )


def _leave_with_auction(m: Moment, side: ScreenSide, mover: Mover, *, running: bool) -> None:
    make_what_still_lies(m)
    taken, lifted = calls.take_back_lifted(m)
    for card in (*taken, *lifted):
        m.happened.append(Withdrawn(card=card))
    calls.miss_what_is_gone(m)
    _leave_alerts(m, side)
    still = tuple(dict.fromkeys(card.seat for card in lifted if m.rules.side_of(card.seat) is side))
    due = owed(m.now, m.rules, side)
    due = (*due, *(seat for seat in still if seat not in due)) if running else due
    made = sum(1 for laid in m.now.auction.laid if laid.stay == m.now.tray.stay)
    m.happened.append(Departed(side=side, made=made, owed=due, mover=mover, running=running))
    if running or (m.now.visit is not None and m.now.visit.left is None):
        tempo.end_visit(m, m.at, due, mover)


def _leave_alerts(m: Moment, side: ScreenSide) -> None:
    left = [alert for alert in m.now.alerts if m.rules.side_of(alert.seat) is side]
    if left:
        for alert in left:
            m.happened.append(AlertUp(seat=alert.seat, uid=alert.uid, after=None))
        m.now = replace(m.now, alerts=tuple(one for one in m.now.alerts if one not in left))


def _may_begin(m: Moment, side: ScreenSide) -> bool:
    """Where calls are not read: the auction has begun when the tray leaves the dealer's face, if known.

    With the window not closed yet (23.1) only a known dealer's face tells a call from a tray put in place.
    """
    dealer = m.now.auction.calls.dealer
    if m.now.board.current is None:
        return False
    if m.now.phase is Phase.CLOSING:
        return dealer is not None and m.rules.side_of(dealer) is side
    return m.now.phase.in_auction and (dealer is None or m.rules.side_of(dealer) is side)


def _begin_unread(m: Moment, side: ScreenSide) -> None:
    calls.set_auction(m, replace(m.now.auction, begun=True))
    tempo.begin_visit(m, side, m.now.tray.since)


def note_arrived(m: Moment, event: TrayArrived) -> None:
    tray = m.now.tray
    if tray.at is event.side:
        return
    known = tray.at is None and tray.left_from is not None
    crossed = (tray.left_from or tray.at) is event.side.other
    if tray.at is not None and m.now.auction.begun:  # found on the other face, nobody saw it go
        tempo.end_visit(m, None, (), NOBODY_KNOWN)
        m.now = replace(m.now, tray=replace(tray, left_at=None, mover=NOBODY_KNOWN))
    transit = tempo.elapsed(m.now.tray.left_at, m.at) if known else None
    m.now = replace(
        m.now,
        tray=replace(
            m.now.tray,
            at=event.side,
            since=m.at,
            stay=tray.stay + (1 if crossed or tray.left_from is None else 0),
            left_from=None,
            sent_back=None if tray.sent_back is event.side else tray.sent_back,
        ),
    )
    m.happened.append(Arrived(side=event.side, crossed=crossed, known=known))
    if tray.sent_back is event.side:
        _reopen_stay(m, event.side)
    if m.now.auction.begun:
        _arrive_with_auction(m, event, crossed=crossed, transit=transit)


def _reopen_stay(m: Moment, side: ScreenSide) -> None:
    """The director has sent the tray back for the last calls of this face to be put right there."""
    auction = m.now.auction
    stays = [one.stay for one in auction.laid if one.lies and m.rules.side_of(one.seat) is side]
    calls.set_auction(m, replace(auction, reopened=max(stays, default=None)))


def _arrive_with_auction(m: Moment, event: TrayArrived, *, crossed: bool, transit: int | None) -> None:
    if not crossed:
        if not is_over(m.now, m.rules):
            tempo.reopen_visit(m)
        return
    tempo.record_transit(m, transit)
    auction = m.now.auction
    laid = tuple(
        replace(one, sides=BOTH_SIDES) if one.lies and event.side not in one.sides else one
        for one in auction.laid
    )
    over = is_over(m.now, m.rules)
    since = auction.crossings_since_call + (0 if over else 1)
    calls.set_auction(m, replace(auction, laid=laid, crossings_since_call=since, due_since=m.at))
    if not m.rules.reads_calls and not over:
        calls.set_auction(m, replace(m.now.auction, crossings=m.now.auction.crossings + 1))
    if not over:
        tempo.begin_visit(m, event.side, None if event.inferred else m.at, event.uncertainty)
    elif seen_by_both(m.now):
        calls.set_auction(m, replace(m.now.auction, due_since=None))


def _mover(m: Moment, side: ScreenSide) -> Mover:
    """Known where exactly one handle was held, else the proper mover, presumed."""
    tray: TrayFacts = m.now.tray
    if m.rules.has(Sense.MOVER):
        if len(tray.handles) == 1:
            return Mover(seat=next(iter(tray.handles)), certainty=Certainty.KNOWN)
        if tray.handles:
            return NOBODY_KNOWN
    proper = m.rules.regulations.tray.movers.value.on(side)
    return Mover(seat=proper, certainty=Certainty.PRESUMED)
