"""The physical table: what its wires and readers tell, and when."""

from __future__ import annotations

import pytest

from firmware_bridge.readings import Direction
from hw_sim.players.hands import Impossible
from hw_sim.table.body import Body
from hw_sim.table.changes import MS, Change, LevelChange, TokenChange, Travel
from hw_sim.table.tags import BoardTag
from hw_sim.table.window_panel import CLOSED
from table_controller.laws.board import Vulnerability
from table_controller.laws.call import PASS, parse_call
from table_controller.laws.card import parse_card
from table_controller.laws.seat import ScreenSide, Seat


def told(changes: list[Change]) -> list[str]:
    """Changes as `signal=text@ms`, levels as + and -."""
    lines = []
    for change in changes:
        match change:
            case LevelChange():
                lines.append(f"{'+' if change.active else '-'}{change.signal}@{change.at // MS}")
            case TokenChange():
                lines.append(f"{change.signal}={change.token}@{change.at // MS}")
    return lines


def after(body: Body, ms: int) -> list[str]:
    body.advance(body.now + ms * MS)
    return told(body.take_changes())


def test_a_push_leaves_one_dock_and_reaches_the_other_after_the_travel() -> None:
    body = Body(travel=Travel(tray_clears=50 * MS, tray=900 * MS, reader=15 * MS))
    body.lay_call(Seat.N, PASS)
    after(body, 1_000)
    body.push_tray(Seat.N)
    assert after(body, 2_000) == [
        "+tray.handle.n@1000",
        "-tray.ne@1050",
        "call.ne.n=0@1065",
        "-tray.handle.n@1100",
        "+tray.sw@1900",
        "call.sw.n=1:P@1915",
    ]


def test_a_dock_reads_columns_only_while_the_tray_is_there() -> None:
    body = Body(tray_on=ScreenSide.SW)
    body.lay_call(Seat.S, parse_call("1C"))
    body.lay_call(Seat.W, PASS)
    after(body, 100)
    tokens = body.tokens()
    assert (tokens["call.sw.s"], tokens["call.sw.w"], tokens["call.ne.s"]) == ("1:1C", "1:P", "0")


def test_a_pass_upon_a_pass_shows_in_the_count() -> None:
    body = Body()
    body.lay_call(Seat.N, PASS)
    after(body, 100)
    body.lay_call(Seat.N, PASS)
    assert "call.ne.n=2:P@115" in after(body, 100)


def test_nobody_reaches_the_tray_on_the_other_face_while_the_window_is_not_open() -> None:
    body = Body(window=CLOSED)
    with pytest.raises(Impossible, match="S cannot reach the tray, which is on face NE"):
        body.lay_call(Seat.S, PASS)


def test_through_the_open_window_everybody_takes_up_his_cards() -> None:
    body = Body(window=CLOSED)
    body.lay_call(Seat.N, PASS)
    body.move_window(Seat.S, Direction.OPEN)
    after(body, 1_000)
    body.clear_cards(Seat.N)
    body.clear_cards(Seat.S)
    assert "call.ne.n=0@1015" in after(body, 100)


def test_only_who_sits_where_the_tray_is_can_push_it() -> None:
    with pytest.raises(Impossible, match="S cannot push the tray"):
        Body().push_tray(Seat.S)


def test_a_latch_keeps_the_tray() -> None:
    body = Body(latched_tray=True)
    body.set_output("hold.ne", True)
    with pytest.raises(Impossible, match="latch on face NE"):
        body.push_tray(Seat.N)
    body.set_output("hold.ne", False)
    body.push_tray(Seat.N)


def test_a_tray_stopped_on_its_way_arrives_only_when_moved_on() -> None:
    body = Body()
    body.push_tray(Seat.N)
    after(body, 100)
    body.stop_tray()
    assert "+tray.sw@" not in " ".join(after(body, 20_000))
    assert body.tray_at is None
    body.move_tray_on()
    after(body, 1_000)
    assert body.tray_at is ScreenSide.SW


def test_a_tray_can_come_back_to_the_face_it_left() -> None:
    body = Body()
    body.push_tray(Seat.N)
    after(body, 100)
    body.stop_tray()
    body.move_tray_on(ScreenSide.NE)
    after(body, 1_000)
    assert body.tray_at is ScreenSide.NE


def test_the_motor_moves_the_window_from_limit_to_limit() -> None:
    body = Body(travel=Travel(window=1_000 * MS))
    body.drive_window(Direction.CLOSE)
    assert after(body, 3_000) == ["-window.open@40", "+window.closed@960"]
    assert body.window_closed


def test_the_window_stops_where_the_motor_stops() -> None:
    body = Body(travel=Travel(window=1_000 * MS))
    body.drive_window(Direction.CLOSE)
    after(body, 500)
    body.drive_window(Direction.STOP)
    assert after(body, 3_000) == []
    assert not body.window_closed
    assert not body.window_open


def test_a_hand_is_stronger_than_the_motor_until_it_lets_go() -> None:
    body = Body(window=CLOSED, travel=Travel(window=1_000 * MS, window_by_hand=500 * MS))
    body.drive_window(Direction.CLOSE)
    body.move_window(Seat.W, Direction.OPEN)
    told_now = after(body, 499)
    assert told_now == ["+window.handle.w@0", "-window.closed@20", "+window.open@480"]
    assert after(body, 2_000) == ["-window.handle.w@500", "-window.open@540", "+window.closed@1460"]


def test_a_jammed_window_does_not_move() -> None:
    body = Body()
    body.jam_window(True)
    body.drive_window(Direction.CLOSE)
    assert after(body, 5_000) == []


def test_a_lead_face_down_and_turned() -> None:
    body = Body()
    body.lay_lead(Seat.W)
    body.face_lead(Seat.W)
    body.lift_lead(Seat.W)
    assert after(body, 1) == ["+lead.w.present@0", "+lead.w.faced@0", "-lead.w.faced@0", "-lead.w.present@0"]


def test_a_card_not_there_cannot_be_faced_or_taken_off() -> None:
    body = Body()
    with pytest.raises(Impossible, match="no card on his lead spot"):
        body.face_lead(Seat.W)
    with pytest.raises(Impossible, match="no card on the tray"):
        body.lift_call(Seat.N)


def test_a_button_is_held_for_its_time() -> None:
    body = Body(travel=Travel(press=200 * MS))
    body.press_director(Seat.E)
    assert after(body, 1_000) == ["+director.e@0", "-director.e@200"]


def test_the_cleared_switch_tells_when_both_boxes_are_full() -> None:
    body = Body()
    body.lay_call(Seat.N, PASS)
    body.lay_call(Seat.E, PASS)
    body.clear_cards(Seat.N)
    assert body.levels()["cleared.ne"] is False
    body.clear_cards(Seat.E)
    assert body.levels()["cleared.ne"] is True


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        (BoardTag(number=7), "7"),
        (BoardTag(number=7, dealer=Seat.E, vulnerability=Vulnerability.NS), "7:E:NS"),
        (BoardTag(dealer=Seat.W, vulnerability=Vulnerability.BOTH), ":W:All"),
        (BoardTag(number=128, dealer=Seat.N, vulnerability=Vulnerability.NONE), "128:N:None"),
    ],
)
def test_a_board_is_tagged_as_it_is_printed(tag: BoardTag, text: str) -> None:
    body = Body()
    body.place_board(tag)
    assert f"board.id={text}@0" in after(body, 1)


def test_a_tag_that_says_nothing_or_too_much_is_refused() -> None:
    with pytest.raises(ValueError, match="its number, its dealer, or both"):
        BoardTag()
    with pytest.raises(ValueError, match="at most 12 characters"):
        BoardTag(number=1_234_567, dealer=Seat.N, vulnerability=Vulnerability.NONE)


def test_no_changes_are_told_before_something_happens() -> None:
    assert after(Body(), 10_000) == []


def test_cards_lie_on_their_spots_until_the_trick_is_turned() -> None:
    body = Body()
    body.play_card(Seat.W, parse_card("SQ"))
    body.turn_trick()
    assert after(body, 1) == ["card.w=SQ@0", "card.w=@0"]


def test_time_does_not_go_back() -> None:
    body = Body()
    body.advance(5)
    with pytest.raises(ValueError, match="does not go back"):
        body.advance(4)


def test_a_demonstration_is_never_quicker_than_the_hardware_can_tell() -> None:
    assert Travel().at_speed(1) == Travel()
    assert Travel().at_speed(1_000) == Travel.quickest()
