"""`director-console user`: what is no password, or an input that is none, is one sentence and code 2."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console import cli_user
from director_console.cli import app
from director_console.store.book import open_book
from director_console.store.people import Role, add_user

run = CliRunner().invoke
WORDS = (["user", "add", "eve"], ["user", "password", "dora"])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    book = open_book(tmp_path / "data")
    with book.deed():
        add_user(book, "dora", Role.CHIEF, "", 1, "test")
    book.close()
    return tmp_path / "data"


def names(data: Path) -> list[str]:
    return [line.split()[0] for line in run(app, ["user", "list", "--data", str(data)]).stdout.splitlines()]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
@pytest.mark.parametrize("given", [b"", b"\n", b"short\n", b"\xff\xfe\xfd password\n", None])
def test_what_is_no_password_is_one_sentence(words, given, data):
    command = [sys.executable, "-m", "director_console", *words, "--password-stdin", "--data", str(data)]
    if given is None:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert (done.stdout, len(done.stderr.splitlines())) == (b"", 1)
    assert names(data) == ["dora"]


@pytest.mark.parametrize("trouble", [EOFError(), AttributeError("nothing to read from")])
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_nobody_who_types_is_one_sentence(words, trouble, data, monkeypatch):
    def nobody(prompt: str) -> str:
        raise trouble

    monkeypatch.setattr(cli_user, "getpass", nobody)
    done = run(app, [*words, "--data", str(data)])
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_running_console_can_write_while_a_password_is_typed(words, data, monkeypatch):
    def typed(prompt: str) -> str:
        with sqlite3.connect(data / "console.db", timeout=0) as beside:
            beside.execute("INSERT OR REPLACE INTO meta VALUES ('typed', ?)", (prompt,))
        return "correct horse battery"

    monkeypatch.setattr(cli_user, "getpass", typed)
    done = run(app, [*words, "--data", str(data)])
    assert done.exit_code == 0, done.output
