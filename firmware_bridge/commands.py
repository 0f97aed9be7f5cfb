"""Commands on the wire: one at a time, repeated until answered, each harmless when repeated.

Pure half of the link. What `SetOutput` asked stays wanted and is set again after a lost link; a move is a
lease and is never repeated on its own once it was answered or given up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from firmware_bridge.errors import RigConfigError
from firmware_bridge.firmware import frames
from firmware_bridge.readings import (
    CommandFailed,
    Direction,
    MoveEnded,
    MoveStatus,
    OutputReleased,
    Reading,
    ReleaseCause,
)
from firmware_bridge.rig import Command, MoveWindow, OutputKind, RigSpec, SetOutput
from firmware_bridge.wire import CommandFrame, Result

MS = 1_000_000
RETRY_NS = (50 * MS, 100 * MS, 200 * MS)
GIVE_UP_NS = 200 * MS
WAYS = {
    Direction.STOP: frames.MOVE_STOP,
    Direction.OPEN: frames.MOVE_OPEN,
    Direction.CLOSE: frames.MOVE_CLOSE,
}
REFUSALS = {
    frames.NO_SUCH_OUTPUT: "the device has no such output",
    frames.WRONG_OP: "the device does not know this command for this output",
    frames.NOT_CONFIGURED: "the device is not configured",
}


@dataclass(slots=True, kw_only=True)
class _Outstanding:
    command: Command
    frame: CommandFrame
    tries: int
    next_at: int


class Commands:
    """The queue of one link. `up` is whether the device is configured and heard."""

    def __init__(self, spec: RigSpec) -> None:
        self._index = {output.name: at for at, output in enumerate(spec.outputs)}
        self._kind = {output.name: output.kind for output in spec.outputs}
        self._wanted: dict[str, bool] = {}
        self._queue: list[Command] = []
        self._outstanding: _Outstanding | None = None
        self._number = 0
        self._moving: dict[str, Direction] = {}
        self._failed: set[str] = set()
        self._up = False
        self._out: list[Reading] = []
        self.resends = 0

    def check(self, command: Command) -> None:
        """Raises `RigConfigError` for an output that is not there or not of this kind."""
        kind = self._kind.get(command.output)
        if kind is None:
            names = ", ".join(sorted(self._kind)) or "none"
            raise RigConfigError(f"output {command.output} does not exist; name one of {names}")
        if isinstance(command, MoveWindow) != (kind is OutputKind.MOTOR):
            raise RigConfigError(f"output {command.output} is a {kind}; use the command that fits it")

    def add(self, command: Command, now: int) -> None:
        """A command from above; it replaces any older one for the same output."""
        match command:
            case SetOutput(output=output, on=on):
                self._wanted[output] = on
                self._failed.discard(output)
            case MoveWindow(output=output):
                if not self._up:
                    self._fail(output, "the link is down", now)
                    return
            case _:
                assert_never(command)
        self._replace(command)

    def link_up(self) -> None:
        """Configured and heard: everything wanted is set again."""
        self._up = True
        self._outstanding = None
        self._queue = [SetOutput(output=output, on=on) for output, on in self._wanted.items()]

    def link_down(self, now: int) -> None:
        """Nothing more can be sent. A move that was not answered has failed."""
        self._up = False
        left = [self._outstanding.command] if self._outstanding else []
        for command in (*left, *self._queue):
            if isinstance(command, MoveWindow):
                self._fail(command.output, "the link was lost", now)
        self._outstanding = None
        self._queue = []

    def device_restarted(self, now: int) -> None:
        """Every motor stands still since: tell the end of what ran."""
        for output, direction in self._moving.items():
            self._out.append(
                MoveEnded(at=now, output=output, direction=direction, status=MoveStatus.LEASE_EXPIRED)
            )
        self._moving.clear()

    def note_end(self, ended: MoveEnded | OutputReleased) -> None:
        """The device says that an output stopped by itself."""
        match ended:
            case MoveEnded(output=output):
                if self._moving.get(output) is ended.direction:
                    del self._moving[output]
            case OutputReleased(output=output, why=ReleaseCause.HOST_SILENT):
                if self._up and self._wanted.get(output):
                    self._replace(SetOutput(output=output, on=True))
            case OutputReleased(output=output):
                self._wanted[output] = False
            case _:
                assert_never(ended)

    def result(self, frame: Result, now: int) -> None:
        """The device's answer."""
        waiting = self._outstanding
        if waiting is None or frame.number != waiting.frame.number:
            return
        self._outstanding = None
        command = waiting.command
        self._failed.discard(command.output)
        if frame.status == frames.OK:
            if isinstance(command, MoveWindow) and command.direction is not Direction.STOP:
                self._moving[command.output] = command.direction
            return
        ends = {frames.AT_LIMIT: MoveStatus.LIMIT, frames.BLOCKED: MoveStatus.OBSTRUCTED}
        if isinstance(command, MoveWindow):
            status = ends.get(frame.status, MoveStatus.REFUSED)
            self._moving.pop(command.output, None)
            self._out.append(
                MoveEnded(at=now, output=command.output, direction=command.direction, status=status)
            )
        if frame.status not in ends:
            why = REFUSALS.get(frame.status, f"the device answered {frame.status}")
            self._out.append(CommandFailed(at=now, output=command.output, why=why))

    @property
    def idle(self) -> bool:
        """Whether everything was answered or given up."""
        return self._outstanding is None and not self._queue

    def release(self, now: int) -> None:
        """Order everything safe: the last thing before the port is closed."""
        for output, on in list(self._wanted.items()):
            if on:
                self.add(SetOutput(output=output, on=False), now)
        for output, kind in self._kind.items():
            if kind is OutputKind.MOTOR:
                self.add(MoveWindow(output=output, direction=Direction.STOP), now)

    def poll(self, now: int) -> list[CommandFrame]:
        """What to send now."""
        out: list[CommandFrame] = []
        waiting = self._outstanding
        if waiting is not None and now >= waiting.next_at:
            if waiting.tries > len(RETRY_NS):
                self._give_up(waiting, now)
            else:
                out.append(waiting.frame)
                self.resends += 1
                self._schedule(waiting, now)
        if self._outstanding is None and self._up and self._queue:
            command = self._queue.pop(0)
            self._number = self._number % 0xFFFF + 1
            fresh = _Outstanding(command=command, frame=self._frame(command), tries=0, next_at=0)
            self._schedule(fresh, now)
            self._outstanding = fresh
            out.append(fresh.frame)
        return out

    def deadline(self) -> int | None:
        """When `poll` is next due; 0: at once."""
        if self._outstanding is not None:
            return self._outstanding.next_at
        return 0 if self._up and self._queue else None

    def take_readings(self) -> list[Reading]:
        """What is to be told."""
        out, self._out = self._out, []
        return out

    def _schedule(self, waiting: _Outstanding, now: int) -> None:
        wait = RETRY_NS[waiting.tries] if waiting.tries < len(RETRY_NS) else GIVE_UP_NS
        waiting.tries += 1
        waiting.next_at = now + wait

    def _give_up(self, waiting: _Outstanding, now: int) -> None:
        self._outstanding = None
        output = waiting.command.output
        if output not in self._failed:
            self._fail(output, "the device did not answer", now)
        if isinstance(waiting.command, SetOutput):
            # The wish stands while the link does: told once, tried on.
            self._failed.add(output)
            self._queue.append(waiting.command)

    def _fail(self, output: str, why: str, now: int) -> None:
        self._out.append(CommandFailed(at=now, output=output, why=why))

    def _replace(self, command: Command) -> None:
        if self._outstanding is not None and self._outstanding.command.output == command.output:
            self._outstanding = None
        self._queue = [c for c in self._queue if c.output != command.output]
        if isinstance(command, MoveWindow):
            self._queue.insert(0, command)
        else:
            self._queue.append(command)

    def _frame(self, command: Command) -> CommandFrame:
        output = self._index[command.output]
        match command:
            case SetOutput(on=on):
                return CommandFrame(number=self._number, op=frames.OP_SET, output=output, argument=int(on))
            case MoveWindow(direction=direction, lease_ms=lease_ms):
                return CommandFrame(
                    number=self._number,
                    op=frames.OP_MOVE,
                    output=output,
                    argument=WAYS[direction],
                    lease_ms=min(lease_ms, 0xFFFF),
                )
            case _:
                assert_never(command)
