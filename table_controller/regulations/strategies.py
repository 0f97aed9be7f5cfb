"""The named answers authorities give where a number will not do.

Each member is one distinct answer; the code that carries it out lives in `screen`, its wording in `words`.
Must never name an authority: which authority gives which answer is data (`profiles/*.toml`).
"""

from __future__ import annotations

from enum import StrEnum


class HoldOutput(StrEnum):
    """The lamp or latch that keeps the tray on a face."""

    OFF = "off"
    WHILE_OWED = "while_owed"


class OnTray(StrEnum):
    """How long the board stays on the tray."""

    AUCTION = "auction"
    AUCTION_AND_PLAY = "auction_and_play"


class MadeWhen(StrEnum):
    """When a call is made: its card lies on the tray, or lies there and has been let go."""

    PLACED = "placed"
    RELEASED = "released"


class OpensOn(StrEnum):
    """What the presumed leader must have done before the window opens."""

    LEAD_PLACED = "lead_placed"
    LEAD_ANNOUNCED = "lead_announced"  # by his screenmate
    LEAD_FACED = "lead_faced"


class OpenedBy(StrEnum):
    """Whose task it is to open the window."""

    WEST_AND_SOUTH = "west_and_south"
    WEST = "west"
    DEFENDER = "defender"


class ClosedBefore(StrEnum):
    """What must wait until the window is closed, besides the auction itself."""

    NOT_STATED = "not_stated"
    HANDS_OUT = "hands_out"
    HANDS_OUT_ONE_FACE_AT_A_TIME = "hands_out_one_face_at_a_time"

    @property
    def covers_hands(self) -> bool:
        return self is not ClosedBefore.NOT_STATED


class RaisedBy(StrEnum):
    """Who may raise a break in tempo."""

    RECEIVING_FACE = "receiving_face"
    RECEIVING_FACE_ELSE_STATUS_LOST = "receiving_face_else_status_lost"
    ANYONE = "anyone"


class NotCrossed(StrEnum):
    """An irregular call whose tray has not left."""

    CORRECTED_NEVER_ACCEPTED = "corrected_never_accepted"
    PUT_RIGHT_BEFORE_PASSING = "put_right_before_passing"
    CORRECTED = "corrected"
    CORRECTED_BEFORE_TRAY_NEVER_ACCEPTED = "corrected_before_tray_never_accepted"
    LAWS = "laws"


class Crossed(StrEnum):
    """An irregular call seen on the other face."""

    BY_RESPONSIBILITY = "by_responsibility"
    LAWS_SCREENMATE_MAY_HAVE_ACCEPTED = "laws_screenmate_may_have_accepted"
    BACK_CORRECTED_NEVER_ACCEPTED = "back_corrected_never_accepted"
    LAWS = "laws"


class Returned(StrEnum):
    """An irregular call back on the offender's face, nobody having summoned."""

    STANDS_BUT_LAW_35 = "stands_but_law_35"
    STANDS_IF_BOTH_OTHERS_CALLED = "stands_if_both_others_called"
    LAWS = "laws"


class CancelledInformation(StrEnum):
    """What a partnership may make of a call that was cancelled."""

    BY_RESPONSIBILITY = "by_responsibility"
    LAWS = "laws"


class AttentionBy(StrEnum):
    """Who draws attention to an irregular call."""

    SCREENMATE_MAY_FAR_FACE_MUST = "screenmate_may_far_face_must"
    OFFENDER_OR_SCREENMATE = "offender_or_screenmate"
    NOT_STATED = "not_stated"


class SimultaneousCourse(StrEnum):
    """Two calls at once, one of them in turn."""

    LATER_CANCELLED = "later_cancelled"
    LAW_33 = "law_33"


class AlertHow(StrEnum):
    CARD_TAKEN_BACK = "card_taken_back"
    OPPONENT_MUST_BE_AWARE = "opponent_must_be_aware"
    BOTH_FACES = "both_faces"
    CARD_ON_SCREENMATES_SPACE = "card_on_screenmates_space"
    NOT_STATED = "not_stated"


class ExplanationHow(StrEnum):
    WRITING = "writing"
    WRITING_AT_ANY_TIME = "writing_at_any_time"


class ClearedAfter(StrEnum):
    """What must have happened before the bidding cards are taken up."""

    BOTH_FACES_SEEN = "both_faces_seen"
    TRAY_BACK_WITH_FINAL_PASSES = "tray_back_with_final_passes"
    FINAL_PASS = "final_pass"


class LeadOutOfTurn(StrEnum):
    SCREEN_TABLE = "screen_table"  # the table for screens, by face of the card, window, opener and right lead
    LAWS = "laws"


class StopCard(StrEnum):
    NOT_USED = "not_used"
    SILENT = "silent"


class ElectronicRecord(StrEnum):
    """Devices that record bidding, play and time."""

    ALLOWED = "allowed"
    SILENT = "silent"


class LawCode(StrEnum):
    """The edition of the Laws an authority's articles are written against."""

    CODE_1997 = "1997"
    CODE_2017 = "2017"


class RevokeCourse(StrEnum):
    CODE_2017 = "code_2017"
    OLDER_ACCOUNTS = "older_accounts"


class PlayAfterClaim(StrEnum):
    NEVER = "never"
    IF_ASKED_AND_ALL_AGREE = "if_asked_and_all_agree"
