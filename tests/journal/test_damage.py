"""Damage of every kind is noticed and set aside; a crash is not damage. Never silently empty or changed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.journal import Row, inspect
from tests.journal.helpers import Files, all_rows, fill, note, opened

PAGE = 4096


class Specimen:
    """A journal before and after its last commit, while it is being written and after it was closed."""

    def __init__(self, folder: Path) -> None:
        path = folder / "specimen" / "journal.sqlite"
        book = opened(path)
        fill(book.journal, 8)
        self.before = Files.of(path)
        self.head_before = book.journal.head
        book.journal.append([note(25, 300), note(26, 300)])
        self.after = Files.of(path)
        self.head_after = book.journal.head
        self.rows = all_rows(book.journal)
        book.close()
        self.closed = Files.of(path)
        self.bench = folder / "bench"

    def verdict(self, files: Files) -> tuple[bool, int, list[Row]]:
        """Whether the journal is gone on with, its head, and its rows as they are then."""
        path = files.put(self.bench)
        seen = inspect(path)
        if seen.complaints or seen.origin is None:
            return False, seen.seq, []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            found = connection.execute("SELECT seq, body, crc, digest FROM row ORDER BY seq").fetchall()
        rows = [row for row in self.rows if row.seq <= seen.seq]
        assert [(row.seq, row.body, row.crc, row.digest) for row in rows] == found
        return True, seen.seq, rows


@pytest.fixture(scope="module")
def specimen(tmp_path_factory: pytest.TempPathFactory) -> Specimen:
    return Specimen(tmp_path_factory.mktemp("damage"))


def test_the_specimen_itself_is_sound(specimen):
    assert specimen.head_after.seq == 26
    for files, head in ((specimen.before, 24), (specimen.after, 26), (specimen.closed, 26)):
        assert specimen.verdict(files)[:2] == (True, head)
    assert len(specimen.after.log) > len(specimen.before.log) > 0
    assert specimen.closed.log == b""


def cuts(start: int, end: int, every: int) -> Iterator[int]:
    """Every `every`-th byte, and all bytes near the ends and near page borders."""
    for cut in range(start, end):
        near = min(cut - start, end - 1 - cut, (cut - 32) % (PAGE + 24), -(cut - 32) % (PAGE + 24))
        if near < 3 or cut % every == 0:
            yield cut


@pytest.mark.parametrize("every", [97, pytest.param(1, marks=pytest.mark.long)])
def test_a_crash_while_a_batch_is_written_loses_that_batch_and_nothing_else(specimen, every):
    """The head file is written after the commit, so it still names the batch before."""
    for cut in cuts(len(specimen.before.log), len(specimen.after.log), every):
        files = replace(specimen.before, log=specimen.after.log[:cut])
        sound, head, _ = specimen.verdict(files)
        assert sound, cut
        assert head == 24, cut


@pytest.mark.parametrize("every", [97, pytest.param(1, marks=pytest.mark.long)])
def test_a_log_cut_after_it_was_committed_is_noticed(specimen, every):
    """SQLite itself says nothing: it takes the cut transaction for one that never ended."""
    for cut in cuts(len(specimen.before.log), len(specimen.after.log), every):
        files = replace(specimen.after, log=specimen.after.log[:cut])
        sound, head, _ = specimen.verdict(files)
        assert not sound, cut
        assert head == 24, cut


@pytest.mark.parametrize("every", [97, pytest.param(1, marks=pytest.mark.long)])
def test_a_database_cut_anywhere_is_noticed(specimen, every):
    size = len(specimen.closed.database)
    for cut in cuts(max(0, size - 2 * PAGE), size, every):
        sound, _, _ = specimen.verdict(replace(specimen.closed, database=specimen.closed.database[:cut]))
        assert not sound, cut


def test_a_whole_log_lost_is_noticed(specimen):
    sound, _, _ = specimen.verdict(replace(specimen.after, log=b""))
    assert not sound


def test_a_crash_while_the_log_is_folded_in_loses_nothing(specimen):
    """Any number of pages may have reached the database; the log is whole, and is folded in again."""
    old, new = specimen.after.database, specimen.closed.database
    old = old.ljust(len(new), b"\0")
    pages = len(new) // PAGE
    for done in range(pages + 1):
        mixed = new[: done * PAGE] + old[done * PAGE :]
        for length in (len(mixed), max(done * PAGE, len(specimen.after.database))):
            files = replace(specimen.after, database=mixed[:length])
            assert specimen.verdict(files)[:2] == (True, 26), (done, length)


@pytest.mark.parametrize("every", [31, pytest.param(1, marks=pytest.mark.long)])
def test_a_head_file_cut_or_torn_never_makes_a_sound_journal_suspect(specimen, every):
    size = len(specimen.after.head)
    for cut in sorted({*range(0, size + 1, every), *range(505, 520), 0, 1, size - 1, size}):
        files = replace(specimen.after, head=specimen.after.head[:cut])
        sound, head, _ = specimen.verdict(files)
        assert (sound, head) == (True, 26), cut


def flip(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize(("seed", "flips"), [(1, 150), pytest.param(2, 6000, marks=pytest.mark.long)])
@pytest.mark.parametrize("part", ["database", "log", "head", "closed database"])
def test_a_flipped_bit_is_noticed_or_changes_nothing(specimen, part, seed, flips):
    """`verdict` compares every row with what was written: a change that is not noticed fails there."""
    files = specimen.closed if part == "closed database" else specimen.after
    name = part.removeprefix("closed ")
    content: bytes = getattr(files, name)
    draw = random.Random(seed)
    noticed = 0
    for _ in range(flips):
        bit = draw.randrange(8 * len(content))
        sound, head, _ = specimen.verdict(replace(files, **{name: flip(content, bit)}))
        noticed += not sound
        assert not sound or head == 26, bit
    if part == "log":
        assert noticed > flips * 0.4
    if part == "head":
        assert noticed == 0


def test_what_sqlite_itself_would_have_missed(specimen):
    """Why the chain and the head file are there: most flips in rows pass SQLite's own check."""
    draw = random.Random(3)
    missed = caught = 0
    for _ in range(80):
        bit = draw.randrange(8 * len(specimen.closed.database))
        files = replace(specimen.closed, database=flip(specimen.closed.database, bit))
        sound, _, _ = specimen.verdict(files)
        if sound:
            continue
        path = files.put(specimen.bench)
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                quiet = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        except sqlite3.DatabaseError:
            quiet = False
        missed += quiet
        caught += not quiet
    assert missed > caught / 4


class TestByHand:
    """What somebody does with a database tool is named by `verify`, row by row."""

    @pytest.fixture
    def path(self, specimen: Specimen, tmp_path: Path) -> Path:
        return specimen.closed.put(tmp_path / "hand")

    @staticmethod
    def tamper(path: Path, statement: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()

    @pytest.mark.parametrize(
        ("statement", "says"),
        [
            ("UPDATE row SET body = replace(body, '7:', '8:') WHERE seq = 7", "row 7 was altered"),
            ("UPDATE row SET mono_ms = mono_ms + 1 WHERE seq = 11", "row 11 was altered"),
            ("UPDATE row SET stream = 'visit' WHERE seq = 3", "row 3 was altered"),
            ("UPDATE row SET wall = NULL WHERE seq = 3", "row 3 was altered"),
            ("DELETE FROM row WHERE seq = 9", "row 9 is missing, row 10 follows"),
            ("DELETE FROM row WHERE seq = 1", "row 1 is missing, row 2 follows"),
            ("DELETE FROM row WHERE seq > 20", "rows 21 to 26 were committed and are gone"),
            ("DELETE FROM row", "rows 1 to 26 were committed and are gone"),
            ("UPDATE row SET seq = 0 WHERE seq = 1", "row 1 is missing, row 0 follows"),
            ("INSERT INTO row SELECT 27, stream, session, mono_ms, wall, clock, rev, cause, body, crc, digest"
             " FROM row WHERE seq = 26", "row 27 was altered"),
            ("UPDATE journal SET table_name = '8'", "row 1 does not continue the row before it"),
            ("UPDATE journal SET epoch = 'other'", "row 1 does not continue the row before it"),
            ("CREATE TABLE extra (x)", "its tables are not the journal's"),
        ],
    )  # fmt: skip
    def test_it_is_named(self, path, statement, says):
        self.tamper(path, statement)
        complaints = inspect(path, every=True).complaints
        assert any(says in complaint for complaint in complaints), complaints
        book = opened(path)
        assert book.found.what == "damaged"
        assert book.journal.next_seq == 1
        book.close()

    def test_a_row_altered_with_a_new_crc_still_breaks_the_chain(self, path):
        with closing(sqlite3.connect(path)) as connection:
            row = connection.execute(
                "SELECT seq, stream, session, mono_ms, wall, clock, rev, cause, body FROM row WHERE seq = 7"
            ).fetchone()
            *head, body = row
            forged = Row(
                **dict(
                    zip(
                        ("seq", "stream", "session", "mono_ms", "wall", "clock", "rev", "cause"),
                        head,
                        strict=True,
                    )
                ),
                body=body.replace("7:", "9:"),
                crc=0,
                digest=b"",
            )
            import zlib

            crc = zlib.crc32(forged.content())
            connection.execute("UPDATE row SET body = ?, crc = ? WHERE seq = 7", (forged.body, crc))
            connection.commit()
        complaints = inspect(path, every=True).complaints
        assert complaints == ("row 7 does not continue the row before it: its hash is not the chain's",)

    def test_every_bad_row_is_named_not_only_the_first(self, path):
        self.tamper(path, "UPDATE row SET rev = 0 WHERE seq IN (4, 17)")
        complaints = inspect(path, every=True).complaints
        assert [complaint.split()[1] for complaint in complaints] == ["4", "17"]


def test_set_aside_is_byte_for_byte_what_was_found(specimen, tmp_path):
    files = replace(specimen.after, log=specimen.after.log[:-100])
    path = files.put(tmp_path / "aside")
    book = opened(path)
    assert book.found.aside is not None
    assert Files.of(book.found.aside) == files
    assert book.found.before is not None
    assert book.found.before.seq == 24
    book.close()
