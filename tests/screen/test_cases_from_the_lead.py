"""The cases at the table from the opening lead on, on the core alone, with their neighbours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind, Level, Standing
from tests.screen.driving import FULL, HAND_WORKED, Driver

ACCEPTANCE = "irregular.crossed.laws_screenmate_may_have_accepted"
NEVER_ACCEPTED = "irregular.not_crossed.corrected_never_accepted"
BOTH = "irregular.crossed.both"
ONE = "irregular.crossed.one"


# --- 12


def by_south(senses: frozenset[str] = HAND_WORKED) -> Driver:
    """South plays 1NT, West leads, East is the other defender."""
    return Driver(senses=senses).contract("1NT P P P", 3)


def test_case_12a_a_lead_out_of_turn_face_down_is_taken_back() -> None:
    driver = by_south().lead("E")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.face_down",)
    assert not driver.did(effects.OpenWindow)
    driver.lead_up("E")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").standing is Standing.CORRECTED
    driver.lead("W")
    assert driver.now(effects.OpenWindow)


def test_case_12a_the_right_lead_beside_the_wrong_one_does_not_open_the_window() -> None:
    driver = by_south().lead("E").lead("W")
    assert not driver.did(effects.OpenWindow)
    driver.lead_up("E")
    assert driver.now(effects.OpenWindow)


def test_case_12b_faced_with_the_window_closed() -> None:
    driver = by_south().lead("E", True)
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.faced_window_closed",)
    driver.lead_up("E")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").standing is Standing.CORRECTED


def test_case_12c_faced_and_a_defender_opens() -> None:
    driver = by_south().lead("E").faces("E").by_hand("W")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.faced_right_lead_not_faced",)
    assert driver.entry("WINDOW_OPENED_BEFORE_LEAD").level is Level.URGENT


def test_case_12d_both_faced_and_a_defender_opens() -> None:
    driver = by_south().lead("E", True).lead("W", True).by_hand("W")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.faced_right_lead_faced",)


def test_case_12e_south_opens() -> None:
    driver = by_south().lead("E", True).by_hand("S")
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.accepted_by_opening",)
    assert driver.entry("WINDOW_OPENED_BY_DECLARING_SIDE").level is Level.URGENT
    assert "WINDOW_OPENED_BEFORE_LEAD" not in driver.kinds


def test_case_12f_opener_unknown() -> None:
    driver = by_south().lead("E", True).window_opens(None)
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == (
        "lead.faced_right_lead_not_faced",
        "lead.accepted_by_opening",
        "lead.opener_unclear",
    )


@pytest.mark.parametrize("seat", ["N", "S"])
@pytest.mark.parametrize("faced", [True, False])
def test_case_12g_by_presumed_declarer_or_dummy(seat: str, faced: bool) -> None:
    driver = by_south().lead(seat, faced)
    assert driver.entry("OPENING_LEAD_OUT_OF_TURN").course == ("lead.by_declaring_side",)


def test_case_12_no_motor_moves_while_a_wrong_card_lies() -> None:
    driver = by_south(FULL).lead("E").tick(600).lead("W").tick(600)
    assert not driver.did(effects.OpenWindow)


# --- 13


def test_case_13a_opened_after_the_last_pass_with_no_lead() -> None:
    driver = Driver().contract().window("between")
    assert driver.entry("WINDOW_OPENED_BEFORE_LEAD").level is Level.URGENT
    assert driver.now(effects.CloseWindow)


def test_case_13b_opened_during_the_auction() -> None:
    driver = Driver().ready(1).call("N", "1C").window("between")
    assert driver.entry("WINDOW_OPENED_IN_AUCTION").level is Level.HOLD
    assert len(driver.state.holds) == 1
    assert driver.now(effects.CloseWindow)


def test_case_13c_hand_worked_and_still_closed() -> None:
    driver = by_south().lead("W").tick(59)
    assert driver.kinds == []
    driver.tick(2)
    assert driver.entry("WINDOW_STILL_CLOSED").level is Level.NOTE


def test_case_13c_a_motor_is_not_a_player() -> None:
    assert by_south(FULL).lead("W").tick(600).kinds == []


# --- 14, 15, 16


@pytest.mark.parametrize(("profile", "kinds"), [("ccba-2006", ["BOARD_OFF_TRAY"]), ("ebl-2016", [])])
def test_case_14_the_board_off_the_tray_after_the_auction(profile: str, kinds: list[str]) -> None:
    driver = Driver(profile).contract().lift()
    assert driver.kinds == kinds


@pytest.mark.parametrize("profile", ["ccba-2006", "ebl-2016"])
def test_case_14_the_board_off_the_tray_in_the_auction(profile: str) -> None:
    driver = Driver(profile).ready(1).call("N", "1C").lift()
    assert driver.kinds == ["BOARD_OFF_TRAY"]
    assert driver.phase == "auction.ne"
    driver.board(1)
    assert driver.calls == "N:1C"
    driver.lift().board(2)
    assert driver.boards[0].outcome == "abandoned"
    assert driver.table.view().board == 2


def test_case_15_double_push() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P").crosses().crosses()
    entry = driver.entry("TRAY_CROSSED_WITHOUT_CALLS")
    assert entry.seats == (Seat.S, Seat.W)


def test_case_16_tray_on_both_faces() -> None:
    driver = Driver().ready(1).call("N", "1C")
    driver.send(
        ev.SensorDoubted, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray", detail="both"
    )
    assert driver.table.view().tray == "conflict"
    assert driver.now(effects.RaiseFault)[0].fault.kind is FaultKind.SENSOR_CONFLICT
    assert any(name == "TRAY_CROSSED_EARLY" for name, _ in driver.table.view().off)
    driver.leaves()
    assert driver.kinds == []
    driver.send(ev.SensorCleared, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray")
    assert driver.now(effects.ClearFault)
    assert driver.table.view().off == driver.table.checks_off


# --- 17 and 18


def test_case_17_power_cut_in_the_auction() -> None:
    driver = Driver().ready(1).call("N", "1C")
    before = driver.state
    driver.wait(40).send(ev.Restarted, down_since=driver.at)
    driver.send(ev.BoardPlaced, inferred=True, number=1)
    driver.send(ev.TrayArrived, inferred=True, side=ScreenSide.NE)
    driver.send(ev.WindowMoved, inferred=True, state=ev.WindowState.CLOSED)
    driver.seen()
    assert driver.calls == "N:1C"
    assert replace(driver.state.auction, views=()) == before.auction
    assert driver.kinds == []
    driver.call("E", "P").crosses()
    visit = driver.did(effects.RecordVisit)[-1].visit
    assert visit.interrupted
    assert visit.ordinal == 1
    assert driver.kinds == []


def test_case_17_orders_are_derived_anew() -> None:
    driver = Driver().contract().lead("E").window("between", "open")
    driver.send(ev.Restarted)
    assert driver.now(effects.OpenWindow)
    assert not driver.now(effects.CloseWindow)


def test_case_18_the_director_corrects_a_misread_card() -> None:
    driver = Driver().ready(1).call("N", "1NT").call("E", "1S")  # it was 2S
    assert driver.entry("INSUFFICIENT_BID").standing is Standing.OPEN
    driver.correct(ev.CorrectedCall(index=1, call=parse_call("2S")))
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.standing is Standing.MISREADING
    assert entry.closed_by == "TD"
    assert driver.calls == "N:1NT E:2S"
    driver.crosses().call("S", "2H")
    assert driver.kinds.count("INSUFFICIENT_BID") == 2, "two hearts does not outrank two spades"
    assert any(isinstance(event, ev.CallMade) and str(event.call) == "1S" for event in driver.log)
