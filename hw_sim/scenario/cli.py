"""`hw-sim scenario`: plays scenario files and says which lines did not come out as written.

Must never call a scenario passed that was not played to its end.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from hw_sim.core_runner import UnknownRegulations
from hw_sim.processes.joints import JointBroken
from hw_sim.records.cli import bad_input
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.errors import ScenarioError
from hw_sim.scenario.model import DIVISOR, Scenario
from hw_sim.scenario.parse import read_scenario
from hw_sim.scenario.reference import reference, reference_value
from hw_sim.scenario.result import Result
from table_controller.plain.given_paths import is_folder, is_there

ENDING = ".scn"
Play = Callable[[Scenario], Result]


def scenario(
    files: Annotated[list[Path] | None, typer.Argument(help="Scenario files, or folders of them.")] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="Through simulated hardware and a real controller. Waits of a second or more, and "
            "provisions in seconds, are divided by 60 (no provision below half a second).",
        ),
    ] = False,
    regulations: Annotated[
        str | None, typer.Option(help="Play under this profile instead of the file's own.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a scenario and line; with --words one of all.")
    ] = False,
    words: Annotated[bool, typer.Option("--words", help="Print how scenarios are written.")] = False,
) -> None:
    """Play scenarios: what happens at a table, line by line, and what must come of it.

    Exit code 1 if a line does not come out as written, 2 if a file cannot be read.

    Example: [cyan]hw-sim scenario tests/scenarios/cases/04-insufficient-and-nobody-notices.scn --full[/cyan]
    """
    if words:
        sys.stdout.write(json.dumps(reference_value(), ensure_ascii=False) + "\n" if as_json else reference())
        return
    try:
        scenarios = [read_scenario(path) for path in listed(files or [])]
        with _player(full, regulations, quiet=as_json) as play:
            failed = _print((_played(one, play, regulations) for one in scenarios), as_json=as_json)
    except (ScenarioError, UnknownRegulations, ValueError) as problem:
        raise bad_input(str(problem)) from None
    except JointBroken as problem:
        told = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
        if problem.log:
            told.print(problem.log, style="dim")
        told.print(str(problem), style="red")
        raise typer.Exit(1) from None
    if failed:
        raise typer.Exit(1)


def _played(one: Scenario, play: Play, override: str | None) -> Result:
    """Raises ScenarioError for a file's own regulations, UnknownRegulations for those of `--regulations`."""
    try:
        return play(one)
    except UnknownRegulations as problem:
        if override is not None:
            raise
        said = problem.said
        raise ScenarioError(one.path, one.regulations_line, said.text, said.why, **said.params) from None


def listed(files: list[Path]) -> list[Path]:
    """The files, those of folders in the order of their names. Raises ValueError with one sentence."""
    found: list[Path] = []
    for path in files:
        if not is_there(path):
            raise ValueError(f"there is no file {path}; name {ENDING} files, or a folder of them")
        found += sorted(path.rglob(f"*{ENDING}")) if is_folder(path) else [path]
    if not found:
        raise ValueError(f"no scenario is named; name {ENDING} files, or a folder of them")
    return found


@contextmanager
def _player(full: bool, regulations: str | None, *, quiet: bool) -> Iterator[Play]:
    if not full:
        yield lambda one: play_on_core(one, regulations)
        return
    if not quiet:
        Console(stderr=True).print(
            f"Through simulated hardware: waits of a second or more, and provisions in seconds, are divided "
            f"by {DIVISOR:g}; no provision below half a second."
        )
    from hw_sim.scenario.full import FullHall  # the broker's client is heavy, and the core needs none

    with FullHall() as hall:
        yield lambda one: hall.play(one, regulations)


def _print(results: Iterator[Result], *, as_json: bool) -> int:
    """Each as it comes; how many failed."""
    console, failed, played = Console(), 0, 0
    for result in results:
        played += 1
        failed += not result.passed
        if as_json:
            sys.stdout.write(json.dumps(as_value(result), ensure_ascii=False) + "\n")
            sys.stdout.flush()
        else:
            _tell(console, result)
    if not as_json:
        console.print(f"{played} played, {failed} failed")
    return failed


def _tell(console: Console, result: Result) -> None:
    mark = "[green]as written[/green]" if result.passed else "[red]not as written[/red]"
    name, shows = escape(result.scenario.name), escape(result.scenario.shows)
    skipped = f" [yellow](not played: {escape(result.skipped)})[/yellow]" if result.skipped else ""
    console.print(
        f"{mark}{skipped} [bold]{name}[/bold] under {result.regulations}: {shows}",
        highlight=False,
        soft_wrap=True,
    )
    for failure in result.failures:
        place = f"{result.scenario.path}:{failure.line}"
        console.print(
            f"  {place}: {failure.text}\n    {failure.why}", markup=False, highlight=False, soft_wrap=True
        )


def as_value(result: Result) -> dict[str, object]:
    """One result as JSON has it."""
    return {
        "file": str(result.scenario.path),
        "name": result.scenario.name,
        "shows": result.scenario.shows,
        "regulations": result.regulations,
        "runner": "full" if result.full else "core",
        "divided_by": DIVISOR if result.full else 1,
        "passed": result.passed,
        "skipped": result.skipped,
        "seconds": round(result.seconds, 3),
        "reported": [list(entry.kinds) for entry in result.seen.entries.values()],
        "failures": [
            {"line": failure.line, "text": failure.text, "why": failure.why} for failure in result.failures
        ],
    }
