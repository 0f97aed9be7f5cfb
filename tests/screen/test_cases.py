"""The cases at the table, on the core alone, with the neighbours that decide them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Certainty, FaultKind, Level, Stage, Standing
from tests.screen.driving import FULL, HAND_WORKED, Driver, S

ACCEPTANCE = "irregular.crossed.laws_screenmate_may_have_accepted"
NEVER_ACCEPTED = "irregular.not_crossed.corrected_never_accepted"
BOTH = "irregular.crossed.both"
ONE = "irregular.crossed.one"


# --- 1


def early(regulations: str = "ccba-2006") -> Driver:
    """South deals, bids 1C, and pushes before West has called."""
    return Driver(regulations).ready(3).call("S", "1C").leaves()


def test_case_1_the_tray_leaves_before_west_has_called() -> None:
    driver = early()
    entry = driver.entry("TRAY_CROSSED_EARLY")
    assert entry.seats == (Seat.W,)
    assert entry.mover is not None
    assert (entry.mover.seat, entry.mover.certainty) == (Seat.S, Certainty.PRESUMED)
    assert entry.level is Level.REPORT
    assert entry.evidence == (driver.number,)


def test_case_1a_the_next_call_is_out_of_rotation_and_the_summons_freezes_it() -> None:
    driver = early().tray("NE").seen().call("N", "1D").summons("N")
    entry = driver.entry("CALL_OUT_OF_ROTATION")
    assert entry.seats == (Seat.N,)
    assert entry.stage is Stage.NOT_CROSSED
    assert entry.course == (NEVER_ACCEPTED,)
    driver.call("E", "P").crosses()
    assert driver.entry("CALL_OUT_OF_ROTATION").stage is Stage.NOT_CROSSED
    assert driver.entry("SUMMONS").seats == (Seat.N,)


def test_case_1b_east_calls_over_it() -> None:
    driver = early().tray("NE").seen().call("N", "1D").call("E", "1S")
    entry = driver.entry("CALL_OUT_OF_ROTATION")
    assert entry.called_over_by is Seat.E
    assert driver.calls == "S:1C N:1D E:1S"


@pytest.mark.parametrize(("profile", "speaks"), [("ebl-2016", True), ("wbf", True), ("ccba-2006", False)])
def test_case_1b_only_some_profiles_speak_of_acceptance(profile: str, speaks: bool) -> None:
    driver = early(profile).tray("NE").seen().call("N", "1D").call("E", "1S")
    assert (ACCEPTANCE in driver.entry("CALL_OUT_OF_ROTATION").course) is speaks


def test_case_1c_the_tray_comes_back_with_both() -> None:
    driver = early().tray("NE").seen().call("N", "1D").call("E", "1S").crosses().summons("S")
    entry = driver.entry("CALL_OUT_OF_ROTATION")
    assert entry.stage is Stage.CROSSED
    assert entry.course[0] == BOTH
    assert entry.gap == 2 * S
    assert driver.calls == "S:1C N:1D E:1S"


# --- 2


def test_case_2_an_opening_bid_that_never_reached_the_tray() -> None:
    driver = Driver().ready(3).call("W", "P").crosses().call("N", "1S").call("E", "P").crosses()
    driver.summons("S")
    west = driver.entry("CALL_OUT_OF_ROTATION")
    assert west.seats == (Seat.W,)
    assert west.called_over_by is Seat.N
    assert driver.entry("TRAY_CROSSED_EARLY").seats == (Seat.S,)
    assert "2C" not in driver.calls


# --- 3 and 4


def insufficient(regulations: str = "ccba-2006") -> Driver:
    """West deals and passes; the others bid up to South's 1D over 1S, which West doubles."""
    driver = Driver(regulations).ready(4).call("W", "P").crosses().call("N", "1H").call("E", "1S")
    return driver.crosses().call("S", "1D").call("W", "X").crosses().call("N", "P")


def test_case_3_an_insufficient_bid_crossed_and_had_been_doubled() -> None:
    driver = insufficient().summons("N")
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.stage is Stage.CROSSED
    assert entry.called_over_by is Seat.W
    assert entry.mover is not None
    assert (entry.mover.seat, entry.mover.certainty) == (Seat.S, Certainty.PRESUMED)
    assert str(entry.other_call) == "1S"
    assert entry.course[0] == BOTH
    assert ONE not in entry.course
    assert driver.kinds.count("INSUFFICIENT_BID") == 1


def test_case_3_under_the_european_profile_acceptance_is_to_be_considered() -> None:
    assert ACCEPTANCE in insufficient("ebl-2016").summons("N").entry("INSUFFICIENT_BID").course


def test_case_3_without_the_screenmate_calling_over_it_who_is_responsible_is_unclear() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "P").crosses().call("S", "1D").crosses()
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.course[:2] == (BOTH, ONE)


def test_case_3_a_mover_of_the_other_partnership_makes_both_responsible() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "1D").crosses()
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.seats == (Seat.E,)
    assert entry.mover is not None
    assert entry.mover.seat is Seat.N
    assert entry.course[0] == BOTH
    assert ONE not in entry.course


def test_case_4_the_same_and_nobody_notices() -> None:
    driver = insufficient().call("E", "P").crosses()
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.stage is Stage.RETURNED
    assert entry.course == ("irregular.returned.stands",)
    driver.call("S", "P")
    assert driver.table.view().contract == "1DX"
    assert driver.table.view().declarer is Seat.S
    assert driver.entry("INSUFFICIENT_BID").standing is Standing.OPEN


# --- 5


def test_case_5_cards_cleared_before_the_tray_went_back() -> None:
    driver = Driver().ready(1).auction("4NT P").crosses().call("S", "6NT").call("W", "P")
    driver.send(ev.CardsCleared, side=ScreenSide.SW)
    assert driver.entry("AUCTION_NOT_SHOWN").level is Level.HOLD
    driver.crosses()
    assert "AUCTION_DIVERGED" in driver.kinds
    assert driver.state.holds
    assert driver.table.view().contract is None
    driver.send(ev.CardsCleared, side=ScreenSide.NE).lead("E")
    assert driver.table.view().contract is None
    assert not driver.did(effects.OpenWindow)
    assert driver.table.view().lead is Seat.E
    shown = [(str(call.call), [side.value for side in call.sides]) for call in driver.table.view().calls]
    assert shown == [("4NT", ["NE", "SW"]), ("P", ["NE", "SW"]), ("6NT", ["SW"]), ("P", ["SW"])]


def test_case_5_a_finished_auction_of_which_only_passes_were_not_shown_is_reported_without_a_hold() -> None:
    driver = Driver().ready(1).auction("1NT P P P")
    driver.send(ev.CardsCleared, side=ScreenSide.SW)
    assert driver.entry("AUCTION_NOT_SHOWN").level is Level.REPORT
    assert not driver.state.holds


def test_case_5_under_acbl_the_cards_may_go_after_the_final_pass() -> None:
    driver = Driver("acbl").ready(1).auction("1NT P P P")
    driver.send(ev.CardsCleared, side=ScreenSide.SW)
    assert driver.kinds == []


# --- 6


@pytest.mark.parametrize(
    ("profile", "expected"),
    [("ccba-2006", True), ("dbf", True), ("wbf", True), ("ebl-2016", True), ("acbl", False)],
)
@pytest.mark.parametrize("caller", ["N", "S"])
def test_case_6_the_wrong_face_raises_tempo(profile: str, expected: bool, caller: str) -> None:
    driver = Driver(profile).ready(1).call("N", "1C").wait(60).call("E", "P").crosses().call("S", "1H")
    driver.summons(caller)
    summons = driver.entry("SUMMONS")
    driver.order(ev.SummonsClassified, entry=summons.id, subject=ev.Subject.TEMPO, about=Seat.E)
    names = [fact.name for fact in driver.entry("SUMMONS").facts]
    assert ("TEMPO_RAISED_ON_SAME_FACE" in names) is (expected and caller == "N")
    assert names[:2] == ["subject", "about"]


# --- 7 and 8


@pytest.mark.parametrize(
    ("north", "east", "thinking", "hold"),
    [(115, 118, (115, 3), 2), (5, 118, (5, 113), 2), (4, 10, (4, 6), 110)],
)
def test_case_7_two_minutes_two_calls(north: int, east: int, thinking: tuple[int, int], hold: int) -> None:
    driver = Driver().ready(1)
    start = driver.at
    driver.call("N", "1C", north).call("E", "P", east - north).leaves(120 - east).tray("SW", 1)
    assert driver.kinds == []
    visit = driver.did(effects.RecordVisit)[-1].visit
    assert visit.arrived == start
    assert visit.left == start + 120 * S
    assert tuple(share.thinking for share in visit.shares) == tuple(t * S for t in thinking)
    assert (visit.hold, visit.transit) == (hold * S, S)


def test_case_8_the_tray_held_on_purpose() -> None:
    driver = Driver().ready(1).call("N", "1C", 2).call("E", "P", 2).leaves(31)
    visit = driver.did(effects.RecordVisit)[-1].visit
    assert sum(share.thinking or 0 for share in visit.shares) == 4 * S
    assert visit.hold == 31 * S
    assert driver.kinds == []


# --- 10 and 11


def test_case_10_alerted_on_one_face() -> None:
    driver = Driver().ready(3).call("S", "2D").call("W", "P").crosses()
    driver.send(ev.AlertPlaced, seat=Seat.N).send(ev.AlertRemoved, 5, seat=Seat.N)
    driver.call("N", "P").call("E", "P").crosses().cleared().lead("W")
    entry = driver.entry("ALERT_ON_ONE_FACE_ONLY")
    assert (str(entry.call), entry.after_board, entry.level) == ("2D", True, Level.NOTE)
    assert entry.seats == (Seat.S,)


def test_case_10_alerted_on_both_faces_is_nothing() -> None:
    driver = Driver().ready(3).call("S", "2D")
    driver.send(ev.AlertPlaced, seat=Seat.S).send(ev.AlertRemoved, 5, seat=Seat.S)
    driver.call("W", "P").crosses().send(ev.AlertPlaced, seat=Seat.N).send(ev.AlertRemoved, 5, seat=Seat.N)
    driver.call("N", "P").call("E", "P").crosses().cleared().lead("W")
    assert driver.kinds == []


def test_case_11_the_tray_forgotten() -> None:
    driver = Driver().ready(3).auction("1NT P P P").tick(179)
    assert driver.kinds == []
    driver.tick(2)
    entry = driver.entry("TRAY_FORGOTTEN")
    assert entry.level is Level.REPORT
    assert entry.at == driver.at - S
    driver.tick(1000)
    assert driver.kinds == ["TRAY_FORGOTTEN"]


def test_case_11_thinking_is_no_forgetting() -> None:
    assert Driver().ready(3).call("S", "1NT").tick(1000).kinds == []


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
