"""What the articles say of a table's time: late, slow, forfeit, each with its source and standing.

Indications, drawn from where the table stands; both readings are given where the text allows two, and the
observed shares beside the rule's. Must never decide: what the director decided stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from director_console.projection.contest import Plan
from director_console.projection.hall import Hall, TableNow
from director_console.projection.inputs import Matter, TimeRuled
from director_console.projection.standing import Standing, standing_of
from director_console.web.i18n import say
from table_controller.laws.seat import Partnership
from table_controller.regulations import clock
from table_controller.regulations.clock_words import all_said, forfeit_lines, share_text
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.load import load as load_regulations
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import Provision
from table_controller.regulations.sheet import source_text
from table_controller.regulations.time_tables import Deed
from table_controller.words import word
from table_controller.words.dictionary import Lang

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicated:
    """What an article says of one matter: in a word, in sentences, and where it stands."""

    matter: Matter
    heading: str
    lines: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def source(self) -> str:
        return "; ".join(self.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePace:
    """One table's time. `rulings`: every version of what was decided, by matter."""

    table: TableNow
    standing: Standing
    indications: tuple[Indicated, ...] = ()
    rulings: tuple[tuple[TimeRuled, ...], ...] = ()

    def indicated(self, matter: Matter) -> Indicated | None:
        return next((one for one in self.indications if one.matter is matter), None)


def table_pace(hall: Hall, table: TableNow, now: int, lang: str) -> TablePace:
    standing = standing_of(hall, table.name, now)
    if standing.plan is None:
        return TablePace(table=table, standing=standing)
    decided = [hall.time_rulings.get((table.name, standing.plan.session, matter), ()) for matter in Matter]
    return TablePace(
        table=table,
        standing=standing,
        indications=_indications(standing, standing.plan, Lang(lang)),
        rulings=tuple(found for found in decided if found),
    )


def _indications(standing: Standing, plan: Plan, lang: Lang) -> tuple[Indicated, ...]:
    try:
        regulations = load_regulations(plan.regulations)
    except RegulationsError:
        return ()
    late = _late(regulations, standing, plan, lang)
    forfeits = Matter.FORFEIT.value
    came_before = any(plan.earlier(standing.table, pair, forfeits) for pair in Partnership)
    forfeit = None
    if came_before or _is_forfeit(regulations, standing, plan):
        forfeit = _forfeit(regulations, standing, plan, lang)
    found = (late, _slow(regulations, standing, plan, lang), forfeit)
    return tuple(one for one in found if one is not None)


def _source(provision: Provision[object], lang: Lang) -> str:
    """The article, and how sure it is."""
    standing = word("source", "standing", lang, standing=word("standing", provision.standing, lang))
    return source_text(provision, lang) + standing


def _by_pair(plan: Plan, table: str, what: Matter, said: Callable[[int], str], lang: Lang) -> list[str]:
    """One line, or one a pair where it matters what came before."""
    found = [(pair, said(plan.earlier(table, pair, what.value))) for pair in Partnership]
    if len({text for _, text in found}) == 1:
        return [found[0][1]]
    return [say(lang.value, "time.for_pair", pair=pair.value, text=text) for pair, text in found]


def _late(regs: Regulations, standing: Standing, plan: Plan, lang: Lang) -> Indicated | None:
    over = (standing.late or 0) * NS_PER_MS
    if clock.late(regs, plan.contest, over) is None:
        return None

    def said(earlier: int) -> str:
        found = clock.late(regs, plan.contest, over, earlier)
        return "" if found is None else _readings(found, lang)

    lines = _by_pair(plan, standing.table, Matter.LATE, said, lang)
    return _indicated(Matter.LATE, lines, lines, (_source(regs.clock.late, lang),), lang)


def _slow(regs: Regulations, standing: Standing, plan: Plan, lang: Lang) -> Indicated | None:
    over = (standing.over or 0) * NS_PER_MS
    found = clock.slow(regs, plan.contest, over, observed=standing.observed)
    if found is None:
        return None

    def said(earlier: int) -> str:
        again = clock.slow(regs, plan.contest, over, earlier)
        return "" if again is None else _readings(again.total, lang)

    heading = _by_pair(plan, standing.table, Matter.SLOW, said, lang)
    lines = [*heading, say(lang.value, "time.both_together")]
    lines.extend(share_text(shares, lang) for reading in found.shares for shares in reading)
    if standing.observed is None:
        lines.append(say(lang.value, "time.not_observed"))
    elif not any(standing.observed):
        lines.append(say(lang.value, "time.neither_over"))
    sources = (_source(regs.clock.slow, lang), _source(found.source, lang))
    return _indicated(Matter.SLOW, heading, lines, sources, lang)


def _is_forfeit(regs: Regulations, standing: Standing, plan: Plan) -> bool:
    found = clock.late(regs, plan.contest, (standing.late or 0) * NS_PER_MS)
    return found is not None and any(Deed.FORFEIT_SESSION in reading for reading in found.readings)


def _forfeit(regs: Regulations, standing: Standing, plan: Plan, lang: Lang) -> Indicated | None:
    source = regs.clock.forfeit
    if source.value is None:
        return None
    before = [
        say(lang.value, "time.forfeits_before", pair=pair.value, n=times)
        for pair in Partnership
        if (times := plan.earlier(standing.table, pair, Matter.FORFEIT.value))
    ]
    lines = (*before, *forfeit_lines(source.value, lang))
    return _indicated(Matter.FORFEIT, lines[:1], lines, (_source(source, lang),), lang)


def _indicated(
    matter: Matter, heading: Sequence[str], lines: Sequence[str], sources: tuple[str, ...], lang: Lang
) -> Indicated:
    between = word("step", "between", lang)
    return Indicated(
        matter=matter,
        heading=between.join(heading),
        lines=tuple(lines),
        sources=tuple(dict.fromkeys(sources)),
    )


def _readings(indication: clock.Indication, lang: Lang) -> str:
    """What the row says; both ways to read it where there are two."""
    first, *others = (all_said(reading, lang) for reading in indication.readings)
    other = [word("step", "or_read", lang, steps=steps) for steps in others]
    return word("step", "between", lang).join((first, *other))
