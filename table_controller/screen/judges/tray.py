"""The tray: early, empty-handed, by the wrong hand; and the stages of the calls that cross with it."""

from __future__ import annotations

from table_controller.regulations.courses import Course
from table_controller.screen.beliefs import owed
from table_controller.screen.book import New, amend, open_entries, open_entry, report
from table_controller.screen.entry import Certainty, Entry, Kind, Mover, Stage
from table_controller.screen.facts import Laid
from table_controller.screen.judges.calls import refresh_course
from table_controller.screen.moment import Arrived, Departed, Made, Moment
from table_controller.screen.tempo import elapsed


def judge_tray(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case Departed():
                _departed(m, happening)
            case Arrived() if happening.crossed:
                _move_stages(m, happening)
                _has_crossed(m, happening)
            case Made() if happening.first:
                _first_call(m)
            case _:
                continue


def _departed(m: Moment, left: Departed) -> None:
    tray = m.before.tray
    if tray.sent_back is not None or m.now.lead.faced:
        return
    kinds: list[Kind] = []
    if left.running and left.owed:
        kinds.append(Kind.TRAY_CROSSED_EARLY if left.made else Kind.TRAY_CROSSED_WITHOUT_CALLS)
    seats = left.owed
    proper = m.rules.regulations.tray.movers.value.on(left.side)
    if (
        left.mover.certainty is Certainty.KNOWN
        and left.mover.seat is not None
        and left.mover.seat is not proper
    ):
        kinds.append(Kind.TRAY_MOVED_BY_WRONG_SEAT)
        seats = seats or (left.mover.seat,)
    if kinds:
        new = New(kinds=tuple(kinds), seats=seats, side=left.side, mover=left.mover)
        report(m, new, ("departed", left.side, *kinds, str(m.now.auction.uid)))


def _move_stages(m: Moment, arrived: Arrived) -> None:
    """A card's entry goes with it: crossed, then returned. A summons, a hold or taking it up ends that."""
    if m.held:
        return
    for laid in m.now.auction.laid:
        if not laid.lies:
            continue
        for entry_id in laid.entries:
            entry = open_entry(m, entry_id)
            if entry is not None and entry.id not in m.now.book.frozen:
                _move_stage(m, entry, laid, arrived)


def _move_stage(m: Moment, entry: Entry, laid: Laid, arrived: Arrived) -> None:
    if entry.stage is Stage.NOT_CROSSED and arrived.side is not entry.screen_side:
        tray = m.before.tray
        mover = tray.mover if arrived.known else Mover()
        gap = elapsed(laid.at, tray.left_at) if arrived.known else None
        amend(m, entry, stage=Stage.CROSSED, mover=mover, gap=gap)
    elif entry.stage is Stage.CROSSED and arrived.side is entry.screen_side:
        amend(m, entry, stage=Stage.RETURNED)
    refresh_course(m, entry.id)


def _has_crossed(m: Moment, arrived: Arrived) -> None:
    """What left too early has come across, so there is something for the director to decide."""
    if m.held:
        return
    for entry in open_entries(m, Kind.TRAY_CROSSED_EARLY, Kind.TRAY_CROSSED_WITHOUT_CALLS):
        left = arrived.side.other
        owes = entry.screen_side is left and not set(entry.seats).isdisjoint(owed(m.now, m.rules, left))
        if owes and entry.id in m.now.book.own and not entry.course:
            amend(m, entry, course=(Course.TRAY_CROSSED_CALL_OWED,))


def _first_call(m: Moment) -> None:
    dealer = m.now.auction.calls.dealer
    at = m.now.tray.at
    if dealer is not None and at is not None and m.rules.side_of(dealer) is not at:
        report(m, New(kinds=(Kind.TRAY_ON_WRONG_FACE,), side=at), ("wrong_face",))
