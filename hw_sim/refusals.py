"""Why something is refused, or has gone wrong: a sentence in English, and a code to word it anew by.

The sentence is for programs and the command line; the bench's pages word the code in the reader's language,
from section `refusal` of `hw_sim/bench/words`. Must never hold a second language, nor a code that nothing
raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

Plain = str | int | float
Param = Plain | list[str] | dict[str, str]


class Why(StrEnum):
    """Every reason there is. What each speaks of, its params, are the slots of its words."""

    # --- what nobody could do at a table
    SEAT_AWAY_FROM_TRAY = "seat-away-from-tray"
    TRAY_LATCHED = "tray-latched"
    TRAY_DOCKED_STOP = "tray-docked-stop"
    TRAY_DOCKED_BRING = "tray-docked-bring"
    TRAY_DOCKED_CARD = "tray-docked-card"
    TRAY_OUT_OF_REACH = "tray-out-of-reach"
    TRAY_BETWEEN_OUT_OF_REACH = "tray-between-out-of-reach"
    TRAY_THERE_ALREADY = "tray-there-already"
    TRAY_BETWEEN = "tray-between"
    TRAY_BETWEEN_ALREADY = "tray-between-already"
    NO_CARD_ON_TRAY = "no-card-on-tray"
    ANOTHER_CARD_ON_TOP = "another-card-on-top"
    NO_CARD_TO_TAKE_BACK = "no-card-to-take-back"
    NO_LEAD_TO_FACE = "no-lead-to-face"
    NOBODY_TO_CALL = "nobody-to-call"
    WINDOW_JAMS = "window-jams"
    BOARD_NEEDS_DEALER = "board-needs-dealer"
    BOARD_SAYS_NOTHING = "board-says-nothing"
    BOARD_SAYS_TOO_MUCH = "board-says-too-much"

    # --- from one face
    TRAY_NOT_HERE = "tray-not-here"
    SEAT_ELSEWHERE = "seat-elsewhere"
    OTHER_FACES_DEED = "other-faces-deed"
    PUSH_TO_THE_OTHER_FACE = "push-to-the-other-face"
    SEAT_NOT_NAMED = "seat-not-named"
    NOT_FROM_ONE_FACE = "not-from-one-face"

    # --- what people waited for in vain
    TRAY_DID_NOT_LEAVE = "tray-did-not-leave"
    TRAY_DID_NOT_ARRIVE = "tray-did-not-arrive"
    TRAY_STUCK_BETWEEN = "tray-stuck-between"
    WINDOW_DID_NOT_CLOSE = "window-did-not-close"
    WINDOW_DID_NOT_OPEN = "window-did-not-open"
    WINDOW_DID_NOT_BEGIN_TO_CLOSE = "window-did-not-begin-to-close"
    WINDOW_DID_NOT_BEGIN_TO_OPEN = "window-did-not-begin-to-open"
    WINDOW_NOT_MOVED_BY_HAND = "window-not-moved-by-hand"
    LAMP_TO_CLOSE_DARK = "lamp-to-close-dark"
    LAMP_TO_OPEN_DARK = "lamp-to-open-dark"
    SUMMONS_LAMP_DARK = "summons-lamp-dark"
    DIRECTOR_DID_NOT_COME = "director-did-not-come"

    # --- the director's orders
    TABLE_REFUSED = "table-refused"
    NO_SUCH_ENTRY = "no-such-entry"
    NO_ENTRY_OF_KIND = "no-entry-of-kind"
    CONTROLLER_HEARS_NOBODY = "controller-hears-nobody"
    BROKER_OUT = "broker-out"

    # --- levers and misdeeds
    CONTROLLER_DOWN_ALREADY = "controller-down-already"
    CONTROLLER_NOT_DOWN = "controller-not-down"
    NO_DEVICE_HERE = "no-device-here"
    MISDEED_NEEDS = "misdeed-needs"
    NO_SUCH_OPTION = "no-such-option"
    OPTION_MALFORMED = "option-malformed"
    OPTION_NOT_A_NUMBER = "option-not-a-number"
    OPTION_NOT_A_WHOLE_NUMBER = "option-not-a-whole-number"
    OPTION_OUT_OF_RANGE = "option-out-of-range"
    OPTION_NOT_ONE_OF = "option-not-one-of"
    NO_PLACE = "no-place"
    NO_PLACE_AT_CALL = "no-place-at-call"
    NO_PLACE_IN_RECORD = "no-place-in-record"
    SECOND_OPENER_SAID = "second-opener-said"

    # --- what plays by itself
    NOBODY_PLAYS = "nobody-plays"
    NO_RECORD_PLAYS = "no-record-plays"
    NOT_IN_FULL = "not-in-full"
    NOTHING_SEEN_YET = "nothing-seen-yet"
    RETELLING_FAILED = "retelling-failed"
    LINE_NOT_AS_WRITTEN = "line-not-as-written"

    # --- there is no such thing
    NO_SUCH = "no-such"
    REGULATIONS_DO_NOT_LOAD = "regulations-do-not-load"

    # --- a line, or a file of lines
    NO_SUCH_DEED = "no-such-deed"
    NO_SUCH_PHRASE = "no-such-phrase"
    PHRASE_WRONG = "phrase-wrong"
    NOTHING_DONE = "nothing-done"
    NOTHING_EXPECTED = "nothing-expected"
    EXPECTED_OF_A_DEED = "expected-of-a-deed"
    SEATS_WRONG = "seats-wrong"
    SAID_TWICE = "said-twice"
    REGULATIONS_MISSING = "regulations-missing"
    SENSES_MISSING = "senses-missing"
    NO_SUCH_FILE = "no-such-file"
    WINDOW_TIME_WRONG = "window-time-wrong"
    REASON_MISSING = "reason-missing"
    FILE_UNREADABLE = "file-unreadable"
    FILE_NOT_UTF8 = "file-not-utf8"
    NO_BOARD = "no-board"
    NOTHING_HAPPENS = "nothing-happens"
    SENTENCE_MISSING = "sentence-missing"

    # --- an order's shape
    NOT_JSON = "not-json"
    UNKNOWN_KEY = "unknown-key"
    KEY_MISSING = "key-missing"
    VALUE_EMPTY = "value-empty"
    VALUE_TOO_LONG = "value-too-long"
    VALUE_TOO_SMALL = "value-too-small"
    VALUE_NOT_ABOVE = "value-not-above"
    VALUE_TOO_LARGE = "value-too-large"
    VALUE_NOT_ONE_OF = "value-not-one-of"
    VALUE_OF_ANOTHER_TYPE = "value-of-another-type"
    VALUE_WRONG = "value-wrong"
    TIME_NOT_A_NUMBER = "time-not-a-number"

    # --- who asks
    ANOTHER_HOST = "another-host"
    ANOTHER_SITE = "another-site"
    BODY_NOT_JSON = "body-not-json"
    BODY_TOO_LARGE = "body-too-large"

    # --- programs behind the bench
    JOINT_BROKEN = "joint-broken"
    NO_CONSOLE = "no-console"
    NO_TABLE_STANDS = "no-table-stands"
    CONTROLLER_ENDED = "controller-ended"
    STILL_AT_IT = "still-at-it"
    OUR_ERROR = "our-error"
    OUR_ERROR_AT_TABLE = "our-error-at-table"


@dataclass(frozen=True, slots=True)
class Said:
    """`text` in English; `why` None where the sentence is all there is."""

    text: str
    why: Why | None = None
    params: Mapping[str, Param] = field(default_factory=dict)

    @classmethod
    def because(cls, text: str, why: Why | None = None, /, **params: object) -> Said:
        return cls(text, why, {name: _plain(value) for name, value in params.items()})

    def __str__(self) -> str:
        return self.text


class Refusing(Exception):
    """An exception that is one sentence, and says why. Params: seats, calls, faces, numbers, names, lists."""

    def __init__(self, text: str, why: Why | None = None, /, **params: object) -> None:
        super().__init__(text)
        self.said = Said.because(text, why, **params)

    def __str__(self) -> str:
        return self.said.text


def said_of(problem: BaseException) -> Said:
    """Why, where it says so; else its sentence alone."""
    return problem.said if isinstance(problem, Refusing) else Said(str(problem))


def _plain(value: object) -> Param:
    """As JSON has it: a seat, a face or a call as it is written."""
    match value:
        case bool() | StrEnum():
            return str(value)
        case str() | int() | float():
            return value
        case Mapping():
            return {str(name): str(one) for name, one in value.items()}
        case Sequence():
            return [str(one) for one in value]
        case _:
            return str(value)
