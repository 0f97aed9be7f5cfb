"""A table without call readers, told by mistake that the auction is over: the director takes it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table_controller.laws.call import Call, parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Standing
from tests.screen.driving import GUARD, WATCH, Driver

Told = Callable[[Driver], Driver]


def _calls(text: str) -> tuple[tuple[Seat, Call], ...]:
    return tuple((Seat(one[0]), parse_call(one[2:])) for one in text.split())


def _auction(text: str) -> Told:
    return lambda driver: driver.correct(ev.CorrectedAuction(calls=_calls(text)))


BY: dict[str, Told] = {
    "the button": lambda driver: driver.send(ev.AuctionOverPressed, side=ScreenSide.SW),
    "cards cleared": lambda driver: driver.send(ev.CardsCleared, side=ScreenSide.SW),
    "a lead": lambda driver: driver.lead("W").lead_up("W"),
}
BACK: dict[str, Told] = {
    "phase": lambda driver: driver.correct(ev.CorrectedPhase(phase="auction.sw")),
    "calls": _auction("N:1C E:P"),
    "no calls": _auction(""),
}


@pytest.fixture(params=[WATCH, GUARD], ids=["watch", "guard"])
def driver(request: pytest.FixtureRequest) -> Driver:
    return Driver(senses=request.param).ready(1).goes_over()


@pytest.mark.parametrize("back", BACK)
@pytest.mark.parametrize("by", BY)
def test_it_goes_back_into_the_auction(driver: Driver, by: str, back: str) -> None:
    BY[by](driver)
    assert driver.phase == "lead.awaiting"
    ordered = len(driver.did(effects.OpenWindow))
    BACK[back](driver)
    assert (driver.refused, driver.phase) == (None, "auction.sw")
    assert driver.state.auction.begun
    driver.window("between")
    assert driver.entry("WINDOW_OPENED_IN_AUCTION").standing is Standing.OPEN
    driver.lead("W")
    assert len(driver.did(effects.OpenWindow)) == ordered


@pytest.mark.parametrize("back", BACK)
def test_the_button_is_believed_when_it_is_pressed_again(driver: Driver, back: str) -> None:
    BY["the button"](driver)
    BACK[back](driver)
    BY["the button"](driver)
    assert driver.phase == "lead.awaiting"
    assert "WINDOW_OPENED_IN_AUCTION" not in driver.kinds


@pytest.mark.parametrize("back", BACK)
def test_that_a_lead_said_so_was_misread(driver: Driver, back: str) -> None:
    driver.lead("W")
    assert driver.entry("AUCTION_OVER_INFERRED").standing is Standing.OPEN
    BACK[back](driver)
    assert driver.phase == "auction.sw"
    entry = driver.entry("AUCTION_OVER_INFERRED")
    assert (entry.standing, entry.closed_by) == (Standing.MISREADING, "TD")
    driver.lead_up("W").goes_over().lead("W")
    found = [one for one in driver.entries.values() if "AUCTION_OVER_INFERRED" in one.kinds]
    assert [one.standing for one in found] == [Standing.MISREADING, Standing.OPEN]


def test_an_auction_given_that_is_over_is_over(driver: Driver) -> None:
    _auction("N:1C E:P S:P W:P")(BY["the button"](driver))
    assert driver.phase == "lead.awaiting"
    assert driver.table.view().leader is Seat.E
    driver.correct(ev.CorrectedPhase(phase="auction.sw"))
    assert driver.refused is not None


def test_a_call_of_it_corrected_so_that_it_goes_on(driver: Driver) -> None:
    BY["the button"](_auction("N:1C E:P S:P W:P")(driver))
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("1H")))
    assert driver.phase == "auction.sw"


def test_a_call_corrected_in_an_auction_that_went_on_unread(driver: Driver) -> None:
    """What the button said came after the calls the director had given."""
    BY["the button"](_auction("N:1C E:P")(driver))
    driver.correct(ev.CorrectedCall(index=0, call=parse_call("1D")))
    assert driver.phase == "lead.awaiting"


def test_a_contract_given_is_the_directors_own_word(driver: Driver) -> None:
    BY["the button"](driver).correct(ev.CorrectedContract(bid=parse_call("1NT"), declarer=Seat.N))
    driver.correct(ev.CorrectedPhase(phase="auction.sw"))
    assert driver.refused is not None
    _auction("")(driver)
    assert driver.phase == "auction.sw"
