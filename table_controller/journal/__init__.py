"""The table's record: SQLite, append-only, numbered, chained. What MQTT carries is only a copy of it.

`open_journal(path, identity=..., session=...)` -> `Opened(journal, found)`; `journal.append([NewRow, ...])`.
"""

from __future__ import annotations

from table_controller.journal.head import Head
from table_controller.journal.history import epochs_needed, history
from table_controller.journal.inspection import Inspection, inspect
from table_controller.journal.opened import (
    Found,
    JournalInUse,
    Opened,
    StorageFault,
    random_epoch,
)
from table_controller.journal.opening import open_journal
from table_controller.journal.retention import OldJournal, old_journals
from table_controller.journal.rows import NewRow, Row, body_of, message_of, row_id, sealed_row
from table_controller.journal.store import Journal, StorageFailed

__all__ = [
    "Found",
    "Head",
    "Inspection",
    "Journal",
    "JournalInUse",
    "NewRow",
    "OldJournal",
    "Opened",
    "Row",
    "StorageFailed",
    "StorageFault",
    "body_of",
    "epochs_needed",
    "history",
    "inspect",
    "message_of",
    "old_journals",
    "open_journal",
    "random_epoch",
    "row_id",
    "sealed_row",
]
