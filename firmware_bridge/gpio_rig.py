"""A rig on the computer's own GPIO lines, through gpiozero.

Callbacks put edges on a queue; one worker debounces, compares all levels several times a second, watches the
thread behind the callbacks, and opens the back end anew when that has died: it dies without a word, and every
line goes silent while all looks healthy. Must never decide what a change means.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic_ns

from firmware_bridge.configuration import configuration_of
from firmware_bridge.debounce import Cleared, Debouncer, Doubted, Glitched, Outcome, Settled
from firmware_bridge.errors import RigConfigError, RigError, RigStateError
from firmware_bridge.gpio_backend import Backend, GpioPort, open_backend
from firmware_bridge.gpio_checks import gpio_info, refuse_for_gpio
from firmware_bridge.gpio_lines import GpioLines
from firmware_bridge.host_outputs import HostOutputs
from firmware_bridge.readings import (
    LevelRead,
    LinkDown,
    LinkUp,
    Reading,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    Suspicion,
    TokenRead,
)
from firmware_bridge.rig import (
    Command,
    Inbox,
    InputSpec,
    LinkState,
    MoveWindow,
    OutputKind,
    RigHealth,
    RigSpec,
    SetOutput,
)

MS = 1_000_000
# The rule is 250 ms; with the debounce time after it, a lost edge is healed within that.
RECONCILE_NS = 200 * MS
RESTART_NS = 1000 * MS
CLOSE_WAIT_S = 5.0
STAMP_UNCERTAINTY_NS = 500_000


@dataclass(frozen=True, slots=True)
class _Edge:
    index: int
    active: bool
    at: int


@dataclass(frozen=True, slots=True)
class _Text:
    reader: int
    text: str
    at: int


class GpioRig:
    """Direct GPIO. `open_with` is for tests of supervision; the default opens what the port says."""

    def __init__(
        self, spec: RigSpec, port: GpioPort, *, open_with: Callable[[GpioPort], Backend] = open_backend
    ) -> None:
        refuse_for_gpio(spec, port)
        self._spec = spec
        self._port = port
        self._open_with = open_with
        self._config = configuration_of(spec)
        self._kinds = {output.name: output.kind for output in spec.outputs}
        self._signals = {token.reader: token.signal for token in spec.tokens}
        self._queue: SimpleQueue[_Edge | _Text | Command | None] = SimpleQueue()
        self._lines = GpioLines(
            spec,
            lambda index, active, at: self._queue.put(_Edge(index, active, at)),
            lambda reader, text, at: self._queue.put(_Text(reader, text, at)),
        )
        self._lock = threading.Lock()
        self._outputs: HostOutputs | None = None
        self._debouncers: list[Debouncer] = []
        self._levels: dict[str, bool] = {}
        self._tokens: dict[str, str] = {}
        self._wanted: dict[str, bool] = {}
        self._inbox: Inbox | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._reconcile_at = 0
        self._reconciled_at = 0
        self._served_at = 0
        self._restart_at = 0
        self._inbox_errors = 0
        self._inferred = 0
        self._restarts = 0
        self._last_error = ""

    # -- the rig contract

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

    def heard_until(self) -> int:
        return self._reconciled_at

    def command(self, command: Command) -> None:
        kind = self._kinds.get(command.output)
        if kind is None:
            names = ", ".join(sorted(self._kinds)) or "none"
            raise RigConfigError(f"output {command.output} does not exist; name one of {names}")
        if isinstance(command, MoveWindow) != (kind is OutputKind.MOTOR):
            raise RigConfigError(f"output {command.output} is a {kind}; use the command that fits it")
        self._queue.put(command)

    def health(self) -> RigHealth:
        inputs = list(zip(self._spec.inputs, self._debouncers, strict=False))
        edges = {wire.signal: d.edges for wire, d in inputs}
        glitches = {wire.signal: d.glitches for wire, d in inputs}
        backend = self._lines.backend
        worker = self._thread is not None and self._thread.is_alive()
        return RigHealth(
            link=LinkState.DOWN if backend is None else LinkState.UP,
            thread_alive=worker and backend is not None and backend.alive(),
            queue_age=max(0, monotonic_ns() - self._served_at),
            raw_edges=sum(edges.values()),
            glitches=sum(glitches.values()),
            inferred=self._inferred,
            callback_errors=self._inbox_errors + self._lines.callback_errors,
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
        self._release()

    # -- the back end

    def _open(self, now: int) -> None:
        backend = self._open_with(self._port)
        self._lines.claim(backend)
        outputs = HostOutputs(self._spec, self._config, self._lines.write)
        self._outputs = outputs
        self._reconcile_at = now + RECONCILE_NS
        self._tell(LinkUp(at=now, device=gpio_info(backend)))
        self._take_stock(self._lines.levels(), dict(backend.tokens()), now)
        for name, on in self._wanted.items():
            self._tell_all(outputs.command(SetOutput(output=name, on=on), now))
        self._reconciled_at = now
        self._tell(Snapshot(at=now, levels=self.levels(), tokens=self.tokens()))

    def _take_stock(self, levels: list[bool], texts: dict[int, str], now: int) -> None:
        """The levels as found: where we start, or, after a restart, what changed while nobody saw."""
        fresh = not self._levels and not self._tokens
        for index, (wire, level) in enumerate(zip(self._spec.inputs, levels, strict=True)):
            if fresh:
                self._debouncers.append(_debouncer(wire, level))
                with self._lock:
                    self._levels[wire.signal] = level
            else:
                if self._debouncers[index].suspect:
                    self._tell(SignalTrusted(at=now, signal=wire.signal))
                self._debouncers[index].restart(level)
                if self._levels[wire.signal] != level:
                    self._level(index, level, now, self._reconciled_at)
            if self._outputs is not None:
                self._outputs.level(index, level)
        for reader, signal in self._signals.items():
            text = texts.get(reader, "")
            if fresh:
                with self._lock:
                    self._tokens[signal] = text
            else:
                self._text(reader, text, now, self._reconciled_at)

    def _release(self) -> None:
        if self._outputs is not None:
            try:
                self._outputs.release()
            except Exception as error:
                self._last_error = f"{type(error).__name__}: {error}"
            self._outputs = None
        self._lines.release()

    def _lose(self, why: str) -> None:
        was_up = self._lines.backend is not None
        self._last_error = why
        self._release()
        self._restart_at = monotonic_ns() + RESTART_NS
        if was_up:
            self._tell(LinkDown(at=monotonic_ns(), why=why))

    # -- the worker

    def _run(self) -> None:
        while not self._closing:
            try:
                self._turn()
            except Exception as error:
                # Whatever a line or a library does, the worker lives and opens the back end anew.
                self._lose(f"GPIO failed ({type(error).__name__}: {error})")

    def _turn(self) -> None:
        now = monotonic_ns()
        self._served_at = now
        if self._lines.backend is None:
            self._reopen(now)
            return
        with contextlib.suppress(Empty):
            self._take(self._queue.get(timeout=self._wait(now)))
        self._drain()
        now = monotonic_ns()
        if now >= self._reconcile_at:
            self._reconcile(self._lines.backend, now)
        self._poll(monotonic_ns())

    def _reopen(self, now: int) -> None:
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

    def _wait(self, now: int) -> float:
        due = [self._reconcile_at]
        due += [at for d in self._debouncers if (at := d.deadline()) is not None]
        if self._outputs is not None and (wait := self._outputs.due(now)) is not None:
            due.append(now + wait)
        return max(0.0, (min(due) - now) / 1e9)

    def _drain(self) -> set[int]:
        """Take all that waits, in order; which inputs were touched."""
        touched = set()
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if isinstance(item, _Edge):
                touched.add(item.index)
            self._take(item)
        return touched

    def _take(self, item: _Edge | _Text | Command | None) -> None:
        match item:
            case None:
                pass
            case _Edge(index=index, active=active, at=at):
                self._outcomes(index, self._debouncers[index].edge(active, at))
            case _Text(reader=reader, text=text, at=at):
                self._text(reader, text, at, None)
            case SetOutput() | MoveWindow():
                if isinstance(item, SetOutput):
                    self._wanted[item.output] = item.on
                if self._outputs is not None:
                    self._tell_all(self._outputs.command(item, monotonic_ns()))

    def _poll(self, now: int) -> None:
        for index, debouncer in enumerate(self._debouncers):
            self._outcomes(index, debouncer.poll(now))
        if self._outputs is not None:
            self._tell_all(self._outputs.tick(now))

    def _reconcile(self, backend: Backend, now: int) -> None:
        """Compare all levels with what the edges told, and the readers' texts with what we know."""
        if not backend.alive():
            self._lose("the thread that tells of edges has died")
            return
        self._reconcile_at = now + RECONCILE_NS
        levels = self._lines.levels()
        texts = backend.tokens()
        touched = self._drain()
        for index, level in enumerate(levels):
            if index not in touched and self._debouncers[index].raw != level:
                outcomes = self._debouncers[index].edge(level, now, not_before=self._reconciled_at)
                self._outcomes(index, outcomes)
        for reader in self._signals:
            self._text(reader, texts.get(reader, ""), now, self._reconciled_at)
        self._reconciled_at = now

    # -- telling

    def _outcomes(self, index: int, outcomes: list[Outcome]) -> None:
        signal = self._spec.inputs[index].signal
        for outcome in outcomes:
            match outcome:
                case Settled(at=at, level=level, not_before=not_before):
                    self._level(index, level, at, not_before)
                case Doubted(at=at):
                    self._tell(SignalSuspected(at=at, signal=signal, why=Suspicion.CHATTERING))
                case Cleared(at=at, level=level):
                    self._tell(SignalTrusted(at=at, signal=signal))
                    if self._levels[signal] != level:
                        self._level(index, level, at, self._reconciled_at)
                case Glitched():
                    pass

    def _level(self, index: int, level: bool, at: int, not_before: int | None) -> None:
        signal = self._spec.inputs[index].signal
        with self._lock:
            self._levels[signal] = level
        self._inferred += not_before is not None
        if self._outputs is not None:
            self._outputs.level(index, level)
        self._tell(
            LevelRead(
                at=at,
                uncertainty=STAMP_UNCERTAINTY_NS,
                signal=signal,
                active=level,
                inferred=not_before is not None,
                not_before=not_before,
            )
        )

    def _text(self, reader: int, text: str, at: int, not_before: int | None) -> None:
        signal = self._signals.get(reader)
        if signal is None or self._tokens.get(signal, "") == text:
            return
        with self._lock:
            self._tokens[signal] = text
        self._inferred += not_before is not None
        self._tell(
            TokenRead(
                at=at,
                uncertainty=STAMP_UNCERTAINTY_NS,
                signal=signal,
                token=text,
                inferred=not_before is not None,
                not_before=not_before,
            )
        )

    def _tell_all(self, readings: list[Reading]) -> None:
        for reading in readings:
            self._tell(reading)

    def _tell(self, reading: Reading) -> None:
        if self._inbox is None:
            return
        try:
            self._inbox(reading)
        except Exception as error:
            self._inbox_errors += 1
            self._last_error = f"the inbox raised {type(error).__name__}: {error}"


def _debouncer(wire: InputSpec, level: bool) -> Debouncer:
    return Debouncer(on_ns=wire.debounce_ms * MS, off_ns=wire.release_ms * MS, level=level)
