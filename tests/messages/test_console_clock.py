"""What the console's clock shows where it is set, queued messages come late, and the console starts anew."""

from __future__ import annotations

from table_controller.commands.console_clock import KEPT, NS_PER_S as S, ConsoleClock

WALL = 1_800_000_000 * S
HOUR = 3600 * S


def said(clock: ConsoleClock, at: int, *, wall: int = WALL, boot: int = 0, late: int = 0) -> None:
    """Sent at our time `at`, arrived `late` after it; `wall` is what its clock showed at our time 0."""
    clock.heard(wall + at, at - boot, at + late)


def shown(clock: ConsoleClock, sent: int, at: int, *, wall: int = WALL, boot: int = 0) -> int | None:
    return clock.at_least(wall + sent, sent - boot, at)


def test_nothing_is_known_before_it_has_spoken() -> None:
    clock = ConsoleClock()
    assert clock.now(5) is None
    assert shown(clock, 0, 5) is None


def test_the_quickest_message_tells_most() -> None:
    clock = ConsoleClock()
    said(clock, 0, late=3 * S)
    said(clock, 5 * S, late=S)
    said(clock, 9 * S, late=4 * S)
    assert shown(clock, 0, 20 * S) == WALL + 19 * S


def test_its_clock_is_that_of_its_latest_message() -> None:
    clock = ConsoleClock()
    said(clock, 0)
    said(clock, S, wall=WALL - HOUR)
    assert clock.now(3 * S) == WALL - HOUR + 3 * S


def test_set_back_by_an_hour_it_counts_anew_as_soon_as_it_is_seen_to_run() -> None:
    clock = ConsoleClock()
    said(clock, 0)
    back = WALL - HOUR
    said(clock, 10 * S, wall=back)
    assert shown(clock, 10 * S, 10 * S, wall=back) == WALL + 10 * S, "it might have been queued for an hour"
    said(clock, 11 * S, wall=back)
    assert shown(clock, 11 * S, 12 * S, wall=back) == back + 12 * S


def test_what_was_sent_before_it_was_set_back_is_still_late() -> None:
    clock = ConsoleClock()
    back = WALL - HOUR
    for at in (0, 2):
        said(clock, at * S)
    for at in (10, 12, 600):
        said(clock, at * S, wall=back)
    assert shown(clock, 3 * S, 600 * S) == WALL + 600 * S


def test_a_burst_of_what_was_queued_is_no_clock_that_runs() -> None:
    """Ten minutes of an earlier run of the console come at once, after its later word."""
    clock = ConsoleClock()
    said(clock, 700 * S, boot=650 * S)
    for at in (0, 100, 200, 400, 600):
        said(clock, at * S, wall=WALL - 60 * S, late=701 * S - at * S + at)
    assert shown(clock, 600 * S, 702 * S, wall=WALL - 60 * S) == WALL + 702 * S


def test_a_console_that_starts_anew_goes_on_by_the_same_wall_clock() -> None:
    clock = ConsoleClock()
    said(clock, 0)
    said(clock, 90 * S, boot=80 * S)
    assert shown(clock, 91 * S, 95 * S, boot=80 * S) == WALL + 95 * S


def test_a_clock_that_is_trimmed_is_the_same_clock() -> None:
    clock = ConsoleClock()
    for at in range(0, 3600, 10):
        said(clock, at * S, wall=WALL - at * S // 2000)
    assert len(clock._settings) == 1
    assert shown(clock, 3590 * S, 3600 * S, wall=WALL - 3590 * S // 2000) == WALL + 3600 * S


def test_a_message_without_a_wall_clock_is_judged_by_the_quickest() -> None:
    clock = ConsoleClock()
    said(clock, 0)
    assert clock.at_least(None, 0, 4 * S) == WALL + 4 * S


def test_few_settings_are_kept() -> None:
    clock = ConsoleClock()
    for hours in range(3 * KEPT):
        said(clock, hours * S, wall=WALL - hours * HOUR)
    assert len(clock._settings) == KEPT
