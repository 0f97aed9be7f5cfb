"""A simulated microcontroller: the firmware that ships, behind a pseudo-terminal.

The controller opens `link_path`, a stable name as `/dev/serial/by-id` gives one, and cannot tell the
difference. The simulator works the inputs (`set_input`, `set_token`) and is told of outputs. It must never
give the controller a fact by any way but the wire.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
import tty
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import monotonic_ns

from firmware_bridge.firmware import main as firmware
from firmware_bridge.firmware.frames import (
    RESET_BROWN_OUT,
    RESET_PIN,
    RESET_POWER_ON,
    RESET_SOFT,
    RESET_UNKNOWN,
    RESET_WATCHDOG,
)
from firmware_bridge.firmware.sampler import MASK
from firmware_bridge.readings import Direction, ResetCause
from firmware_bridge.rig import OutputKind, RigSpec
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.line import Line
from hw_sim.hardware.sim_board import SimBoard
from hw_sim.table.wires import OnMotor, OnOutput, rest_of, state_of

CAUSES = {
    ResetCause.POWER_ON: RESET_POWER_ON,
    ResetCause.WATCHDOG: RESET_WATCHDOG,
    ResetCause.BROWN_OUT: RESET_BROWN_OUT,
    ResetCause.RESET_PIN: RESET_PIN,
    ResetCause.SOFT: RESET_SOFT,
    ResetCause.UNKNOWN: RESET_UNKNOWN,
}
TICK_US = 1_000
FIRMWARE_HASH = firmware.source_hash(str(Path(firmware.__file__).parent))


class SimulatedDevice:
    """One device, wired as `spec` says. `on_output(name, on, at)` and `on_motor(name, direction, at)` are
    told of every change, after it, outside all locks, from whatever thread caused it; they may call back.
    """

    def __init__(
        self,
        spec: RigSpec,
        hub: DeviceHub,
        link_path: Path,
        *,
        seed: int = 1,
        drift_ppm: float = 0.0,
        on_output: OnOutput = lambda name, on, at: None,
        on_motor: OnMotor = lambda name, direction, at: None,
        clock: Callable[[], int] = monotonic_ns,
    ) -> None:
        self.spec = spec
        self.link_path = link_path
        self.line = Line(seed)
        self._hub = hub
        self._random = Random(seed)
        self._uid = self._random.randbytes(8)
        self._clock = clock
        self._drift_ppm = drift_ppm
        self._on_output = on_output
        self._on_motor = on_motor
        self._inputs = {wire.signal: wire for wire in spec.inputs}
        self._readers = {token.signal: token.reader for token in spec.tokens}
        self._lock = threading.RLock()
        self._told: dict[str, bool | Direction] = {}
        self._master = -1
        self._slave = -1
        self._muted = False
        self._deaf_until = 0
        self._planned: list[tuple[int, int, str, bool]] = []
        self._order = 0
        self._board, self._device = self._boot(ResetCause.POWER_ON)
        for wire in spec.inputs:
            self._drive(wire.signal, False)

    # -- life

    def start(self) -> None:
        """Plug in."""
        self._hub.add(self)
        self.replug()

    def close(self) -> None:
        """Unplug for good."""
        self.unplug()
        self._hub.remove(self)

    def replug(self) -> None:
        """The device appears, under another terminal name than before, at the same stable path."""
        with self._lock:
            if self._master >= 0:
                return
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self.link_path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.link_path.with_name(self.link_path.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._slave))
            fresh.replace(self.link_path)
            self._hub.watch(self, self._master)
        self._serve()

    def unplug(self) -> None:
        """The cable is pulled; the device goes on living."""
        with self._lock:
            if self._master < 0:
                return
            self._hub.unwatch(self._master)
            with contextlib.suppress(OSError):
                self.link_path.unlink(missing_ok=True)
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def reset(self, cause: ResetCause, *, boot_ms: int = 0) -> None:
        """The device starts anew: everything in its memory is gone, its outputs fall to where they rest."""
        with self._lock:
            self._work()
            before = self._board
            self._board, self._device = self._boot(cause)
            self._board.wire_from(before)
            self._deaf_until = self._clock() + boot_ms * 1_000_000
        self._serve()

    def drift(self, ppm: float) -> None:
        """From now on its clock runs so much too fast."""
        with self._lock:
            self._drift_ppm = ppm
            self._board.drift(ppm)

    def mute(self, on: bool) -> None:
        """It runs but neither hears nor says anything."""
        with self._lock:
            self._muted = on
        self._serve()

    # -- the world

    def set_input(self, signal: str, active: bool) -> None:
        """Work an input, as its wiring (pin, active level) has it. KeyError for an unknown signal."""
        with self._lock:
            self._work()  # however late this machine is, what lay there until now is sampled first
            self._drop_plans(signal)
            self._drive(signal, active)
        self._serve()

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        """Levels at so many ms from now; each is sampled at its own time, not when somebody comes to it."""
        with self._lock:
            self._work()
            self._drop_plans(signal)
            now = self._clock()
            for ms, active in levels:
                self._order += 1
                heapq.heappush(self._planned, (now + round(ms * 1_000_000), self._order, signal, active))
        self._serve()

    def hide_input(self, signal: str, active: bool) -> None:
        """The level is there and no event tells of it, as when the device took stock at that moment."""
        at = [wire.signal for wire in self.spec.inputs].index(signal)
        with self._lock:
            self._work()
            self._drop_plans(signal)
            self._drive(signal, active)
            sampler = self._device.sampler
            if sampler.enabled and not sampler.unsettled[at]:
                sampler.raw[at] = sampler.level[at] = int(active)
        self._serve()

    def set_token(self, signal: str, text: str) -> None:
        """Put a text on a reader, or take it away with ''."""
        with self._lock:
            self._board.set_token(self._readers[signal], text.encode("ascii"))
        self._serve()

    def outputs(self) -> dict[str, bool]:
        """Every lamp and latch: is it away from its safe level?"""
        with self._lock:
            return {
                o.name: bool(state_of(o, self._board.output))
                for o in self.spec.outputs
                if o.kind is not OutputKind.MOTOR
            }

    def motor(self, name: str) -> Direction:
        """Which way a motor is driven now."""
        with self._lock:
            state = state_of(next(o for o in self.spec.outputs if o.name == name), self._board.output)
        return state if isinstance(state, Direction) else Direction.STOP

    @property
    def counts(self) -> tuple[int, int]:
        """(raw edges, glitches) as the device counts them."""
        return self._device.sampler.edges, self._device.sampler.glitches

    @property
    def greeted(self) -> bool:
        """Whether a host has configured it since it started."""
        return bool(self._device.sampler.enabled)

    # -- inside

    def service(self) -> int | None:
        """For the hub: a byte came or something is due."""
        return self._work()

    def _serve(self) -> None:
        self._hub.due(self, self._work())

    def _boot(self, cause: ResetCause) -> tuple[SimBoard, firmware.Device]:
        board = SimBoard(
            uid=self._uid,
            boot_id=self._random.randrange(1 << 16),
            clock=self._clock,
            reset_cause=CAUSES[cause],
            drift_ppm=self._drift_ppm,
        )
        self._ticked_us = 0
        return board, firmware.Device(board, FIRMWARE_HASH)

    def _drive(self, signal: str, active: bool) -> None:
        wire = self._inputs[signal]
        level = int(active) ^ int(wire.active_low)
        if wire.chain:
            self._board.set_chain(wire.pin, level)
        else:
            self._board.set_pin(wire.pin, level)

    def _work(self) -> int | None:
        """One sample and one turn of the main loop, until nothing more is due at once."""
        with self._lock:
            now = self._clock()
            self._play(now)
            if now < self._deaf_until:
                self._read()
                return self._deaf_until - now
            self._board.incoming += self.line.to_device(self._read(), now)
            wait = 0
            for _ in range(16):
                self._tick(self._board.count_us())
                self._device.step()
                wait = self._device.due(self._board.ticks_us())
                if wait != 0:
                    break
            self._write(now)
            changes = self._changes()
            waits = [w for w in (wait * 1000 if wait >= 0 else None, self.line.due(now)) if w is not None]
            waits += [self._planned[0][0] - now] if self._planned else []
        for output, state in changes:
            if isinstance(state, Direction):
                self._on_motor(output, state, now)
            else:
                self._on_output(output, state, now)
        return max(50_000, min(waits)) if waits else None

    def _play(self, now: int) -> None:
        """What was planned until `now`, sampled every millisecond as the device's timer would have."""
        if not self._planned or self._planned[0][0] > now:
            return
        while self._planned and self._planned[0][0] <= now:
            at, _, signal, active = heapq.heappop(self._planned)
            self._sample(at)
            self._drive(signal, active)
        self._sample(now)

    def _sample(self, at: int) -> None:
        """The sample after the last change, and the last one before `at`; those between see the same."""
        until, first = self._board.count_us(at), self._ticked_us + TICK_US
        if at >= self._deaf_until and first <= until:
            self._tick(first)
            if first + TICK_US <= until:
                self._tick(until)

    def _tick(self, count_us: int) -> None:
        """A timer never goes back: what was planned for before the last sample is sampled with it."""
        self._ticked_us = max(self._ticked_us, count_us)
        self._device.tick(self._ticked_us & MASK)

    def _drop_plans(self, signal: str) -> None:
        self._planned = [plan for plan in self._planned if plan[2] != signal]
        heapq.heapify(self._planned)

    def _read(self) -> bytes:
        if self._master < 0:
            return b""
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return b""
        return b"" if self._muted else data

    def _write(self, now: int) -> None:
        out = bytes(self._board.outgoing)
        self._board.outgoing.clear()
        if self._muted:
            return
        data = self.line.to_host(out, now)
        if data and self._master >= 0:
            # A host that does not read: what does not fit is lost, as it is on a wire.
            with contextlib.suppress(OSError):
                os.write(self._master, data)

    def _changes(self) -> list[tuple[str, bool | Direction]]:
        out: list[tuple[str, bool | Direction]] = []
        for output in self.spec.outputs:
            state = state_of(output, self._board.output)
            if self._told.get(output.name, rest_of(output)) != state:
                self._told[output.name] = state
                out.append((output.name, state))
        return out
