"""A gpiozero pin factory whose pins are worked from another process, over a Unix socket.

Registered as `hw-sim`; the controller loads it only where its configuration names a simulated table. It
stands in for lgpio and shares its habits: one thread tells of edges, and an exception in a callback kills
that thread. It has none of the mock factory's gaps: callbacks do not run in the thread that drives, a pull
does not override a level that is held, a bounce time is refused and not ignored, outputs are told to the
simulator.

The socket carries lines: to us `level PIN 0|1 AT`, `quiet PIN 0|1` (no edge is seen), `token READER AT TEXT`,
`heard AT`, `ready`, `busy`; from us `input PIN up|down|floating`, `output PIN 0|1`, `seen COUNT`, `heard?`.
AT is when it happened, as the kernel stamps an edge: a thread that is late makes no edge late.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Mapping
from time import monotonic_ns
from typing import Any

from gpiozero.exc import PinInvalidBounce
from gpiozero.pins import PinInfo
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.pi import PiPin

from firmware_bridge.errors import BackendError, PortInUseError, PortMissingError

ANSWER_S = 5.0
LAST_HEADER_PIN = 27


class SimPin(MockPWMPin):  # type: ignore[misc]
    """One line. `held` is what the world drives it to; None: nothing does, and the pull decides."""

    def __init__(self, factory: SimFactory, info: Any) -> None:
        self.held: bool | None = factory.level_of(_number(info))
        self._edge_at = monotonic_ns()
        super().__init__(factory, info)
        if self.held is not None:
            self._state = self.held

    def arrive(self, level: bool, at: int, *, quiet: bool) -> None:
        """The world changed the level at `at` (monotonic ns); in the factory's own thread."""
        self.held = level
        self._edge_at = at
        if self._function != "input":
            return
        if quiet:
            self._change_state(level)
        elif level:
            self.drive_high()
        else:
            self.drive_low()

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self._edge_at / 1e9, self._state)

    def _set_pull(self, value: str) -> None:
        self._edge_at = monotonic_ns()
        super()._set_pull(value)
        self._factory.send(f"input {_number(self.info)} {value}")
        if self.held is not None:
            self._change_state(self.held)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "input" and self.held is not None:
            self._change_state(self.held)

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        self._factory.send(f"output {_number(self.info)} {int(value > 0)}")

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce("this factory does not debounce; leave bounce_time out")
        super()._set_bounce(value)

    def assert_states(self, expected_states: list[bool]) -> None:
        """The states the pin went through, all of them and no more."""
        assert [bool(s.state) for s in self.states] == [bool(s) for s in expected_states]


class SimFactory(MockFactory):  # type: ignore[misc]
    """One connection to a `SimulatedPins`."""

    def __init__(self, address: str) -> None:
        super().__init__(pin_class=SimPin)
        self.name = f"hw-sim {address}"
        self._beyond: dict[str, PinInfo] = {}
        self.factory = self
        self._held: dict[int, bool] = {}
        self._texts: dict[int, str] = {}
        self._ready = threading.Event()
        self._busy = False
        self._tell_token: Callable[[int, str, int], None] = lambda reader, text, at: None
        self._tell_heard: Callable[[int], None] = lambda at: None
        self._send_lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(address)
        except OSError as error:
            self._socket.close()
            raise PortMissingError(f"no simulated pins at {address}; start the simulator first") from error
        self._thread = threading.Thread(target=self._listen, name="hw-sim-pins", daemon=True)
        self._thread.start()
        if not self._ready.wait(ANSWER_S):
            self.close()
            raise BackendError(f"the simulated pins at {address} say nothing; restart the simulator")
        if self._busy:
            self.close()
            raise PortInUseError(f"{address} is already in use by another process; stop that one first")

    @classmethod
    def open(cls, address: str) -> SimFactory:
        """Connect; what `gpio_backend` calls."""
        return cls(address)

    def pin(self, name: str | int, pin_class: type[SimPin] | None = None, **options: Any) -> Any:
        """A line by its GPIO number; one that no header has is made, so that a whole table fits."""
        text = str(name).removeprefix("GPIO")
        if not text.isdigit() or int(text) <= LAST_HEADER_PIN:
            return super().pin(name, pin_class, **options)
        info = self._beyond.get(text)
        if info is None:
            info = self._beyond[text] = _line_beyond_the_header(int(text))
            self.pins[info] = SimPin(self, info)
        return self.pins[info]

    def alive(self) -> bool:
        """Whether the thread that tells of edges lives."""
        return self._thread.is_alive()

    def tokens(self) -> Mapping[int, str]:
        """What lies on the simulated readers."""
        return dict(self._texts)

    def watch_tokens(self, tell: Callable[[int, str, int], None]) -> None:
        """Tell of every new text, in the thread that tells of edges."""
        self._tell_token = tell

    def ask_heard(self, tell: Callable[[int], None]) -> None:
        """Ask the simulator; its answer comes behind every edge before it."""
        self._tell_heard = tell
        self.send("heard?")

    def level_of(self, pin: int) -> bool | None:
        """What the world drives a pin to."""
        return self._held.get(pin)

    def send(self, line: str) -> None:
        """Tell the simulator. A simulator that is gone is found by `alive`."""
        with self._send_lock, contextlib.suppress(OSError):
            self._socket.sendall(line.encode("ascii") + b"\n")

    def close(self) -> None:
        """Hang up."""
        super().close()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if self._thread is not threading.current_thread():
            self._thread.join(ANSWER_S)

    def _listen(self) -> None:
        kept = b""
        while True:
            try:
                data = self._socket.recv(4096)
            except OSError:
                return
            if not data:
                return
            *lines, kept = (kept + data).split(b"\n")
            for line in lines:
                self._take(line.decode("ascii").split(" ", 3))
            self.send(f"seen {len(lines)}")

    def _take(self, words: list[str]) -> None:
        match words:
            case ["level" | "quiet" as kind, pin, level, at]:
                self._held[int(pin)] = level == "1"
                for info, known in list(self.pins.items()):
                    if _number(info) == int(pin):
                        known.arrive(level == "1", int(at), quiet=kind == "quiet")
            case ["token", reader, at, text]:
                self._texts[int(reader)] = text
                self._tell_token(int(reader), text, int(at))
            case ["heard", at]:
                self._tell_heard(int(at))
            case ["ready"]:
                self._ready.set()
            case ["busy"]:
                self._busy = True
                self._ready.set()


def _line_beyond_the_header(number: int) -> PinInfo:
    """What gpiozero knows of a line: its name and what it can do."""
    name = f"GPIO{number}"
    return PinInfo(
        number=number,
        name=name,
        names=frozenset({name}),
        pull="",
        row=0,
        col=0,
        interfaces=frozenset({"gpio"}),
    )


def _number(info: Any) -> int:
    return int(info.name.removeprefix("GPIO"))
