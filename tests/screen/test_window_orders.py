"""Opening orders taken back, who opened beside a wrong lead, and hands on handles."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind
from tests.screen.driving import FULL, GUARD, HAND_WORKED, Driver
from tests.screen.window_words import CLOSE, by_director, led, ordered

# --- an opening order is taken back while the window has not begun to open


@pytest.mark.parametrize("senses", [FULL, HAND_WORKED])
def test_a_wrong_lead_laid_beside_the_right_one_takes_the_order_back(senses: frozenset[str]) -> None:
    driver = led(senses).lead("W", True)
    assert ordered(driver) == ["CloseWindow"]
    assert driver.phase == "opening"
    assert ordered(driver.lead_up("W")) == ["OpenWindow"]


def test_a_hold_takes_the_order_back_and_resuming_gives_it_again() -> None:
    driver = led().order(ev.Held)
    assert ordered(driver) == ["CloseWindow"]
    assert ordered(driver.resume()) == ["OpenWindow"]


def test_where_questions_come_first_too_the_order_is_taken_back() -> None:
    driver = Driver("ebl-2016").contract("1C P P P").lead("E").faces("E")
    assert ordered(driver) == ["OpenWindow"]
    assert ordered(driver.order(ev.Held)) == ["CloseWindow"]


def test_a_window_that_has_begun_to_open_is_not_turned_back() -> None:
    driver = led().window("between", "open")
    assert ordered(driver.lead("W", True)) == []
    assert ordered(driver.order(ev.Held)) == []


def test_a_window_whose_limits_are_doubted_is_not_turned_back() -> None:
    driver = led().send(ev.SensorDoubted, sense="window", kind=FaultKind.SENSOR_SUSPECT, component="window")
    assert ordered(driver) == []
    assert ordered(driver.order(ev.Held)) == []


def test_the_same_facts_ask_the_same_after_a_restart() -> None:
    driver = led().lead("W", True)
    given = driver.state.given.window
    driver.send(ev.Restarted)
    assert driver.state.given.window is given is CLOSE


def test_opened_by_hand_once_the_order_is_taken_back_it_is_no_movement_of_ours() -> None:
    driver = led(HAND_WORKED).lead("W", True).by_hand("S")
    assert driver.entry("WINDOW_OPENED_BY_DECLARING_SIDE").seats == (Seat.S,)
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.accepted_by_opening",)


def test_forced_by_hand_in_a_hold_once_the_order_is_taken_back() -> None:
    driver = led(HAND_WORKED).order(ev.Held).by_hand("S")
    assert driver.entry("WINDOW_FORCED_IN_HOLD").seats == (Seat.S,)


def test_forced_against_the_directors_own_order_in_a_hold() -> None:
    driver = by_director(Driver().opened("1C P P P").faces("E").order(ev.Held), CLOSE).window_closes()
    driver.by_hand("S")
    assert driver.entry("WINDOW_FORCED_IN_HOLD").seats == (Seat.S,)
    assert not driver.now(effects.CloseWindow)


# --- opened by the declaring side while a wrong lead lies faced


@pytest.mark.parametrize(
    "leads",
    [[("W", True)], [("W", True), ("E", False)], [("W", True), ("E", True)], [("E", False), ("W", True)]],
)
def test_the_declaring_side_opens_whatever_becomes_of_the_right_lead(leads: list[tuple[str, bool]]) -> None:
    """It is East's lead; that row of the table does not ask for it."""
    driver = Driver(senses=HAND_WORKED).contract("1C P P P")
    for seat, faced in leads:
        driver.lead(seat, faced)
    driver.by_hand("S")
    assert driver.entry("WINDOW_OPENED_BY_DECLARING_SIDE").seats == (Seat.S,)
    assert "WINDOW_OPENED_BEFORE_LEAD" not in driver.kinds
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.accepted_by_opening",)


def test_a_defender_opens_beside_the_right_lead_and_nothing_more_is_reported() -> None:
    driver = Driver(senses=HAND_WORKED).contract("1C P P P").lead("W", True).lead("E").by_hand("E")
    assert driver.kinds == ["OPENING_LEAD_OUT_OF_TURN"]
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.faced_right_lead_not_faced",)


def test_the_wrong_lead_face_down_is_no_lead_faced() -> None:
    driver = Driver(senses=HAND_WORKED).contract("1C P P P").lead("W").lead("E").by_hand("S")
    assert driver.kinds == ["OPENING_LEAD_OUT_OF_TURN"]


def test_once_the_play_is_on_it_opens_nobodys_lead() -> None:
    driver = Driver(senses=HAND_WORKED).contract("1C P P P").lead("W", True).lead("E").by_hand("E")
    driver.faces("E").window_closes(None).by_hand("S")
    assert "WINDOW_OPENED_BY_DECLARING_SIDE" not in driver.kinds


# --- where nobody reads the calls, a hand on a handle is for the lead that lies


def guarded() -> Driver:
    return Driver(senses=GUARD).ready(1).goes_over().goes_over().lead("E")


def works(driver: Driver, seat: str) -> Driver:
    driver.send(ev.WindowHandled, seat=Seat(seat), held=True)
    done = driver.last
    driver.send(ev.WindowHandled, seat=Seat(seat), held=False)
    driver.last = done
    return driver


def test_a_hand_on_a_handle_counts_for_its_lead() -> None:
    assert ordered(works(guarded(), "W")) == ["OpenWindow"]


def test_a_hand_on_a_handle_does_not_outlive_its_lead() -> None:
    driver = works(guarded(), "W").lead_up("E")
    assert ordered(driver) == ["CloseWindow"]
    assert ordered(driver.lead("W")) == []
    assert ordered(works(driver, "S")) == ["OpenWindow"]


def test_nor_does_it_count_for_the_lead_that_was_laid_beside_it() -> None:
    driver = works(guarded(), "W").lead("W").lead_up("E")
    assert driver.state.lead.lying[0].seat is Seat.W
    assert "OpenWindow" not in ordered(driver)


def test_a_hand_worked_while_two_cards_lie_is_for_neither() -> None:
    driver = works(guarded().lead("W"), "S").lead_up("W")
    assert "OpenWindow" not in ordered(driver)
    assert ordered(works(driver, "S")) == ["OpenWindow"]


def test_a_card_laid_beside_it_and_taken_back_leaves_it_as_it_was() -> None:
    driver = works(guarded(), "W").lead("W").lead_up("W")
    assert ordered(driver) == ["OpenWindow"]
