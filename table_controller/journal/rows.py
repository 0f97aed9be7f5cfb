"""A row of the journal: its fields, its place in the chain, and the message it becomes.

A row is named (table, epoch, number) for ever. Its code (CRC) shows that it was altered, the hash of its
predecessor that one is missing or was put in. Pure: must never touch a file.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from typing import cast

from table_controller.messages import ClockQuality, Envelope, sealed
from table_controller.messages.codec import Json
from table_controller.messages.fields import Value
from table_controller.messages.mac import canonical, parse_object
from table_controller.messages.topics import Identity, Stream, report


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    """What is to be written. `body`: the message's body; `cause`: the id of a command, or of a row, behind
    it.
    """

    stream: Stream
    body: dict[str, Json]
    mono_ms: int
    wall: str | None = None
    clock: ClockQuality = ClockQuality.UNSET
    rev: int | None = None
    cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What was written. `body` is its exact text; `digest` binds it to every row before it."""

    seq: int
    stream: str
    session: str
    mono_ms: int
    wall: str | None
    clock: str
    rev: int | None
    cause: str | None
    body: str
    crc: int
    digest: bytes

    def content(self) -> bytes:
        """The bytes that `crc` and `digest` are over."""
        return canonical(
            {
                "seq": self.seq,
                "stream": self.stream,
                "session": self.session,
                "mono_ms": self.mono_ms,
                "wall": self.wall,
                "clock": self.clock,
                "rev": self.rev,
                "cause": self.cause,
                "body": self.body,
            }
        )


def genesis(epoch: str, identity: Identity) -> bytes:
    """The hash the first row builds on: a row cannot be moved into another table's journal or another
    epoch.
    """
    place = identity.place
    head: dict[str, Json] = {
        "epoch": epoch,
        "venue": place.venue,
        "event": place.event,
        "table": identity.table,
    }
    return hashlib.sha256(b"screen-table journal 1\n" + canonical(head)).digest()


def chained(new: NewRow, seq: int, session: str, before: bytes) -> Row:
    """The row as it is written after the row with the hash `before`."""
    bare = Row(
        seq=seq,
        stream=new.stream.value,
        session=session,
        mono_ms=new.mono_ms,
        wall=new.wall,
        clock=new.clock.value,
        rev=new.rev,
        cause=new.cause,
        body=canonical(new.body).decode(),
        crc=0,
        digest=b"",
    )
    return _closed(bare, before)


def complaint(row: Row, expected_seq: int, before: bytes) -> str | None:
    """What is wrong with this row where one numbered `expected_seq` should follow `before`; None if
    nothing.
    """
    if row.seq != expected_seq:
        return f"row {expected_seq} is missing, row {row.seq} follows"
    right = _closed(row, before)
    if row.crc != right.crc:
        return f"row {row.seq} was altered: its CRC does not fit its content"
    if row.digest != right.digest:
        return f"row {row.seq} does not continue the row before it: its hash is not the chain's"
    return None


def message_of(row: Row, identity: Identity, epoch: str) -> Envelope:
    """The message this row is, the same at every sending."""
    return Envelope(
        id=row_id(identity.table, epoch, row.seq),
        type=row.stream,
        venue=identity.place.venue,
        event=identity.place.event,
        table=identity.table,
        epoch=epoch,
        seq=row.seq,
        session=row.session,
        mono_ms=row.mono_ms,
        wall=row.wall,
        clock=ClockQuality(row.clock),
        rev=row.rev,
        cause=row.cause,
        body=cast("Value", parse_object(row.body.encode())),
    )


def sealed_row(row: Row, identity: Identity, epoch: str, key: bytes) -> tuple[str, bytes]:
    """Topic and payload of this row."""
    topic = report(identity.place, identity.table, Stream(row.stream))
    return topic, sealed(message_of(row, identity, epoch), key)


def row_id(table: str, epoch: str, seq: int) -> str:
    return f"{table}-{epoch}-{seq}"


def _closed(row: Row, before: bytes) -> Row:
    content = row.content()
    return Row(
        seq=row.seq,
        stream=row.stream,
        session=row.session,
        mono_ms=row.mono_ms,
        wall=row.wall,
        clock=row.clock,
        rev=row.rev,
        cause=row.cause,
        body=row.body,
        crc=zlib.crc32(content),
        digest=hashlib.sha256(before + content).digest(),
    )
