"""Cases and decisions as rows a program reads: the same on the command line and in evidence."""

from __future__ import annotations

from director_console.projection.case import Case
from director_console.projection.inputs import CaseStepped, TimeRuled
from director_console.web.sentences import case_sentence
from table_controller.messages import wall_text
from table_controller.messages.codec import to_json


def case_row(case: Case, lang: str) -> dict[str, object]:
    """The entry whole, and how far the directors are with it."""
    ruling = case.ruling
    return {
        "table": case.table,
        "epoch": case.epoch,
        "id": case.entry.id,
        "board": case.entry.board,
        "kinds": [kind.value for kind in case.entry.kinds],
        "level": case.level.name.lower(),
        "standing": case.entry.standing.value,
        "handling": case.handling.value,
        "waits": case.waits,
        "owner": case.owner,
        "ruling": None
        if ruling is None
        else {"version": ruling.version, "verdict": ruling.verdict, "text": ruling.text, "by": ruling.by},
        "commands": [
            {
                "id": command.id,
                "verb": command.verb,
                "progress": command.progress.value,
                "reason": command.reason,
                "code": command.code,
            }
            for command in case.commands
        ],
        "revisions": len(case.amendments),
        "sentence": case_sentence(lang, case),
        "entry": to_json(case.entry),
    }


def step_row(step: CaseStepped) -> dict[str, object]:
    return {
        "step": step.step.value,
        "by": step.by,
        "owner": step.owner,
        "text": step.text,
        "at": wall_text(step.at * 1_000_000),
    }


def time_ruling_row(ruled: TimeRuled) -> dict[str, object]:
    return {
        "what": ruled.matter.value,
        "session": ruled.session,
        "version": ruled.version,
        "verdict": ruled.verdict.value,
        "ns": ruled.ns,
        "ew": ruled.ew,
        "reason": ruled.reason,
        "shown": list(ruled.shown),
        "by": ruled.by,
        "at": wall_text(ruled.at * 1_000_000),
    }
