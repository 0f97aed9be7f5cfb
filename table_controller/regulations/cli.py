"""`table-controller regulations`: what an authority says, as a sheet; and what two of them say differently.

Must never decide anything: it prints what `load` loaded. Bad input ends with exit code 2 and one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from table_controller.plain.console import plain_console
from table_controller.plain.folded import folded
from table_controller.plain.shortened import shortened
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.load import DEFAULT, available, load
from table_controller.regulations.model import Regulations
from table_controller.regulations.sheet import Line, Sheet, differences, provision_of, sheet
from table_controller.regulations.values import Plain, plain
from table_controller.words import Lang, word

Supplements = Annotated[
    list[Path] | None,
    typer.Option("--supplement", metavar="FILE", help="An event's own supplement on top; may be repeated."),
]
Language = Annotated[Lang, typer.Option("--lang", help="The language of the sheet.")]
AsJson = Annotated[bool, typer.Option("--json", help="For a program: JSON.")]


class _Alone(TyperGroup):
    """A group without commands of its own, so that options may stand after the profile's id."""

    allow_interspersed_args = True


app = typer.Typer(
    cls=_Alone,
    invoke_without_command=True,
    subcommand_metavar="",
    help="The regulations of an authority as a sheet: value, source, date, standing, layer.",
    epilog="Example: table-controller regulations ebl-2016 --lang zh-CN; or: ... --diff ccba-2006 acbl",
)


@app.callback()
def regulations(
    profile: Annotated[
        str, typer.Argument(metavar="[ID]", help="A profile's id, or the path of its file.")
    ] = DEFAULT,
    lang: Language = Lang.EN,
    as_json: AsJson = False,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option("--diff", metavar="A B", help="What two profiles say differently."),
    ] = None,
    supplement: Supplements = None,
    list_profiles: Annotated[bool, typer.Option("--list", help="The ids of the profiles there are.")] = False,
) -> None:
    """Print the sheet of a profile."""
    if list_profiles:
        typer.echo(json.dumps(list(available())) if as_json else "\n".join(available()))
        return
    if diff is not None:
        _show_differences(*(loaded(side, supplement) for side in diff), lang=lang, as_json=as_json)
        return
    regs = loaded(profile, supplement)
    if as_json:
        typer.echo(json.dumps(as_plain(regs, lang), ensure_ascii=False, indent=1))
    else:
        _show(sheet(regs, lang), lang)


def loaded(profile: str, supplements: list[Path] | None) -> Regulations:
    """The regulations asked for; bad ones end the program with exit code 2."""
    try:
        return load(profile, supplements or ())
    except RegulationsError as error:
        refuse(str(error))


def refuse(sentence: str) -> NoReturn:
    typer.echo(shortened(sentence), err=True)
    raise typer.Exit(2)


def as_plain(regs: Regulations, lang: Lang) -> dict[str, Plain]:
    """A profile for a program: provisions with value, words and source, and every kind's articles."""
    shown = sheet(regs, lang)
    return {
        "id": regs.id,
        "title": shown.title,
        "layers": list(regs.layers),
        "provisions": [_plain_line(line, regs) for line in shown.lines],
        "articles": {kind: plain(provision.value) for kind, provision in regs.articles},
        "guidance": [
            {"item": item.value, "text": word("guidance", item, lang), "bears_on": plain(found.value)}
            for item, found in regs.guidance
        ],
    }


def _plain_line(line: Line, regs: Regulations) -> Plain:
    provision = provision_of(regs, line.key)
    return {
        "key": line.key,
        "name": line.name,
        "value": plain(provision.value),
        "text": line.value,
        "document": provision.citation.document,
        "article": provision.citation.article,
        "note": provision.citation.note,
        "date": provision.date,
        "standing": provision.standing.value,
        "layer": provision.layer,
    }


def _show(found: Sheet, lang: Lang) -> None:
    console = plain_console()
    console.print(Text.assemble((found.title, "bold"), f" ({found.id})"))
    console.print(word("sheet", "layers", lang, layers=" → ".join(found.layers)))
    console.print(word("sheet", "standings", lang))
    table = _table(
        word("sheet", key, lang) for key in ("provision", "value", "source", "date", "standing", "layer")
    )
    for line in found.lines:
        layer = Text(line.layer, style="dim" if line.from_below else "")
        table.add_row(line.name, line.value, line.source, line.date, line.standing, layer)
    console.print(table)
    for grid in found.grids:
        table = _table(grid.header, grid.title)
        for row in grid.rows:
            table.add_row(*row)
        console.print(table)


def _show_differences(one: Regulations, other: Regulations, *, lang: Lang, as_json: bool) -> None:
    found = differences(one, other, lang)
    if as_json:
        rows: list[Plain] = [
            {"key": a.key, one.id: _plain_line(a, one), other.id: _plain_line(b, other)} for a, b in found
        ]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    console = plain_console()
    console.print(word("sheet", "differences", lang, a=one.id, b=other.id))
    if not found:
        console.print(word("sheet", "no_differences", lang))
        return
    table = _table((word("sheet", "provision", lang), one.id, other.id))
    for a, b in found:
        cells = (
            Text.assemble(f"{line.value}\n", (f"{line.source}, {line.standing}", "dim")) for line in (a, b)
        )
        table.add_row(a.name, *cells)
    console.print(table)


def _table(header: Iterable[str], title: str | None = None) -> Table:
    """A table that folds long cells, Chinese too, and never cuts one."""
    table = Table(title=title, show_lines=True)
    for name in header:
        table.add_column(name)
    return folded(table)
