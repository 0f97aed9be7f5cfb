"""Running `hw-sim` as people do, and looking for what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner

from hw_sim.commands import app

HW_SIM = [sys.executable, "-m", "hw_sim"]
ROOT = Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "hw_sim" / "recordings"


def hw_sim(*arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run it to its end, without a terminal."""
    return subprocess.run(
        [*HW_SIM, *arguments], capture_output=True, text=True, timeout=timeout, check=False, env=environment()
    )


def here(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it in this very process, which spares a second where nothing else is to be seen."""
    done = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "300", "NO_COLOR": "1"})
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def start(*arguments: str, **more: str) -> subprocess.Popen[str]:
    """Start it in a process group of its own, without a terminal; `more` of its environment."""
    return subprocess.Popen(
        [*HW_SIM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**environment(), **more},
    )


def environment() -> dict[str, str]:
    """Ours, with lines as wide as they come."""
    return {**os.environ, "COLUMNS": "300", "NO_COLOR": "1"}


def processes_of(directory: Path) -> list[str]:
    """Command lines of the processes that name this directory."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if str(directory) in line and state != "Z" and int(entry.name) != os.getpid():
                found.append(line)
    return found


def eventually(holds: Callable[[], bool], within: float = 15.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end and not holds():
        time.sleep(0.05)
    return holds()


def data_folder() -> Path | None:
    """The folder of recorded championships, where there is one."""
    named = os.environ.get("SCREEN_TABLE_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if (folder / "MANIFEST.tsv").is_file() else None
