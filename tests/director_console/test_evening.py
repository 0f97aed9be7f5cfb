"""A whole simulated evening on the console: everything the players did is in the queue once and ruled;
evidence verifies.

The players' own ledgers are compared with the console's database by `hw-sim demo` itself, which ends
with an error if anything was lost, doubled or left open. `SCREEN_TABLE_EVENING=TABLESxBOARDS` makes it
shorter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from director_console.evidence.verify import verify
from table_controller.messages.mac import load_keys

TABLES, BOARDS = os.environ.get("SCREEN_TABLE_EVENING", "20x12").split("x")


def run(*arguments: str, seconds: int = 3000) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_an_evening_is_whole_ruled_and_its_evidence_verifies(tmp_path: Path) -> None:
    kept = tmp_path / "evening"
    said = run("hw_sim", "demo", "--tables", TABLES, "--boards", BOARDS, "--speed", "20", "--keep", str(kept))
    assert "nothing lost, doubled or left open" in said
    data = next(path.parent for path in kept.rglob("console.db"))
    keys = kept / "console-keys.json"
    cases = [
        json.loads(line)
        for line in run("director_console", "cases", "--data", str(data), "--json").splitlines()
    ]
    assert cases
    assert [case["sentence"] for case in cases if case["waits"]] == []
    once = Counter((case["table"], case["epoch"], case["id"]) for case in cases)
    assert set(once.values()) == {1}
    sealed = 0
    for table in sorted({case["table"] for case in cases}):
        out = tmp_path / f"{table}.zip"
        more = ("--data", str(data), "--keys", str(keys), "--hands")
        run("director_console", "export", "--table", table, "--out", str(out), "--reason", "evening", *more)
        findings = verify(out.read_bytes(), load_keys(keys))
        assert findings.wrong == []
        assert findings.sealed == findings.reports > 0
        sealed += findings.sealed
    print(f"{said.strip().splitlines()[-1]}; {len(cases)} cases; {sealed} reports exported, all sealed")
