"""Outputs of a rig without a device: the firmware's own rules for lamps, latches and motors, run on the host.

One set of rules for both ways. It must never be the only thing that stops a motor: direct GPIO is refused a
motor unless a circuit of its own does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from firmware_bridge.configuration import Configuration
from firmware_bridge.firmware import frames
from firmware_bridge.firmware.frames import numbers
from firmware_bridge.firmware.motor import Outputs
from firmware_bridge.firmware.pins import Pins
from firmware_bridge.firmware.sampler import MASK, Sampler
from firmware_bridge.intake import ENDINGS
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
from firmware_bridge.wire import body_of

WAYS = {
    Direction.STOP: frames.MOVE_STOP,
    Direction.OPEN: frames.MOVE_OPEN,
    Direction.CLOSE: frames.MOVE_CLOSE,
}
REFUSED = {frames.AT_LIMIT: MoveStatus.LIMIT, frames.BLOCKED: MoveStatus.OBSTRUCTED}


class _HostPins(Pins):
    """Only writes: the levels come from elsewhere."""

    def __init__(self, write: Callable[[int, int], None]) -> None:
        self._write = write
        self._levels: dict[int, int] = {}

    def setup_output(self, pin: int, level: int) -> None:
        self.write(pin, level)

    def write(self, pin: int, level: int) -> None:
        self._levels[pin] = level
        self._write(pin, level)

    def pulse(self, pin: int, safe: int) -> None:
        """Safe and back at once, where it is away from safe: an edge for a circuit that waits for one."""
        if self._levels.get(pin, safe) != safe:
            self._write(pin, safe)
            self._write(pin, 1 - safe)

    def read(self, words: array[int]) -> None:
        words[0] = 0


class HostOutputs:
    """`write(pin, level)` sets a pin. `inputs` is how many inputs the limits' indices count over."""

    def __init__(self, spec: RigSpec, config: Configuration, write: Callable[[int, int], None]) -> None:
        self._spec = spec
        self._index = {output.name: at for at, output in enumerate(spec.outputs)}
        self._pins = _HostPins(write)
        self._sampler = Sampler(self._pins)
        self._sampler.count = len(spec.inputs)
        self._outputs = Outputs(self._pins, self._sampler)
        self._outputs.configure(
            [numbers(frames.CONFIG_OUTPUT, body_of(output))[1:] for output in config.outputs]
        )
        self._sampler.enabled = True

    def level(self, index: int, active: bool) -> None:
        """A settled level: limits are among them."""
        self._sampler.level[index] = int(active)

    def command(self, command: Command, now: int) -> list[Reading]:
        """Do it, now. What was refused is told."""
        at = self._index[command.output]
        match command:
            case SetOutput(on=on):
                status = self._outputs.set(at, int(on))
            case MoveWindow(direction=direction, lease_ms=lease_ms):
                self._renew(at)
                status = self._outputs.move(at, WAYS[direction], lease_ms)
                if status in REFUSED:
                    return [
                        MoveEnded(at=now, output=command.output, direction=direction, status=REFUSED[status])
                    ]
        if status != frames.OK:
            return [CommandFailed(at=now, output=command.output, why="this output cannot do that")]
        return self.tick(now)

    def _renew(self, at: int) -> None:
        """Every order for a motor that runs is an edge on its pin: what its dead-man's circuit lives on."""
        output = self._spec.outputs[at]
        for pin in (output.pin, output.close_pin):
            if pin is not None:
                self._pins.pulse(pin, int(output.safe_level))

    def tick(self, now: int) -> list[Reading]:
        """Stop what must stop at `now`."""
        t = _micros(now)
        self._outputs.hear(t)
        self._outputs.tick(t)
        out: list[Reading] = []
        sampler = self._sampler
        while sampler.tail < sampler.head:
            _, who, what, _ = sampler.entry(sampler.tail)
            sampler.tail += 1
            out.append(self._ended(who & ~frames.ENTRY_OUTPUT, what, now))
        return out

    def due(self, now: int) -> int | None:
        """Nanoseconds until `tick` has something to do; None: nothing."""
        wait = self._outputs.due(_micros(now))
        return None if wait < 0 else wait * 1000

    def release(self) -> None:
        """Everything safe."""
        self._outputs.release()

    def _ended(self, at: int, code: int, now: int) -> Reading:
        output = self._spec.outputs[at]
        if output.kind is not OutputKind.MOTOR:
            return OutputReleased(at=now, output=output.name, why=ReleaseCause.LONGEST_ON)
        way = Direction.CLOSE if code & frames.END_CLOSING else Direction.OPEN
        status = ENDINGS.get(code & ~frames.END_CLOSING, MoveStatus.DONE)
        return MoveEnded(at=now, output=output.name, direction=way, status=status)


def _micros(now: int) -> int:
    return (now // 1000) & MASK
