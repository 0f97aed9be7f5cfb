"""Window orders around jams, doubts, lost links, restarts: what facts and phase ask is in force then."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import events as ev
from table_controller.screen.entry import FaultKind
from tests.screen.driving import Driver, bid
from tests.screen.window_words import CLOSE, OPEN, bidding, by_director, led, ordered

# --- while the way is not free, what is not wished any more is not left in force


def jammed(driver: Driver) -> Driver:
    return driver.send(ev.FaultSeen, kind=FaultKind.WINDOW_JAMMED, component="window")


def freed(driver: Driver, kind: FaultKind = FaultKind.WINDOW_JAMMED) -> Driver:
    return driver.send(ev.FaultGone, kind=kind, component="window")


def test_jammed_while_it_opens_and_the_lead_lifted_a_hand_does_not_set_it_going() -> None:
    driver = jammed(led().window("between", "open")).lead_up("E")
    assert ordered(driver) == ["StopWindow"]
    assert ordered(freed(driver)) == []


def test_jammed_before_it_has_moved_and_the_lead_lifted() -> None:
    driver = jammed(led()).lead_up("E")
    assert ordered(driver) == ["StopWindow"]
    assert ordered(freed(driver)) == ["CloseWindow"]


@pytest.mark.parametrize("kind", [FaultKind.WINDOW_JAMMED, FaultKind.WINDOW_OBSTRUCTED])
def test_something_in_the_way_and_a_wrong_lead_beside_the_right_one(kind: FaultKind) -> None:
    driver = led().send(ev.FaultSeen, kind=kind, component="window").lead("W", True)
    assert ordered(driver) == ["StopWindow"]
    assert ordered(freed(driver.lead_up("W"), kind)) == ["OpenWindow"]


def test_jammed_while_it_opens_and_the_board_taken_away() -> None:
    driver = jammed(led().window("between", "open")).faces("E")
    driver.send(ev.DummySpread).lift().tick(90)
    assert driver.phase == "setup"
    assert "StopWindow" in [type(one).__name__ for one in driver.effects[-20:]]
    assert ordered(freed(driver.board(2))) == ["CloseWindow"]


def test_jammed_while_it_opens_and_back_to_the_auction() -> None:
    driver = jammed(led().window("between", "open"))
    driver.correct(ev.CorrectedAuction(calls=((Seat.N, bid("1C")),)))
    assert ordered(driver) == ["StopWindow"]
    assert ordered(freed(driver)) == ["CloseWindow"]


def test_an_order_still_wished_is_left_in_force() -> None:
    driver = jammed(led().window("between", "open")).faces("E")
    assert ordered(driver) == []
    assert ordered(driver.order(ev.Held)) == []
    closing = jammed(Driver().board(1).tray("NE").window("between", "close"))
    assert ordered(closing.call("N", "1C")) == []


def test_where_it_is_already_nothing_is_taken_back() -> None:
    driver = jammed(Driver().contract("1C P P P")).lead("E")
    assert ordered(driver) == []
    assert ordered(freed(driver)) == ["OpenWindow"]


# --- what was done while nothing could be known


def doubt(driver: Driver, sense: str, done: bool = False) -> Driver:
    seen = ev.SensorCleared if done else ev.SensorDoubted
    return driver.send(seen, sense=sense, kind=FaultKind.SENSOR_SUSPECT, component=sense)


def test_opened_in_the_auction_while_the_window_was_doubted_it_is_closed_once_it_is_known() -> None:
    driver = doubt(bidding(), "window").window_opens(None)
    assert driver.kinds == []
    assert ordered(doubt(driver, "window", done=True)) == ["CloseWindow"]


def test_opened_before_the_lead_while_the_lead_was_doubted() -> None:
    driver = doubt(Driver().contract("1C P P P"), "lead").window_opens(None)
    assert ordered(doubt(driver, "lead", done=True)) == ["CloseWindow"]


def test_a_doubt_that_ends_with_the_window_where_it_was_ordered_orders_nothing() -> None:
    driver = doubt(bidding(), "window")
    assert ordered(doubt(driver, "window", done=True)) == []


def test_pushed_back_by_the_person_who_freed_it_it_is_ordered_again() -> None:
    driver = jammed(led().window("between", "open")).window("closed", None)
    assert ordered(freed(driver)) == ["OpenWindow"]


def test_after_a_restart_the_orders_are_those_of_the_phase() -> None:
    for driver, wanted in [
        (bidding(), "CloseWindow"),
        (Driver().contract("1C P P P"), "CloseWindow"),
        (led(), "OpenWindow"),
        (Driver().opened("1C P P P"), "OpenWindow"),
        (Driver().opened("1C P P P").faces("E"), "OpenWindow"),
        (by_director(bidding(), OPEN).window_opens(), "OpenWindow"),
        (by_director(bidding(), CLOSE), "CloseWindow"),
    ]:
        assert ordered(driver.send(ev.Restarted)) == [wanted]


def test_forced_in_a_hold_no_doubt_that_ends_moves_a_motor() -> None:
    driver = doubt(bidding().order(ev.Held), "window").window_opens(None)
    assert ordered(doubt(driver, "window", done=True)) == []
    assert ordered(driver.resume()) == ["CloseWindow"]


def test_closed_by_hand_in_play_no_doubt_of_something_else_opens_it() -> None:
    driver = doubt(Driver().opened("1C P P P").faces("E").window_closes(None), "card")
    assert ordered(doubt(driver, "card", done=True)) == []
