"""The computer under the table: disk, clock, watchdog, GPIO chip and what its lines do when we die.

Reads files of the system, whose places are arguments so that a test can lay them out. Must never change one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.errors import RigError
from firmware_bridge.gpio_backend import CHIP_LABELS, find_chip
from table_controller.doctor.findings import Finding, advice, fine, unknown, wrong
from table_controller.journal import inspect
from table_controller.plain.given_paths import may_be_there
from table_controller.service.clockwatch import BUILT_AFTER, synchronised

LEAST_FREE_KIB = 200_000
"""Room for a season of evenings; an evening's journal is a few mebibytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the system keeps what is looked at."""

    sys_modules: Path = Path("/sys/module")
    dev: Path = Path("/dev")
    cgroup: Path = Path("/proc/self/cgroup")


def look_at_disk(data_dir: Path, journal: Path) -> list[Finding]:
    """Whether the record can be kept: writable, room enough, the journal sound."""
    found: list[Finding] = []
    there = _nearest(data_dir)
    todo = "give the service's user a directory it may write, on a card that is not read-only or full"
    try:
        with contextlib.suppress(FileNotFoundError):
            os.stat(journal)
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        return [wrong("disk", f"{data_dir} cannot be written: {problem.strerror}", todo)]
    free = shutil.disk_usage(there).free // 1024
    can = "can be written" if there == data_dir else "is not there yet and can be made"
    if free < LEAST_FREE_KIB:
        found.append(wrong("disk", f"{free // 1024} MiB are free in {data_dir}", "free at least 200 MiB"))
    else:
        found.append(fine("disk", f"{data_dir} {can}, {free // 1024} MiB are free"))
    if os.path.exists(journal):
        found.append(_journal(journal))
    return found


def _nearest(folder: Path) -> Path:
    """The folder itself, or the one in which it would be made: a look leaves nothing behind."""
    return next((each for each in (folder, *folder.parents) if may_be_there(each)), folder)


def _journal(journal: Path) -> Finding:
    seen = inspect(journal)
    if seen.complaints:
        todo = "keep the file for the director; the next start sets it aside and begins a new one"
        return wrong("journal", f"{journal}: {seen.complaints[0]}", todo)
    return fine("journal", f"{journal} is sound, {seen.seq} rows")


def look_at_clock(wall: int, places: Places) -> list[Finding]:
    """Whether the wall clock can be believed. The table does not need it; reports carry it as a label."""
    todo = "connect to a network with a time server, or fit a battery clock; the table works without"
    if wall < BUILT_AFTER:
        return [advice("clock", "the wall clock was never set", todo)]
    if synchronised():
        return [fine("clock", "the wall clock is synchronised")]
    if (places.dev / "rtc0").exists():
        return [fine("clock", "there is a battery clock; it is not synchronised now")]
    return [advice("clock", "the wall clock is not synchronised and there is no battery clock", todo)]


def look_at_watchdog(places: Places, environment: dict[str, str]) -> list[Finding]:
    """Whether something restarts the table if its loop hangs."""
    if environment.get("NOTIFY_SOCKET") and environment.get("WATCHDOG_USEC"):
        return [fine("watchdog", "systemd watches this service")]
    hardware = (places.dev / "watchdog").exists()
    says = "this is not run by systemd's unit" + (
        ", the computer has a watchdog of its own" if hardware else ""
    )
    todo = "in service use the unit in configs/systemd, which restarts a table that hangs"
    return [advice("watchdog", says, todo)]


def look_at_chip(label: str, places: Places) -> list[Finding]:
    """The GPIO chip by its label, and what its lines do when this program dies."""
    try:
        number = find_chip((label,), places.dev)
    except (RigError, OSError) as problem:
        others = ", ".join(known for known in CHIP_LABELS if known != label)
        return [wrong("gpio chip", str(problem), f"correct rig.chip; other labels are {others}")]
    found = [fine("gpio chip", f"{label} is gpiochip{number}")]
    return [*found, strict_gpiod(label, places)]


def strict_gpiod(label: str, places: Places) -> Finding:
    """Whether lines fall back to inputs when their owner dies."""
    module = label.replace("-", "_").replace("bcm2711", "bcm2835")
    parameter = places.sys_modules / module / "parameters" / "persist_gpio_outputs"
    try:
        persists = parameter.read_text(encoding="ascii").strip()
    except OSError:
        return unknown("strict_gpiod", f"{module} does not say what its lines do when this program dies")
    if persists in ("N", "0"):
        return fine("strict_gpiod", "lines fall back to inputs when this program dies")
    todo = "add dtparam=strict_gpiod to config.txt and restart the computer"
    return wrong("strict_gpiod", "outputs keep driving after this program has died", todo)
