"""A controller that was late takes many readings at once, and still knows what had come to rest between them."""

from __future__ import annotations

from firmware_bridge.readings import LevelRead, TokenRead
from table_controller.laws.call import PASS
from table_controller.screen.events import CallWithdrawn, Event, TrayLeft

from tests.table_controller.wires import MS, Hand


def late(hand: Hand, lifted: int, left: int) -> list[Event]:
    """A card laid, taken off at `lifted` and the tray gone at `left` ms, all taken in one go."""
    hand.wait(100)
    hand.take(TokenRead(at=100 * MS, signal="call.ne.n", token="1:P"))
    hand.wait(100)
    for reading in (
        TokenRead(at=lifted * MS, signal="call.ne.n", token="0"),
        LevelRead(at=left * MS, signal="tray.ne", active=False),
    ):
        hand.sensing.take(reading)
    return hand.sensing.tick(3_000 * MS)


def test_a_card_taken_off_long_before_the_tray_left_was_withdrawn() -> None:
    events = late(Hand(), 1_000, 2_000)
    assert [type(event) for event in events] == [CallWithdrawn, TrayLeft]
    assert events[0] == CallWithdrawn(at=1_000 * MS, seat=events[0].seat, call=PASS)  # type: ignore[union-attr]


def test_a_reader_that_empties_just_before_the_tray_leaves_is_no_withdrawal() -> None:
    events = late(Hand(), 1_980, 2_000)
    assert [type(event) for event in events] == [TrayLeft]
