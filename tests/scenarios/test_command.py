"""The command: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw_sim.commands import app
from tests.scenarios.files import HERE, scenario_files

GOOD = str(HERE / "cases" / "04-insufficient-and-nobody-notices.scn")
DIVIDED = str(HERE / "cases" / "03-insufficient-crossed-and-doubled.scn")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["scenario", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_a_scenario_that_comes_out_as_written() -> None:
    code, out, _ = run(GOOD)
    assert code == 0
    assert "as written cases/04-insufficient-and-nobody-notices under ccba-2006" in out
    assert "1 played, 0 failed" in out


def test_another_profile_fails_it_and_the_line_is_named() -> None:
    code, out, _ = run(DIVIDED, "--regulations", "ebl-2016")
    assert code == 1
    assert f"{DIVIDED}:11: tray to NE" in out
    assert "laws_screenmate_may_have_accepted" in out


def test_as_json_one_object_a_scenario() -> None:
    code, out, _ = run(GOOD, DIVIDED, "--json", "--regulations", "ebl-2016")
    assert code == 1
    first, second = (json.loads(line) for line in out.splitlines())
    assert (first["name"], first["runner"], first["regulations"]) == (
        "cases/04-insufficient-and-nobody-notices",
        "core",
        "ebl-2016",
    )
    assert second["passed"] is False
    assert second["failures"][0]["line"] == 11
    assert second["reported"] == [["INSUFFICIENT_BID"], ["SUMMONS"]]


def test_a_folder_is_played_in_the_order_of_its_names() -> None:
    code, out, _ = run(str(HERE / "kinds"), "--json")
    names = [json.loads(line)["name"] for line in out.splitlines()]
    assert code == 0
    assert names == [f"kinds/{path.stem}" for path in scenario_files("kinds")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.scn",), "there is no file nowhere.scn"),
        ((), "no scenario is named"),
        ((GOOD, "--regulations", "lunar"), "there is no profile 'lunar'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert words in err
    assert out == ""


def test_a_line_that_cannot_be_read_is_named_and_nothing_is_played(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.scn"
    wrong.write_text("# A sentence.\nboard 1\nS sings\n")
    code, out, err = run(GOOD, str(wrong))
    assert code == 2
    assert "wrong.scn:3: 'sings' is no deed of S" in err.replace("\n", "")
    assert out == ""


def test_regulations_there_are_not_are_named_with_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "one.scn"
    file.write_text("# A.\nboard 1\nregulations nope\nN pass\n")
    code, _, err = run(str(file))
    assert code == 2
    assert f"{file}:3: there is no profile 'nope'" in err.replace("\n", "")
    code, _, err = run(str(file), "--regulations", "neither")
    assert (code, str(file) in err) == (2, False)


def test_a_byte_order_mark_is_no_part_of_a_scenario(tmp_path: Path) -> None:
    file = tmp_path / "one.scn"
    file.write_text("\ufeff# A.\nboard 1\nexpect phase idle\n", encoding="utf-8")
    _, out, err = run(str(file))
    assert "1 played" in out, err


def test_the_words_of_the_language() -> None:
    code, out, _ = run("--words")
    assert code == 0
    assert "| `takes 1C back` |" in out
    code, out, _ = run("--words", "--json")
    assert code == 0
    sections = json.loads(out)
    assert sections[0]["section"] == "Header"
    assert any(one["write"] == "takes 1C back" for section in sections for one in section["phrases"])
