"""The journal: append-only, one writer, every row numbered and chained. A fact exists once it is committed
here.

`append` writes a batch with one synced commit and knows the numbers beforehand, so that the core can be
given the number of the event it is judging. Must never rewrite or remove a row, and never be written by two
threads.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from table_controller.journal.database import (
    Origin,
    connect,
    connect_in_memory,
    create,
    read_rows,
    write_rows,
)
from table_controller.journal.head import Head, HeadFile
from table_controller.journal.inspection import beside
from table_controller.journal.rows import NewRow, Row, chained, genesis
from table_controller.messages.topics import Identity


class StorageFailed(Exception):
    """The row is not in the file. One sentence; the journal takes no more rows after it."""


class Journal:
    """One epoch of one table's record, open for appending. Made by `open_journal`, `new` or `in_memory`.

    Every method belongs to the owner thread.
    """

    def __init__(
        self,
        *,
        connection: sqlite3.Connection,
        origin: Origin,
        head: Head,
        session: str,
        path: Path | None,
        head_file: HeadFile | None,
    ) -> None:
        self._connection = connection
        self._origin = origin
        self._head = head
        self._head_file = head_file
        self._failed: str | None = None
        self.session = session
        self.path = path

    @classmethod
    def new(cls, path: Path, *, identity: Identity, epoch: str, session: str) -> Journal:
        """An empty journal in files of its own. Raises StorageFailed."""
        origin = Origin(epoch=epoch, identity=identity)
        head = Head(epoch=epoch, seq=0, digest=genesis(epoch, identity))
        try:
            connection = connect(path)
            create(connection, origin)
            return cls.resumed(path, connection=connection, origin=origin, head=head, session=session)
        except (sqlite3.Error, OSError) as error:
            raise StorageFailed(f"{path}: a journal cannot be begun here: {error}") from None

    @classmethod
    def resumed(
        cls, path: Path, *, connection: sqlite3.Connection, origin: Origin, head: Head, session: str
    ) -> Journal:
        """The journal in these files, after its newest row. Raises OSError."""
        head_file = HeadFile(beside(path, ".head"))
        head_file.write(head)
        return cls(
            connection=connection, origin=origin, head=head, session=session, path=path, head_file=head_file
        )

    @classmethod
    def in_memory(cls, *, identity: Identity, epoch: str, session: str) -> Journal:
        """A journal that ends with the process: for a table whose storage has failed."""
        origin = Origin(epoch=epoch, identity=identity)
        connection = connect_in_memory()
        create(connection, origin)
        head = Head(epoch=epoch, seq=0, digest=genesis(epoch, identity))
        return cls(
            connection=connection, origin=origin, head=head, session=session, path=None, head_file=None
        )

    @property
    def epoch(self) -> str:
        return self._origin.epoch

    @property
    def identity(self) -> Identity:
        return self._origin.identity

    @property
    def origin(self) -> Origin:
        return self._origin

    @property
    def head(self) -> Head:
        """The newest row, and how far the console has said it has them."""
        return self._head

    @property
    def next_seq(self) -> int:
        """The number the next row appended will have."""
        return self._head.seq + 1

    @property
    def durable(self) -> bool:
        """False: what is written here does not survive the process."""
        return self.path is not None

    def append(self, rows: list[NewRow]) -> list[int]:
        """Write these rows in one commit; their numbers. Raises StorageFailed, and then none of them is
        written.
        """
        if self._failed is not None:
            raise StorageFailed(self._failed)
        if not rows:
            return []
        written: list[Row] = []
        before, seq = self._head.digest, self._head.seq
        for new in rows:
            seq += 1
            row = chained(new, seq, self.session, before)
            before = row.digest
            written.append(row)
        self._commit(written)
        self._head = Head(epoch=self.epoch, seq=seq, digest=before, upto=self._head.upto)
        self._keep_head()
        return [row.seq for row in written]

    def rows(self, first: int = 1, last: int | None = None) -> Iterator[Row]:
        """Rows `first` to `last`, both included, in order. Raises StorageFailed."""
        try:
            yield from read_rows(self._connection, first, last)
        except sqlite3.Error as error:
            raise StorageFailed(f"{self.path}: the journal cannot be read: {error}") from None

    def note_receipt(self, upto: int) -> None:
        """The console has all rows up to this one. Kept as a hint, so that a restart sends only the rest."""
        if upto > self._head.upto and upto <= self._head.seq:
            head = self._head
            self._head = Head(epoch=head.epoch, seq=head.seq, digest=head.digest, upto=upto)
            self._keep_head()

    def settle(self) -> None:
        """Make the head beside the journal survive a power cut too. To be called with every heartbeat."""
        if self._head_file is not None and self._failed is None:
            try:
                self._head_file.sync()
            except OSError as error:
                self._failed = f"{self.path}: the head file cannot be written: {error.strerror}"

    def close(self) -> None:
        """Fold the log into the file and let go. Never raises."""
        try:
            self.settle()
            self._connection.close()
        except sqlite3.Error:
            pass
        finally:
            if self._head_file is not None:
                self._head_file.close()
                self._head_file = None

    def _commit(self, rows: list[Row]) -> None:
        try:
            write_rows(self._connection, rows)
        except sqlite3.Error as error:
            self._failed = f"{self.path}: the journal cannot be written: {error}"
            raise StorageFailed(self._failed) from None

    def _keep_head(self) -> None:
        if self._head_file is None:
            return
        try:
            self._head_file.write(self._head)
        except OSError as error:
            self._failed = f"{self.path}: the head file cannot be written: {error.strerror}"
