"""Each wait of the regulations, tried just before it is over and just after: what differs is said.

A witness takes regulations and raises AssertionError unless the wait is the one all shipped profiles have.
Must never wait in earnest.
"""

from __future__ import annotations

from collections.abc import Callable

from table_controller.laws.call import parse_call
from table_controller.laws.seat import Seat
from table_controller.regulations.model import Regulations
from table_controller.screen import events as ev
from table_controller.screen.senses import Sense
from tests.screen.driving import FULL, HAND_WORKED, Driver


def stalled(regulations: Regulations) -> None:
    driver = Driver(regulations).ready(1).call("N", "1C").call("E", "P").leaves().tick(9.5)
    assert driver.kinds == []
    assert driver.tick(1).kinds == ["TRAY_STALLED"]


def forgotten(regulations: Regulations) -> None:
    driver = Driver(regulations).ready(1).call("N", "1C").call("E", "P").tick(179)
    assert driver.kinds == []
    assert driver.tick(2).kinds == ["TRAY_FORGOTTEN"]


def still_closed(regulations: Regulations) -> None:
    driver = Driver(regulations, HAND_WORKED).contract()
    leader = driver.table.view().leader
    assert leader is not None
    driver.lead(leader.value).send(ev.LeadAnnounced, seat=driver.table.rules.faces.screenmate(leader))
    driver.faces(leader.value) if driver.phase != "opening" else driver.wait(1)
    assert driver.phase == "opening"
    said = [driver.tick(seconds).kinds.count("WINDOW_STILL_CLOSED") for seconds in (55, 8)]
    assert said == [0, 1]


def back_within(regulations: Regulations) -> None:
    """The same board again within a minute was only off the tray; later it has been played."""

    def lifted_for(seconds: float) -> str:
        driver = Driver(regulations, FULL - {Sense.CARDS, Sense.CLAIM}).contract()
        leader = driver.table.view().leader
        assert leader is not None
        driver.lead(leader.value).send(ev.LeadAnnounced, seat=driver.table.rules.faces.screenmate(leader))
        driver.faces(leader.value).window_opens()
        return driver.lift().tick(seconds).board(1).phase

    assert lifted_for(56) != "closing"
    assert lifted_for(62) == "closing"


def simultaneous(regulations: Regulations) -> None:
    def apart(seconds: float) -> list[str]:
        driver = Driver(regulations).ready(1)
        driver.send(ev.CallMade, seat=Seat.N, call=parse_call("1C"))
        driver.send(ev.CallMade, seconds, seat=Seat.E, call=parse_call("1D"))
        for seat in (Seat.N, Seat.E):
            driver.send(ev.CallReleased, 0.001, seat=seat)
        return driver.kinds

    assert apart(0.048) == ["SIMULTANEOUS_CALLS"]
    assert apart(0.052) == []


def out_of_turn_first(regulations: Regulations) -> None:
    """The card out of turn was there first."""

    def apart(seconds: float) -> bool:
        driver = Driver(regulations).ready(1)
        driver.send(ev.CallMade, seat=Seat.E, call=parse_call("1D"))
        driver.send(ev.CallMade, seconds, seat=Seat.N, call=parse_call("1C"))
        for seat in (Seat.N, Seat.E):
            driver.send(ev.CallReleased, 0.001, seat=seat)
        return "SIMULTANEOUS_CALLS" in driver.kinds

    assert apart(0.048)
    assert not apart(0.052)


def taken_back(regulations: Regulations) -> None:
    def after(seconds: float) -> list[str]:
        driver = Driver(regulations).ready(1).call("N", "1NT").send(ev.AlertPlaced, seat=Seat.N)
        return driver.send(ev.AlertRemoved, seconds, seat=Seat.N).kinds

    assert after(0.96) == ["ALERT_TAKEN_BACK_AT_ONCE"]
    assert after(1.04) == []


def clearing(regulations: Regulations) -> None:
    """A face's columns, older cards among them, taken up together are cleared; apart they are withdrawn."""

    def apart(seconds: float) -> list[str]:
        driver = Driver(regulations).ready(1).auction("1C P 1H P").crosses()
        driver.takes_up("N", "1C").tick(seconds)
        return driver.takes_up("E", "P", 0.01).kinds

    assert apart(9.5) == ["AUCTION_NOT_SHOWN"]
    assert apart(10.5) != ["AUCTION_NOT_SHOWN"]


WITNESSES: dict[str, tuple[Callable[[Regulations], None], ...]] = {
    "tray.stalled_after_s": (stalled,),
    "tray.forgotten_after_s": (forgotten,),
    "window.open_within_s": (still_closed,),
    "board.back_within_s": (back_within,),
    "simultaneous.within_ms": (simultaneous, out_of_turn_first),
    "alert.taken_back_under_s": (taken_back,),
    "auction.clearing_within_s": (clearing,),
}
