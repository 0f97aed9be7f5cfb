"""Tables that lack a whole sense: no lead spots, no board, no tray. A board ends all the same."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from tests.screen.driving import FULL, GUARD, Driver
from tests.screen.window_words import OPEN, by_director, ordered

LEADLESS = FULL - {"lead", "lead.face", "cards", "claim"}
BOARDLESS = FULL - {"board", "board.id"}
TRAYLESS = GUARD - {"tray"}


# --- no lead is sensed


@pytest.mark.parametrize("phase", ["lead.down", "opening", "clarification", "play"])
def test_a_phase_the_director_gives_stays_where_no_lead_is_sensed(phase: str) -> None:
    driver = Driver(senses=LEADLESS).contract("1C P P P").correct(ev.CorrectedPhase(phase=phase))
    assert driver.refused is None
    assert driver.phase == phase
    assert not driver.did(effects.OpenWindow)


@pytest.mark.parametrize("regulations", ["ccba-2006", "ebl-2016"])
def test_the_board_leaves_and_the_next_one_comes_where_no_lead_is_sensed(regulations: str) -> None:
    driver = Driver(regulations, LEADLESS).contract("1C P P P")
    driver.window_opens(None).lift().tick(90).board(2)
    assert driver.kinds == []
    assert [one.outcome for one in driver.boards] == ["completed"]
    assert driver.state.board.current is not None
    assert driver.state.board.current.number == 2


def test_nothing_is_presumed_passed_out_where_no_lead_is_sensed() -> None:
    driver = Driver(senses=GUARD - {"lead"}).ready(1).goes_over().goes_over()
    driver.send(ev.AuctionOverPressed, side=driver.state.tray.at).lift().tick(90)
    assert [(one.contract, one.presumed) for one in driver.boards] == [(None, False)]


def test_put_back_within_the_minute_no_motor_moves_where_no_lead_is_sensed() -> None:
    driver = Driver(senses=LEADLESS).contract("1C P P P").lift().board(1)
    assert driver.phase == "play"
    assert driver.kinds == ["BOARD_OFF_TRAY"]
    assert not driver.did(effects.OpenWindow)
    assert ordered(by_director(driver, OPEN)) == ["OpenWindow"]


def test_a_pass_out_is_one_where_no_lead_is_sensed() -> None:
    driver = Driver(senses=LEADLESS).ready(1).auction("P P P P").crosses().lift()
    assert [one.contract for one in driver.boards] == ["Pass"]


# --- no board is sensed


def played() -> Driver:
    driver = Driver(senses=BOARDLESS).tray("NE").window("closed", "close").call("N", "1C")
    driver.call("E", "P").crosses().call("S", "P").call("W", "P").crosses().cleared()
    driver.correct(ev.CorrectedBoard(number=1))
    return driver.lead("E").window_opens().faces("E")


def test_the_director_ends_a_board_that_is_not_sensed() -> None:
    driver = played()
    assert driver.phase == "play"
    driver.correct(ev.CorrectedPhase(phase="setup"))
    assert driver.refused is None
    assert [one.outcome for one in driver.boards] == ["completed"]
    driver.window_closes(None).call("N", "1D")
    assert driver.phase.startswith("auction")


def test_a_pass_out_ends_a_board_that_is_not_sensed() -> None:
    driver = Driver(senses=BOARDLESS).tray("NE").window("closed", "close").call("N", "P")
    driver.call("E", "P").crosses().call("S", "P").call("W", "P").crosses()
    assert [one.contract for one in driver.boards] == ["Pass"]


# --- no tray is sensed


def test_the_first_lead_ends_the_auction_where_no_tray_is_sensed() -> None:
    driver = Driver(senses=TRAYLESS).board(1).window_closes().lead("E")
    assert driver.phase == "lead.down"
    assert driver.kinds == ["AUCTION_OVER_INFERRED"]
    driver.send(ev.WindowHandled, seat=Seat.W, held=True)
    assert ordered(driver) == ["OpenWindow"]


def test_a_card_on_a_spot_before_the_window_is_closed_is_no_lead() -> None:
    driver = Driver(senses=TRAYLESS).board(1).lead("E")
    assert driver.phase == "closing"
    assert driver.kinds == []
