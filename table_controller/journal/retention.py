"""The journals of one table on its disk: the present one, earlier events' and those set aside; and removing
old ones.

Journals are kept by event: another venue, event or table begins a file of its own and leaves the old one.
Must never remove a journal that is open, and never one whose rows the console may lack unless it is told to
twice.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from table_controller.journal.database import connect_to_read, read_origin, read_rows
from table_controller.journal.head import Head, keep_head
from table_controller.journal.inspection import Inspection, ReadError, beside, inspect
from table_controller.journal.opened import FILES, JournalInUse
from table_controller.journal.rows import Row
from table_controller.messages.topics import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A journal that lies beside the present one (or is it)."""

    path: Path
    seen: Inspection

    @property
    def undelivered(self) -> int:
        """Rows that can be read and that the console has not said it has."""
        head = self.seen.head
        return 0 if head is None else head.seq - head.upto

    @property
    def may_lack(self) -> str | None:
        """Why the console may lack rows of it, if it may. What cannot be read may hold any."""
        head, aside, complaints = self.seen.head, self.seen.aside, self.seen.complaints
        if head is None:
            return f"{complaints[0] if complaints else 'it cannot be read'}; the console may lack its rows"
        if self.undelivered:
            return f"the console has not confirmed {self.undelivered} of its rows"
        confirmed = aside is not None and aside.epoch == head.epoch and aside.upto >= aside.seq
        if complaints and not confirmed:
            return f"{complaints[0]}; the console may lack rows after {head.seq}"
        return None

    @property
    def bytes(self) -> int:
        total = 0
        for suffix in FILES:
            with contextlib.suppress(OSError):
                total += beside(self.path, suffix).stat().st_size
        return total


def kept_beside(path: Path) -> list[Kept]:
    """Every journal that once lay at `path`, the oldest first; not the present one. Raises OSError where the
    folder cannot be read.
    """
    pattern = re.compile(rf"{re.escape(path.name)}\.(old|damaged|failed)-[0-9]+")
    found = [path.parent / name for name in os.listdir(path.parent) if pattern.fullmatch(name)]
    return [Kept(path=part, seen=inspect(part)) for part in sorted(found, key=_age)]


def found_beside(path: Path) -> list[Kept]:
    """As `kept_beside`; none where the folder cannot be read: a table goes on whatever is found."""
    try:
        return kept_beside(path)
    except (OSError, ValueError):
        return []


def _age(part: Path) -> float:
    try:
        return part.stat().st_mtime
    except OSError:
        return 0.0


class OldJournal:
    """A journal set aside, open for reading what can still be delivered: the rows up to the first bad one."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        head, origin = kept.seen.head, kept.seen.origin
        if head is None or origin is None:
            raise ValueError(f"{kept.path}: nothing in it can be read")
        self.head: Head = head
        self.identity: Identity = origin.identity

    @property
    def epoch(self) -> str:
        return self.head.epoch

    def rows(self, first: int, last: int) -> Iterator[Row]:
        """Rows `first` to `last`, none of them past the damage. Stops early where it can read no further."""
        try:
            with closing(connect_to_read(self._kept.path)) as connection:
                read_origin(connection)
                yield from read_rows(connection, first, min(last, self.head.seq))
        except ReadError:
            return

    def note_receipt(self, upto: int) -> None:
        """The console has all rows up to this one. Kept in its head file, as an open journal keeps it, so
        that a restart does not send them again and they may be removed; where that file fails, it does.
        """
        aside, path = self._kept.seen.aside, beside(self._kept.path, ".head")
        if aside is None or aside.epoch != self.epoch:
            return
        with contextlib.suppress(OSError):
            keep_head(path, replace(aside, upto=max(aside.upto, upto)))


def old_journals(path: Path, identity: Identity, unwritten: Path | None = None) -> list[OldJournal]:
    """Journals beside `path` with rows of this same table that the console may lack, the oldest first; and
    last the one that lies `unwritten` where the present one should.
    """
    present = [] if unwritten is None else [Kept(path=unwritten, seen=inspect(unwritten))]
    return [
        OldJournal(kept)
        for kept in [*found_beside(path), *present]
        if kept.undelivered and kept.seen.origin is not None and kept.seen.origin.identity == identity
    ]


def remove(kept: Kept, *, undelivered_too: bool = False) -> str:
    """Remove these files; a sentence that says what was removed, for the record. Raises JournalInUse,
    OSError.
    """
    why = kept.may_lack
    if why is not None and not undelivered_too:
        raise JournalInUse(f"{kept.path}: {why}; export it first")
    size = kept.bytes
    origin = kept.seen.origin
    whose = "unreadable" if origin is None else f"epoch {origin.epoch} of event {origin.identity.place.event}"
    sentence = f"{kept.path.name} ({whose}, {kept.seen.seq} rows, {size} bytes) was removed"
    log = beside(Path(str(kept.path).rsplit(".", 1)[0]), ".removed")
    with open(log, "a", encoding="utf-8", opener=_private) as record:  # first: nothing goes unrecorded
        for suffix in FILES:
            beside(kept.path, suffix).unlink(missing_ok=True)
        record.write(sentence + "\n")
    return sentence


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
