"""A row of the journal: its fields, its place in the chain, and the message it becomes.

A row is named (table, epoch, number) for ever. Its code (CRC) shows that it was altered, the hash of its
predecessor that one is missing or was put in. Pure: must never touch a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from table_controller.messages import ClockQuality, Envelope, What, sealed
from table_controller.messages.codec import Json
from table_controller.messages.fields import Value
from table_controller.messages.mac import canonical, parse_object
from table_controller.messages.topics import Identity, Stream, report

SHORT = 200
"""Characters left of a text that is too long."""
FEW = 40
"""Items left of a list that is too long."""


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


def body_of(row: Row) -> dict[str, Json]:
    """The body as it was written, however long it is. Raises NotCanonical."""
    written = row.body.encode()
    return parse_object(written, len(written))


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
        body=cast("Value", body_of(row)),
    )


def sealed_row(row: Row, identity: Identity, epoch: str, key: bytes) -> tuple[str, bytes]:
    """Topic and payload of this row, the same at every sending. One that is longer than a message goes
    shortened under its own number, so that nothing waits for ever behind it.
    """
    for told in (row, *_instead_of(row)):
        with contextlib.suppress(ValueError):
            payload = sealed(message_of(told, identity, epoch), key)
            return report(identity.place, identity.table, Stream(told.stream)), payload
    raise ValueError(f"row {row.seq} cannot be made a message, however short")


def _instead_of(row: Row) -> Iterator[Row]:
    """What may go to the console where a row is too long, the best first: an entry, fault or visit with its
    long parts cut, because the director must hear of it; a view without what every snapshot says too; and, if
    nothing else will do, a row of the log that says what it was.
    """
    body = body_of(row)
    about = body.get("what", row.stream)
    if about == What.VIEW:
        yield replace(row, body=canonical(_without_off(body)).decode())
    elif row.stream != Stream.LOG:
        yield replace(row, body=canonical(_shortened(body)).decode())
    written = row.body.encode()
    value: dict[str, Json] = {
        "stream": row.stream,
        "about": str(about)[:SHORT],
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
        "begins": row.body[:SHORT],
    }
    instead: dict[str, Json] = {"what": What.TOO_LONG.value, "value": value}
    yield replace(row, stream=Stream.LOG.value, body=canonical(instead).decode())


def _without_off(body: dict[str, Json]) -> dict[str, Json]:
    """Every call of the longest auction stays; which checks are off, and why, does not."""
    value = body.get("value")
    view = value.get("view") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(view, dict):
        return body
    return {**body, "value": {**value, "view": {**view, "off": []}}}


def _shortened(value: dict[str, Json]) -> dict[str, Json]:
    return {name: _short(item) for name, item in value.items()}


def _short(value: Json) -> Json:
    match value:
        case str():
            return value if len(value) <= SHORT else f"{value[: SHORT - 1]}…"
        case list():
            return [_short(item) for item in value[:FEW]]
        case dict():
            return _shortened(value)
        case _:
            return value


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
