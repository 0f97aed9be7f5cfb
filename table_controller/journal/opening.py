"""Opening the journal at a start: sound, it is gone on with; damaged, set aside whole; unusable, kept in
memory.

Whatever is found, the table starts, and `Found` says what was found, for the boot row and for the faults
the director sees. Must never start silently empty, and never write into files that were found damaged.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table_controller.codec import Json
from table_controller.journal.database import connect
from table_controller.journal.head import Head
from table_controller.journal.inspection import Inspection, beside, inspect
from table_controller.journal.store import Journal, StorageFailed
from table_controller.screen.entry import FaultKind
from table_controller.topics import Identity

FILES = ("", "-wal", "-shm", ".head")


class JournalInUse(Exception):
    """Another process writes this journal. One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFault:
    """A fault to be raised, as the core's `FaultSeen` wants it."""

    kind: FaultKind
    detail: str
    standing: bool
    component: str = "journal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the start found. `before`: the head of a journal that is not gone on with. `aside`: where it
    lies now.
    """

    what: str
    """`new`, `sound`, `cut off`, `other table`, `damaged`, `gone` or `unusable`."""
    sentence: str
    before: Head | None = None
    aside: Path | None = None
    faults: tuple[StorageFault, ...] = ()

    def value(self) -> dict[str, Json]:
        """For the boot row."""
        said: dict[str, Json] = {"what": self.what, "sentence": self.sentence}
        if self.before is not None:
            said["before"] = {"epoch": self.before.epoch, "seq": self.before.seq}
        if self.aside is not None:
            said["aside"] = self.aside.name
        return said


class Opened:
    """An open journal, what was found, and the lock that keeps others out of it."""

    def __init__(self, journal: Journal, found: Found, lock: int | None) -> None:
        self.journal = journal
        self.found = found
        self._lock = lock

    def close(self) -> None:
        self.journal.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def random_epoch() -> str:
    return secrets.token_hex(6)


def open_journal(
    path: Path, *, identity: Identity, session: str, make_epoch: Callable[[], str] = random_epoch
) -> Opened:
    """Open the journal at `path`, or begin one. Raises JournalInUse; storage trouble is in `found`, never
    raised.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _locked(path)
    except OSError as error:
        return _in_memory(f"{path}: {error.strerror}", None, identity, session, make_epoch)
    try:
        return _open_locked(path, identity, session, make_epoch, lock)
    except (StorageFailed, OSError, sqlite3.Error) as error:
        os.close(lock)
        return _in_memory(str(error), None, identity, session, make_epoch)


def set_aside(path: Path, label: str) -> Path:
    """Move a journal's files out of the way, whole. Where the database now lies. Raises OSError."""
    number = 1
    while (target := beside(path, f".{label}-{number}")).exists():
        number += 1
    for suffix in FILES:
        part = beside(path, suffix)
        if part.exists():
            part.rename(beside(target, suffix))
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return target


def _open_locked(
    path: Path, identity: Identity, session: str, make_epoch: Callable[[], str], lock: int
) -> Opened:
    if not any(beside(path, suffix).exists() for suffix in FILES):
        found = Found(what="new", sentence="no journal was here, a new one was begun")
        return Opened(Journal.new(path, identity=identity, epoch=make_epoch(), session=session), found, lock)
    seen = inspect(path) if path.exists() else None
    refusal = _refusal(seen, identity)
    if refusal is None and seen is not None and seen.origin is not None and seen.head is not None:
        journal = Journal.resumed(
            path, connection=connect(path), origin=seen.origin, head=seen.head, session=session
        )
        return Opened(journal, _sound(seen), lock)
    what, sentence = refusal or ("damaged", "it cannot be read")
    label = "old" if what == "other table" else "damaged"
    aside = set_aside(path, label)
    journal = Journal.new(path, identity=identity, epoch=make_epoch(), session=session)
    before = None if seen is None else seen.head
    sentence = f"{sentence}; set aside as {aside.name}, a new epoch was begun"
    fault = StorageFault(kind=FaultKind.JOURNAL_DAMAGED, detail=sentence, standing=False)
    faults = () if what == "other table" else (fault,)
    return Opened(
        journal, Found(what=what, sentence=sentence, before=before, aside=aside, faults=faults), lock
    )


def _refusal(seen: Inspection | None, identity: Identity) -> tuple[str, str] | None:
    """Why the files found are not gone on with: what, and a sentence."""
    if seen is None:
        return "gone", "the journal is gone, only files that belong to it were found"
    if seen.complaints:
        return "damaged", f"the journal is damaged: {seen.complaints[0]}"
    if seen.origin is not None and seen.origin.identity != identity:
        other = seen.origin.identity
        return (
            "other table",
            f"the journal is of table {other.table} at {other.place.venue}/{other.place.event}",
        )
    return None


def _sound(seen: Inspection) -> Found:
    if seen.aside is None and seen.seq:
        detail = (
            f"the head file beside the journal is missing; rows after {seen.seq}, if any, cannot be missed"
        )
        fault = StorageFault(kind=FaultKind.JOURNAL_DAMAGED, detail=detail, standing=False)
        return Found(what="cut off", sentence=detail, faults=(fault,))
    if seen.unclean:
        return Found(what="cut off", sentence=f"the last run was cut off; row {seen.seq} is the newest")
    return Found(what="sound", sentence=f"the journal was closed properly; row {seen.seq} is the newest")


def _in_memory(
    why: str, before: Head | None, identity: Identity, session: str, make_epoch: Callable[[], str]
) -> Opened:
    journal = Journal.in_memory(identity=identity, epoch=make_epoch(), session=session)
    sentence = f"the record is kept in memory only and ends with this process: {why}"
    fault = StorageFault(kind=FaultKind.STORAGE_FAILED, detail=sentence, standing=True)
    return Opened(journal, Found(what="unusable", sentence=sentence, before=before, faults=(fault,)), None)


def _locked(path: Path) -> int:
    lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalInUse(f"{path}: another process writes this journal; stop it first") from None
    return lock
