"""The wires themselves: is the device there, does every input answer, does every output do what it should.

Runs the rig that the service would run, and nothing else of the service. Outputs are tried only when a person
has said yes to each, and go back to safe. Must never move a window without being asked.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.errors import RigError
from firmware_bridge.readings import (
    CommandFailed,
    DeviceInfo,
    Direction,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    Reading,
    SignalSuspected,
    Snapshot,
    TokenRead,
)
from firmware_bridge.rig import MoveWindow, OutputKind, OutputSpec, Rig, RigHealth, RigSpec, SetOutput
from table_controller.doctor.findings import Finding, advice, fine, unknown, wrong
from table_controller.doctor.ports import look_at_firmware

GREETING_S = 6.0
OUTPUT_S = 1.0
MOVE_S = 1.0
BOUNCY = 20
"""Glitches of one input in a look: the contact is worn or the wire is loose."""


@dataclass(slots=True, kw_only=True)
class Seen:
    """What the wires have said so far. `changes` counts settled changes by signal."""

    device: DeviceInfo | None = None
    down: str = ""
    levels: dict[str, bool] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    suspects: dict[str, str] = field(default_factory=dict)
    last: str = ""

    def take(self, reading: Reading) -> None:
        match reading:
            case LinkUp(device=device):
                self.device, self.down = device, ""
            case LinkDown(why=why):
                self.down = why
            case Snapshot(levels=levels, tokens=tokens):
                self.levels, self.tokens = dict(levels), dict(tokens)
            case LevelRead(signal=signal, active=active):
                self.levels[signal] = active
                self._changed(signal)
            case TokenRead(signal=signal, token=token):
                self.tokens[signal] = token
                self._changed(signal)
            case SignalSuspected(signal=signal, why=why):
                self.suspects[signal] = why.value
            case _:
                pass

    def _changed(self, signal: str) -> None:
        self.changes[signal] = self.changes.get(signal, 0) + 1
        self.last = signal


class Look:
    """A rig started for looking at. Use as a context: leaving it drives every output safe."""

    def __init__(self, rig: Rig, spec: RigSpec) -> None:
        self.seen = Seen()
        self._rig = rig
        self._spec = spec
        self._inbox: queue.SimpleQueue[Reading] = queue.SimpleQueue()
        self._replies: list[Reading] = []

    def __enter__(self) -> Look:
        self._rig.start(self._inbox.put)
        return self

    def __exit__(self, *problem: object) -> None:
        self._rig.close()

    def watch(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Take readings for so long, or until something holds; whether it does."""
        end = time.monotonic() + seconds
        while not until():
            left = end - time.monotonic()
            if left <= 0:
                return until()
            try:
                reading = self._inbox.get(timeout=left)
            except queue.Empty:
                return until()
            self.seen.take(reading)
            self._replies.append(reading)
        return True

    def greet(self) -> list[Finding]:
        """Whether the other end answers, and who it is."""
        self.watch(GREETING_S, lambda: self.seen.device is not None and bool(self.seen.levels))
        device = self.seen.device
        if device is None:
            why = self.seen.down or "it says nothing"
            todo = "check the cable and the power; then flash the firmware again (docs/flashing.md)"
            return [wrong("device", f"there is no answer: {why}", todo)]
        if device.firmware == "none":
            return [fine("factory", f"{device.uid}: every line is ours")]
        firmware = f"{device.firmware} {device.version} ({device.firmware_hash})"
        says = f"{device.uid} answers: {firmware} on {device.interpreter}, wire {device.protocol}"
        return [fine("device", says), look_at_firmware(device)]

    def inputs(self) -> list[Finding]:
        """What was found of the inputs while they were worked: bounces, suspects, those that never moved."""
        health = self._rig.health()
        found = [
            wrong(f"input {signal}", f"it is {why}", "check its wire, its pull-up and its contact")
            for signal, why in sorted(self.seen.suspects.items())
        ]
        for signal, count in sorted(health.signal_glitches.items()):
            if count >= BOUNCY:
                todo = "clean or replace the contact, and check the wire"
                found.append(advice(f"input {signal}", f"it bounced {count} times", todo))
        if not health.signal_glitches and health.glitches >= BOUNCY:
            # A microcontroller counts them all together.
            todo = "work one switch at a time and look which of them it is; then clean or replace its contact"
            found.append(advice("inputs bounce", f"the inputs bounced {health.glitches} times", todo))
        still = [wire.signal for wire in self._spec.inputs if wire.signal not in self.seen.changes]
        if still:
            found.append(unknown("inputs", f"never changed while we looked: {', '.join(still)}"))
        mute = [token.signal for token in self._spec.tokens if token.signal not in self.seen.changes]
        if mute:
            found.append(unknown("readers", f"never read another text while we looked: {', '.join(mute)}"))
        if not found:
            found.append(fine("inputs", "everything changed and nothing is suspect"))
        return [*found, _health(health)]

    def try_output(self, name: str, saw: Callable[[], bool]) -> Finding:
        """Switch one output on for a second; `saw` asks the person what happened."""
        spec = next(output for output in self._spec.outputs if output.name == name)
        if spec.kind is OutputKind.MOTOR:
            return self._try_motor(spec, saw)
        self._replies.clear()
        try:
            self._rig.command(SetOutput(output=name, on=True))
            self.watch(OUTPUT_S)
            self._rig.command(SetOutput(output=name, on=False))
        except RigError as problem:
            return wrong(f"output {name}", str(problem), "correct its configuration")
        return self._verdict(name, saw)

    def _try_motor(self, spec: OutputSpec, saw: Callable[[], bool]) -> Finding:
        self._replies.clear()
        for direction in (Direction.OPEN, Direction.CLOSE):
            end = time.monotonic() + MOVE_S
            while time.monotonic() < end:
                self._rig.command(MoveWindow(output=spec.name, direction=direction))
                self.watch(0.15)
            self._rig.command(MoveWindow(output=spec.name, direction=Direction.STOP))
            self.watch(0.3)
        return self._verdict(spec.name, saw)

    def _verdict(self, name: str, saw: Callable[[], bool]) -> Finding:
        for reply in self._replies:
            if isinstance(reply, CommandFailed) and reply.output == name:
                return wrong(f"output {name}", reply.why, "check the device's configuration and its log")
        ends = [r.status.value for r in self._replies if isinstance(r, MoveEnded) and r.output == name]
        note = f" (movements ended: {', '.join(ends)})" if ends else ""
        if saw():
            return fine(f"output {name}", f"it did what it should{note}")
        return wrong(f"output {name}", f"nothing was seen{note}", "check its wire, its driver and its lamp")


def _health(health: RigHealth) -> Finding:
    counts = (
        f"{health.raw_edges} raw edges, {health.glitches} glitches, {health.inferred} healed, "
        f"{health.bad_frames} bad frames, {health.resends} resends, {health.callback_errors} errors"
    )
    if health.callback_errors:
        return wrong("wires", counts, "an Error of ours: send the log to the makers")
    return fine("wires", counts)
