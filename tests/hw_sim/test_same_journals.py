"""The same games by microcontroller and by pins: the same journals but for times."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hw_sim.running import RECORDINGS, environment, hw_sim

TIMES = {
    "at",
    "uncertainty",
    "not_before",
    "arrived",
    "left",
    "hold",
    "transit",
    "thinking",
    "gap",
    "evidence",
}
OURSELVES = {"boot", "deadline", "note"}


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def journal(folder: Path, through: str, games: int) -> list[str]:
    """What one table's journal says, row by row, after these games."""
    keep = folder / through
    options = ("--first", str(games), "--tables", "1", "--keep", str(keep))
    done = hw_sim("records", str(RECORDINGS), "--through", through, *options, "--json", timeout=1_800)
    assert done.returncode == 0, done.stderr
    export = [sys.executable, "-m", "table_controller", "journal", "export"]
    file = keep / "table-1" / "data" / "journal.sqlite"
    said = subprocess.run(
        [*export, str(file)], capture_output=True, text=True, check=True, env=environment()
    ).stdout
    bodies = (json.loads(line)["body"] for line in said.splitlines())
    return [
        json.dumps(without_times(body), sort_keys=True)
        for body in bodies
        if body.get("what") not in OURSELVES
    ]


def both(folder: Path, games: int) -> tuple[list[str], list[str]]:
    """By wire and by pins, at the same time."""
    with ThreadPoolExecutor(2) as pool:
        wire, pins = pool.map(lambda way: journal(folder, way, games), ("wire", "gpio"))
    return wire, pins


def test_three_games_leave_the_same_journal_by_wire_and_by_pins(tmp_path: Path) -> None:
    wire, pins = both(tmp_path, 3)
    assert len(wire) > 400
    assert pins == wire


@pytest.mark.long
def test_all_our_games_leave_the_same_journal_by_wire_and_by_pins(tmp_path: Path) -> None:
    wire, pins = both(tmp_path, 100)
    assert pins == wire
