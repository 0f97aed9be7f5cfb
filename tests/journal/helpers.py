"""Journals of the tests' own, and copies of their files as a crash would leave them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from table_controller.journal import Journal, NewRow, Opened, Row, open_journal
from table_controller.messages import ClockQuality
from table_controller.messages.codec import Json
from table_controller.messages.topics import Identity, Place, Stream

ME = Identity(place=Place(venue="hall", event="teams"), table="7")
SUFFIXES = ("", "-wal", ".head")
_EPOCHS = count(1)


def make_epoch() -> str:
    return f"epoch{next(_EPOCHS)}"


def opened(path: Path, identity: Identity = ME, session: str = "s1") -> Opened:
    return open_journal(path, identity=identity, session=session, make_epoch=make_epoch)


def note(number: int, size: int = 40) -> NewRow:
    body: dict[str, Json] = {"what": "note", "value": {"text": f"{number}:" + "x" * size}}
    return NewRow(
        stream=Stream.LOG,
        body=body,
        mono_ms=number * 10,
        wall="2026-05-01T18:30:00.000Z",
        clock=ClockQuality.NTP,
        rev=number,
    )


def fill(journal: Journal, batches: int, each: int = 3) -> None:
    for _ in range(batches):
        journal.append([note(journal.next_seq + offset) for offset in range(each)])


@dataclass(frozen=True, slots=True)
class Files:
    """The bytes of a journal's files at one moment, as a crash would leave them."""

    database: bytes
    log: bytes
    head: bytes

    @classmethod
    def of(cls, path: Path) -> Files:
        def content(suffix: str) -> bytes:
            part = path.with_name(path.name + suffix)
            return part.read_bytes() if part.exists() else b""

        return cls(*(content(suffix) for suffix in SUFFIXES))

    def put(self, folder: Path) -> Path:
        """Write them into an emptied folder; where the journal lies."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        path = folder / "journal.sqlite"
        for suffix, content in zip(SUFFIXES, (self.database, self.log, self.head), strict=True):
            if content or suffix == "":
                path.with_name(path.name + suffix).write_bytes(content)
        return path


def all_rows(journal: Journal) -> list[Row]:
    return list(journal.rows())
