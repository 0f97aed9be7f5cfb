"""`director-console cases`, `gaps`, `reports`: what the console's journal holds, for a program or a terminal.

Reads only; works beside a running console and after it.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console as Terminal
from rich.table import Table

from director_console.loading import load
from director_console.rows import case_row
from director_console.store import reports
from director_console.store.book import StoreError, open_reader
from director_console.web.sentences import case_sentence

data_app = typer.Typer()
Data = Annotated[Path, typer.Option(help="Directory of the console's journal.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Lang = Annotated[str, typer.Option(help="en or zh-CN.")]
DATA = Path("var/console")


def reader(data: Path) -> sqlite3.Connection:
    try:
        return open_reader(data)
    except StoreError as error:
        Terminal(stderr=True, highlight=False, soft_wrap=True).print(str(error), markup=False)
        raise typer.Exit(2) from None


@data_app.command()
def cases(data: Data = DATA, as_json: AsJson = False, lang: Lang = "en") -> None:
    """Every case the console holds, and how far it is.

    Example: [bold]director-console cases --data var/console --json[/bold]
    """
    hall = load(reader(data))
    found = sorted(hall.cases.values(), key=lambda case: (case.table, case.epoch, case.entry.id))
    if as_json:
        for case in found:
            print(json.dumps(case_row(case, lang), ensure_ascii=False))
        return
    table = Table("Table", "No.", "Level", "Standing", "Handling", "What")
    for case in found:
        table.add_row(
            case.table,
            str(case.entry.id),
            case.level.name.lower(),
            case.entry.standing.value,
            case.handling.value,
            case_sentence(lang, case),
        )
    Terminal().print(table)


@data_app.command()
def gaps(data: Data = DATA, as_json: AsJson = False) -> None:
    """For every journal of every table: up to where it is complete, and what is missing. Exit code 1 if
    anything is.

    Example: [bold]director-console gaps --data var/console --json[/bold]
    """
    db = reader(data)
    hall = load(db)
    lacking = False
    for (table, epoch), upto in sorted(reports.progress(db).items()):
        now = hall.tables.get(table)
        said = max(now.last_seq, now.highest) if now is not None and now.epoch == epoch else 0
        missing = reports.gaps(db, table, epoch, said)
        count = db.execute(
            'SELECT count(*) FROM reports WHERE "table" = ? AND epoch = ?', (table, epoch)
        ).fetchone()[0]
        lacking = lacking or bool(missing)
        row = {
            "table": table,
            "epoch": epoch,
            "received": count,
            "complete_to": upto,
            "last_said": said,
            "missing": missing,
        }
        text = f"{table} {epoch}: {count} received, complete to {upto}, missing {missing or 'nothing'}"
        print(json.dumps(row) if as_json else text)
    if lacking:
        raise typer.Exit(1)


@data_app.command("reports")
def reports_(
    data: Data = DATA,
    table: Annotated[list[str] | None, typer.Option(help="Only of these tables.")] = None,
    what: Annotated[
        list[str] | None,
        typer.Option(help="Only these streams or log rows, e.g. irregularity, board, event."),
    ] = None,
) -> None:
    """Every report the console holds, as it was received: one JSON object a line, each journal in order.

    Example: [bold]director-console reports --data var/console --what board --what irregularity[/bold]
    """
    db = reader(data)
    wanted = frozenset(what or ())
    for journal_of, epoch in sorted(reports.progress(db)):
        if table and journal_of not in table:
            continue
        for report in reports.read(db, journal_of, epoch):
            if not wanted or report.stream in wanted or report.what in wanted:
                print(report.raw.decode("utf-8"))
