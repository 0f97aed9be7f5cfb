"""`table-controller journal`: is the record sound, what is in it, what has the console not confirmed.

It reads; only `prune` removes, and says what. Must never change a journal, and never be needed for play.
Bad input ends with exit code 2 and one sentence; a journal that is not sound with exit code 1.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.table import Table

from table_controller.journal import (
    Inspection,
    JournalInUse,
    Row,
    epochs_needed,
    inspect,
    message_of,
)
from table_controller.journal.database import connect_to_read, read_rows
from table_controller.journal.head import HeadFound
from table_controller.journal.inspection import ReadError
from table_controller.journal.retention import Kept, kept_beside, remove
from table_controller.messages.codec import Json
from table_controller.plain.console import plain_console
from table_controller.plain.folded import folded
from table_controller.plain.given_paths import PathUnusable, need_file
from table_controller.plain.shortened import shortened

AtPath = Annotated[
    Path, typer.Argument(metavar="JOURNAL", help="The journal's file, e.g. data/journal.sqlite.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For a program: JSON on standard output.")]

NOTES = {
    HeadFound.ABSENT: " (there is no head file beside it to compare with)",
    HeadFound.UNREADABLE: " (the head file beside it cannot be read, so that nothing can be compared)",
}
"""What `verify` could not do."""

app = typer.Typer(no_args_is_help=True, help="The table's record: verify, export, gaps, prune.")


@app.command(epilog="Example: table-controller journal verify data/journal.sqlite")
def verify(journal: AtPath, as_json: AsJson = False) -> None:
    """Read every row and say whether one is missing, altered or out of the chain."""
    seen = _inspected(journal)
    if as_json:
        typer.echo(json.dumps(_verdict(journal, seen)))
    else:
        for complaint in seen.complaints:
            typer.echo(f"{journal}: {complaint}")
        if not seen.complaints:
            cut = ", the last run was cut off" if seen.unclean else ""
            typer.echo(f"{journal}: sound, {seen.seq} rows{cut}{NOTES.get(seen.head_file, '')}")
    raise typer.Exit(1 if seen.complaints else 0)


@app.command(
    epilog="Example: table-controller journal export data/journal.sqlite --first 100 > record.jsonl",
)
def export(
    journal: AtPath,
    first: Annotated[int, typer.Option(min=1, help="The first row.")] = 1,
    last: Annotated[int | None, typer.Option(min=1, help="The last row; the newest if left out.")] = None,
    what: Annotated[
        str | None, typer.Option(help="Only rows about this, e.g. board, event, irregularity, visit.")
    ] = None,
    as_json: AsJson = True,
) -> None:
    """Write the rows as JSON lines, each the message it is on the wire, without its code, in order.

    What cannot be read is said on standard error, with exit code 1; what can be read is written.
    """
    seen = _inspected(journal)
    if seen.origin is None:
        typer.echo(f"{journal}: {seen.complaints[0]}", err=True)
        raise typer.Exit(1)
    try:
        with closing(connect_to_read(journal)) as connection:
            for row in read_rows(connection, first, last):
                line = _line(row, seen)
                if what is None or what in (line["type"], _what(line)):
                    sys.stdout.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
    except BrokenPipeError:
        raise typer.Exit(0) from None
    except ReadError as error:
        typer.echo(f"{journal}: it cannot be read further: {error}", err=True)
        raise typer.Exit(1) from None
    for complaint in seen.complaints:
        typer.echo(f"{journal}: {complaint}", err=True)
    raise typer.Exit(1 if seen.complaints else 0)


@app.command(epilog="Example: table-controller journal gaps data/journal.sqlite --json")
def gaps(journal: AtPath, as_json: AsJson = False) -> None:
    """For this journal and those beside it: rows missing, and rows the console has not confirmed."""
    found = [Kept(path=journal, seen=_inspected(journal)), *_beside(journal)]
    if as_json:
        typer.echo(json.dumps([_verdict(kept.path, kept.seen) for kept in found]))
    else:
        table = Table("journal", "epoch", "event", "table", "rows", "not confirmed", "complaints")
        for kept in found:
            origin = kept.seen.origin
            table.add_row(
                kept.path.name,
                "?" if origin is None else origin.epoch,
                "?" if origin is None else origin.identity.place.event,
                "?" if origin is None else origin.identity.table,
                str(kept.seen.seq),
                "?" if origin is None else str(kept.undelivered),
                "; ".join(kept.seen.complaints) or "-",
            )
        plain_console().print(folded(table))
    raise typer.Exit(1 if any(kept.seen.complaints for kept in found) else 0)


@app.command(epilog="Example: table-controller journal prune data/journal.sqlite --yes")
def prune(
    journal: AtPath,
    yes: Annotated[bool, typer.Option("--yes", help="Remove; without it, only say what would be.")] = False,
    undelivered_too: Annotated[
        bool, typer.Option("--undelivered-too", help="Also those with rows the console has not confirmed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remove the journals of earlier events and those set aside; never the present one, never silently.

    One that cannot be read may hold rows the console lacks: it stays too, unless --undelivered-too is said.
    """
    seen = _inspected(journal)
    beside = _beside(journal)
    needed = _needed(journal, seen)
    said = [_pruned(kept, journal.name, needed, yes=yes, undelivered_too=undelivered_too) for kept in beside]
    typer.echo(json.dumps(said) if as_json else "\n".join(said) or "nothing to remove")


def _pruned(kept: Kept, present: str, needed: frozenset[str], *, yes: bool, undelivered_too: bool) -> str:
    """What became of this one."""
    if kept.seen.origin is not None and kept.seen.origin.epoch in needed:
        return f"{kept.path.name} stays: {present} goes on from it until another event begins"
    if kept.may_lack is not None and not undelivered_too:
        return f"{kept.path.name} stays: {kept.may_lack}; to remove it all the same say --undelivered-too"
    if not yes:
        return f"{kept.path.name} would be removed ({kept.bytes} bytes); say --yes"
    try:
        return remove(kept, undelivered_too=undelivered_too)
    except JournalInUse as error:
        return f"{kept.path.name} stays: {error}"
    except OSError as error:
        return f"{kept.path.name} stays: {error.strerror}"


def _needed(journal: Path, seen: Inspection) -> frozenset[str]:
    """Epochs without which the table would not know how it stood. A journal that does not say which ends
    the program: any may be needed.
    """
    if seen.origin is None:
        typer.echo(
            f"{journal}: {seen.complaints[0]}; which others it goes on from is not known, nothing is removed",
            err=True,
        )
        raise typer.Exit(1)
    with closing(connect_to_read(journal)) as connection:
        rows = list(read_rows(connection, 1, seen.seq))
    return epochs_needed(journal, seen.origin.identity, rows)


def _beside(journal: Path) -> list[Kept]:
    try:
        return kept_beside(journal)
    except OSError as error:
        _bad(f"{journal.parent}: this folder cannot be listed ({error.strerror}); say it as its owner")


def _inspected(journal: Path) -> Inspection:
    """Ends the program where there is no such file; what cannot be read is among the complaints."""
    try:
        need_file(journal, "the journal of a table, e.g. data/journal.sqlite")
    except PathUnusable as problem:
        _bad(str(problem))
    return inspect(journal, every=True)


def _verdict(path: Path, seen: Inspection) -> dict[str, Json]:
    head, origin = seen.head, seen.origin
    complaints: list[Json] = list(seen.complaints)
    return {
        "journal": str(path),
        "sound": not seen.complaints,
        "epoch": None if origin is None else origin.epoch,
        "venue": None if origin is None else origin.identity.place.venue,
        "event": None if origin is None else origin.identity.place.event,
        "table": None if origin is None else origin.identity.table,
        "rows": seen.seq,
        "head": seen.digest.hex(),
        "head_file": seen.head_file.value,
        "confirmed": None if head is None else head.upto,
        "cut_off": seen.unclean,
        "complaints": complaints,
    }


def _line(row: Row, seen: Inspection) -> dict[str, Json]:
    assert seen.origin is not None
    envelope = message_of(row, seen.origin.identity, seen.origin.epoch)
    line: dict[str, Json] = envelope.model_dump(mode="json", exclude={"mac"})
    return line


def _what(line: dict[str, Json]) -> Json:
    body = line["body"]
    return body.get("what") if isinstance(body, dict) else None


def _bad(sentence: str) -> NoReturn:
    typer.echo(shortened(sentence), err=True)
    raise typer.Exit(2)
