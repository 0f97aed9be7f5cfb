"""A call alerted on one face only is told at its end, whatever stops the auction or begins it again."""

from __future__ import annotations

from table_controller.laws.call import parse_call
from table_controller.laws.seat import Seat
from table_controller.screen import events as ev
from table_controller.screen.entry import Standing
from tests.screen.driving import Driver

ONE = "ALERT_ON_ONE_FACE_ONLY"


def _alerts(driver: Driver, seat: str) -> Driver:
    driver.send(ev.AlertPlaced, seat=Seat(seat))
    return driver.wait(3).send(ev.AlertRemoved, seat=Seat(seat))


def _alerted_once() -> Driver:
    """South opens 2D; North alone alerts it. West leads."""
    driver = Driver().ready(3).auction("2D P").crosses()
    _alerts(driver, "N").auction("P P").crosses()
    return driver.cleared()


def test_told_when_the_lead_is_laid() -> None:
    assert _alerted_once().lead("W").entry(ONE).call == parse_call("2D")


def test_the_lead_laid_in_a_hold() -> None:
    driver = _alerted_once().order(ev.Held).lead("W")
    assert ONE not in driver.kinds
    driver.resume().window_opens().faces("W")
    assert ONE not in driver.kinds
    driver.cards("W:SQ").send(ev.ClaimMade, seat=Seat.S).lift()
    assert driver.entry(ONE).board == 3
    assert [kind.value for kind in driver.boards[0].irregularities] == [ONE]


def test_the_lead_laid_again_after_a_hold() -> None:
    driver = _alerted_once().order(ev.Held).lead("W").lead_up("W").resume().lead("W")
    assert driver.entry(ONE).seats == (Seat.S,)


def test_nothing_arises_in_a_hold_that_stands_to_the_end() -> None:
    driver = _alerted_once().order(ev.Held).lead("W").correct(ev.CorrectedPhase(phase="complete")).lift()
    assert ONE not in driver.kinds


def test_a_later_call_after_the_auction_went_on() -> None:
    driver = Driver().ready(3).auction("2D P P P").crosses().lead("W")
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("2H"))).lead_up("W")
    _alerts(driver, "W").crosses()
    driver.auction("P P P").crosses().cleared()
    leader = driver.table.view().leader
    assert leader is not None
    entry = driver.lead(leader.value).entry(ONE)
    assert entry.seats == (Seat.E,)


def test_what_was_told_is_not_told_again() -> None:
    driver = _alerted_once().lead("W")
    revision = driver.entry(ONE).revision
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("2H"))).lead_up("W")
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("P"))).lead("W")
    assert (driver.kinds.count(ONE), driver.entry(ONE).revision) == (1, revision)


def test_what_was_closed_is_not_made_again() -> None:
    driver = _alerted_once().lead("W")
    driver.order(ev.Ruled, entries=(driver.entry(ONE).id,), verdict=ev.Verdict.OTHER).lead_up("W")
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("2H")))
    driver.correct(ev.CorrectedCall(index=3, call=parse_call("P"))).lead("W")
    assert driver.entry(ONE).standing is Standing.RULED
