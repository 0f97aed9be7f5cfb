"""What is printed stays as it is: Rich would make an emoji of `:AB:` in a fingerprint or in a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.broker_admin import cli
from director_console.cli import app

ROOM = Path(__file__).resolve().parents[2] / "director_console"
FINGERPRINT = "00:AB:1F:CD:" + ":".join(["A1"] * 28)

run = CliRunner().invoke


def test_a_fingerprint_is_printed_in_hexadecimal(tmp_path, monkeypatch):
    monkeypatch.setattr(cli, "authority_fingerprint", lambda directory: FINGERPRINT)
    words = ["broker", "init", str(tmp_path / "v"), "--tables", "1", "--host", "127.0.0.1"]
    made = run(app, [*words, "--broker-user", ""])
    assert made.exit_code == 0, made.output
    assert FINGERPRINT in run(app, ["broker", "status", str(tmp_path / "v")]).stdout


def test_a_sentence_keeps_what_was_given(tmp_path):
    for words in (
        ["export", "--table", "7", "--out", "o", "--reason", "appeal"],
        ["user", "list"],
        ["cases"],
    ):
        said = run(app, [*words, "--data", str(tmp_path / ":ab:")]).stderr
        assert str(tmp_path / ":ab:") in said, words


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_no_terminal_makes_emoji(path):
    made = re.findall(r"\bTerminal\([^)]*\)", path.read_text(encoding="utf-8"))
    assert [one for one in made if "emoji=False" not in one] == []
