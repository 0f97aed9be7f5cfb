"""`hw-sim pbn`: the boards a table journalled, as a PBN file for programs that read no journal.

Read from the controller's own export, so what the table did not know stays unknown: a board whose dealer was
never known cannot be written as PBN and is said. Must never fill in a player, a hand or a trick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from hw_sim.processes.joints import JointBroken
from hw_sim.processes.journal_reader import Row, export_journal
from hw_sim.processes.table_boards import body_of
from hw_sim.records import RecordedGame, write_pbn
from hw_sim.records.cli import bad_input
from table_controller.laws.auction import MadeCall
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.play import PlayedCard
from table_controller.laws.seat import Seat
from table_controller.plain.given_paths import PathUnusable, need_file, refuse_taken, write_new

A_NEW_FILE = "give another new file with --out"


def pbn(
    journal: Annotated[Path, typer.Argument(help="A table's journal.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this new file instead of the terminal.")
    ] = None,
) -> None:
    """Write the boards a table journalled as PBN: calls as they were made, cards as far as they were read.

    Boards whose dealer the table never knew are left out and named; exit code 1 says that there were some.

    Example: hw-sim pbn var/journal.sqlite --out evening.pbn
    """
    try:
        need_file(journal, "a table's journal: journal.sqlite in the `data_dir` of its configuration")
        if out is not None:
            refuse_taken(out, A_NEW_FILE)
        values = list(journalled(export_journal(journal)))
    except (PathUnusable, JointBroken) as problem:
        raise bad_input(str(problem)) from None
    games = [game_of(value, journal.name, n) for n, value in enumerate(values, 1)]
    text = write_pbn(game for game in games if game is not None)
    if out is None:
        typer.echo(text, nl=False)
    else:
        try:
            write_new(out, text.encode("utf-8"), A_NEW_FILE)
        except PathUnusable as problem:
            raise bad_input(str(problem)) from None
    left_out = [n for n, game in enumerate(games, 1) if game is None]
    if left_out:
        said = ", ".join(map(str, left_out))
        Console(stderr=True, soft_wrap=True).print(
            f"left out, for their dealer was never known: board {said} of the journal, in order of play"
        )
        raise typer.Exit(1)


def journalled(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """The value of every board the journal has, in order of play."""
    for row in rows:
        body = body_of(row)
        if body.get("what") == "board":
            yield body["value"]


def game_of(value: dict[str, Any], file: str, game: int) -> RecordedGame | None:
    """One board as a game; None where the table never knew who dealt."""
    if value["dealer"] is None:
        return None
    vulnerability = value["vulnerability"]
    return RecordedGame(
        file=file,
        game=game,
        room=None,
        board=value["number"],
        dealer=Seat(value["dealer"]),
        vulnerability=None if vulnerability is None else Vulnerability(vulnerability),
        calls=tuple(MadeCall(Seat(seat), parse_call(call)) for seat, call in value["calls"]),
        play=tuple(PlayedCard(Seat(seat), parse_card(card)) for seat, card in value["play"]),
        result=value["tricks"],
    )
