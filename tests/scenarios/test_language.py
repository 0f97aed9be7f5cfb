"""The language: what it reads, and what it says of what it cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw_sim.scenario import deeds as d, expect_phrases as e
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.errors import ScenarioError
from hw_sim.scenario.expect_phrases import read_expectations
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import parse_scenario, read_scenario
from hw_sim.scenario.phrases import ALL, read_deed
from hw_sim.scenario.reference import reference
from table_controller.laws.call import parse_call
from table_controller.laws.seat import Seat

HERE = Path("evening.scn")
BOARD = "# A sentence.\nboard 1\n"
BEGUN = BOARD + "NE places the board\n   window closed\n"


def parsed(text: str) -> Scenario:
    return parse_scenario(text, HERE)


def refused(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        parsed(text)
    return str(caught.value)


# --- every phrase that the reference names


WHO = {"a player": "N", "both players of a face": "NE", "the director": "director"}
DEEDS = [(WHO.get(who), phrase.example) for who, phrases in ALL for phrase in phrases]


@pytest.mark.parametrize(("who", "example"), DEEDS, ids=[example for _, example in DEEDS])
def test_every_example_of_a_deed_is_read(who: str | None, example: str) -> None:
    assert read_deed(who, example) is not None


EXPECTATIONS = [
    *(phrase.example for phrase in e.STATES),
    *(example for _, example, _ in (*e.OF_ENTRIES, *e.OF_VISITS, *e.OF_RECORDS)),
    *(f"entry INSUFFICIENT_BID S, {phrase.example}" for phrase in e.ATTRIBUTES),
    *(f"recorded: {phrase.example}" for phrase in e.RECORDS),
]


@pytest.mark.parametrize("example", EXPECTATIONS)
def test_every_example_of_an_expectation_is_read(example: str) -> None:
    assert len(read_expectations(example, after_deed=True)) == 1


def test_no_two_phrases_read_the_same_words() -> None:
    for who, phrases in ALL:
        for phrase in phrases:
            others = [one.form for one in phrases if one is not phrase and one.read(phrase.example)]
            assert not others, f"{who}: {phrase.example!r} is also read as {others}"


def test_the_reference_has_every_phrase() -> None:
    page = reference()
    for _, phrases in ALL:
        for phrase in phrases:
            assert f"`{phrase.example}`" in page


# --- what is read


def test_who_acts_is_the_first_word_and_comments_end_a_line() -> None:
    scenario = parsed(BOARD + "S    1C      # the opening bid\n")
    assert scenario.lines[0].deed == d.LayCall(seat=Seat.S, call=parse_call("1C"))
    assert scenario.lines[0].number == 3
    assert scenario.lines[0].text == "S 1C"


def test_an_entrys_number_is_no_comment() -> None:
    scenario = parsed(BOARD + 'director rules on #1 "see #2"   # a comment\n')
    assert scenario.lines[0].deed == d.DirectorRules(verdict="other", entries=(1,), why="see #2")


def test_expectations_are_parted_by_semicolons_and_attributes_by_commas() -> None:
    line = parsed(
        BOARD + "S 1C -> report INSUFFICIENT_BID S, stage crossed, mover S presumed; on hold\n"
    ).lines[0]
    assert len(line.expected) == 2


def test_the_sentence_may_take_several_lines() -> None:
    assert parsed("# One sentence\n# in two lines.\nboard 1\nS 1C\n").shows == "One sentence in two lines."


def test_a_supplement_is_found_from_the_scenarios_folder(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text('id = "event"\n')
    scenario = parse_scenario("# A.\nsupplement event.toml\nboard 1\nS 1C\n", tmp_path / "one.scn")
    assert scenario.supplements == (tmp_path / "event.toml",)


# --- what is refused: one sentence with file and line


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("board 1\nS 1C\n", 1, "one sentence"),
        ("# No end\nboard 1\nS 1C\n", 1, "one sentence"),
        (BOARD + "S 8C\n", 3, "'8C' is no deed of S"),
        (BOARD + "S frobs\n", 3, "is no deed of S"),
        (BOARD + "N takes 1C bakc\n", 3, "`takes 1C back`"),
        (BOARD + "director yells\n", 3, "is no deed of the director"),
        (BOARD + "tray to XY\n", 3, "`tray to NE by S`"),
        (BOARD + "NE dance\n", 3, "is no deed of the NE face"),
        (BOARD + "-> on hold\n", 3, "nothing is done here"),
        (BOARD + "S 1C ->\n", 3, "nothing is expected"),
        (BOARD + "expect\n", 3, "nothing is expected"),
        (BOARD + "expect report INSUFFICIENT_BID S\n", 3, "belong behind `->`"),
        (BOARD + "S 1C -> report INSUFICIENT_BID S\n", 3, "'INSUFICIENT_BID' is no kind"),
        (BOARD + "S 1C -> report INSUFFICIENT_BID Q\n", 3, "'Q' is no list of seats"),
        (BOARD + "S 1C -> report INSUFFICIENT_BID S, stage flying\n", 3, "no attribute of an entry"),
        (BOARD + "S 1C -> fault SMOKE\n", 3, "expected a kind of fault"),
        (BOARD + "S 1C -> visit NE: N forever\n", 3, "is no part of a visit"),
        (BOARD + "S 1C\nboard 2\n", 4, "is no deed of the table"),
        ("# A.\nboard 1\nboard 2\nS 1C\n", 3, "was said in line 2 already"),
        ("# A.\nboard\nS 1C\n", 2, "is no board"),
        ("# A.\nboard 0\nS 1C\n", 2, "a board"),
        ("# A.\ntable round\nboard 1\nS 1C\n", 2, "'round' is no kind of table"),
        ("# A.\nwithout smell\nboard 1\nS 1C\n", 2, "'smell' is no sense"),
        ("# A.\nwithout\nboard 1\nS 1C\n", 2, "which senses?"),
        ("# A.\ntray on N\nboard 1\nS 1C\n", 2, "'N' is no face"),
        ("# A.\nwindow takes ages\nboard 1\nS 1C\n", 2, "'ages' is no time"),
        ("# A.\nwindow takes 0 s\nboard 1\nS 1C\n", 2, "'0 s' is no time above 0"),
        ("# A.\nwindow takes -5 s\nboard 1\nS 1C\n", 2, "'-5 s' is no time above 0"),
        ("# A.\nwindow takes 0.0000001 ms\nboard 1\nS 1C\n", 2, "is no time above 0"),
        ("# A.\nwindow takes inf s\nboard 1\nS 1C\n", 2, "is no time above 0"),
        (BOARD + f"wait {'9' * 400} s\n", 3, "is no time"),
        ("# A.\nsupplement nowhere.toml\nboard 1\nS 1C\n", 2, "there is no file"),
        ("# A.\nnot in full\nboard 1\nS 1C\n", 2, "say why"),
    ],
)
def test_a_wrong_line_is_named_with_file_and_line(text: str, line: int, words: str) -> None:
    said = refused(text)
    assert said.startswith(f"evening.scn:{line}: ")
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# A.\nS 1C\n", "no board"),
        ("# A.\nboard 1\n", "nothing happens"),
    ],
)
def test_what_is_missing_is_named_with_the_file(text: str, words: str) -> None:
    assert refused(text).startswith(f"evening.scn: {words}")


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nowhere.scn: cannot be read: .*; give an existing file"):
        read_scenario(tmp_path / "nowhere.scn")
    (tmp_path / "one.scn").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        read_scenario(tmp_path / "one.scn")


# --- a scenario can fail


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("N 1C -> report INSUFFICIENT_BID N", "no such entry is new with this deed"),
        ("N 1C\nE 1C", "also reported, and no line expects it: #1 INSUFFICIENT_BID E (1C)"),
        ("N 1C\nexpect turn S", "it is E"),
        ("N 1C\nexpect auction N 1D", "it is N 1C"),
        ("N 1C\nexpect on hold", "holds in force: none"),
        ("N 1C\nexpect contract 1C by N", "it is unknown by nobody"),
        ("N 1C -> window ordered open", "orders given: none"),
        ("N 1C\nexpect window ordered open", "the last order is closed"),
        ("N 1C\nexpect fault WINDOW_JAMMED", "faults: none"),
        ("N 1C\nexpect visit NE: N 1 s", "no such visit; there are 0"),
        ("N 1C\nexpect recorded: completed", "no board's record was closed"),
        ("N 1C\nexpect check INSUFFICIENT_BID off", "it is on"),
        ("N 1C\nE 1C -> report INSUFFICIENT_BID E, against 2C", "against 1C"),
        ("N 1C\nE 1C -> nothing reported\nexpect entry #1", "reported: #1 INSUFFICIENT_BID E (1C)"),
        ('N 1C\ndirector resumes -> refused "no board"', "refused: ['no hold is in force"),
        ("director resumes\nexpect hold output NE off", "it is on"),
        ("S 1C", "S cannot reach the tray"),
        ("tray to NE", "the tray is on NE already"),
        ("N 1C\nN takes 2C back", "N cannot take 2C back: 1C lies on top"),
        ("W takes 2C back", "no card lies on top"),
        ("window open", "the window did not open"),
        ("tray arrives at SW", "the tray is docked"),
        ("controller returns", "the controller is not down"),
        ("calls 1C P P P P", "nobody is to call"),
        ("director rules on #4", "there is no entry #4"),
        ("director rules on INSUFFICIENT_BID", "there is no entry INSUFFICIENT_BID"),
        ("N faces the lead", "no card on his lead spot"),
    ],
)
def test_what_does_not_come_out_as_written_fails_and_says_in_what(lines: str, words: str) -> None:
    result = play_on_core(parsed(BEGUN + lines + "\n"))
    assert not result.passed
    assert any(words in failure.why for failure in result.failures), result.failures


def test_a_failure_names_the_line_and_the_rest_is_played_on() -> None:
    result = play_on_core(parsed(BEGUN + "N 1C\nexpect turn S\nE P\nexpect turn N\n"))
    assert [failure.line for failure in result.failures] == [6, 8]


def test_a_deed_that_cannot_be_done_ends_the_scenario() -> None:
    result = play_on_core(parsed(BEGUN + "S 1C\nexpect turn W\n"))
    assert [failure.line for failure in result.failures] == [5]
