"""No table of any program cuts a cell, however narrow the terminal."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from table_controller.plain.folded import folded
from tests.command_line.programs import ROOT

PROGRAMS = ("table_controller", "director_console", "hw_sim")


def _calls(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [getattr(node.func, "id", "") for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _with_tables() -> list[Path]:
    return [
        path
        for program in PROGRAMS
        for path in sorted((ROOT / program).rglob("*.py"))
        if "from rich.table import Table" in path.read_text(encoding="utf-8") and "Table" in _calls(path)
    ]


@pytest.mark.parametrize("path", _with_tables(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_table_is_folded(path: Path) -> None:
    called = _calls(path)
    assert called.count("folded") >= called.count("Table") - called.count("grid")


@pytest.mark.parametrize("width", [20, 40, 80])
def test_what_does_not_fit_goes_on_in_the_next_line(width: int) -> None:
    table = Table("journal", "epoch", "event")
    table.add_row("journal.sqlite", "5f0c3a91b2d4", "open-teams-of-four")
    said = io.StringIO()
    Console(file=said, width=width).print(folded(table))
    assert "\N{HORIZONTAL ELLIPSIS}" not in said.getvalue()
    rows = [line.split("│")[1:-1] for line in said.getvalue().splitlines() if line.startswith("│")]
    assert ["".join(cell.strip() for cell in column) for column in zip(*rows, strict=True)] == [
        "journal.sqlite",
        "5f0c3a91b2d4",
        "open-teams-of-four",
    ]
