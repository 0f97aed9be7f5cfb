"""Edges of the Laws and of the core that mutants showed to be unguarded: each test fails if its edge moves.

A mutant that survived and changed what a director or the record would see has its test here.
"""

from __future__ import annotations

import pytest

from table_controller.laws.call import parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.seat import Seat
from table_controller.regulations.load import SHIPPED, load
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Level, Standing
from table_controller.screen.senses import checks_off
from tests.mutation import waits
from tests.mutation.courses import courses
from tests.screen.driving import HAND_WORKED, WATCH, Driver, S, bid


def test_all_fifty_two_cards_are_cards() -> None:
    texts = [f"{suit}{rank}" for suit in "SHDC" for rank in "23456789TJQKA"]
    assert len({parse_card(text) for text in texts}) == 52


@pytest.mark.parametrize("witness", [one for several in waits.WITNESSES.values() for one in several])
def test_each_wait_is_as_long_as_it_should_be(witness) -> None:
    witness(load())


@pytest.mark.parametrize("profile", SHIPPED)
def test_each_stage_has_its_courses_and_no_others(profile: str) -> None:
    courses(load(profile))


def test_an_entry_cites_the_number_of_2017_beside_the_profiles_own() -> None:
    entry = Driver().ready(1).auction("1H 1S").crosses().call("S", "1D").entry("INSUFFICIENT_BID")
    cited = {(one.article, one.law_2017) for one in entry.provisions}
    assert ("27", "27, with 23") in cited
    assert ("23.2.5", None) in cited


def test_a_window_still_closed_is_dated_when_the_minute_was_over() -> None:
    driver = Driver(senses=HAND_WORKED).contract().lead("E")
    laid = driver.at
    driver.wait(100).send(ev.TimePassed)
    assert driver.entry("WINDOW_STILL_CLOSED").at == laid + 60 * S


def test_a_second_correction_of_a_call_keeps_what_was_read_first() -> None:
    driver = Driver().ready(1).call("N", "1C")
    for text in ("1D", "1H"):
        driver.correct(ev.CorrectedCall(index=0, call=parse_call(text)))
    (laid,) = driver.state.auction.laid
    assert (laid.call, laid.read_as) == (parse_call("1H"), parse_call("1C"))


def test_a_correction_closes_the_entry_about_a_later_call_that_it_shows_to_be_in_order() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "1H")
    insufficient = driver.entry("INSUFFICIENT_BID").id
    driver.correct(ev.CorrectedCall(index=0, call=parse_call("1C")))
    closed = driver.entries[insufficient]
    assert (closed.standing, closed.closed_by, closed.closed_why) == (Standing.MISREADING, "TD", "because")


def test_an_entry_closed_by_the_director_says_by_whom_and_why() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "1H")
    driver.order(ev.EntryClosed, entry=driver.entry("INSUFFICIENT_BID").id)
    closed = driver.entry("INSUFFICIENT_BID")
    assert (closed.standing, closed.closed_by, closed.closed_why) == (Standing.MISREADING, "TD", "because")


def test_another_entry_closed_does_not_settle_that_the_auction_was_not_shown() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "1H")
    driver.order(ev.EntryClosed, entry=driver.entry("INSUFFICIENT_BID").id)
    assert not driver.state.auction.shown_settled


def test_a_lead_changed_once_the_window_has_begun_to_open_is_urgent() -> None:
    driver = Driver().contract().lead("E").window("between", "open").lead_up("E").lead("E")
    assert driver.entry("LEAD_CHANGED").level is Level.URGENT


def test_orders_are_given_anew_when_the_link_is_back() -> None:
    driver = Driver().contract().lead("E")
    assert driver.now(effects.OpenWindow)
    driver.send(ev.LinkLost).send(ev.LinkRestored)
    driver.window("closed", None)
    orders = [one for one in driver.effects if isinstance(one, effects.OpenWindow)]
    assert len(orders) == 2


def test_a_watch_table_says_what_it_leaves_unchecked() -> None:
    names = {name for name, _ in checks_off(load("ebl-2016"), WATCH)}
    assert {"window.opens_on", "stages", "contract", "tray.hold_output"} <= names
    silent = checks_off(load(), WATCH - {"summons"})
    assert ("TEMPO_RAISED_ON_SAME_FACE", "this table does not sense summons") in silent


def test_after_a_hold_with_the_tray_under_way_no_face_is_said_to_have_seen_more() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P").leaves()
    driver.order(ev.Held)
    driver.resume()
    assert all(len(one.sides) == 1 for one in driver.state.auction.laid)


def test_after_a_hold_what_lies_on_a_face_it_had_not_been_on_counts_as_seen_by_both() -> None:
    driver = Driver().ready(1).call("N", "1C").call("E", "P")
    driver.order(ev.Held)
    driver.crosses()
    driver.resume(*(hold.reason for hold in driver.state.holds))
    assert all(len(one.sides) == 2 for one in driver.state.auction.laid)


def test_a_given_contract_outlives_the_correction_of_another_thing() -> None:
    driver = Driver().contract().correct(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
    driver.correct(ev.CorrectedLeader(seat=Seat.W))
    given = driver.state.contract.given
    assert given is not None
    assert driver.table.view().leader is Seat.W


def test_a_fault_that_is_cleared_no_longer_stands() -> None:
    driver = Driver().ready(1).send(ev.LinkLost).send(ev.LinkRestored)
    (cleared,) = driver.did(effects.ClearFault)
    assert (cleared.fault.standing, cleared.fault.cleared_at) == (False, driver.at)


def test_the_record_of_a_board_names_its_irregularities_and_the_next_ones_does_not() -> None:
    driver = Driver().ready(1).call("N", "1S").call("E", "1H").crosses().lift().ready(2)
    kinds = ["INSUFFICIENT_BID", "BOARD_OFF_TRAY"]
    assert driver.kinds == kinds
    driver.auction("P P P P").crosses().lift()
    first, second = driver.boards
    assert sorted(first.irregularities) == sorted(kinds)
    assert second.irregularities == ()


# --- the lead, changed and followed


def test_a_lead_lifted_just_before_the_window_moved_and_laid_again_is_urgent() -> None:
    """It was lifted before the window moved: the order, in flight, was carried out all the same."""
    driver = Driver().contract().lead("E").lead_up("E")
    driver.window("between", "open").lead("E")
    assert driver.entry("LEAD_CHANGED").level is Level.URGENT


def test_a_lead_changed_again_with_the_window_shut_does_not_make_it_less_urgent() -> None:
    driver = Driver().contract().lead("E").window("between", "open").lead_up("E")
    driver.window("closed", "close").lead("E").lead_up("E").lead("E")
    entry = driver.entry("LEAD_CHANGED")
    assert entry.level is Level.URGENT
    assert len(entry.evidence) > 2


def test_the_entry_about_a_wrong_lead_keeps_that_it_was_faced_and_who_opened_the_window() -> None:
    driver = Driver(senses=HAND_WORKED).contract().lead("W", True)
    assert [(fact.name, fact.at) for fact in driver.entry("OPENING_LEAD_OUT_OF_TURN").facts] == [
        ("faced", driver.at)
    ]
    driver.by_hand("N").send(ev.TimePassed)
    facts = driver.entry("OPENING_LEAD_OUT_OF_TURN").facts
    assert [(fact.name, fact.text) for fact in facts] == [("faced", ""), ("window_open", "N")]


def test_a_call_alerted_on_one_face_is_told_of_once_though_the_lead_is_laid_twice() -> None:
    driver = Driver().ready(1).call("N", "2D").send(ev.AlertPlaced, seat=Seat.N)
    driver.send(ev.AlertRemoved, 3, seat=Seat.N).auction("P P P").crosses().cleared().lead("E")
    told = driver.entry("ALERT_ON_ONE_FACE_ONLY")
    driver.order(ev.EntryClosed, entry=told.id)
    driver.lead_up("E").lead("E")
    assert driver.entry("ALERT_ON_ONE_FACE_ONLY").revision == told.revision + 1


# --- what a hold leaves


def test_a_hold_resumed_before_the_last_crossing_has_shown_the_other_face_nothing() -> None:
    driver = Driver().ready(1).auction("1NT P P P").order(ev.Held).resume()
    driver.lead("E")
    assert not driver.did(effects.OpenWindow)
    driver.crosses()
    assert driver.did(effects.OpenWindow)


def test_calls_in_a_second_hold_are_noted_although_the_first_was_ended_by_a_correction() -> None:
    driver = Driver().ready(1).call("N", "1C").order(ev.Held)
    driver.correct(ev.CorrectedAuction(calls=((Seat.N, bid("1D")),))).resume()
    driver.order(ev.Held).call("E", "1H").resume()
    assert driver.calls == "N:1D E:1H"


def test_where_the_tray_was_never_seen_the_auction_is_where_somebody_calls() -> None:
    assert Driver().board(1).window_closes().call("N", "1C").phase == "auction.ne"
    assert Driver().board(3).window_closes().call("S", "1C").phase == "auction.sw"


def test_a_card_that_reads_otherwise_over_there_is_changed_by_resuming_and_no_other() -> None:
    driver = Driver().ready(1).auction("1C P 1H P 2C P").leaves().tray("SW").seen(n="2:2D")
    driver.resume()
    assert driver.calls == "N:1C E:P S:1H W:P N:2D E:P"
    uids = [laid.uid for laid in driver.state.auction.laid]
    assert len(set(uids)) == len(uids)
    assert [laid.number for laid in driver.state.auction.laid] == sorted(
        laid.number for laid in driver.state.auction.laid
    )
