"""Reports: kept once under (table, epoch, seq), and how far each journal is here without a gap.

Insert or ignore: the same report twice is nothing, another report under a number already used is said aloud
and the first one stays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from director_console.store.book import Book
from table_controller.messages.codec import Json
from table_controller.messages.mac import parse_object


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReport:
    """One report. `received`, `happened`: Unix ms of the console's clock; `wall`: the table's own.

    `verified`: its MAC was right (False: the console has no keys and could not tell). `raw`: as received.
    """

    table: str
    epoch: str
    seq: int
    stream: str
    what: str
    session: str
    mono_ms: int
    wall: str | None
    clock: str
    received: int
    happened: int
    verified: bool
    raw: bytes


RECEIPT_ROW_MS = 60_000


class Kept(Enum):
    """What became of a report."""

    NEW = "new"
    KNOWN = "known"
    CONTRADICTED = "contradicted"


COLUMNS = (
    '"table", epoch, seq, stream, what, session, mono_ms, wall, clock, received, happened, verified, raw'
)


def keep(book: Book, report: StoredReport) -> Kept:
    """Insert or ignore, inside a deed."""
    done = book.db.execute(
        f"INSERT OR IGNORE INTO reports ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            report.table,
            report.epoch,
            report.seq,
            report.stream,
            report.what,
            report.session,
            report.mono_ms,
            report.wall,
            report.clock,
            report.received,
            report.happened,
            int(report.verified),
            report.raw,
        ),
    )
    if done.rowcount:
        return Kept.NEW
    raw = book.db.execute(
        'SELECT raw FROM reports WHERE "table" = ? AND epoch = ? AND seq = ?',
        (report.table, report.epoch, report.seq),
    ).fetchone()[0]
    return Kept.KNOWN if raw == report.raw or _said(raw) == _said(report.raw) else Kept.CONTRADICTED


def _said(raw: bytes) -> dict[str, Json]:
    """The report without its seal: enrolled anew, a table says what has no receipt under its new key."""
    return {name: value for name, value in parse_object(raw).items() if name != "mac"}


def advance(book: Book, table: str, epoch: str, at: int) -> int:
    """Move the mark to the last number before a gap, inside a deed; gives the mark, 0 where 1 is missing."""
    row = book.db.execute(
        'SELECT upto FROM progress WHERE "table" = ? AND epoch = ?', (table, epoch)
    ).fetchone()
    before = upto = 0 if row is None else int(row[0])
    query = 'SELECT seq FROM reports WHERE "table" = ? AND epoch = ? AND seq > ? ORDER BY seq'
    following = book.db.execute(query, (table, epoch, upto))
    for (seq,) in following:
        if seq != upto + 1:
            break
        upto = seq
    following.close()
    if row is None or upto != before:
        book.db.execute(
            'INSERT INTO progress VALUES (?, ?, ?, ?) ON CONFLICT ("table", epoch) '
            "DO UPDATE SET upto = excluded.upto",
            (table, epoch, upto, at),
        )
    return upto


def note_receipt(book: Book, table: str, epoch: str, upto: int, at: int) -> None:
    """Keep that this receipt is owed to the table, inside the deed that made it true; one row a minute is
    enough.
    """
    last = book.db.execute(
        'SELECT n, since FROM receipts WHERE "table" = ? AND epoch = ? ORDER BY n DESC LIMIT 1',
        (table, epoch),
    ).fetchone()
    if last is not None and at - last[1] < RECEIPT_ROW_MS:
        book.db.execute("UPDATE receipts SET upto = ?, at = ? WHERE n = ?", (upto, at, last[0]))
        return
    book.db.execute(
        'INSERT INTO receipts ("table", epoch, upto, since, at) VALUES (?, ?, ?, ?, ?)',
        (table, epoch, upto, at, at),
    )


def progress(db: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """For every journal known, the number up to which it is complete here."""
    rows = db.execute('SELECT "table", epoch, upto FROM progress ORDER BY since')
    return {(row[0], row[1]): row[2] for row in rows}


def gaps(db: sqlite3.Connection, table: str, epoch: str, last: int = 0) -> list[tuple[int, int]]:
    """The numbers missing, as (from, to) both included; `last`: the highest the table says it has written."""
    found: list[tuple[int, int]] = []
    expected = 1
    query = 'SELECT seq FROM reports WHERE "table" = ? AND epoch = ? ORDER BY seq'
    for (seq,) in db.execute(query, (table, epoch)):
        if seq > expected:
            found.append((expected, seq - 1))
        expected = seq + 1
    if last >= expected:
        found.append((expected, last))
    return found


def read(
    db: sqlite3.Connection,
    table: str,
    epoch: str | None = None,
    *,
    streams: tuple[str, ...] = (),
    what: tuple[str, ...] = (),
    first: int = 1,
    last: int | None = None,
    newest: int | None = None,
) -> list[StoredReport]:
    """Reports of a table in order of their numbers, narrowed as asked; `newest`: only so many, the latest."""
    where, values = ['"table" = ?', "seq >= ?"], [table, first]
    for column, wanted in (("stream", streams), ("what", what)):
        if wanted:
            where.append(f"{column} IN ({','.join('?' * len(wanted))})")
            values.extend(wanted)
    if epoch is not None:
        where.append("epoch = ?")
        values.append(epoch)
    if last is not None:
        where.append("seq <= ?")
        values.append(last)
    query = f"SELECT {COLUMNS} FROM reports WHERE {' AND '.join(where)} ORDER BY epoch DESC, seq DESC"
    if newest is not None:
        query += " LIMIT ?"
        values.append(newest)
    return [_report(row) for row in db.execute(query, values)][::-1]


def all_of(db: sqlite3.Connection, streams: tuple[str, ...], what: tuple[str, ...]) -> Iterator[StoredReport]:
    """Every report of these streams, or of the log with these bodies, table by table: for the start."""
    query = (
        f"SELECT {COLUMNS} FROM reports WHERE stream IN ({','.join('?' * len(streams))}) "
        f'OR what IN ({",".join("?" * len(what))}) ORDER BY "table", epoch, seq'
    )
    for row in db.execute(query, (*streams, *what)):
        yield _report(row)


def latest(db: sqlite3.Connection, table: str, epoch: str, what: str) -> StoredReport | None:
    """The newest log row of this kind."""
    row = db.execute(
        f"SELECT {COLUMNS} FROM reports WHERE \"table\" = ? AND epoch = ? AND stream = 'log' AND what = ? "
        "ORDER BY seq DESC LIMIT 1",
        (table, epoch, what),
    ).fetchone()
    return None if row is None else _report(row)


_Row = tuple[str, str, int, str, str, str, int, str | None, str, int, int, int, bytes]


def _report(row: _Row) -> StoredReport:
    table, epoch, seq, stream, what, session, mono_ms, wall, clock, received, happened, verified, raw = row
    return StoredReport(
        table=table,
        epoch=epoch,
        seq=seq,
        stream=stream,
        what=what,
        session=session,
        mono_ms=mono_ms,
        wall=wall,
        clock=clock,
        received=received,
        happened=happened,
        verified=bool(verified),
        raw=bytes(raw),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LastWord:
    """The last state a table published, as received, to show something at once after a restart."""

    name: str
    epoch: str
    state: bytes
    heard: int


def keep_last_word(book: Book, word: LastWord) -> None:
    book.db.execute(
        "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?)", (word.name, word.epoch, word.state, word.heard)
    )


def last_words(db: sqlite3.Connection) -> tuple[LastWord, ...]:
    rows = db.execute("SELECT name, epoch, state, heard FROM tables ORDER BY name")
    return tuple(LastWord(name=row[0], epoch=row[1], state=row[2], heard=row[3]) for row in rows)
