"""`director-console cases`, `gaps`, `reports`: what the console's journal holds, for a program or a terminal.

Reads only; works beside a running console and after it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console as Terminal
from rich.table import Table

from director_console.data_dir import default_data
from director_console.evidence.build import build
from director_console.evidence.select import Export, Selection
from director_console.evidence.verify import verify
from director_console.exporting import NotExported, check_by, check_reason, write
from director_console.loading import load
from director_console.refusing import refuse
from director_console.rows import case_row
from director_console.store import reports
from director_console.store.audit import first_break
from director_console.store.book import StoreError, audit_rows, open_reader
from director_console.web.contexts import case_of
from director_console.web.i18n import LANGUAGES
from director_console.web.sentences import case_sentence
from table_controller.messages.mac import KeyRing, KeysUnusable, load_keys
from table_controller.plain.folded import folded
from table_controller.plain.given_paths import PathUnusable, is_there


def known_language(lang: str) -> str:
    """As an option's callback: what is no language of ours is refused before anything is read."""
    if lang not in LANGUAGES:
        refuse(f"--lang {lang}: expected one of {', '.join(LANGUAGES)}")
    return lang


data_app = typer.Typer()
Data = Annotated[Path, typer.Option(help="Directory of the console's journal.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Lang = Annotated[str, typer.Option(help="en or zh-CN.", callback=known_language)]
DATA = default_data()
ANOTHER = "give another name with --out"


def reader(data: Path) -> sqlite3.Connection:
    try:
        return open_reader(data)
    except StoreError as error:
        refuse(str(error))


@data_app.command()
def cases(data: Data = DATA, as_json: AsJson = False, lang: Lang = "en") -> None:
    """Every case the console holds, and how far it is.

    Example: [bold]director-console cases --json[/bold]
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
    Terminal(emoji=False).print(folded(table))


@data_app.command()
def gaps(data: Data = DATA, as_json: AsJson = False) -> None:
    """For every journal of every table: up to where it is complete, and what is missing. Exit code 1 if
    anything is.

    Example: [bold]director-console gaps --json[/bold]
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

    Example: [bold]director-console reports --what board --what irregularity[/bold]
    """
    db = reader(data)
    wanted = frozenset(what or ())
    for journal_of, epoch in sorted(reports.progress(db)):
        if table and journal_of not in table:
            continue
        for report in reports.read(db, journal_of, epoch):
            if not wanted or report.stream in wanted or report.what in wanted:
                print(report.raw.decode("utf-8"))


@data_app.command("export")
def export_(
    table: Annotated[str, typer.Option(help="The table.")],
    out: Annotated[Path, typer.Option(help="The ZIP to write; never over another file.")],
    reason: Annotated[str, typer.Option(help="What it is for; kept in the file and in the audit log.")],
    case: Annotated[str, typer.Option(help="JOURNAL/NUMBER of one case; without it the whole table.")] = "",
    hands: Annotated[bool, typer.Option("--hands", help="With the cards played.")] = False,
    by: Annotated[str, typer.Option(help="Who exports it.")] = "command line",
    venue: Annotated[str, typer.Option(help="The venue, for the sheet.")] = "hall",
    event: Annotated[str, typer.Option(help="The event, for the sheet.")] = "event",
    keys: Annotated[
        Path | None, typer.Option(help="Key file, to check the seals; default: in the data.")
    ] = None,
    data: Data = DATA,
    lang: Lang = "en",
) -> None:
    """Write evidence of a table or a case, as the page does; the audit log keeps who asked for it and why.

    Example: [bold]director-console export --table 7 --out table-7.zip --reason appeal[/bold]
    """
    try:
        reason, by = check_reason(reason), check_by(by)
    except NotExported as error:
        refuse(str(error))
    db = reader(data)
    ring = key_ring(keys or data / "keys.json", needed=keys is not None)
    hall = load(db)
    chosen = case_of(hall, f"{table}/{case}") if case else None
    if case and chosen is None:
        refuse(f"--case {case}: table {table} has no such case; `director-console cases` lists them")
    if table not in hall.tables:
        refuse(f"--table {table}: nothing is known of it here; `director-console gaps` lists the tables")
    export = Export(
        selection=Selection(table=table, case=chosen),
        hands=hands,
        reason=reason,
        by=by,
        at=time.time_ns() // 1_000_000,
        venue=venue,
        event=event,
        lang=lang,
    )
    try:
        note = write(out, data, export, lambda: build(db, hall, ring, export))
    except NotExported as error:
        refuse(str(error))
    if note:
        Terminal(emoji=False, stderr=True, highlight=False, soft_wrap=True).print(note, markup=False)
    print(out)


@data_app.command("verify")
def verify_(
    file: Annotated[Path, typer.Argument(help="The ZIP.")],
    keys: Annotated[Path | None, typer.Option(help="Key file, to check the seals.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check evidence: whole, unaltered, in order, sealed. Exit code 1 if it does not verify.

    Example: [bold]director-console verify table-7.zip --keys keys.json[/bold]
    """
    ring = None if keys is None else key_ring(keys, needed=True)
    try:
        content = file.read_bytes()
    except OSError as error:
        refuse(f"{file}: cannot be read ({error.strerror})")
    findings = verify(content, ring)
    if as_json:
        row = {
            "good": findings.good,
            "reports": findings.reports,
            "sealed": findings.sealed,
            "unsealed": findings.unsealed,
            "withheld": findings.withheld,
            "wrong": findings.wrong,
        }
        print(json.dumps(row, ensure_ascii=False))
    else:
        print("it verifies" if findings.good else "it does not verify:")
        for sentence in findings.wrong:
            print(f"  {sentence}")
        counts = f"{findings.reports} reports, {findings.sealed} with a right seal"
        print(f"{counts}, {findings.unsealed} not checked, {findings.withheld} withheld")
    if not findings.good:
        raise typer.Exit(1)


@data_app.command("audit")
def audit_(data: Data = DATA, as_json: AsJson = False) -> None:
    """Show the audit log and check its chain. Exit code 1 where it is broken.

    Example: [bold]director-console audit --json[/bold]
    """
    db = reader(data)
    rows = list(audit_rows(db))
    for row in rows:
        text = f"{row.n:6} {row.at} {row.by}: {row.act} {row.detail}"
        value = {"n": row.n, "at": row.at, "by": row.by, "act": row.act, "detail": json.loads(row.detail)}
        print(json.dumps(value, ensure_ascii=False) if as_json else text)
    broken = first_break(rows)
    if broken is not None:
        Terminal(emoji=False, stderr=True, highlight=False).print(
            f"the chain is broken at row {broken}", markup=False
        )
        raise typer.Exit(1)


def key_ring(path: Path, *, needed: bool) -> KeyRing | None:
    try:
        if not needed and not is_there(path):
            return None
        return load_keys(path)
    except (KeysUnusable, PathUnusable) as error:
        refuse(str(error))
