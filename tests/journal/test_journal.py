"""The journal keeps what it was given, in order, and says at every start what it found."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from table_controller.journal import JournalInUse, StorageFailed, inspect, sealed_row
from table_controller.messages import LogBody, mac, open_sealed
from table_controller.messages.topics import Identity, Place
from table_controller.screen.entry import FaultKind
from tests.journal.helpers import ME, Files, all_rows, fill, note, opened

KEY = b"k" * 32


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite"


def test_rows_are_numbered_from_one_and_the_number_is_known_beforehand(path):
    book = opened(path)
    assert book.journal.next_seq == 1
    assert book.journal.append([note(1), note(2)]) == [1, 2]
    assert book.journal.next_seq == 3
    assert book.journal.append([]) == []
    assert book.journal.append([note(3)]) == [3]
    assert [row.seq for row in book.journal.rows()] == [1, 2, 3]
    assert [row.seq for row in book.journal.rows(2, 2)] == [2]
    book.close()


def test_a_closed_journal_is_gone_on_with_in_the_same_epoch(path):
    first = opened(path)
    assert first.found.what == "new"
    fill(first.journal, 4)
    epoch, rows = first.journal.epoch, all_rows(first.journal)
    first.close()
    again = opened(path, session="s2")
    assert again.found.what == "sound"
    assert again.found.faults == ()
    assert (again.journal.epoch, again.journal.next_seq) == (epoch, 13)
    assert all_rows(again.journal) == rows
    again.journal.append([note(13)])
    assert [row.session for row in again.journal.rows(12)] == ["s1", "s2"]
    again.close()
    assert inspect(path).complaints == ()


def test_a_row_is_the_same_message_at_every_sending(path):
    book = opened(path)
    fill(book.journal, 1)
    (row,) = book.journal.rows(2, 2)
    topic, payload = sealed_row(row, ME, book.journal.epoch, KEY)
    assert sealed_row(row, ME, book.journal.epoch, KEY) == (topic, payload)
    message = open_sealed(topic, payload, lambda table: KEY if table == "7" else None)
    assert message.envelope.id == f"7-{book.journal.epoch}-2"
    assert message.envelope.rev == 2
    assert isinstance(message.body, LogBody)
    book.close()


def test_a_second_process_cannot_open_it_and_the_first_is_undisturbed(path):
    book = opened(path)
    with pytest.raises(JournalInUse, match="another process"):
        opened(path)
    book.journal.append([note(1)])
    book.close()
    opened(path).close()


def test_a_reader_may_look_while_it_is_written(path):
    book = opened(path)
    fill(book.journal, 5)
    seen = inspect(path)
    assert (seen.seq, seen.complaints) == (15, ())
    fill(book.journal, 1)
    assert inspect(path).seq == 18
    book.close()


def test_every_commit_is_synced(path):
    book = opened(path)
    connection = book.journal._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    book.close()


def test_the_journal_of_another_table_is_kept_and_not_written_into(path):
    """A renamed table's ghost: rows are named by their table for ever."""
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    before = path.read_bytes()
    renamed = Identity(place=ME.place, table="12")
    other = opened(path, identity=renamed)
    assert other.found.what == "other table"
    assert other.found.aside is not None
    assert other.found.aside.read_bytes() == before
    assert other.found.before is not None
    assert other.found.before.seq == 6
    assert other.journal.next_seq == 1
    other.close()
    assert inspect(other.found.aside).complaints == ()


def test_another_event_begins_its_own_journal_and_keeps_the_last_ones(path):
    for number in range(3):
        book = opened(path, identity=Identity(place=Place(venue="hall", event=f"event{number}"), table="7"))
        fill(book.journal, 1)
        book.close()
    kept = sorted(part.name for part in path.parent.glob("journal.sqlite.old-?"))
    assert kept == ["journal.sqlite.old-1", "journal.sqlite.old-2"]
    for name in kept:
        assert inspect(path.with_name(name)).seq == 3


def test_a_receipt_is_remembered_as_a_hint(path):
    book = opened(path)
    fill(book.journal, 3)
    book.journal.note_receipt(7)
    book.journal.note_receipt(5)
    book.journal.note_receipt(99)
    assert book.journal.head.upto == 7
    book.close()
    again = opened(path)
    assert again.journal.head.upto == 7
    again.close()


def test_a_restored_older_copy_is_not_gone_on_with(path):
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    old = Files.of(path)
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    path.write_bytes(old.database)
    again = opened(path)
    assert again.found.what == "damaged"
    assert "rows 7 to 12 were committed and are gone" in again.found.sentence
    assert again.found.faults[0].kind is FaultKind.JOURNAL_DAMAGED
    assert again.journal.next_seq == 1
    again.close()


def test_a_journal_that_vanished_is_not_replaced_in_silence(path):
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    path.unlink()
    again = opened(path)
    assert again.found.what == "gone"
    assert again.found.faults
    again.close()
    assert opened(path).found.what == "sound"


def test_a_log_left_by_a_lost_database_never_reaches_the_new_one(path):
    book = opened(path)
    fill(book.journal, 2)
    files = Files.of(path)
    book.close()
    assert files.log
    path = files.put(path.parent / "again")
    path.unlink()
    again = opened(path)
    assert again.found.what == "gone"
    assert all_rows(again.journal) == []
    again.close()


@pytest.mark.parametrize(
    "content", [b"", b"x", b"not a database at all" * 400, b"SQLite format 3\0" + b"\0" * 4000, bytes(8192)]
)
def test_a_file_that_is_no_journal_is_set_aside(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    book = opened(path)
    assert book.found.what == "damaged"
    assert book.found.aside is not None
    assert book.found.aside.read_bytes() == content
    book.journal.append([note(1)])
    book.close()
    assert opened(path).found.what == "sound"


def test_somebody_elses_database_is_set_aside_and_not_touched(path):
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (name TEXT)")
    connection.commit()
    connection.close()
    content = path.read_bytes()
    book = opened(path)
    assert "no journal of a screen table" in book.found.sentence
    assert book.found.aside is not None
    assert book.found.aside.read_bytes() == content
    book.close()


def test_a_lost_head_file_is_said_and_made_anew(path):
    book = opened(path)
    fill(book.journal, 2)
    epoch = book.journal.epoch
    book.close()
    path.with_name(path.name + ".head").unlink()
    again = opened(path)
    assert again.journal.epoch == epoch
    assert again.found.faults
    again.close()
    assert opened(path).found.faults == ()


def test_in_memory_the_journal_is_the_same_but_says_that_it_is_not_safe(tmp_path):
    (tmp_path / "file").write_text("")
    book = opened(tmp_path / "file" / "journal.sqlite")
    assert book.found.what == "unusable"
    assert book.found.faults[0].kind is FaultKind.STORAGE_FAILED
    assert book.found.faults[0].standing
    assert not book.journal.durable
    assert book.journal.append([note(1), note(2)]) == [1, 2]
    assert len(all_rows(book.journal)) == 2
    book.close()


def test_nothing_is_written_after_a_write_has_failed(path):
    """A commit that failed may yet be on the disk: its numbers must never be used for other rows."""
    book = opened(path)
    fill(book.journal, 1)
    book.journal._connection.execute("PRAGMA max_page_count = 5")
    with pytest.raises(StorageFailed, match="cannot be written"):
        fill(book.journal, 2000)
    reached = book.journal.head.seq
    book.journal._connection.execute("PRAGMA max_page_count = 100000")
    with pytest.raises(StorageFailed):
        book.journal.append([note(0)])
    book.close()
    again = opened(path)
    assert again.found.what == "sound"
    assert again.journal.head.seq == reached
    again.close()


WRITER = """
import sys
from pathlib import Path
from tests.journal.helpers import note, opened
journal = opened(Path(sys.argv[1])).journal
while True:
    rows = [note(journal.next_seq + i, 200) for i in range(1 + journal.next_seq % 5)]
    print(journal.append(rows)[-1], flush=True)
"""


@pytest.mark.parametrize(
    "seed", [0, 7, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 7))]
)
def test_killed_at_any_moment_it_loses_at_most_the_batch_being_written(path, seed):
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    written = 0
    for life in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, env=env
        )
        assert process.stdout is not None
        said = [process.stdout.readline()]
        time.sleep((seed * 3 + life) * 0.007)
        process.send_signal(signal.SIGKILL)
        said.extend(process.stdout.read().splitlines())
        process.wait()
        process.stdout.close()
        told = [int(line) for line in said if line.strip()]
        assert told[0] > written
        again = opened(path)
        assert again.found.what == "cut off"
        head = again.journal.head.seq
        assert told[-1] <= head <= told[-1] + 5
        assert again.found.sentence.endswith(f"row {head} is the newest")
        written = head
        again.close()
    assert inspect(path).complaints == ()


def test_keys_are_never_in_the_journal(path):
    book = opened(path)
    fill(book.journal, 1)
    sealed_row(next(book.journal.rows()), ME, book.journal.epoch, KEY)
    book.close()
    assert KEY not in path.read_bytes()
    assert KEY.hex().encode() not in path.read_bytes()
    assert mac.KeyRing(venue=KEY, tables={}).of(None) == KEY


def test_the_files_are_their_owners_alone_also_those_an_older_version_left_open_to_all(tmp_path):
    path = tmp_path / "journal.sqlite"
    book = opened(path)
    fill(book.journal, 1)
    assert {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir() if file.is_file()} == (
        dict.fromkeys((file.name for file in tmp_path.iterdir()), 0)
    )
    assert (tmp_path / "journal.sqlite-wal").exists()
    book.close()
    path.chmod(0o644)
    opened(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
