"""Evidence from the command line: recorded as the page records it, before anybody has it.

Must never write hands to a file of which the audit log does not say who asked for them and why.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import sqlite3
from collections.abc import Callable
from pathlib import Path

from director_console.evidence.select import Export
from director_console.store.book import StoreError, open_book

REASON_LEAST = 3
REASON_LONGEST = 500


class NotExported(ValueError):
    """One sentence, with what to do."""


def check_reason(reason: str) -> str:
    """The reason without blanks around it. Raises NotExported where it says nothing, or is no text."""
    text = reason.strip()
    if not REASON_LEAST <= len(text) <= REASON_LONGEST or not text.isprintable():
        raise NotExported(
            f"--reason: expected {REASON_LEAST} to {REASON_LONGEST} characters in one line; say what the "
            "evidence is for, it is kept"
        )
    return text


def check_by(by: str) -> str:
    """Raises NotExported."""
    if not by.isprintable():
        raise NotExported("--by: expected a name in one line")
    return by


def record(data: Path, export: Export) -> None:
    """Into the audit log, with the user of this computer. Raises StoreError."""
    case = export.selection.case
    entry = "" if case is None else f"{case.epoch}/{case.entry.id}"
    book = open_book(data)
    try:
        with book.deed():
            book.audit(
                export.at,
                "command line",
                "evidence exported",
                table=export.selection.table,
                entry=entry,
                hands=int(export.hands),
                reason=export.reason,
                user=system_user(),
                said=export.by,
            )
    except sqlite3.Error as error:
        raise StoreError(f"{data}: the console's journal cannot be written ({error})") from None
    finally:
        book.close()


def system_user() -> str:
    """Who runs this, by the operating system; by number where it has no name."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def write(out: Path, data: Path, export: Export, build: Callable[[], bytes]) -> str:
    """Record the export, then write it to a file that is not there yet.

    What could not be recorded, where it may be gone on with: without hands. Raises NotExported.
    """
    try:
        file = out.open("xb")
    except FileExistsError:
        raise NotExported(f"{out}: is there already; give another name with --out") from None
    except OSError as error:
        raise _not_written(out, error) from None
    note = ""
    with contextlib.ExitStack() as undone:
        undone.callback(out.unlink)
        with file:
            try:
                record(data, export)
            except StoreError as error:
                if export.hands:
                    raise NotExported(f"{error}; hands are not exported without a word of it there") from None
                note = f"not in the audit log: {error}"
            try:
                file.write(build())
                file.flush()
            except OSError as error:
                raise _not_written(out, error) from None
        undone.pop_all()
    return note


def _not_written(out: Path, error: OSError) -> NotExported:
    return NotExported(f"{out}: cannot be written ({error.strerror}); give another name with --out")
