"""Names and addresses that cannot be: said in words, with the limit that counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.cli import app

LONG = "v" * 41


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--venue", LONG), f"--venue '{LONG}': use 1 to 40 letters, digits, _ or -"),
        (("--event", "an evening"), "--event 'an evening': use 1 to 40 letters"),
        (("--table", LONG), f"table '{LONG}': use 1 to 40 letters"),
        (("--table", "console"), "'console': this name is taken"),
        (
            ("--host", "not a host"),
            "--host 'not a host': give a name (letters, digits, dots, _ or -)",
        ),
    ],
)
def test_what_the_venue_could_not_hold_is_refused_in_words(
    options: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["broker", "init", str(tmp_path / "venue"), *options])
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []
