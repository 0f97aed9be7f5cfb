"""What is behind gpiozero: the factory that was asked for, on the chip that was named, or a clear refusal.

Nothing is left to a fallback: another factory than the one in the configuration is an error. `lgpio` is
imported here and nowhere else, because importing it opens files in the working directory. Must never change
what a path of ours means.
"""

from __future__ import annotations

import fcntl
import importlib
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from time import monotonic_ns
from typing import Any, Protocol

from firmware_bridge.errors import BackendError, PortInUseError, PortMissingError, RigConfigError

CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
GPIO_GET_CHIPINFO = 0x8044B401
LGPIO_MODULES = ("gpiozero.pins.lgpio", "lgpio", "_lgpio")
SIMULATED = "hw-sim"


class Backend(Protocol):
    """A gpiozero factory and what has to be watched about it. `name` goes into `DeviceInfo`."""

    name: str
    factory: Any

    def alive(self) -> bool:
        """Whether edges can still be told. The thread behind it can die without a word."""

    def tokens(self) -> Mapping[int, str]:
        """What lies on the readers: only a simulation has any on this way."""

    def watch_tokens(self, tell: Callable[[int, str, int], None]) -> None:
        """Call `tell(reader, text, at)` for every new text, `at` in monotonic ns."""

    def ask_heard(self, tell: Callable[[int], None]) -> None:
        """Call `tell(at)`, monotonic ns, once every edge before `at` has been told, as far as is known."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioPort:
    """Which lines: factory lgpio (`chip_label` None: any Raspberry Pi's) or hw-sim (with a socket)."""

    factory: str = "lgpio"
    chip_label: str | None = None
    socket: str | None = None
    runtime_dir: Path = field(default_factory=lambda: Path("/run/screen-table"))

    def __post_init__(self) -> None:
        if self.factory not in ("lgpio", SIMULATED):
            raise RigConfigError(
                f"gpio: factory is {self.factory!r}, expected lgpio or {SIMULATED}; correct it"
            )
        if (self.factory == SIMULATED) != (self.socket is not None):
            raise RigConfigError(f"gpio: socket is given exactly with the factory {SIMULATED}; correct it")
        if self.factory == SIMULATED and self.chip_label is not None:
            raise RigConfigError(
                f"gpio: chip {self.chip_label} is real hardware, {SIMULATED} is not; remove one of them"
            )


def open_backend(port: GpioPort) -> Backend:
    """The back end of a port. Raises `BackendError`, `PortInUseError` or `PortMissingError`."""
    if port.factory == SIMULATED:
        return _open_simulated(str(port.socket))
    labels = CHIP_LABELS if port.chip_label is None else (port.chip_label,)
    return _open_lgpio(find_chip(labels), port.runtime_dir)


def chip_label(device: Path) -> str:
    """The label of a GPIO chip, asked from the kernel. Raises OSError."""
    handle = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    try:
        info = fcntl.ioctl(handle, GPIO_GET_CHIPINFO, bytes(68))
    finally:
        os.close(handle)
    return info[32:64].split(b"\0", 1)[0].decode("ascii", "replace")


def find_chip(
    labels: tuple[str, ...], folder: Path = Path("/dev"), label_of: Callable[[Path], str] = chip_label
) -> int:
    """The number of the chip with one of these labels: numbers change between kernels, labels do not."""
    seen = []
    for device in sorted(folder.glob("gpiochip*")):
        try:
            label = label_of(device)
        except OSError as error:
            seen.append(f"{device.name} ({error.strerror})")
            continue
        if label in labels:
            return int(device.name.removeprefix("gpiochip"))
        seen.append(f"{device.name} ({label})")
    raise PortMissingError(
        f"no GPIO chip is labelled {' or '.join(labels)}; there is {', '.join(seen) or 'none at all'}; "
        "name the right label in the table's configuration, or run on a Raspberry Pi"
    )


class _LgpioBackend:
    def __init__(self, factory: Any, chip: int) -> None:
        self.factory = factory
        self.name = f"lgpio gpiochip{chip}"

    def alive(self) -> bool:
        return any(type(t).__module__ == "lgpio" and t.is_alive() for t in threading.enumerate())

    def tokens(self) -> Mapping[int, str]:
        return {}

    def watch_tokens(self, tell: Callable[[int, str, int], None]) -> None:
        pass

    def ask_heard(self, tell: Callable[[int], None]) -> None:
        # The kernel's queue cannot be asked; its thread is seldom late by more than a moment.
        tell(monotonic_ns())

    def close(self) -> None:
        self.factory.close()


def _open_lgpio(chip: int, runtime_dir: Path) -> Backend:
    if not runtime_dir.is_absolute():
        raise RigConfigError(f"gpio: runtime_dir {runtime_dir} is not absolute; give the whole path")
    module = _import_lgpio(runtime_dir)
    try:
        factory = module.LGPIOFactory(chip=chip)
    except Exception as error:
        raise _trouble(f"gpiochip{chip}", error) from error
    if type(factory).__module__ != "gpiozero.pins.lgpio" or factory.chip != chip:
        raise BackendError(f"gpiozero gave {type(factory).__name__} on another chip; mend its installation")
    return _LgpioBackend(factory, chip)


def _import_lgpio(runtime_dir: Path) -> Any:
    """gpiozero's module for lgpio, with lgpio's files in `runtime_dir` and our directory where it was."""
    loaded = sys.modules.get("lgpio")
    if loaded is not None and not any(
        type(t).__module__ == "lgpio" and t.is_alive() for t in threading.enumerate()
    ):
        # Its notification thread has died; only a fresh import starts another.
        for name in LGPIO_MODULES:
            sys.modules.pop(name, None)
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    before = os.environ.get("LG_WD")
    try:
        runtime_dir.mkdir(parents=True, exist_ok=True)
        os.environ["LG_WD"] = str(runtime_dir)
        return importlib.import_module("gpiozero.pins.lgpio")
    except ImportError as error:
        raise BackendError("lgpio is not installed; install screen-table[pi] on the Raspberry Pi") from error
    except OSError as error:
        raise BackendError(
            f"lgpio needs a writable directory, {runtime_dir} is not ({error.strerror})"
        ) from error
    finally:
        os.fchdir(here)
        os.close(here)
        if before is None:
            os.environ.pop("LG_WD", None)
        else:
            os.environ["LG_WD"] = before


def _open_simulated(address: str) -> Backend:
    found = [e for e in entry_points(group="gpiozero_pin_factories") if e.name == SIMULATED]
    if not found:
        raise BackendError(f"the pin factory {SIMULATED} is not installed; install screen-table as a whole")
    try:
        opened: Backend = found[0].load().open(address)
    except Exception as error:
        raise _trouble(address, error) from error
    return opened


def _trouble(what: str, error: Exception) -> Exception:
    text = str(error)
    if isinstance(error, (PortInUseError, PortMissingError, BackendError)):
        return error
    if "busy" in text.lower():
        return PortInUseError(f"{what} is already in use by another process; stop that one first")
    if isinstance(error, FileNotFoundError):
        return PortMissingError(f"{what} is not there; check the configuration")
    return BackendError(f"{what} cannot be opened ({type(error).__name__}: {text})")


def is_busy(error: Exception) -> bool:
    """Whether claiming a line failed because another process has it."""
    return "busy" in str(error).lower()
