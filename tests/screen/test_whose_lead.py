"""Whose lead the director may name: a defender's, and only as long as he is one."""

from __future__ import annotations

import pytest

from table_controller.laws.call import parse_call
from table_controller.laws.seat import Seat
from table_controller.screen import effects, events as ev
from tests.screen.driving import GUARD, Driver, bid


@pytest.mark.parametrize("seat", [Seat.N, Seat.S])
def test_declarer_and_dummy_lead_nothing(seat: Seat) -> None:
    driver = Driver().contract().correct(ev.CorrectedLeader(seat=seat))
    assert driver.refused is not None
    assert "declaring side" in driver.refused
    driver.lead(seat.value)
    assert not driver.did(effects.OpenWindow)


@pytest.mark.parametrize("seat", [Seat.E, Seat.W])
def test_either_defender_may_be_named(seat: Seat) -> None:
    driver = Driver().contract().correct(ev.CorrectedLeader(seat=seat)).lead(seat.value)
    assert driver.did(effects.OpenWindow)


def test_where_calls_are_not_read_the_contract_given_says_who_declares() -> None:
    driver = Driver(senses=GUARD).ready(1).correct(ev.CorrectedContract(bid=bid("1NT"), declarer=Seat.E))
    driver.correct(ev.CorrectedLeader(seat=Seat.W))
    assert driver.refused is not None
    driver.correct(ev.CorrectedLeader(seat=Seat.N))
    assert driver.refused is None


def test_a_correction_of_the_calls_makes_him_declarers_partner() -> None:
    """South was named; then West's bid is found to have been a pass, and North declares."""
    driver = Driver().ready(1).auction("1C P P 1S P P P").crosses().cleared()
    assert driver.table.view().leader is Seat.N
    driver.correct(ev.CorrectedLeader(seat=Seat.S)).correct(ev.CorrectedCall(index=3, call=parse_call("P")))
    assert driver.table.view().declarer is Seat.N
    assert driver.table.view().leader is Seat.E
    driver.lead("S")
    assert not driver.did(effects.OpenWindow)


def test_another_auction_after_all_has_a_leader_of_its_own() -> None:
    driver = Driver().contract("1C P P P").correct(ev.CorrectedLeader(seat=Seat.W))
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("1H")))
    assert driver.phase.startswith("auction")
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("P")))
    assert driver.table.view().leader is Seat.E
