"""`hw-sim records`: plays records and prints what came of each game.

Must never print a result that was not read from the table.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from hw_sim.core_runner import UnknownRegulations
from hw_sim.processes.joints import JointBroken
from hw_sim.records.job import A_NEW_FOLDER, Job, Through
from hw_sim.records.model import Game
from hw_sim.records.read import read_records
from hw_sim.records.results import GameResult, Outcome
from hw_sim.records.through import results
from hw_sim.table.wiring import TableKind
from table_controller.plain.folded import folded
from table_controller.plain.given_paths import is_there, refuse_taken
from table_controller.plain.shortened import shortened

MOST_TABLES = 64
_STYLE = {Outcome.COMPLETED: "green", Outcome.REFUSED: "yellow", Outcome.UNFINISHED: "yellow"}


def bad_input(sentence: str) -> typer.Exit:
    """Says it on the error stream; raise what comes back."""
    Console(stderr=True, soft_wrap=True).print(
        shortened(sentence), style="red", markup=False, highlight=False
    )
    return typer.Exit(2)


def parse_speed(text: str) -> float:
    """`max` or a number above 0. Raises ValueError with one sentence."""
    if text == "max":
        return float("inf")
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise ValueError(f"--speed is a number above 0, or max, not {text!r}; 1 is the pace of real players")
    return speed


def check_files(files: list[Path]) -> None:
    """Raises ValueError with one sentence for the first that is not there."""
    for file in files:
        if not is_there(file):
            raise ValueError(f"there is no file {file}; name PBN or LIN files, or a folder of them")


def records(
    files: Annotated[list[Path], typer.Argument(help="PBN or LIN files, or folders of them.")],
    through: Annotated[Through, typer.Option(help="How deep the games go.")] = Through.CORE,
    tables: Annotated[
        int, typer.Option(min=0, max=MOST_TABLES, help="How many tables at once; 0: as many as fit.")
    ] = 0,
    speed: Annotated[str, typer.Option(help="Times the pace of real players, or max.")] = "max",
    regulations: Annotated[str, typer.Option(help="The profile in force.")] = "ccba-2006",
    first: Annotated[int, typer.Option(min=0, help="Only so many games, the first; 0: all.")] = 0,
    table: Annotated[TableKind, typer.Option(help="What kind of table they play at.")] = TableKind.FULL,
    keep: Annotated[
        Path | None, typer.Option(help="Keep journals and ledgers in this new folder; not with core.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game and line.")] = False,
) -> None:
    """Play recorded games at simulated tables and tell what the tables made of them.

    [bold]core[/bold] feeds the controller's core; [bold]wire[/bold] and [bold]gpio[/bold] start real
    controllers, which never get the record, and read the results from their journals.

    Exit code 1: no game could be played; 2: bad input.

    Example: [cyan]hw-sim records evening.pbn --through wire --tables 4 --json[/cyan]
    """
    try:
        check_files(files)
        if keep is not None:
            refuse_taken(keep, A_NEW_FOLDER)
        job = Job(
            through=through,
            tables=tables,
            speed=parse_speed(speed),
            regulations=regulations,
            kind=table,
            keep=keep,
        )
        games = list(itertools.islice(read_records(files), first or None))
        with _progress(len(games)) as step:
            played = _print(results(games, job, step), as_json=as_json)
    except (ValueError, UnknownRegulations) as problem:
        raise bad_input(str(problem)) from None
    except JointBroken as problem:
        told = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
        if problem.log:
            told.print(problem.log, style="dim")
        told.print(str(problem), style="red")
        raise typer.Exit(1) from None
    if not played:
        raise typer.Exit(1)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing elsewhere; the function it gives is called once a game."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("games", total=total)
        yield lambda: progress.advance(task)


def _print(found: Iterator[GameResult], *, as_json: bool) -> int:
    """How many games were played, whatever became of them; the others were refused."""
    if as_json:
        played = 0
        for result in found:
            played += result.outcome is not Outcome.REFUSED
            sys.stdout.write(json.dumps(result.as_json(), ensure_ascii=False) + "\n")
            sys.stdout.flush()
        return played
    listed = list(found)
    columns = (
        "game",
        "board",
        "dealer",
        "calls",
        "crossings",
        "contract",
        "result",
        "irregularities",
        "outcome",
    )
    shown = Table(*columns, header_style="bold")
    for result in listed:
        shown.add_row(*_cells(result))
    console = Console()
    console.print(folded(shown))
    for result in listed:
        if result.reason:
            where = f"{Path(result.file).name} {result.game}: {result.outcome.value}, {result.reason}"
            console.print(where, markup=False, highlight=False, soft_wrap=True)
    counted = Counter(result.outcome.value for result in listed)
    console.print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counted.items())) or "no game")
    return sum(result.outcome is not Outcome.REFUSED for result in listed)


def _cells(result: GameResult) -> tuple[str, ...]:
    room = f" {result.room}" if result.room else ""
    contract = " ".join(filter(None, (result.contract, result.declarer)))
    return (
        escape(f"{Path(result.file).name} {result.game}{room}"),
        "" if result.board is None else str(result.board),
        result.dealer or "",
        "" if result.calls is None else str(result.calls),
        "" if result.crossings is None else str(result.crossings),
        contract,
        result.result or "",
        ", ".join(result.irregularities),
        f"[{_STYLE[result.outcome]}]{result.outcome.value}[/]",
    )


__all__ = ["Game", "bad_input", "check_files", "parse_speed", "records"]
