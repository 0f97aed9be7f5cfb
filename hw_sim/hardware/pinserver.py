"""The world's end of simulated GPIO lines: levels held, outputs seen, one controller at a time.

Served by the same hub as the simulated devices. As a kernel does, it stamps each edge when it happens, keeps
only so many of a line for a process that does not read, and lets lines go on driving when their owner dies;
as the circuit beside a motor does, it stops that when the edges on its pin end. It must never tell the
controller anything but levels and texts.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic_ns

from firmware_bridge.readings import Direction
from firmware_bridge.rig import RigSpec
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.table.wires import OnMotor, OnOutput, rest_of, state_of

MS = 1_000_000
KEPT_EDGES = 16
"""So many edges of a line a kernel keeps for a process that does not read; later ones are lost."""
DEADMAN_NS = 400 * MS
"""The circuit lets a motor run so long after an edge on its pin."""
NOTCH_NS = 3 * MS
"""It does not notice a shorter pause."""


class SimulatedPins:
    """One table's lines, wired as `spec` says, offered at the socket `path`.

    The callbacks are told of every change of an output, after it, in the hub's thread; they may call back.
    """

    def __init__(
        self,
        spec: RigSpec,
        hub: DeviceHub,
        path: Path,
        *,
        on_output: OnOutput = lambda name, on, at: None,
        on_motor: OnMotor = lambda name, direction, at: None,
        clock: Callable[[], int] = monotonic_ns,
    ) -> None:
        self.spec = spec
        self.path = path
        self._hub = hub
        self._on_output = on_output
        self._on_motor = on_motor
        self._clock = clock
        self._inputs = {wire.signal: wire for wire in spec.inputs}
        self._readers = {token.signal: token.reader for token in spec.tokens}
        self._lock = threading.RLock()
        self._held = {wire.pin: int(wire.active_low) for wire in spec.inputs}
        self._texts: dict[int, str] = {}
        self._pins: dict[int, int] = {}
        self._motors = {
            pin: 1 - int(output.safe_level)
            for output in spec.outputs
            if output.close_pin is not None
            for pin in (output.pin, output.close_pin)
        }
        self._runs_until: dict[int, int] = {}
        self._planned: list[tuple[int, int, str, bool]] = []
        self._order = 0
        self._unseen: deque[str] = deque()
        self._unseen_of: Counter[str] = Counter()
        self._overrun: set[str] = set()
        self._told: dict[str, bool | Direction] = {}
        self._server: socket.socket | None = None
        self._client: socket.socket | None = None
        self._kept = b""

    def start(self) -> None:
        """Listen. A socket left behind by an earlier run is replaced."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.bind(str(self.path))
        os.chmod(self.path, 0o600)
        server.listen(4)
        server.setblocking(False)
        self._server = server
        self._hub.add(self)
        self._hub.watch(self, server.fileno())

    def close(self) -> None:
        """Hang up and remove the socket."""
        with self._lock:
            self._hang_up()
            if self._server is not None:
                self._hub.unwatch(self._server.fileno())
                self._server.close()
                self._server = None
        self._hub.remove(self)
        self.path.unlink(missing_ok=True)

    @property
    def greeted(self) -> bool:
        """Whether a controller holds the lines."""
        return self._client is not None

    def drop_client(self) -> None:
        """The back end dies under the controller: its thread that tells of edges ends."""
        with self._lock:
            self._hang_up()

    def set_input(self, signal: str, active: bool) -> None:
        with self._lock:
            self._drop_plans(signal)
            self._drive(signal, active, "level", self._clock())

    def hide_input(self, signal: str, active: bool) -> None:
        with self._lock:
            self._drop_plans(signal)
            self._drive(signal, active, "quiet", self._clock())

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        with self._lock:
            now = self._clock()
            self._drop_plans(signal)
            for ms, active in levels:
                self._order += 1
                heapq.heappush(self._planned, (now + round(ms * MS), self._order, signal, active))
            wait = self._work(now)
        self._hub.due(self, wait)

    def set_token(self, signal: str, text: str) -> None:
        reader = self._readers[signal]
        with self._lock:
            self._texts[reader] = text
            self._tell(f"token {reader}", f"{self._clock()} {text}")

    def outputs(self) -> dict[str, bool]:
        with self._lock:
            states = {o.name: state_of(o, self._level_of) for o in self.spec.outputs}
        return {name: state for name, state in states.items() if isinstance(state, bool)}

    def motor(self, name: str) -> Direction:
        output = next(o for o in self.spec.outputs if o.name == name)
        with self._lock:
            state = state_of(output, self._level_of)
        return state if isinstance(state, Direction) else Direction.STOP

    def service(self) -> int | None:
        """For the hub: somebody connects, says something, or is gone."""
        with self._lock:
            self._accept()
            self._read()
            now = self._clock()
            wait = self._work(now)
            changes = self._changes()
        for name, state in changes:
            if isinstance(state, Direction):
                self._on_motor(name, state, now)
            else:
                self._on_output(name, state, now)
        return wait

    def _work(self, now: int) -> int | None:
        """Do what was planned until now; nanoseconds until something is due."""
        while self._planned and self._planned[0][0] <= now:
            at, _, signal, active = heapq.heappop(self._planned)
            self._drive(signal, active, "level", at)
        due = [until for until in self._runs_until.values() if until > now]
        due += [self._planned[0][0]] if self._planned else []
        return max(0, min(due) - now) if due else None

    def _drop_plans(self, signal: str) -> None:
        """Do what is due of them, and forget the rest: somebody has his hand on it now."""
        self._work(self._clock())
        self._planned = [plan for plan in self._planned if plan[2] != signal]
        heapq.heapify(self._planned)

    def _drive(self, signal: str, active: bool, kind: str, at: int) -> None:
        wire = self._inputs[signal]
        level = int(active) ^ int(wire.active_low)
        if self._held.get(wire.pin) != level:
            self._held[wire.pin] = level
            self._tell(f"{kind} {wire.pin}", f"{level} {at}")

    def _tell(self, what: str, rest: str) -> None:
        """A line about a pin or a reader, while its owner still reads them."""
        key = what.replace("quiet", "level")
        if self._unseen_of[key] >= KEPT_EDGES:
            self._overrun.add(key)
            return
        self._unseen_of[key] += 1
        self._unseen.append(key)
        self._send(f"{what} {rest}")

    def _say(self, line: str) -> None:
        """A line that is nobody's edge."""
        self._unseen_of[""] += 1
        self._unseen.append("")
        self._send(line)

    def _seen(self, count: int) -> None:
        """The owner has read so many lines; what was lost meanwhile is a level without an edge."""
        for _ in range(min(count, len(self._unseen))):
            self._unseen_of[self._unseen.popleft()] -= 1
        for key in sorted(self._overrun):
            if self._unseen_of[key] == 0:
                self._overrun.discard(key)
                kind, number = key.split()
                if kind == "level":
                    self._tell(f"quiet {number}", f"{self._held[int(number)]} {self._clock()}")
                else:
                    self._tell(key, f"{self._clock()} {self._texts[int(number)]}")

    def _level_of(self, pin: int) -> int | None:
        """What comes out: of a motor's pin, what its circuit lets through."""
        if pin not in self._motors:
            return self._pins.get(pin)
        away = self._motors[pin]
        return away if self._runs_until.get(pin, 0) > self._clock() else 1 - away

    def _output(self, pin: int, level: int) -> None:
        self._pins[pin] = level
        if pin in self._motors:
            now, until = self._clock(), self._runs_until.get(pin, 0)
            running = now + DEADMAN_NS if level == self._motors[pin] else min(until, now + NOTCH_NS)
            self._runs_until[pin] = running

    def _send(self, line: str) -> None:
        if self._client is not None:
            try:
                self._client.sendall(line.encode("ascii") + b"\n")
            except OSError:
                self._hang_up()

    def _accept(self) -> None:
        while self._server is not None:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            client.setblocking(True)
            if self._client is not None:
                # Lines have one owner; the first is not disturbed.
                with contextlib.suppress(OSError):
                    client.sendall(b"busy\n")
                client.close()
                continue
            self._client, self._kept = client, b""
            self._unseen.clear()
            self._unseen_of.clear()
            self._overrun.clear()
            self._hub.watch(self, client.fileno())
            now = self._clock()
            for pin, level in self._held.items():
                self._tell(f"level {pin}", f"{level} {now}")
            for reader, text in self._texts.items():
                self._tell(f"token {reader}", f"{now} {text}")
            self._say("ready")

    def _read(self) -> None:
        client = self._client
        if client is None:
            return
        try:
            data = client.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._hang_up()
            return
        *lines, self._kept = (self._kept + data).split(b"\n")
        for line in lines:
            match line.decode("ascii", "replace").split():
                case ["output", pin, level]:
                    self._output(int(pin), int(level))
                case ["seen", count]:
                    self._seen(int(count))
                case ["heard?"]:
                    self._say(f"heard {self._clock()}")

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._hub.unwatch(client.fileno())
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            client.close()

    def _changes(self) -> list[tuple[str, bool | Direction]]:
        out: list[tuple[str, bool | Direction]] = []
        for output in self.spec.outputs:
            state = state_of(output, self._level_of)
            if self._told.get(output.name, rest_of(output)) != state:
                self._told[output.name] = state
                out.append((output.name, state))
        return out
