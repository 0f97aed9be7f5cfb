"""How open pages learn that there is something new: woken on the event loop, from the desk's thread."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Live:
    """Wakes the open pages when the hall has changed. Belongs to the event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Event] = set()

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()

    def changed(self) -> None:
        """From the desk's thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    def listen(self) -> asyncio.Event:
        event = asyncio.Event()
        self._waiting.add(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        self._waiting.discard(event)
