"""The rig contract: everything the controller may know of what is behind the wires.

A rig turns edges into readings and commands into levels. It must never decide what a change means, and never
block, raise or log inside a callback: it calls the inbox with one frozen value.

Outputs: what `SetOutput` asks stays wanted until set otherwise; after a lost link the rig sets it again by
itself. A `MoveWindow` is a lease: it is never repeated by the rig, and the motor stops when `lease_ms` have
passed since the last one, whoever lives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from firmware_bridge.errors import RigConfigError
from firmware_bridge.readings import Direction, Reading

MAX_TOKEN_BYTES = 12
LEASE_MS = 400


class Pull(StrEnum):
    """The resistor on an input."""

    NONE = "none"
    UP = "up"
    DOWN = "down"


class OutputKind(StrEnum):
    """What hangs on an output."""

    LAMP = "lamp"
    LATCH = "latch"
    MOTOR = "motor"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSpec:
    """One input. `pin` is a GPIO number, or a position on the shift-register chain when `chain`.

    A level must last `debounce_ms` to count as active and `release_ms` to count as inactive again.
    """

    signal: str
    pin: int
    chain: bool = False
    pull: Pull = Pull.UP
    active_low: bool = True
    debounce_ms: int = 25
    release_ms: int = 25

    def __post_init__(self) -> None:
        _within(self.signal, "pin", self.pin, 0, 127)
        _within(self.signal, "debounce_ms", self.debounce_ms, 0, 250)
        _within(self.signal, "release_ms", self.release_ms, 0, 250)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSpec:
    """One reader of texts, by its number on the device."""

    signal: str
    reader: int

    def __post_init__(self) -> None:
        _within(self.signal, "reader", self.reader, 0, 63)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSpec:
    """One output.

    `safe_level` is the level of the pin (not whether the lamp is lit) that it has at start, on exit and
    whenever the host is silent. `max_on_ms` is the longest time away from safe (0: no limit). A motor has
    `pin` to open and `close_pin` to close; its `limit_open`, `limit_close`, `obstructed` and `overcurrent`
    name signals among the inputs, on which the rig itself stops it. `hardware_deadman` says that a circuit,
    not a program, stops the motor when commands cease: direct GPIO refuses a motor without it.
    """

    name: str
    kind: OutputKind
    pin: int
    safe_level: bool = False
    max_on_ms: int = 0
    close_pin: int | None = None
    limit_open: str | None = None
    limit_close: str | None = None
    obstructed: str | None = None
    overcurrent: str | None = None
    hardware_deadman: bool = False

    def __post_init__(self) -> None:
        _within(self.name, "pin", self.pin, 0, 63)
        _within(self.name, "max_on_ms", self.max_on_ms, 0, 600_000)
        if (self.kind is OutputKind.MOTOR) != (self.close_pin is not None):
            raise RigConfigError(
                f"output {self.name}: a motor needs close_pin, nothing else may have it; give or remove it"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RigSpec:
    """All wires of one table, checked as a whole: names and pins are used once, references exist."""

    inputs: tuple[InputSpec, ...] = ()
    tokens: tuple[TokenSpec, ...] = ()
    outputs: tuple[OutputSpec, ...] = ()

    def __post_init__(self) -> None:
        _once("signal", [i.signal for i in self.inputs] + [t.signal for t in self.tokens])
        _once("output", [o.name for o in self.outputs])
        _once("reader", [str(t.reader) for t in self.tokens])
        pins = [("chain " if i.chain else "pin ") + str(i.pin) for i in self.inputs]
        for output in self.outputs:
            pins.append(f"pin {output.pin}")
            if output.close_pin is not None:
                pins.append(f"pin {output.close_pin}")
        _once("wire", pins)
        signals = {i.signal for i in self.inputs}
        for output in self.outputs:
            for key in ("limit_open", "limit_close", "obstructed", "overcurrent"):
                signal: str | None = getattr(output, key)
                if signal is not None and signal not in signals:
                    raise RigConfigError(
                        f"output {output.name}: {key} names {signal!r}, which is no input; "
                        f"add the input or remove {key}"
                    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutput:
    """Light or energise (`on`), or return to the safe level."""

    output: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveWindow:
    """Run a motor for at most `lease_ms` more; repeat to renew. `STOP` stops it at once."""

    output: str
    direction: Direction
    lease_ms: int = LEASE_MS


Command = SetOutput | MoveWindow
Inbox = Callable[[Reading], None]


class LinkState(StrEnum):
    """How well the other end is heard."""

    DOWN = "down"
    OPENING = "opening"
    UP = "up"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class RigHealth:
    """Counts since `start()`, for `doctor` and the console. Ages and times in nanoseconds."""

    link: LinkState = LinkState.DOWN
    thread_alive: bool = False
    queue_age: int = 0
    raw_edges: int = 0
    glitches: int = 0
    inferred: int = 0
    events_dropped: int = 0
    bad_frames: int = 0
    unknown_frames: int = 0
    noise_bytes: int = 0
    stale_frames: int = 0
    duplicates: int = 0
    resends: int = 0
    callback_errors: int = 0
    overruns: int = 0
    reconnects: int = 0
    backend_restarts: int = 0
    device_bad_frames: int = 0
    round_trip: int = 0
    clock_error_ppm: float = 0.0
    signal_edges: Mapping[str, int] = field(default_factory=dict, hash=False)
    signal_glitches: Mapping[str, int] = field(default_factory=dict, hash=False)
    last_error: str = ""
    device_log: tuple[str, ...] = ()


class Rig(Protocol):
    """What the controller holds. All methods may be called from any thread.

    `start` raises `RigError` for what only a person can mend (port in use, wrong back end); a device that is
    merely absent is a `LinkDown` reading. `command` never blocks and raises `RigConfigError` for an output
    that does not exist. `close` drives outputs safe, stops the thread and may be called twice.
    """

    def start(self, inbox: Inbox) -> None: ...

    def levels(self) -> Mapping[str, bool]: ...

    def tokens(self) -> Mapping[str, str]: ...

    def heard_until(self) -> int:
        """Whatever settled on the wires before this instant is in the inbox; monotonic ns, 0: nothing yet."""
        ...

    def command(self, command: Command) -> None: ...

    def health(self) -> RigHealth: ...

    def close(self) -> None: ...


def _within(name: str, key: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise RigConfigError(f"{name}: {key} is {value}, expected {low} to {high}; correct {key}")


def _once(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise RigConfigError(f"{what} {name} is used twice; give each its own")
        seen.add(name)
