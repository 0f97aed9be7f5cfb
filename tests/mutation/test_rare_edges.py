"""Edges found unguarded by the second sample of mutants: owed calls, old cards, waits, visits, rare leads."""

from __future__ import annotations

from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.beliefs import owed
from table_controller.screen.entry import FaultKind
from table_controller.screen.judges.timed import Wait
from table_controller.screen.senses import Sense
from table_controller.screen.tempo import elapsed
from tests.screen.driving import FULL, Driver, S, bid

N, E, W = Seat.N, Seat.E, Seat.W
NE, SW = ScreenSide.NE, ScreenSide.SW


# --- calls owed, cards of earlier stays, obligations


def test_a_seat_that_was_jumped_owes_its_call_on_its_own_face_only() -> None:
    driver = Driver().ready(1).call("N", "1C").crosses().call("S", "1D")
    assert E not in owed(driver.state, driver.table.rules, SW)
    assert E in owed(driver.state, driver.table.rules, NE)
    (visit,) = driver.leaves().now(effects.RecordVisit)
    assert [share.seat for share in visit.visit.shares] == ["S", "W"]


def test_an_obligation_of_two_turns_ends_after_the_second() -> None:
    driver = Driver().ready(1).order(ev.SeatObliged, seat=E, turns=2)
    driver.auction("1C P P 1D P P 1H 1S 2C 2D")
    assert not any(laid.obliged for laid in driver.state.auction.laid)
    driver = Driver().ready(1).order(ev.SeatObliged, seat=E, turns=2)
    driver.auction("1C P P 1D P 1H")
    assert [str(laid.call) for laid in driver.state.auction.laid if laid.obliged] == ["1H"]


def test_a_call_changed_after_others_called_is_timed_from_when_its_card_was_taken_up() -> None:
    driver = Driver().ready(1).call("N", "1C").takes_up("N", "1C")
    up = driver.at
    driver.call("E", "P", 3).call("N", "1D", 4)
    (between,) = (f for f in driver.entry("CHANGE_OF_CALL").facts if f.name == "time_between_ns")
    assert int(between.text) == driver.at - up == 7 * S


def test_an_irregular_call_that_is_replaced_says_by_what() -> None:
    driver = Driver().ready(1).auction("1S 1H").takes_up("E", "1H").call("E", "2H")
    (fact,) = (f for f in driver.entry("INSUFFICIENT_BID").facts if f.name == "replaced_by")
    assert fact.text == "2H"


def test_a_card_missing_while_the_readers_are_in_doubt_makes_no_second_auction() -> None:
    driver = Driver().ready(1).auction("1C P").crosses().takes_up("N", "1C")
    driver.send(
        ev.SensorDoubted, sense="calls", kind=FaultKind.SENSOR_SUSPECT, component="calls.n", detail=""
    )
    driver.call("S", "P")
    assert not driver.state.auction.diverged
    assert "AUCTION_DIVERGED" not in driver.kinds


def test_cards_laid_while_the_faces_differ_are_part_of_what_resuming_reads() -> None:
    """The readers settle once, after an arrival; what is laid and taken up since is kept in step."""
    driver = Driver().ready(1).auction("1C P").leaves().tray("SW").seen(n="1:1D")
    assert driver.state.auction.mismatch
    driver.call("S", "1H").takes_up("S", "1H").call("S", "1S").resume()
    assert driver.calls == "N:1D E:P S:1S"
    assert not driver.state.auction.diverged


def test_cards_given_back_in_a_hold_where_the_tray_stands_have_been_seen_there() -> None:
    driver = Driver().ready(1).auction("1C P").send(ev.CardsCleared, side=NE).leaves().tray("SW")
    driver.order(ev.Held)
    driver.correct(ev.CorrectedAuction(calls=((N, bid("1C")), (E, parse_call("P")))))
    assert [one.sides for one in driver.state.auction.laid] == [{NE}, {NE}]
    driver.resume()
    assert [one.sides for one in driver.state.auction.laid] == [{NE, SW}, {NE, SW}]


# --- waits


def test_a_deadline_is_set_once_and_cleared_when_its_reason_is_gone() -> None:
    driver = Driver().ready(1).auction("1C P")
    assert [one.name for one in driver.now(effects.SetDeadline)] == [Wait.FORGOTTEN]
    driver.send(ev.TimePassed)
    assert not driver.now(effects.SetDeadline)
    driver.leaves()
    assert [one.name for one in driver.now(effects.ClearDeadline)] == [Wait.FORGOTTEN]
    assert [one.name for one in driver.now(effects.SetDeadline)] == [Wait.STALLED]


def test_a_tray_that_stays_after_its_cards_were_cleared_is_not_forgotten() -> None:
    driver = Driver().ready(1).auction("1NT P P P").send(ev.CardsCleared, side=SW).tick(600)
    assert "TRAY_FORGOTTEN" not in driver.kinds


def test_nothing_is_forgotten_where_the_auction_need_not_be_shown() -> None:
    driver = Driver("acbl").ready(1).auction("1NT P P P").tick(600)
    assert "TRAY_FORGOTTEN" not in driver.kinds


# --- visits


def test_no_time_is_told_where_its_beginning_or_its_end_is_unknown() -> None:
    assert elapsed(None, 5) is elapsed(5, None) is elapsed(None, None) is elapsed(5, 4) is None
    assert (elapsed(5, 5), elapsed(5, 7)) == (0, 2)


def test_a_tray_that_leaves_the_face_it_was_not_known_to_be_on_had_crossed() -> None:
    driver = Driver().ready(1).auction("1C P")
    driver.send(ev.TrayLeft, side=SW)
    assert driver.state.tray.left_from is SW
    first, second = driver.now(effects.RecordVisit)
    assert (first.visit.screen_side, first.visit.left, first.visit.interrupted) == (NE, None, True)
    assert (second.visit.screen_side, second.visit.arrived) == (SW, None)


def test_a_tray_that_comes_back_to_an_auction_the_director_gave_begins_no_visit() -> None:
    driver = Driver().ready(1).correct(ev.CorrectedAuction(calls=((N, bid("1C")),)))
    assert driver.state.visit is None
    driver.leaves().tray("NE")
    assert driver.phase == "auction.ne"
    assert driver.state.visit is None


# --- rare leads


def _played(driver: Driver) -> list[Seat]:
    return [card.seat for card in driver.state.play.cards]


def test_a_lead_turned_over_while_the_window_is_closed_makes_what_follows_no_call_and_no_lead() -> None:
    driver = Driver().contract().lead("E").faces("E")
    assert driver.phase == "opening"
    assert driver.state.lead.faced
    driver.call("N", "2C").lead("W")
    assert driver.calls == "N:1NT E:P S:P W:P"
    assert driver.kinds == []


def test_the_led_card_taken_up_again_is_no_card_of_the_play() -> None:
    driver = Driver().contract().lead("E").cards("E:SA")
    assert _played(driver) == [E]
    driver.lead_up("E")
    assert _played(driver) == []


def test_where_cards_are_read_and_calls_are_not_only_the_lead_that_lies_opens_the_play() -> None:
    unread = FULL - {Sense.CALLS, Sense.RELEASED, Sense.ALERTS}
    driver = Driver(senses=unread).ready(1).goes_over().goes_over().cleared()
    assert driver.phase == "lead.awaiting"
    driver.lead("E").cards("S:S2")
    assert _played(driver) == []
    driver.cards("E:SA")
    assert _played(driver) == [E]
