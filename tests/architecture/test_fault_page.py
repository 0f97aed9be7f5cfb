"""The page of faults: whatever it names as a proof is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def written() -> dict[str, bool]:
    """Every test, and whether it is only in the long run."""
    found: dict[str, bool] = {}
    shape = re.compile(r"((?:^@.*\n(?:^[ )\]].*\n)*)*)^def (test_\w+)", re.MULTILINE)
    for path in (ROOT / "tests").rglob("test_*.py"):
        for marks, name in shape.findall(path.read_text(encoding="utf-8")):
            found[name] = bool(re.search(r"^@(pytest\.mark\.)?long$", marks, re.MULTILINE))
    return found


def test_every_proof_it_names_exists_and_is_marked_as_it_runs(written: dict[str, bool]) -> None:
    named = re.findall(r"`(test_\w+)`( †)?", PAGE)
    assert len(named) > 50
    assert [name for name, _ in named if name not in written] == []
    assert [name for name, mark in named if written[name] != bool(mark)] == []


def test_every_scenario_it_names_exists() -> None:
    there = {path.name for path in (ROOT / "tests" / "scenarios").rglob("*.scn")}
    assert [name for name in re.findall(r"`(\S+\.scn)`", PAGE) if name not in there] == []


def test_it_names_every_fault_that_can_be_injected() -> None:
    listed = re.search(r"by name: \*(.+?)\*\.", PAGE, re.DOTALL)
    assert listed is not None
    assert re.split(r",\s+", listed[1]) == list(HARDWARE_MISDEEDS)
