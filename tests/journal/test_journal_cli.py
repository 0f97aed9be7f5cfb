"""`journal verify|export|gaps|prune`: what a person and a program get."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.journal import message_of
from table_controller.journal.cli import app
from table_controller.journal.retention import old_journals
from table_controller.messages.topics import Identity, Place
from tests.journal.helpers import ME, all_rows, fill, opened

run = CliRunner().invoke


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    book = opened(path)
    fill(book.journal, 4)
    book.journal.note_receipt(10)
    book.close()
    return path


def tamper(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def test_verify_of_a_sound_journal(path):
    done = run(app, ["verify", str(path)])
    assert (done.exit_code, done.stdout) == (0, f"{path}: sound, 12 rows\n")
    said = json.loads(run(app, ["verify", str(path), "--json"]).stdout)
    assert said["sound"] is True
    assert (said["rows"], said["confirmed"], said["table"], said["event"]) == (12, 10, "7", "teams")


def test_verify_names_every_row_that_is_wrong(path):
    tamper(path, "UPDATE row SET rev = 0 WHERE seq IN (3, 8)")
    done = run(app, ["verify", str(path)])
    assert done.exit_code == 1
    assert "row 3 was altered" in done.stdout
    assert "row 8 was altered" in done.stdout
    assert json.loads(run(app, ["verify", str(path), "--json"]).stdout)["sound"] is False


def no_head_file(head: Path) -> None:
    head.unlink()


def garbage(head: Path) -> None:
    head.write_bytes(b"garbage")


def emptied(head: Path) -> None:
    head.write_bytes(b"")


def a_folder(head: Path) -> None:
    head.unlink()
    head.mkdir()


@pytest.mark.parametrize(
    ("what", "said", "note"),
    [
        (no_head_file, "absent", "there is no head file beside it"),
        (garbage, "unreadable", "the head file beside it cannot be read"),
        (emptied, "unreadable", "the head file beside it cannot be read"),
        (a_folder, "unreadable", "the head file beside it cannot be read"),
    ],
)
def test_verify_says_what_there_is_of_the_head_file(path, what, said, note):
    assert json.loads(run(app, ["verify", str(path), "--json"]).stdout)["head_file"] == "fits"
    what(path.with_name(path.name + ".head"))
    verdict = json.loads(run(app, ["verify", str(path), "--json"]).stdout)
    assert (verdict["sound"], verdict["head_file"]) == (True, said)
    assert note in run(app, ["verify", str(path)]).stdout


def test_a_head_file_that_remembers_more_differs(path):
    tamper(path, "DELETE FROM row WHERE seq = 12")
    verdict = json.loads(run(app, ["verify", str(path), "--json"]).stdout)
    assert (verdict["sound"], verdict["head_file"]) == (False, "differs")


def test_export_is_the_messages_in_order(path):
    done = run(app, ["export", str(path)])
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    book = opened(path)
    expected = [
        message_of(row, ME, book.journal.epoch).model_dump(mode="json") for row in all_rows(book.journal)
    ]
    book.close()
    for message in expected:
        del message["mac"]
    assert lines == expected
    assert [json.loads(line)["seq"] for line in run(app, ["export", str(path), "--first", "5", "--last", "6"]).stdout.splitlines()] == [5, 6]  # fmt: skip  # noqa: E501


def test_export_writes_what_can_be_read_and_says_what_cannot(path):
    tamper(path, "DELETE FROM row WHERE seq = 3")
    done = run(app, ["export", str(path), "--what", "note"])
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 11
    assert "row 3 is missing" in done.stderr


def test_gaps_tells_of_all_journals_of_the_table(path):
    other = Identity(place=Place(venue="hall", event="pairs"), table="7")
    book = opened(path, identity=other)
    fill(book.journal, 1)
    book.close()
    said = json.loads(run(app, ["gaps", str(path), "--json"]).stdout)
    assert [(one["event"], one["rows"], one["confirmed"]) for one in said] == [
        ("pairs", 3, 0),
        ("teams", 12, 10),
    ]
    done = run(app, ["gaps", str(path)])
    assert done.exit_code == 0
    assert "teams" in done.stdout


def test_nothing_the_console_may_lack_is_removed_unless_told_twice(path):
    other = Identity(place=Place(venue="hall", event="pairs"), table="7")
    opened(path, identity=other).close()
    old = path.with_name("journal.sqlite.old-1")
    assert "stays: the console has not confirmed 2" in run(app, ["prune", str(path), "--yes"]).stdout
    assert old.exists()
    assert "would be removed" in run(app, ["prune", str(path), "--undelivered-too"]).stdout
    assert old.exists()
    said = run(app, ["prune", str(path), "--yes", "--undelivered-too"]).stdout
    assert "12 rows" in said
    assert not old.exists()
    assert path.with_name("journal.sqlite.removed").read_text() == said
    assert path.exists()
    assert run(app, ["prune", str(path), "--yes"]).stdout == "nothing to remove\n"


def unreadable(path: Path) -> None:
    path.write_bytes(b"no database at all")


def cut_short(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def of_another_format(path: Path) -> None:
    tamper(path, "PRAGMA user_version = 99")


def altered(path: Path) -> None:
    tamper(path, "UPDATE row SET rev = 0 WHERE seq = 11")


def altered_and_its_head_file_gone(path: Path) -> None:
    altered(path)
    path.with_name(path.name + ".head").unlink()


def set_aside(path: Path, receipt: int) -> Path:
    """A journal of twelve rows of an earlier event, of which the console has confirmed so many."""
    book = opened(path)
    book.journal.note_receipt(receipt)
    book.close()
    other = Identity(place=Place(venue="hall", event="pairs"), table="7")
    opened(path, identity=other).close()
    return path.with_name("journal.sqlite.old-1")


DAMAGE = (unreadable, cut_short, of_another_format, altered_and_its_head_file_gone)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda one: one.__name__)
def test_of_what_cannot_be_read_the_console_may_lack_rows(path, damage):
    old = set_aside(path, receipt=12)
    damage(old)
    said = run(app, ["prune", str(path), "--yes"])
    assert said.exit_code == 0
    assert said.stdout.startswith(f"{old.name} stays: ")
    assert "the console may lack" in said.stdout or "has not confirmed" in said.stdout
    assert "--undelivered-too" in said.stdout
    assert old.exists()
    assert "was removed" in run(app, ["prune", str(path), "--yes", "--undelivered-too"]).stdout
    assert not old.exists()


def test_a_damaged_journal_whose_every_row_was_confirmed_is_removed(path):
    old = set_aside(path, receipt=12)
    altered(old)
    assert "was removed" in run(app, ["prune", str(path), "--yes"]).stdout
    assert not old.exists()


def test_gaps_does_not_say_of_what_it_cannot_read_that_nothing_is_lacking(path):
    old = set_aside(path, receipt=12)
    unreadable(old)
    said = run(app, ["gaps", str(path)], env={"COLUMNS": "200"}).stdout
    (line,) = (line for line in said.splitlines() if old.name in line)
    assert line.count("?") == 4


@pytest.mark.parametrize("damage", [unreadable, cut_short, of_another_format], ids=lambda one: one.__name__)
def test_nothing_is_removed_while_the_present_journal_does_not_say_what_it_needs(path, damage):
    old = set_aside(path, receipt=12)
    damage(path)
    if damage is cut_short:
        path.write_bytes(path.read_bytes()[:5000])
    done = run(app, ["prune", str(path), "--yes", "--undelivered-too"])
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert old.exists()


def test_rows_of_a_damaged_journal_can_still_be_delivered(path):
    tamper(path, "UPDATE row SET rev = 0 WHERE seq = 12")
    book = opened(path)
    assert book.found.what == "damaged"
    (old,) = old_journals(path, ME)
    assert (old.head.seq, old.head.upto) == (11, 10)
    assert [row.seq for row in old.rows(11, 99)] == [11]
    assert old_journals(path, Identity(place=ME.place, table="8")) == []
    book.close()


COMMANDS = ("verify", "export", "gaps", "prune")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["none.sqlite", "no/folder/none.sqlite", "", "/dev/null", "n" * 300])
def test_what_is_no_file_is_one_sentence_and_exit_code_2(tmp_path, command, name):
    done = run(app, [command, str(tmp_path / name)])
    assert done.exit_code == 2
    said = ("there is no such file", "this is a directory", "this is no file", "we may not look there")
    assert any(one in done.stderr for one in said)
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_no_journal_is_said_with_exit_code_1(tmp_path, command):
    path = tmp_path / "journal.sqlite"
    path.write_text("a text, and no journal at all\n")
    done = run(app, [command, str(path)], env={"COLUMNS": "200"})
    assert done.exit_code == 1
    assert "file is not a database" in done.output


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command):
    done = run(app, [command, "--help"])
    assert done.exit_code == 0
    assert "Example: table-controller journal" in done.stdout
