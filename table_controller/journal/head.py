"""The head kept aside: epoch, number and hash of the newest row, in a small file beside the journal.

SQLite drops what it cannot read at the end of its log without a word, and so can silently lose rows that were
committed. This file remembers how far the journal had come. Two records are written in turn, each with a CRC,
so that a power cut in the middle of one leaves the other. It also remembers, as a hint, how far the console
has said it has the rows. Must never be ahead of the journal: it is written after the commit.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from table_controller.messages.mac import NotCanonical, canonical, parse_object

_SLOT = 512
"""One sector: most cards write it whole or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How far a journal has come. `upto`: the newest row the console has said it has (a hint, 0 if none)."""

    epoch: str
    seq: int
    digest: bytes
    upto: int = 0


class HeadFound(StrEnum):
    """What is there of a journal's head file."""

    ABSENT = "absent"
    UNREADABLE = "unreadable"
    FITS = "fits"
    """The journal has the row it remembers."""
    DIFFERS = "differs"


class HeadFile:
    """The file, open for writing. Raises OSError from any method if the storage does."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._turn = 0

    def write(self, head: Head) -> None:
        """Keep this head. Survives the process, and a power cut once `sync` was called."""
        record = _record(head)
        self._turn ^= 1
        os.pwrite(self._descriptor, record, self._turn * _SLOT)

    def sync(self) -> None:
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


def keep_head(path: Path, head: Head) -> None:
    """Write this head into the file of a journal that nobody has open. Raises OSError."""
    file = HeadFile(path)
    try:
        file.write(head)
        file.sync()
    finally:
        file.close()


def read_head(path: Path) -> Head | None:
    """The newest head whole in this file; None if there is none, or no file. Raises OSError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    heads = [head for start in (0, _SLOT) if (head := _parsed(content[start : start + _SLOT])) is not None]
    return max(heads, key=lambda head: (head.seq, head.upto), default=None)


def _record(head: Head) -> bytes:
    text = canonical(
        {"epoch": head.epoch, "seq": head.seq, "digest": head.digest.hex(), "upto": head.upto},
    )
    return b"%08x " % zlib.crc32(text) + text.ljust(_SLOT - 9)


def _parsed(slot: bytes) -> Head | None:
    text = slot[9:].rstrip(b" \n\0")
    try:
        if int(slot[:8], 16) != zlib.crc32(text):
            return None
        value = parse_object(text)
        epoch, seq, digest, upto = (value[name] for name in ("epoch", "seq", "digest", "upto"))
    except (ValueError, KeyError, NotCanonical):
        return None
    if isinstance(epoch, str) and isinstance(seq, int) and isinstance(digest, str) and isinstance(upto, int):
        return Head(epoch=epoch, seq=seq, digest=bytes.fromhex(digest), upto=upto)
    return None
