"""What a rig tells the controller: one closed union of frozen facts about wires.

A reading says what a wire, a reader or the link did and when. It must never say what that means at a table:
no word of the game lives in this package.

Every reading carries `at`, host monotonic nanoseconds (`time.monotonic_ns()`), and `uncertainty`, the
half-width in nanoseconds within which the true instant lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ResetCause(StrEnum):
    """Why the device started, as it says itself."""

    POWER_ON = "power_on"
    WATCHDOG = "watchdog"
    BROWN_OUT = "brown_out"
    RESET_PIN = "reset_pin"
    SOFT = "soft"
    UNKNOWN = "unknown"


class Suspicion(StrEnum):
    """What is wrong with a signal."""

    STUCK = "stuck"
    FLOATING = "floating"
    CHATTERING = "chattering"
    CONFLICT = "conflict"
    UNREADABLE = "unreadable"


class Direction(StrEnum):
    """Where a motor is told to go."""

    OPEN = "open"
    CLOSE = "close"
    STOP = "stop"


class MoveStatus(StrEnum):
    """How a movement ended. `DONE` is a stop that was asked for."""

    DONE = "done"
    LIMIT = "limit"
    OBSTRUCTED = "obstructed"
    OVERCURRENT = "overcurrent"
    LEASE_EXPIRED = "lease_expired"
    LONGEST_RUN = "longest_run"
    HOST_SILENT = "host_silent"
    REFUSED = "refused"


class ReleaseCause(StrEnum):
    """Why a lamp or latch went to its safe level without being told to."""

    LONGEST_ON = "longest_on"
    HOST_SILENT = "host_silent"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceInfo:
    """Who answered at the other end. A rig without a device describes itself the same way.

    `uid` is the device's serial number, `boot_id` changes with each start, `firmware_hash` is eight hex
    digits over the firmware's files, `interpreter` its own name and version ("micropython 1.28.0").
    """

    uid: str
    boot_id: str
    reset_cause: ResetCause
    firmware: str
    version: str
    firmware_hash: str
    interpreter: str
    protocol: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRead:
    """A signal settled at a level. `at` is the first edge.

    `inferred`: no edge was seen; a comparison of levels found the change, which happened after `not_before`
    (the last instant at which the other level is known) and not after `at`.
    """

    at: int
    uncertainty: int = 0
    signal: str
    active: bool
    inferred: bool = False
    not_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRead:
    """A reader reads another text (at most 12 bytes of ASCII; empty: nothing lies there)."""

    at: int
    uncertainty: int = 0
    signal: str
    token: str
    inferred: bool = False
    not_before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDown:
    """Nothing more is heard: one reading however the loss showed itself. Told once until `LinkUp`."""

    at: int
    uncertainty: int = 0
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUp:
    """The other end answers and is configured. A `Snapshot` follows."""

    at: int
    uncertainty: int = 0
    device: DeviceInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRestarted:
    """The device has started anew since we last heard it. `at` is when we learned of it."""

    at: int
    uncertainty: int = 0
    cause: ResetCause


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsDropped:
    """So many changes will never be told: the device had no room to keep them. A `Snapshot` follows."""

    at: int
    uncertainty: int = 0
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingGap:
    """For `length` ns up to `at` this program stood still and read nothing, and what the lines themselves
    could not keep is missing; nobody can say how much. Levels have been compared since.
    """

    at: int
    uncertainty: int = 0
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalSuspected:
    """This signal is not to be believed until `SignalTrusted`. Its changes are withheld meanwhile."""

    at: int
    uncertainty: int = 0
    signal: str
    why: Suspicion


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalTrusted:
    """The signal is quiet again. Its level follows as an inferred `LevelRead` if it differs."""

    at: int
    uncertainty: int = 0
    signal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEnded:
    """A motor stopped. Told once for each movement, whatever stopped it."""

    at: int
    uncertainty: int = 0
    output: str
    direction: Direction
    status: MoveStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputReleased:
    """A lamp or latch went safe by itself. The rig sets it again only for `HOST_SILENT`."""

    at: int
    uncertainty: int = 0
    output: str
    why: ReleaseCause


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFailed:
    """A command was refused or never answered; `why` is one sentence for a person."""

    at: int
    uncertainty: int = 0
    output: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Every level and token at one instant.

    The first one is the baseline. Before any later one, whatever differs from what was told has been told as
    inferred `LevelRead` and `TokenRead`; who follows those may ignore all but the first.
    """

    at: int
    uncertainty: int = 0
    levels: Mapping[str, bool] = field(hash=False)
    tokens: Mapping[str, str] = field(hash=False)


Reading = (
    LevelRead
    | TokenRead
    | LinkDown
    | LinkUp
    | DeviceRestarted
    | EventsDropped
    | ReadingGap
    | SignalSuspected
    | SignalTrusted
    | MoveEnded
    | OutputReleased
    | CommandFailed
    | Snapshot
)
