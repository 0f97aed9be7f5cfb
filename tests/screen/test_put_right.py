"""What the director and the players put right, and what must not follow from it: orders, entries, calls."""

from __future__ import annotations

import pytest

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind, Standing
from tests.screen.driving import FULL, GUARD, HAND_WORKED, Driver, bid
from tests.screen.essence import what_decides

N, E, W = Seat.N, Seat.E, Seat.W
NE, SW = ScreenSide.NE, ScreenSide.SW
OPEN, CLOSE = ev.WindowOrder.OPEN, ev.WindowOrder.CLOSE
NO_LEADS = FULL - {"lead", "lead.face", "announced"}


def orders(driver: Driver) -> list[str]:
    found = [one for one in driver.effects if isinstance(one, effects.OpenWindow | effects.CloseWindow)]
    return ["open" if isinstance(one, effects.OpenWindow) else "close" for one in found]


def told(driver: Driver, to: ev.WindowOrder) -> Driver:
    return driver.order(ev.WindowOverridden, to=to)


def flickers(driver: Driver, sense: str) -> Driver:
    kind = FaultKind.SENSOR_SUSPECT
    driver.send(ev.SensorDoubted, sense=sense, kind=kind, component=sense)
    return driver.send(ev.SensorCleared, sense=sense, kind=kind, component=sense)


# --- calls


def test_a_call_put_right_on_a_tray_sent_back_has_been_seen_on_one_face_only() -> None:
    driver = Driver().ready(3).auction("1C P P").call("E", "1C").crosses()
    driver.order(ev.TrayBackOrdered).crosses().takes_up("E", "1C").call("E", "P").lead("W")
    assert not driver.did(effects.OpenWindow)
    driver.send(ev.CardsCleared, side=NE)
    assert "AUCTION_NOT_SHOWN" in driver.kinds


@pytest.mark.parametrize("call", ["P", "1D"])
def test_a_missing_call_that_the_director_gives_stands_though_its_card_is_away(call: str) -> None:
    driver = Driver().ready(1).auction("1C P").leaves().tray("SW").seen(e="0")
    driver.correct(ev.CorrectedCall(index=1, call=parse_call(call))).resume()
    assert driver.calls == f"N:1C E:{call}"


def test_the_card_laid_to_fit_the_call_he_gave_is_no_second_call() -> None:
    driver = Driver().ready(1).auction("1C 1S").crosses().order(ev.Held).takes_up("E", "1S")
    driver.correct(ev.CorrectedCall(index=1, call=parse_call("2S"))).call("E", "2S").resume()
    assert driver.calls == "N:1C E:2S"
    driver.call("S", "P").call("W", "P").crosses().call("N", "P")
    assert driver.calls == "N:1C E:2S S:P W:P N:P"


def test_a_simultaneous_call_cancelled_in_a_hold_is_no_call_afterwards() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "1D", 0.03).order(ev.Held)
    driver.order(ev.Ruled, entries=(1,), verdict=ev.Verdict.CANCEL).resume()
    assert driver.calls == "N:1C"
    driver.takes_up("E", "1D").call("E", "P")
    assert driver.calls == "N:1C E:P"
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]


def test_a_card_set_aside_is_not_made_when_the_tray_leaves_the_other_face() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P", 0.03).send(ev.Restarted)
    driver.send(ev.TrayArrived, side=SW, inferred=True).call("S", "1H").call("W", "P").leaves()
    assert driver.calls == "N:1C S:1H W:P"


def test_of_two_passes_that_look_alike_the_one_that_is_no_call_is_taken_up() -> None:
    driver = Driver().ready(1).call("E", "P")
    driver.order(ev.Ruled, entries=(1,), verdict=ev.Verdict.CANCEL).call("N", "1C").call("E", "P")
    driver.takes_up("E", "P").leaves()
    assert driver.calls == "N:1C E:P"
    assert driver.kinds == ["CALL_OUT_OF_ROTATION"]


def test_a_card_called_over_by_its_own_seat_lies_there_and_is_no_difference() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "1D", 0.03).call("E", "1H").leaves().tray("SW")
    driver.seen(n="1:1C", e="2:1H")
    assert driver.kinds == ["SIMULTANEOUS_CALLS"]


def test_sent_back_the_last_calls_of_the_face_can_be_put_right_whatever_the_tray_did_in_a_hold() -> None:
    at_once = Driver().ready(1).auction("1C P").crosses().order(ev.Held).resume()
    to_and_fro = Driver().ready(1).auction("1C P").crosses().order(ev.Held).crosses().crosses().resume()
    assert what_decides(at_once.state, at_once.at) == what_decides(to_and_fro.state, to_and_fro.at)
    for driver in (at_once, to_and_fro):
        driver.order(ev.TrayBackOrdered).crosses().takes_up("E", "P").call("E", "1H").tick(30)
        assert driver.calls == "N:1C E:1H"
        assert driver.kinds == ["CHANGE_OF_CALL"]


def test_on_a_tray_sent_back_nobody_has_called_yet() -> None:
    driver = Driver().ready(1).call("N", "1C").crosses().order(ev.TrayBackOrdered).crosses().leaves()
    assert driver.kinds == ["TRAY_CROSSED_EARLY", "TRAY_CROSSED_WITHOUT_CALLS"]
    driver = Driver().ready(1).auction("1C P 2D P").order(ev.TrayBackOrdered).crosses()
    driver.send(ev.AlertPlaced, seat=N)
    (alert,) = driver.state.alerts
    assert alert.uid == driver.state.auction.laid[2].uid


def test_turns_of_calls_that_an_auction_given_leaves_out_are_given_back() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=1).call("N", "P")
    driver.correct(ev.CorrectedAuction(calls=())).call("N", "1H")
    assert "CALL_VIOLATING_OBLIGATION_TO_PASS" in driver.kinds
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=1).auction("P P").crosses().order(ev.Held)
    driver.crosses().takes_up("N", "P").takes_up("E", "P").resume()
    assert [(one.seat, one.turns) for one in driver.state.obligations] == [(N, 1)]


def test_an_auction_given_keeps_the_entry_about_an_obligation_that_it_breaks_too() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=N, turns=None).call("N", "1C")
    driver.correct(ev.CorrectedAuction(calls=((N, bid("1D")),)))
    entry = driver.entry("CALL_VIOLATING_OBLIGATION_TO_PASS")
    assert (entry.standing, str(entry.call)) == (Standing.OPEN, "1D")


# --- the window


@pytest.mark.parametrize("sense", ["lead", "calls"])
def test_a_doubt_that_comes_and_goes_gives_no_orders(sense: str) -> None:
    driver = Driver().contract("1C P P P").lead("E")
    before = orders(driver)
    for _ in range(3):
        flickers(driver, sense)
    assert orders(driver) == before


def test_what_the_director_closed_after_the_lead_stays_closed() -> None:
    driver = told(Driver().opened("1C P P P"), CLOSE).window_closes()
    before = orders(driver)
    flickers(flickers(driver, "lead"), "calls")
    assert orders(driver) == before
    driver = told(Driver().contract("1C P P P").lead("E"), CLOSE)
    before = orders(driver)
    driver.lead("W").lead_up("W")
    assert orders(driver) == before


def test_what_the_director_closed_in_the_play_stays_closed_though_the_board_was_off_for_a_moment() -> None:
    driver = Driver(senses=FULL - {"cards", "claim"}).opened("1C P P P").faces("E")
    told(driver, CLOSE).window_closes()
    before = orders(driver)
    driver.lift().wait(5).board(1)
    assert driver.phase == "play"
    assert orders(driver) == before


def test_where_no_lead_is_sensed_an_open_window_is_left_alone() -> None:
    driver = told(Driver(senses=NO_LEADS - {"cards", "claim"}).contract("1C P P P"), OPEN).window_opens()
    before = orders(driver)
    driver.tick(100).summons("N").order(ev.Held).resume().send(ev.LinkLost).send(ev.LinkRestored)
    assert orders(driver) == before
    driver = Driver(senses=NO_LEADS - {"cards", "claim"}).contract("1C P P P").by_hand("W")
    before = orders(driver)
    driver.order(ev.Held).resume().send(ev.Restarted)
    assert orders(driver) == before


def test_where_cards_are_read_a_board_lifted_before_them_is_off_the_tray() -> None:
    driver = Driver(senses=NO_LEADS).contract("1C P P P").lift().tick(70)
    assert driver.kinds == ["BOARD_OFF_TRAY"]
    assert not driver.boards


def test_the_minute_to_open_runs_while_it_may_be_opened() -> None:
    driver = Driver(senses=HAND_WORKED).contract("1C P P P").lead("E").wait(5).lead("W", True).tick(100)
    assert "WINDOW_STILL_CLOSED" not in driver.kinds
    driver.lead_up("W").tick(59)
    assert "WINDOW_STILL_CLOSED" not in driver.kinds
    driver.tick(2)
    assert "WINDOW_STILL_CLOSED" in driver.kinds


def test_a_handle_worked_before_the_auction_went_on_is_worked_no_more() -> None:
    driver = Driver(senses=GUARD).ready(1).goes_over().send(ev.AuctionOverPressed, side=SW).lead("E")
    driver.send(ev.WindowHandled, seat=W, held=True).send(ev.WindowHandled, seat=W, held=False)
    driver.correct(ev.CorrectedPhase(phase="auction.sw")).goes_over()
    before = orders(driver)
    driver.send(ev.AuctionOverPressed, side=NE)
    assert orders(driver) == before


def test_an_accepted_lead_outlives_a_correction_of_the_doubling() -> None:
    driver = Driver().contract("4S P P P").lead("W")
    driver.order(ev.Ruled, entries=(1,), verdict=ev.Verdict.ACCEPT)
    driver.correct(ev.CorrectedContract(bid=bid("4S"), doubled=1, declarer=N))
    assert (driver.table.view().leader, driver.phase) == (W, "opening")
    driver.correct(ev.CorrectedContract(bid=bid("4S"), doubled=1, declarer=W))
    assert driver.table.view().leader is N


# --- entries and boards


def test_a_summons_before_the_first_call_is_one_though_the_board_was_lifted() -> None:
    driver = Driver().board(1).summons("N").lift().board(1).summons("N")
    assert driver.kinds == ["SUMMONS"]
    driver.contract("1C P P P", 1).lead("E").lead_up("E").lead("E")
    assert driver.kinds == ["SUMMONS"]


def test_a_summons_before_any_board_pressed_again_is_about_the_board() -> None:
    driver = Driver().summons("N").board(1).summons("N").contract("1C P P P", 1)
    driver.lead("E").lead_up("E").lead("E")
    assert driver.kinds == ["SUMMONS"]


def test_the_record_keeps_a_wrong_board_put_down_twice_before_the_first_call() -> None:
    due = tuple(ev.BoardDue(number=number) for number in (1, 2, 3))
    driver = Driver().order(ev.SessionOpened, session="s", boards=due, players=(), plan=ev.SessionPlan())
    driver.board(3).lift().ready(3).auction("P P P P").crosses().lift()
    assert driver.boards[0].irregularities == ("WRONG_BOARD",)


def test_a_wrong_board_that_was_the_right_one_is_a_misreading() -> None:
    due = tuple(ev.BoardDue(number=number) for number in (1, 2, 3))
    driver = Driver().order(ev.SessionOpened, session="s", boards=due, players=(), plan=ev.SessionPlan())
    driver.board(3).correct(ev.CorrectedBoard(number=1))
    entry = driver.entry("WRONG_BOARD")
    assert (entry.standing, entry.board) == (Standing.MISREADING, 3)


def test_states_on_boards_of_different_numbers_are_different() -> None:
    one, other = Driver().ready(1).call("N", "1C"), Driver().ready(17).call("N", "1C")
    assert what_decides(one.state, one.at) != what_decides(other.state, other.at)


def test_a_call_struck_out_of_a_finished_auction_unsays_that_it_was_over() -> None:
    unread = FULL - {"calls", "released", "alerts"}
    driver = Driver(senses=unread).ready(1).goes_over().send(ev.AuctionOverPressed, side=SW)
    made = ((N, bid("1C")), *((seat, parse_call("P")) for seat in (E, Seat.S, W)))
    driver.correct(ev.CorrectedAuction(calls=made)).send(ev.AuctionOverPressed, side=SW)
    said = [driver.state.auction.said_over]
    driver.correct(ev.CorrectedCall(index=3, call=None))
    said.append(driver.state.auction.said_over)
    assert said == ["button", None]
    assert driver.phase.startswith("auction")


def test_a_call_corrected_after_its_card_was_cleared_is_still_cleared() -> None:
    driver = Driver().contract("1C P P P").correct(ev.CorrectedCall(index=0, call=parse_call("1D")))
    assert [one.lies for one in driver.state.auction.laid] == [False] * 4
