"""Where a table stands in its session, and what the articles then say: late, slow, forfeit, delayed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from director_console.projection.contest import Before, plan_from
from director_console.projection.hall import Hall
from director_console.projection.inputs import Matter
from director_console.projection.punctual import delayed_tables
from director_console.projection.standing import standing_of
from director_console.projection.timing import Times, TimeSeen
from director_console.web.helpers import off_name
from director_console.web.i18n import LANGUAGES
from director_console.web.pace import TablePace, table_pace
from director_console.web.sentences import why_off
from director_console.web.values import fact_name, fact_value
from table_controller.clock.table import NO_CLOCK
from table_controller.laws.seat import Partnership
from table_controller.regulations.time_tables import Contest
from tests.director_console.timed import (
    MINUTE,
    PLAN,
    START,
    board_time,
    minutes,
    pace_of,
    standing_hall,
)

SECOND = 1000


def pace(hall: Hall, now: int, lang: str = "en") -> TablePace:
    return table_pace(hall, hall.tables["7"], now, lang)


def said(hall: Hall, now: int, matter: Matter, lang: str = "en") -> str:
    found = pace(hall, now, lang).indicated(matter)
    return "" if found is None else " | ".join((*found.lines, found.source))


def late_by(ms: int, **plan: object) -> Hall:
    changed = replace(PLAN, **plan)  # type: ignore[arg-type]
    return standing_hall(changed, pace=pace_of(arrived=START + ms, begun=1))


def test_a_table_without_a_session_keeps_no_clock_and_is_neither_late_nor_delayed() -> None:
    hall = standing_hall(replace(PLAN, tables=("9",)))
    standing = standing_of(hall, "7", START + 90 * MINUTE)
    assert (standing.plan, standing.late, standing.over) == (None, None, None)
    assert delayed_tables(hall, START + 90 * MINUTE) == {}
    assert pace(hall, START).indications == ()


def test_a_table_whose_clock_has_not_spoken_is_not_called_late() -> None:
    hall = standing_hall()
    assert standing_of(hall, "7", START + 90 * MINUTE).late is None
    assert delayed_tables(hall, START + 90 * MINUTE) == {}


@pytest.mark.parametrize(
    ("ms", "wanted"),
    [
        pytest.param(0, "", id="in time"),
        pytest.param(5 * MINUTE, "warning", id="CCBA 26: 5 min 0 s is still a warning"),
        pytest.param(5 * MINUTE + SECOND, "1 VP", id="CCBA 26: 5 min 1 s is the next row"),
        pytest.param(7 * MINUTE, "1 VP", id="CCBA 26: 7.0 min, teams VP -> 1 VP"),
        pytest.param(25 * MINUTE, "4 VP", id="CCBA 26: to 25"),
        pytest.param(25 * MINUTE + 1, "committee", id="CCBA 26: more"),
    ],
)
def test_a_late_table_is_indicated_with_its_article(ms: int, wanted: str) -> None:
    text = said(late_by(ms), START + 60 * MINUTE, Matter.LATE)
    assert text.startswith(wanted)
    assert ("26" in text and "CCBA" in text) == bool(wanted)


def test_knock_out_counts_the_minutes_begun_above_five() -> None:
    hall = late_by(12 * MINUTE + 12 * SECOND, contest=Contest.TEAMS_KNOCKOUT)
    assert said(hall, START, Matter.LATE).startswith("9 IMP")


def test_what_came_before_makes_a_line_for_each_pair_where_it_matters() -> None:
    before = {"7": (Before(partnership=Partnership.NS, what="late", times=1),)}
    lines = pace(late_by(3 * MINUTE, before=before), START).indications[0].lines
    assert lines == ("NS: 1 VP", "EW: warning")
    both = {"7": tuple(Before(partnership=pair, what="late", times=1) for pair in Partnership)}
    assert pace(late_by(3 * MINUTE, before=both), START).indications[0].lines == ("1 VP",)


def test_a_table_that_has_not_begun_is_late_by_the_time_that_has_passed() -> None:
    hall = standing_hall(pace=pace_of(arrived=None))
    standing = standing_of(hall, "7", START + 6 * MINUTE)
    assert (standing.late, standing.arrived) == (6 * MINUTE, False)
    assert said(hall, START + 6 * MINUTE, Matter.LATE).startswith("1 VP")


def slow_hall(over: float, ns: float, ew: float, **row: object) -> Hall:
    """Four boards of 8 minutes, over by so many minutes."""
    boards = tuple(board_time(n, START + n * MINUTE, minutes(ns / 4, ew / 4), **row) for n in range(1, 5))
    end = START + 32 * MINUTE + round(over * MINUTE)
    return standing_hall(times=boards, pace=pace_of(START, 4, 4, ended=end))


def test_slow_play_shows_the_total_the_halves_and_what_was_observed() -> None:
    hall = slow_hall(9.5, ns=26, ew=16)
    found = pace(hall, START + 99 * MINUTE).indicated(Matter.SLOW)
    assert found is not None
    assert found.lines[0] == "1.5 VP"
    assert any("North-South 0.75, East-West 0.75" in line and "half" in line for line in found.lines)
    assert any("North-South 1.5, East-West 0" in line and "observed" in line for line in found.lines)
    assert "27.1" in found.source


def test_each_pair_stands_against_half_the_time_of_the_boards_actually_played() -> None:
    boards = tuple(board_time(n, START + n * MINUTE, minutes(6, 46 / 13)) for n in range(1, 14))
    plan = replace(PLAN, boards=tuple(range(1, 16)))
    standing = standing_of(standing_hall(plan, boards, pace_of(START, 13, 13)), "7", START)
    ns, ew = standing.shares
    assert (ns.used, ns.allowed, ns.over) == (78 * MINUTE, 52 * MINUTE, 26 * MINUTE)
    assert (ew.allowed, ew.over) == (52 * MINUTE, 0)


def test_where_neither_pair_was_over_its_half_that_is_said_and_nothing_is_divided_by_it() -> None:
    hall = slow_hall(4, ns=10, ew=10)
    text = said(hall, START + 99 * MINUTE, Matter.SLOW)
    assert "Neither pair used more than its half" in text
    assert "by what was observed" not in text


def test_common_time_is_said_to_be_so_and_divides_nothing() -> None:
    hall = slow_hall(9.5, ns=10, ew=10, reads_cards=False)
    assert standing_of(hall, "7", START).common
    text = said(hall, START + 99 * MINUTE, Matter.SLOW)
    assert "was not observed" in text
    assert "by what was observed" not in text


def test_a_forfeit_shows_its_article_where_the_row_says_so_or_it_came_before() -> None:
    hall = late_by(26 * MINUTE, contest=Contest.PAIRS_IMP)
    assert "28" in said(hall, START, Matter.FORFEIT)
    before = {"7": (Before(partnership=Partnership.EW, what="forfeit", times=2),)}
    assert said(late_by(0, before=before), START, Matter.FORFEIT).startswith("EW: 2 forfeited before.")
    assert said(late_by(7 * MINUTE), START, Matter.FORFEIT) == ""


def test_an_authority_that_says_nothing_of_it_indicates_nothing() -> None:
    assert pace(late_by(30 * MINUTE, regulations="wbf"), START).indications == ()


def test_indications_are_said_in_chinese_too() -> None:
    assert said(late_by(3 * MINUTE), START, Matter.LATE, "zh-CN").startswith("警告")


@pytest.mark.parametrize(
    ("arrived", "begun", "finished", "now", "delayed"),
    [
        pytest.param(None, 0, 0, 1, False, id="within the minute of grace"),
        pytest.param(None, 0, 0, 1.1, True, id="not begun a minute after the start"),
        pytest.param(0, 1, 0, 16, False, id="one board behind is not behind"),
        pytest.param(0, 1, 0, 16.1, True, id="two boards' time and none over"),
        pytest.param(0, 4, 3, 32, False, id="the last board within its time"),
        pytest.param(0, 4, 3, 32.1, True, id="the time is over and a board is not"),
        pytest.param(0, 4, 4, 60, False, id="all is over"),
        pytest.param(9, 1, 0, 12, False, id="late, and now going on"),
    ],
)
def test_delayed_is_one_word_made_of_boards_and_minutes(
    arrived: float | None, begun: int, finished: int, now: float, delayed: bool
) -> None:
    at = None if arrived is None else START + round(arrived * MINUTE)
    ended = START + 32 * MINUTE if finished == 4 else None
    hall = standing_hall(pace=pace_of(at, begun, finished, ended=ended))
    assert delayed_tables(hall, START + round(now * MINUTE)) == {"7": delayed}


def test_a_session_of_yesterday_says_nothing_of_today() -> None:
    hall = standing_hall(pace=pace_of(START, 2, 1))
    assert delayed_tables(hall, START + 12 * 60 * MINUTE) == {"7": True}
    assert delayed_tables(hall, START + 12 * 60 * MINUTE + 1) == {}


def test_minutes_for_all_boards_are_shared_among_them() -> None:
    plan = replace(PLAN, minutes=30, whole=True)
    assert plan.allowed(4) == 30 * MINUTE
    assert plan.allowed(2) == 15 * MINUTE
    assert plan.pair_ms == 30 * MINUTE // 8


def test_a_session_is_kept_and_read_back_whole() -> None:
    before = {"7": (Before(partnership=Partnership.NS, what="late", times=2),)}
    plan = replace(PLAN, whole=True, before=before, why="a late bus", waived=("NS",))
    assert plan_from(plan.session, plan.to_json(), plan.by, plan.at) == plan


def test_a_second_journal_adds_its_boards_and_what_it_tells_again_is_one() -> None:
    times = Times()
    first, second = board_time(1, START, minutes(1, 2)), board_time(1, START + 9 * MINUTE, minutes(3, 4))
    for epoch, row in (("e1", first), ("e2", first), ("e2", replace(second, ordinal=2)), ("e3", second)):
        seen = TimeSeen(table="7", epoch=epoch, seq=4, time=row, begun=row.begun, ended=row.ended)
        times = times.with_board(seen).with_board(seen)
    assert [seen.time.columns.ns // MINUTE for seen in times.of_session("s1")] == [1, 3, 3]
    assert times.of_session("another") == ()


def test_a_table_that_keeps_no_clock_says_so_in_either_language() -> None:
    name, why = NO_CLOCK
    assert (off_name("zh-CN", name), why_off("zh-CN", why)) == ("时钟", "未设场次，故不计时")
    assert off_name("en", name) == "clock"


def test_the_facts_of_the_clocks_entries_are_shown_as_they_are_written() -> None:
    for name, text in (("minutes_over", "7:00"), ("used_ns", "78:00"), ("boards_played", "13")):
        for lang in LANGUAGES:
            assert fact_value(lang, name, text) == text
            assert fact_name(lang, name) != name.replace("_", " ")
