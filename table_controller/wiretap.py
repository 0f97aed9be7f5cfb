"""Reading the wire: a capture from a file, or live from between the device and the controller.

The tap opens the device's port and gives the controller a terminal of its own to open instead; every byte
passes unchanged, and is shown. Must never add, drop or delay a byte to show it better.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.decode import Decoder, capture_record, decode_all, is_capture, read_capture
from table_controller.cli_errors import Unusable

CHUNK = 4096
SPEEDS = {9600: termios.B9600, 57600: termios.B57600, 115200: termios.B115200, 230400: termios.B230400}

TERMINALS = "/dev/pts/"
"""Where the system keeps the terminals that a tap makes."""

# Not blocking: a pipe that nobody reads must not hold the table up.
_OURS_ALONE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK

log = logging.getLogger(__name__)


class Capture:
    """Writes all traffic of a rig to a file, for `decode`. `tap` is what a rig calls, in its own thread.

    Goes on after what an earlier run captured, and touches no other file. Must never be a table's trouble: a
    disk that takes no more ends the capture, which is said once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            if os.path.isfile(path) and not is_capture(path.read_bytes()):
                raise Unusable(f"{path}: is there already and is no whole capture; name another file")
            self._file: int | None = os.open(path, _OURS_ALONE, 0o600)
        except OSError as problem:
            raise Unusable(f"{path}: cannot be written ({problem.strerror}); name another file") from None

    def tap(self, at: int, sender: str, data: bytes) -> None:
        if self._file is None:
            return
        try:
            self._write(self._file, capture_record(at, sender, data))
        except OSError as problem:
            os.close(self._file)
            self._file = None
            log.error("the capture in %s ends here (%s); the table goes on", self._path, problem.strerror)

    @staticmethod
    def _write(file: int, record: bytes) -> None:
        """All of a record or nothing: what was captured stays readable. Raises OSError."""
        before = os.fstat(file).st_size
        try:
            _write_all(file, record)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file, before)
            raise


def decode_capture(data: bytes, say: Callable[[str], None]) -> None:
    """Every frame of a capture that `run --capture` wrote, with its time. Raises Unusable where it is cut."""
    began: int | None = None
    try:
        for at, line in read_capture(data):
            began = at if began is None else began
            say(f"{(at - began) / 1e9:10.3f} {line}")
    except ValueError as problem:
        raise Unusable(f"{problem}; for plain bytes of a wire say --raw") from None


def decode_bytes(data: bytes, say: Callable[[str], None]) -> None:
    """Every frame in plain bytes of a wire, a line each, and what is none as such."""
    for line in decode_all(data):
        say(str(line))


class _Published:
    """The name under which the controller finds the tap's terminal, a symbolic link.

    A link that leads to a terminal, or nowhere, is what a tap that was killed leaves behind: it is replaced.
    Must never replace anything else, and never remove a link that is not this tap's own.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._terminal = ""

    def check(self) -> None:
        """Raises Unusable where no link can be made, before the device is touched."""
        if not os.path.isdir(self._path.parent):
            raise self._unusable("there is no such folder")
        if os.path.lexists(self._path) and not self._stale():
            raise self._unusable("something else is there already")

    def lead_to(self, terminal: str) -> None:
        """Raises Unusable."""
        self.check()
        try:
            if self._stale():
                self._path.unlink()
            self._path.symlink_to(terminal)
        except OSError as problem:
            raise self._unusable(str(problem.strerror)) from None
        self._terminal = terminal

    def remove(self) -> None:
        """Another tap may have taken the name over meanwhile."""
        with contextlib.suppress(OSError):
            if self._terminal and os.readlink(self._path) == self._terminal:
                self._path.unlink()

    def _stale(self) -> bool:
        try:
            leads = os.readlink(self._path)
        except OSError:
            return False
        return leads.startswith(TERMINALS) or not os.path.exists(self._path)

    def _unusable(self, why: str) -> Unusable:
        return Unusable(f"--as {self._path}: no link can be made there ({why}); name another path")


class Tap:
    """Between `port` and a terminal published as `link`. Use as a context; `run` until it raises or stops."""

    def __init__(self, port: Path, link: Path, baud: int = 115_200) -> None:
        self._port = port
        self._link = _Published(link)
        self._baud = baud
        self._device = self._master = self._slave = -1

    def __enter__(self) -> Tap:
        speed = SPEEDS.get(self._baud)
        if speed is None:
            raise Unusable(f"--baud {self._baud}: expected one of {', '.join(map(str, SPEEDS))}")
        self._link.check()
        try:
            self._device = os.open(self._port, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self._device)
            attributes = termios.tcgetattr(self._device)
            attributes[4] = attributes[5] = speed
            termios.tcsetattr(self._device, termios.TCSANOW, attributes)
        except (OSError, termios.error) as problem:
            self.__exit__()
            raise Unusable(_not_opened(self._port, problem)) from None
        try:
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            self._link.lead_to(os.ttyname(self._slave))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        for descriptor in (self._device, self._master, self._slave):
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        self._device = self._master = self._slave = -1
        self._link.remove()

    def run(self, say: Callable[[str], None], stop: Callable[[], bool] = lambda: False) -> None:
        """Pass bytes both ways and say every frame, with seconds since the start."""
        began = time.monotonic()
        decoders = {self._device: Decoder(), self._master: Decoder()}
        to = {self._device: self._master, self._master: self._device}
        while not stop():
            ready, _, _ = select.select(list(decoders), [], [], 0.25)
            for descriptor in ready:
                try:
                    data = os.read(descriptor, CHUNK)
                except OSError as problem:
                    raise Unusable(f"{self._port}: the line is gone ({problem.strerror})") from None
                _write_all(to[descriptor], data)
                for line in decoders[descriptor].feed(data):
                    say(f"{time.monotonic() - began:10.3f} {line}")


def _not_opened(port: Path, problem: OSError | termios.error) -> str:
    if isinstance(problem, FileNotFoundError):
        return f"{port}: there is no such port; look at the cable, and give the device's port with --tap"
    if isinstance(problem, OSError):
        return f"{port}: cannot be opened ({problem.strerror}); stop the controller first"
    return f"{port}: is no serial port; give the device's port with --tap"


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
