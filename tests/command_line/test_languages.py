"""A language that is none of ours is refused by every command that takes one, whatever the data hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from director_console.cli import app as console
from hw_sim.commands import app as simulator
from table_controller.__main__ import app as controller


def _taking_a_language(app: typer.Typer) -> list[tuple[str, ...]]:
    """Every command below this app that has --lang, as it is called."""
    command = typer.main.get_command(app)
    found: list[tuple[str, ...]] = []
    waiting: list[tuple[tuple[str, ...], object]] = [((), command)]
    while waiting:
        words, one = waiting.pop()
        if any("--lang" in option.opts for option in getattr(one, "params", ())):
            found.append(words)
        waiting += [((*words, name), below) for name, below in getattr(one, "commands", {}).items()]
    return sorted(found)


NEEDED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("export",): ("--table", "1", "--out", "x.zip", "--reason", "none"),
    ("time",): ("journal.sqlite",),
}
CASES = [
    pytest.param(app, words, id=f"{name} {' '.join(words)}")
    for name, app in (("table-controller", controller), ("director-console", console), ("hw-sim", simulator))
    for words in _taking_a_language(app)
]


@pytest.mark.parametrize(("app", "words"), CASES)
def test_a_language_that_is_none_is_refused(
    app: typer.Typer, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*words, *NEEDED.get(words, ()), "--lang", "fr"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--lang" in done.stderr
    assert "fr" in done.stderr
    assert "zh-CN" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_commands_that_take_one_are_found() -> None:
    assert {("cases",), ("times",), ("export",), ("run",)} <= {case.values[1] for case in CASES}
