"""The console's journal: an earlier version is brought up to date with nothing lost, a later one refused."""

from __future__ import annotations

import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest

from director_console.store.acts import command_of, commands_of
from director_console.store.book import FILE, SCRIPTS, VERSION, StoreError, open_book

GIVEN = "01HZZZZZZZZZZZZZZZZZZZZZZZ"


def earlier(directory: Path, version: int) -> None:
    """A journal as that version left it, with one command in it."""
    directory.mkdir()
    with sqlite3.connect(directory / FILE) as db:
        for script in SCRIPTS[:version]:
            db.executescript(files("director_console.store").joinpath(script).read_text(encoding="utf-8"))
        db.execute("INSERT INTO meta VALUES ('version', ?)", (str(version),))
        db.execute(
            'INSERT INTO commands (id, "table", epoch, verb, args, summary, by, issued, deadline, hardware, '
            "progress, reason, attempts, changed) VALUES (?, '7', 'e1', 'ruling', '{}', '', 'anna', 1, 2, 0, "
            "'refused', 'no', 1, 3)",
            (GIVEN,),
        )
    db.close()


@pytest.mark.parametrize("version", range(1, len(SCRIPTS) + 1))
def test_a_journal_of_an_earlier_version_is_brought_up_to_date(version: int, tmp_path: Path) -> None:
    earlier(tmp_path / "console", version)
    for _ in range(2):
        book = open_book(tmp_path / "console")
        kept = command_of(book.db, GIVEN)
        assert kept is not None
        assert (kept.by, kept.reason, kept.code, kept.slots) == ("anna", "no", "", {})
        assert len(commands_of(book.db)) == 1
        assert book.meta("version") == VERSION
        book.close()


def test_a_journal_of_a_later_version_is_refused_in_one_sentence(tmp_path: Path) -> None:
    earlier(tmp_path / "console", len(SCRIPTS))
    with sqlite3.connect(tmp_path / "console" / FILE) as db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    db.close()
    with pytest.raises(StoreError, match="another version of the console wrote it; use that"):
        open_book(tmp_path / "console")
