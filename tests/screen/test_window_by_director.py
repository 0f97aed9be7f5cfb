"""The director's window order: it stands while it is needed, and no longer."""

from __future__ import annotations

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from tests.screen.driving import FULL, Driver
from tests.screen.window_words import CLOSE, OPEN, bidding, by_director, ordered

UNANNOUNCED = FULL - {"announced"}


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
