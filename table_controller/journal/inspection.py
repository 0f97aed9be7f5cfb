"""Reading a journal from its first row to its last, and saying what is wrong with it.

The same judgement at every start and in `table-controller journal verify`. It changes nothing. Must never
call a journal sound that lacks a row it once had, as far as the file beside it, or a receipt, can tell.
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from table_controller.journal.database import Origin, Unreadable, connect_to_read, read_origin, read_rows
from table_controller.journal.head import Head, HeadFound, read_head
from table_controller.journal.rows import complaint, genesis

ReadError = (sqlite3.Error, Unreadable, ValueError, OverflowError, TypeError)
"""What a damaged file can make the reading of it raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a journal's files hold. `complaints` are sentences without the file's name; empty: it is sound.

    `origin` is None if not even that could be read. `seq`, `digest`: the newest row up to which the chain
    holds. `aside`: what the head file said; `head_file`: what there is of it. `unclean`: the log had not
    been folded in, so the last run was cut off.
    """

    origin: Origin | None
    seq: int
    digest: bytes
    aside: Head | None
    head_file: HeadFound
    unclean: bool
    complaints: tuple[str, ...]

    @property
    def head(self) -> Head | None:
        if self.origin is None:
            return None
        upto = self.aside.upto if self.aside is not None and self.aside.epoch == self.origin.epoch else 0
        return Head(epoch=self.origin.epoch, seq=self.seq, digest=self.digest, upto=min(upto, self.seq))


def beside(path: Path, suffix: str) -> Path:
    """`journal.sqlite` -> `journal.sqlite<suffix>`."""
    return path.with_name(path.name + suffix)


def inspect(path: Path, *, every: bool = False) -> Inspection:
    """Read the journal at `path` whole. `every`: go on after the first bad row, as `verify` does.

    It raises nothing: what cannot be read, or even be looked at, is a complaint.
    """
    aside = _head_aside(path)
    unclean = _has_log(path)
    chain = _Chain()
    try:
        connection = connect_to_read(path)
        try:
            chain.read(connection, aside, every)
        finally:
            connection.close()
    except ReadError as error:
        chain.complaints.append(f"it cannot be read after row {chain.seq}: {error}")
    if chain.origin is not None and not chain.complaints:
        chain.complaints.extend(_against_aside(chain.origin, chain.seq, aside))
    return Inspection(
        origin=chain.origin,
        seq=chain.seq,
        digest=chain.digest,
        aside=aside,
        head_file=_found(path, aside, chain),
        unclean=unclean,
        complaints=tuple(chain.complaints),
    )


def _head_aside(path: Path) -> Head | None:
    try:
        return read_head(beside(path, ".head"))
    except (OSError, ValueError):
        return None


def _found(path: Path, aside: Head | None, chain: _Chain) -> HeadFound:
    if aside is None:
        return HeadFound.UNREADABLE if os.path.lexists(beside(path, ".head")) else HeadFound.ABSENT
    if chain.origin is None or chain.origin.epoch != aside.epoch:
        return HeadFound.DIFFERS
    return HeadFound.FITS if chain.remembered or not aside.seq else HeadFound.DIFFERS


def _has_log(path: Path) -> bool:
    try:
        return beside(path, "-wal").stat().st_size > 0
    except (OSError, ValueError):
        return False


class _Chain:
    """The reading itself, kept so that what was read before an error is still known after it."""

    def __init__(self) -> None:
        self.origin: Origin | None = None
        self.seq = 0
        self.digest = b""
        self.remembered = False
        """Whether the row that the head file remembers was found."""
        self.complaints: list[str] = []

    def read(self, connection: sqlite3.Connection, aside: Head | None, every: bool) -> None:
        self.origin = read_origin(connection)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            self.complaints.append(f"SQLite finds its pages damaged: {verdict}")
        before = genesis(self.origin.epoch, self.origin.identity)
        self.digest = before
        expected = 1
        for row in read_rows(connection, -(1 << 62)):
            wrong = complaint(row, expected, before)
            if wrong is not None:
                self.complaints.append(wrong)
                if not every:
                    return
            elif not self.complaints:
                self.seq, self.digest = row.seq, row.digest
            remembered = aside is not None and (aside.epoch, aside.seq) == (self.origin.epoch, row.seq)
            if remembered and aside is not None:
                self.remembered = aside.digest == row.digest
                if not self.remembered:
                    self.complaints.append(f"row {row.seq} is not the one the head file remembers")
            before, expected = row.digest, row.seq + 1


def _against_aside(origin: Origin, seq: int, aside: Head | None) -> list[str]:
    if aside is None:
        return []
    if aside.epoch != origin.epoch:
        return [f"the head file beside it is of epoch {aside.epoch}, the journal is of {origin.epoch}"]
    if aside.seq > seq:
        return [f"rows {seq + 1} to {aside.seq} were committed and are gone"]
    return []
