"""What templates may call, bound to the viewer's language."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

from director_console.projection.contest import Plan
from director_console.projection.inputs import CommandSeen, Snapshot
from director_console.web import sentences
from director_console.web.i18n import known, say
from director_console.web.values import refusal_text
from table_controller.laws.seat import Seat
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.load import load as load_regulations
from table_controller.screen.effects import CallShown
from table_controller.words.dictionary import Lang
from table_controller.words.saying import call_text

KIB_IN_GIB = 1024 * 1024


@cache
def asset(name: str) -> str:
    """The address of a static file, with a mark that changes when any of them does."""
    return f"/static/{name}?v={_mark()}"


@cache
def _mark() -> str:
    digest = hashlib.sha256()
    for path in sorted(files("director_console").joinpath("static").iterdir(), key=lambda item: item.name):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def helpers(lang: str) -> dict[str, object]:
    """Names to functions, for one language."""

    def speak(key: str, **values: object) -> str:
        return say(lang, key, **values)

    return {
        "lang": lang,
        "say": speak,
        "asset": asset,
        "word": lambda section, key: sentences.word(lang, section, str(key)),
        "seats": lambda names: sentences.seats(lang, names),
        "phase_name": lambda phase: sentences.phase_name(lang, phase),
        "kind_name": lambda kind: sentences.kind_name(lang, kind),
        "off_name": lambda name: off_name(lang, name),
        "why_off": lambda why: sentences.why_off(lang, why),
        "short_phase": lambda phase: say(lang, f"short.{phase}") if known(lang, f"short.{phase}") else phase,
        "phase_words": lambda phases: [(phase, sentences.phase_name(lang, phase)) for phase in phases],
        "subject_words": _pairs(lambda key: sentences.word(lang, "subject", key)),
        "hold_text": lambda reason: hold_text(lang, reason),
        "refusal_text": lambda reason, code, slots: refusal_text(lang, reason, code, dict(slots)),
        "command_text": lambda command: command_text(lang, command),
        "contest_words": _pairs(lambda key: sentences.word(lang, "contest", key)),
        "role_words": _pairs(lambda key: say(lang, f"role.{key}")),
        "name_words": _pairs(str),
        "profile_words": _pairs(lambda key: profile_title(lang, key)),
        "lineup_text": lineup_text,
        "before_text": lambda plan: before_text(lang, plan),
        "matter_words": _pairs(lambda key: say(lang, f"matter.{key}").rstrip(":：")),
        "time_verdict_words": _pairs(lambda key: say(lang, f"time.verdict_{key}")),
        "vulnerability_words": _pairs(lambda key: say(lang, f"vulnerability.{key}")),
        "numbered": lambda calls: numbered(lang, calls),
        "typed": typed,
        "disk": disk,
        "days": lambda snapshot: days(lang, snapshot),
    }


def _pairs(word: Callable[[str], str]) -> Callable[[Sequence[str]], list[tuple[str, str]]]:
    return lambda keys: [(key, word(key)) for key in keys]


def numbered(lang: str, calls: Sequence[CallShown]) -> list[tuple[str, str]]:
    """The calls made, to choose one from: the last first."""
    return [
        (
            str(index),
            f"{index + 1}. {sentences.word(lang, 'seat', shown.seat)}: {call_text(shown.call, Lang(lang))}",
        )
        for index, shown in reversed(list(enumerate(calls)))
    ]


def typed(calls: Sequence[CallShown]) -> str:
    """The auction as a director would type it; a seat is named where it is not the next in rotation."""
    words: list[str] = []
    due: Seat | None = calls[0].seat if calls else None
    for shown in calls:
        words.append(str(shown.call) if shown.seat is due else f"{shown.seat}:{shown.call}")
        due = shown.seat.lho
    return " ".join(words)


def _health(snapshot: Snapshot, name: str) -> int | None:
    return dict(snapshot.health).get(name)


def disk(snapshot: Snapshot) -> str:
    free = _health(snapshot, "disk_free_kib")
    return "–" if free is None else f"{free / KIB_IN_GIB:.1f} GiB"


def days(lang: str, snapshot: Snapshot) -> str:
    left = _health(snapshot, "certificate_days")
    return "–" if left is None else say(lang, "system.days", n=left)


def profile_title(lang: str, profile: str) -> str:
    """The title of a profile, or its id where it cannot be loaded here."""
    try:
        regulations = load_regulations(profile)
    except RegulationsError:
        return profile
    return regulations.title_zh if lang == "zh-CN" else regulations.title_en


def lineup_text(plan: Plan | None) -> str:
    """The line-up as it is typed."""
    if plan is None:
        return ""
    return "\n".join(
        f"{table}: {' '.join(seats.get(seat.value, '-') for seat in Seat)}"
        for table, seats in plan.lineup.items()
    )


def off_name(lang: str, name: str) -> str:
    """What does not work at a table: a check, or a part of it such as its clock."""
    if known(lang, f"component.{name}"):
        return sentences.component(lang, name)
    return sentences.kind_name(lang, name)


def before_text(lang: str, plan: Plan | None) -> str:
    """What came before, as it is typed."""
    if plan is None:
        return ""
    return "\n".join(
        f"{table}: "
        + ", ".join(
            say(lang, f"before.{one.what}", pair=say(lang, f"before.{one.partnership}"), n=one.times)
            for one in found
        )
        for table, found in plan.before.items()
    )


def hold_text(lang: str, reason: str) -> str:
    """Why a table is held, in words."""
    kind, _, number = reason.partition(":")
    if kind == "entry":
        return say(lang, "table.held_by_case", id=number)
    return say(lang, "table.held_by_director") if kind == "director" else reason


def command_text(lang: str, command: CommandSeen) -> str:
    """What a command does, in the words of the form it was given with."""
    section, _, key = command.summary.partition(".")
    if key == "session":
        return say(lang, "session.send")
    return sentences.word(lang, section, key) if key else sentences.word(lang, "order", command.verb)
