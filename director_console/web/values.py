"""Values of events, orders and facts, as words in the viewer's language.

Every value that is put into a sentence goes through here. Must never let a value's own name through where
there is a word for it; what the table wrote in its own words is quoted as such.
"""

from __future__ import annotations

from collections.abc import Mapping

from director_console.web import sentences
from director_console.web.i18n import known, say
from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Subject, Verdict, WindowOrder, WindowState
from table_controller.words import refusal
from table_controller.words.dictionary import Lang
from table_controller.words.saying import call_text

NS_PER_S = 1_000_000_000
CLOCK_FACTS = frozenset(
    [
        "minutes_over",
        "table_row",
        "boards_played",
        "boards_unplayed",
        "unknown",
        "used_ns",
        "used_ew",
        "over_ns",
        "over_ew",
    ]
)
"""Figures of the table's clock, written as a director reads them: `7:00`, `13`."""
GROUP_OF: Mapping[str, str] = {"reason": "reason", "cause": "cause", "why": "reason"}
"""Fields whose text is a key into the console's words."""


def value_text(lang: str, name: str, item: object) -> str:
    """The value of the field `name` as it stands in a sentence; `?` where there is none."""
    match item:
        case None:
            return "?"
        case bool():
            return say(lang, "value.on" if item else "value.off")
        case Seat():
            return sentences.word(lang, "seat", item)
        case ScreenSide():
            return sentences.word(lang, "face", item)
        case WindowState():
            return sentences.word(lang, "window", item)
        case WindowOrder():
            return sentences.word(lang, "order", f"{item.value}_window")
        case Verdict():
            return sentences.word(lang, "verdict", item)
        case Subject():
            return sentences.word(lang, "subject", item)
        case FaultKind():
            return sentences.kind_name(lang, item)
        case tuple():
            return ", ".join(value_text(lang, name, part) for part in item)
        case _ if isinstance(item, Call):
            return call_text(item, Lang(lang))
        case str():
            return _text(lang, name, item)
        case _:
            return str(item)


def _text(lang: str, name: str, text: str) -> str:
    group = GROUP_OF.get(name)
    if group is not None:
        key = f"{group}.{text.replace(' ', '_')}"
        return say(lang, key) if known(lang, key) else verbatim(lang, text)
    if name == "detail":
        return verbatim(lang, text)
    return sentences.component(lang, text) if name == "component" else text


def verbatim(lang: str, text: str) -> str:
    """What the table wrote in its own words, which are English."""
    return say(lang, "value.verbatim", text=text) if text else ""


def refusal_text(lang: str, reason: str, code: str, slots: Mapping[str, str]) -> str:
    """Why a table refused an order, in the viewer's language; in the table's own words where that fails."""
    worded = {name: verb_text(lang, value) if name == "verb" else value for name, value in slots.items()}
    said = refusal(code, worded, Lang(lang))
    return said[:1].upper() + said[1:] if said else verbatim(lang, reason)


def verb_text(lang: str, verb: str) -> str:
    key = f"verb.{verb}"
    return say(lang, key) if known(lang, key) else verb


def status_text(lang: str, status: str) -> str:
    key = f"command.{status}"
    return say(lang, key) if known(lang, key) else status


def fact_name(lang: str, name: str) -> str:
    key = f"fact.{name}"
    return say(lang, key) if known(lang, key) else sentences.word(lang, "fact", name.upper())


def fact_value(lang: str, name: str, text: str) -> str:
    """A fact's text: a seat or several, a verdict, a subject, a call, or a length of time."""
    if not text:
        return say(lang, "case.yes")
    if name in CLOCK_FACTS:
        return text
    if name == "window_open" and set(text) <= set(Seat):
        return sentences.seats(lang, [Seat(letter) for letter in text])
    if text in set(Seat):
        return sentences.word(lang, "seat", text)
    if name.endswith("_ns") and text.isdecimal():
        return say(lang, "value.seconds", n=f"{int(text) / NS_PER_S:.1f}")
    if name == "replaced_by":
        return _call(lang, text)
    return sentences.word(lang, "verdict" if text in set(Verdict) and name == "ruled" else "subject", text)


def _call(lang: str, text: str) -> str:
    try:
        return call_text(parse_call(text), Lang(lang))
    except ValueError:
        return text
