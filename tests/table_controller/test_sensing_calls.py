"""What bidding cards on the tray mean, from readers in the docks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware_bridge.readings import LevelRead
from table_controller.laws.call import parse_call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    BoardPlaced,
    CallMade,
    CallWithdrawn,
    CardsCleared,
    Column,
    FaultSeen,
    SensorCleared,
    SensorDoubted,
    StopCardSeen,
    TrayArrived,
    TrayLeft,
    TraySeen,
)
from tests.table_controller.wires import MS, Hand, bare, made, names, withdrawn


def started() -> Hand:
    hand = Hand()
    hand.done()
    return hand


def calls(events: Sequence[Any]) -> list[Any]:
    return [bare(e) for e in events if isinstance(e, CallMade | CallWithdrawn)]


def test_the_first_look_tells_where_everything_is() -> None:
    told = Hand().done()
    assert [type(event) for event in told if event.inferred] == [type(event) for event in told]
    assert {"TrayArrived", "TraySeen", "WindowMoved"} == set(names(told))


def test_a_card_laid_is_a_call_at_its_own_time() -> None:
    hand = started()
    hand.text("call.ne.n", "1:1C", after=1_000)
    at = hand.ms * MS
    told = hand.done()
    assert [bare(event) for event in told] == [made("N", "1C")]
    assert told[0].at == at


def test_a_pass_on_a_pass_is_a_second_call() -> None:
    hand = started().text("call.ne.n", "1:P").text("call.ne.n", "2:P", after=2_000)
    assert calls(hand.done()) == [made("N", "P"), made("N", "P")]


def test_a_tray_that_leaves_empties_the_dock_and_that_is_no_withdrawal() -> None:
    hand = started().text("call.ne.n", "1:1C").text("call.ne.e", "1:P", after=900).wait(900)
    told = hand.tray("sw").done()
    assert calls(told) == [made("N", "1C"), made("E", "P")]
    assert names(told)[-3:] == ["TrayLeft", "TrayArrived", "TraySeen"]


def test_readers_may_notice_a_departure_before_the_switch_does() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.text("call.ne.n", "0").level("tray.ne", False, after=150, late=30)
    told = hand.done()
    assert calls(told) == [made("N", "1C")]
    assert names(told)[-1] == "TrayLeft"


def test_a_wire_that_is_late_does_not_look_like_a_tray_that_stays() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.text("call.ne.n", "0")
    emptied = hand.ms * MS
    hand.heard = emptied + 5 * MS
    hand.wait(3_000)
    assert hand.events == []
    hand.take(LevelRead(at=emptied + 10 * MS, signal="tray.ne", active=False))
    hand.heard = None
    assert names(hand.done(1_000)) == ["TrayLeft"]


def test_a_card_taken_off_while_the_tray_stays_is_withdrawn_at_its_own_time() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.text("call.ne.n", "0")
    at = hand.ms * MS
    told = hand.done()
    assert [bare(event) for event in told] == [withdrawn("N", "1C")]
    assert told[0].at == at


def test_a_card_put_back_at_once_is_nothing() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.text("call.ne.n", "0").text("call.ne.n", "1:1C", after=150)
    assert hand.done() == []


def test_a_replaced_card_is_a_withdrawal_and_a_call_in_that_order() -> None:
    hand = started().text("call.ne.n", "2:1C").wait(900)
    hand.done()
    hand.text("call.ne.n", "1:P").text("call.ne.n", "2:1S", after=200)
    told = hand.done()
    assert calls(told) == [withdrawn("N", "1C"), made("N", "1S")]
    assert told[1].at - told[0].at == 200 * MS


def test_a_top_that_changes_in_one_reading_is_both() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    assert calls(hand.text("call.ne.n", "1:1S").done()) == [withdrawn("N", "1C"), made("N", "1S")]


def test_what_lies_beneath_is_remembered_when_the_top_goes() -> None:
    hand = started().text("call.ne.n", "1:1C").text("call.ne.n", "2:3NT", after=50).wait(900)
    hand.done()
    hand.text("call.ne.n", "1:1C").wait(1_000).text("call.ne.n", "0")
    assert calls(hand.done()) == [withdrawn("N", "3NT"), withdrawn("N", "1C")]


def test_several_cards_at_once_give_the_upper_one_and_say_that_more_were_missed() -> None:
    hand = started()
    told = hand.text("call.ne.n", "3:2S").done()
    assert calls(told) == [made("N", "2S")]
    missed = [event for event in told if isinstance(event, FaultSeen)]
    assert [(f.kind, f.component) for f in missed] == [(FaultKind.SENSOR_SUSPECT, "call.ne.n")] * 2


def test_a_stop_card_is_seen_and_is_no_call() -> None:
    hand = started().text("call.ne.n", "1:STOP").text("call.ne.n", "2:2S", after=1_000)
    told = hand.done()
    assert [bare(event) for event in told] == [StopCardSeen(at=0, seat=Seat.N), made("N", "2S")]
    hand.tray("sw")
    seen = [event for event in hand.done() if isinstance(event, TraySeen)]
    assert seen[0].columns[0] == Column(seat=Seat.N, count=1, top=parse_call("2S"))


def test_a_text_nobody_printed_is_a_fault_and_no_call() -> None:
    told = started().text("call.ne.n", "1:8C").done()
    assert [type(event) for event in told] == [FaultSeen]
    assert "call.ne.n" in told[0].component


# --- arrival


def test_what_arrived_is_seen_as_soon_as_the_readers_show_it() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    told = hand.tray("sw").done()
    left, arrived, seen = told
    assert isinstance(left, TrayLeft)
    assert isinstance(arrived, TrayArrived)
    assert isinstance(seen, TraySeen)
    assert seen.at - arrived.at <= 10 * MS
    assert seen.columns[0] == Column(seat=Seat.N, count=1, top=parse_call("1C"))


def test_a_card_that_is_gone_on_arrival_is_seen_to_be_gone_and_not_withdrawn() -> None:
    hand = started().text("call.ne.n", "1:1C").text("call.ne.e", "1:P").wait(900)
    hand.done()
    told = hand.tray("sw", texts={"n": "0"}).done()
    assert calls(told) == []
    assert isinstance(told[-1], TraySeen)
    assert told[-1].columns[0].count == 0
    assert told[-1].columns[1].count == 1


def test_a_card_laid_before_the_readers_have_settled_is_a_call_of_this_visit() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.level("tray.ne", False).text("call.ne.n", "0", after=2).level("tray.sw", True, after=700)
    told = hand.text("call.sw.s", "1:1H", after=40).text("call.sw.n", "1:1C", after=20).done()
    assert names(told) == ["TrayLeft", "TrayArrived", "TraySeen", "CallMade"]
    assert told[2].columns[2].count == 0
    assert bare(told[3]) == made("S", "1H")
    assert told[3].not_before == told[1].at


def test_a_call_right_after_arrival_does_not_wait() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.tray("sw").text("call.sw.s", "1:1H", after=30)
    at = hand.ms * MS
    hand.wait(60)
    assert next(event for event in hand.events if isinstance(event, CallMade)).at == at


def test_cards_of_an_unknown_tray_are_seen_and_are_nobodys_calls() -> None:
    hand = Hand(texts={"call.ne.n": "2:1S", "call.ne.e": "1:P"})
    told = hand.done()
    assert calls(told) == []
    seen = [event for event in told if isinstance(event, TraySeen)]
    assert [(c.count, str(c.top)) for c in seen[0].columns if c.count] == [(2, "1S"), (1, "P")]


# --- clearing


def test_both_columns_of_a_face_taken_up_within_ten_seconds_is_clearing() -> None:
    hand = started().text("call.ne.n", "1:1C").text("call.ne.e", "1:P").wait(900)
    hand.done()
    told = hand.text("call.ne.n", "0").text("call.ne.e", "0", after=4_000).done()
    assert names(told) == ["CallWithdrawn", "CallWithdrawn", "CardsCleared"]
    assert [e.side for e in told if isinstance(e, CardsCleared)] == [ScreenSide.NE]


def test_a_lone_call_taken_back_is_no_clearing() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    assert names(hand.text("call.ne.n", "0").done()) == ["CallWithdrawn"]


def test_columns_taken_up_far_apart_are_no_clearing() -> None:
    hand = started().text("call.ne.n", "1:1C").text("call.ne.e", "1:P").wait(900)
    hand.done()
    told = hand.text("call.ne.n", "0").text("call.ne.e", "0", after=11_000).done()
    assert "CardsCleared" not in names(told)


def test_boxes_full_again_after_the_columns_are_no_second_clearing() -> None:
    hand = Hand(active=("tray.ne", "window.open", "cleared.ne", "cleared.sw"))
    hand.text("call.ne.n", "1:1C").text("call.ne.e", "1:P").level("cleared.ne", False).wait(900)
    hand.done()
    hand.text("call.ne.n", "0").text("call.ne.e", "0", after=500).level("cleared.ne", True, after=2_000)
    assert names(hand.done()).count("CardsCleared") == 1


# --- what cannot be true


def test_tray_on_both_faces_freezes_everything_and_recovers() -> None:
    hand = started().text("call.ne.n", "1:1C").wait(900)
    hand.done()
    hand.level("tray.sw", True).text("call.ne.n", "0", after=500).level("tray.sw", False, after=2_500)
    hand.text("call.ne.n", "1:1C")
    told = hand.done()
    doubted, cleared = told[0], told[1]
    assert isinstance(doubted, SensorDoubted)
    assert (doubted.sense, doubted.kind) == ("tray", FaultKind.SENSOR_CONFLICT)
    assert isinstance(cleared, SensorCleared)
    assert doubted.at < cleared.at
    assert calls(told) == []
    assert not any(isinstance(event, TrayLeft | TrayArrived) for event in told)


def test_a_conflict_is_said_within_two_seconds() -> None:
    hand = started()
    hand.level("tray.sw", True)
    hand.wait(2_000)
    assert names(hand.events) == ["SensorDoubted"]


def test_a_tray_that_moved_during_a_conflict_is_told_as_inferred_with_its_interval() -> None:
    hand = started()
    hand.level("tray.sw", True)
    began = hand.ms * MS
    hand.level("tray.ne", False, after=3_000)
    told = [event for event in hand.done() if isinstance(event, TrayLeft | TrayArrived)]
    assert [(type(e), e.inferred, e.not_before) for e in told] == [
        (TrayLeft, True, began),
        (TrayArrived, True, began),
    ]


def test_a_short_overlap_of_the_docks_is_a_crossing_and_no_conflict() -> None:
    told = started().level("tray.sw", True).level("tray.ne", False, after=300).done()
    assert names(told) == ["TrayLeft", "TrayArrived", "TraySeen"]


def test_cards_read_where_the_switch_sees_no_tray_make_the_switch_suspect() -> None:
    hand = started()
    hand.level("tray.ne", False)
    hand.text("call.sw.n", "1:1C", after=800).wait(2_500)
    doubted = [event for event in hand.events if isinstance(event, SensorDoubted)]
    assert [event.component for event in doubted] == ["tray.sw"]
    hand.level("tray.sw", True)
    assert any(isinstance(event, SensorCleared) for event in hand.done())


def test_events_leave_in_the_order_they_happened_whatever_their_debounce() -> None:
    hand = started().level("director.n", True)
    earlier = (hand.ms - 20) * MS
    hand.take(LevelRead(at=earlier, signal="announced.w", active=True))
    hand.level("director.n", False, after=50).level("announced.w", False)
    told = hand.done()
    assert names(told) == ["LeadAnnounced", "DirectorSummoned"]
    assert told[0].at == earlier


def test_a_board_tag_is_read_with_dealer_and_vulnerability() -> None:
    told = started().level("board.present", True).text("board.id", "7:E:All", after=50).done()
    placed = [event for event in told if isinstance(event, BoardPlaced)]
    assert [(p.number, p.dealer, str(p.vulnerability)) for p in placed] == [(7, Seat.E, "Both")]
