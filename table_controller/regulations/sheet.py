"""A profile as a sheet a director can read: value, source, date, standing, and the layer it was taken from.

Built once as plain rows; `pages` writes them as Markdown, `cli` as a table on the terminal or as JSON. Must
never hide where a value comes from, or that its article is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.regulations import clock_words
from table_controller.regulations.keys import ALL
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import Article, Provision
from table_controller.regulations.time_tables import TimeTable
from table_controller.regulations.values import value_text
from table_controller.words import Lang, citation, note, word


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One provision in words. `key` is its dotted name."""

    key: str
    name: str
    value: str
    source: str
    date: str
    standing: str
    layer: str
    from_below: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table in words."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    id: str
    title: str
    layers: tuple[str, ...]
    lines: tuple[Line, ...]
    grids: tuple[Grid, ...]


def provision_of(regs: Regulations, key: str) -> Provision[object]:
    """The provision with this dotted name. KeyError for a name that is not in `keys.ALL`."""
    if key not in ALL:
        raise KeyError(f"there is no provision {key!r}; the sheet of a profile lists them")
    group, name = key.split(".")
    found: object = getattr(getattr(regs, group), name)
    assert isinstance(found, Provision)
    return found


def sheet(regs: Regulations, lang: Lang) -> Sheet:
    """The whole of a profile in words."""
    return Sheet(
        id=regs.id,
        title=regs.title_zh if lang is Lang.ZH else regs.title_en,
        layers=regs.layers,
        lines=tuple(_line(regs, key, lang) for key in ALL),
        grids=(*_clock(regs, lang), _kinds(regs, lang), *_guidance(regs, lang)),
    )


def line(key: str, provision: Provision[object], regs: Regulations, lang: Lang) -> Line:
    return Line(
        key=key,
        name=word("provision", key, lang),
        value=value_text(key, provision.value, lang),
        source=source_text(provision, lang),
        date=date_text(provision.date, lang),
        standing=word("standing", provision.standing, lang),
        layer=provision.layer,
        from_below=regs.layers.index(provision.layer) < regs.layers.index(regs.id),
    )


def _line(regs: Regulations, key: str, lang: Lang) -> Line:
    return line(key, provision_of(regs, key), regs, lang)


def source_text(provision: Provision[object], lang: Lang) -> str:
    """Document, article and what is to be known of the source."""
    cited = provision.citation
    text = citation(cited.document, cited.article, lang)
    if not cited.note:
        return text
    return text + word("source", "note", lang, note=note(cited.note, lang))


def date_text(date: str, lang: Lang) -> str:
    return word("source", "date_unknown", lang) if date == "unknown" else date


def article_text(article: Article, lang: Lang) -> str:
    """An article with its 2017 number and standing."""
    text = citation(article.document, article.number, lang, law=article.law, number_2017=article.number_2017)
    if article.note:
        text += word("source", "note", lang, note=note(article.note, lang))
    standing = word("standing", article.standing, lang)
    return text + word("source", "standing", lang, standing=standing)


def _clock(regs: Regulations, lang: Lang) -> tuple[Grid, ...]:
    grids = [
        _time_grid("clock.late", regs.clock.late.value, lang),
        _time_grid("clock.slow", regs.clock.slow.value, lang),
    ]
    found = [grid for grid in grids if grid.rows]
    forfeit = regs.clock.forfeit.value
    if forfeit is not None:
        lines = clock_words.forfeit_lines(forfeit, lang)
        title = word("provision", "clock.forfeit", lang)
        found.append(
            Grid(title=title, header=(word("sheet", "value", lang),), rows=tuple((text,) for text in lines))
        )
    return tuple(found)


def _time_grid(key: str, table: TimeTable, lang: Lang) -> Grid:
    """Rows by minutes, one column a contest."""
    columns = [rows for _, rows in table.by_contest]
    bounds = list(dict.fromkeys(row.up_to_min for rows in columns for row in rows))
    cells = [{row.up_to_min: clock_words.row_text(row, lang) for row in rows} for rows in columns]
    return Grid(
        title=word("provision", key, lang),
        header=(
            word("row", "minutes", lang),
            *(word("contest", contest, lang) for contest, _ in table.by_contest),
        ),
        rows=tuple(
            (clock_words.bound_text(bound, lang), *(cell.get(bound, "") for cell in cells))
            for bound in bounds
        ),
    )


def _kinds(regs: Regulations, lang: Lang) -> Grid:
    joint = "；" if lang is Lang.ZH else "; "
    rows = []
    for kind, provision in regs.articles:
        section = "fact" if kind in ("CALLED_OVER", "TEMPO_RAISED_ON_SAME_FACE") else "name"
        articles = joint.join(article_text(article, lang) for article in provision.value)
        rows.append((kind, word(section, kind, lang), articles))
    header = (word("sheet", "kind", lang), "", word("sheet", "source", lang))
    return Grid(title=word("sheet", "kinds", lang), header=header, rows=tuple(rows))


def _guidance(regs: Regulations, lang: Lang) -> tuple[Grid, ...]:
    if not regs.guidance:
        return ()
    rows = tuple((word("guidance", item, lang), source_text(found, lang)) for item, found in regs.guidance)
    header = (word("sheet", "value", lang), word("sheet", "source", lang))
    return (Grid(title=word("sheet", "guidance", lang), header=header, rows=rows),)


def differences(one: Regulations, other: Regulations, lang: Lang) -> tuple[tuple[Line, Line], ...]:
    """The provisions whose values differ, each as the two lines. A difference of source alone is none."""
    return tuple(
        (_line(one, key, lang), _line(other, key, lang))
        for key in ALL
        if provision_of(one, key).value != provision_of(other, key).value
    )
