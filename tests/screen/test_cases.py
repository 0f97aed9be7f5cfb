"""The cases at the table, on the core alone, with the neighbours that decide them."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Certainty, Level, Stage, Standing
from tests.screen.driving import Driver, S

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


# --- what the director is told beside the kind


def facts_of(driver: Driver, kind: str) -> dict[str, str]:
    return {fact.name: fact.text for fact in driver.entry(kind).facts}


def test_a_call_out_of_rotation_says_whose_turn_it_was() -> None:
    assert facts_of(Driver().ready(1).call("E", "1D"), "CALL_OUT_OF_ROTATION") == {"turn": "N"}
    assert facts_of(Driver().ready(1).call("N", "1D").call("N", "1S"), "CALL_OUT_OF_ROTATION")["turn"] == "E"


def test_a_board_put_on_after_the_first_call_is_told_beside_the_one_being_played() -> None:
    driver = Driver().ready(1).call("N", "1D").board(9)
    assert facts_of(driver, "WRONG_BOARD") == {"expected": "1"}
