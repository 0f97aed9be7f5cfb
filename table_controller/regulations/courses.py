"""The courses an article may open to the director, each with a key of its own.

The core decides from the facts which rows of an article are open and lists their keys in `Entry.course`;
`words` holds the text. A course is an offer: the director takes it or leaves it. Must never decide anything.
"""

from __future__ import annotations

from enum import StrEnum


class Course(StrEnum):
    """One row of an article's table. `..._LAWS` means: the Law concerned applies, as at any table."""

    NOT_CROSSED_CORRECTED_NEVER_ACCEPTED = "irregular.not_crossed.corrected_never_accepted"
    NOT_CROSSED_PUT_RIGHT_BEFORE_PASSING = "irregular.not_crossed.put_right_before_passing"
    NOT_CROSSED_CORRECTED = "irregular.not_crossed.corrected"
    NOT_CROSSED_CORRECTED_BEFORE_TRAY_NEVER_ACCEPTED = (
        "irregular.not_crossed.corrected_before_tray_never_accepted"
    )
    NOT_CROSSED_LAWS = "irregular.not_crossed.laws"
    CROSSED_BOTH = "irregular.crossed.both"
    CROSSED_ONE = "irregular.crossed.one"
    CROSSED_LAWS_SCREENMATE_MAY_HAVE_ACCEPTED = "irregular.crossed.laws_screenmate_may_have_accepted"
    CROSSED_BACK_CORRECTED_NEVER_ACCEPTED = "irregular.crossed.back_corrected_never_accepted"
    CROSSED_LAWS = "irregular.crossed.laws"
    RETURNED_STANDS = "irregular.returned.stands"
    RETURNED_NEVER_CAN_STAND = "irregular.returned.never_can_stand"
    RETURNED_STANDS_IF_BOTH_OTHERS_CALLED = "irregular.returned.stands_if_both_others_called"
    RETURNED_LAWS = "irregular.returned.laws"
    INFORMATION_BY_RESPONSIBILITY = "irregular.information.by_responsibility"
    INFORMATION_LAWS = "irregular.information.laws"
    ATTENTION_SCREENMATE_MAY_FAR_FACE_MUST = "irregular.attention_by.screenmate_may_far_face_must"
    ATTENTION_OFFENDER_OR_SCREENMATE = "irregular.attention_by.offender_or_screenmate"
    SIMULTANEOUS_LATER_CANCELLED = "simultaneous.later_cancelled"
    SIMULTANEOUS_LAW_33 = "simultaneous.law_33"
    TRAY_CROSSED_CALL_OWED = "tray.crossed.call_owed"
    LEAD_FACE_DOWN = "lead.face_down"
    LEAD_FACED_WINDOW_CLOSED = "lead.faced_window_closed"
    LEAD_FACED_RIGHT_LEAD_NOT_FACED = "lead.faced_right_lead_not_faced"
    LEAD_FACED_RIGHT_LEAD_FACED = "lead.faced_right_lead_faced"
    LEAD_ACCEPTED_BY_OPENING = "lead.accepted_by_opening"
    LEAD_OPENER_UNCLEAR = "lead.opener_unclear"
    LEAD_BY_DECLARING_SIDE = "lead.by_declaring_side"
    LEAD_LAWS = "lead.laws"


class Guidance(StrEnum):
    """What changes behind screens and has no sensor: said beside an entry it bears on, never judged."""

    DUMMY_EXPOSED_CARD = "dummy_exposed_card"
    LAW13_ONLY_IF_CROSSED = "law13_only_if_crossed"
    REVIEW_OF_AUCTION = "review_of_auction"
    CONFIRM_BEFORE_FACING = "confirm_before_facing"
    ALERTABLE_TOO = "alertable_too"
    SPECIAL_ALERT_CARD = "special_alert_card"
    SUMMON_DIRECTOR = "summon_director"
    SPECTATORS = "spectators"
    SCREENMATE_SHOULD_PREVENT = "screenmate_should_prevent"
    REVOKE = "revoke"
    PLAY_AFTER_CLAIM = "play_after_claim"
    BEGUN_BOARD_IS_FINISHED = "begun_board_is_finished"
    SAY_SO_EARLY = "say_so_early"
    CUT_BOARDS = "cut_boards"
