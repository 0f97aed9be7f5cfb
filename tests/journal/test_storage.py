"""Storage that is full, read-only or failing: said in one sentence, and the table can go on in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal import Opened, StorageFailed, history, inspect, old_journals
from tests.journal.helpers import ME, Files, all_rows, fill, note, opened

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill_up(book: Opened) -> StorageFailed:
    with pytest.raises(StorageFailed) as caught:
        fill(book.journal, 20000)
    return caught.value


def test_a_full_disk_is_said_and_what_was_committed_is_kept(small_disk):
    path = small_disk / "journal.sqlite"
    book = opened(path)
    failure = fill_up(book)
    assert "full" in str(failure)
    assert "\n" not in str(failure)
    head, rows = book.journal.head, all_rows(book.journal)
    assert len(rows) == head.seq > 50
    book.close()
    again = opened(path)
    assert again.journal.head.seq == head.seq
    assert again.journal.head.digest == head.digest
    again.close()


def test_a_disk_that_is_full_from_the_start_leaves_the_table_in_memory(small_disk):
    (small_disk / "ballast").write_bytes(b"x" * (1 << 20))
    book = opened(small_disk / "journal.sqlite")
    assert book.found.what == "unusable"
    assert book.journal.append([note(1)]) == [1]
    assert not book.journal.durable
    book.close()
    (small_disk / "ballast").unlink()
    recovered = opened(small_disk / "journal.sqlite")
    assert recovered.journal.durable
    recovered.close()


def test_a_disk_that_fills_up_again_and_again_never_damages_the_journal(small_disk):
    path = small_disk / "journal.sqlite"
    ballast = small_disk / "ballast"
    epoch = ""
    for _ in range(4):
        if ballast.exists():
            ballast.unlink()
        book = opened(path)
        epoch = epoch or book.journal.epoch
        assert book.journal.epoch == epoch, book.found
        fill(book.journal, 5)
        free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
        ballast.write_bytes(b"x" * max(0, free - 20000))
        fill_up(book)
        book.close()
    assert inspect(path).complaints == ()


AS_NOBODY = """
import json, os, sys
from pathlib import Path
from table_controller.journal import history, old_journals
from tests.journal.helpers import ME, note, opened
os.setgroups([]); os.setgid(65534); os.setuid(65534)
book = opened(Path(sys.argv[1]))
book.journal.append([note(1)])
past = history(book.path, ME, book.journal.rows(), book.found.follows)
old = old_journals(book.path, ME, book.found.unwritten)
assert len(past) >= 1 and len(old) <= 1, (past, old)
book.recover()
print(json.dumps({"what": book.found.what, "sentence": book.found.sentence, "durable": book.journal.durable}))
book.close()
"""


def as_nobody(path: Path) -> dict[str, object]:
    if os.getuid() != 0:
        pytest.skip("only root can become nobody")
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_folder_that_may_not_be_written_leaves_the_table_in_memory(tmp_path):
    open_to_all(tmp_path)
    folder = tmp_path / "ro"
    folder.mkdir(mode=0o755)
    found = as_nobody(folder / "journal.sqlite")
    assert (found["what"], found["durable"]) == ("unusable", False)
    assert "Permission denied" in str(found["sentence"])
    assert list(folder.iterdir()) == []


def test_a_journal_that_may_not_be_written_is_not_touched(tmp_path):
    open_to_all(tmp_path)
    path = tmp_path / "ro" / "journal.sqlite"
    book = opened(path)
    fill(book.journal, 2)
    book.close()
    for part in path.parent.iterdir():
        part.chmod(0o644)
    before = Files.of(path)
    found = as_nobody(path)
    assert (found["what"], found["durable"]) == ("unusable", False)
    assert Files.of(path) == before


def test_a_folder_that_may_not_be_entered_leaves_the_table_in_memory(tmp_path):
    open_to_all(tmp_path)
    folder = tmp_path / "shut"
    book = opened(folder / "journal.sqlite")
    fill(book.journal, 2)
    book.close()
    folder.chmod(0)
    found = as_nobody(folder / "journal.sqlite")
    assert (found["what"], found["durable"]) == ("unusable", False)
    assert "Permission denied" in str(found["sentence"])


@pytest.mark.parametrize("folder", ["n" * 256, "long/" * 1000, "with\0nul", "a-file/below"])
def test_a_folder_that_can_never_be_leaves_the_table_in_memory(tmp_path, folder):
    (tmp_path / "a-file").write_text("no folder")
    path = tmp_path / folder / "journal.sqlite"
    book = opened(path)
    assert (book.found.what, book.journal.durable) == ("unusable", False)
    assert "\n" not in book.found.sentence
    assert book.journal.append([note(1)]) == [1]
    assert len(history(path, ME, book.journal.rows(), book.found.follows)) == 1
    assert old_journals(path, ME, book.found.unwritten) == []
    assert book.recover() is None
    book.close()


def open_to_all(folder: Path) -> None:
    """Let others walk down to the test's folder."""
    for part in (folder, *folder.parents):
        if part.stat().st_uid == os.getuid() and part != Path("/"):
            part.chmod(part.stat().st_mode | 0o011)


FAILING = """
import json, resource, signal, sys
from pathlib import Path
from table_controller.journal import StorageFailed
from tests.journal.helpers import note, opened
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
book = opened(Path(sys.argv[1]))
for _ in range(10):
    book.journal.append([note(book.journal.next_seq, 500)])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    while True:
        book.journal.append([note(book.journal.next_seq, 500)])
except StorageFailed as failure:
    print(json.dumps({"failure": str(failure), "head": book.journal.head.seq}))
book.close()
"""


@pytest.mark.parametrize("limit", [60_000, 100_001, 150_007])
def test_a_write_that_fails_half_way_is_said_and_undone(tmp_path, limit):
    """The file may not grow past a limit: the write is cut in the middle of a page."""
    path = tmp_path / "journal.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", FAILING, str(path), str(limit)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "cannot be written" in found["failure"]
    again = opened(path)
    assert again.found.what in ("sound", "cut off")
    assert again.journal.head.seq == found["head"]
    again.close()
