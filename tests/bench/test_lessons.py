"""The lessons: every case of the table, told in three sentences in both languages, and played as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hw_sim.bench.contract import Words
from hw_sim.bench.lessons import HERE, Lesson, lessons
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.parse import parse_scenario
from tests.bench.rig import BenchRig

CASES = Path(__file__).resolve().parents[1] / "scenarios" / "cases"
ALL = lessons()
PLAYS = [(lesson.id, play) for lesson in ALL.values() for play in range(len(lesson.scenarios))]
LONGEST_S = 600.0


def name(play: tuple[str, int]) -> str:
    return ALL[play[0]].scenarios[play[1]].path.stem


def test_there_is_a_lesson_for_each_of_the_eighteen_cases() -> None:
    assert list(ALL) == [f"{number:02}" for number in range(1, 19)]
    for lesson in ALL.values():
        assert lesson.scenarios[0].path.stem.startswith(lesson.id)


@pytest.mark.parametrize("lesson", ALL.values(), ids=list(ALL))
def test_it_has_three_sentences_in_each_language(lesson: Lesson) -> None:
    assert len(lesson.see) == 3
    for words in (lesson.title, *lesson.see):
        assert isinstance(words, Words)
        assert not re.search(r"[\u4e00-\u9fff]", words.en), words.en
        assert re.search(r"[\u4e00-\u9fff]", words.zh), words.zh
    for words in lesson.see:
        assert words.en.endswith(".")
        assert words.zh.endswith("。")


@pytest.mark.parametrize("word", ["penalt", "infraction", "offend", "罚", "违例"])
def test_our_own_words_do_not_rule(word: str) -> None:
    said = [text for lesson in ALL.values() for one in lesson.see for text in (one.en, one.zh)]
    assert [text for text in said if word in text.lower()] == []


@pytest.mark.parametrize("play", PLAYS, ids=name)
def test_it_plays_the_very_scenario_of_the_case(play: tuple[str, int]) -> None:
    shipped = ALL[play[0]].scenarios[play[1]].path
    assert shipped.parent == HERE
    assert shipped.read_bytes() == (CASES / shipped.name).read_bytes()


def test_no_file_lies_there_that_no_lesson_plays() -> None:
    played = {one.path for lesson in ALL.values() for one in lesson.scenarios}
    assert set(HERE.glob("*.scn")) == played


def play_lesson(rig: BenchRig, lesson: str, play: int, pace: float) -> None:
    rig.control(do="lesson", lesson=lesson, play=play, pace=pace)
    assert rig.frame.playing.what == "lesson"
    assert rig.frame.playing.lesson == lesson
    rig.until_ended(LONGEST_S)
    playing = rig.frame.playing
    assert [line for line in playing.lines if line.met is False] == []
    assert any(line.met for line in playing.lines), "nothing was looked at"
    assert rig.frame.said == ""


def test_a_lesson_comes_out_as_it_is_written(rig: BenchRig) -> None:
    play_lesson(rig, "01", 0, 40.0)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("play", PLAYS, ids=name)
def test_every_lesson_comes_out_as_it_is_written_and_is_kept(
    play: tuple[str, int], rig: BenchRig, tmp_path: Path
) -> None:
    play_lesson(rig, *play, 60.0 if play[0] == "09" else 20.0)
    text = rig.client.get("/api/scn", params={"title": "The lesson as it was played"}).text
    assert play_on_core(parse_scenario(text, tmp_path / "kept.scn")).failures == (), text


@pytest.mark.long
def test_a_lesson_is_seen_to_fail_where_a_line_does_not_come_out(rig: BenchRig) -> None:
    """So that the tests above can fail."""
    lines = (
        "# Nothing of it comes.",
        "board 3",
        "SW places the board",
        "window closed",
        "S 1C -> report SUMMONS S",
    )
    text = "\n".join(lines)
    rig.post("/api/scn", {"text": text, "pace": 20.0})
    rig.until_ended()
    assert [line.met for line in rig.frame.playing.lines] == [None, None, False]
    assert "SUMMONS" in rig.frame.said
    assert rig.frame.reason is not None
    assert rig.frame.reason.code == "line-not-as-written"
