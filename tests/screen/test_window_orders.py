"""Window orders: always what is desired minus what is given, and the director's own only while it stands."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind
from tests.screen.driving import FULL, HAND_WORKED, Driver

OPEN, CLOSE = ev.WindowOrder.OPEN, ev.WindowOrder.CLOSE
ORDERS = (effects.OpenWindow, effects.CloseWindow, effects.StopWindow)
UNANNOUNCED = FULL - {"announced"}


def ordered(driver: Driver) -> list[str]:
    """What the last event had ordered of the window."""
    return [type(one).__name__ for one in driver.last if isinstance(one, ORDERS)]


def by_director(driver: Driver, to: ev.WindowOrder) -> Driver:
    return driver.order(ev.WindowOverridden, to=to)


def bidding() -> Driver:
    return Driver().ready(1).call("N", "1C")


# --- the director's order stands while it is needed


def test_closed_by_the_director_in_the_auction_the_window_opens_on_the_lead() -> None:
    driver = by_director(bidding(), CLOSE)
    assert ordered(driver) == ["CloseWindow"]
    driver.auction("P P P").crosses().cleared().lead("E")
    assert ordered(driver) == ["OpenWindow"]


def test_opened_and_closed_by_the_director_the_window_opens_on_the_lead() -> None:
    driver = by_director(bidding(), OPEN).window_opens()
    by_director(driver, CLOSE).window_closes()
    driver.auction("P P P").crosses().cleared().lead("E")
    assert ordered(driver) == ["OpenWindow"]


def test_closed_by_the_director_before_the_lead_the_window_opens_on_the_lead() -> None:
    driver = by_director(Driver().contract("1C P P P"), CLOSE).lead("E")
    assert ordered(driver) == ["OpenWindow"]


def test_what_the_director_opened_in_the_auction_is_not_shut_again_while_it_goes_on() -> None:
    driver = by_director(bidding(), OPEN).window_opens().call("E", "P").crosses().call("S", "P")
    assert driver.now(effects.CloseWindow) == []
    assert driver.did(effects.CloseWindow)[1:] == []
    assert driver.kinds == []


def test_what_he_opened_before_the_first_call_stays_open() -> None:
    driver = by_director(Driver().ready(1), OPEN).window_opens()
    assert driver.phase == "closing"
    assert len(driver.did(effects.CloseWindow)) == 1


def test_what_the_director_opened_in_the_auction_is_shut_when_a_lead_is_awaited() -> None:
    driver = by_director(bidding(), OPEN).window_opens().auction("P P P")
    assert driver.phase == "lead.awaiting"
    assert ordered(driver) == ["CloseWindow"]


def test_what_the_director_opened_and_a_hand_closed_is_not_opened_when_a_hand_forces_it() -> None:
    driver = by_director(bidding(), OPEN).window_opens().window_closes(None).call("E", "P")
    driver.window("between")
    assert driver.entry("WINDOW_OPENED_IN_AUCTION")
    assert ordered(driver) == ["CloseWindow"]


def test_what_the_director_opened_and_a_hand_closed_stays_shut_over_a_lost_link() -> None:
    driver = by_director(bidding(), OPEN).window_opens().window_closes(None)
    driver.send(ev.LinkLost).send(ev.LinkRestored)
    assert ordered(driver) == ["CloseWindow"]


def test_a_hand_on_its_way_does_not_end_an_order_not_yet_carried_out() -> None:
    """It was closing when he said open, and reaches the limit before the motor has turned."""
    driver = Driver().contract("1C P P P").window("between").window("closed", "close")
    by_director(driver, OPEN)
    assert ordered(driver) == ["OpenWindow"]
    assert ordered(driver.window("between", "open")) == []
    assert ordered(driver.window("open", "open")) == []


def test_an_order_to_open_reaches_the_limit_first() -> None:
    driver = Driver().contract("1C P P P").window("between", None)
    by_director(driver, OPEN).window("closed", "close")
    assert ordered(driver) == []
    assert driver.state.window.override is OPEN


def test_closed_by_the_director_after_the_lead_it_stays_shut_until_another_lead() -> None:
    driver = by_director(Driver().opened("1C P P P"), CLOSE).window_closes()
    driver.tick(300)
    assert ordered(driver) == []
    driver.lead_up("E").lead("E")
    assert ordered(driver) == ["OpenWindow"]


def test_closed_by_the_director_after_the_lead_and_opened_by_him_again() -> None:
    driver = by_director(Driver().opened("1C P P P"), CLOSE).window_closes()
    by_director(driver, OPEN)
    assert ordered(driver) == ["OpenWindow"]
    driver.window_opens().send(ev.LinkLost).send(ev.LinkRestored)
    assert [one.reason for one in driver.now(effects.OpenWindow)] == ["lead_placed"]


def test_closed_by_the_director_in_play_and_opened_by_a_hand_the_hand_has_undone_it() -> None:
    driver = by_director(Driver().opened("1C P P P").faces("E"), CLOSE).window_closes()
    driver.window_opens(None).send(ev.LinkLost).send(ev.LinkRestored)
    assert ordered(driver) == ["OpenWindow"]


def test_on_resuming_what_the_director_opened_is_shut_where_a_lead_is_awaited() -> None:
    driver = by_director(Driver().contract("1C P P P").order(ev.Held), OPEN).window_opens()
    assert ordered(driver) == []
    assert ordered(driver.resume()) == ["CloseWindow"]


def test_on_resuming_what_the_director_opened_stays_open_on_the_right_lead() -> None:
    driver = by_director(Driver().contract("1C P P P").order(ev.Held), OPEN).window_opens().lead("E")
    driver.resume()
    assert "CloseWindow" not in ordered(driver)
    assert driver.phase == "clarification"


def test_his_order_is_given_again_after_a_lost_link_where_the_table_could_not_order_it() -> None:
    driver = Driver("acbl", UNANNOUNCED).contract("1C P P P").lead("E")
    assert ordered(driver) == []
    by_director(driver, OPEN).window_opens()
    assert driver.phase == "clarification"
    driver.send(ev.LinkLost).send(ev.LinkRestored)
    assert ordered(driver) == ["OpenWindow"]


def test_in_a_hold_the_directors_order_stands_over_the_end_of_the_auction() -> None:
    driver = by_director(bidding().order(ev.Held), OPEN).window_opens().auction("P P P")
    assert driver.phase == "lead.awaiting"
    assert not [one for one in driver.effects[-20:] if isinstance(one, effects.CloseWindow)]


def test_the_directors_order_ends_with_the_board() -> None:
    driver = by_director(Driver().opened("1C P P P").faces("E"), CLOSE).window_closes()
    driver.send(ev.ClaimMade, seat=Seat.N).lift()
    assert driver.state.window.override is None


# --- an opening order is taken back while the window has not begun to open


def led(senses: frozenset[str] = FULL) -> Driver:
    driver = Driver(senses=senses).contract("1C P P P").lead("E")
    assert ordered(driver) == ["OpenWindow"]
    return driver


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
