"""Both ends of the wire on a clock of their own: an hour in seconds, and the same each time.

The firmware that ships and the host's pure link, with a line between them that takes the time a byte takes.
No thread, no port, no waiting.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from firmware_bridge.firmware import main as firmware
from firmware_bridge.firmware.frames import RESET_POWER_ON
from firmware_bridge.link import HostLink
from firmware_bridge.readings import Reading
from firmware_bridge.rig import Command, RigSpec
from hw_sim.hardware.line import Line
from hw_sim.hardware.sim_board import SimBoard

MS = 1_000_000
NS_PER_BYTE = 10 * 1_000_000_000 // 115_200
START = 1_000_000_000_000


@dataclass(order=True, slots=True)
class _Planned:
    at: int
    order: int
    deed: Callable[[], None] = field(compare=False)


class VirtualLink:
    """`now` is host nanoseconds. `readings` is all that was told, as (when told, reading)."""

    def __init__(
        self,
        spec: RigSpec,
        *,
        seed: int = 1,
        drift_ppm: float = 0.0,
        first_us: int = 0,
        ns_per_byte: int = NS_PER_BYTE,
        byte_ns: int | None = None,
    ) -> None:
        self.spec = spec
        self.now = START
        self.line = Line(seed)
        self.readings: list[tuple[int, Reading]] = []
        self.written: list[tuple[int, int, int]] = []
        self.host_stalled = False
        self.muted = False
        self._random = Random(seed)
        self._drift_ppm = drift_ppm
        self._first_us = first_us
        self._uid = self._random.randbytes(8)
        self._ns_per_byte = ns_per_byte
        self._planned: list[_Planned] = []
        self._order = 0
        self._to_host_free = 0
        self._to_device_free = 0
        self._inputs = {wire.signal: wire for wire in spec.inputs}
        self.board, self.device = self._boot(RESET_POWER_ON)
        for wire in spec.inputs:
            self._drive(wire.signal, False)
        self.link = HostLink(spec, seed=seed, byte_ns=ns_per_byte if byte_ns is None else byte_ns)

    # -- what a test does

    def open(self) -> None:
        """The host opens the port."""
        self.link.opened(self.now)

    def at(self, when: int, deed: Callable[[], None]) -> None:
        """Plan a deed for `when` (ns)."""
        self._order += 1
        heapq.heappush(self._planned, _Planned(when, self._order, deed))

    def after(self, ms: float, deed: Callable[[], None]) -> None:
        """Plan a deed for so many milliseconds from now."""
        self.at(self.now + round(ms * MS), deed)

    def set(self, signal: str, active: bool) -> None:
        """Work an input."""
        self._drive(signal, active)

    def command(self, command: Command) -> None:
        """An order, now."""
        self.link.command(command, self.now)

    def reset(self, cause: int, *, boot_ms: int = 100) -> None:
        """The device starts anew; it is deaf while it boots."""
        before = self.board
        self.board, self.device = self._boot(cause)
        self.board.wire_from(before)
        self.muted = True
        self.after(boot_ms, self._unmute)

    def run(self, ms: float) -> None:
        """Let so much time pass."""
        end = self.now + round(ms * MS)
        while self._turn(end):
            pass
        self.now = end

    def of(self, kind: type[Reading]) -> list[Reading]:
        """Everything told of one kind."""
        return [reading for _, reading in self.readings if isinstance(reading, kind)]

    # -- inside

    def _boot(self, cause: int) -> tuple[SimBoard, firmware.Device]:
        board = SimBoard(
            uid=self._uid,
            boot_id=self._random.randrange(1 << 16),
            clock=lambda: self.now,
            reset_cause=cause,
            drift_ppm=self._drift_ppm,
            first_us=self._first_us,
            on_write=lambda pin, level: self.written.append((self.now, pin, level)),
        )
        return board, firmware.Device(board, 0)

    def _unmute(self) -> None:
        self.muted = False

    def _drive(self, signal: str, active: bool) -> None:
        wire = self._inputs[signal]
        level = int(active) ^ int(wire.active_low)
        if wire.chain:
            self.board.set_chain(wire.pin, level)
        else:
            self.board.set_pin(wire.pin, level)

    def _turn(self, end: int) -> bool:
        """Serve both ends at this instant, then go to the next; False at the end."""
        self._serve()
        due = [end]
        if self._planned:
            due.append(self._planned[0].at)
        deadline = self.link.deadline()
        if deadline is not None and not self.host_stalled:
            due.append(deadline)
        wait = self.device.due(self.board.ticks_us())
        if wait >= 0 and not self.muted:
            due.append(self.now + max(1, wait) * 1000)
        if (held := self.line.due(self.now)) is not None:
            due.append(self.now + held)
        soonest = max(self.now + 1000, min(due))
        if soonest >= end:
            return False
        self.now = soonest
        while self._planned and self._planned[0].at <= self.now:
            heapq.heappop(self._planned).deed()
        return True

    def _serve(self) -> None:
        if not self.muted:
            for _ in range(4):
                self.device.tick(self.board.ticks_us())
                self.device.step()
                if self.device.due(self.board.ticks_us()) != 0:
                    break
        out = bytes(self.board.outgoing)
        self.board.outgoing.clear()
        if not self.muted and (out := self.line.to_host(out, self.now)):
            self._to_host_free = self._carry(out, self._to_host_free, self._arrive_host)
        if self.host_stalled:
            return
        self.link.wake(self.now)
        down = self.line.to_device(self.link.take_bytes(), self.now)
        if down:
            self._to_device_free = self._carry(down, self._to_device_free, self._arrive_device)
        self.readings += [(self.now, reading) for reading in self.link.take_readings()]

    def _carry(self, data: bytes, free: int, arrive: Callable[[bytes], None]) -> int:
        until = max(free, self.now) + len(data) * self._ns_per_byte
        self.at(until, lambda: arrive(data))
        return until

    def _arrive_host(self, data: bytes) -> None:
        if self.host_stalled:
            # The operating system keeps what arrives meanwhile.
            self.after(50, lambda: self._arrive_host(data))
        else:
            self.link.received(data, self.now)

    def _arrive_device(self, data: bytes) -> None:
        if not self.muted:
            self.board.incoming += data
