"""What is inside each message, one model a type.

Core values (events, entries, visits, views) are carried as `codec` writes them, in `value`, `entry`, `fault`,
`visit`; the readers on the models give them back as values. Must never carry a hand, a player's name or a
tempo outside the streams the director alone can read.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, StrictStr, StringConstraints

from table_controller.messages import codec
from table_controller.messages.fields import Count, Line, Model, Name, Truth, Ulid, Value, Wall, Whole
from table_controller.messages.topics import Broadcast, Stream, Verb
from table_controller.messages.verbs import CommandBody
from table_controller.screen.effects import Effect
from table_controller.screen.entry import Entry, Fault, Visit
from table_controller.screen.events import Event

CallText = Annotated[str, StringConstraints(strict=True, pattern=r"^(P|X|XX|[1-7](C|D|H|S|NT))$")]
SeatText = Annotated[str, StringConstraints(strict=True, pattern=r"^[NESW]$")]


class What(StrEnum):
    """What a row of the game log is about, and so what its `value` is."""

    EVENT = "event"
    """An `Event`: something happened, or the director did something."""
    ORDER = "order"
    """An `Effect` that moves or lights something."""
    DEADLINE = "deadline"
    """An `Effect` that sets or clears a deadline."""
    MOVED = "moved"
    """`Moved`: the phase changed."""
    BOARD = "board"
    """`RecordBoard`: a board is over."""
    BOARD_TIME = "board_time"
    """`RecordTime`: how the time of a board that is over divides."""
    SESSION_TIME = "session_time"
    """`RecordPace`: where the session stands at this table."""
    VIEW = "view"
    """`ShowState`: what the director's tile shows now."""
    REFUSED = "refused"
    """`Refuse`: a director's order made no sense."""
    BOOT = "boot"
    """A run of the controller began: versions, what was found, the journal it goes on from."""
    COMMAND = "command"
    """A command was taken or refused: its id, verb, who, status, reason."""
    STORAGE = "storage"
    """The journal itself: set aside, begun anew, kept in memory, an old one removed."""
    NOTE = "note"
    """Anything else worth keeping, as `{"text": ...}`."""
    TOO_LONG = "too_long"
    """In the place of a row longer than a message: its stream, what it is about, its length, its SHA-256 and
    how it begins. The row itself is in the table's journal."""
    OTHER = "other"
    """Of a later version: kept, not understood."""


_EFFECTS = frozenset(
    {
        What.ORDER,
        What.DEADLINE,
        What.MOVED,
        What.BOARD,
        What.BOARD_TIME,
        What.SESSION_TIME,
        What.VIEW,
        What.REFUSED,
    }
)


def _known_what(word: object) -> object:
    """A row of a later version must be kept and receipted all the same."""
    return What.OTHER if isinstance(word, str) and word not in set(What) else word


class LogBody(Model):
    """A row of the game log."""

    what: Annotated[What, BeforeValidator(_known_what)]
    value: Value

    def event(self) -> Event:
        """The event of a row about one. Raises CodecError, also for one a later version has."""
        return codec.event_from_json(self.value, newer=True)

    def effect(self) -> Effect:
        """The effect of a row about one. Raises CodecError, also for one a later version has."""
        return codec.effect_from_json(self.value, newer=True)

    @property
    def has_effect(self) -> bool:
        return self.what in _EFFECTS


class Change(StrEnum):
    """What became of an entry. *Amended* may be the first one hears of an entry: the value is whole."""

    NEW = "new"
    AMENDED = "amended"
    CLOSED = "closed"


class IrregularityBody(Model):
    """An entry, whole, as it is now."""

    change: Change
    entry: Value

    def read(self) -> Entry:
        """Raises CodecError."""
        return codec.from_json(Entry, self.entry, newer=True)


class FaultChange(StrEnum):
    RAISED = "raised"
    CLEARED = "cleared"


class FaultBody(Model):
    """A fault of sensor, motor, link, clock or disk."""

    change: FaultChange
    fault: Value

    def read(self) -> Fault:
        """Raises CodecError."""
        return codec.from_json(Fault, self.fault, newer=True)


class VisitBody(Model):
    """One stay of the tray on one face. For the director alone."""

    visit: Value

    def read(self) -> Visit:
        """Raises CodecError."""
        return codec.from_json(Visit, self.visit, newer=True)


class Timer(Model):
    """A deadline of the table's own: its name and when it comes, on the table's monotonic clock (ms)."""

    name: Line
    due_ms: Count


class StateBody(Model):
    """The retained snapshot. Nothing in it that one face may not know of the other."""

    phase: Line
    board: Whole | None = None
    dealer: SeatText | None = None
    vulnerability: Line | None = None
    window: Line
    tray: Line
    auction: tuple[tuple[SeatText, CallText], ...] = ()
    """The calls that both faces have seen."""
    timers: tuple[Timer, ...] = ()
    holds: tuple[Line, ...] = ()
    open_entries: tuple[Count, ...] = ()
    faults: tuple[Count, ...] = ()
    summons: tuple[SeatText, ...] = ()
    off: tuple[tuple[Line, Line], ...] = ()
    """Checks that are off or suspended, and why."""
    last_seq: Count
    """The newest row of the journal named in the envelope."""
    head: Line = ""
    """The hash of that row."""
    safe: Truth = True
    """False: the record is kept in memory only."""
    versions: dict[str, Line] = Field(default_factory=dict)
    """Of controller, firmware and wire protocol."""
    health: dict[str, Whole | None] = Field(default_factory=dict)
    """Figures for the system page, e.g. `disk_free_kib`, `certificate_days`; null where unknown."""


class Presence(StrEnum):
    ONLINE = "online"
    OFFLINE = "offline"
    """Only ever said by a will."""
    STOPPING = "stopping"


class AvailBody(Model):
    """Whether a table is there. Session and epoch are in the envelope; a will has those it was made with."""

    status: Presence


class Status(StrEnum):
    """What became of a command."""

    ACCEPTED = "accepted"
    """Taken and journalled; what it orders is not finished."""
    DONE = "done"
    REFUSED = "refused"
    EXPIRED = "expired"
    STALE = "stale"


class ResultBody(Model):
    """The table's answer to a command. After any status but `accepted` nothing more is said about it."""

    command: Ulid
    verb: Verb
    status: Status
    reason: Line = ""
    """Why not, in English; empty where it was carried out."""
    code: Annotated[str, StringConstraints(strict=True, max_length=60)] = ""
    """The same as a key of the dictionary (`words.refusal`); empty where the sentence is all there is."""
    slots: dict[StrictStr, Line] = Field(default_factory=dict)
    """What the words of `code` speak of: seats, calls, faces, phases, numbers."""


class ReceiptBody(Model):
    """Every row of this epoch up to `upto` is in the console's database."""

    epoch: Name
    upto: Count
    by: Name


class AnnounceBody(Model):
    """Everybody publish avail and state again, after a random 0-3 s."""

    by: Name


class RoundClockBody(Model):
    """The clock of the round, also the only thing a public screen shows."""

    round: Count
    running: Truth
    ends: Wall | None = None
    remaining_ms: Count | None = None
    label: Line = ""


class PauseBody(Model):
    """Play is suspended everywhere, or goes on."""

    paused: Truth
    by: Name
    label: Line = ""


class Role(StrEnum):
    PRIMARY = "primary"
    STANDBY = "standby"


class ConsoleBody(Model):
    """Whether a console is there, and in which role. Its session is in the envelope."""

    status: Presence
    role: Role = Role.PRIMARY


class OnTimeBody(Model):
    """A table on a public screen: on time or delayed, and not one word more."""

    delayed: dict[Name, Truth]


Body = (
    LogBody
    | IrregularityBody
    | FaultBody
    | VisitBody
    | StateBody
    | AvailBody
    | ResultBody
    | ReceiptBody
    | CommandBody
    | AnnounceBody
    | RoundClockBody
    | PauseBody
    | ConsoleBody
    | OnTimeBody
)

BODIES: dict[str, type[Body]] = {
    Stream.LOG: LogBody,
    Stream.IRREGULARITY: IrregularityBody,
    Stream.FAULT: FaultBody,
    Stream.VISIT: VisitBody,
    "state": StateBody,
    "avail": AvailBody,
    "result": ResultBody,
    "receipt": ReceiptBody,
    "console": ConsoleBody,
    f"all/{Broadcast.ANNOUNCE}": AnnounceBody,
    f"all/{Broadcast.CLOCK}": RoundClockBody,
    f"all/{Broadcast.PAUSE}": PauseBody,
    "public/clock": RoundClockBody,
    "public/tables": OnTimeBody,
    **{f"command/{verb}": CommandBody for verb in Verb},
}
"""The body of every message type. A type is the word that is in its topic."""
