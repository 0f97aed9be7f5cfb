"""The journal's SQLite file: its one table, how it is opened, and how it is read without being touched.

Must never change a file it inspects: a read-only connection neither checkpoints the log nor removes it, so
what is found damaged can be set aside as it was found.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from table_controller.journal.rows import Row
from table_controller.messages.topics import Identity, Place

APPLICATION_ID = 0x53637254
"""`ScrT`, so that `file` and a lost-and-found folder can tell what this is."""
FORMAT = 1

_SCHEMA = (
    "CREATE TABLE journal (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), epoch TEXT NOT NULL,"
    " venue TEXT NOT NULL, event TEXT NOT NULL, table_name TEXT NOT NULL) STRICT",
    "CREATE TABLE row (seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, session TEXT NOT NULL,"
    " mono_ms INTEGER NOT NULL, wall TEXT, clock TEXT NOT NULL, rev INTEGER, cause TEXT, body TEXT NOT NULL,"
    " crc INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
)
_COLUMNS = "seq, stream, session, mono_ms, wall, clock, rev, cause, body, crc, digest"


class Unreadable(Exception):
    """The file is no journal, or no longer one. One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Whose journal a file is."""

    epoch: str
    identity: Identity


def create(connection: sqlite3.Connection, origin: Origin) -> None:
    """Make an empty journal. Raises sqlite3.Error."""
    place = origin.identity.place
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO journal VALUES (1, ?, ?, ?, ?)",
        (origin.epoch, place.venue, place.event, origin.identity.table),
    )
    connection.execute("COMMIT")


def connect(path: Path) -> sqlite3.Connection:
    """Open for writing: one synced write a commit, and no lie about it. Raises sqlite3.Error."""
    _keep_private(path)
    connection = sqlite3.connect(path, isolation_level=None, timeout=1.0, check_same_thread=False)
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        connection.close()
        raise sqlite3.OperationalError(f"the journal could not be put into WAL mode, it is {mode}")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _keep_private(path: Path) -> None:
    """The record is its owner's alone; SQLite gives its log the mode of the database.

    By name, because closing a descriptor would drop the locks of another connection. What fails here SQLite
    will say better.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).chmod(0o600)


def connect_in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open for reading only. Raises sqlite3.Error.

    Without a log nobody writes it, and SQLite is told so: it would else leave a log and its index behind.
    """
    alone = not os.path.exists(path.with_name(f"{path.name}-wal"))
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1.0)


def read_origin(connection: sqlite3.Connection) -> Origin:
    """Whose journal this is. Raises Unreadable if it is none of this program's; sqlite3.Error if it is
    broken.
    """
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application_id != APPLICATION_ID:
        raise Unreadable("it is no journal of a screen table")
    if version != FORMAT:
        raise Unreadable(f"its format is {version}, this program reads {FORMAT}")
    schema = connection.execute("SELECT sql FROM sqlite_schema ORDER BY rowid").fetchall()
    if [sql for (sql,) in schema] != list(_SCHEMA):
        raise Unreadable("its tables are not the journal's")
    found = connection.execute("SELECT epoch, venue, event, table_name FROM journal").fetchall()
    if len(found) != 1:
        raise Unreadable("it does not say whose it is")
    epoch, venue, event, table = found[0]
    try:
        identity = Identity(place=Place(venue=venue, event=event), table=table)
    except ValueError as error:
        raise Unreadable(f"it does not say whose it is: {error}") from None
    return Origin(epoch=epoch, identity=identity)


def read_rows(connection: sqlite3.Connection, first: int, last: int | None = None) -> Iterator[Row]:
    """Rows from `first` to `last` (None: to the end), in order. Raises sqlite3.Error."""
    upper = last if last is not None else (1 << 62)
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM row WHERE seq BETWEEN ? AND ? ORDER BY seq", (first, upper)
    )
    for seq, stream, session, mono_ms, wall, clock, rev, cause, body, crc, digest in found:
        yield Row(
            seq=seq,
            stream=stream,
            session=session,
            mono_ms=mono_ms,
            wall=wall,
            clock=clock,
            rev=rev,
            cause=cause,
            body=body,
            crc=crc,
            digest=digest,
        )


def write_rows(connection: sqlite3.Connection, rows: list[Row]) -> None:
    """All of them or none. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(
            f"INSERT INTO row ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    r.seq,
                    r.stream,
                    r.session,
                    r.mono_ms,
                    r.wall,
                    r.clock,
                    r.rev,
                    r.cause,
                    r.body,
                    r.crc,
                    r.digest,
                )
                for r in rows
            ],
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
