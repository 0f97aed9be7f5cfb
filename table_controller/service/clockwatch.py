"""The two clocks: the table's own axis, which never steps, and the wall, which is only a label.

The table's axis is the machine's monotonic clock plus an offset that carries it over restarts and reboots, so
that events never go back in time. The wall clock comes with a word on how far it can be believed, and its
steps are faults. Must never let a decision rest on the wall.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from pathlib import Path

from table_controller.messages import ClockQuality, wall_text

NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000
STEP_NS = NS_PER_S
"""The wall moved so far against the monotonic clock at once: a step. NTP slews slower than this."""
BUILT_AFTER = 1_735_689_600 * NS_PER_S
"""2025-01-01: a wall before this was never set."""
_TIMESYNC = Path("/run/systemd/timesync/synchronized")
_STA_UNSYNC = 0x40
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """One look at the wall clock: ns since 1970, and how far it can be believed."""

    at: int
    quality: ClockQuality

    @property
    def text(self) -> str | None:
        """As a message carries it; None where the clock was never set."""
        return None if self.quality is ClockQuality.UNSET else wall_text(self.at)


class WallClock:
    """The machine's wall. Asks the kernel whether it is synchronised at most once in ten seconds."""

    def __init__(self) -> None:
        self._asked = -10 * NS_PER_S
        self._synchronised = False

    def look(self) -> Wall:
        now = time.monotonic_ns()
        if now - self._asked >= 10 * NS_PER_S:
            self._asked = now
            self._synchronised = synchronised()
        at = time.time_ns()
        if at < BUILT_AFTER:
            return Wall(at=at, quality=ClockQuality.UNSET)
        return Wall(at=at, quality=ClockQuality.NTP if self._synchronised else ClockQuality.RTC)


class StepWatch:
    """Notices steps of the wall against the monotonic clock. Pure."""

    def __init__(self) -> None:
        self._difference: int | None = None

    def look(self, wall: int, mono: int) -> int | None:
        """How far the wall has stepped since the last look, ns; None if it has not."""
        difference, before = wall - mono, self._difference
        self._difference = difference
        if before is None or abs(difference - before) < STEP_NS:
            return None
        return difference - before


@dataclass(frozen=True, slots=True, kw_only=True)
class Continued:
    """How the axis goes on. `offset`: added to the monotonic clock. `down_since`: the last sign of life."""

    offset: int
    down_since: int | None = None


def continue_axis(
    *,
    last_at: int,
    same_boot: bool,
    last_offset: int,
    last_wall: Wall | None,
    mono: int,
    wall: Wall,
) -> Continued:
    """The offset after a restart. `last_at`: the newest time in the journal, on the table's axis.

    In the same boot nothing changes. After a reboot the wall tells how long it took, if it could be believed
    both times; else the axis goes on a millisecond later, and the interval is unknown.
    """
    if same_boot and mono + last_offset >= last_at:
        return Continued(offset=last_offset, down_since=last_at)
    known = last_wall is not None and ClockQuality.UNSET not in (last_wall.quality, wall.quality)
    if known and last_wall is not None and wall.at >= last_wall.at:
        return Continued(offset=last_at + (wall.at - last_wall.at) - mono, down_since=last_at)
    return Continued(offset=last_at + NS_PER_MS - mono, down_since=None)


def boot_id() -> str:
    """This boot of the machine; empty where the kernel does not say."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def synchronised() -> bool:
    """Whether the kernel or systemd says that the wall is synchronised now."""
    if _TIMESYNC.exists():
        return True
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        buffer = ctypes.create_string_buffer(512)
        state = int(libc.adjtimex(buffer))
    except (OSError, AttributeError):
        return False
    status = int.from_bytes(buffer.raw[40:44], "little") if ctypes.sizeof(ctypes.c_long) == 8 else 0
    return 0 <= state < 5 and not status & _STA_UNSYNC
