"""The sheets of all shipped profiles as pages of docs/, in both languages, and a page that compares them.

    python -m table_controller.regulations.pages --write docs/generated

A test says when they are stale. Must never hold a word or a value of its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from table_controller.regulations.keys import ALL
from table_controller.regulations.load import BASE, SHIPPED, load
from table_controller.regulations.sheet import Grid, Sheet, provision_of, sheet
from table_controller.regulations.values import value_text
from table_controller.words import Lang, word

PROFILES = (*SHIPPED, BASE)


def page(found: Sheet, lang: Lang) -> str:
    """One profile as Markdown."""
    heads = [
        word("sheet", key, lang) for key in ("provision", "value", "source", "date", "standing", "layer")
    ]
    below = word("sheet", "from_below", lang)
    rows = [
        (
            f"{line.name}<br>`{line.key}`",
            line.value,
            line.source,
            line.date,
            line.standing,
            f"{line.layer} ({below})" if line.from_below else line.layer,
        )
        for line in found.lines
    ]
    parts = [
        f"# {found.title} (`{found.id}`)",
        word("sheet", "layers", lang, layers=" → ".join(found.layers)),
        word("sheet", "standings", lang),
        _table(tuple(heads), tuple(rows)),
    ]
    for grid in found.grids:
        parts += [f"## {grid.title}", *_about(grid, lang), _table(grid.header, grid.rows)]
    return "\n\n".join(parts) + "\n"


def _about(grid: Grid, lang: Lang) -> list[str]:
    """What must be said above a time table."""
    if grid.header[0] != word("row", "minutes", lang):
        return []
    return [" ".join(word("answer", key, lang) for key in ("interval", "individuals", "indication"))]


def comparison(lang: Lang) -> str:
    """Every provision under every profile, one row each."""
    loaded = [load(profile) for profile in PROFILES]
    rows = tuple(
        (
            f"{word('provision', key, lang)}<br>`{key}`",
            *(value_text(key, provision_of(regs, key).value, lang) for regs in loaded),
        )
        for key in ALL
        if key != "laws.numbers"
    )
    links = tuple(f"[{regs.id}]({_name(regs.id, lang)})" for regs in loaded)
    title = word("sheet", "all", lang)
    return f"# {title}\n\n{_table((word('sheet', 'provision', lang), *links), rows)}\n"


def _name(profile: str, lang: Lang) -> str:
    ending = "" if lang is Lang.EN else f".{lang}"
    return f"regulations-{profile}{ending}.md"


def _table(header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def write(directory: Path) -> None:
    """Write every page into `directory`, which must exist."""
    for lang in Lang:
        for profile in PROFILES:
            text = page(sheet(load(profile), lang), lang)
            (directory / _name(profile, lang)).write_text(text, encoding="utf-8")
        ending = "" if lang is Lang.EN else f".{lang}"
        (directory / f"regulations{ending}.md").write_text(comparison(lang), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the sheets of the shipped profiles.")
    parser.add_argument("--write", type=Path, required=True, metavar="DIRECTORY")
    write(parser.parse_args().write)


if __name__ == "__main__":
    main()
