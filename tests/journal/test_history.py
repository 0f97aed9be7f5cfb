"""A record that lies in several epochs is one past: whatever ended them, however often it is begun again."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from typer.testing import CliRunner

from table_controller.journal import NewRow, Opened, Row, StorageFailed, body_of, history
from table_controller.journal.cli import app
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.messages.topics import Stream
from tests.journal.helpers import ME, note, opened


def log_row(what: What, value: dict[str, Json]) -> NewRow:
    return NewRow(stream=Stream.LOG, body={"what": what.value, "value": value}, mono_ms=1)


def start(path: Path, *texts: str) -> Opened:
    """A run: its boot row, as the service writes it, and notes."""
    book = opened(path)
    book.journal.append([log_row(What.BOOT, {"found": cast("Json", book.found.value())})])
    say(book, *texts)
    return book


def say(book: Opened, *texts: str) -> None:
    book.journal.append([log_row(What.NOTE, {"text": text}) for text in texts])


def fall_back(book: Opened) -> None:
    """As the engine does when an append has failed."""
    head = book.journal.head
    before: dict[str, Json] = {"epoch": head.epoch, "seq": head.seq}
    book.fall_back().append([log_row(What.STORAGE, {"before": before})])


def begin_again(book: Opened, again_from: int) -> None:
    """As the owner does when the console has more."""
    found = book.begin_again("the console has more", again_from=again_from)
    book.journal.append([log_row(What.STORAGE, found.value())])


def past(path: Path, book: Opened) -> list[str]:
    return texts(history(path, ME, book.journal.rows(), book.found.follows))


def texts(rows: Sequence[Row]) -> list[str]:
    values = [body_of(row)["value"] for row in rows]
    return [str(value["text"]) for value in values if isinstance(value, dict) and "text" in value]


def damage(path: Path, seq: int) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE row SET body = replace(body, 'e', 'E') WHERE seq = ?", (seq,))
    connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_what_is_sound_of_a_damaged_journal_is_the_past_at_this_start_and_at_every_later_one(path):
    start(path, "a", "b", "c").close()
    damage(path, 4)
    second = opened(path)
    assert second.found.what == "damaged"
    assert past(path, second) == ["a", "b"]
    second.journal.append([log_row(What.BOOT, {"found": cast("Json", second.found.value())})])
    say(second, "d")
    second.close()
    for text, told in (("e", "abd"), ("f", "abde"), ("g", "abdef")):
        book = start(path, text)
        assert "".join(past(path, book)) == told + text
        book.close()


def test_damage_upon_damage_is_still_one_past(path):
    for number in range(4):
        book = start(path, f"{number}kept", f"{number}lost")
        last = book.journal.head.seq
        book.close()
        damage(path, last)
    book = opened(path)
    assert past(path, book) == ["0kept", "1kept", "2kept", "3kept"]
    book.close()


def test_an_epoch_begun_because_the_console_had_more_follows_the_one_it_left_not_that_ones_own_past(path):
    start(path, "a", "b").close()
    damage(path, 3)
    book = opened(path)
    book.journal.append([log_row(What.BOOT, {"found": cast("Json", book.found.value())})])
    say(book, "c")
    book.close()
    book = opened(path)
    began = book.journal.next_seq
    say(book, "d")
    begin_again(book, began)
    say(book, "e")
    assert past(path, book) == ["a", "c", "d", "e"]
    begin_again(book, 1)
    say(book, "f")
    book.close()
    again = opened(path)
    assert past(path, again) == ["a", "c", "d", "e", "f"]
    again.close()


def test_a_storage_failure_before_a_damaged_start_before_another_is_one_past(path):
    book = start(path, "a")
    fall_back(book)
    say(book, "b")
    assert book.recover() is not None
    say(book, "c", "lost")
    last = book.journal.head.seq
    book.close()
    damage(path, last)
    book = start(path, "d")
    fall_back(book)
    say(book, "e")
    assert book.recover() is not None
    book.close()
    again = opened(path)
    assert past(path, again) == ["a", "b", "c", "d", "e"]
    again.close()


def test_a_journal_that_can_be_read_but_not_written_is_the_past_of_what_is_kept_in_memory(path, monkeypatch):
    start(path, "a", "b").close()

    def full(path: Path) -> sqlite3.Connection:
        raise StorageFailed("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("table_controller.journal.opening.connect", full)
        book = opened(path)
    assert (book.found.what, book.journal.durable) == ("unusable", False)
    assert past(path, book) == ["a", "b"]
    book.journal.append([log_row(What.BOOT, {"found": cast("Json", book.found.value())})])
    say(book, "c")
    assert past(path, book) == ["a", "b", "c"]
    assert book.recover() is not None
    say(book, "d")
    book.close()
    again = opened(path)
    assert past(path, again) == ["a", "b", "c", "d"]
    again.close()


def test_another_tables_journal_is_nobodys_past(path):
    start(path, "a").close()
    other = type(ME)(place=ME.place, table="8")
    book = opened(path, other)
    assert book.found.what == "other table"
    assert texts(history(path, other, book.journal.rows(), book.found.follows)) == []
    book.close()


def test_what_a_journal_goes_on_from_is_not_pruned(path):
    book = start(path, "a", "b")
    book.journal.note_receipt(3)
    book.close()
    damage(path, 3)
    start(path, "c").close()
    done = CliRunner().invoke(app, ["prune", str(path), "--yes", "--undelivered-too"])
    assert "goes on from it" in done.stdout
    book = opened(path)
    assert past(path, book) == ["a", "c"]
    book.close()


def test_a_row_longer_than_any_message_is_part_of_the_past(path):
    book = start(path)
    book.journal.append([note(1, 40_000)])
    book.close()
    again = opened(path)
    assert [len(text) for text in past(path, again)] == [40_002]
    again.close()
