"""What the director's console has in its database, read as anybody may: by its own commands, as processes.

Must never open the database itself.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hw_sim.demo.summary import ConsoleBoard, ConsoleTable, Reported
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.supervise import program
from hw_sim.processes.table_boards import body_of, read_board

ANSWER_WITHIN_S = 60.0
Row = Mapping[str, Any]


def read_console(data: Path) -> dict[str, ConsoleTable]:
    """Every table the console knows of. Raises JointBroken where its commands fail."""
    waits = {
        (case["table"], case["epoch"], case["id"])
        for case in _lines(data, "cases", "--json")
        if case["waits"]
    }
    missing: dict[str, int] = defaultdict(int)
    for gap in _lines(data, "gaps", "--json", may_end_with=(0, 1)):
        missing[gap["table"]] += sum(last - first + 1 for first, last in gap["missing"])
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in _lines(data, "reports", "--what", "board", "--what", "irregularity"):
        rows[row["table"]].append(row)
    tables = sorted({*missing, *rows})
    return {table: console_table(rows[table], waits, missing[table]) for table in tables}


def console_table(
    rows: Sequence[Row], waits: set[tuple[str, str, int]], missing_rows: int = 0
) -> ConsoleTable:
    """One table, from its boards and irregularities in order. An entry belongs to the board it began with."""
    last: dict[tuple[str, int], tuple[str, ...]] = {}
    for row in rows:
        body = body_of(row)
        if "entry" in body:
            last[row["epoch"], body["entry"]["id"]] = tuple(body["entry"]["kinds"])
    boards: list[ConsoleBoard] = []
    begun: list[Reported] = []
    known: set[tuple[str, int]] = set()
    for row in rows:
        body = body_of(row)
        if "entry" in body:
            key = row["epoch"], body["entry"]["id"]
            if key not in known:
                known.add(key)
                waiting = (row["table"], *key) in waits
                begun.append(Reported(id=key[1], kinds=last[key], waits=waiting))
        elif body.get("what") == "board":
            value = body["value"]
            boards.append(
                ConsoleBoard(board=read_board(value), cards=len(value["play"]), entries=tuple(begun))
            )
            begun = []
    return ConsoleTable(boards=tuple(boards), rest=tuple(begun), missing_rows=missing_rows)


def _lines(data: Path, command: str, *options: str, may_end_with: tuple[int, ...] = (0,)) -> list[Row]:
    called = [*program("director-console"), command, "--data", str(data), *options]
    done = subprocess.run(called, capture_output=True, text=True, timeout=ANSWER_WITHIN_S, check=False)
    if done.returncode not in may_end_with:
        words = (done.stderr or done.stdout).strip().splitlines()
        last = words[-1] if words else "it said nothing"
        raise JointBroken(Joint.CONSOLE, f"its database cannot be read ({command}): {last}")
    return [json.loads(line) for line in done.stdout.splitlines()]
