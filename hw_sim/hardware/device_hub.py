"""One thread for all simulated devices: it sleeps until a byte arrives or something is due.

It must stay cheap with forty devices: no polling, no tick without a reason.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
from collections.abc import Callable
from time import monotonic_ns
from typing import Protocol


class HubMember(Protocol):
    """What the hub serves. `service` returns nanoseconds until it wants to be served again, or None."""

    def service(self) -> int | None: ...


class DeviceHub:
    """Start once, add devices, close at the end."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)
        self._members: dict[HubMember, int | None] = {}
        self._lock = threading.Lock()
        self._todo: list[Callable[[], None]] = []
        self._running = False
        self.errors: list[Exception] = []
        self._thread: threading.Thread | None = None

    def start(self) -> DeviceHub:
        """Begin to serve; returns itself."""
        if self._thread is None:
            self._running = True
            self._thread = threading.Thread(target=self._run, name="device-hub", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Stop serving. Members are not closed."""
        self._running = False
        self._poke()
        if self._thread is not None:
            self._thread.join(5)
            self._thread = None
        with contextlib.suppress(OSError, ValueError):
            self._selector.close()
        for fd in (self._wake_read, self._wake_write):
            with contextlib.suppress(OSError):
                os.close(fd)

    def add(self, member: HubMember) -> None:
        """Serve this one too."""
        with self._lock:
            self._members[member] = 0
        self._poke()

    def remove(self, member: HubMember) -> None:
        """Serve this one no more."""
        with self._lock:
            self._members.pop(member, None)

    def watch(self, member: HubMember, fd: int) -> None:
        """Serve `member` when `fd` can be read."""
        with self._lock:
            self._selector.register(fd, selectors.EVENT_READ, member)
        self._poke()

    def unwatch(self, fd: int) -> None:
        """Before closing `fd`."""
        with self._lock, contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(fd)

    def due(self, member: HubMember, wait_ns: int | None) -> None:
        """The member was served elsewhere and is next due in `wait_ns`."""
        at = None if wait_ns is None else monotonic_ns() + wait_ns
        with self._lock:
            if member not in self._members or self._members[member] == at:
                return
            before = min((t for t in self._members.values() if t is not None), default=None)
            self._members[member] = at
            sooner = at is not None and (before is None or at < before)
        if sooner and threading.current_thread() is not self._thread:
            self._poke()

    def _poke(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"x")

    def _run(self) -> None:
        while self._running:
            with self._lock:
                soonest = min((t for t in self._members.values() if t is not None), default=None)
            timeout = None if soonest is None else max(0.0, (soonest - monotonic_ns()) / 1e9)
            ready: set[HubMember] = set()
            for key, _ in self._selector.select(timeout):
                if key.data is None:
                    with contextlib.suppress(OSError):
                        os.read(self._wake_read, 4096)
                else:
                    ready.add(key.data)
            now = monotonic_ns()
            with self._lock:
                ready |= {m for m, at in self._members.items() if at is not None and at <= now}
            for member in ready:
                try:
                    wait = member.service()
                except Exception as error:
                    # One table's mistake must not stop the others' devices.
                    self.errors.append(error)
                    wait = None
                with self._lock:
                    if member in self._members:
                        self._members[member] = None if wait is None else monotonic_ns() + wait
