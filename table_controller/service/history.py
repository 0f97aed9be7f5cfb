"""A table's rows over the epochs of its journal, in the order they happened.

An epoch ends when storage fails or rows were lost; the table goes on as it stands, so whoever rebuilds its
state needs what came before. The new epoch's storage row names the one it follows; where that journal still
lies beside, its rows come first. Must never write, and never take a row twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from table_controller.journal import OldJournal, Row
from table_controller.journal.retention import kept_beside
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.messages.topics import Identity
from table_controller.service.resume import log_of

MOST_EPOCHS = 50


def history(path: Path, identity: Identity, rows: Iterable[Row]) -> list[Row]:
    """`rows` of the journal at `path`, after those of the epochs they follow. Numbers start anew with each.

    Rows that an epoch wrote again from the one before are left out where that one is found. Raises
    JournalUnreadable, OSError.
    """
    own = list(rows)
    chain: list[list[Row]] = [own]
    found = {journal.epoch: journal for journal in _beside(path, identity)}
    while len(chain) < MOST_EPOCHS:
        before = _follows(chain[0])
        if before is None or before[0] not in found:
            break
        epoch, seq = before
        again = f"{identity.table}-{epoch}-"
        chain[0] = [row for row in chain[0] if not (row.cause or "").startswith(again)]
        chain.insert(0, list(found.pop(epoch).rows(1, seq)))
    return [row for epoch_rows in chain for row in epoch_rows]


def _beside(path: Path, identity: Identity) -> Iterator[OldJournal]:
    for kept in kept_beside(path):
        try:
            journal = OldJournal(kept)
        except ValueError:
            continue
        if journal.identity == identity:
            yield journal


def _follows(rows: list[Row]) -> tuple[str, int] | None:
    """The epoch that these rows follow while the table ran on, and its last row."""
    for row in rows:
        found = log_of(row)
        if found is not None and found[0] is What.STORAGE:
            before = found[1].get("before")
            if isinstance(before, dict):
                return _named(before)
    return None


def _named(before: dict[str, Json]) -> tuple[str, int] | None:
    epoch, seq = before.get("epoch"), before.get("seq")
    return (epoch, seq) if isinstance(epoch, str) and isinstance(seq, int) else None
