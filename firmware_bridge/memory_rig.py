"""A rig of nothing but memory, for tests of what stands above a rig.

It keeps the contract (levels, tokens, leases by an explicit clock) and must never be reachable from a
table's configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic_ns

from firmware_bridge.errors import RigConfigError, RigStateError
from firmware_bridge.readings import (
    DeviceInfo,
    Direction,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    MoveStatus,
    ResetCause,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import (
    Command,
    Inbox,
    LinkState,
    MoveWindow,
    OutputKind,
    RigHealth,
    RigSpec,
    SetOutput,
)

MEMORY_DEVICE = DeviceInfo(
    uid="memory",
    boot_id="0001",
    reset_cause=ResetCause.POWER_ON,
    firmware="memory",
    version="1.0.0",
    firmware_hash="00000000",
    interpreter="none",
    protocol="1.0",
)


class MemoryRig:
    """The test drives `set_level` and `set_token`, and reads `commands` and `outputs`.

    `clock` gives nanoseconds; `tick()` ends leases that are due.
    """

    def __init__(self, spec: RigSpec, clock: Callable[[], int] = monotonic_ns) -> None:
        self.spec = spec
        self.commands: list[Command] = []
        self.outputs: dict[str, bool] = {
            o.name: False for o in spec.outputs if o.kind is not OutputKind.MOTOR
        }
        self.moving: dict[str, tuple[Direction, int]] = {}
        self._clock = clock
        self._levels = {i.signal: False for i in spec.inputs}
        self._tokens = {t.signal: "" for t in spec.tokens}
        self._kinds = {o.name: o.kind for o in spec.outputs}
        self._specs = {o.name: o for o in spec.outputs}
        self._inbox: Inbox | None = None
        self._closed = False
        self._up = False

    def start(self, inbox: Inbox) -> None:
        if self._inbox is not None or self._closed:
            raise RigStateError("this rig has already been started; make a new one")
        self._inbox = inbox
        self.link_up()

    def levels(self) -> Mapping[str, bool]:
        return dict(self._levels)

    def tokens(self) -> Mapping[str, str]:
        return dict(self._tokens)

    def heard_until(self) -> int:
        return self._clock()

    def command(self, command: Command) -> None:
        kind = self._kinds.get(command.output)
        if kind is None:
            raise RigConfigError(f"output {command.output} does not exist; name one of {sorted(self._kinds)}")
        if isinstance(command, MoveWindow) != (kind is OutputKind.MOTOR):
            raise RigConfigError(f"output {command.output} is a {kind}; use the command that fits it")
        self.commands.append(command)
        match command:
            case SetOutput(output=output, on=on):
                self.outputs[output] = on
            case MoveWindow():
                self._move(command)

    def health(self) -> RigHealth:
        return RigHealth(
            link=LinkState.UP if self._up else LinkState.DOWN, thread_alive=self._inbox is not None
        )

    def close(self) -> None:
        self._closed = True
        self._up = False
        self.moving.clear()
        self.outputs = dict.fromkeys(self.outputs, False)

    def set_level(self, signal: str, active: bool, at: int | None = None) -> None:
        """A wire changes; a limit that is reached stops the motor that runs towards it."""
        if self._levels[signal] == active:
            return
        self._levels[signal] = active
        when = self._clock() if at is None else at
        self._tell(LevelRead(at=when, signal=signal, active=active))
        if active:
            self._stop_at(signal, when)

    def set_token(self, signal: str, token: str, at: int | None = None) -> None:
        """A reader reads another text."""
        if self._tokens[signal] == token:
            return
        self._tokens[signal] = token
        self._tell(TokenRead(at=self._clock() if at is None else at, signal=signal, token=token))

    def link_down(self, why: str) -> None:
        """The cable is out: nothing is told until `link_up`."""
        self._tell(LinkDown(at=self._clock(), why=why))
        self._up = False

    def link_up(self) -> None:
        """The cable is in."""
        self._up = True
        now = self._clock()
        self._tell(LinkUp(at=now, device=MEMORY_DEVICE))
        self._tell(Snapshot(at=now, levels=self.levels(), tokens=self.tokens()))

    def tick(self) -> None:
        """End every lease that is due."""
        now = self._clock()
        for output, (direction, until) in list(self.moving.items()):
            if now >= until:
                del self.moving[output]
                self._tell(
                    MoveEnded(at=now, output=output, direction=direction, status=MoveStatus.LEASE_EXPIRED)
                )

    def _move(self, command: MoveWindow) -> None:
        now = self._clock()
        running = self.moving.get(command.output)
        if running is not None and running[0] is not command.direction:
            del self.moving[command.output]
            self._tell(MoveEnded(at=now, output=command.output, direction=running[0], status=MoveStatus.DONE))
        if command.direction is Direction.STOP:
            return
        spec = self._specs[command.output]
        limit = spec.limit_open if command.direction is Direction.OPEN else spec.limit_close
        if limit is not None and self._levels[limit]:
            self._tell(
                MoveEnded(at=now, output=command.output, direction=command.direction, status=MoveStatus.LIMIT)
            )
            return
        self.moving[command.output] = (command.direction, now + command.lease_ms * 1_000_000)

    def _stop_at(self, signal: str, now: int) -> None:
        for output, (direction, _) in list(self.moving.items()):
            spec = self._specs[output]
            limit = spec.limit_open if direction is Direction.OPEN else spec.limit_close
            status = {
                limit: MoveStatus.LIMIT,
                spec.obstructed: MoveStatus.OBSTRUCTED,
                spec.overcurrent: MoveStatus.OVERCURRENT,
            }.get(signal)
            if status is not None:
                del self.moving[output]
                self._tell(MoveEnded(at=now, output=output, direction=direction, status=status))

    def _tell(self, reading: LevelRead | TokenRead | LinkDown | LinkUp | MoveEnded | Snapshot) -> None:
        if self._inbox is not None and self._up and not self._closed:
            self._inbox(reading)
