"""Where the search starts: along a normal board, through irregularities, holds and corrections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen import events as ev
from tests.screen.driving import Driver, bid


@dataclass(frozen=True, slots=True)
class Seed:
    name: str
    drive: Callable[[Driver], object]

    def make(self, profile: str, senses: frozenset[str]) -> Driver:
        driver = Driver(profile, senses)
        self.drive(driver)
        return driver


SEEDS = (
    Seed("nothing yet", lambda d: d.tray("NE")),
    Seed("closing", lambda d: d.tray("NE").board(1)),
    Seed("first call due", lambda d: d.ready(1)),
    Seed("in mid visit", lambda d: d.ready(1).call("N", "1C")),
    Seed("tray between the faces", lambda d: d.ready(1).auction("1C P").leaves()),
    Seed(
        "insufficient bid crossed", lambda d: d.ready(1).auction("1S P").crosses().call("S", "1D").crosses()
    ),
    Seed("out of rotation", lambda d: d.ready(3).call("W", "1C")),
    Seed("held in the auction", lambda d: d.ready(1).call("N", "1C").window("between").window("closed")),
    Seed("one pass to go", lambda d: d.ready(1).auction("1NT P P")),
    Seed("over, not shown", lambda d: d.ready(1).auction("1NT P P P")),
    Seed("passed out", lambda d: d.ready(1).auction("P P P P")),
    Seed("lead awaited", lambda d: d.contract("1NT P P P")),
    Seed("wrong lead faced", lambda d: d.contract("1NT P P P").lead("W", True)),
    Seed("lead down", lambda d: d.contract("1NT P P P").lead("E")),
    Seed("window opening", lambda d: d.contract("1NT P P P").lead("E").window("between", "open")),
    Seed("clarification", lambda d: d.opened("1NT P P P")),
    Seed("play", lambda d: d.opened("1NT P P P").faces("E").cards("E:SA", "S:S2")),
    Seed("play over, perhaps", lambda d: d.opened("1NT P P P").faces("E").lift()),
    Seed(
        "diverged",
        lambda d: d.ready(1).auction("1C P").crosses().call("S", "1H").leaves().tray("NE").seen(s="0"),
    ),
    Seed("contract given", lambda d: _given(d)),
    Seed("passed, but a double is open", lambda d: _stuck(d)),
    Seed("card taken up", lambda d: d.ready(1).auction("1C P 1H P").takes_up("S", "1H")),
)


def _given(driver: Driver) -> None:
    driver.ready(1).call("N", "1C").order(ev.Held)
    driver.correct(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S)).resume()


def _stuck(driver: Driver) -> None:
    driver.ready(1).auction("1C P X P P P")
    assert driver.state.auction.calls.passed_but_open


def _unread(driver: Driver, crossings: int) -> Driver:
    """A table that does not read calls: the tray goes to and fro."""
    driver.board(None).window_closes().tray("NE")
    for _ in range(crossings):
        driver.goes_over()
    return driver


def _unread_over(driver: Driver) -> Driver:
    return _unread(driver, 3).send(ev.AuctionOverPressed, side=ScreenSide.SW)


UNREAD_SEEDS = (
    Seed("nothing yet", lambda d: d.tray("NE")),
    Seed("first push due", lambda d: _unread(d, 0)),
    Seed("in the auction", lambda d: _unread(d, 2)),
    Seed("between the faces", lambda d: _unread(d, 2).leaves()),
    Seed("over", _unread_over),
    Seed("lead down", lambda d: _unread_over(d).lead("W", None)),
    Seed("two leads", lambda d: _unread_over(d).lead("W", None).lead("N", None)),
    Seed("window open", lambda d: _unread_over(d).lead("W", None).by_hand("W")),
    Seed("play over, perhaps", lambda d: _unread_over(d).lead("W", None).by_hand("W").lift()),
    Seed("contract given", lambda d: _unread_given(d)),
    Seed("held", lambda d: _unread(d, 2).order(ev.Held)),
)


def _unread_given(driver: Driver) -> Driver:
    return _unread_over(driver).correct(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
