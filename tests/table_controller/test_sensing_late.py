"""A controller that was late takes many readings at once, and knows what had come to rest between them."""

from __future__ import annotations

from firmware_bridge.readings import LevelRead, TokenRead
from table_controller.laws.call import PASS
from table_controller.laws.seat import Seat
from table_controller.screen.events import CallWithdrawn, Event, TrayLeft
from tests.table_controller.wires import MS, Hand


def late(lifted: int, left: int) -> list[Event]:
    """A call lies there; it is taken off at `lifted` and the tray gone at `left` ms, both taken in one go."""
    hand = Hand().text("call.ne.n", "1:P", after=1_000)
    hand.done()
    for reading in (
        TokenRead(at=lifted * MS, signal="call.ne.n", token="0"),
        LevelRead(at=left * MS, signal="tray.ne", active=False),
    ):
        hand.sensing.take(reading)
    return hand.sensing.tick(9_000 * MS)


def test_a_card_taken_off_long_before_the_tray_left_was_withdrawn() -> None:
    events = late(5_000, 6_000)
    assert [type(event) for event in events] == [CallWithdrawn, TrayLeft]
    assert events[0] == CallWithdrawn(at=5_000 * MS, seat=Seat.N, call=PASS)


def test_a_reader_that_empties_just_before_the_tray_leaves_is_no_withdrawal() -> None:
    assert [type(event) for event in late(5_980, 6_000)] == [TrayLeft]
