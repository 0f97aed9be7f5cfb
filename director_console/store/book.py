"""Opening the console's journal, and the small deeds everything else is made of.

One connection writes (the desk's); any number may read beside it. Must never begin empty without saying so:
a damaged file is refused with what to do.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import IO

from director_console.store.audit import AuditRow, next_row

FILE = "console.db"
LOCK = "console.lock"
SCRIPTS = ("schema.sql", "time.sql", "answers.sql")
"""Each version of the journal is the one before and one more script: an older one is brought up to date."""

VERSION = str(len(SCRIPTS))


class StoreError(RuntimeError):
    """The console's journal cannot be used; one sentence, with what to do."""


class Book:
    """The writing side. What is written is written inside `deed()`: all of it is kept, or nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.db = connection
        self._last_audit = _last_audit(connection)

    @contextmanager
    def deed(self) -> Iterator[None]:
        """One transaction. Committed to the disk when it ends, undone where anything in it fails."""
        self.db.execute("BEGIN IMMEDIATE")
        # A command beside the running console (`user disable`) writes into the same chain.
        before = self._last_audit = _last_audit(self.db)
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            self._last_audit = before
            raise
        self.db.execute("COMMIT")

    def audit(self, at: int, by: str, act: str, **detail: str | int | None) -> None:
        """Add a row to the chained log. `detail` must hold nothing secret."""
        text = json.dumps(detail, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        row = next_row(self._last_audit, at, by, act, text)
        self.db.execute(
            "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)",
            (row.n, row.at, row.by, row.act, row.detail, row.previous, row.hash),
        )
        self._last_audit = row

    def meta(self, key: str) -> str | None:
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def close(self) -> None:
        self.db.close()


def open_book(directory: Path) -> Book:
    """Open or make the journal in this directory for writing. Raises StoreError."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o700)
        path = directory / FILE
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        path.chmod(0o600)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 5000")
        _migrate(connection, path)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{directory / FILE}: the console's journal cannot be opened ({error}); give a directory that "
            "can be written with --data, or move the damaged file away and keep it"
        ) from error
    return Book(connection)


def hold(directory: Path) -> IO[bytes]:
    """Keep another console out of this directory until the file given is closed. Raises StoreError.

    A command beside the running console does not ask for it: it writes one deed, which the journal orders.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = os.fdopen(os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "rb")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"{directory}: a console cannot keep its journal there ({why}); give a directory that can be "
            "written with --data"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(
            f"{directory}: another console runs on this directory; stop it first, or give another with --data"
        ) from None
    return lock


def has_journal(directory: Path) -> bool:
    """Whether a console has its journal there. Raises StoreError where we may not look."""
    try:
        return (directory / FILE).exists()
    except OSError as error:
        raise StoreError(
            f"{directory}: we may not look there ({error.strerror}); say it as the user the console runs as: "
            "sudo -u screen-table director-console ..."
        ) from None


def open_reader(directory: Path) -> sqlite3.Connection:
    """A connection that can only read. Raises StoreError where there is no journal."""
    path = directory / FILE
    if not has_journal(directory):
        raise StoreError(
            f"{path}: no console journal is here; give the directory of `director-console run` with --data"
        )
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    made = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
    found = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone() if made else ("0",)
    if found is None or found[0] not in {str(number) for number in range(len(SCRIPTS) + 1)}:
        raise StoreError(f"{path}: another version of the console wrote it; use that, or a new directory")
    missing = SCRIPTS[int(found[0]) :]
    if not missing:
        return
    folder = files("director_console.store")
    script = "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in missing)
    mark = f"INSERT OR REPLACE INTO meta VALUES ('version', '{VERSION}');"
    connection.executescript(f"BEGIN; {script} {mark} COMMIT;")


def _last_audit(connection: sqlite3.Connection) -> AuditRow | None:
    row = connection.execute("SELECT * FROM audit ORDER BY n DESC LIMIT 1").fetchone()
    return None if row is None else _audit_row(row)


def audit_rows(connection: sqlite3.Connection, *, newest_first: bool = False) -> Iterator[AuditRow]:
    order = "DESC" if newest_first else "ASC"
    for row in connection.execute(f"SELECT * FROM audit ORDER BY n {order}"):
        yield _audit_row(row)


def _audit_row(row: tuple[int, int, str, str, str, str, str]) -> AuditRow:
    n, at, by, act, detail, previous, digest = row
    return AuditRow(n=n, at=at, by=by, act=act, detail=detail, previous=previous, hash=digest)
