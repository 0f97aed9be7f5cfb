"""Words of the game for the bench's pages: kinds, phases, seats, in the product's own wording.

They come from the one dictionary that the director's pages use, so that a table is told in one voice. Must
never hold a text of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from table_controller.words import Lang, entries, word

SECTIONS: Mapping[str, str] = {
    "seat": "seat",
    "face": "side",
    "call": "call",
    "vulnerability": "vul",
    "phase": "phase",
    "name": "kind",
    "stage": "call_stage",
    "level": "level",
    "entry_standing": "standing",
    "verdict": "verdict",
    "fault": "fault",
    "order": "order",
    "course": "course",
    "refusal": "because",
    "hold_reason": "hold_reason",
}
"""Sections of the dictionary that a page shows, and under what name."""


def game_words(lang: str) -> dict[str, str]:
    """Every text by its dotted place. Raises ValueError for a language that we do not have."""
    return {
        f"{name}.{key}": word(section, key, Lang(lang))
        for section, name in SECTIONS.items()
        for key in entries(section)
    }
