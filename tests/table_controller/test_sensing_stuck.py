"""Inputs that no longer tell: within one board something else contradicts them, and only then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table_controller.screen.events import BoardPlaced, SensorCleared, SensorDoubted
from tests.table_controller.wires import Hand

HANDS = ("hand.n", "hand.e", "hand.s", "hand.w")


def doubted(events: Sequence[Any]) -> list[str]:
    return [event.component for event in events if isinstance(event, SensorDoubted)]


def board(hand: Hand) -> Hand:
    """A board laid, its hands taken and put back, and lifted."""
    hand.level("board.present", True).text("board.id", "4").wait(2_000)
    for name in HANDS:
        hand.level(name, False, after=50)
    hand.wait(5_000)
    for name in HANDS:
        hand.level(name, True, after=50)
    return hand.level("board.present", False, after=1_000).text("board.id", "")


def started(*active: str) -> Hand:
    hand = Hand(active=("tray.ne", "window.open", *HANDS, *active))
    hand.done()
    return hand


def test_a_lead_spot_that_sees_a_card_through_a_whole_board_is_suspect_until_it_changes() -> None:
    hand = board(started("lead.e.present"))
    assert doubted(hand.done()) == ["lead.e.present"]
    told = hand.level("lead.e.present", False).done()
    assert [event.component for event in told if isinstance(event, SensorCleared)] == ["lead.e.present"]


def test_a_lead_that_was_taken_up_in_time_is_not() -> None:
    hand = started("lead.e.present")
    hand.level("lead.e.present", False, after=500)
    assert doubted(board(hand).done()) == []


def test_a_slot_that_stays_full_while_the_others_are_emptied_is_suspect() -> None:
    hand = started()
    hand.level("board.present", True).text("board.id", "4").wait(1_000)
    for name in HANDS[1:]:
        hand.level(name, False, after=50)
    hand.level("board.present", False, after=5_000).text("board.id", "")
    assert doubted(hand.done()) == ["hand.n"]


def test_a_board_laid_and_lifted_unplayed_makes_no_slot_suspect() -> None:
    hand = started().level("board.present", True).text("board.id", "4")
    hand.level("board.present", False, after=4_000).text("board.id", "")
    assert doubted(hand.done()) == []


def test_a_dock_the_tray_never_reaches_however_often_it_leaves_is_suspect_and_mends_by_telling() -> None:
    plain = frozenset({"tray.ne", "tray.sw", "board.present"})
    hand = Hand(plain, active=("tray.ne",))
    hand.level("board.present", True)
    for _ in range(3):
        hand.level("tray.ne", False, after=2_000).level("tray.ne", True, after=3_000)
    hand.level("board.present", False, after=1_000)
    assert doubted(hand.done()) == ["tray.sw"]
    told = hand.level("tray.ne", False).level("tray.sw", True, after=900).done()
    assert [event.component for event in told if isinstance(event, SensorCleared)] == ["tray.sw"]


def test_a_tray_pushed_half_way_and_back_once_is_no_broken_dock() -> None:
    plain = frozenset({"tray.ne", "tray.sw", "board.present"})
    hand = Hand(plain, active=("tray.ne",))
    hand.level("board.present", True)
    hand.level("tray.ne", False, after=2_000).level("tray.ne", True, after=3_000)
    hand.level("board.present", False, after=1_000)
    assert doubted(hand.done()) == []


def test_a_tag_without_a_board_makes_the_switch_suspect_and_the_tag_the_board() -> None:
    told = started().text("board.id", "9").done(3_000)
    assert doubted(told) == ["board.present"]
    assert [event.number for event in told if isinstance(event, BoardPlaced)] == [9]
