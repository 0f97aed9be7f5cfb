"""What a table cannot sense it does not judge, and says so."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.regulations.load import SHIPPED, load
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Kind
from table_controller.screen.senses import NEEDS, Sense, checks_off, parse_senses
from tests.screen.driving import FULL, GUARD, WATCH, Driver, bid

CCBA = load("ccba-2006")


def off(senses: frozenset[Sense], profile: str = "ccba-2006") -> dict[str, str]:
    return dict(checks_off(load(profile), senses))


def test_every_kind_of_the_catalogue_says_what_it_needs() -> None:
    assert set(NEEDS) == set(Kind)


@pytest.mark.parametrize("kind", NEEDS)
def test_a_kind_is_off_without_any_one_of_its_senses(kind: Kind) -> None:
    for sense in NEEDS[kind]:
        assert sense in off(FULL - {sense})[kind] or "calls" in off(FULL - {sense})[kind]


@pytest.mark.parametrize("profile", SHIPPED)
def test_a_full_table_has_little_off_and_says_why(profile: str) -> None:
    known = off(FULL, profile)
    assert set(known) <= {
        Kind.WINDOW_STILL_CLOSED,
        Kind.HANDS_OUT_BEFORE_CLOSED,
        Kind.ALERT_TAKEN_BACK_AT_ONCE,
        Kind.AUCTION_OVER_INFERRED,
        Kind.STOP_CARD_USED,
        "TEMPO_RAISED_ON_SAME_FACE",
    }
    assert all(why and why[0].islower() and not why.endswith(".") for why in known.values())


def test_what_a_watch_table_can_check() -> None:
    on = set(NEEDS) - set(off(WATCH))
    assert on == {
        Kind.WINDOW_NOT_CLOSED,
        Kind.WINDOW_OPENED_IN_AUCTION,
        Kind.WINDOW_FORCED_IN_HOLD,
        Kind.TRAY_STALLED,
        Kind.BOARD_OFF_TRAY,
        Kind.AUCTION_OVER_INFERRED,
        Kind.SUMMONS,
        Kind.LATE_ARRIVAL,
        Kind.SLOW_PLAY,
    }


@pytest.mark.parametrize(
    ("profile", "missing", "check"),
    [
        ("acbl", Sense.ANNOUNCED, "window.opens_on"),
        ("ebl-2016", Sense.LEAD_FACE, "window.opens_on"),
        ("ebl-2016", Sense.RELEASED, "call.made_when"),
        ("ccba-2006", Sense.HOLD, "tray.hold_output"),
        ("ccba-2006", Sense.CALLS, "contract"),
    ],
)
def test_what_the_profile_asks_and_the_table_lacks_is_said(profile: str, missing: Sense, check: str) -> None:
    assert check not in off(FULL, profile)
    assert check in off(FULL - {missing}, profile)


def test_a_sense_that_is_none_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="'windoww' is not a valid Sense; the senses are tray, window"):
        parse_senses(["windoww"])


def test_without_release_sensors_made_means_placed() -> None:
    driver = Driver("ebl-2016", FULL - {Sense.RELEASED}).ready(1)
    driver.send(ev.CallMade, seat=Seat.N, call=bid("1C"))
    assert driver.calls == "N:1C"


def test_with_release_sensors_a_card_taken_back_before_it_is_let_go_was_no_call() -> None:
    driver = Driver("ebl-2016").ready(1).send(ev.CallMade, seat=Seat.N, call=bid("1C"))
    assert driver.calls == ""
    driver.takes_up("N", "1C").call("N", "1D")
    assert driver.calls == "N:1D"
    assert driver.kinds == []


def test_a_card_that_goes_with_the_tray_was_let_go() -> None:
    driver = Driver("ebl-2016").ready(2).send(ev.CallMade, seat=Seat.E, call=bid("1C")).crosses()
    assert driver.calls == "E:1C"
    assert driver.kinds == []


def test_leads_out_of_turn_are_judged_at_a_watch_table_once_the_director_gives_the_contract() -> None:
    for given in (False, True):
        driver = Driver(senses=WATCH).board(None).window_closes().tray("NE").goes_over()
        driver.send(ev.AuctionOverPressed, side=driver.state.tray.at)
        if given:
            driver.correct(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
        driver.lead("N", None)
        assert ("OPENING_LEAD_OUT_OF_TURN" in driver.kinds) is given
        assert bool(driver.did(effects.OpenWindow)) is not given


def test_a_motor_that_knows_no_leader_waits_for_west_or_south() -> None:
    driver = Driver(senses=GUARD).board(None).window_closes().tray("NE").goes_over()
    driver.send(ev.AuctionOverPressed, side=driver.state.tray.at).lead("E", None)
    assert not driver.did(effects.OpenWindow)
    driver.send(ev.WindowHandled, seat=Seat.N, held=True)
    assert not driver.did(effects.OpenWindow)
    driver.send(ev.WindowHandled, seat=Seat.S, held=True)
    assert driver.did(effects.OpenWindow)


def test_the_checks_of_a_table_are_those_the_command_prints() -> None:
    assert Driver(senses=WATCH).table.checks_off == checks_off(CCBA, WATCH)
    assert Driver(senses=WATCH).table.view().off == checks_off(CCBA, WATCH)
