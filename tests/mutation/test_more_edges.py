"""More edges that mutants showed to be unguarded: values in entries and records, ways out of rare states."""

from __future__ import annotations

import pytest

from table_controller.laws.call import Bid, Denomination, parse_call
from table_controller.laws.contract import parse_contract
from table_controller.laws.score import score_of
from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind, Standing
from tests.screen.driving import FULL, HAND_WORKED, Driver, bid

N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W
UNTAGGED = FULL - {"board.id"}


# --- values that cannot be built wrong


def test_a_level_and_a_seating_that_cannot_be_say_so() -> None:
    with pytest.raises(ValueError, match="1 to 7, not 8"):
        Bid(8, Denomination.C)
    with pytest.raises(ValueError, match="North"):
        Faces(ne=(N, E), sw=(S, E))


def test_a_score_is_a_whole_number() -> None:
    made = score_of(parse_contract("2SX", N), 10, vulnerable=True)
    assert (made, type(made)) == (1_070, int)


# --- boards


def test_a_board_that_tells_its_dealer_keeps_the_number_it_had() -> None:
    driver = Driver().board(7).send(ev.BoardPlaced, number=None, dealer=E)
    current = driver.state.board.current
    assert current is not None
    assert (current.number, current.dealer) == (7, S)


def test_a_number_read_after_the_first_call_is_learnt_and_the_calls_stay() -> None:
    driver = Driver().ready(None, dealer="N").call("N", "1C").board(5)
    current = driver.state.board.current
    assert current is not None
    assert current.number == 5
    assert driver.calls == "N:1C"


def test_a_window_opened_after_a_pass_out_is_ordered_closed_for_the_next_board() -> None:
    driver = Driver().ready(1).auction("P P P P").crosses().window_opens(None).lift().board(2)
    assert driver.now(effects.CloseWindow)


def test_a_board_lifted_before_the_first_call_leaves_the_last_number_as_it_was() -> None:
    driver = Driver().ready(5).auction("P P P P").crosses().lift()
    driver.board(None).lift().board(None)
    current = driver.state.board.current
    assert current is not None
    assert current.number == 6


def test_the_record_names_its_dealer() -> None:
    (record,) = Driver().ready(5).auction("P P P P").crosses().lift().boards
    assert (record.number, record.dealer) == (5, N)


# --- entries


def test_an_entry_that_loses_a_kind_cites_what_is_left() -> None:
    driver = Driver().ready(1).auction("1S").call("S", "1D")
    both = driver.entry("INSUFFICIENT_BID")
    assert "CALL_OUT_OF_ROTATION" in both.kinds
    driver.correct(ev.CorrectedCall(index=1, call=parse_call("2D")))
    left = driver.entry("CALL_OUT_OF_ROTATION")
    assert left.kinds == ("CALL_OUT_OF_ROTATION",)
    assert {one.article for one in left.provisions} < {one.article for one in both.provisions}
    assert all(one.document for one in left.provisions)


def test_a_change_of_call_is_no_misreading_because_another_call_was() -> None:
    driver = Driver().ready(1).call("N", "1C").takes_up("N", "1C").call("N", "1D").call("E", "1H")
    driver.correct(ev.CorrectedCall(index=1, call=parse_call("1S")))
    assert driver.entry("CHANGE_OF_CALL").standing is Standing.OPEN


def test_a_call_corrected_to_a_pass_breaks_no_obligation() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=E, turns=1).auction("1C 1H")
    driver.correct(ev.CorrectedCall(index=1, call=parse_call("P")))
    assert not driver.state.auction.laid[1].obliged
    assert driver.entry("CALL_VIOLATING_OBLIGATION_TO_PASS").standing is Standing.MISREADING


def test_accepting_anything_but_a_lead_makes_nobody_the_leader() -> None:
    driver = Driver().ready(1).call("N", "1C").crosses()
    entry = driver.entry("TRAY_CROSSED_EARLY")
    driver.order(ev.Ruled, entries=(entry.id,), verdict=ev.Verdict.ACCEPT)
    assert driver.state.contract.leader is None


def test_facts_about_a_summons_are_dated_and_a_second_press_is_evidence() -> None:
    driver = Driver().ready(1).summons("N").summons("N")
    entry = driver.entry("SUMMONS")
    assert len(entry.evidence) == 2
    driver.order(ev.SummonsClassified, entry=entry.id, subject=ev.Subject.TEMPO, about=E)
    assert {fact.at for fact in driver.entry("SUMMONS").facts} == {driver.at}


def test_an_alert_taken_back_at_once_names_the_call_and_a_changed_lead_its_face() -> None:
    driver = Driver().ready(1).call("N", "2D").send(ev.AlertPlaced, seat=N)
    driver.send(ev.AlertRemoved, 0.2, seat=N)
    assert driver.entry("ALERT_TAKEN_BACK_AT_ONCE").call == parse_call("2D")
    driver = Driver().contract().lead("E").lead_up("E").lead("E")
    assert driver.entry("LEAD_CHANGED").screen_side is ScreenSide.NE


def test_lost_events_are_a_fault_of_their_own() -> None:
    (raised,) = Driver().ready(1).send(ev.EventsLost, count=3).now(effects.RaiseFault)
    assert (raised.fault.kind, raised.fault.standing) == (FaultKind.EVENTS_LOST, False)


# --- cards taken up, set aside, given


def test_a_call_replaced_starts_the_wait_for_the_tray_anew() -> None:
    driver = Driver().ready(1).auction("1C P").wait(100).takes_up("E", "P").call("E", "1D")
    driver.tick(120)
    assert "TRAY_FORGOTTEN" not in driver.kinds
    driver.tick(61)
    assert "TRAY_FORGOTTEN" in driver.kinds


def test_a_card_set_aside_and_taken_up_is_put_right_by_the_call_in_turn() -> None:
    driver = Driver().ready(1).call("E", "1C").call("N", "1D").takes_up("E", "1C").call("E", "1H")
    assert driver.calls == "N:1D E:1H"
    assert driver.entry("CALL_OUT_OF_ROTATION").standing is Standing.CORRECTED


def test_a_card_set_aside_and_left_lying_was_made_in_turn() -> None:
    driver = Driver().ready(1).call("E", "1H").call("N", "1D").leaves()
    assert driver.calls == "N:1D E:1H"
    entry = driver.entry("CALL_OUT_OF_ROTATION")
    assert entry.standing is Standing.CORRECTED
    assert "made_in_turn" in {fact.name for fact in entry.facts}


def test_a_face_emptied_is_cleared_though_the_other_has_not_called() -> None:
    driver = Driver().ready(1).auction("1C P").crosses().crosses().takes_up("N", "1C").takes_up("E", "P")
    assert driver.state.auction.cleared == {N, E}


def test_the_button_says_nothing_where_calls_are_read() -> None:
    driver = Driver().ready(1).send(ev.AuctionOverPressed, side=ScreenSide.NE)
    assert not driver.state.auction.begun
    assert driver.state.auction.said_over is None


def test_cards_laid_to_fit_an_auction_given_in_a_hold_are_no_calls() -> None:
    driver = Driver().ready(1).call("N", "1C").order(ev.Held)
    driver.correct(ev.CorrectedAuction(calls=((N, bid("1D")), (E, parse_call("P")))))
    driver.call("E", "P").resume()
    assert driver.calls == "N:1D E:P"


def test_from_complete_by_correction_back_into_the_auction_as_the_tray_lies() -> None:
    driver = Driver().ready(1).call("N", "1C").order(ev.Held)
    driver.correct(ev.CorrectedPhase(phase="complete")).correct(ev.CorrectedPhase(phase="auction.ne"))
    assert driver.refused is None
    assert driver.phase == "auction.ne"


# --- window and holds


def _doubted(driver: Driver) -> Driver:
    """The lead sensor cannot be believed, and the controller comes back."""
    driver.send(
        ev.SensorDoubted, sense="lead", kind=FaultKind.SENSOR_SUSPECT, component="lead.e.present", detail=""
    )
    return driver.send(ev.Restarted)


def test_in_play_the_window_is_ordered_open_anew_though_the_lead_is_in_doubt_and_before_it_is_not() -> None:
    playing = Driver().opened().faces("E").cards("E:SA", "S:S2").window("between").window("closed")
    assert playing.phase == "play"
    assert _doubted(playing).now(effects.OpenWindow)
    opening = Driver().contract().lead("E").window("between", "open")
    assert opening.phase == "opening"
    assert not _doubted(opening).now(effects.OpenWindow)


def test_the_declaring_side_opening_on_a_face_down_card_accepts_nothing() -> None:
    driver = Driver(senses=HAND_WORKED).contract().lead("W", False).by_hand("N")
    assert "WINDOW_OPENED_BY_DECLARING_SIDE" not in driver.kinds
    assert "WINDOW_OPENED_BEFORE_LEAD" in driver.kinds


def test_a_hold_for_two_auctions_names_the_entry_that_began_it() -> None:
    driver = Driver().ready(1).auction("1NT P 6NT P").send(ev.CardsCleared, side=ScreenSide.SW)
    driver.leaves().tray("NE")
    (entry,) = (one for one in driver.entries.values() if "AUCTION_DIVERGED" in one.kinds)
    assert [hold.reason for hold in driver.state.holds] == [f"entry:{entry.id}"]
    driver.resume()
    assert not driver.state.holds
