"""The three programs in one process, which drops to a user who may not go everywhere.

    python -m tests.command_line.programs < COMMANDS

Standard input is a JSON list of command lines; standard output a list of how each ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import typer
from typer.testing import CliRunner

from table_controller.regulations.load import DEFAULT, load

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """`broke` names an exception nobody caught; empty: none."""

    code: int
    out: str
    err: str
    broke: str


def as_nobody(commands: Sequence[Sequence[str]], folder: Path) -> list[Ended]:
    """Run these in `folder` as `nobody`, or as ourselves where we are not root, whom no door stops."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.command_line.programs"],
        input=json.dumps([list(command) for command in commands]),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "300",
            "NO_COLOR": "1",
            "HOME": str(folder),
        },
    )
    assert done.returncode == 0, done.stderr
    return [Ended(**one) for one in json.loads(done.stdout)]


def _apps() -> dict[str, typer.Typer]:
    from director_console.cli import app as console
    from hw_sim.commands import app as simulator
    from table_controller.__main__ import app as controller

    return {"table-controller": controller, "director-console": console, "hw-sim": simulator}


def _run(app: typer.Typer, arguments: list[str]) -> dict[str, object]:
    done = CliRunner().invoke(app, arguments)
    broke = "" if isinstance(done.exception, SystemExit | None) else repr(done.exception)
    return {"code": done.exit_code, "out": done.stdout, "err": done.stderr, "broke": broke}


def main() -> None:
    commands: list[list[str]] = json.load(sys.stdin)
    apps = _apps()
    for late in ("table_controller.service.assembly", "table_controller.doctor.cli"):
        import_module(late)  # what a command fetches late may lie where nobody goes, the standard library too
    load(DEFAULT)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    print(json.dumps([_run(apps[program], rest) for program, *rest in commands]))


if __name__ == "__main__":
    main()
