"""An open journal and what may become of it while the table runs: storage that fails, and that works again.

Must never lose a row that was given a number, and never use a number of one epoch for two rows.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table_controller.journal.database import connect, create, write_rows
from table_controller.journal.head import Head
from table_controller.journal.inspection import beside, inspect
from table_controller.journal.rows import NewRow, Row, body_of, row_id
from table_controller.journal.store import Journal, StorageFailed
from table_controller.messages import ClockQuality
from table_controller.messages.codec import Json
from table_controller.messages.topics import Stream
from table_controller.screen.entry import FaultKind

FILES = ("", "-wal", "-shm", ".head")
"""A journal's files, by what is appended to its path."""
_DRAFT = ".draft"


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
    lies now; `unwritten`: where it still lies, as it can be read and not written.
    """

    what: str
    """`new`, `sound`, `cut off`, `other table`, `damaged`, `gone` or `unusable`."""
    sentence: str
    before: Head | None = None
    aside: Path | None = None
    unwritten: Path | None = None
    faults: tuple[StorageFault, ...] = ()

    @property
    def follows(self) -> tuple[str, int] | None:
        """Epoch and last sound row of the journal this one goes on from."""
        return None if self.before is None else (self.before.epoch, self.before.seq)

    def value(self) -> dict[str, Json]:
        """For the boot row."""
        said: dict[str, Json] = {"what": self.what, "sentence": self.sentence}
        if self.before is not None:
            said["before"] = {"epoch": self.before.epoch, "seq": self.before.seq}
        if self.aside is not None:
            said["aside"] = self.aside.name
        return said


class Opened:
    """An open journal, what was found, and the lock that keeps others out of it.

    `journal` may become another one, by `fall_back`, `recover` or `begin_again`; ask for it each time.
    """

    def __init__(
        self,
        *,
        path: Path,
        journal: Journal,
        found: Found,
        lock: int | None,
        make_epoch: Callable[[], str],
    ) -> None:
        self.path = path
        self.journal = journal
        self.found = found
        self._lock = lock
        self._make_epoch = make_epoch
        self._failed: list[Journal] = []

    def fall_back(self) -> Journal:
        """The storage has failed: go on in memory, in a new epoch. What was committed stays on the disk.

        A new epoch, because the commit that failed may yet have reached the disk: its numbers are used. The
        journal that failed stays open for reading: its rows are still to be delivered.
        """
        old = self.journal
        self.journal = Journal.in_memory(identity=old.identity, epoch=self._make_epoch(), session=old.session)
        self._failed.append(old)
        return self.journal

    def recover(self) -> Journal | None:
        """Try to write a journal kept in memory to the disk: same epoch, same rows. None: not yet, or no
        need.

        The journal that had failed is set aside, to be delivered from there. To be tried now and then.
        """
        memory = self.journal
        if memory.durable:
            return None
        rows = list(memory.rows())
        draft = beside(self.path, _DRAFT)
        try:
            if self._lock is None:
                self._lock = take_lock(self.path)
            _discard(draft)
            _write_draft(draft, memory, rows)
            self._close_failed()
            if any(beside(self.path, suffix).exists() for suffix in FILES):
                set_aside(self.path, "failed")
            draft.rename(self.path)
            sync_folder(self.path.parent)
            self.journal = Journal.resumed(
                self.path,
                connection=connect(self.path),
                origin=memory.origin,
                head=memory.head,
                session=memory.session,
            )
        except (sqlite3.Error, OSError, ValueError, JournalInUse):
            with contextlib.suppress(OSError, ValueError):
                _discard(draft)
            return None
        memory.close()
        return self.journal

    def begin_again(self, why: str, *, again_from: int) -> Found:
        """The console has rows this journal lacks: set it aside, and begin an epoch whose numbers are unused.

        Rows from `again_from` on (those of this run) are written again, each naming the row it was; their
        old numbers may be taken. The core goes on as it is.
        """
        old = self.journal
        again = [_again(row, old) for row in old.rows(again_from)]
        before, identity, session = old.head, old.identity, old.session
        old.close()
        aside: Path | None = None
        faults: tuple[StorageFault, ...] = ()
        try:
            aside = set_aside(self.path, "damaged") if old.durable else None
            fresh = Journal.new(self.path, identity=identity, epoch=self._make_epoch(), session=session)
            self.journal = fresh
            fresh.append(again)
        except (OSError, StorageFailed) as problem:
            detail = f"the record is kept in memory only: {problem}"
            faults = (StorageFault(kind=FaultKind.STORAGE_FAILED, detail=detail, standing=True),)
            self.journal.close()
            self.journal = Journal.in_memory(identity=identity, epoch=self._make_epoch(), session=session)
            self.journal.append(again)
        where = "" if aside is None else f"; set aside as {aside.name}"
        sentence = f"{why}{where}, a new epoch was begun"
        fault = StorageFault(kind=FaultKind.JOURNAL_DAMAGED, detail=sentence, standing=False)
        faults = (fault, *faults)
        self.found = Found(what="damaged", sentence=sentence, before=before, aside=aside, faults=faults)
        return self.found

    def _close_failed(self) -> None:
        """Before their files are renamed: SQLite removes a log by its old name."""
        for failed in self._failed:
            failed.close()
        self._failed.clear()

    def close(self) -> None:
        self._close_failed()
        self.journal.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def random_epoch() -> str:
    return secrets.token_hex(6)


def set_aside(path: Path, label: str) -> Path:
    """Move a journal's files out of the way, whole. Where the database now lies. Raises OSError."""
    number = 1
    while (target := beside(path, f".{label}-{number}")).exists():
        number += 1
    for suffix in FILES:
        part = beside(path, suffix)
        if part.exists():
            part.rename(beside(target, suffix))
    sync_folder(path.parent)
    return target


def sync_folder(folder: Path) -> None:
    """Make renames in this folder survive a power cut. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_draft(draft: Path, memory: Journal, rows: list[Row]) -> None:
    """A whole journal under another name, folded in and synced, so that it appears at once or not at all."""
    connection = connect(draft)
    try:
        create(connection, memory.origin)
        if rows:
            write_rows(connection, rows)
    finally:
        connection.close()


def adopt_draft(path: Path) -> None:
    """A journal that had been written whole when the process died, before it got its name. Raises OSError."""
    draft = beside(path, _DRAFT)
    if draft.exists() and not path.exists() and not inspect(draft).complaints:
        draft.rename(path)


def _discard(draft: Path) -> None:
    for suffix in FILES:
        beside(draft, suffix).unlink(missing_ok=True)


def _again(row: Row, journal: Journal) -> NewRow:
    return NewRow(
        stream=Stream(row.stream),
        body=body_of(row),
        mono_ms=row.mono_ms,
        wall=row.wall,
        clock=ClockQuality(row.clock),
        rev=row.rev,
        cause=row_id(journal.identity.table, journal.epoch, row.seq),
    )


def take_lock(path: Path) -> int:
    """Keep others out of this journal until the descriptor is closed. Raises JournalInUse, OSError."""
    lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalInUse(f"{path}: another process writes this journal; stop it first") from None
    return lock
