"""A rig on the computer's own GPIO lines, through gpiozero.

The callback of a line only stamps the time and puts a value on a queue: one exception in it would silence
every line while all looks healthy. One worker debounces, compares all levels several times a second, watches
the thread behind the callbacks, and restarts the back end when that has died. Must never decide what a change
means.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from time import monotonic_ns
from typing import Any

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from firmware_bridge.configuration import configuration_of
from firmware_bridge.debounce import Cleared, Debouncer, Doubted, Glitched, Outcome, Settled
from firmware_bridge.errors import PortInUseError, RigConfigError, RigError, RigStateError
from firmware_bridge.gpio_backend import SIMULATED, Backend, GpioPort, is_busy, open_backend
from firmware_bridge.host_outputs import HostOutputs
from firmware_bridge.readings import (
    DeviceInfo,
    LevelRead,
    LinkDown,
    LinkUp,
    Reading,
    ResetCause,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    Suspicion,
    TokenRead,
)
from firmware_bridge.rig import (
    Command,
    Inbox,
    LinkState,
    MoveWindow,
    OutputKind,
    Pull,
    RigHealth,
    RigSpec,
    SetOutput,
)

MS = 1_000_000
# The rule is 250 ms; with the debounce time after it a lost edge is healed within that.
RECONCILE_NS = 200 * MS
RESTART_NS = 1000 * MS
CLOSE_WAIT_S = 5.0
STAMP_UNCERTAINTY_NS = 500_000
LAST_HEADER_PIN = 27

_Edge = tuple[int, bool, int]


class GpioRig:
    """Direct GPIO. `open_with` is for tests of supervision; the default opens what the port says."""

    def __init__(
        self, spec: RigSpec, port: GpioPort, *, open_with: Callable[[GpioPort], Backend] = open_backend
    ) -> None:
        _refuse(spec, port)
        self._spec = spec
        self._port = port
        self._open_with = open_with
        self._config = configuration_of(spec)
        self._kinds = {output.name: output.kind for output in spec.outputs}
        self._queue: SimpleQueue[_Edge | Command | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._backend: Backend | None = None
        self._devices: list[Any] = []
        self._pins: dict[int, Any] = {}
        self._outputs: HostOutputs | None = None
        self._debouncers: list[Debouncer] = []
        self._levels: dict[str, bool] = {}
        self._tokens: dict[str, str] = {}
        self._readers = {token.signal: token.reader for token in spec.tokens}
        self._wanted: dict[str, bool] = {}
        self._inbox: Inbox | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._up = False
        self._reconcile_at = 0
        self._reconciled_at = 0
        self._served_at = 0
        self._restart_at = 0
        self._callback_errors = 0
        self._inferred = 0
        self._restarts = 0
        self._last_error = ""

    # -- the rig contract -----------------------------------------------------------------------------------

    def start(self, inbox: Inbox) -> None:
        if self._thread is not None or self._closing:
            raise RigStateError("this rig has already been started; make a new one")
        self._inbox = inbox
        self._open(monotonic_ns())
        self._thread = threading.Thread(target=self._run, name="gpio-rig", daemon=True)
        self._thread.start()

    def levels(self) -> Mapping[str, bool]:
        with self._lock:
            return dict(self._levels)

    def tokens(self) -> Mapping[str, str]:
        with self._lock:
            return dict(self._tokens)

    def command(self, command: Command) -> None:
        kind = self._kinds.get(command.output)
        if kind is None:
            names = ", ".join(sorted(self._kinds)) or "none"
            raise RigConfigError(f"output {command.output} does not exist; name one of {names}")
        if isinstance(command, MoveWindow) != (kind is OutputKind.MOTOR):
            raise RigConfigError(f"output {command.output} is a {kind}; use the command that fits it")
        self._queue.put(command)

    def health(self) -> RigHealth:
        debouncers = list(zip(self._spec.inputs, self._debouncers, strict=False))
        edges = {wire.signal: d.edges for wire, d in debouncers}
        glitches = {wire.signal: d.glitches for wire, d in debouncers}
        alive = self._thread is not None and self._thread.is_alive()
        return RigHealth(
            link=LinkState.UP if self._up else LinkState.DOWN,
            thread_alive=alive and self._backend is not None and self._backend.alive(),
            queue_age=max(0, monotonic_ns() - self._served_at),
            raw_edges=sum(edges.values()),
            glitches=sum(glitches.values()),
            inferred=self._inferred,
            callback_errors=self._callback_errors,
            backend_restarts=self._restarts,
            signal_edges=edges,
            signal_glitches=glitches,
            last_error=self._last_error,
        )

    def close(self) -> None:
        self._closing = True
        self._queue.put(None)
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_WAIT_S)
        self._close_backend()

    # -- the back end ---------------------------------------------------------------------------------------

    def _open(self, now: int) -> None:
        backend = self._open_with(self._port)
        self._backend = backend
        try:
            self._claim(backend, now)
        except Exception as error:
            self._close_backend()
            if is_busy(error):
                raise PortInUseError(
                    "the GPIO lines are already in use by another process; stop that one first"
                ) from error
            raise
        self._up = True
        self._reconcile_at = now + RECONCILE_NS
        self._tell(LinkUp(at=now, device=_info(backend)))
        self._snapshot(now)

    def _claim(self, backend: Backend, now: int) -> None:
        outputs = {}
        for output in self._spec.outputs:
            for pin in (output.pin, output.close_pin):
                if pin is not None:
                    device = DigitalOutputDevice(
                        pin,
                        active_high=not output.safe_level,
                        initial_value=False,
                        pin_factory=backend.factory,
                    )
                    outputs[pin] = (device, int(output.safe_level))
                    self._devices.append(device)
        self._outputs = HostOutputs(self._spec, self._config, lambda pin, level: _write(*outputs[pin], level))
        fresh = not self._debouncers
        for index, wire in enumerate(self._spec.inputs):
            # With a pull the active level follows from it; without one it must be said.
            pull = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}[wire.pull]
            device = DigitalInputDevice(
                wire.pin,
                pull_up=pull,
                active_state=(not wire.active_low) if pull is None else None,
                bounce_time=None,
                pin_factory=backend.factory,
            )
            flip = pull is not None and pull != wire.active_low
            self._devices.append(device)
            self._pins[index] = (device, flip)
            device.when_activated = self._stamper(index, not flip)
            device.when_deactivated = self._stamper(index, flip)
            if fresh:
                level = bool(device.is_active) != flip
                self._debouncers.append(
                    Debouncer(on_ns=wire.debounce_ms * MS, off_ns=wire.release_ms * MS, level=level)
                )
                with self._lock:
                    self._levels[wire.signal] = level
            self._outputs.level(index, self._debouncers[index].level)
        for name, on in self._wanted.items():
            self._outputs.command(SetOutput(output=name, on=on), now)
        self._reconciled_at = now

    def _stamper(self, index: int, level: bool) -> Callable[[], None]:
        def stamp() -> None:
            try:
                self._queue.put((index, level, monotonic_ns()))
            except Exception:
                self._callback_errors += 1

        return stamp

    def _close_backend(self) -> None:
        self._up = False
        if self._outputs is not None:
            self._quietly(self._outputs.release)
            self._outputs = None
        for device in self._devices:
            self._quietly(device.close)
        self._devices.clear()
        self._pins.clear()
        backend, self._backend = self._backend, None
        if backend is not None:
            self._quietly(backend.close)

    def _quietly(self, deed: Callable[[], object]) -> None:
        try:
            deed()
        except Exception as error:
            self._last_error = f"{type(error).__name__}: {error}"

    # -- the worker -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing:
            try:
                self._turn()
            except Exception as error:
                # Whatever a line or library does, the worker lives: the next turn finds the back end dead.
                self._callback_errors += 1
                self._last_error = f"{type(error).__name__}: {error}"
                self._lose(f"GPIO failed ({self._last_error})")

    def _turn(self) -> None:
        now = monotonic_ns()
        self._served_at = now
        if self._backend is None:
            self._wait_for_backend(now)
            return
        try:
            first = self._queue.get(timeout=self._wait(now))
        except Empty:
            pass
        else:
            self._take(first)
            self._drain()
        now = monotonic_ns()
        if now >= self._reconcile_at:
            self._reconcile(now)
        self._poll(monotonic_ns())

    def _wait(self, now: int) -> float:
        due = [self._reconcile_at]
        due += [at for d in self._debouncers if (at := d.deadline()) is not None]
        if self._outputs is not None and (wait := self._outputs.due(now)) is not None:
            due.append(now + wait)
        return max(0.0, (min(due) - now) / 1e9)

    def _drain(self) -> set[int]:
        touched = set()
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if isinstance(item, tuple):
                touched.add(item[0])
            self._take(item)
        return touched

    def _take(self, item: _Edge | Command | None) -> None:
        if item is None:
            return
        if isinstance(item, tuple):
            index, level, at = item
            self._outcomes(index, self._debouncers[index].edge(level, at))
            return
        if isinstance(item, SetOutput):
            self._wanted[item.output] = item.on
        if self._outputs is not None:
            self._tell_all(self._outputs.command(item, monotonic_ns()))

    def _poll(self, now: int) -> None:
        for index, debouncer in enumerate(self._debouncers):
            self._outcomes(index, debouncer.poll(now))
        if self._outputs is not None:
            self._tell_all(self._outputs.tick(now))

    def _reconcile(self, now: int) -> None:
        """Compare all levels with what the edges told, and the readers' texts with what we know."""
        backend = self._backend
        if backend is None or not backend.alive():
            self._lose("the thread that tells of edges has died")
            return
        self._reconcile_at = now + RECONCILE_NS
        levels = {index: bool(device.is_active) != flip for index, (device, flip) in self._pins.items()}
        touched = self._drain()
        for index, level in levels.items():
            debouncer = self._debouncers[index]
            if index not in touched and debouncer.raw != level:
                outcomes = debouncer.edge(level, monotonic_ns(), not_before=self._reconciled_at)
                self._outcomes(index, outcomes)
        self._read_tokens(backend, now)
        self._reconciled_at = now

    def _read_tokens(self, backend: Backend, now: int) -> None:
        texts = backend.tokens()
        for signal, reader in self._readers.items():
            text = texts.get(reader, "")
            if self._tokens.get(signal, "") != text:
                with self._lock:
                    self._tokens[signal] = text
                self._tell(TokenRead(at=now, uncertainty=RECONCILE_NS, signal=signal, token=text))

    def _outcomes(self, index: int, outcomes: list[Outcome]) -> None:
        signal = self._spec.inputs[index].signal
        for outcome in outcomes:
            match outcome:
                case Settled(at=at, level=level, inferred=inferred, not_before=not_before):
                    self._level(index, signal, level, at, inferred, not_before)
                case Doubted(at=at):
                    self._tell(SignalSuspected(at=at, signal=signal, why=Suspicion.CHATTERING))
                case Cleared(at=at, level=level):
                    self._tell(SignalTrusted(at=at, signal=signal))
                    if self._levels[signal] != level:
                        self._level(index, signal, level, at, True, self._reconciled_at)
                case Glitched():
                    pass

    def _level(
        self, index: int, signal: str, level: bool, at: int, inferred: bool, not_before: int | None
    ) -> None:
        with self._lock:
            self._levels[signal] = level
        self._inferred += inferred
        if self._outputs is not None:
            self._outputs.level(index, level)
        self._tell(
            LevelRead(
                at=at,
                uncertainty=STAMP_UNCERTAINTY_NS,
                signal=signal,
                active=level,
                inferred=inferred,
                not_before=not_before,
            )
        )

    # -- losing and finding ---------------------------------------------------------------------------------

    def _lose(self, why: str) -> None:
        was_up = self._up
        self._last_error = why
        self._close_backend()
        self._restart_at = monotonic_ns() + RESTART_NS
        if was_up:
            self._tell(LinkDown(at=monotonic_ns(), why=why))

    def _wait_for_backend(self, now: int) -> None:
        if now < self._restart_at:
            try:
                item = self._queue.get(timeout=min(0.25, (self._restart_at - now) / 1e9))
            except Empty:
                return
            if isinstance(item, SetOutput):
                self._wanted[item.output] = item.on
            return
        try:
            self._open(now)
        except (RigError, OSError) as error:
            self._last_error = str(error)
            self._restart_at = now + RESTART_NS
            return
        self._restarts += 1

    def _snapshot(self, now: int) -> None:
        for index, (device, flip) in self._pins.items():
            level = bool(device.is_active) != flip
            debouncer = self._debouncers[index]
            if debouncer.level != level:
                # Changed while nobody could see it.
                wire = self._spec.inputs[index]
                self._debouncers[index] = Debouncer(
                    on_ns=wire.debounce_ms * MS, off_ns=wire.release_ms * MS, level=level
                )
                self._level(index, wire.signal, level, now, True, self._reconciled_at)
        first = self._restarts == 0 and not self._tokens
        if self._backend is not None:
            if first:
                texts = self._backend.tokens()
                self._tokens = {signal: texts.get(reader, "") for signal, reader in self._readers.items()}
            else:
                self._read_tokens(self._backend, now)
        self._tell(Snapshot(at=now, levels=self.levels(), tokens=self.tokens()))

    def _tell_all(self, readings: list[Reading]) -> None:
        for reading in readings:
            self._tell(reading)

    def _tell(self, reading: Reading) -> None:
        if self._inbox is None:
            return
        try:
            self._inbox(reading)
        except Exception as error:
            self._callback_errors += 1
            self._last_error = f"the inbox raised {type(error).__name__}: {error}"


def _refuse(spec: RigSpec, port: GpioPort) -> None:
    for wire in spec.inputs:
        if wire.chain or wire.pin > LAST_HEADER_PIN:
            raise RigConfigError(
                f"input {wire.signal}: direct GPIO has pins 0 to {LAST_HEADER_PIN} and no chain; choose a pin"
            )
    for output in spec.outputs:
        if output.kind is OutputKind.MOTOR and not output.hardware_deadman:
            raise RigConfigError(
                f"output {output.name}: a motor on direct GPIO has no lease in hardware; "
                "fit a circuit that stops it and say hardware_deadman = true, or use the microcontroller"
            )
    if spec.tokens and port.factory != SIMULATED:
        raise RigConfigError(
            f"token {spec.tokens[0].signal}: direct GPIO has no readers; use the microcontroller or remove it"
        )


def _write(device: Any, safe: int, level: int) -> None:
    if level == safe:
        device.off()
    else:
        device.on()


def _info(backend: Backend) -> DeviceInfo:
    return DeviceInfo(
        uid=backend.name,
        boot_id="0000",
        reset_cause=ResetCause.UNKNOWN,
        firmware="none",
        version="0.0.0",
        firmware_hash="00000000",
        interpreter="none",
        protocol="none",
    )
