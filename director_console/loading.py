"""The hall as the console's journal tells it, at the start.

Entries, faults, boards and acts are folded whole; of the log only the last view of each table, since that is
enough for a tile and the rest is read when a page asks for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from director_console.projection.fold import fold
from director_console.projection.hall import Hall
from director_console.projection.inputs import Input, RowSeen, TableKnown
from director_console.reading import inputs_of_stored, snapshot_of
from director_console.store import reports
from director_console.store.acts import all_acts
from director_console.store.timekeeping import kept
from table_controller.messages import Envelope, Message, read_body
from table_controller.messages.mac import KeyRing, parse_object


def load(db: sqlite3.Connection, keys: KeyRing | None = None, first_rev: int = 0) -> Hall:
    """Everything kept, folded. Tables with a key but no word yet are on the wall too.

    `first_rev`: where revisions begin. With the time of the start they go on rising over restarts, so that a
    page from before is brought up to date like any other.
    """
    return fold(Hall(rev=first_rev), _inputs(db, keys))


def _inputs(db: sqlite3.Connection, keys: KeyRing | None) -> Iterator[Input]:
    words = reports.last_words(db)
    progress = reports.progress(db)
    current = dict(progress.keys()) | {word.name: word.epoch for word in words}
    for table, epoch in current.items():
        upto = progress.get((table, epoch), 0)
        yield RowSeen(table=table, epoch=epoch, seq=upto, upto=upto, at=0, live=False)
    for word in words:
        snapshot = snapshot_of(_message(word.state), word.heard, live=True)
        if snapshot is not None:
            yield snapshot
    for report in reports.all_of(db, ("irregularity", "fault"), ("board", "board_time", "session_time")):
        yield from inputs_of_stored(report)
    for table, epoch in current.items():
        view = reports.latest(db, table, epoch, "view")
        if view is not None:
            yield from inputs_of_stored(view)
    yield from all_acts(db)
    yield from kept(db)
    for name in () if keys is None else keys.tables:
        yield TableKnown(table=name)


def _message(raw: bytes) -> Message:
    envelope = Envelope.model_validate(parse_object(raw))
    return Message(envelope=envelope, body=read_body(envelope))
