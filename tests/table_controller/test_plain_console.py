"""What is printed is what was written: no brackets swallowed as styles, no colons turned into pictures."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import table_controller
from table_controller.config.help import explained
from table_controller.config.model import TableConfig
from table_controller.doctor.broker import look_at_broker
from table_controller.doctor.findings import wrong
from table_controller.doctor.show import findings_table
from table_controller.plain.console import plain_console
from tests.table_controller.live_table import ROOT, command

PACKAGE = Path(table_controller.__file__).parent


def test_nobody_makes_a_console_that_would_read_markup() -> None:
    called = {
        (path.relative_to(PACKAGE).as_posix(), getattr(node.func, "id", getattr(node.func, "attr", "")))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    makers = {file for file, name in called if name == "Console"}
    assert makers == {"plain/console.py"}


def test_findings_are_printed_as_they_were_found(capsys: pytest.CaptureFixture[str]) -> None:
    findings = [*look_at_broker(None, "t1"), wrong("input [red]x[/]", ":smile: [/nothing]", "[bold]")]
    plain_console().print(findings_table(findings))
    said = capsys.readouterr().out
    for text in ("[broker]", "[red]x[/]", ":smile:", "[/nothing]", "[bold]"):
        assert text in said


def test_the_sections_of_the_configuration_are_named_with_their_brackets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain_console().print(explained(TableConfig.model_json_schema()))
    assert "[broker]" in capsys.readouterr().out


def test_a_profile_whose_title_has_brackets_is_printed_whole(tmp_path: Path) -> None:
    shipped = ROOT / "table_controller" / "regulations" / "profiles" / "dbf.toml"
    lines = shipped.read_text(encoding="utf-8").splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("title"))
    lines[first] = 'title = { en = "A [/cup] of :tea:", zh-CN = "x" }'
    profile = tmp_path / "cup.toml"
    profile.write_text("\n".join(lines), encoding="utf-8")
    assert "A [/cup] of :tea:" in command("regulations", profile)
