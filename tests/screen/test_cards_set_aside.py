"""Cards that are no call: set aside, made void by the director, laid after the end; and turns given back."""

from __future__ import annotations

import pytest

from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Standing
from tests.screen.driving import Driver

N, E, W = Seat.N, Seat.E, Seat.W
Calls = tuple[tuple[Seat, Call], ...]


def given(text: str) -> Calls:
    return tuple((Seat(one[0]), parse_call(one[2:])) for one in text.split())


# --- void


@pytest.mark.parametrize("held", [False, True])
def test_the_card_of_a_cancelled_call_is_taken_up_and_the_call_beneath_stays(held: bool) -> None:
    driver = Driver().ready(1).auction("1C P 1H P 2C").call("E", "1S")
    if held:
        driver.order(ev.Held)
    driver.order(ev.Ruled, entries=(1,), verdict=ev.Verdict.CANCEL).takes_up("E", "1S").call("E", "2S")
    if held:
        driver.resume()
    driver.tick(60)
    assert driver.calls == "N:1C E:P S:1H W:P N:2C E:2S"
    assert driver.kinds == ["INSUFFICIENT_BID"]


@pytest.mark.parametrize("last", ["P", "2D"])
def test_a_call_struck_out_and_taken_up_late_leaves_the_pass_beneath(last: str) -> None:
    driver = Driver().ready(1).auction(f"1C P 1H P 2C {last}").order(ev.Held)
    driver.correct(ev.CorrectedCall(index=5, call=None)).resume()
    driver.takes_up("E", last).call("E", "2H").tick(60)
    assert driver.calls == "N:1C E:P S:1H W:P N:2C E:2H"
    assert driver.kinds == []


@pytest.mark.parametrize("order", ["1S first", "1S last"])
def test_what_lies_beyond_an_auction_given_is_nobodys(order: str) -> None:
    """East's two cards become one, and it is the other that he takes up, whichever lies on top."""
    calls = "1C 1S 2C P 3C P" if order == "1S first" else "1C P 2C P 3C 3S"
    gone = "1S" if order == "1S first" else "3S"
    driver = Driver().ready(1).auction(calls)
    driver.correct(ev.CorrectedAuction(calls=given("N:1C E:P S:2C W:P N:3C")))
    driver.takes_up("E", gone)
    assert driver.calls == "N:1C E:P S:2C W:P N:3C"
    assert driver.state.auction.void == ()
    driver.call("E", "4S").takes_up("E", "4S")
    assert driver.state.auction.laid[-1].lifted == driver.at


def test_a_void_card_taken_up_in_a_hold_is_taken_up() -> None:
    driver = Driver().ready(1).auction("1C P 1H P 2C P").order(ev.Held)
    driver.correct(ev.CorrectedCall(index=5, call=None)).takes_up("E", "P").resume()
    assert driver.state.auction.void == ()
    driver.call("E", "2D").takes_up("E", "2D").call("E", "2H")
    assert driver.calls == "N:1C E:P S:1H W:P N:2C E:2H"
    assert driver.kinds == ["CHANGE_OF_CALL"]


def test_void_cards_are_cleared_with_the_rest_of_their_face() -> None:
    driver = Driver().ready(1).auction("1C 1D").correct(ev.CorrectedCall(index=1, call=None))
    driver.call("E", "P").crosses().auction("P P").crosses().cleared()
    assert driver.state.auction.void == ()
    assert driver.kinds == []


# --- after the end


def test_what_is_called_after_the_end_need_not_be_seen_by_anybody() -> None:
    driver = Driver().ready(1).auction("1C P P P").crosses().call("N", "P").lead("E")
    assert driver.now(effects.OpenWindow)
    driver.window_opens().tick(600).cleared()
    assert driver.kinds == ["CALL_AFTER_FINAL_PASS"]


@pytest.mark.parametrize("profile", ["ccba-2006", "wbf", "ebl-2016", "acbl", "dbf"])
def test_a_superfluous_pass_taken_up_is_no_clearing(profile: str) -> None:
    driver = Driver(profile).ready(1).auction("1C P P P").call("S", "P").takes_up("S", "P")
    assert driver.state.auction.cleared == frozenset()
    driver.crosses()
    assert driver.kinds == ["CALL_AFTER_FINAL_PASS"]
    driver.call("N", "P").takes_up("N", "P").takes_up("N", "1C").takes_up("E", "P")
    assert driver.state.auction.cleared == {N, E}


# --- set aside


def test_a_card_laid_at_once_with_another_is_a_call_after_a_hold_if_it_lies() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P", 0.03).order(ev.Held).resume()
    assert driver.calls == "N:1C E:P"
    driver.crosses()
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]


def test_a_card_laid_at_once_with_another_and_taken_up_in_a_hold_is_none() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P", 0.03).order(ev.Held)
    driver.takes_up("E", "P").resume()
    assert driver.calls == "N:1C"


def test_a_card_set_aside_for_the_due_seat_is_a_call_after_a_hold() -> None:
    driver = Driver().ready(3).call("W", "1C").call("S", "P").order(ev.Held).resume().crosses()
    assert driver.calls == "S:P W:1C"
    assert driver.entry("CALL_OUT_OF_ROTATION").standing is Standing.CORRECTED
    assert driver.kinds == ["CALL_OUT_OF_ROTATION"]


def test_a_card_of_an_earlier_stay_is_made_when_the_tray_leaves_its_own_face() -> None:
    driver = Driver().ready(1).call("E", "1C").crosses().crosses().call("N", "P").crosses()
    assert driver.calls == "N:P E:1C"
    assert driver.entry("CALL_OUT_OF_ROTATION").standing is Standing.CORRECTED
    assert driver.kinds == ["CALL_OUT_OF_ROTATION", "TRAY_CROSSED_EARLY", "TRAY_CROSSED_WITHOUT_CALLS"]


def test_a_card_set_aside_on_the_other_face_waits_for_the_tray() -> None:
    """West, out of rotation, and North calls after all: West's turn comes when the tray is there."""
    driver = Driver().ready(1).leaves().tray("SW").call("W", "1C").crosses().call("N", "P")
    driver.call("E", "P").leaves()
    assert driver.calls == "W:1C N:P E:P"
    assert driver.state.auction.calls.set_aside == (0,)


def test_the_same_call_again_in_its_turn_corrects_the_one_out_of_rotation() -> None:
    driver = Driver().ready(3).call("W", "1C").takes_up("W", "1C").call("S", "P").call("W", "1C")
    entry = driver.entry("CALL_OUT_OF_ROTATION")
    assert entry.standing is Standing.CORRECTED
    assert "made_in_turn" in {fact.name for fact in entry.facts}


# --- bound


@pytest.mark.parametrize("first", ["1C", "P"])
def test_a_call_taken_up_does_not_use_up_the_obligation(first: str) -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=1)
    driver.call("N", first).takes_up("N", first).call("N", "1H")
    (laid,) = driver.state.auction.laid
    assert laid.obliged
    assert driver.state.obligations == ()
    driver.auction("P P 1S 2H")
    assert [one.obliged for one in driver.state.auction.laid] == [True, False, False, False, False]


def test_a_turn_whose_call_is_withdrawn_is_given_back() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=2)
    driver.call("N", "P").takes_up("N", "P").leaves()
    assert [(one.seat, one.turns) for one in driver.state.obligations] == [(N, 2)]
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=1)
    driver.call("N", "P").takes_up("N", "P").call("E", "1C")
    assert [(one.seat, one.turns) for one in driver.state.obligations] == [(N, 1)]
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=None).call("N", "P").takes_up("N", "P")
    assert [(one.seat, one.turns) for one in driver.leaves().state.obligations] == [(N, None)]


def test_a_call_corrected_to_another_bid_still_breaks_the_obligation() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=None).call("N", "1C")
    driver.correct(ev.CorrectedCall(index=0, call=parse_call("1D")))
    entry = driver.entry("CALL_VIOLATING_OBLIGATION_TO_PASS")
    assert (entry.standing, str(entry.call)) == (Standing.OPEN, "1D")
    driver.correct(ev.CorrectedCall(index=0, call=parse_call("P")))
    assert driver.entry("CALL_VIOLATING_OBLIGATION_TO_PASS").standing is Standing.MISREADING


# --- a call corrected in a hold


def test_after_one_call_is_corrected_in_a_hold_the_cards_laid_since_still_count() -> None:
    """Facts go on in a hold; only an auction given as a whole is what he says, whatever is laid to fit it."""
    driver = Driver().ready(1).call("N", "1C").call("E", "1D").order(ev.Held)
    driver.correct(ev.CorrectedCall(index=0, call=parse_call("2C"))).takes_up("E", "1D").call("E", "2D")
    driver.resume().crosses()
    assert driver.calls == "N:2C E:2D"
    assert driver.kinds == []


# --- sent back by the director


def test_on_a_tray_sent_back_the_last_calls_of_that_face_can_be_replaced_and_no_others() -> None:
    driver = Driver().ready(1).auction("1C P 1H P 2C 1S").crosses().order(ev.TrayBackOrdered).crosses()
    driver.takes_up("E", "1S").call("E", "2S")
    assert driver.calls == "N:1C E:P S:1H W:P N:2C E:2S"
    assert driver.entry("INSUFFICIENT_BID").standing is Standing.CORRECTED
    assert driver.kinds == ["INSUFFICIENT_BID"]
    driver.takes_up("N", "2C").takes_up("N", "1C").call("E", "P")
    assert "AUCTION_DIVERGED" in driver.kinds
