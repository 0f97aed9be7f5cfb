"""The world's end of simulated GPIO lines: levels held, outputs seen, one controller at a time.

Served by the same hub as the simulated devices. It must never tell the controller anything but levels and
texts.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic_ns

from firmware_bridge.readings import Direction
from firmware_bridge.rig import RigSpec
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.table.wires import OnMotor, OnOutput, rest_of, state_of


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
        self._drive(signal, active, "level")

    def hide_input(self, signal: str, active: bool) -> None:
        self._drive(signal, active, "quiet")

    def set_token(self, signal: str, text: str) -> None:
        reader = self._readers[signal]
        with self._lock:
            self._texts[reader] = text
            self._send(f"token {reader} {text}")

    def outputs(self) -> dict[str, bool]:
        with self._lock:
            states = {o.name: state_of(o, self._pins.get) for o in self.spec.outputs}
        return {name: state for name, state in states.items() if isinstance(state, bool)}

    def motor(self, name: str) -> Direction:
        output = next(o for o in self.spec.outputs if o.name == name)
        with self._lock:
            state = state_of(output, self._pins.get)
        return state if isinstance(state, Direction) else Direction.STOP

    def service(self) -> int | None:
        """For the hub: somebody connects, says something, or is gone."""
        with self._lock:
            self._accept()
            self._read()
            changes = self._changes()
        now = self._clock()
        for name, state in changes:
            if isinstance(state, Direction):
                self._on_motor(name, state, now)
            else:
                self._on_output(name, state, now)
        return None

    def _drive(self, signal: str, active: bool, kind: str) -> None:
        wire = self._inputs[signal]
        level = int(active) ^ int(wire.active_low)
        with self._lock:
            if self._held.get(wire.pin) != level:
                self._held[wire.pin] = level
                self._send(f"{kind} {wire.pin} {level}")

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
            self._hub.watch(self, client.fileno())
            for pin, level in self._held.items():
                self._send(f"level {pin} {level}")
            for reader, text in self._texts.items():
                self._send(f"token {reader} {text}")
            self._send("ready")

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
                    self._pins[int(pin)] = int(level)

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._hub.unwatch(client.fileno())
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
            client.close()
            # Lines go on driving when their owner dies; only the circuit that guards a motor stops it.
            for output in self.spec.outputs:
                if output.close_pin is not None:
                    self._pins.pop(output.pin, None)
                    self._pins.pop(output.close_pin, None)

    def _changes(self) -> list[tuple[str, bool | Direction]]:
        out: list[tuple[str, bool | Direction]] = []
        for output in self.spec.outputs:
            state = state_of(output, self._pins.get)
            if self._told.get(output.name, rest_of(output)) != state:
                self._told[output.name] = state
                out.append((output.name, state))
        return out
