"""Refusals: every reason has its words in both languages, and every answer says what to do."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import hw_sim
from hw_sim.bench import contract as c, rendering
from hw_sim.bench.choices import NoSuch
from hw_sim.bench.guard import refused
from hw_sim.bench.near import NotFromHere
from hw_sim.bench.problems import STATUS, TYPES, problem_of
from hw_sim.bench.told_again import Refused
from hw_sim.core_runner import UnknownRegulations, customs_of
from hw_sim.misdeeds.order import read_order
from hw_sim.players.asks import Complaint
from hw_sim.players.hands import out_of_reach
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.refusals import Refusing, Why
from hw_sim.scenario.errors import CannotBePlayed, NotUnderstood
from hw_sim.scenario.parse import deed_of, parse_scenario
from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat

LANGUAGES = ("en", "zh-CN")
ROOT = Path(hw_sim.__file__).parent
OF_ITSELF = {"NoSuch", "JointBroken"}
"""They give their own reason where whoever raises them gives none."""
NOT_AT_THE_BENCH = ("demo", "records")


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def words(section: str, lang: str = "en") -> dict[str, str]:
    begin = f"{section}."
    return {
        key.removeprefix(begin): text for key, text in rendering.words(lang).items() if key.startswith(begin)
    }


@cache
def calls() -> tuple[tuple[str, ast.Call], ...]:
    """Every call in the simulator's code, with its file."""
    return tuple(
        (str(path.relative_to(ROOT)), node)
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )


def values(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def reason_in(call: ast.Call) -> Why | None:
    """The reason that is written out in this call."""
    for value in values(call):
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "Why":
            return Why[value.attr]
    return None


def refusing() -> set[str]:
    """Names of all exceptions that say why."""
    for module in pkgutil.walk_packages(hw_sim.__path__, "hw_sim."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found, ahead = set[str](), [Refusing]
    while ahead:
        for one in ahead.pop().__subclasses__():
            found.add(one.__name__)
            ahead.append(one)
    return found


# --- the words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_words_and_no_word_is_kept_without_one(lang: str) -> None:
    assert set(words("refusal", lang)) == {why.value for why in Why}


def test_every_reason_is_given_somewhere() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")))
    assert [why for why in Why if not re.search(rf"\bWhy\.{why.name}\b", text)] == []


def test_the_slots_of_the_words_are_filled_by_whoever_gives_the_reason() -> None:
    empty: list[str] = []
    for path, call in calls():
        why = reason_in(call)
        named = {keyword.arg for keyword in call.keywords}
        if why is None or None in named:
            continue
        given = named | ({"joint"} if _name(call) == "JointBroken" else set())
        missing = slots(words("refusal")[why.value]) - given
        if missing:
            empty.append(f"{path}:{call.lineno}: {why} lacks {sorted(missing)}")
    assert empty == []


def test_every_refusal_at_the_bench_says_why() -> None:
    names = refusing() - OF_ITSELF
    assert {"Impossible", "Complaint", "CannotBePlayed", "NotUnderstood", "NotFromHere", "NoPlace"} <= names
    silent = [
        f"{path}:{call.lineno}"
        for path, call in calls()
        if isinstance(call.func, ast.Name)
        and call.func.id in names
        and not path.startswith(NOT_AT_THE_BENCH)
        and reason_in(call) is None
        and not any(isinstance(value, ast.Attribute) and value.attr == "why" for value in values(call))
    ]
    assert silent == []


def test_everything_a_reason_names_has_a_word() -> None:
    given: dict[str, set[str]] = {"thing": set(), "needs": {"input", "motor", "cable", "host"}}
    for _, call in calls():
        for keyword in call.keywords:
            if keyword.arg in given and isinstance(keyword.value, ast.Constant):
                given[keyword.arg] |= {str(keyword.value.value)} - {""}
        first = {"NoSuch": 0, "read_phrase": 2}.get(_name(call))
        if first is not None and len(call.args) <= 3:  # a fourth: whose deed it is
            match call.args[first]:
                case ast.Constant(value=str(thing)):
                    given["thing"].add(thing)
                case _:
                    pass
    given |= {"joint": {joint.name.lower() for joint in Joint}, "type": set(TYPES.values())}
    for lang in LANGUAGES:
        for section, named in given.items():
            assert set(words(section, lang)) == named, section


def test_a_chinese_reader_is_told_in_chinese() -> None:
    """Names and what is to be typed stay as they are typed; no clause does."""
    english_in = [
        text
        for section in ("refusal", "thing", "needs", "joint", "type", "who")
        for text in words(section, "zh-CN").values()
        if re.search(r"[A-Za-z]{2,} [a-z]{2,}", re.sub(r"\{\w+\}", "", text))
        or not re.search("[一-鿿]", text)
    ]
    assert english_in == []


def test_every_reason_is_a_sentence() -> None:
    inside_another = {"line-not-as-written"}
    ends = {"en": (".", "”"), "zh-CN": ("。", "”", "}")}
    for lang, ending in ends.items():
        for key, text in words("refusal", lang).items():
            assert text.endswith(ending) or key in inside_another, (lang, key)


def test_why_the_table_refused_has_the_products_own_words() -> None:
    for lang in LANGUAGES:
        assert {"no_hold", "no_such_call", "phase_no_lead"} <= set(words("because", lang))


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


# --- the answers

CONTROL: TypeAdapter[Any] = TypeAdapter(c.Control)
SCENARIO = "# Shows.\nboard 3\n"


def uploaded(text: str) -> Callable[[], object]:
    return lambda: parse_scenario(text, Path("mine.scn"))


CASES: list[tuple[Callable[[], object], str, Why, dict[str, object]]] = [
    (lambda: deed_of("N sings"), "not-understood", Why.NO_SUCH_DEED, {"text": "sings", "who": "N"}),
    (lambda: deed_of("director sings"), "not-understood", Why.NO_SUCH_DEED, {"who": "director"}),
    (lambda: deed_of("moon rises"), "not-understood", Why.NO_SUCH_DEED, {"who": "table"}),
    (lambda: deed_of("NE sing"), "not-understood", Why.NO_SUCH_DEED, {"who": "NE"}),
    (lambda: deed_of(""), "not-understood", Why.NOTHING_DONE, {}),
    (lambda: deed_of("N places board 0"), "not-understood", Why.BOARD_SAYS_NOTHING, {}),
    (lambda: deed_of("N places board 7 vulnerable NS"), "not-understood", Why.BOARD_NEEDS_DEALER, {}),
    (
        lambda: deed_of("N places board 1234567890123"),
        "not-understood",
        Why.BOARD_SAYS_TOO_MUCH,
        {"most": 12},
    ),
    (
        lambda: deed_of("misdeed bounce colour=red"),
        "not-understood",
        Why.NO_SUCH_OPTION,
        {"misdeed": "bounce", "name": "colour"},
    ),
    (uploaded("N 1C"), "not-understood", Why.SENTENCE_MISSING, {"line": 1}),
    (uploaded("# Shows.\n"), "not-understood", Why.NO_BOARD, {}),
    (uploaded(SCENARIO), "not-understood", Why.NOTHING_HAPPENS, {}),
    (uploaded(f"{SCENARIO}N flies\n"), "not-understood", Why.NO_SUCH_DEED, {"line": 3, "who": "N"}),
    (uploaded(f"{SCENARIO}N 1C -> shine\n"), "not-understood", Why.NO_SUCH_PHRASE, {"thing": "expectation"}),
    (uploaded(f"{SCENARIO}N 1C -> report NOT_A_KIND\n"), "not-understood", Why.NO_SUCH, {"thing": "kind"}),
    (uploaded(f"{SCENARIO}table round\n"), "not-understood", Why.NO_SUCH, {"thing": "table", "line": 3}),
    (uploaded(f"{SCENARIO}board 4\n"), "not-understood", Why.SAID_TWICE, {"name": "board", "first": 2}),
    (lambda: read_order("murder"), "unknown", Why.NO_SUCH, {"thing": "misdeed", "name": "murder"}),
    (
        lambda: read_order("bounce at=soon"),
        "unknown",
        Why.OPTION_OUT_OF_RANGE,
        {"option": "at", "given": "soon"},
    ),
    (lambda: customs_of("fifa"), "unknown", Why.NO_SUCH, {"thing": "profile", "name": "fifa"}),
    (lambda: c.DeedOrder(line=""), "not-understood", Why.VALUE_EMPTY, {"name": "line"}),
    (
        lambda: c.DeedOrder(line="x" * 401),
        "not-understood",
        Why.VALUE_TOO_LONG,
        {"name": "line", "most": 400},
    ),
    (
        lambda: c.DeedOrder.model_validate({"line": "N 1C", "lines": 1}),
        "not-understood",
        Why.UNKNOWN_KEY,
        {"name": "lines"},
    ),
    (lambda: c.DeedOrder.model_validate({}), "not-understood", Why.KEY_MISSING, {"name": "line"}),
    (
        lambda: c.DeedOrder.model_validate({"line": 1}),
        "not-understood",
        Why.VALUE_OF_ANOTHER_TYPE,
        {"name": "line", "type": "text"},
    ),
    (lambda: c.DeedOrder.model_validate_json("{"), "not-understood", Why.NOT_JSON, {}),
    (lambda: c.DeedOrder.model_validate_json("null"), "not-understood", Why.NOT_JSON, {}),
    (
        lambda: c.PlugOrder.model_validate({"what": "kettle", "plugged": True}),
        "not-understood",
        Why.VALUE_NOT_ONE_OF,
        {"name": "what", "given": "kettle", "known": ["cable", "controller", "broker", "console"]},
    ),
    (
        lambda: CONTROL.validate_python({"do": "dance"}),
        "not-understood",
        Why.VALUE_NOT_ONE_OF,
        {"name": "do", "given": "dance"},
    ),
    (lambda: CONTROL.validate_python({}), "not-understood", Why.KEY_MISSING, {"name": "do"}),
    (
        lambda: CONTROL.validate_python({"do": "speed", "speed": 0}),
        "not-understood",
        Why.VALUE_NOT_ABOVE,
        {"name": "speed", "limit": 0.0},
    ),
    (
        lambda: CONTROL.validate_python({"do": "speed", "speed": 101}),
        "not-understood",
        Why.VALUE_TOO_LARGE,
        {"name": "speed", "limit": 100.0},
    ),
    (
        lambda: CONTROL.validate_python({"do": "record", "record": 1}),
        "not-understood",
        Why.VALUE_OF_ANOTHER_TYPE,
        {"name": "record"},
    ),
]


@pytest.mark.parametrize(("do", "sort", "why", "params"), CASES)
def test_a_refusal_carries_its_reason_and_what_it_speaks_of(
    do: Callable[[], object], sort: str, why: Why, params: dict[str, object]
) -> None:
    with pytest.raises(Exception) as caught:
        do()
    problem = problem_of(caught.value)
    assert problem is not None
    assert problem.code == sort
    assert problem.reason is not None
    assert problem.reason.code == why
    assert {name: problem.reason.params.get(name) for name in params} == params
    assert problem.text
    assert "Extra inputs" not in problem.text


@pytest.mark.parametrize(
    ("error", "sort", "why"),
    [
        (out_of_reach(Seat.N, ScreenSide.SW), "impossible", Why.TRAY_OUT_OF_REACH),
        (out_of_reach(Seat.N, None), "impossible", Why.TRAY_BETWEEN_OUT_OF_REACH),
        (CannotBePlayed.since(out_of_reach(Seat.N, None)), "impossible", Why.TRAY_BETWEEN_OUT_OF_REACH),
        (NotFromHere("the tray is not here", Why.TRAY_NOT_HERE), "impossible", Why.TRAY_NOT_HERE),
        (NoSuch("record", "x", ["y"]), "unknown", Why.NO_SUCH),
        (Refused("it said so", Why.RETELLING_FAILED), "unknown", Why.RETELLING_FAILED),
        (UnknownRegulations("no", Why.REGULATIONS_DO_NOT_LOAD), "unknown", Why.REGULATIONS_DO_NOT_LOAD),
        (JointBroken(Joint.BROKER, "it did not start"), "absent", Why.JOINT_BROKEN),
        (TimeoutError(), "busy", Why.STILL_AT_IT),
    ],
)
def test_each_sort_of_refusal_has_its_status(error: Exception, sort: str, why: Why) -> None:
    problem = problem_of(error)
    assert problem is not None
    assert (problem.code, problem.reason and problem.reason.code) == (sort, why.value)
    assert STATUS[problem.code] >= 400


def test_a_sentence_without_a_reason_is_still_said() -> None:
    problem = problem_of(Complaint("the moon did not rise"))
    assert problem is not None
    assert (problem.text, problem.reason) == ("the moon did not rise", None)


def test_an_error_of_ours_is_no_refusal() -> None:
    assert problem_of(ZeroDivisionError()) is None


def test_params_are_as_a_scenario_writes_them() -> None:
    said = NotUnderstood(
        "x", Why.PHRASE_WRONG, seat=Seat.N, call=parse_call("3NT"), seats=[Seat.N, Seat.E], number=3
    ).said
    assert said.params == {"seat": "N", "call": "3NT", "seats": ["N", "E"], "number": 3}


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"host": "evil.example"}, Why.ANOTHER_HOST),
        ({"host": "localhost", "sec-fetch-site": "cross-site"}, Why.ANOTHER_SITE),
        ({"host": "localhost", "origin": "http://evil.example"}, Why.ANOTHER_SITE),
        ({"host": "localhost", "content-type": "text/plain"}, Why.BODY_NOT_JSON),
        (
            {"host": "localhost", "content-type": "application/json", "content-length": "9999999"},
            Why.BODY_TOO_LARGE,
        ),
    ],
)
def test_who_may_not_ask_is_told_why(headers: dict[str, str], why: Why) -> None:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    said = refused({"type": "http", "method": "POST", "path": "/api/deed", "headers": raw})
    assert said is not None
    assert said.why is why
