"""Opening the journal at a start: sound, it is gone on with; damaged, set aside whole; unusable, kept in
memory.

Whatever is found, the table starts, and `Found` says what was found, for the boot row and for the faults
the director sees. Must never start silently empty, and never write into files that were found damaged.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from table_controller.journal.database import connect
from table_controller.journal.head import Head, HeadFound
from table_controller.journal.inspection import Inspection, beside, inspect
from table_controller.journal.opened import (
    FILES,
    Found,
    Opened,
    StorageFault,
    adopt_draft,
    random_epoch,
    set_aside,
    take_lock,
)
from table_controller.journal.store import Journal, StorageFailed
from table_controller.messages.topics import Identity
from table_controller.screen.entry import FaultKind


def open_journal(
    path: Path, *, identity: Identity, session: str, make_epoch: Callable[[], str] = random_epoch
) -> Opened:
    """Open the journal at `path`, or begin one. Raises JournalInUse; storage trouble is in `found`, never
    raised.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = take_lock(path)
    except (OSError, ValueError) as error:  # a ValueError: no name that a file could have
        why = error.strerror if isinstance(error, OSError) else error
        return _in_memory(path, f"{path}: {why}", identity, session, make_epoch)
    try:
        return _open_locked(path, identity, session, make_epoch, lock)
    except (StorageFailed, OSError, sqlite3.Error) as error:
        os.close(lock)
        return _in_memory(path, str(error), identity, session, make_epoch)


def _open_locked(
    path: Path, identity: Identity, session: str, make_epoch: Callable[[], str], lock: int
) -> Opened:
    adopt_draft(path)
    if not any(beside(path, suffix).exists() for suffix in FILES):
        found = Found(what="new", sentence="no journal was here, a new one was begun")
        journal = Journal.new(path, identity=identity, epoch=make_epoch(), session=session)
        return Opened(path=path, journal=journal, found=found, lock=lock, make_epoch=make_epoch)
    seen = inspect(path) if path.exists() else None
    refusal = _refusal(seen, identity)
    if refusal is None and seen is not None and seen.origin is not None and seen.head is not None:
        journal = Journal.resumed(
            path, connection=connect(path), origin=seen.origin, head=seen.head, session=session
        )
        return Opened(path=path, journal=journal, found=_sound(seen), lock=lock, make_epoch=make_epoch)
    what, sentence = refusal or ("damaged", "it cannot be read")
    label = "old" if what == "other table" else "damaged"
    aside = set_aside(path, label)
    journal = Journal.new(path, identity=identity, epoch=make_epoch(), session=session)
    before = None if seen is None else seen.head
    sentence = f"{sentence}; set aside as {aside.name}, a new epoch was begun"
    fault = StorageFault(kind=FaultKind.JOURNAL_DAMAGED, detail=sentence, standing=False)
    faults = () if what == "other table" else (fault,)
    found = Found(what=what, sentence=sentence, before=before, aside=aside, faults=faults)
    return Opened(path=path, journal=journal, found=found, lock=lock, make_epoch=make_epoch)


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
        how = "cannot be read" if seen.head_file is HeadFound.UNREADABLE else "is missing"
        detail = f"the head file beside the journal {how}; rows after {seen.seq}, if any, cannot be missed"
        fault = StorageFault(kind=FaultKind.JOURNAL_DAMAGED, detail=detail, standing=False)
        return Found(what="cut off", sentence=detail, faults=(fault,))
    if seen.unclean:
        return Found(what="cut off", sentence=f"the last run was cut off; row {seen.seq} is the newest")
    return Found(what="sound", sentence=f"the journal was closed properly; row {seen.seq} is the newest")


def _in_memory(
    path: Path, why: str, identity: Identity, session: str, make_epoch: Callable[[], str]
) -> Opened:
    journal = Journal.in_memory(identity=identity, epoch=make_epoch(), session=session)
    sentence = f"the record is kept in memory only and ends with this process: {why}"
    fault = StorageFault(kind=FaultKind.STORAGE_FAILED, detail=sentence, standing=True)
    before = _readable(path, identity)
    unwritten = None if before is None else path
    found = Found(what="unusable", sentence=sentence, before=before, unwritten=unwritten, faults=(fault,))
    return Opened(path=path, journal=journal, found=found, lock=None, make_epoch=make_epoch)


def _readable(path: Path, identity: Identity) -> Head | None:
    """The head of a journal that cannot be written, if it can be read and is this table's."""
    seen = inspect(path) if os.path.isfile(path) else None
    if seen is None or seen.origin is None or seen.origin.identity != identity or not seen.seq:
        return None
    return seen.head
