"""Entries, faults and phases as sentences a director would say; the words are `table_controller.words`.

Must never say more than the entry does: what the table does not know is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from director_console.projection.case import Case
from director_console.projection.inputs import NoticeSeen
from director_console.web.i18n import known, say
from director_console.web.show import short
from table_controller.laws.seat import Seat
from table_controller.regulations.model import Regulations
from table_controller.screen.entry import Cited, Entry, Fault, Kind
from table_controller.words import dictionary, saying, sources
from table_controller.words.dictionary import Lang, label

LAW_DOCUMENT = "Laws"


def kind_name(lang: str, kind: str) -> str:
    return label("name", kind, Lang(lang))


def sentence(lang: str, entry: Entry) -> str:
    """One sentence, whatever the kinds; for kinds of a later version, their names."""
    named = [kind.value for kind in entry.kinds if dictionary.has("clause", kind)]
    if not named:
        return ", ".join(kind_name(lang, kind) for kind in entry.kinds)
    facts = {fact.name: fact.text for fact in entry.facts}
    turn = facts.get("turn", "")
    return saying.sentence(
        named,
        Lang(lang),
        board=entry.board,
        seats=entry.seats,
        side=entry.screen_side,
        call=entry.call,
        other_call=entry.other_call,
        turn=Seat(turn) if turn in set(Seat) else None,
        expected=facts.get("expected", ""),
    )


def brief(lang: str, entry: Entry) -> str:
    """The sentence without its board, for where that stands beside it already."""
    said = sentence(lang, entry)
    board = "" if entry.board is None else dictionary.word("slot", "board", Lang(lang), number=entry.board)
    return said.removeprefix(board)


def component(lang: str, name: str) -> str:
    """A part of the table in words; a single signal keeps the name that stands on its wire."""
    if known(lang, f"component.{name}"):
        return say(lang, f"component.{name}")
    return sense(lang, name) if dictionary.has("sense", name) else name


def notice_sentence(lang: str, notice: NoticeSeen) -> str:
    """Whose message it was and what is wrong with it. The name is as a stranger may have written it."""
    where, _, name = notice.table.rpartition("/")
    if where:
        who = say(lang, "notice.console", name=short(name))
    else:
        who = say(lang, "wall.table", table=short(name)) if name else say(lang, "notice.somebody")
    return say(lang, f"notice.{notice.kind.value}", who=who)


def fault_sentence(lang: str, fault: Fault) -> str:
    text = dictionary.word("fault", fault.kind, Lang(lang), component=component(lang, fault.component))
    said = text[0].upper() + text[1:]
    return f"{said}: {say(lang, 'value.verbatim', text=fault.detail)}" if fault.detail else said


def phase_name(lang: str, phase: str) -> str:
    return saying.phase(phase, Lang(lang)) if phase else ""


def seats(lang: str, names: Sequence[Seat]) -> str:
    return saying.seats_text(names, Lang(lang))


def word(lang: str, section: str, key: str) -> str:
    """A word of the table's vocabulary; a new key as it is, with spaces."""
    return label(section, key.replace(" ", "_") if section in _UNDERSCORED else key, Lang(lang))


_UNDERSCORED = ("stage", "case", "alarm")


def why_off(lang: str, why: str) -> str:
    return sources.why_off(why, Lang(lang))


def sense(lang: str, name: str) -> str:
    return label("sense", name, Lang(lang))


def course_text(lang: str, key: str) -> str:
    return label("course", key, Lang(lang))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLine:
    text: str
    standing: str
    key: str
    """The standing's own name, under which the key of signs explains it."""


def article_line(lang: str, cited: Cited) -> ArticleLine:
    text = sources.citation(
        cited.document,
        cited.article,
        Lang(lang),
        law=cited.document.startswith(LAW_DOCUMENT),
        number_2017=cited.law_2017,
    )
    return ArticleLine(text=text, standing=label("standing", cited.standing, Lang(lang)), key=cited.standing)


def articles(lang: str, entry: Entry) -> tuple[ArticleLine, ...]:
    return tuple(article_line(lang, cited) for cited in entry.provisions)


def article(lang: str, entry: Entry) -> str:
    """The first article in short, for a line of the queue: `23.2.5` or `L27`."""
    if not entry.provisions:
        return ""
    cited = entry.provisions[0]
    if cited.article is None:
        return sources.document(cited.document, Lang(lang))
    return f"L{cited.article}" if cited.document.startswith(LAW_DOCUMENT) else cited.article


def case_sentence(lang: str, case: Case) -> str:
    return sentence(lang, case.entry)


def guidance(lang: str, entry: Entry, regulations: Regulations) -> tuple[str, ...]:
    """What to remember behind screens beside an entry of these kinds."""
    found: dict[str, None] = {}
    for kind in entry.kinds:
        for item, _ in regulations.guidance_for(kind):
            found[label("guidance", item, Lang(lang))] = None
    return tuple(found)


FOUR_FACTS = frozenset(
    {
        Kind.INSUFFICIENT_BID,
        Kind.CALL_OUT_OF_ROTATION,
        Kind.INADMISSIBLE_DOUBLE,
        Kind.INADMISSIBLE_REDOUBLE,
        Kind.CALL_AFTER_FINAL_PASS,
        Kind.CHANGE_OF_CALL,
        Kind.CALL_VIOLATING_OBLIGATION_TO_PASS,
    }
)
"""Kinds about an irregular call, whose course is decided by the four facts."""


def four_facts(lang: str, entry: Entry) -> tuple[tuple[str, str], ...]:
    """The four facts beside an irregular call, none beside anything else."""
    if not FOUR_FACTS.intersection(entry.kinds):
        return ()
    return saying.four_facts(
        Lang(lang),
        offenders=entry.seats,
        mover=None if entry.mover is None else entry.mover.seat,
        certainty=None if entry.mover is None else entry.mover.certainty.value,
        called_over_by=entry.called_over_by,
        gap_ns=entry.gap,
    )
