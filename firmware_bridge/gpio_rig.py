"""A rig on the computer's own GPIO lines, through gpiozero.

Callbacks put edges on a queue; one worker settles them, compares all levels several times a second, watches
the thread behind the callbacks, and opens the back end anew when that has died: it dies without a word, and
every line goes silent while all looks healthy. It watches itself as well: a time in which the whole process
stood still is told as a gap, for the lines' own memory is short. Must never decide what a change means.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic_ns

from firmware_bridge.configuration import configuration_of
from firmware_bridge.errors import RigConfigError, RigError, RigStateError
from firmware_bridge.gpio_backend import Backend, GpioPort, open_backend
from firmware_bridge.gpio_checks import gpio_info, refuse_for_gpio
from firmware_bridge.gpio_inputs import GpioInputs
from firmware_bridge.gpio_lines import GpioLines
from firmware_bridge.host_outputs import HostOutputs
from firmware_bridge.readings import (
    LinkDown,
    LinkUp,
    Reading,
    ReadingGap,
    Snapshot,
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

MS = 1_000_000
# The rule is 250 ms; with a second look and the debounce time after it, a lost edge is healed within that.
RECONCILE_NS = 190 * MS
LOOK_AGAIN_NS = 10 * MS
RESTART_NS = 1000 * MS
CLOSE_WAIT_S = 5.0
LATE_NS = 30 * MS
"""So late, the thread that tells of edges may be late too, and is given a little time before we judge."""
CATCH_UP_NS = 30 * MS
CATCH_UP_MOST_NS = 250 * MS
STALL_NS = 1000 * MS
"""A kernel keeps a handful of edges a line: what came and went in so long a time may be gone."""


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


@dataclass(frozen=True, slots=True)
class _Heard:
    """All edges before `at` are on the queue before this."""

    at: int


_Item = _Edge | _Text | _Heard | Command | None


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
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._lines = GpioLines(
            spec,
            lambda index, active, at: self._queue.put(_Edge(index, active, at)),
            lambda reader, text, at: self._queue.put(_Text(reader, text, at)),
        )
        self._inputs = GpioInputs(spec, self._tell, self._limit)
        self._outputs: HostOutputs | None = None
        self._wanted: dict[str, bool] = {}
        self._inbox: Inbox | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._reconcile_at = 0
        self._heard = 0
        self._served_at = 0
        self._told_for = 0
        self._restart_at = 0
        self._inbox_errors = 0
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
        return self._inputs.levels()

    def tokens(self) -> Mapping[str, str]:
        return self._inputs.tokens()

    def heard_until(self) -> int:
        return self._heard

    def command(self, command: Command) -> None:
        kind = self._kinds.get(command.output)
        if kind is None:
            names = ", ".join(sorted(self._kinds)) or "none"
            raise RigConfigError(f"output {command.output} does not exist; name one of {names}")
        if isinstance(command, MoveWindow) != (kind is OutputKind.MOTOR):
            raise RigConfigError(f"output {command.output} is a {kind}; use the command that fits it")
        self._queue.put(command)

    def health(self) -> RigHealth:
        edges, glitches = self._inputs.counts()
        backend = self._lines.backend
        worker = self._thread is not None and self._thread.is_alive()
        return RigHealth(
            link=LinkState.DOWN if backend is None else LinkState.UP,
            thread_alive=worker and backend is not None and backend.alive(),
            queue_age=max(0, monotonic_ns() - self._served_at),
            raw_edges=sum(edges.values()),
            glitches=sum(glitches.values()),
            inferred=self._inputs.inferred,
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
        self._inputs.take_stock(self._lines.levels(), dict(backend.tokens()), now)
        for name, on in self._wanted.items():
            self._tell_all(outputs.command(SetOutput(output=name, on=on), now))
        self._heard = max(self._heard, now)
        self._tell(Snapshot(at=now, levels=self.levels(), tokens=self.tokens()))
        self._served(monotonic_ns())

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
        backend = self._lines.backend
        if backend is None:
            self._reopen(now)
            self._served(monotonic_ns())
            return
        wait = self._wait(now)
        with contextlib.suppress(Empty):
            self._take(self._queue.get(timeout=wait / 1e9))
        now = monotonic_ns()
        late = now - self._served_at - wait - self._told_for
        if late >= LATE_NS:
            self._catch_up(backend, now)
        self._served(monotonic_ns())
        self._drain()
        now = monotonic_ns()
        if now >= self._reconcile_at or late >= STALL_NS:
            self._reconcile(backend, now)
        self._poll(monotonic_ns())
        if late >= STALL_NS:
            self._tell(ReadingGap(at=monotonic_ns(), length=late))

    def _served(self, now: int) -> None:
        """From here on lateness counts; time spent in the inbox is another's."""
        self._served_at, self._told_for = now, 0

    def _catch_up(self, backend: Backend, since: int) -> None:
        """We were late, so the thread that tells of edges may be: what it still has comes before we judge."""
        backend.ask_heard(self._hear)
        while (now := monotonic_ns()) < since + CATCH_UP_MOST_NS:
            if now >= since + CATCH_UP_NS and self._heard >= since:
                return
            self._tick_outputs(now)  # a lease ends in its time, whatever else waits
            with contextlib.suppress(Empty):
                self._take(self._queue.get(timeout=0.01))

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

    def _wait(self, now: int) -> int:
        """Nanoseconds until something is due."""
        due = [self._reconcile_at]
        if (at := self._inputs.deadline()) is not None:
            due.append(at)
        if self._outputs is not None and (wait := self._outputs.due(now)) is not None:
            due.append(now + wait)
        return max(0, min(due) - now)

    def _drain(self) -> set[int]:
        """Take all that waits, in order; which inputs were touched."""
        touched = set()
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if isinstance(item, _Edge):
                touched.add(item.index)
            self._take(item)
        return touched

    def _take(self, item: _Item) -> None:
        match item:
            case None:
                pass
            case _Edge(index=index, active=active, at=at):
                self._inputs.edge(index, active, at)
            case _Text(reader=reader, text=text, at=at):
                self._inputs.text(reader, text, at)
            case _Heard(at=at):
                self._heard = max(self._heard, at)
            case SetOutput() | MoveWindow():
                if isinstance(item, SetOutput):
                    self._wanted[item.output] = item.on
                if self._outputs is not None:
                    self._tell_all(self._outputs.command(item, monotonic_ns()))

    def _hear(self, at: int) -> None:
        """The back end says so in its thread, behind the edges it has told."""
        self._queue.put(_Heard(at))

    def _poll(self, now: int) -> None:
        self._inputs.poll(now)
        self._tick_outputs(now)

    def _tick_outputs(self, now: int) -> None:
        if self._outputs is not None:
            self._tell_all(self._outputs.tick(now))

    def _reconcile(self, backend: Backend, now: int) -> None:
        """Compare all levels with what the edges told, and the readers' texts with what we know."""
        if not backend.alive():
            self._lose("the thread that tells of edges has died")
            return
        levels = self._lines.levels()
        texts = backend.tokens()
        explained = self._inputs.compare(levels, texts, self._drain(), now)
        self._reconcile_at = now + (RECONCILE_NS if explained else LOOK_AGAIN_NS)
        if explained:
            backend.ask_heard(self._hear)

    # -- telling

    def _limit(self, index: int, active: bool) -> None:
        """A settled level: a motor stops at its limits."""
        if self._outputs is not None:
            self._outputs.level(index, active)

    def _tell_all(self, readings: list[Reading]) -> None:
        for reading in readings:
            self._tell(reading)

    def _tell(self, reading: Reading) -> None:
        if self._inbox is None:
            return
        began = monotonic_ns()
        try:
            self._inbox(reading)
        except Exception as error:
            self._inbox_errors += 1
            self._last_error = f"the inbox raised {type(error).__name__}: {error}"
        self._told_for += monotonic_ns() - began
