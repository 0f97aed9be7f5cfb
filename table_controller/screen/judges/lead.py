"""The opening lead: out of turn, too early, face up, changed. Courses follow what lies and how it lies."""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import Seat
from table_controller.regulations.courses import Course
from table_controller.screen.beliefs import contract, is_over, lead_of, leader, passed_out
from table_controller.screen.book import New, amend, open_entries, open_entry, report
from table_controller.screen.corrections import ABOUT_CALLS
from table_controller.screen.course import course_of_lead
from table_controller.screen.entry import Entry, Fact, Kind, Level, Standing
from table_controller.screen.event_base import WindowState
from table_controller.screen.facts import LiftedLead
from table_controller.screen.lead import set_lead
from table_controller.screen.moment import LeadLaid, LeadUp, Moment

CHANGED = ("lead_changed",)
ALLOWS_CHANGE = ABOUT_CALLS | {
    Kind.OPENING_LEAD_OUT_OF_TURN,
    Kind.LEAD_BEFORE_PLAY_PERIOD,
    Kind.AUCTION_NOT_SHOWN,
    Kind.AUCTION_DIVERGED,
    Kind.AUCTION_STUCK,
    Kind.SUMMONS,
}
"""A lead may be taken back after an irregularity, or on the word of a director who has been called."""

_TAKEN_BACK_FREELY = frozenset(
    {Course.LEAD_FACE_DOWN, Course.LEAD_FACED_WINDOW_CLOSED, Course.LEAD_BY_DECLARING_SIDE}
)


def judge_lead(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case LeadLaid():
                _laid(m, happening)
            case LeadUp(right=True):
                _lifted(m, happening)
            case LeadUp():
                _taken_back(m, happening)
            case _:
                continue
    _follow_wrong_leads(m)


def _laid(m: Moment, laid: LeadLaid) -> None:
    seat = laid.seat
    if not is_over(m.now, m.rules) or passed_out(m.now):
        if m.now.auction.begun:
            _report(m, Kind.LEAD_BEFORE_PLAY_PERIOD, seat)
        return
    presumed = leader(m.now)
    if presumed is None:
        return
    if seat is not presumed:
        _report(m, Kind.OPENING_LEAD_OUT_OF_TURN, seat)
        return
    lead = lead_of(m.now, seat)
    if lead is not None and lead.faced:
        _report(m, Kind.LEAD_FACED_EARLY, seat)
    if laid.again is not None and not _change_allowed(m):
        _changed(m, laid.again, seat)


def _report(m: Moment, kind: Kind, seat: Seat) -> None:
    entry_id = report(m, New(kinds=(kind,), seats=(seat,), side=m.rules.side_of(seat)), ("lead", kind, seat))
    lead = lead_of(m.now, seat)
    if entry_id is not None and lead is not None:
        lying = tuple(replace(one, entry=entry_id) if one is lead else one for one in m.now.lead.lying)
        set_lead(m, replace(m.now.lead, lying=lying))


def _changed(m: Moment, lifted: LiftedLead, seat: Seat) -> None:
    level = Level.URGENT if lifted.begun or m.now.window.begun else Level.REPORT
    new = New(
        kinds=(Kind.LEAD_CHANGED,),
        level=level,
        seats=(seat,),
        side=m.rules.side_of(seat),
        evidence=(lifted.number,),
    )
    entry = open_entry(m, report(m, new, CHANGED))
    if entry is not None and entry.level < level:
        amend(m, entry, level=level)


def _lifted(m: Moment, up: LeadUp) -> None:
    """Once the window has begun to open the director should know at once, laid again or not."""
    lifted = m.now.lead.lifted
    if lifted is not None and lifted.begun and not _change_allowed(m):
        _changed(m, lifted, up.seat)


def _change_allowed(m: Moment) -> bool:
    return any(entry.id in m.now.book.own for entry in open_entries(m, *ALLOWS_CHANGE))


def _taken_back(m: Moment, up: LeadUp) -> None:
    entry = open_entry(m, up.entry)
    if entry is None or m.held:
        return
    freely = Kind.OPENING_LEAD_OUT_OF_TURN in entry.kinds and _TAKEN_BACK_FREELY.issuperset(entry.course)
    amend(
        m,
        entry,
        fact=Fact(name="taken_back", at=m.at),
        standing=Standing.CORRECTED if freely else None,
    )


def _follow_wrong_leads(m: Moment) -> None:
    """While a lead out of turn lies, its entry says how it lies, and the course follows."""
    if m.held or contract(m.now) is None:
        return
    for lead in m.now.lead.lying:
        entry = open_entry(m, lead.entry)
        if entry is None or Kind.OPENING_LEAD_OUT_OF_TURN not in entry.kinds:
            continue
        if lead.faced:
            entry = _with_fact(m, entry, Fact(name="faced", at=m.at))
        if m.now.window.state is not WindowState.CLOSED:
            openers = [seat for seat in Seat if seat in m.now.window.openers]
            entry = _with_fact(m, entry, Fact(name="window_open", text="".join(openers), at=m.at))
        course = course_of_lead(m.now, entry, m.rules)
        if course != entry.course:
            amend(m, entry, course=course)


def _with_fact(m: Moment, entry: Entry, fact: Fact) -> Entry:
    if not any(known.name == fact.name for known in entry.facts):
        amend(m, entry, fact=fact)
    return m.now.entry(entry.id) or entry
