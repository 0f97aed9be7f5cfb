"""The clock of the round: alone, in the journal, and as it is told to everybody."""

from __future__ import annotations

import pytest

from director_console.projection.hall import Hall
from director_console.projection.round_clock import (
    ClockWrong,
    changed,
    clock_from,
    new_clock,
    paused,
    started,
)
from director_console.publicity import LOOK_EVERY_MS, Publicity, clock_body
from table_controller.messages.codec import Json
from tests.director_console.generator import PLACE
from tests.director_console.timed import MINUTE, PLAN, START, pace_of, standing_hall

SECOND = 1000


def test_a_round_runs_out_and_never_below_nothing() -> None:
    clock = started(new_clock(3, 20), START)
    assert clock.left(START + 5 * MINUTE) == 15 * MINUTE
    assert clock.left(START + 21 * MINUTE) == 0


def test_stopped_it_keeps_what_is_left_however_long_it_stands() -> None:
    clock = paused(started(new_clock(1, 20), START), START + 5 * MINUTE)
    assert clock.left(START + 500 * MINUTE) == 15 * MINUTE
    assert started(clock, START + 500 * MINUTE).left(START + 501 * MINUTE) == 14 * MINUTE


@pytest.mark.parametrize(
    ("left_s", "warning"),
    [(601, None), (600, 10), (301, 10), (300, 5), (61, 5), (60, 1), (1, 1), (0, 0)],
)
def test_the_warnings_stand_from_their_moment_on(left_s: int, warning: int | None) -> None:
    clock = started(new_clock(1, 20), START)
    assert clock.warning(START + 20 * MINUTE - left_s * SECOND) == warning


def test_a_warning_longer_than_the_round_is_none() -> None:
    assert new_clock(1, 5).warnings == (1,)


def test_time_is_changed_while_it_runs_and_while_it_stands_and_after_it_was_up() -> None:
    running = started(new_clock(1, 20), START)
    assert changed(running, 5, START + MINUTE).left(START + MINUTE) == 24 * MINUTE
    assert changed(running, -30, START + MINUTE).left(START + MINUTE) == 0
    standing = changed(new_clock(1, 20), -5, START)
    assert (standing.left(START), standing.begun) == (15 * MINUTE, False)
    late = START + 30 * MINUTE
    assert changed(running, 3, late).left(late) == 3 * MINUTE


@pytest.mark.parametrize("deed", [started, paused, lambda clock, now: changed(clock, 1, now)])
def test_nothing_is_done_with_a_clock_that_is_not_there(deed: object) -> None:
    with pytest.raises(ClockWrong):
        deed(None, START)  # type: ignore[operator]
    with pytest.raises(ClockWrong):
        paused(new_clock(1, 5), START)
    with pytest.raises(ClockWrong):
        started(started(new_clock(1, 5), START), START)


def test_it_is_kept_and_read_back() -> None:
    clock = paused(started(new_clock(4, 30, (9, 3)), START), START + 7)
    assert clock_from(clock.to_json()) == clock
    assert clock_from("null") is None


class Said:
    """What went out, while the link is up."""

    def __init__(self) -> None:
        self.all: list[tuple[str, dict[str, Json], bool]] = []
        self.up = True

    def send(self, topic: str, type_: str, body: dict[str, Json], retain: bool) -> bool:
        if self.up:
            assert topic.endswith(type_)
            self.all.append((type_, body, retain))
        return self.up

    def take(self) -> list[str]:
        found, self.all = [type_ for type_, _, _ in self.all], []
        return found


def linked() -> Publicity:
    made = Publicity(PLACE, "console")
    made.link_changed(up=True)
    return made


def hall_with(clock: object, **more: object) -> Hall:
    return Hall(clock=clock, **more)  # type: ignore[arg-type]


def test_everybody_is_told_once_and_again_after_the_link_was_lost() -> None:
    said, publicity = Said(), linked()
    hall = hall_with(started(new_clock(2, 20), START))
    publicity.say(hall, START, said.send)
    assert said.take() == ["all/pause", "all/clock", "public/clock", "public/tables"]
    publicity.say(hall, START + 100, said.send)
    assert said.take() == []
    assert not publicity.due(hall, START + 100)
    publicity.link_changed(up=True)
    publicity.say(hall, START + 200, said.send)
    assert set(said.take()) >= {"all/clock", "public/clock", "public/tables"}


def test_only_what_is_public_is_retained_and_without_a_clock_nothing_is_broadcast() -> None:
    said, publicity = Said(), linked()
    publicity.say(hall_with(None), START, said.send)
    assert [(type_, retain) for type_, _, retain in said.all] == [
        ("public/clock", True),
        ("public/tables", True),
    ]
    said.take()
    publicity.say(hall_with(new_clock(1, 5)), START + 1, said.send)
    assert [(t, r) for t, _, r in said.all] == [
        ("all/pause", False),
        ("all/clock", False),
        ("public/clock", True),
    ]


def test_what_could_not_be_sent_is_said_as_soon_as_it_can() -> None:
    said, publicity = Said(), linked()
    said.up = False
    publicity.say(hall_with(new_clock(1, 5)), START, said.send)
    said.up = True
    publicity.say(hall_with(new_clock(1, 5)), START + 1, said.send)
    assert set(said.take()) == {"all/pause", "all/clock", "public/clock", "public/tables"}


def test_without_a_link_nothing_is_due() -> None:
    publicity = linked()
    publicity.link_changed(up=False)
    assert not publicity.due(hall_with(new_clock(1, 5)), START)


def test_a_pause_is_told_and_its_end() -> None:
    said, publicity = Said(), linked()
    running = started(new_clock(1, 20), START)
    publicity.say(hall_with(running), START, said.send)
    said.take()
    stopped = paused(running, START + MINUTE)
    publicity.say(hall_with(stopped), START + MINUTE, said.send)
    [pause] = [body for type_, body, _ in said.all if type_ == "all/pause"]
    assert pause["paused"] is True
    said.take()
    publicity.say(hall_with(started(stopped, START + 9 * MINUTE)), START + 9 * MINUTE, said.send)
    [pause] = [body for type_, body, _ in said.all if type_ == "all/pause"]
    assert pause["paused"] is False


def test_the_map_of_tables_says_on_time_or_delayed_and_not_one_word_more() -> None:
    said, publicity = Said(), linked()
    hall = standing_hall(PLAN, pace=pace_of(arrived=None))
    publicity.say(hall, START, said.send)
    publicity.say(hall, START + 2 * MINUTE, said.send)
    tables = [body for type_, body, _ in said.all if type_ == "public/tables"]
    assert tables == [{"delayed": {"7": False}}, {"delayed": {"7": True}}]


def test_tables_are_looked_at_every_few_seconds_only() -> None:
    said, publicity = Said(), linked()
    hall = standing_hall(PLAN, pace=pace_of(arrived=None))
    publicity.say(hall, START + MINUTE, said.send)
    assert not publicity.due(hall, START + MINUTE + LOOK_EVERY_MS - 1)
    assert publicity.due(hall, START + MINUTE + LOOK_EVERY_MS)


def test_the_public_clock_has_no_word_in_it() -> None:
    for clock in (None, new_clock(1, 5), started(new_clock(1, 5), START)):
        assert clock_body(clock)["label"] == ""
