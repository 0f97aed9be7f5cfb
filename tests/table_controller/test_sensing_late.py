"""A controller that was late takes many readings at once, and knows what had come to rest between them."""

from __future__ import annotations

from firmware_bridge.readings import LevelRead, TokenRead
from table_controller.laws.call import PASS
from table_controller.laws.seat import Seat
from table_controller.screen.events import CallWithdrawn, ClaimMade, Event, SensorDoubted, TrayLeft
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


def at_rest() -> Hand:
    """Everything at the start has been told."""
    hand = Hand()
    hand.done()
    return hand


def test_a_button_is_not_stuck_because_we_were_late_to_hear_of_its_release() -> None:
    hand = at_rest().level("claim.n", True)
    pressed = hand.ms
    hand.heard = hand.ms * MS  # from here on nothing is heard of the wires
    hand.wait(20_000)
    hand.sensing.take(LevelRead(at=(pressed + 300) * MS, signal="claim.n", active=False))
    hand.heard = None
    assert [type(event) for event in hand.done()] == [ClaimMade]


def test_a_button_that_was_heard_to_stay_pressed_is_stuck() -> None:
    hand = at_rest().level("claim.n", True)
    assert [type(event) for event in hand.wait(20_000).done()] == [ClaimMade, SensorDoubted]


def test_a_reader_that_empties_just_before_the_tray_leaves_is_no_withdrawal() -> None:
    assert [type(event) for event in late(5_980, 6_000)] == [TrayLeft]
