"""Everything the projection learns, as one closed union `Input`.

Two sources only: reports of the tables (already verified and stored) and acts of the console's own users
(already committed). All `at`, `when` and `until` are Unix milliseconds of the console's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from director_console.projection.contest import Plan
from director_console.projection.round_clock import RoundClock
from director_console.projection.timing import PaceSeen, TimeSeen
from table_controller.screen.effects import RecordBoard, TableView
from table_controller.screen.entry import Entry, Fault


class Presence(StrEnum):
    """What a table says of itself, or its will says for it."""

    UNKNOWN = "unknown"
    ONLINE = "online"
    OFFLINE = "offline"
    STOPPING = "stopping"


class Step(StrEnum):
    """What a director did with a case, other than rule on it."""

    TAKE = "take"
    ASSIGN = "assign"
    AT_TABLE = "at_table"
    ACKNOWLEDGE = "acknowledge"
    REVIEW = "review"
    CLOSE = "close"
    REOPEN = "reopen"


class AlarmAct(StrEnum):
    """What a director did with a fault alarm. None of these changes the fault itself."""

    ACKNOWLEDGE = "acknowledge"
    SHELVE = "shelve"
    UNSHELVE = "unshelve"
    OUT_OF_SERVICE = "out_of_service"
    IN_SERVICE = "in_service"


class Progress(StrEnum):
    """How far a command has come. The last five end it."""

    STORED = "stored"
    SENT = "sent"
    ACCEPTED = "accepted"
    DONE = "done"
    REFUSED = "refused"
    EXPIRED = "expired"
    STALE = "stale"
    UNCONFIRMED = "unconfirmed"

    @property
    def ended(self) -> bool:
        return self not in (Progress.STORED, Progress.SENT, Progress.ACCEPTED)


class NoticeKind(StrEnum):
    """What the console itself has to say about reports it could not take as they are."""

    FORGED = "forged"
    STRANGER = "stranger"
    """A table for which no key is known."""
    UNKNOWN_VERSION = "unknown_version"
    UNREADABLE = "unreadable"
    CONTRADICTED = "contradicted"
    """Another report under a number already used."""
    MISPLACED = "misplaced"
    """The topic and the envelope name different tables or events."""
    NEW_JOURNAL = "new_journal"
    """The table began a new journal (new card, or the old one was damaged)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceSeen:
    table: str
    epoch: str
    session: str
    presence: Presence
    at: int
    live: bool
    """False for a retained message: it tells what was, not that the table is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The retained state: what a tile can show before the first report has come, and the table's health.

    `auction`: seats and calls as text, as far as both faces have seen it. `timers`: name and due, table's
    monotonic ms. `health`: figures by name, None where the table does not know.
    """

    epoch: str
    session: str
    rev: int
    mono_ms: int
    last_seq: int
    head: str = ""
    safe: bool = True
    phase: str
    board: int | None
    dealer: str = ""
    vulnerability: str = ""
    tray: str
    window: str
    auction: tuple[tuple[str, str], ...] = ()
    holds: tuple[str, ...] = ()
    off: tuple[tuple[str, str], ...] = ()
    clock: str
    wall: str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    health: tuple[tuple[str, int | None], ...] = ()
    timers: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotSeen:
    table: str
    snapshot: Snapshot
    at: int
    """When it was written, as well as can be told: now if live, else the table's own time, else 0."""
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSeen:
    """Any stored report: keeps the numbers. `upto`: all numbers from 1 to it are stored."""

    table: str
    epoch: str
    seq: int
    upto: int
    at: int
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySeen:
    table: str
    epoch: str
    seq: int
    entry: Entry
    when: int
    """When it happened at the table, on the console's clock."""
    reported: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmSeen:
    table: str
    epoch: str
    seq: int
    fault: Fault
    when: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSeen:
    table: str
    epoch: str
    seq: int
    view: TableView
    when: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSeen:
    table: str
    epoch: str
    seq: int
    board: RecordBoard
    when: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseStepped:
    table: str
    epoch: str
    entry: int
    step: Step
    by: str
    at: int
    owner: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmStepped:
    table: str
    epoch: str
    fault: int
    act: AlarmAct
    by: str
    at: int
    until: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMade:
    """One version of a ruling. Amended by a new version, never edited."""

    table: str
    epoch: str
    entry: int
    version: int
    verdict: str
    text: str
    by: str
    at: int
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandSeen:
    """A command as it now stands. `entry`: the case it was given from, if any.

    `reason`: why not, in the table's own words; `code` and `slots`: the same, to be worded in any language.
    """

    id: str
    table: str
    epoch: str
    verb: str
    summary: str
    by: str
    at: int
    progress: Progress
    reason: str = ""
    code: str = ""
    slots: tuple[tuple[str, str], ...] = ()
    entry: int | None = None
    changed: int = 0
    hardware: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeSeen:
    id: int
    kind: NoticeKind
    table: str
    detail: str
    at: int
    acknowledged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerSeen:
    """The console's own link."""

    up: bool
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKnown:
    """A table that is expected, though it may not have spoken yet."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet:
    """The clock of the round as it now stands; None: there is none."""

    clock: RoundClock | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLaid:
    """A session was laid down or changed. The latest that concerns a table is the one that holds there."""

    plan: Plan


class Matter(StrEnum):
    """What about time a director decides."""

    LATE = "late"
    SLOW = "slow"
    FORFEIT = "forfeit"


class TimeVerdict(StrEnum):
    """How he decided: as the article indicates, otherwise, or that nothing follows."""

    AS_INDICATED = "as_indicated"
    OTHERWISE = "otherwise"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRuled:
    """One version of a decision about time. `ns`, `ew`: in the director's words what each bears. `shown`:
    what the article said when he decided, in its sentences. Amended by a new version, never edited.
    """

    table: str
    session: str
    matter: Matter
    version: int
    verdict: TimeVerdict
    ns: str
    ew: str
    reason: str
    shown: tuple[str, ...]
    by: str
    at: int


Input = (
    PresenceSeen
    | SnapshotSeen
    | RowSeen
    | EntrySeen
    | AlarmSeen
    | ViewSeen
    | BoardSeen
    | CaseStepped
    | AlarmStepped
    | RulingMade
    | CommandSeen
    | NoticeSeen
    | BrokerSeen
    | TableKnown
    | ClockSet
    | PlanLaid
    | TimeRuled
    | TimeSeen
    | PaceSeen
)
