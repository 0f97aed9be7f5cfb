"""Values of any length are named, not echoed: every program's refusal stays as long as can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from director_console.cli import app as console
from hw_sim.commands import app as simulator
from table_controller.__main__ import app as controller
from table_controller.plain.shortened import CUT, LONGEST, shortened

LONG = "v" * 70_000
COMMANDS = [
    pytest.param(controller, ("check", "t.toml"), id="a table's file"),
    pytest.param(controller, ("regulations", LONG), id="a profile"),
    pytest.param(controller, ("journal", "verify", LONG), id="a journal"),
    pytest.param(simulator, ("scenario", "long.scn"), id="a line of a scenario"),
    pytest.param(simulator, ("scenario", "words.scn"), id="a line of many words"),
    pytest.param(console, ("run", "--venue", LONG), id="the console's venue"),
    pytest.param(console, ("broker", "init", "venue", "--venue", LONG), id="a venue"),
    pytest.param(console, ("cases", "--lang", LONG), id="a language"),
]


@pytest.mark.parametrize(("app", "words"), COMMANDS)
def test_a_refusal_can_be_read(
    app: typer.Typer, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.toml").write_text(f'data_dir = "x"\n[table]\nvenue = "{LONG}"\nid = "1"\nevent = "e"\n')
    (tmp_path / "long.scn").write_text(f"# A.\nboard 1\nS {LONG}\n")
    (tmp_path / "words.scn").write_text(f"# A.\nboard 1\nS {'well ' * 400_000}\n")
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.exception
    assert CUT in done.stderr
    assert len(done.stderr) < LONGEST + 200


def test_what_is_short_stays_and_both_ends_are_kept() -> None:
    assert shortened("a: 'b' is no c; write d") == "a: 'b' is no c; write d"
    told = shortened(f"file: {LONG} is no name; write another")
    assert told.startswith("file: vvv")
    assert told.endswith("vvv is no name; write another")
    assert len(shortened("a b " * 50_000)) == LONGEST
