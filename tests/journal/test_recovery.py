"""Storage that fails and works again, and a console that knows more than the journal: no number is used
twice.
"""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal import Opened, Row, StorageFailed, inspect
from table_controller.journal.database import write_rows
from table_controller.journal.retention import old_journals
from table_controller.screen.entry import FaultKind
from tests.journal.helpers import ME, all_rows, fill, note, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def broken(book: Opened) -> int:
    """Make the storage fail as a full disk does; how many rows had been committed."""
    book.journal._connection.execute("PRAGMA max_page_count = 6")
    with pytest.raises(StorageFailed):
        fill(book.journal, 5000)
    return book.journal.head.seq


def test_the_table_goes_on_in_memory_in_an_epoch_of_its_own(path):
    book = opened(path)
    epoch = book.journal.epoch
    committed = broken(book)
    memory = book.fall_back()
    assert memory is book.journal
    assert (memory.durable, memory.next_seq) == (False, 1)
    assert memory.epoch != epoch
    fill(memory, 2)
    assert len(all_rows(memory)) == 6
    book.close()
    again = opened(path)
    assert (again.journal.epoch, again.journal.head.seq) == (epoch, committed)
    again.close()


def test_when_the_storage_works_again_what_was_kept_in_memory_is_written_as_the_same_rows(path):
    book = opened(path)
    committed = broken(book)
    first = book.journal.epoch
    memory = book.fall_back()
    fill(memory, 3)
    rows, epoch = all_rows(memory), memory.epoch
    recovered = book.recover()
    assert recovered is book.journal
    assert recovered.durable
    assert (recovered.epoch, recovered.next_seq) == (epoch, 10)
    assert all_rows(recovered) == rows
    fill(recovered, 1)
    assert book.recover() is None
    book.close()
    assert inspect(path).complaints == ()
    again = opened(path)
    assert again.found.what == "sound"
    assert again.journal.head.seq == 12
    (old,) = old_journals(path, ME)
    assert (old.epoch, old.head.seq) == (first, committed)
    again.close()


def test_what_was_committed_before_the_storage_failed_can_still_be_read_and_sent(path):
    book = opened(path)
    old = book.journal
    committed = broken(book)
    book.fall_back()
    assert len(all_rows(old)) == committed
    book.close()


def test_a_table_that_started_in_memory_recovers_too(tmp_path):
    blocked = tmp_path / "data"
    blocked.write_text("a file where the folder should be")
    book = opened(blocked / "journal.sqlite")
    fill(book.journal, 1)
    assert book.recover() is None
    blocked.unlink()
    blocked.mkdir()
    recovered = book.recover()
    assert recovered is not None
    assert recovered.head.seq == 3
    book.close()
    assert opened(blocked / "journal.sqlite").found.what == "sound"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def test_a_full_disk_is_left_alone_until_there_is_room(small_disk):
    path = small_disk / "journal.sqlite"
    book = opened(path)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 500_000)
    with pytest.raises(StorageFailed):
        fill(book.journal, 5000)
    committed = book.journal.head.seq
    fill(book.fall_back(), 300)
    assert book.recover() is None
    assert inspect(path).seq == committed
    assert not list(small_disk.glob("*.draft*"))
    ballast.unlink()
    assert book.recover() is not None
    book.close()
    assert inspect(path).seq == 900


def test_a_process_that_died_between_the_two_renames_finds_its_rows(path):
    book = opened(path)
    broken(book)
    memory = book.fall_back()
    fill(memory, 2)
    epoch = memory.epoch
    assert book.recover() is not None
    book.close()
    path.rename(path.with_name("journal.sqlite.draft"))
    path.with_name("journal.sqlite.head").unlink()
    again = opened(path)
    assert (again.journal.epoch, again.journal.head.seq) == (epoch, 6)
    again.close()


def test_rows_only_the_console_has_end_the_epoch_and_this_runs_rows_get_new_numbers(path):
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    again = opened(path, session="s2")
    first = again.journal.epoch
    started = again.journal.next_seq
    fill(again.journal, 1)
    found = again.begin_again("the console has rows up to 20", again_from=started)
    assert again.journal.epoch != first
    assert found.faults[0].kind is FaultKind.JOURNAL_DAMAGED
    assert found.before is not None
    assert found.before.seq == 9
    rows = all_rows(again.journal)
    assert [row.seq for row in rows] == [1, 2, 3]
    assert [row.cause for row in rows] == [f"7-{first}-{seq}" for seq in (7, 8, 9)]
    assert found.aside is not None
    assert inspect(found.aside).seq == 9
    fill(again.journal, 1)
    again.close()
    assert opened(path).found.what == "sound"


def test_a_new_epoch_on_a_disk_that_is_full_goes_on_in_memory_with_this_runs_rows(path, monkeypatch):
    book = opened(path)
    fill(book.journal, 2)
    first = book.journal.epoch

    def full(connection: sqlite3.Connection, rows: list[Row]) -> None:
        if connection.execute("PRAGMA database_list").fetchone()[2]:
            raise sqlite3.OperationalError("database or disk is full")
        write_rows(connection, rows)

    monkeypatch.setattr("table_controller.journal.store.write_rows", full)
    found = book.begin_again("the console has rows up to 20", again_from=4)
    assert not book.journal.durable
    assert [(fault.kind, fault.standing) for fault in found.faults] == [
        (FaultKind.JOURNAL_DAMAGED, False),
        (FaultKind.STORAGE_FAILED, True),
    ]
    kept = all_rows(book.journal)
    assert [row.cause for row in kept] == [f"7-{first}-{seq}" for seq in (4, 5, 6)]
    monkeypatch.undo()
    recovered = book.recover()
    assert recovered is not None
    assert all_rows(recovered) == kept
    book.close()


def test_an_append_after_a_failed_one_is_refused_until_the_journal_is_changed(path):
    book = opened(path)
    broken(book)
    with pytest.raises(StorageFailed):
        book.journal.append([note(1)])
    book.fall_back().append([note(1)])
    book.close()


def test_a_damaged_page_met_while_running_is_a_storage_failure_not_a_crash(path):
    book = opened(path)
    fill(book.journal, 40)
    book.journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    book.journal._connection.execute("PRAGMA cache_size = 0")
    content = bytearray(path.read_bytes())
    content[8192:] = b"\x5a" * (len(content) - 8192)
    path.write_bytes(bytes(content))
    with pytest.raises(StorageFailed):
        list(book.journal.rows())
    book.fall_back()
    book.close()
    assert opened(path).found.what == "damaged"
    assert sqlite3.sqlite_version_info >= (3, 37)
