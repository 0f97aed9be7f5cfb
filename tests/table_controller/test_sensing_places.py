"""Window, leads, board, hands and everything with a single switch."""

from __future__ import annotations

from typing import Any

from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    AlertPlaced,
    AlertRemoved,
    AuctionOverPressed,
    BoardPlaced,
    BoardRemoved,
    CallReleased,
    CardPlayed,
    CardsCleared,
    ClaimMade,
    FaultSeen,
    HandsTaken,
    LeadAnnounced,
    LeadFaced,
    LeadMade,
    LeadWithdrawn,
    SeatTaken,
    SensorCleared,
    SensorDoubted,
    SensorsRead,
    TrayHandled,
    WindowHandled,
    WindowMoved,
    WindowOrder,
    WindowState,
)
from tests.table_controller.wires import ALL, MS, Hand, bare, names


def started(**kwargs: Any) -> Hand:
    hand = Hand(**kwargs)
    hand.done()
    return hand


# --- window


def test_the_window_is_followed_with_the_order_that_moved_it() -> None:
    hand = started()
    hand.sensing.ordered(WindowOrder.CLOSE, hand.ms * MS)
    hand.level("window.open", False, after=100).level("window.closed", True, after=800)
    hand.wait(100)
    hand.sensing.ordered(None, hand.ms * MS)
    hand.level("window.closed", False, after=5_000)
    moved = [event for event in hand.done() if isinstance(event, WindowMoved)]
    assert [(m.state, m.order) for m in moved] == [
        (WindowState.BETWEEN, WindowOrder.CLOSE),
        (WindowState.CLOSED, WindowOrder.CLOSE),
        (WindowState.BETWEEN, None),
    ]


def test_a_movement_before_our_order_is_not_ours() -> None:
    hand = started()
    hand.level("window.open", False, after=100)
    hand.sensing.ordered(WindowOrder.CLOSE, (hand.ms + 1) * MS)
    moved = [event for event in hand.done() if isinstance(event, WindowMoved)]
    assert [m.order for m in moved] == [None]


def test_both_limits_are_a_conflict_that_clears_by_itself() -> None:
    hand = started()
    hand.level("window.closed", True).wait(1_900)
    assert [(e.sense, e.kind) for e in hand.events if isinstance(e, SensorDoubted)] == [
        ("window", FaultKind.SENSOR_CONFLICT)
    ]
    hand.events.clear()
    told = hand.level("window.closed", False).done()
    assert [type(event) for event in told] == [SensorCleared, SensorsRead]


# --- lead


def test_a_lead_face_down_then_faced() -> None:
    hand = started().level("lead.w.present", True)
    at = hand.ms * MS
    told = hand.level("lead.w.faced", True, after=4_000).done()
    assert [bare(event) for event in told] == [
        LeadMade(at=0, seat=Seat.W, faced=False),
        LeadFaced(at=0, seat=Seat.W),
    ]
    assert told[0].at == at


def test_a_lead_laid_face_up_is_seen_face_up_though_its_sensors_differ_a_little() -> None:
    told = started().level("lead.w.present", True).level("lead.w.faced", True, after=60).done()
    assert [bare(event) for event in told] == [LeadMade(at=0, seat=Seat.W, faced=True)]
    told = started().level("lead.w.faced", True).level("lead.w.present", True, after=60).done()
    assert [bare(event) for event in told] == [LeadMade(at=0, seat=Seat.W, faced=True)]


def test_a_lead_that_only_touched_the_table_was_made_and_withdrawn() -> None:
    told = started().level("lead.e.present", True).level("lead.e.present", False, after=60).done()
    assert [type(event) for event in told] == [LeadMade, LeadWithdrawn]


def test_without_a_face_sensor_the_face_is_unknown() -> None:
    plain = frozenset(name for name in ALL if not name.endswith("faced"))
    told = started(signals=plain).level("lead.w.present", True).done()
    assert [bare(event) for event in told] == [LeadMade(at=0, seat=Seat.W, faced=None)]


# --- board


def test_a_board_waits_a_moment_for_its_tag() -> None:
    hand = started().level("board.present", True)
    at = hand.ms * MS
    told = hand.text("board.id", "12", after=200).done()
    assert [bare(event) for event in told] == [BoardPlaced(at=0, number=12)]
    assert told[0].at == at


def test_a_board_without_a_tag_is_placed_all_the_same() -> None:
    assert [bare(e) for e in started().level("board.present", True).done()] == [BoardPlaced(at=0)]


def test_a_tag_that_is_lost_while_the_board_lies_is_no_removal() -> None:
    hand = started().level("board.present", True).text("board.id", "12")
    hand.done()
    assert hand.text("board.id", "").text("board.id", "12", after=900).done() == []
    told = hand.level("board.present", False).text("board.id", "").done()
    assert [bare(event) for event in told] == [BoardRemoved(at=0)]


def test_another_tag_is_another_board() -> None:
    hand = started().level("board.present", True).text("board.id", "12")
    hand.done()
    assert [bare(event) for event in hand.text("board.id", "13").done()] == [BoardPlaced(at=0, number=13)]


def test_where_there_is_only_a_tag_the_tag_is_the_board() -> None:
    tag_only = ALL - {"board.present"}
    hand = started(signals=tag_only).text("board.id", "5")
    assert [bare(event) for event in hand.text("board.id", "", after=500).done()] == [
        BoardPlaced(at=0, number=5),
        BoardRemoved(at=0),
    ]


def test_a_tag_nobody_printed_is_a_fault_and_a_board_of_unknown_number() -> None:
    told = started().level("board.present", True).text("board.id", "seven").done()
    assert [type(event) for event in told] == [BoardPlaced, FaultSeen] or names(told) == [
        "FaultSeen",
        "BoardPlaced",
    ]


# --- cards, seats, hands


def test_cards_and_players_are_read() -> None:
    told = started().text("card.w", "SQ").text("card.w", "").text("card.n", "HT").text("seat.n", "A17").done()
    assert [type(event) for event in told] == [CardPlayed, CardPlayed, SeatTaken]


def test_a_card_that_flickers_under_its_reader_is_played_once() -> None:
    hand = started().text("card.w", "SQ").text("card.w", "", after=50).text("card.w", "SQ", after=50)
    assert names(hand.done()) == ["CardPlayed"]


def test_hands_are_taken_out_of_the_board_that_lies_there() -> None:
    hand = started()
    for seat in "nesw":
        hand.level(f"hand.{seat}", True)
    hand.level("board.present", True)
    hand.level("hand.e", False, after=1_000)
    assert [bare(event) for event in hand.done()][1:] == [HandsTaken(at=0, seat=Seat.E)]


def test_an_empty_slot_at_the_start_took_no_hand() -> None:
    assert not any(isinstance(event, HandsTaken) for event in Hand().done())


# --- single switches


def test_switches_tell_what_they_are() -> None:
    hand = started()
    hand.press("announced.e").press("claim.s").press("auction_over.sw")
    hand.level("alert.n", True).level("alert.n", False, after=2_000)
    hand.level("released.s", True).level("released.s", False, after=300)
    hand.level("tray.handle.n", True).level("tray.handle.n", False, after=300)
    hand.level("window.handle.w", True).level("window.handle.w", False, after=300)
    assert [bare(event) for event in hand.done()] == [
        LeadAnnounced(at=0, seat=Seat.E),
        ClaimMade(at=0, seat=Seat.S),
        AuctionOverPressed(at=0, side=ScreenSide.SW),
        AlertPlaced(at=0, seat=Seat.N),
        AlertRemoved(at=0, seat=Seat.N),
        CallReleased(at=0, seat=Seat.S),
        TrayHandled(at=0, seat=Seat.N, held=True),
        TrayHandled(at=0, seat=Seat.N, held=False),
        WindowHandled(at=0, seat=Seat.W, held=True),
        WindowHandled(at=0, seat=Seat.W, held=False),
    ]


def test_boxes_filled_again_are_clearing() -> None:
    hand = started(active=("tray.ne", "window.open", "cleared.ne"))
    hand.level("cleared.ne", False, after=500).level("cleared.ne", True, after=60_000)
    assert [bare(event) for event in hand.done()] == [CardsCleared(at=0, side=ScreenSide.NE)]


def test_signals_that_are_not_wired_are_nothing() -> None:
    hand = started(signals=frozenset({"tray.ne", "tray.sw"}), active=("tray.ne",))
    hand.level("director.n", True)
    assert hand.done() == []


def moved_by_itself(hand: Hand) -> list[str]:
    return [e.kind.value for e in hand.done() if isinstance(e, FaultSeen)]


def test_a_window_that_leaves_its_limit_with_no_order_and_no_hand_moved_by_itself() -> None:
    hand = started().level("window.open", False, after=100)
    assert moved_by_itself(hand) == ["WINDOW_MOVED_BY_ITSELF"]


def test_a_window_moved_by_a_hand_on_a_handle_or_by_our_order_did_not() -> None:
    hand = started().level("window.handle.w", True).level("window.open", False, after=50)
    assert moved_by_itself(hand) == []
    hand = started()
    hand.sensing.ordered(WindowOrder.CLOSE, hand.ms * MS)
    assert moved_by_itself(hand.level("window.open", False, after=50)) == []


def test_where_not_every_handle_would_tell_nothing_is_said_of_who_moved_it() -> None:
    hand = started(signals=ALL - {"window.handle.e"}).level("window.open", False, after=50)
    assert moved_by_itself(hand) == []
