"""Where the chaos happens: one hall, one event, keys made from the tables' names."""

from __future__ import annotations

import hashlib
import socket
import time
from pathlib import Path

from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Identity, Place

PLACE = Place(venue="hall", event="chaos")


def identity(table: str) -> Identity:
    return Identity(place=PLACE, table=table)


def keys(tables: int) -> KeyRing:
    names = [str(number) for number in range(1, tables + 1)]
    return KeyRing(venue=_key("venue"), tables={name: _key(name) for name in names})


def key_of(table: str) -> KeyRing:
    return KeyRing(venue=_key("venue"), tables={table: _key(table)})


def _key(name: str) -> bytes:
    return hashlib.sha256(f"chaos {name}".encode()).digest()


def join(path: str) -> socket.socket:
    """A connection to the players, who may be slow to answer."""
    limit = time.monotonic() + 10
    while True:
        joined = socket.socket(socket.AF_UNIX)
        try:
            joined.connect(path)
            return joined
        except OSError:
            joined.close()
            if time.monotonic() > limit or not Path(path).exists():
                raise
            time.sleep(0.01)
