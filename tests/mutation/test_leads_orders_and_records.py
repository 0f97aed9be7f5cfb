"""Leads and boards out of the ordinary; why the window is ordered; figures, times and records as told."""

from __future__ import annotations

from table_controller.laws.board import Vulnerability
from table_controller.laws.call import PASS, parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import FaultKind
from table_controller.screen.senses import Sense
from tests.screen.driving import FULL, WATCH, Driver

N, E, S, W = Seat.N, Seat.E, Seat.S, Seat.W
NE, SW = ScreenSide.NE, ScreenSide.SW


# --- leads


def test_a_lead_faced_in_the_auction_is_play_once_the_window_is_open() -> None:
    driver = Driver().ready(1).auction("1NT").lead("E", faced=True).auction("P P P").crosses().cleared()
    driver.window_opens()
    assert driver.phase == "play"
    before = driver.kinds
    driver.lead_up("E").lead("S")
    assert driver.phase == "play"
    assert driver.kinds == before


def test_the_same_lead_read_once_more_is_not_the_next_card() -> None:
    driver = Driver(senses=FULL - {Sense.LEAD_FACE}).opened()
    assert driver.phase == "clarification"
    driver.lead("E", faced=None)
    assert driver.phase == "clarification"
    driver.lead("S", faced=None)
    assert driver.phase == "play"


def test_a_dummy_spread_in_the_auction_begins_no_play() -> None:
    driver = Driver().ready(1).auction("1NT P").send(ev.DummySpread)
    assert driver.phase == "auction.ne"
    driver.auction("P P")
    assert driver.calls == "N:1NT E:P S:P W:P"


def test_a_card_that_lay_before_the_auction_does_not_end_it_by_being_turned_over() -> None:
    driver = Driver(senses=WATCH | {Sense.LEAD_FACE}).ready(1).lead("E").goes_over().faces("E")
    assert driver.phase == "auction.sw"
    assert "AUCTION_OVER_INFERRED" not in driver.kinds
    driver.lead("W")
    assert "AUCTION_OVER_INFERRED" in driver.kinds


def test_a_wrong_lead_taken_back_says_when() -> None:
    driver = Driver().contract().lead("W", faced=True).lead_up("W")
    (fact,) = (f for f in driver.entry("OPENING_LEAD_OUT_OF_TURN").facts if f.name == "taken_back")
    assert fact.at == driver.at


def test_a_wrong_lead_seen_through_the_window_waits_for_the_director_though_it_was_taken_back() -> None:
    driver = Driver().contract().lead("W", faced=True).by_hand("W").lead_up("W")
    entry = driver.entry("OPENING_LEAD_OUT_OF_TURN")
    assert (entry.standing.value, entry.facts[-1].name) == ("open", "taken_back")


def test_a_lead_before_its_time_waits_for_the_director_though_it_was_taken_back() -> None:
    driver = Driver().ready(1).auction("1NT P").lead("E").lead_up("E")
    entry = driver.entry("LEAD_BEFORE_PLAY_PERIOD")
    assert (entry.standing.value, entry.facts[-1].name) == ("open", "taken_back")


def test_in_the_play_a_correction_makes_no_leads_of_the_cards_that_follow() -> None:
    driver = Driver().opened().faces("E").lead_up("E")
    assert driver.phase == "play"
    driver.correct(ev.CorrectedBoard(vulnerability=Vulnerability.BOTH))
    driver.lead("S").lead("W", faced=True)
    assert driver.phase == "play"
    assert driver.kinds == []


def test_a_ruling_after_the_play_makes_no_auction_of_a_tray_put_away() -> None:
    """The board is gone, and might come back; nobody saw the lead faced, but dummy was spread."""
    driver = Driver().opened().send(ev.DummySpread).summons("N").lift()
    assert driver.phase == "complete"
    driver.order(ev.Ruled, entries=(driver.entry("SUMMONS").id,), verdict=ev.Verdict.OTHER)
    driver.send(ev.TrayHandled, seat=E, held=True).leaves()
    assert driver.kinds == ["SUMMONS"]


def test_a_lead_taken_up_and_laid_in_a_hold_is_not_the_change_that_was_told_before() -> None:
    """The change is an entry; then the faces differ, and what is done with the lead is the director's."""
    driver = Driver().ready(1).auction("1NT P P P").lead("E").lead_up("E").lead("E")
    changed = driver.entry("LEAD_CHANGED")
    driver.leaves().tray("NE").seen(n="1:1D")
    assert driver.state.holds
    driver.lead_up("E").seen()
    assert not driver.state.holds
    driver.lead("E")
    assert driver.entry("LEAD_CHANGED") == changed


# --- the board


def test_where_the_board_left_for_the_play_the_next_one_after_a_claim_ends_it() -> None:
    driver = Driver("ebl-2016").contract().lead("E", faced=True).window_opens().cards("E:SA", "S:S2")
    driver.lift().send(ev.ClaimMade, seat=N)
    assert driver.phase == "play"
    driver.board(None)
    assert [(one.number, one.claimed_by, one.outcome) for one in driver.boards] == [(1, N, "completed")]
    assert driver.phase == "closing"


def test_where_cards_are_counted_a_board_put_down_in_the_play_is_the_one_that_left() -> None:
    driver = Driver("ebl-2016").contract().lead("E", faced=True).window_opens().cards("E:SA", "S:S2")
    driver.lift().board(None)
    assert driver.phase == "play"
    assert driver.boards == []


def test_another_board_taken_away_again_leaves_the_board_that_is_played() -> None:
    driver = Driver().ready(1).auction("1NT").board(2)
    assert driver.state.holds
    driver.board(1).resume()
    assert (driver.state.board.foreign, driver.calls) == (None, "N:1NT")
    assert driver.phase == "auction.ne"


def test_a_pass_out_presumed_because_the_board_left_is_recorded_as_presumed() -> None:
    driver = Driver(senses=WATCH).ready(1).goes_over().send(ev.AuctionOverPressed, side=SW)
    assert driver.phase == "lead.awaiting"
    driver.lift()
    assert [(one.contract, one.presumed, one.score) for one in driver.boards] == [("Pass", True, 0)]


def test_a_pass_out_presumed_because_the_next_board_came_is_recorded_as_presumed() -> None:
    """Under these regulations the board lawfully leaves after the auction, so its leaving says nothing."""
    driver = Driver("ebl-2016", senses=WATCH).ready(1).goes_over().send(ev.AuctionOverPressed, side=SW)
    driver.lift()
    assert driver.boards == []
    driver.board(2)
    assert [(one.contract, one.presumed) for one in driver.boards] == [("Pass", True)]


def test_the_record_has_the_boards_vulnerability() -> None:
    driver = Driver().ready(2).auction("P P P P").crosses().lift()
    assert [(one.number, one.vulnerability) for one in driver.boards] == [(2, Vulnerability.NS)]


def test_the_record_has_the_calls_in_the_order_made() -> None:
    driver = Driver().ready(1).auction("P P P P").crosses().lift()
    (record,) = driver.boards
    assert record.calls == tuple((seat, PASS) for seat in (N, E, S, W))


def test_the_record_has_fifty_two_cards_whatever_is_read_afterwards() -> None:
    """East leads and has all the spades, so he wins every trick."""
    suits = {E: "S", S: "H", W: "D", N: "C"}
    deal = [f"{seat}:{suit}{rank}" for rank in "AKQJT98765432" for seat, suit in suits.items()]
    driver = Driver().opened().faces("E").cards(*deal, "E:SA").lift()
    (record,) = driver.boards
    assert len(record.play) == 52
    assert (record.tricks, record.outcome) == (0, "completed")


def test_a_tag_that_tells_only_the_vulnerability_of_the_board_is_believed() -> None:
    driver = Driver().board(None)
    assert driver.state.board.current is not None
    driver.send(ev.BoardPlaced, number=None, dealer=None, vulnerability=Vulnerability.EW)
    assert driver.state.board.current.vulnerability is Vulnerability.EW
    assert driver.state.board.current.dealer is None


def test_a_board_nobody_sensed_on_the_tray_is_recorded_once_it_is_passed_out() -> None:
    driver = Driver().board(1).lift().window_closes().tray("NE")
    for seat in (N, E):
        driver.call(seat, "P")
    driver.crosses().call("S", "P").call("W", "P").crosses()
    assert [one.contract for one in driver.boards] == ["Pass"]


def test_what_stood_at_one_board_is_told_anew_at_the_next() -> None:
    driver = Driver().board(1).tray("NE").auction("P P P P").crosses().lift()
    assert driver.entry("WINDOW_NOT_CLOSED").board == 1
    driver.board(2).call("E", "P").call("E", "P")
    told = [one.board for one in driver.entries.values() if "WINDOW_NOT_CLOSED" in one.kinds]
    assert told == [1, 2]


def test_a_session_opened_once_more_goes_on_and_another_begins_at_its_first_board() -> None:
    boards = tuple(ev.BoardDue(number=number) for number in (1, 2, 3))
    driver = Driver().order(ev.SessionOpened, session="a", boards=boards)
    driver.ready(None).auction("P P P P").crosses().lift()
    driver.order(ev.SessionOpened, session="a", boards=boards).board(None)
    assert driver.table.view().board == 2
    driver.lift().order(ev.SessionOpened, session="b", boards=boards).board(None)
    assert driver.table.view().board == 1


# --- orders


def test_a_doubt_about_what_the_window_does_not_wait_for_withholds_no_order() -> None:
    driver = Driver().contract()
    driver.send(
        ev.SensorDoubted, sense="director", kind=FaultKind.SENSOR_SUSPECT, component="summons.n", detail=""
    )
    assert driver.lead("E").now(effects.OpenWindow)


def test_an_order_to_close_says_what_it_is_for() -> None:
    driver = Driver().board(1)
    assert [one.reason for one in driver.now(effects.CloseWindow)] == ["auction"]
    driver = Driver().contract().window("between")
    assert [one.reason for one in driver.now(effects.CloseWindow)] == ["lead"]
    driver = Driver().opened().order(ev.WindowOverridden, to=ev.WindowOrder.CLOSE)
    assert [one.reason for one in driver.now(effects.CloseWindow)] == ["director"]


def test_a_window_that_is_stopped_says_why() -> None:
    driver = Driver().contract().lead("E").window("between", "open").lead_up("E")
    assert driver.now(effects.StopWindow) == [effects.StopWindow(reason="lead lifted")]


def test_a_tray_ordered_back_that_returns_to_the_wrong_face_is_still_ordered_back() -> None:
    driver = Driver().ready(1).auction("1C P").crosses().order(ev.TrayBackOrdered)
    driver.leaves().tray("SW").leaves()
    assert driver.kinds == []
    driver.tray("NE").leaves()
    assert driver.kinds == []


def test_a_tray_forgotten_again_on_the_other_face_is_told_again() -> None:
    driver = Driver().ready(1).auction("1C P").tick(200).crosses().auction("P 1D").tick(200)
    told = [one.screen_side for one in driver.entries.values() if "TRAY_FORGOTTEN" in one.kinds]
    assert told == [NE, SW]


# --- visits and faults


def test_a_tray_found_on_the_other_face_has_crossed_with_the_irregular_call_on_it() -> None:
    driver = Driver().ready(1).auction("1S P").crosses().call("S", "1C").call("W", "P").tray("NE")
    entry = driver.entry("INSUFFICIENT_BID")
    assert entry.stage is not None
    assert (entry.stage.value, entry.mover and entry.mover.certainty.value) == ("crossed", "unknown")
    (visit,) = driver.now(effects.RecordVisit)
    assert (visit.visit.screen_side, visit.visit.left) == (SW, None)
    assert driver.state.visit is not None
    assert (driver.state.visit.side, driver.state.visit.ordinal) == (NE, 3)


def test_the_uncertainty_of_a_visit_is_that_of_its_ends_and_of_its_least_certain_call() -> None:
    driver = Driver().ready(1).auction("1C P").leaves().send(ev.TrayArrived, side=SW, uncertainty=3)
    driver.send(ev.CallMade, seat=S, call=parse_call("P"), uncertainty=5)
    driver.send(ev.CallMade, seat=W, call=parse_call("1D"), uncertainty=4)
    driver.send(ev.TrayLeft, side=SW, uncertainty=7)
    assert [one.visit.uncertainty for one in driver.now(effects.RecordVisit)] == [3 + 5 + 7]


def test_a_visit_has_the_call_that_stood_when_the_tray_left() -> None:
    driver = Driver().ready(1).call("N", "1C").takes_up("N", "1C").call("N", "1D").call("E", "P").leaves()
    (visit,) = driver.now(effects.RecordVisit)
    assert [(one.seat, str(one.call)) for one in visit.visit.shares] == [("N", "1D"), ("E", "P")]


def test_faults_and_entries_have_one_row_of_numbers() -> None:
    driver = Driver().ready(1).send(ev.EventsLost, count=1).send(ev.EventsLost, count=2)
    driver.auction("1S 1H").send(ev.EventsLost, count=3)
    told = [one.fault.id for one in driver.did(effects.RaiseFault)] + list(driver.entries)
    assert len(told) == len(set(told)) == 4


def test_lost_events_are_told_with_their_count_or_with_how_long_nothing_was_read() -> None:
    driver = Driver().ready(1).send(ev.EventsLost, count=7)
    assert [one.fault.detail for one in driver.now(effects.RaiseFault)] == ["7"]
    driver.send(ev.EventsLost, count=0, gap=2_500_000_000)
    assert [one.fault.detail for one in driver.now(effects.RaiseFault)] == ["nothing was read for 2.5 s"]


def test_the_view_tells_whether_the_lead_is_faced() -> None:
    driver = Driver().contract()
    assert driver.table.view().lead_faced is None
    driver.lead("E")
    assert driver.table.view().lead_faced is False
    driver.window_opens().faces("E")
    assert driver.table.view().lead_faced is True


def test_a_call_corrected_where_the_faces_differ_ends_the_difference() -> None:
    driver = Driver().ready(1).auction("1C P").crosses().call("S", "1H").leaves().tray("NE").seen(s="0")
    assert driver.state.auction.diverged
    driver.correct(ev.CorrectedCall(index=2, call=parse_call("1S")))
    assert driver.refused is None
    assert not driver.state.auction.diverged
