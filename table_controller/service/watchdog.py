"""Telling systemd that the loop that does the work still does it.

Fed by that loop and by nothing else: a thread of its own would go on telling while the table hangs. Without
systemd it does nothing. Must never raise.
"""

from __future__ import annotations

import contextlib
import os
import socket

NS_PER_US = 1_000


class Watchdog:
    """sd_notify over the socket in NOTIFY_SOCKET; `fed` may be called as often as one likes."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        env = dict(os.environ) if environment is None else environment
        self._path = env.get("NOTIFY_SOCKET", "")
        period_us = env.get("WATCHDOG_USEC", "0")
        self._every = int(period_us) * NS_PER_US // 3 if period_us.isdecimal() else 0
        self._last = 0

    @property
    def expected(self) -> bool:
        """Whether somebody watches."""
        return bool(self._path) and self._every > 0

    def ready(self, status: str) -> None:
        self._tell(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def fed(self, now: int) -> None:
        """The loop has come round. `now`: monotonic ns."""
        if self._every and now - self._last >= self._every:
            self._last = now
            self._tell("WATCHDOG=1")

    def _tell(self, text: str) -> None:
        if not self._path:
            return
        address = "\0" + self._path[1:] if self._path.startswith("@") else self._path
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.setblocking(False)
            channel.sendto(text.encode(), address)
