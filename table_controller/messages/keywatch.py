"""A key file looked at again while we run: a console knows tables that were added, a table its own new key.

Must never go on without keys because a file was damaged: the last good ones stay, and the log says so.
"""

from __future__ import annotations

import logging
from pathlib import Path

from table_controller.messages.mac import KeyRing, KeysUnusable, load_keys

log = logging.getLogger(__name__)
EVERY_MS = 2000
IN_DOUBT_MS = 250


class KeyWatch:
    """`changed` gives the keys when the file is another than at the last look."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = self._state()
        self._looked = 0
        self._doubted = -IN_DOUBT_MS

    def changed(self, now: int, *, at_once: bool = False) -> KeyRing | None:
        """`now` in ms; looks at most every two seconds, unless `at_once`."""
        if not at_once and 0 <= now - self._looked < EVERY_MS:
            return None
        self._looked = now
        state = self._state()
        if state is None or state == self._seen:
            return None
        self._seen = state
        try:
            return load_keys(self.path)
        except KeysUnusable as problem:
            log.error("the keys stay as they were: %s", problem)
            return None

    def in_doubt(self, now: int) -> KeyRing | None:
        """As `changed`, for a message that fits no key we hold: at once, but at most four times a second, so
        that a stream of forged ones does not keep us at the file.
        """
        if 0 <= now - self._doubted < IN_DOUBT_MS:
            return None
        self._doubted = now
        return self.changed(now, at_once=True)

    def _state(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
