"""A rig behind a serial port: one class owns the port and its one thread; all protocol is in `link`.

An unplugged cable shows itself as any of a handful of exceptions: all become one `LinkDown`. The port is
closed at once, or the device would come back under another name. The thread must never die before `close()`,
and nothing of the protocol may be decided here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import SystemRandom
from time import monotonic_ns

import serial
from serial.tools import list_ports

from firmware_bridge.errors import PortInUseError, PortMissingError, RigConfigError, RigStateError
from firmware_bridge.link import HostLink
from firmware_bridge.readings import Reading
from firmware_bridge.rig import Command, Inbox, LinkState, RigHealth, RigSpec

# What a port that goes away has been seen to raise, by pyserial and below it.
PORT_TROUBLE = (OSError, termios.error, TypeError, ValueError)
READ_SIZE = 4096
UART_NAMES = ("ttyAMA", "ttyS", "ttyUSB")
CLOSE_WAIT_S = 5.0
FAREWELL_NS = 300_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPort:
    """A serial port that the system lists. `number` is its USB serial number, if it has one."""

    device: str
    number: str | None = None
    product: str | None = None

    def __str__(self) -> str:
        about = ", ".join(part for part in (self.product, self.number) if part)
        return f"{self.device} ({about})" if about else self.device


def listed_ports() -> list[ListedPort]:
    """Every serial port there is now."""
    return [
        ListedPort(device=str(p.device), number=p.serial_number, product=p.product)
        for p in list_ports.comports()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialPort:
    """Where the device is: `path` (prefer /dev/serial/by-id), or the `serial_number` of a USB device."""

    path: str | None = None
    serial_number: str | None = None
    baud: int = 115200
    backoff_first_s: float = 0.5
    backoff_most_s: float = 10.0

    def __post_init__(self) -> None:
        if (self.path is None) == (self.serial_number is None):
            raise RigConfigError("serial port: give either path or serial_number, not both and not neither")

    def find(self) -> str | None:
        """The name to open now, or None while there is none."""
        if self.path is not None:
            return self.path if os.path.exists(self.path) else None
        # The same number is written in capitals by one system and not by another.
        wanted = (self.serial_number or "").lower()
        return next((port.device for port in listed_ports() if (port.number or "").lower() == wanted), None)

    def __str__(self) -> str:
        return self.path if self.path is not None else f"USB serial number {self.serial_number}"


def byte_ns_of(name: str, baud: int) -> int:
    """How long a byte takes: on a UART ten bits; USB and pseudo-terminals do not know the rate."""
    real = os.path.basename(os.path.realpath(name))
    return 10 * 1_000_000_000 // baud if real.startswith(UART_NAMES) else 0


class SerialRig:
    """The default rig: a microcontroller on USB or a UART.

    `tap(ns, "host" or "device", bytes)` sees all traffic, for a capture; it is called in the rig's thread,
    and never again once it has raised.
    """

    def __init__(
        self,
        spec: RigSpec,
        port: SerialPort,
        *,
        seed: int | None = None,
        tap: Callable[[int, str, bytes], None] | None = None,
    ) -> None:
        self._tap = tap
        self._port = port
        self._link = HostLink(spec, seed=SystemRandom().randrange(1 << 30) if seed is None else seed)
        self._lock = threading.RLock()
        self._serial: serial.Serial | None = None
        self._unsent = bytearray()
        self._inbox: Inbox | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._wake_read, self._wake_write = -1, -1
        self._retry_at = 0
        self._backoff_s = port.backoff_first_s
        self._reconnects = 0
        self._callback_errors = 0
        self._last_error = ""
        self._served_at = 0
        self._heard = 0

    # -- the rig contract

    def start(self, inbox: Inbox) -> None:
        """Open the port if it is there and serve it. Raises `PortInUseError` when another process has it."""
        if self._thread is not None or self._closing:
            raise RigStateError("this rig has already been started; make a new one")
        self._inbox = inbox
        name = self._port.find()
        if name is not None:
            with contextlib.suppress(PortMissingError):
                self._open(name)
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._served_at = monotonic_ns()
        self._thread = threading.Thread(target=self._run, name="serial-rig", daemon=True)
        self._thread.start()

    def levels(self) -> Mapping[str, bool]:
        with self._lock:
            return dict(self._link.intake.levels)

    def tokens(self) -> Mapping[str, str]:
        with self._lock:
            return dict(self._link.intake.tokens)

    def heard_until(self) -> int:
        return self._heard

    def command(self, command: Command) -> None:
        with self._lock:
            self._link.command(command, monotonic_ns())
        self._poke()

    def health(self) -> RigHealth:
        now = monotonic_ns()
        with self._lock:
            link, counts = self._link, self._link.counts
            return RigHealth(
                link=link.state(now) if self._serial is not None else LinkState.DOWN,
                thread_alive=self._thread is not None and self._thread.is_alive(),
                queue_age=max(0, now - self._served_at),
                raw_edges=counts.edges,
                glitches=counts.glitches,
                inferred=link.intake.inferred,
                events_dropped=link.intake.dropped_total,
                bad_frames=counts.bad_frames,
                unknown_frames=counts.unknown_frames,
                noise_bytes=counts.noise_bytes,
                stale_frames=counts.stale_frames,
                duplicates=link.intake.duplicates,
                resends=link.commands.resends + counts.naks,
                callback_errors=self._callback_errors,
                overruns=counts.overruns,
                reconnects=self._reconnects,
                device_bad_frames=counts.device_bad_frames,
                round_trip=link.clock.round_trip,
                clock_error_ppm=link.clock.error_ppm,
                last_error=self._last_error,
                device_log=tuple(link.log_lines),
            )

    def close(self) -> None:
        self._closing = True
        self._poke()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_WAIT_S)
        self._close_port()
        for fd in (self._wake_read, self._wake_write):
            if fd >= 0:
                with contextlib.suppress(OSError):
                    os.close(fd)
        self._wake_read = self._wake_write = -1

    # -- the port

    def _open(self, name: str) -> None:
        try:
            port = serial.Serial(
                name, self._port.baud, timeout=0, write_timeout=0, exclusive=True, dsrdtr=False, rtscts=False
            )
        except PORT_TROUBLE as error:
            text = str(error)
            if "exclusively lock" in text or isinstance(error, BlockingIOError):
                raise PortInUseError(
                    f"{self._port} is already in use by another process; stop that one first"
                ) from error
            advice = "check the cable"
            if getattr(error, "errno", None) == errno.EACCES:
                advice = "install the udev rule, or add this user to the port's group"
            raise PortMissingError(f"{self._port} cannot be opened ({text}); {advice}") from error
        with self._lock:
            self._serial = port
            self._unsent.clear()
            self._link.pings.byte_ns = byte_ns_of(name, self._port.baud)
            self._link.opened(monotonic_ns())

    def _close_port(self) -> None:
        with self._lock:
            port, self._serial = self._serial, None
        if port is not None:
            with contextlib.suppress(*PORT_TROUBLE):
                port.close()

    def _lose(self, why: str) -> None:
        self._last_error = why
        self._close_port()
        with self._lock:
            now = monotonic_ns()
            self._link.closed(now, why)
            self._retry_at = now + int(self._backoff_s * 1e9)
        self._backoff_s = min(self._port.backoff_most_s, max(self._backoff_s * 2, self._port.backoff_first_s))
        self._deliver()

    # -- the thread

    def _run(self) -> None:
        while not self._closing:
            self._served_at = monotonic_ns()
            try:
                if self._serial is None:
                    self._reopen()
                else:
                    self._turn(self._serial)
            except PORT_TROUBLE as error:
                self._lose(f"{self._port} was lost ({type(error).__name__}: {error})")
        with contextlib.suppress(*PORT_TROUBLE):
            self._farewell()

    def _farewell(self) -> None:
        """Outputs safe by order, not only by the silence that follows."""
        end = monotonic_ns() + FAREWELL_NS
        with self._lock:
            if self._link.state(monotonic_ns()) is LinkState.UP:
                self._link.commands.release(monotonic_ns())
        while self._serial is not None and not self._link.commands.idle and monotonic_ns() < end:
            self._turn(self._serial)

    def _reopen(self) -> None:
        now = monotonic_ns()
        if now < self._retry_at:
            self._sleep(min(0.25, (self._retry_at - now) / 1e9))
            return
        name = self._port.find()
        if name is None:
            self._lose(f"{self._port} is not there")
            return
        try:
            self._open(name)
        except (PortInUseError, PortMissingError) as error:
            self._lose(str(error))
            return
        self._reconnects += 1

    def _turn(self, port: serial.Serial) -> None:
        with self._lock:
            now = monotonic_ns()
            self._link.wake(now)
            self._unsent += self._link.take_bytes()
            deadline = self._link.deadline()
            reopen = self._link.wants_reopen(now)
        self._deliver()
        if reopen:
            self._lose(f"{self._port}: the device says nothing")
            return
        if self._unsent and self._takes_more(port):
            gone = port.write(bytes(self._unsent)) or 0
            self._show("host", bytes(self._unsent[:gone]))
            del self._unsent[:gone]
        wait = 1.0 if deadline is None else max(0.0, (deadline - monotonic_ns()) / 1e9)
        writers = [port.fileno()] if self._unsent else []
        readable, _, _ = select.select([port.fileno(), self._wake_read], writers, [], min(wait, 1.0))
        if self._wake_read in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, READ_SIZE)
        if port.fileno() in readable:
            data = port.read(READ_SIZE)
            if not data:
                raise OSError("the port is ready but has nothing to say")
            self._show("device", data)
            with self._lock:
                self._link.received(data, monotonic_ns())
                if self._link.state(monotonic_ns()) is LinkState.UP:
                    self._backoff_s = self._port.backoff_first_s
            self._deliver()

    def _show(self, sender: str, data: bytes) -> None:
        """To the tap. What it raises is its own trouble, and no sign of a lost port."""
        if self._tap is None:
            return
        try:
            self._tap(monotonic_ns(), sender, data)
        except Exception as error:
            self._tap = None
            self._callback_errors += 1
            self._last_error = f"the tap raised {type(error).__name__}: {error}"

    @staticmethod
    def _takes_more(port: serial.Serial) -> bool:
        """Whether a write goes through at once: pyserial never gives up on a device that does not read."""
        return bool(select.select([], [port.fileno()], [], 0)[1])

    def _sleep(self, seconds: float) -> None:
        readable, _, _ = select.select([self._wake_read], [], [], max(0.0, seconds))
        if readable:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, READ_SIZE)

    def _poke(self) -> None:
        if self._wake_write >= 0:
            with contextlib.suppress(OSError):
                os.write(self._wake_write, b"x")

    def _deliver(self) -> None:
        with self._lock:
            readings = self._link.take_readings()
            heard = self._link.intake.heard
        for reading in readings:
            self._tell(reading)
        self._heard = heard

    def _tell(self, reading: Reading) -> None:
        if self._inbox is None:
            return
        try:
            self._inbox(reading)
        except Exception as error:
            self._callback_errors += 1
            self._last_error = f"the inbox raised {type(error).__name__}: {error}"
