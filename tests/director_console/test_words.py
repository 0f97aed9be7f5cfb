"""The console's own words: both languages level, every key used is there, and nothing that rules."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

import pytest

import director_console
from director_console.projection.inputs import AlarmAct, NoticeKind, Presence, Progress, Step
from director_console.store.people import Role
from director_console.web.i18n import LANGUAGES, best_language, words_of
from director_console.web.sentences import fault_sentence, kind_name, sentence
from table_controller.messages import ClockQuality
from table_controller.screen.entry import Entry, Fault, FaultKind, Kind, Level
from table_controller.screen.events import Event, Verdict

ROOT = Path(director_console.__file__).parent
TEXTS = [*ROOT.rglob("*.html"), *ROOT.rglob("*.py")]
USED = re.compile(r"""say\(\s*(?:lang, |viewer\.lang, |self\.lang, )?["']([a-z_]+\.[A-Za-z0-9_.\-]+)["']""")


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_has_the_same_keys_with_the_same_slots() -> None:
    english = words_of("en")
    for lang in LANGUAGES:
        words = words_of(lang)
        assert words.keys() == english.keys()
        assert [key for key in english if slots(words[key]) != slots(english[key])] == []


def test_every_key_the_pages_use_is_there() -> None:
    used = {key for path in TEXTS for key in USED.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 150
    made = {key for key in used if key.endswith(("_", "."))}
    assert sorted(used - made - words_of("en").keys()) == []


def test_every_key_that_is_made_of_a_value_is_there() -> None:
    needed = {f"notice.{kind.value}" for kind in NoticeKind} | {f"step.{step.value}" for step in Step}
    needed |= {f"presence.{presence.value}" for presence in Presence} | {
        f"role.{role.value}" for role in Role
    }
    needed |= {f"clock.{quality.value}" for quality in ClockQuality}
    needed |= {f"command.{progress.value}" for progress in Progress}
    needed |= {f"event.{event.__name__}" for event in get_args(Event)}
    needed |= {f"alarm.{act.value}" for act in AlarmAct if act not in (AlarmAct.ACKNOWLEDGE, AlarmAct.SHELVE)}
    needed |= {f"rule.does_{verdict.value}" for verdict in Verdict}
    needed |= {f"shift.did_{act}" for act in ("start", "hand_over", "end")}
    assert sorted(needed - words_of("en").keys()) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_our_own_words_never_rule(lang: str) -> None:
    forbidden = re.compile(r"penalt|infraction|offence|offense|处罚|罚分|违规", re.IGNORECASE)
    assert [text for text in words_of(lang).values() if forbidden.search(text)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_and_fault_reads_as_a_sentence(lang: str) -> None:
    for kind in Kind:
        entry = Entry(id=1, kinds=(kind,), level=Level.REPORT, at=0, board=3, phase="play")
        said = sentence(lang, entry)
        assert kind.value not in said
        assert kind.value not in kind_name(lang, kind)
        assert said.endswith("." if lang == "en" else "。")
    for fault in FaultKind:
        assert fault.value not in fault_sentence(lang, Fault(id=1, kind=fault, component="usb", at=0))


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"),
        ("de,en;q=0.5", "en"),
        ("", "en"),
        ("fr", "en"),
        ("zh-TW", "zh-CN"),
    ],
)
def test_the_language_a_browser_asks_for(header: str, lang: str) -> None:
    assert best_language(header) == lang
