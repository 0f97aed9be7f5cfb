"""Everything the product says to a director, in English and Chinese, in one place.

`word` looks a key up; `sentence` says what happened at a table; `citation` names a source; `refusal` says why
an order was refused. The keys are the values the rest of the product uses (kinds, phases, courses, dotted
provisions) as plain text, so that the pages and the command line can word a message without the core. Must
never judge, and never word anything for a player: nothing here is shown at a table. Our own words never speak
of what an article gives; an article's own stand between “ ”.
"""

from __future__ import annotations

from table_controller.words.dictionary import Lang, entries, has, label, languages, sections, word
from table_controller.words.refusing import hold_reason_text, refusal
from table_controller.words.saying import call_text, face_text, four_facts, phase, seats_text, sentence
from table_controller.words.sources import citation, document, note, why_off

__all__ = [
    "Lang",
    "call_text",
    "citation",
    "document",
    "entries",
    "face_text",
    "four_facts",
    "has",
    "hold_reason_text",
    "label",
    "languages",
    "note",
    "phase",
    "refusal",
    "seats_text",
    "sections",
    "sentence",
    "why_off",
    "word",
]
