"""`table-controller penalty`: the questions a director asks of time, answered by what was actually played."""

from __future__ import annotations

import json

import pytest

from tests.regulations.test_sheet import run


def test_case_9_thirteen_of_fifteen_boards_are_what_counts() -> None:
    said = run(
        "penalty", "slow", "teams-vp", "--took", "124", "--boards", "13", "--per-board", "4",
        "--used", "78:00", "46:00",
    )  # fmt: skip
    assert "North-South: 78:00 used of 52:00 for 13 boards, 26:00 over" in said
    assert "East-West: 46:00 used of 52:00 for 13 boards\n" in said
    assert "2.5 VP" in said, "124 minutes are 20 over the 104 of thirteen boards"
    assert "observed" in said.lower()


def test_case_9_for_a_program() -> None:
    found = json.loads(
        run(
            "penalty", "slow", "teams-vp", "--took", "124:00", "--boards", "13", "--per-board", "4",
            "--used", "78:00", "46:00", "--json",
        )
    )  # fmt: skip
    assert found["over_s"] == 20 * 60
    assert found["used"] == {
        "boards": 13,
        "allowed_s": 52 * 60,
        "ns_s": 78 * 60,
        "ew_s": 46 * 60,
        "ns_over_s": 26 * 60,
        "ew_over_s": 0,
    }
    assert found["row"] == 5


def test_in_chinese() -> None:
    said = run(
        "penalty", "slow", "teams-vp", "20", "--boards", "13", "--per-board", "4", "--used", "78", "46",
        "--lang", "zh-CN",
    )  # fmt: skip
    assert "南北：13 副牌允许 52:00，用时 78:00，超出 26:00" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("slow", "teams-vp"), "give the minutes over, or --took"),
        (("slow", "teams-vp", "9", "--took", "124"), "and not both"),
        (("slow", "teams-vp", "--took", "124"), "--took needs --boards and --per-board"),
        (("slow", "teams-vp", "--took", "-3", "--boards", "1", "--per-board", "4"), "minutes are 0 or more"),
        (("team", "P,X", "--matches", "9"), "write P or F"),
        (("team", "P,F,P", "--matches", "2"), "more than the 2 of the stage"),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], says: str) -> None:
    assert says in run("penalty", *words, code=2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("P,F,P,F,P", "--matches", "11"), "The team stays in."),
        (("P,P,F,F", "--matches", "11"), "Its results go too"),
        (("P,P,P,P,P,P,F,F", "--matches", "11"), "Its results stay."),
        (("P,P,F,F", "--matches", "11", "--swiss"), "Its results stay."),
        (("F,P,F,P,F", "--matches", "11"), "The team is out."),
    ],
)
def test_28_forfeits_that_put_a_team_out(words: tuple[str, ...], says: str) -> None:
    said = run("penalty", "team", *words)
    assert says in said
    assert "28" in said


def test_28_for_a_program() -> None:
    found = json.loads(run("penalty", "team", "P,P,F,F", "--matches", "11", "--json"))
    assert (found["result"]["out"], found["result"]["results_cancelled"]) == (True, True)
    assert found["source"]["article"] == "28"


def test_an_authority_without_a_table_says_so() -> None:
    said = run("penalty", "team", "F,F", "--matches", "9", "--regulations", "wbf")
    assert "no table" in said


def test_every_question_has_an_example() -> None:
    for question in ("late", "slow", "forfeit", "team"):
        assert f"Example: table-controller penalty {question}" in run("penalty", question, "--help")
