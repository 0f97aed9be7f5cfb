"""What a table's controller recorded, read as anybody may: by its own export command, as a process.

Must never open the journal itself.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.supervise import program

EXPORT_WITHIN_S = 120.0
JOURNAL_NAME = "journal.sqlite"
Row = Mapping[str, Any]
"""One JSON line of an export; its shape is documented with the journal."""


def export_journal(journal: Path) -> Iterator[Row]:
    """Its rows in order. Raises JointBroken if the export fails."""
    command = [*program("table-controller"), "journal", "export", str(journal), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=EXPORT_WITHIN_S, check=False)
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        last = words[-1] if words else "it said nothing"
        raise JointBroken(Joint.JOURNAL, f"{journal.name} cannot be exported: {last}")
    for line in done.stdout.splitlines():
        yield json.loads(line)
