"""What is answered where an order cannot be carried out: of what sort, why, and one sentence.

Must never answer with a trace or a path of this machine, and never in words of a library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError

from hw_sim.bench.choices import NoSuch
from hw_sim.bench.contract import Problem, Reason
from hw_sim.bench.near import NotFromHere
from hw_sim.bench.record_script import NoPlace
from hw_sim.bench.told_again import Refused
from hw_sim.core_runner import UnknownRegulations
from hw_sim.misdeeds.hardware import NotHere, UnknownHardwareMisdeed
from hw_sim.misdeeds.plan import UnknownMisdeed
from hw_sim.players.asks import Complaint
from hw_sim.players.hands import Impossible
from hw_sim.processes.joints import JointBroken
from hw_sim.refusals import Said, Why, said_of
from hw_sim.scenario.errors import CannotBePlayed, NotUnderstood, ScenarioError

Sort = Literal["not-understood", "impossible", "unknown", "absent", "busy", "foreign"]
STATUS: Mapping[Sort, int] = {
    "not-understood": 400,
    "unknown": 400,
    "impossible": 409,
    "busy": 409,
    "absent": 503,
    "foreign": 403,
}
TYPES: Mapping[str, str] = {
    "string": "text",
    "int": "whole-number",
    "float": "number",
    "bool": "truth",
    "dict": "object",
    "list": "list",
}
"""What a value must be, by the first part of the check's name; the keys of the pages' words `type`."""


def problem_with(sort: Sort, said: Said, field: str = "") -> Problem:
    """The answer that says this."""
    return Problem(code=sort, text=said.text, reason=reason_of(said), field=field)


def reason_of(said: Said | None) -> Reason | None:
    """What a page words anew; None where there is but the sentence."""
    if said is None or said.why is None:
        return None
    return Reason.model_validate({"code": said.why.value, "params": dict(said.params)})


OUR_ERROR = problem_with("absent", Said("this is an error of the bench; its log says more", Why.OUR_ERROR))
STILL_AT_IT = problem_with(
    "busy", Said("the bench is still at it; look at what it shows, and try again", Why.STILL_AT_IT)
)


def problem_of(error: BaseException) -> Problem | None:
    """What to say of it; None where it is an error of ours."""
    match error:
        case ValidationError():
            return _invalid(error)
        case NotUnderstood() | ScenarioError():
            return problem_with("not-understood", error.said, "line")
        case NoSuch() | UnknownRegulations() | UnknownHardwareMisdeed() | UnknownMisdeed() | Refused():
            return problem_with("unknown", error.said)
        case CannotBePlayed() | Complaint() | Impossible() | NotHere() | NoPlace() | NotFromHere():
            return problem_with("impossible", error.said)
        case JointBroken():
            return problem_with("absent", error.said)
        case TimeoutError():
            return STILL_AT_IT
        case ValueError():
            return problem_with("not-understood", said_of(error))
        case _:
            return None


def _invalid(error: ValidationError) -> Problem:
    first: dict[str, Any] = {**error.errors(include_url=False)[0]}
    where = [str(part) for part in first["loc"]]
    if error.title.startswith("tagged-union") and len(where) > 1:
        del where[0]  # the order's own name, which is no key of it
    name = ".".join(where)
    return problem_with("not-understood", _of_value(first, name), name)


def _of_value(first: Mapping[str, Any], name: str) -> Said:
    """What is wrong with one value, and what to do."""
    ctx: Mapping[str, Any] = first.get("ctx") or {}
    given = str(first.get("input"))[:80]
    match first["type"]:
        case "extra_forbidden":
            return Said.because(f"unknown key {name!r}; leave it out", Why.UNKNOWN_KEY, name=name)
        case "missing":
            return Said.because(f"the key {name!r} is missing; give it", Why.KEY_MISSING, name=name)
        case "union_tag_not_found":
            return Said.because("the key 'do' is missing; give it", Why.KEY_MISSING, name="do")
        case "union_tag_invalid":
            return _not_one_of("do", str(ctx["tag"])[:80], str(ctx["expected_tags"]))
        case "literal_error":
            return _not_one_of(name, given, str(ctx["expected"]))
        case "string_too_short":
            return Said.because(f"{name} is empty; write something", Why.VALUE_EMPTY, name=name)
        case "string_too_long":
            most = ctx["max_length"]
            text = f"{name} is too long; write at most {most} characters"
            return Said.because(text, Why.VALUE_TOO_LONG, name=name, most=most)
        case "greater_than":
            text = f"{name} is {given}; give more than {ctx['gt']:g}"
            return Said.because(text, Why.VALUE_NOT_ABOVE, name=name, given=given, limit=ctx["gt"])
        case "greater_than_equal":
            text = f"{name} is {given}; give {ctx['ge']:g} or more"
            return Said.because(text, Why.VALUE_TOO_SMALL, name=name, given=given, limit=ctx["ge"])
        case "less_than_equal":
            text = f"{name} is {given}; give {ctx['le']:g} or less"
            return Said.because(text, Why.VALUE_TOO_LARGE, name=name, given=given, limit=ctx["le"])
        case str(kind) if name and kind.partition("_")[0] in TYPES:
            wanted = TYPES[kind.partition("_")[0]]
            text = f"{name} is to be a {wanted.replace('-', ' ')}; write one"
            return Said.because(text, Why.VALUE_OF_ANOTHER_TYPE, name=name, type=wanted)
        case _ if name:
            return Said.because(f"{name} cannot be used; correct it", Why.VALUE_WRONG, name=name)
        case _:
            return Said("the order is no JSON object; send one", Why.NOT_JSON)


def _not_one_of(name: str, given: str, expected: str) -> Said:
    known = re.findall(r"'([^']*)'", expected)
    text = f"{name} is {given!r}; choose one of {', '.join(known)}"
    return Said.because(text, Why.VALUE_NOT_ONE_OF, name=name, given=given, known=known)
