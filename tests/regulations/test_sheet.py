"""The sheet of a profile, its pages and its command line: nothing hidden, nothing stale."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from table_controller.regulations import cli, faster, penalty_cli
from table_controller.regulations.keys import ALL, IN_SECONDS
from table_controller.regulations.load import BASE, SHIPPED, load
from table_controller.regulations.pages import comparison, page, write
from table_controller.regulations.sheet import differences, provision_of, sheet
from table_controller.words import Lang

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs" / "regulations"
PROFILES = (*SHIPPED, BASE)
EN, ZH = Lang.EN, Lang.ZH

mounted = typer.Typer()
mounted.add_typer(cli.app, name="regulations")
mounted.add_typer(penalty_cli.app, name="penalty")


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(mounted, list(words), env={"COLUMNS": "250"})
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("lang", Lang)
def test_a_sheet_has_every_provision_with_its_source_and_the_layer_it_is_from(
    profile: str, lang: Lang
) -> None:
    found = sheet(load(profile), lang)
    assert [line.key for line in found.lines] == list(ALL)
    for line in found.lines:
        assert all((line.name, line.value, line.source, line.date, line.standing))
        assert line.layer in found.layers
        assert line.from_below == (line.layer != profile)


def test_the_sheet_says_what_is_not_known() -> None:
    lines = {line.key: line for line in sheet(load("acbl"), EN).lines}
    assert lines["window.opens_on"].source.startswith("ACBL screen regulations, article unknown")
    assert lines["window.opens_on"].date == "date unknown"
    assert lines["lead.out_of_turn"].layer == "laws-2017"
    assert lines["tempo.raised_by"].source == "One ACBL ruling, article unknown"


def test_differences_are_those_of_value_and_run_both_ways() -> None:
    one, other = load("ccba-2006"), load("dbf")
    keys = [a.key for a, _ in differences(one, other, EN)]
    assert keys == [b.key for b, _ in differences(other, one, EN)]
    assert "board.on_tray" in keys
    assert "tray.movers" not in keys
    assert differences(one, one, EN) == ()


@pytest.mark.parametrize("lang", Lang)
def test_every_table_of_a_page_is_whole(lang: Lang) -> None:
    for profile in PROFILES:
        text = page(sheet(load(profile), lang), lang)
        for block in re.split(r"\n\n", text):
            widths = {
                len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines() if line.startswith("|")
            }
            assert len(widths) <= 1
    assert all(f"`{key}`" in comparison(lang) for key in ALL if key != "laws.numbers")


def test_the_generated_pages_are_not_stale(tmp_path: Path) -> None:
    write(tmp_path)
    there = ROOT / "docs" / "generated"
    stale = [
        path.name
        for path in tmp_path.iterdir()
        if not (there / path.name).exists()
        or (there / path.name).read_text(encoding="utf-8") != path.read_text(encoding="utf-8")
    ]
    assert stale == [], "run `make docs`"


def test_our_pages_speak_of_no_such_thing_but_in_an_articles_own_words() -> None:
    for profile in PROFILES:
        own = re.sub("“[^”]*”", "", page(sheet(load(profile), EN), EN))
        assert not re.search("penalt|infraction", own, re.IGNORECASE)


def test_a_key_that_is_no_provision_is_refused() -> None:
    with pytest.raises(KeyError, match=r"door\.opens"):
        provision_of(load(), "door.opens")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("profile", SHIPPED)
def test_the_example_supplements_load_on_every_authority(profile: str, path: Path) -> None:
    regs = load(profile, [path])
    assert regs.layers[-1] == path.stem


def test_a_supplement_shows_as_its_own_layer(tmp_path: Path) -> None:
    lines = {line.key: line for line in sheet(load("dbf", [CONFIGS / "example-cup.toml"]), EN).lines}
    assert lines["tray.hold_output"].value == "left dark"
    assert lines["tray.hold_output"].layer == "example-cup"
    assert not lines["tray.hold_output"].from_below


@pytest.mark.parametrize("profile", PROFILES)
def test_faster_waits_are_a_sixtieth_and_change_nothing_else(profile: str, tmp_path: Path) -> None:
    regs = load(profile)
    path = tmp_path / "faster.toml"
    path.write_text(faster.supplement(regs, 60), encoding="utf-8")
    quick = load(profile, [path])
    for key in ALL:
        before, after = provision_of(regs, key).value, provision_of(quick, key).value
        if key in IN_SECONDS:
            assert isinstance(before, float)
            assert after == pytest.approx(before / 60)
        else:
            assert after == before


def test_faster_waits_can_leave_the_short_ones(tmp_path: Path) -> None:
    path = tmp_path / "faster.toml"
    path.write_text(faster.supplement(load(), 60, keep_under_s=5), encoding="utf-8")
    quick = load("ccba-2006", [path])
    assert quick.alert.taken_back_under_s.value == 1
    assert quick.tray.forgotten_after_s.value == 3
    with pytest.raises(ValueError, match="above zero"):
        faster.supplement(load(), 0)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("lang", Lang)
def test_cli_prints_the_sheet(profile: str, lang: Lang) -> None:
    text = run("regulations", profile, "--lang", lang.value)
    assert f"({profile})" in text
    assert "…" not in text


def test_cli_default_is_the_default_profile() -> None:
    assert "(ccba-2006)" in run("regulations")


def test_cli_json_has_value_source_and_words() -> None:
    found = json.loads(run("regulations", "ebl-2016", "--json", "--lang", "zh-CN"))
    assert found["layers"] == ["laws-2017", "wbf", "ebl-2016"]
    by_key = {row["key"]: row for row in found["provisions"]}
    assert by_key["window.opens_on"]["value"] == "lead_faced"
    assert by_key["tempo.reference_s"]["layer"] == "wbf"
    assert found["articles"]["INSUFFICIENT_BID"][0]["number"] == "27"


def test_cli_diff_shows_both_with_their_sources() -> None:
    text = run("regulations", "--diff", "ccba-2006", "acbl")
    assert "One ACBL ruling" in text
    rows = json.loads(run("regulations", "--diff", "ccba-2006", "ebl-2016", "--json"))
    assert {"window.opens_on", "call.made_when"} <= {row["key"] for row in rows}
    assert "No differences." in run("regulations", "--diff", "dbf", "dbf")


def test_cli_takes_supplements_and_lists_profiles() -> None:
    text = run("regulations", "dbf", "--supplement", str(CONFIGS / "example-cup.toml"))
    assert "Example Cup, conditions of contest, 4.2" in text
    assert set(run("regulations", "--list").split()) >= set(PROFILES)
    assert json.loads(run("regulations", "--list", "--json")) == run("regulations", "--list").split()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("regulations", "nope"), "there is no profile 'nope'"),
        (("regulations", "dbf", "--supplement", "nowhere.toml"), "nowhere.toml: cannot be read"),
        (("regulations", "--diff", "dbf", "nope"), "there is no profile"),
        (("penalty", "late", "teams-vp", "soon"), "'soon' is no time"),
        (("penalty", "late", "teams-vp", "7:61"), "'7:61' is no time"),
        (("penalty", "late", "teams-vp", "-5"), "minutes are 0 or more"),
        (("penalty", "late", "teams-vp", "--", "-5"), "minutes are 0 or more"),
        (("penalty", "slow", "teams-vp", "-5:30"), "minutes are 0 or more"),
        (("penalty", "late", "chess", "7"), "chess"),
        (("penalty", "slow", "teams-vp", "7", "--boards", "3"), "belong together"),
        (("penalty", "forfeit", "swiss", "--drawn", "x"), "'x' is no score"),
    ],
)
def test_cli_bad_input_ends_with_2_and_one_sentence(words: tuple[str, ...], says: str) -> None:
    assert says in run(*words, code=2)


def test_help_has_an_example() -> None:
    for words in (
        ("regulations",),
        ("penalty",),
        ("penalty", "late"),
        ("penalty", "slow"),
        ("penalty", "forfeit"),
    ):
        assert "Example: table-controller" in run(*words, "--help")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("late", "teams-vp", "7.0"), "1 VP"),
        (("late", "teams-vp", "5.0"), "warning"),
        (("late", "teams-vp", "5:01"), "1 VP"),
        (("late", "teams-knockout", "12.2"), "9 IMP"),
        (("late", "individual-imp", "18"), "2-3 boards may be dropped (0 IMP / +3 IMP)"),
        (("late", "pairs-matchpoints", "18"), "a two-board round may be forfeited"),
        (("late", "teams-vp", "5.0", "--earlier", "1"), "1 VP"),
        (("slow", "teams-vp", "9.5"), "half each: North-South 0.75, East-West 0.75"),
        (("slow", "teams-knockout", "26"), "or, read otherwise: 25 IMP"),
        (("slow", "teams-vp", "9.5", "--responsible", "EW"), "North-South 0, East-West 1.5"),
        (("forfeit", "round-robin", "--own", "14", "--theirs", "8"), "the other side 22 VP"),
        (("forfeit", "pairs-imp"), "forfeiter -3 IMP"),
        (("forfeit", "board-a-match", "--boards", "8"), "the other side 16"),
        (("late", "teams-vp", "0"), "in time"),
        (("late", "teams-vp", "9", "--regulations", "acbl"), "no table"),
        (("forfeit", "swiss", "--regulations", "acbl"), "no table"),
    ],
)
def test_penalty_answers_from_the_tables(words: tuple[str, ...], says: str) -> None:
    text = run("penalty", *words)
    assert says in text
    assert run("penalty", *words, "--lang", "zh-CN") != text
    json.loads(run("penalty", *words, "--json"))


def test_penalty_says_article_and_that_it_is_an_indication() -> None:
    text = run("penalty", "late", "teams-vp", "7")
    assert "CCBA tournament regulations 2006, 26" in text
    assert "the director decides" in text


def test_case_9_on_the_command_line() -> None:
    words = ("slow", "teams-vp", "9.5", "--used", "78", "46", "--boards", "13", "--per-board", "4")
    text = run("penalty", *words)
    assert "by what was observed: North-South 1.5, East-West 0" in text
