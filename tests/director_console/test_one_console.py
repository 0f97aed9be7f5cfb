"""One console on a directory; commands beside it work as ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.cli import app
from director_console.running import Options, Running
from director_console.store.book import StoreError, audit_rows
from table_controller.messages.mac import KeysUnusable
from tests.director_console.generator import PLACE

run = CliRunner().invoke


def options(directory: Path) -> Options:
    return Options(address=None, place=PLACE, data=directory, keys=None)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    console = Running(options(tmp_path / "data"))
    console.start()
    yield console
    console.stop()


def test_a_second_console_on_the_same_directory_is_refused(running):
    with pytest.raises(StoreError, match="another console runs on this directory; stop it first"):
        Running(options(running.options.data))
    done = run(app, ["run", "--data", str(running.options.data), "--port", "0"])
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert str(running.options.data) in done.stderr


def test_once_the_first_is_stopped_another_may_begin(tmp_path):
    for _ in range(2):
        console = Running(options(tmp_path))
        console.start()
        console.stop()


def test_a_console_that_could_not_begin_is_not_in_the_way(tmp_path):
    (tmp_path / "keys.json").write_text("no keys")
    for _ in range(2):
        with pytest.raises(KeysUnusable):
            Running(options(tmp_path))
    (tmp_path / "keys.json").unlink()
    console = Running(options(tmp_path))
    console.start()
    console.stop()


def test_commands_beside_the_running_console_read_and_write_as_ever(running):
    data = ["--data", str(running.options.data)]
    added = run(app, ["user", "add", "anna", "--password-stdin", *data], input="correct horse battery\n")
    assert added.exit_code == 0, added.output
    for words in (["user", "list"], ["user", "disable", "anna"], ["cases"], ["gaps"], ["audit"]):
        assert run(app, [*words, *data]).exit_code == 0, words
    acts = [row.act for row in audit_rows(running.book.db)]
    assert acts[-2:] == ["user added", "user disabled"]


@pytest.mark.parametrize("place", ["a-file", "a-file/data", "n" * 256])
def test_a_directory_in_which_nothing_can_be_kept_is_one_sentence(place, tmp_path):
    (tmp_path / "a-file").write_text("no directory")
    done = run(app, ["run", "--data", str(tmp_path / place), "--port", "0"])
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "--data" in done.stderr
