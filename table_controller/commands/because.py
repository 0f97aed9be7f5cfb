"""Why a command was not carried out: the English sentence, and the code and slots that word it elsewhere.

A result on the wire and a row of the journal carry both: the sentence for whoever reads them plainly, the
code for a console that shows its viewer's language (`words.refusal`). Must never word anything itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from table_controller.screen.refusals import Refusal
from table_controller.words import Lang, refusal

LONGEST = 200
"""Characters of a reason or a slot that a message carries."""


class Objection(StrEnum):
    """Why a command never came before the core. Words and slots: `words/refusals.toml`."""

    RETAINED = "command_retained"
    DEADLINE_PASSED = "command_deadline_passed"
    DEADLINE_PASSED_THERE = "command_deadline_passed_there"
    NO_CLOCK = "command_no_clock"
    SNAPSHOT_OLD = "command_snapshot_old"
    NO_STATE = "command_no_state"
    RESTARTED = "command_restarted"
    OTHER_JOURNAL = "command_other_journal"
    OTHER_STATE = "command_other_state"
    NO_SUCH_ROWS = "command_no_such_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """`code` is empty where the sentence is all there is; so is `reason` where nothing was refused."""

    reason: str = ""
    code: str = ""
    slots: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, code: str, slots: Mapping[str, str]) -> Because:
        cut = {name: value[:LONGEST] for name, value in slots.items()}
        reason = refusal(code, cut, Lang.EN)[:LONGEST]
        return cls(reason=reason, code=str(code), slots=tuple(cut.items()))

    @classmethod
    def objects(cls, objection: Objection, **slots: object) -> Because:
        return cls.of(objection, {name: str(value) for name, value in slots.items()})

    @classmethod
    def refused(cls, why: Refusal) -> Because:
        return cls.of(why.code, dict(why.slots))

    @classmethod
    def said(cls, sentence: str) -> Because:
        """For what has no code: a sentence about arguments that cannot be read."""
        return cls(reason=sentence[:LONGEST])


NOTHING = Because()
