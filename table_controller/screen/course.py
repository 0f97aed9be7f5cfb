"""The possible course of an irregularity, as the profile in force has it: keys, for the director to choose.

For an irregular call two facts decide, where the tray is and who is responsible for its crossing; where they
leave it open every row is listed. The table never concludes that *one* player is responsible. Must never
rule, and never name an authority: what each answers is data.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.regulations.courses import Course
from table_controller.regulations.strategies import (
    AttentionBy,
    CancelledInformation,
    Crossed,
    LeadOutOfTurn,
    NotCrossed,
    Returned,
    SimultaneousCourse,
)
from table_controller.screen.beliefs import declaring, lead_of, right_lead
from table_controller.screen.entry import Entry, Kind, Stage, Standing
from table_controller.screen.event_base import WindowState
from table_controller.screen.facts import TableState
from table_controller.screen.orders import Verdict
from table_controller.screen.rules import Rules

NEVER_CAN_STAND = frozenset(
    {
        Kind.INADMISSIBLE_DOUBLE,
        Kind.INADMISSIBLE_REDOUBLE,
        Kind.CALL_AFTER_FINAL_PASS,
        Kind.CALL_VIOLATING_OBLIGATION_TO_PASS,
    }
)
"""Calls that cannot be condoned (L35; 2017: 36A, 37A, 39A)."""

_NOT_CROSSED = {
    NotCrossed.CORRECTED_NEVER_ACCEPTED: Course.NOT_CROSSED_CORRECTED_NEVER_ACCEPTED,
    NotCrossed.PUT_RIGHT_BEFORE_PASSING: Course.NOT_CROSSED_PUT_RIGHT_BEFORE_PASSING,
    NotCrossed.CORRECTED: Course.NOT_CROSSED_CORRECTED,
    NotCrossed.CORRECTED_BEFORE_TRAY_NEVER_ACCEPTED: Course.NOT_CROSSED_CORRECTED_BEFORE_TRAY_NEVER_ACCEPTED,
    NotCrossed.LAWS: Course.NOT_CROSSED_LAWS,
}
_CROSSED = {
    Crossed.LAWS_SCREENMATE_MAY_HAVE_ACCEPTED: Course.CROSSED_LAWS_SCREENMATE_MAY_HAVE_ACCEPTED,
    Crossed.BACK_CORRECTED_NEVER_ACCEPTED: Course.CROSSED_BACK_CORRECTED_NEVER_ACCEPTED,
    Crossed.LAWS: Course.CROSSED_LAWS,
}
_RETURNED = {
    Returned.STANDS_IF_BOTH_OTHERS_CALLED: Course.RETURNED_STANDS_IF_BOTH_OTHERS_CALLED,
    Returned.LAWS: Course.RETURNED_LAWS,
}
_BY_THE_LAWS = (Crossed.LAWS_SCREENMATE_MAY_HAVE_ACCEPTED, Crossed.LAWS)


def course_of_call(entry: Entry, rules: Rules) -> tuple[str, ...]:
    """The rows open for an entry about a call, by its stage and facts."""
    if Kind.SIMULTANEOUS_CALLS in entry.kinds:
        later = rules.regulations.simultaneous.course.value is SimultaneousCourse.LATER_CANCELLED
        return (Course.SIMULTANEOUS_LATER_CANCELLED if later else Course.SIMULTANEOUS_LAW_33,)
    if entry.stage is None:
        return ()
    return tuple(dict.fromkeys(_rows(entry, rules)))


def _rows(entry: Entry, rules: Rules) -> Iterator[str]:
    answers = rules.regulations.irregular
    match entry.stage:
        case Stage.NOT_CROSSED:
            yield _NOT_CROSSED[answers.not_crossed.value]
            if entry.called_over_by is not None and answers.crossed.value in _BY_THE_LAWS:
                yield _CROSSED[answers.crossed.value]  # under the Laws to call over it may accept it
        case Stage.CROSSED:
            yield from _crossed(entry, rules, answers.crossed.value)
        case Stage.RETURNED:
            yield _returned(entry, answers.returned.value)
        case None:
            return
    if _is_cancelled(entry):
        by_responsibility = answers.information.value is CancelledInformation.BY_RESPONSIBILITY
        yield Course.INFORMATION_BY_RESPONSIBILITY if by_responsibility else Course.INFORMATION_LAWS
    yield from _attention(entry, answers.attention_by.value)


def _crossed(entry: Entry, rules: Rules, answer: Crossed) -> Iterator[str]:
    if answer is not Crossed.BY_RESPONSIBILITY:
        yield _CROSSED[answer]
        return
    yield Course.CROSSED_BOTH
    if not both_responsible(entry, rules):
        yield Course.CROSSED_ONE


def both_responsible(entry: Entry, rules: Rules) -> bool:
    """The mover is of the other partnership than the offender, or the screenmate called over it."""
    offender = entry.seats[0]
    mover = None if entry.mover is None else entry.mover.seat
    if mover is not None and mover.partnership is not offender.partnership:
        return True
    return entry.called_over_by is rules.faces.screenmate(offender)


def _returned(entry: Entry, answer: Returned) -> str:
    if answer is not Returned.STANDS_BUT_LAW_35:
        return _RETURNED[answer]
    never = not NEVER_CAN_STAND.isdisjoint(entry.kinds)
    return Course.RETURNED_NEVER_CAN_STAND if never else Course.RETURNED_STANDS


def _is_cancelled(entry: Entry) -> bool:
    if entry.standing is Standing.CORRECTED:
        return True
    return any(fact.name == "ruled" and fact.text == Verdict.CANCEL for fact in entry.facts)


def _attention(entry: Entry, answer: AttentionBy) -> Iterator[str]:
    match answer:
        case AttentionBy.SCREENMATE_MAY_FAR_FACE_MUST if entry.stage is Stage.CROSSED:
            yield Course.ATTENTION_SCREENMATE_MAY_FAR_FACE_MUST
        case AttentionBy.OFFENDER_OR_SCREENMATE if entry.stage is not Stage.RETURNED:
            yield Course.ATTENTION_OFFENDER_OR_SCREENMATE
        case _:
            return


_SEEN_THROUGH_WINDOW = frozenset(
    {
        Course.LEAD_FACED_RIGHT_LEAD_NOT_FACED,
        Course.LEAD_FACED_RIGHT_LEAD_FACED,
        Course.LEAD_ACCEPTED_BY_OPENING,
        Course.LEAD_OPENER_UNCLEAR,
    }
)
"""Once the card has lain faced with the window open, closing the window undoes nothing."""


def course_of_lead(state: TableState, entry: Entry, rules: Rules) -> tuple[str, ...]:
    """The rows open for an opening lead out of turn that lies, by its face, the window and the right lead."""
    seat = entry.seats[0]
    if rules.regulations.lead.out_of_turn.value is LeadOutOfTurn.LAWS:
        return (Course.LEAD_LAWS,)
    side = declaring(state)
    if seat.partnership is side:
        return (Course.LEAD_BY_DECLARING_SIDE,)
    lead = lead_of(state, seat)
    faced = None if lead is None else lead.faced
    if faced is False:
        return (Course.LEAD_FACE_DOWN,)
    if state.window.state is WindowState.CLOSED and _SEEN_THROUGH_WINDOW.isdisjoint(entry.course):
        return (
            (Course.LEAD_FACED_WINDOW_CLOSED,)
            if faced
            else (
                Course.LEAD_FACE_DOWN,
                Course.LEAD_FACED_WINDOW_CLOSED,
            )
        )
    rows = _lead_with_open_window(state, rules)
    return rows if faced else (Course.LEAD_FACE_DOWN, *rows)


def _lead_with_open_window(state: TableState, rules: Rules) -> tuple[str, ...]:
    openers = {seat.partnership for seat in state.window.openers}
    right = right_lead(state, rules)
    right_faced = right is not None and (right.faced is True or state.lead.faced)
    by_defender = (
        Course.LEAD_FACED_RIGHT_LEAD_FACED if right_faced else Course.LEAD_FACED_RIGHT_LEAD_NOT_FACED
    )
    if len(openers) == 1 and not state.window.begun:
        return (Course.LEAD_ACCEPTED_BY_OPENING,) if declaring(state) in openers else (by_defender,)
    return (by_defender, Course.LEAD_ACCEPTED_BY_OPENING, Course.LEAD_OPENER_UNCLEAR)
