"""A board that goes as it should: every phase in its turn, every order once, nothing to report."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.senses import Sense
from tests.screen.driving import FULL, GUARD, HAND_WORKED, WATCH, Driver, S

NORTH_WINS_ALL = (
    *(["CA", "CK", "CQ", "CJ", "CT", "C9", "C8", "C7"]),
    *(f"{suit}{rank}" for suit in "DHS" for rank in "AKQJT9876543"),
    *(["C6", "D2", "H2", "S2"]),
)
"""Twelve tricks after the first, each led by North and won by the card he leads."""


def moves(driver: Driver) -> list[str]:
    return [moved.dest for moved in driver.did(effects.Moved)]


def test_a_clean_board_goes_through_every_phase_in_turn() -> None:
    driver = Driver().opened("1C P 1H P 2H P P P")
    driver.faces("W").send(ev.ClaimMade, seat=Seat.S).lift()
    assert moves(driver) == [
        "closing",
        *("auction.ne", "auction.sw", "auction.ne", "auction.sw"),
        *("lead.awaiting", "lead.down", "opening", "clarification", "play", "complete", "setup"),
    ]
    assert driver.kinds == []
    (board,) = driver.boards
    assert (board.contract, board.declarer, board.leader, board.crossings) == ("2H", Seat.S, Seat.W, 3)
    assert board.outcome == "completed"
    assert board.claimed_by is Seat.S


@pytest.mark.parametrize("profile", ["ccba-2006", "wbf", "ebl-2016", "acbl", "dbf"])
def test_a_clean_board_reports_nothing_under_any_profile(profile: str) -> None:
    driver = Driver(profile)
    for number in (1, 2):
        driver.contract("1C 1S 2C P P P", number)
        leader = driver.table.view().leader
        assert leader is not None
        driver.lead(leader.value)
        driver.send(ev.LeadAnnounced, seat=driver.table.rules.faces.screenmate(leader))
        if profile == "ebl-2016":
            assert driver.phase == "clarification"
            driver.faces(leader.value)
        assert driver.phase == "opening"
        driver.window_opens().faces(leader.value)
        assert driver.phase == "play"
        driver.send(ev.ClaimMade, seat=Seat.N).lift()
    assert driver.kinds == []
    assert [board.number for board in driver.boards] == [1, 2]


@pytest.mark.parametrize("dealer", "NESW")
def test_visits_owe_what_rotation_says(dealer: str) -> None:
    driver = Driver().ready(1, dealer).auction("1C P P P").crosses()
    owed = {"N": [2, 2], "S": [2, 2], "E": [1, 2, 1], "W": [1, 2, 1]}[dealer]
    visits = {visit.visit.ordinal: visit.visit for visit in driver.did(effects.RecordVisit)}
    assert [len(visit.shares) for visit in visits.values()] == owed
    assert driver.kinds == []


def test_the_window_is_ordered_closed_when_the_board_is_put_down_and_open_on_the_lead_only() -> None:
    driver = Driver().board(3)
    assert driver.now(effects.CloseWindow)
    driver.window_closes().tray("SW").auction("1NT P P P").crosses().cleared()
    assert not driver.did(effects.OpenWindow)
    driver.lead("W")
    assert [order.reason for order in driver.now(effects.OpenWindow)] == ["lead_placed"]
    driver.window_opens().faces("W")
    assert len(driver.did(effects.OpenWindow)) == 1
    assert len(driver.did(effects.CloseWindow)) == 1


@pytest.mark.parametrize(
    ("profile", "step"),
    [
        pytest.param("ccba-2006", 0, id="lead placed, CCBA 23.1"),
        pytest.param("acbl", 1, id="announced by the leader's screenmate"),
        pytest.param("ebl-2016", 2, id="a legal lead is faced"),
    ],
)
def test_the_same_lead_opens_the_window_when_the_profile_says(profile: str, step: int) -> None:
    driver = Driver(profile).contract("1NT P P P")
    opened = []
    for event, fields in (
        (ev.LeadMade, {"seat": Seat.E, "faced": False}),
        (ev.LeadAnnounced, {"seat": Seat.N}),
        (ev.LeadFaced, {"seat": Seat.E}),
    ):
        driver.send(event, **fields)
        opened.append(bool(driver.now(effects.OpenWindow)))
    assert opened == [index == step for index in range(3)]


def test_a_pass_out_is_complete_once_both_faces_have_seen_it_and_recorded_when_lifted() -> None:
    driver = Driver().ready(1).auction("P P P P")
    assert driver.phase == "auction.sw"
    driver.crosses()
    assert driver.phase == "complete"
    driver.window_opens(None)
    assert driver.kinds == []
    driver.lift()
    (board,) = driver.boards
    assert (board.contract, board.score, driver.phase) == ("Pass", 0, "setup")


def test_a_pass_out_is_complete_when_the_board_is_lifted_unshown() -> None:
    driver = Driver().ready(1).auction("P P P P").lift()
    assert driver.boards[0].contract == "Pass"
    assert driver.phase == "setup"


def test_cards_are_followed_and_scored_where_they_are_read() -> None:
    driver = Driver().opened("1NT P P P")  # North plays, East leads
    driver.faces("E").cards("E:C2", "S:C3", "W:C4", "N:C5")
    assert driver.table.view().turn is Seat.N
    assert driver.table.view().cards_played == 4
    driver.cards(*(f"{seat}:{card}" for seat, card in zip("NESW" * 12, NORTH_WINS_ALL, strict=True)))
    assert driver.table.view().cards_played == 52
    driver.lift()
    board = driver.boards[0]
    assert board.tricks == 13
    assert board.score == 40 + 30 * 6 + 50


@pytest.mark.parametrize("senses", [WATCH, GUARD], ids=["watch", "guard"])
def test_a_table_that_reads_little_runs_from_board_to_board(senses: frozenset[Sense]) -> None:
    driver = Driver(senses=senses)
    for number in range(1, 4):
        driver.board(None).window_closes()
        if driver.state.tray.at is None:
            driver.tray("NE")
        for _ in range(3):
            driver.goes_over()
        driver.send(ev.AuctionOverPressed, side=driver.state.tray.at)
        assert driver.phase == "lead.awaiting"
        driver.lead("W", None)
        if Sense.WINDOW_MOTOR in senses:
            assert driver.phase == "lead.down"
            driver.send(ev.WindowHandled, seat=Seat.W, held=True)
        assert driver.phase == "opening"
        driver.window_opens()
        assert driver.phase == "clarification"
        driver.lift()
        assert driver.phase == "complete"
        assert len(driver.boards) == number - 1
    driver.tick(61)
    assert len(driver.boards) == 3
    assert driver.kinds == []


def test_hand_worked_windows_are_let_open_by_a_lamp() -> None:
    driver = Driver(senses=HAND_WORKED).contract().lead("E")
    assert driver.now(effects.OpenWindow)
    driver.by_hand("W")
    assert driver.phase == "clarification"
    assert driver.kinds == []


def test_the_hold_output_is_on_while_a_call_is_owed_where_the_tray_is() -> None:
    driver = Driver().ready(1)
    assert [effect.side.value for effect in driver.did(effects.HoldTray)] == ["NE"]
    driver.call("N", "1C")
    assert not driver.now(effects.ReleaseTray)
    driver.call("E", "P")
    assert driver.now(effects.ReleaseTray)
    assert {Sense.HOLD} <= FULL


def test_a_board_the_director_ends_in_the_auction_is_recorded_as_abandoned() -> None:
    driver = Driver().ready(1).call("N", "1C").lift().correct(ev.CorrectedPhase(phase="complete"))
    assert [board.outcome for board in driver.boards] == ["abandoned"]
    assert driver.phase == "setup"


def test_a_view_is_shown_exactly_when_it_changed() -> None:
    driver = Driver().ready(1)
    driver.send(ev.TimePassed)
    assert driver.last == []
    driver.call("N", "1C")
    (shown,) = driver.now(effects.ShowState)
    assert shown.view == driver.table.view()
    assert shown.view.turn is Seat.E


def test_a_closed_window_that_reopens_before_the_first_call_goes_back_to_closing() -> None:
    driver = Driver().ready(1)
    driver.window("between")
    assert driver.phase == "closing"
    assert driver.now(effects.CloseWindow)
    driver.window("closed").crosses().crosses()
    assert driver.phase == "auction.ne"
    assert driver.kinds == []
    assert not driver.did(effects.RecordVisit)


def test_time_of_day_does_not_matter() -> None:
    first, second = Driver(), Driver().wait(86_400 * 20)
    for driver in (first, second):
        driver.opened("1C P 1NT P P P")
    shift = 86_400 * 20 * S
    assert [type(effect) for effect in first.effects] == [type(effect) for effect in second.effects]
    assert second.at - first.at == shift
