"""No value's own name, and no English, stands in a Chinese sentence of the log or of a case."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from director_console.web.lines import _named
from director_console.web.sentences import fault_sentence
from director_console.web.values import fact_name, fact_value, status_text, value_text, verb_text
from firmware_bridge.readings import ResetCause
from table_controller.laws.call import Pass
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages.bodies import Status
from table_controller.messages.topics import Verb
from table_controller.regulations.strategies import OpensOn
from table_controller.screen.effects import (
    CloseWindow,
    HoldTray,
    LightSummons,
    OpenWindow,
    ReleaseTray,
    StopWindow,
)
from table_controller.screen.entry import Fault, FaultKind
from table_controller.screen.events import Event, Verdict, WindowState

ENGLISH = re.compile(r"[A-Za-z]{2,}")
ORDERS = (OpenWindow, CloseWindow, StopWindow, HoldTray, ReleaseTray, LightSummons)
TEXTS = {
    "reason": ["auction", "lead", "lead lifted", *[way.value for way in OpensOn]],
    "cause": [cause.value for cause in ResetCause],
    "component": ["broker", "journal", "clock", "window", "lead", "tray"],
    "detail": [""],
}


def samples(name: str, kind: object) -> list[object]:
    """Every value of an enumeration, and a harmless one of anything else."""
    if isinstance(kind, UnionType):
        return [value for part in get_args(kind) if part is not type(None) for value in samples(name, part)]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return list(kind)
    if kind is bool:
        return [True, False]
    if kind is str:
        return list(TEXTS.get(name, ["7"]))
    if kind is int:
        return [7]
    return [Pass()] if isinstance(kind, type) and isinstance(Pass(), kind) else []


def of_each_kind() -> list[type]:
    return [*get_args(Event), *ORDERS]


@pytest.mark.parametrize("kind", of_each_kind(), ids=lambda kind: kind.__name__)
def test_no_english_value_stands_in_a_chinese_log_sentence(kind: type) -> None:
    hints = get_type_hints(kind)
    choices = {field.name: samples(field.name, hints[field.name]) for field in fields(kind)}
    usual = {name: values[0] if values else () for name, values in choices.items()}
    for name, values in choices.items():
        for value in values or [()]:
            made: Any = object.__new__(kind)
            for key, item in {**usual, name: value}.items():
                object.__setattr__(made, key, item)
            said = _named("zh-CN", "order" if kind in ORDERS else "event", made)
            assert not ENGLISH.search(said), said


def test_the_words_a_director_reads_of_window_lamp_and_ruling() -> None:
    assert value_text("zh-CN", "state", WindowState.BETWEEN) == "半开"
    assert _named("en", "order", LightSummons(seat=Seat.N, on=True)) == "Lamp at North: on."
    assert _named("zh-CN", "order", CloseWindow(reason="auction")) == "指令：关闭窗口（叫牌）。"
    assert value_text("zh-CN", "side", ScreenSide.NE) == "北东"
    assert fact_name("en", "ruled") == "The director ruled"


def test_facts_commands_and_faults_are_words_too() -> None:
    facts = {
        "ruled": "cancel", "taken_back": "", "faced": "", "window_open": "NE", "left_lying": "",
        "alerted_by": "N", "claim_contested": "", "made_when_tray_left": "",
        "time_between_ns": "1500000000", "replaced_by": "P", "made_in_turn": "", "subject": "tempo",
        "about": "W", "TEMPO_RAISED_ON_SAME_FACE": "E", "called_over": "",
    }  # fmt: skip
    said = [fact_name("zh-CN", name) + fact_value("zh-CN", name, text) for name, text in facts.items()]
    said += [fact_value("zh-CN", "ruled", verdict.value) for verdict in Verdict]
    said += [verb_text("zh-CN", verb.value) for verb in Verb]
    said += [status_text("zh-CN", status.value) for status in Status]
    said += [fault_sentence("zh-CN", Fault(id=1, kind=kind, component="window", at=0)) for kind in FaultKind]
    assert [text for text in said if ENGLISH.search(text)] == []


def test_what_the_table_wrote_itself_is_quoted_as_such() -> None:
    assert value_text("zh-CN", "detail", "limit switches") == "（原文：limit switches）"
    assert value_text("en", "detail", "limit switches") == "limit switches"
