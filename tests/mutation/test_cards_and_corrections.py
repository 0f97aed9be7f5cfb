"""Cards set aside, taken up and laid again; what the director's corrections leave; what is told of them."""

from __future__ import annotations

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.courses import Course
from table_controller.screen import effects, events as ev
from tests.screen.driving import Driver, bid

N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W
NE, SW = ScreenSide.NE, ScreenSide.SW


def _facts(driver: Driver, kind: str) -> list[str]:
    return [fact.name for fact in driver.entry(kind).facts]


# --- two calls at once


def _at_once() -> Driver:
    """North's call in turn, and East's thirty milliseconds after it."""
    return Driver().ready(1).call("N", "1C").call("E", "P", 0.03)


def test_a_call_set_aside_as_simultaneous_is_made_when_the_tray_leaves_with_its_card() -> None:
    driver = _at_once()
    assert driver.calls == "N:1C"
    driver.leaves()
    assert driver.calls == "N:1C E:P"
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]
    driver.tray("SW").seen().auction("P P")
    assert driver.state.auction.calls.is_over


def test_a_call_set_aside_is_not_made_where_its_seat_has_called_since() -> None:
    driver = _at_once().call("E", "1D").leaves()
    assert driver.calls == "N:1C E:1D"
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]


def test_a_call_laid_just_before_the_one_in_turn_has_the_course_of_simultaneous_calls() -> None:
    driver = Driver().ready(1).call("E", "P")
    assert driver.entry("CALL_OUT_OF_ROTATION").course
    driver.call("N", "1C", 0.03)
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]
    assert driver.entry("SIMULTANEOUS_CALLS").course == (Course.SIMULTANEOUS_LATER_CANCELLED,)


# --- cards taken up


def test_an_irregular_call_that_leaves_the_tray_for_good_says_that_it_was_taken_back() -> None:
    driver = Driver().ready(1).auction("1S 1H").takes_up("E", "1H")
    assert _facts(driver, "INSUFFICIENT_BID") == []
    driver.leaves()
    assert _facts(driver, "INSUFFICIENT_BID") == ["taken_back"]


def test_in_a_hold_an_irregular_call_taken_up_is_the_directors_doing() -> None:
    driver = Driver().ready(1).auction("1S 1H").order(ev.Held).takes_up("E", "1H").leaves()
    assert _facts(driver, "INSUFFICIENT_BID") == []


def test_an_entry_already_closed_is_not_touched_when_its_card_is_taken_up() -> None:
    driver = Driver().ready(1).auction("1S 1H")
    driver.order(ev.EntryClosed, entry=driver.entry("INSUFFICIENT_BID").id)
    closed = driver.entry("INSUFFICIENT_BID")
    driver.takes_up("E", "1H").leaves()
    assert driver.entry("INSUFFICIENT_BID") == closed
    assert driver.calls == "N:1S"


def test_a_call_taken_up_and_called_over_is_withdrawn_once_when_the_tray_leaves() -> None:
    driver = Driver().ready(1).call("N", "1C").takes_up("N", "1C").call("E", "1D")
    assert "CALL_WITHDRAWN" not in driver.kinds
    driver.leaves()
    withdrawn = driver.entry("CALL_WITHDRAWN")
    assert (withdrawn.seats, str(withdrawn.call)) == ((N,), "1C")
    driver.tray("SW").call("S", "P").call("W", "P").leaves()
    assert driver.entry("CALL_WITHDRAWN") == withdrawn


def test_two_auctions_on_two_faces_give_no_contract_whatever_is_called_next() -> None:
    """South and West took their cards up too soon, so North and East pass on another auction."""
    driver = Driver().ready(1).auction("4NT P 6NT P").send(ev.CardsCleared, side=SW).leaves().tray("NE")
    assert set(driver.entry("AUCTION_NOT_SHOWN").kinds) == {"AUCTION_NOT_SHOWN", "AUCTION_DIVERGED"}
    driver.call("N", "P").call("E", "P")
    assert driver.table.view().contract is None
    assert driver.phase == "auction.ne"


def test_a_card_taken_up_after_the_auction_and_laid_again_is_shown_to_the_other_face() -> None:
    driver = Driver().ready(1).auction("1NT P P P").takes_up("W", "P").call("W", "P")
    assert driver.calls == "N:1NT E:P S:P W:P"
    driver.crosses().lead("E")
    assert driver.phase == "opening"
    assert driver.now(effects.OpenWindow)


def test_cards_cleared_again_when_the_faces_differ_are_a_hold_and_no_second_entry() -> None:
    """First too soon, while the two faces had seen the same; then with a bid that one face alone has seen."""
    driver = Driver().ready(1).auction("1C 1D P P").crosses().send(ev.CardsCleared, side=NE)
    assert driver.entry("AUCTION_NOT_SHOWN").level.name == "REPORT"
    assert not driver.state.holds
    driver.call("N", "2C").send(ev.CardsCleared, side=NE)
    assert driver.entry("AUCTION_NOT_SHOWN").level.name == "HOLD"
    assert [hold.reason for hold in driver.state.holds] == [f"entry:{driver.entry('AUCTION_NOT_SHOWN').id}"]


def test_a_column_whose_top_card_cannot_be_read_is_no_difference() -> None:
    """Something that is no bidding card lies on it, say; how many lie there can still be wrong."""
    driver = Driver().ready(1).auction("1C P").leaves().tray("SW").seen(n="1")
    assert driver.kinds == []
    driver.leaves().tray("NE").leaves().tray("SW").seen(n="2")
    assert "AUCTION_DIVERGED" in driver.kinds


def test_an_empty_column_said_to_have_a_top_card_is_an_empty_column() -> None:
    driver = Driver().ready(2).auction("1C").crosses().seen(n="0:1C")
    assert driver.calls == "E:1C"
    assert driver.kinds == []


def test_a_changed_call_is_a_call_made_while_the_window_is_not_known_closed() -> None:
    driver = Driver().ready(1).call("N", "1C").window("unknown").takes_up("N", "1C")
    assert "WINDOW_NOT_CLOSED" not in driver.kinds
    driver.call("N", "1D")
    assert driver.kinds == ["CHANGE_OF_CALL", "WINDOW_NOT_CLOSED"]


def test_nothing_is_owed_once_the_director_has_given_the_contract() -> None:
    """Who moved the tray is told, and nobody as owing a call for a card that was up."""
    driver = Driver().ready(1).auction("1C P").takes_up("N", "1C")
    driver.correct(ev.CorrectedContract(bid=bid("1C"), declarer=N))
    driver.send(ev.TrayHandled, seat=E, held=True).leaves()
    assert driver.entry("TRAY_MOVED_BY_WRONG_SEAT").seats == (E,)
    assert "TRAY_CROSSED_EARLY" not in driver.kinds


# --- what the director corrects


def test_a_correction_of_the_auction_closes_the_entries_of_calls_that_never_were() -> None:
    driver = Driver().ready(1).auction("1S 1H")
    driver.correct(ev.CorrectedAuction(calls=((N, bid("1S")),)))
    entry = driver.entry("INSUFFICIENT_BID")
    assert (entry.standing.value, entry.closed_by) == ("misreading", "TD")


def test_a_correction_of_the_auction_leaves_the_entries_of_calls_that_were_made() -> None:
    driver = Driver().ready(1).auction("1S 1H").crosses().call("S", "2C")
    driver.correct(ev.CorrectedAuction(calls=((N, bid("1S")), (E, bid("1H")), (S, bid("2H")))))
    assert driver.entry("INSUFFICIENT_BID").standing.value == "open"


def test_a_call_that_never_was_is_no_difference_where_its_card_is_read() -> None:
    driver = Driver().ready(1).auction("1C P")
    driver.correct(ev.CorrectedCall(index=1, call=None)).leaves().tray("SW").seen(e="1:P")
    assert driver.calls == "N:1C"
    assert "AUCTION_DIVERGED" not in driver.kinds
    assert not driver.state.holds


def test_an_auction_that_never_was_has_no_crossings() -> None:
    driver = Driver().ready(1).auction("1C P").crosses()
    driver.correct(ev.CorrectedAuction(calls=())).leaves().tray("NE")
    driver.auction("P P P P").crosses().lift()
    assert [one.crossings for one in driver.boards] == [1]


def test_a_correction_into_the_auction_with_the_window_open_stays_in_closing() -> None:
    driver = Driver().ready(1).window_opens(None).leaves()
    assert driver.phase == "closing"
    driver.correct(ev.CorrectedPhase(phase="auction.ne"))
    assert driver.refused is None
    assert driver.phase == "closing"
    assert driver.now(effects.Moved) == []


def test_a_play_that_had_not_begun_goes_back_to_the_questions() -> None:
    driver = Driver().opened().send(ev.DummySpread)
    assert driver.phase == "play"
    driver.correct(ev.CorrectedPhase(phase="clarification"))
    assert driver.phase == "clarification"
    assert not driver.state.play.begun
    assert not driver.state.lead.faced
    driver.faces("E")
    assert driver.phase == "play"


def test_a_play_that_had_not_begun_goes_back_to_waiting_for_the_lead() -> None:
    driver = Driver().contract().send(ev.DummySpread)
    assert driver.phase == "play"
    driver.correct(ev.CorrectedPhase(phase="lead.awaiting"))
    assert (driver.phase, driver.state.play.begun) == ("lead.awaiting", False)
    driver.lead("E")
    assert driver.phase == "opening"


# --- what is told of calls


def test_a_call_alerted_on_one_face_is_told_of_the_face_of_who_alerted_it() -> None:
    """South's call, alerted by North on his own face and not by South on his."""
    driver = Driver().ready(3).auction("2D P").crosses()
    driver.send(ev.AlertPlaced, seat=N).send(ev.AlertRemoved, 5, seat=N)
    driver.auction("P P").crosses().cleared().lead("W")
    entry = driver.entry("ALERT_ON_ONE_FACE_ONLY")
    assert (entry.seats, entry.call, entry.screen_side) == ((S,), parse_call("2D"), NE)


def test_a_stop_card_is_noted_where_the_regulations_say_it_is_not_used() -> None:
    driver = Driver().ready(1).send(ev.StopCardSeen, seat=E)
    entry = driver.entry("STOP_CARD_USED")
    assert (entry.level.name, entry.seats, entry.screen_side) == ("NOTE", (E,), NE)
    assert "STOP_CARD_USED" not in dict(driver.table.checks_off)


def test_a_stop_card_is_nothing_where_the_regulations_are_silent_about_it() -> None:
    driver = Driver("laws-2017").ready(1).send(ev.StopCardSeen, seat=E)
    assert driver.kinds == []
    assert "STOP_CARD_USED" in dict(driver.table.checks_off)
