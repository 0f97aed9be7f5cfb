"""What the table reports to the director: entries about players, faults about hardware, visits of the tray.

An *irregularity* is what players did and carries provisions; a *fault* is what a sensor, motor, link or disk
did and carries a component. Neither rules: the course is what the article allows, for the director to take
or leave. Must never hold anything the sensors could not know: *unknown* is None, and *presumed* says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat


class Kind(StrEnum):
    """Every irregularity of the catalogue."""

    WINDOW_NOT_CLOSED = "WINDOW_NOT_CLOSED"
    WINDOW_OPENED_IN_AUCTION = "WINDOW_OPENED_IN_AUCTION"
    WINDOW_OPENED_BEFORE_LEAD = "WINDOW_OPENED_BEFORE_LEAD"
    WINDOW_OPENED_BY_DECLARING_SIDE = "WINDOW_OPENED_BY_DECLARING_SIDE"
    WINDOW_STILL_CLOSED = "WINDOW_STILL_CLOSED"
    WINDOW_FORCED_IN_HOLD = "WINDOW_FORCED_IN_HOLD"
    TRAY_ON_WRONG_FACE = "TRAY_ON_WRONG_FACE"
    TRAY_CROSSED_EARLY = "TRAY_CROSSED_EARLY"
    TRAY_CROSSED_WITHOUT_CALLS = "TRAY_CROSSED_WITHOUT_CALLS"
    TRAY_MOVED_BY_WRONG_SEAT = "TRAY_MOVED_BY_WRONG_SEAT"
    TRAY_STALLED = "TRAY_STALLED"
    TRAY_FORGOTTEN = "TRAY_FORGOTTEN"
    BOARD_OFF_TRAY = "BOARD_OFF_TRAY"
    WRONG_BOARD = "WRONG_BOARD"
    AUCTION_NOT_SHOWN = "AUCTION_NOT_SHOWN"
    AUCTION_DIVERGED = "AUCTION_DIVERGED"
    INSUFFICIENT_BID = "INSUFFICIENT_BID"
    CALL_OUT_OF_ROTATION = "CALL_OUT_OF_ROTATION"
    INADMISSIBLE_DOUBLE = "INADMISSIBLE_DOUBLE"
    INADMISSIBLE_REDOUBLE = "INADMISSIBLE_REDOUBLE"
    CALL_AFTER_FINAL_PASS = "CALL_AFTER_FINAL_PASS"
    CHANGE_OF_CALL = "CHANGE_OF_CALL"
    CALL_WITHDRAWN = "CALL_WITHDRAWN"
    SIMULTANEOUS_CALLS = "SIMULTANEOUS_CALLS"
    CALL_VIOLATING_OBLIGATION_TO_PASS = "CALL_VIOLATING_OBLIGATION_TO_PASS"
    STOP_CARD_USED = "STOP_CARD_USED"
    OPENING_LEAD_OUT_OF_TURN = "OPENING_LEAD_OUT_OF_TURN"
    LEAD_BEFORE_PLAY_PERIOD = "LEAD_BEFORE_PLAY_PERIOD"
    LEAD_FACED_EARLY = "LEAD_FACED_EARLY"
    LEAD_CHANGED = "LEAD_CHANGED"
    ALERT_ON_ONE_FACE_ONLY = "ALERT_ON_ONE_FACE_ONLY"
    ALERT_TAKEN_BACK_AT_ONCE = "ALERT_TAKEN_BACK_AT_ONCE"
    HANDS_OUT_BEFORE_CLOSED = "HANDS_OUT_BEFORE_CLOSED"
    WRONG_PLAYER = "WRONG_PLAYER"
    LATE_ARRIVAL = "LATE_ARRIVAL"
    SLOW_PLAY = "SLOW_PLAY"
    AUCTION_STUCK = "AUCTION_STUCK"
    """The third pass ended nothing: a turn was skipped or an inadmissible call is still open (L34; 17D3)."""
    AUCTION_OVER_INFERRED = "AUCTION_OVER_INFERRED"
    """Calls are not read and nobody said so: the first lead shows that the auction is over (note)."""
    SUMMONS = "SUMMONS"
    """A player called the director. No irregularity of itself; it waits in the same queue."""


class Level(IntEnum):
    """How soon the director should know."""

    NOTE = 0
    REPORT = 1
    URGENT = 2
    HOLD = 3


class Stage(StrEnum):
    """Where an irregular call's card has been (CCBA 23.2.5)."""

    NOT_CROSSED = "not crossed"
    CROSSED = "crossed"
    RETURNED = "returned"


class Standing(StrEnum):
    """What became of an entry."""

    OPEN = "open"
    CORRECTED = "corrected"
    """The players put it right before anything depended on it."""
    HEALED = "healed"
    RULED = "ruled"
    MISREADING = "misreading"
    """The director closed it: the sensors were wrong."""

    @property
    def waits(self) -> bool:
        """Still before the director: what was put right at the table, or came right, is his to look at."""
        return self in (Standing.OPEN, Standing.CORRECTED, Standing.HEALED)


class Certainty(StrEnum):
    KNOWN = "known"
    PRESUMED = "presumed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """Who pushed the tray. `seat` is None exactly when `certainty` is unknown."""

    seat: Seat | None = None
    certainty: Certainty = Certainty.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A provision departed from, as the profile in force has it.

    `article` is None where no text gives a number; `law_2017` is the number in the code of 2017, if known.
    """

    document: str
    article: str | None
    standing: str
    law_2017: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A named fact added to an entry after it began, e.g. TEMPO_RAISED_ON_SAME_FACE on a summons.

    `name` is a key in `words`; `text` is a seat, call or number, never prose.
    """

    name: str
    text: str = ""
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One standing condition. Amended, never doubled: every change is a new value with the same `id`.

    `id` counts from 1 in the table's journal epoch and never repeats in it. `at`, `gap` and fact times are
    monotonic nanoseconds. `seats` are the offenders (TRAY_CROSSED_EARLY: the seats that owe a call), empty
    when unknown. `course` keys are looked up in `words`; several rows are listed where the facts are unclear.
    `evidence` holds the journal numbers of the events that show it. `after_board` entries may be shown to
    the director only when the board is over (23.2.7). `revision` counts amendments from 0.
    """

    id: int
    revision: int = 0
    kinds: tuple[Kind, ...]
    level: Level
    at: int
    uncertainty: int = 0
    board: int | None
    phase: str
    seats: tuple[Seat, ...] = ()
    screen_side: ScreenSide | None = None
    stage: Stage | None = None
    standing: Standing = Standing.OPEN
    provisions: tuple[Cited, ...] = ()
    evidence: tuple[int, ...] = ()
    course: tuple[str, ...] = ()
    call: Call | None = None
    """The irregular call, for an entry about a call."""
    other_call: Call | None = None
    """The call laid in its place (CHANGE_OF_CALL), or the bid it failed to outrank."""
    mover: Mover | None = None
    called_over_by: Seat | None = None
    gap: int | None = None
    """Time from the call to the push that carried it, ns."""
    facts: tuple[Fact, ...] = ()
    after_board: bool = False
    closed_by: str | None = None
    closed_why: str | None = None


class FaultKind(StrEnum):
    SENSOR_CONFLICT = "SENSOR_CONFLICT"
    SENSOR_SUSPECT = "SENSOR_SUSPECT"
    EDGE_INFERRED = "EDGE_INFERRED"
    WINDOW_JAMMED = "WINDOW_JAMMED"
    WINDOW_OBSTRUCTED = "WINDOW_OBSTRUCTED"
    WINDOW_MOVED_BY_ITSELF = "WINDOW_MOVED_BY_ITSELF"
    LINK_LOST = "LINK_LOST"
    DEVICE_RESET = "DEVICE_RESET"
    EVENTS_LOST = "EVENTS_LOST"
    CLOCK_STEPPED = "CLOCK_STEPPED"
    STORAGE_FAILED = "STORAGE_FAILED"
    BROKER_UNREACHABLE = "BROKER_UNREACHABLE"
    JOURNAL_DAMAGED = "JOURNAL_DAMAGED"
    MESSAGE_NOT_BELIEVED = "MESSAGE_NOT_BELIEVED"
    """Something came over the broker that the console did not write, or did not write like this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What hardware, link or disk did. `component` is a signal, output or link name; `detail` is one line.

    `id` counts in the same series as entries. `standing` is False for what happened once (DEVICE_RESET).
    """

    id: int
    kind: FaultKind
    component: str
    at: int
    detail: str = ""
    standing: bool = True
    cleared_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One player's part of a visit: from when his call became due to when it was made. ns; None = unknown."""

    seat: Seat
    thinking: int | None
    call: Call | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stay of the tray on one face during an auction. Times are ns; None is unknown, never zero.

    `arrived` is None for a visit that began before we could see it. `hold` runs from the last call owed
    to the departure; `transit` to the arrival on the other face (filled in when it is known).
    `interrupted`: a hold, restart or fault fell inside, so the figures are not evidence of tempo.
    For the director only, never for a player.
    """

    board: int | None
    ordinal: int
    screen_side: ScreenSide
    arrived: int | None
    left: int | None
    shares: tuple[Share, ...]
    hold: int | None
    transit: int | None
    mover: Mover
    uncertainty: int = 0
    interrupted: bool = False
    returned: bool = False
    """The tray came back to the face it left: the visit was continued."""
