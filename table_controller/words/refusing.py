"""Why an order was refused, as one sentence in the reader's language.

`code` and `slots` are what a table answers with (`screen.refusals`, `commands.because`); a result on the wire
and a row of the journal carry them beside the English sentence, so that a page can show the viewer's. What a
newer table says in a code not known here is shown as that table worded it. Must never add a reason.
"""

from __future__ import annotations

from collections.abc import Mapping

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.words.dictionary import Lang, has, word
from table_controller.words.saying import call_text, face_text, phase, seats_text

SECTION = "refusal"


def refusal(code: str, slots: Mapping[str, str], lang: Lang, otherwise: str = "") -> str:
    """The sentence for a code with its slots; `otherwise` where there is none, or a slot is missing."""
    if not has(SECTION, code):
        return otherwise
    try:
        return word(SECTION, code, lang, **{name: _slot(name, value, lang) for name, value in slots.items()})
    except KeyError:
        return otherwise


def hold_reason_text(reason: str, lang: Lang) -> str:
    """Why a table is held: `director`, or `entry:NUMBER`; a newer reason as it is."""
    kind, _, number = reason.partition(":")
    return word("hold_reason", kind, lang, number=number) if has("hold_reason", kind) else reason


def _slot(name: str, value: str, lang: Lang) -> str:
    match name:
        case "phase":
            return phase(value, lang)
        case "side" if value in set(ScreenSide):
            return face_text(ScreenSide(value), lang)
        case "seat" if value in set(Seat):
            return seats_text((Seat(value),), lang)
        case "hold":
            return hold_reason_text(value, lang)
        case "holds":
            return word("slot", "list", lang).join(
                hold_reason_text(one, lang) for one in value.split(" ") if one
            )
        case "call":
            return _call(value, lang)
        case _:
            return value


def _call(value: str, lang: Lang) -> str:
    try:
        return call_text(parse_call(value), lang)
    except ValueError:
        return value
