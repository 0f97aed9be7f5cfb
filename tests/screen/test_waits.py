"""What waiting makes true counts from when the thing became due, and never while nobody could watch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import events as ev
from table_controller.screen.entry import FaultKind
from tests.screen.driving import HAND_WORKED, Driver, S

Told = Callable[[Driver], Driver]


def _calls(text: str) -> tuple[tuple[Seat, Call], ...]:
    return tuple((Seat(one[0]), parse_call(one[2:])) for one in text.split())


def _doubt(driver: Driver, sense: str, seconds: float) -> Driver:
    kind = FaultKind.SENSOR_CONFLICT
    driver.send(ev.SensorDoubted, sense=sense, kind=kind, component=sense, detail="").tick(seconds)
    return driver.send(ev.SensorCleared, sense=sense, kind=kind, component=sense)


def _link(driver: Driver, seconds: float) -> Driver:
    return driver.send(ev.LinkLost, why="").tick(seconds).send(ev.LinkRestored)


UNWATCHED: dict[str, Callable[[Driver, float], Driver]] = {
    "link": _link,
    "tray": lambda driver, seconds: _doubt(driver, "tray", seconds),
    "restart": lambda driver, seconds: driver.wait(seconds).send(ev.Restarted),
}


# --- the tray forgotten


@pytest.mark.parametrize("how", UNWATCHED)
def test_pushed_while_nobody_watched_is_not_forgotten(how: str) -> None:
    driver = UNWATCHED[how](Driver().ready(1).auction("1C P"), 200)
    driver.send(ev.TrayArrived, after=0.01, side=ScreenSide.SW, inferred=True)
    assert driver.kinds == []


@pytest.mark.parametrize("how", UNWATCHED)
def test_forgotten_after_the_time_has_been_watched(how: str) -> None:
    driver = UNWATCHED[how](Driver().ready(1).auction("1C P"), 200).tick(179)
    assert driver.kinds == []
    since = driver.at - 179 * S
    assert driver.tick(2).entry("TRAY_FORGOTTEN").at == since + 180 * S


def test_what_was_due_before_the_link_was_lost_had_been_seen() -> None:
    driver = _link(Driver().ready(1).auction("1C P").tick(181), 30)
    assert driver.kinds == ["TRAY_FORGOTTEN"]


def test_a_doubt_about_something_else_stops_no_clock() -> None:
    driver = _doubt(Driver().ready(1).auction("1C P").tick(100), "lead", 50).tick(40)
    assert driver.kinds == ["TRAY_FORGOTTEN"]


def test_events_lost_might_have_been_the_trays() -> None:
    driver = Driver().ready(1).auction("1C P").tick(175).send(ev.EventsLost, count=3, gap=0).tick(100)
    assert driver.kinds == []
    assert driver.tick(90).kinds == ["TRAY_FORGOTTEN"]


DUE_LATE: dict[str, Told] = {
    "auction corrected": lambda driver: (
        driver.call("N", "1C").tick(300).correct(ev.CorrectedAuction(calls=_calls("N:1C E:P")))
    ),
    "same card put back": lambda driver: (
        driver.auction("1C P").wait(10).takes_up("E", "P").tick(200).call("E", "P")
    ),
    "tray set back where it was": lambda driver: (
        driver.auction("1C P").tick(170).leaves().tray("NE", 5)
    ),
    "the last calls taken away": lambda driver: (
        driver.auction("1C P").crosses().call("S", "P").tick(300)
        .correct(ev.CorrectedAuction(calls=_calls("N:1C E:P S:P W:P")))
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", DUE_LATE)
def test_it_counts_from_when_it_became_due(why: str) -> None:
    driver = DUE_LATE[why](Driver().ready(1))
    since = driver.at
    assert driver.tick(179).kinds == []
    assert driver.tick(2).entry("TRAY_FORGOTTEN").at == since + 180 * S


def test_a_ruling_makes_it_due() -> None:
    """The call out of turn stands, and with it the auction is over and waits to be shown."""
    driver = Driver().ready(1).auction("1C P P").call("N", "P").crosses().call("W", "P")
    driver.tick(400)
    number = driver.entry("CALL_OUT_OF_ROTATION").id
    driver.order(ev.Ruled, entries=(number,), verdict=ev.Verdict.ACCEPT)
    driver.tick(1)
    found = [one.at for one in driver.entries.values() if "TRAY_FORGOTTEN" in one.kinds]
    assert all(at >= driver.at - S for at in found)


def test_a_call_that_changes_nothing_of_it_does_not_begin_it_anew() -> None:
    driver = (
        Driver()
        .ready(1)
        .auction("1C P")
        .tick(100)
        .correct(ev.CorrectedCall(index=0, call=_calls("N:1D")[0][1]))
    )
    assert driver.tick(82).kinds == ["TRAY_FORGOTTEN"]


# --- the tray stalled


@pytest.mark.parametrize("how", UNWATCHED)
def test_arrived_while_nobody_watched_has_not_stalled(how: str) -> None:
    driver = UNWATCHED[how](Driver().ready(1).auction("1C P").leaves(), 30)
    driver.send(ev.TrayArrived, after=0.01, side=ScreenSide.SW, inferred=True)
    assert driver.kinds == []


@pytest.mark.parametrize("how", UNWATCHED)
def test_still_between_the_faces_when_it_can_be_seen_again(how: str) -> None:
    driver = UNWATCHED[how](Driver().ready(1).auction("1C P").leaves(), 30).tick(9)
    assert driver.kinds == []
    assert driver.tick(2).kinds == ["TRAY_STALLED"]


def test_back_into_the_auction_with_the_tray_between_the_faces() -> None:
    driver = Driver().ready(1).auction("1C P P P").crosses().cleared().leaves().tick(100)
    driver.correct(ev.CorrectedAuction(calls=_calls("N:1C E:P S:P"))).tick(1)
    assert "TRAY_STALLED" not in driver.kinds


# --- an older card up


@pytest.mark.parametrize("sense", ["link", "call"])
def test_an_older_card_found_back_is_no_difference(sense: str) -> None:
    driver = Driver().ready(1).auction("1C P 1H P").crosses().takes_up("N", "1C")
    driver = _link(driver, 30) if sense == "link" else _doubt(driver, "call", 30)
    driver.send(ev.CallMade, after=0.01, seat=Seat.N, call=parse_call("1C"), inferred=True)
    assert (driver.kinds, driver.state.holds) == ([], ())


def test_an_older_card_still_away_when_it_can_be_seen_again() -> None:
    driver = _link(Driver().ready(1).auction("1C P 1H P").crosses().takes_up("N", "1C"), 30)
    assert driver.tick(9).kinds == []
    assert driver.tick(2).kinds == ["AUCTION_DIVERGED"]


# --- the window still closed


def test_the_lead_may_have_been_away_while_nobody_could_see() -> None:
    driver = _doubt(Driver(senses=HAND_WORKED).contract().lead("E"), "lead", 100)
    assert driver.tick(59).kinds == []
    assert driver.tick(2).kinds == ["WINDOW_STILL_CLOSED"]
