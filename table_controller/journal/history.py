"""A table's rows over the epochs of its journal, in the order they happened.

An epoch ends when storage fails, rows were lost or the journal was damaged; the table goes on as it stands,
so whoever rebuilds its state needs what came before. The new epoch's boot or storage row names the one it
follows; where that journal still lies beside, what is sound of it comes first, over any number of epochs and
restarts. Must never write, and never take a row twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from table_controller.journal.inspection import inspect
from table_controller.journal.retention import Kept, OldJournal, found_beside
from table_controller.journal.rows import Row, body_of
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.messages.mac import NotCanonical
from table_controller.messages.topics import Identity, Stream

Follows = tuple[str, int]
"""An epoch that ended, and its last row that counts."""


def history(path: Path, identity: Identity, rows: Iterable[Row], before: Follows | None = None) -> list[Row]:
    """`rows` of the journal at `path`, after those of the epochs they follow. Numbers start anew with each.

    `before`: what a journal without rows follows, as its opening found. Rows that an epoch wrote again from
    the one before are left out where that one is found.
    """
    chain: list[list[Row]] = [list(rows)]
    found = _Beside(path, identity)
    told = [] if before is None else [before]
    while (following := _first_found(found, [*told, *_follows(chain[0])])) is not None:
        journal, seq = following
        again = f"{identity.table}-{journal.epoch}-"
        chain[0] = [row for row in chain[0] if not (row.cause or "").startswith(again)]
        chain.insert(0, list(journal.rows(1, seq)))
        told = []
    return [row for epoch_rows in chain for row in epoch_rows]


def epochs_needed(path: Path, identity: Identity, rows: Iterable[Row]) -> frozenset[str]:
    """The epochs beside `path` that its rows go on from."""
    found, needed, first = _Beside(path, identity), set[str](), list(rows)
    while (following := _first_found(found, _follows(first))) is not None:
        needed.add(following[0].epoch)
        first = list(following[0].rows(1, following[1]))
    return frozenset(needed)


class _Beside:
    """The journals beside a path, each given once; the one that lies at the path itself is the last resort:
    it is read there where it could not be written.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self._path = path
        self._identity = identity
        self._kept = {journal.epoch: journal for journal in self._readable(found_beside(path))}
        self._looked = False

    def take(self, epoch: str) -> OldJournal | None:
        if epoch not in self._kept and not self._looked and os.path.isfile(self._path):
            self._looked = True
            present = Kept(path=self._path, seen=inspect(self._path))
            self._kept.update((journal.epoch, journal) for journal in self._readable([present]))
        return self._kept.pop(epoch, None)

    def _readable(self, kept: Iterable[Kept]) -> Iterator[OldJournal]:
        for one in kept:
            try:
                journal = OldJournal(one)
            except ValueError:
                continue
            if journal.identity == self._identity:
                yield journal


def _first_found(found: _Beside, wanted: Iterable[Follows]) -> tuple[OldJournal, int] | None:
    for epoch, seq in wanted:
        journal = found.take(epoch)
        if journal is not None:
            return journal, seq
    return None


def _follows(rows: list[Row]) -> list[Follows]:
    """The epochs that these rows may follow, the nearest first: what a row says that was written again from
    another epoch is of that one's past.
    """
    said = [(row.cause is not None, follows) for row in rows if (follows := _said(row)) is not None]
    return [follows for _, follows in sorted(said, key=lambda one: one[0])]


def _said(row: Row) -> Follows | None:
    """What a row about a journal's beginning says it follows."""
    if row.stream != Stream.LOG:
        return None
    try:
        body = body_of(row)
    except NotCanonical:
        return None
    what, value = body.get("what"), body.get("value")
    if what == What.BOOT and isinstance(value, dict):
        value = value.get("found")
    elif what != What.STORAGE:
        return None
    return _named(value) if isinstance(value, dict) else None


def _named(value: dict[str, Json]) -> Follows | None:
    before = value.get("before")
    if not isinstance(before, dict):
        return None
    epoch, seq = before.get("epoch"), before.get("seq")
    return (epoch, seq) if isinstance(epoch, str) and isinstance(seq, int) else None
