"""LIN as it is found."""

from pathlib import Path

import pytest

from hw_sim.records import Alert, Game, RecordedGame, RefusedGame, read_records, read_text
from table_controller.laws.board import Vulnerability
from table_controller.laws.seat import Seat

DATA = Path(__file__).parent / "data"
HANDS = "S98HQ964DQT94CKQ8,SKQ65H2DJ72CJT974,SJ72HAKJ853DA83CA,"
FOURTH = "SAT43HT7DK65C6532"


def games(text: str) -> list[Game]:
    return list(read_text(text, "x.lin"))


def game(text: str) -> RecordedGame:
    (found,) = games(text)
    assert isinstance(found, RecordedGame), found
    return found


def calls(found: Game) -> str:
    assert isinstance(found, RecordedGame), found
    return " ".join(str(made) for made in found.calls)


@pytest.mark.parametrize(("digit", "dealer"), [("1", "S"), ("2", "W"), ("3", "N"), ("4", "E")])
def test_the_dealer_is_a_digit_from_south(digit: str, dealer: str) -> None:
    found = game(f"pn|a,b,c,d|st||md|{digit}{HANDS}|sv|o|mb|1C|mb|p|mb|p|mb|p|pg||")
    assert found.dealer is Seat(dealer)
    assert found.calls[0].seat is Seat(dealer)


@pytest.mark.parametrize("fourth", ["", FOURTH], ids=["fourth hand left out", "fourth hand given"])
def test_the_fourth_hand_follows_from_the_other_three(fourth: str) -> None:
    found = game(f"md|1{HANDS}{fourth}|sv|o|mb|p|mb|p|mb|p|mb|p|")
    assert found.hands is not None
    assert "S3" in {str(card) for card in found.hands.of(Seat.E)}
    assert found.remarks == ()


def test_hands_that_are_not_whole_are_unknown() -> None:
    found = game("md|1S98HQ964DQT94CKQ8,,,|sv|o|mb|p|mb|p|mb|p|mb|p|")
    assert found.hands is None
    assert any("0 cards" in remark for remark in found.remarks)


@pytest.mark.parametrize(
    ("sv", "read"),
    [
        ("o", Vulnerability.NONE),
        ("0", Vulnerability.NONE),
        ("n", Vulnerability.NS),
        ("e", Vulnerability.EW),
        ("B", Vulnerability.BOTH),
    ],
)
def test_vulnerability(sv: str, read: Vulnerability) -> None:
    assert game(f"md|1{HANDS}|sv|{sv}|mb|1C|mb|p|mb|p|mb|p|").vulnerability is read


CALLS = [
    pytest.param(
        "mb|1n|mb|D|mb|r|mb|p|mb|P|mb|p|", "S:1NT W:X N:XX E:P S:P W:P", id="letters of either case"
    ),
    pytest.param("mb|1NTpp|mb|dbl|mb|ppp|", "S:1NT W:P N:P E:X S:P W:P N:P", id="several in one value"),
    pytest.param("mb|1C!|mb|p|nt|a\nlong\nchat|pg||\nmb|p|mb|p|", "S:1C W:P N:P E:P", id="chatter between"),
    pytest.param("mb|1C|mb|1Smb|p|", None, id="a bar is missing: no call"),
    pytest.param("mb|1C|mb|p|mb|p\nmb|p|", "S:1C W:P N:P E:P", id="a bar is missing at the end of a line"),
    pytest.param("mb|2C|mb|1C|mb|p|mb|p|mb|p|", "S:2C W:1C N:P E:P S:P", id="irregular calls are calls"),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_calls(text: str, expected: str | None) -> None:
    (found,) = games(f"qx|o1|md|1{HANDS}|sv|o|{text}pg||")
    if expected is None:
        assert isinstance(found, RefusedGame)
        assert found.reason.startswith("call 2 cannot be read")
    else:
        assert calls(found) == expected


def test_an_explanation_is_of_the_call_before_it_and_a_mark_is_an_alert() -> None:
    found = game(f"md|1{HANDS}|sv|o|mb|1C!|an|strong|mb|1D|an|weak, {{red}}|mb|p!|mb|p|mb|p|")
    assert found.alerts == (Alert(call=0, text="strong"), Alert(call=1, text="weak, {red}"), Alert(call=2))


def test_cards_are_in_order_and_belong_to_who_was_dealt_them() -> None:
    head = f"md|1{HANDS}|sv|o|mb|1N|mb|p|mb|p|mb|p|"
    found = game(f"{head}pc|S5|pc|S2|pc|SA|pc|S8|pg||pc|D10|mc|7|")
    assert [str(played) for played in found.play] == ["W:S5", "N:S2", "E:SA", "S:S8", "S:DT"]
    assert (found.claimed, found.result) == (7, 7)
    assert found.remarks == ("S played DT when it was E's turn",)
    assert game(f"{head}pc|S5S2|pc|zz|pc|SA|").remarks == (
        "a card cannot be read, and the play from it on was not read: 'zz'",
    )


class TestGamesOfAFile:
    def test_room_and_board(self) -> None:
        one = f"md|1{HANDS}|sv|o|mb|1C|mb|p|mb|p|mb|p|pg||\n"
        found = games(f"pn|a,b|pg||\nqx|o12|{one}qx|c12|{one}qx|o3|{one}")
        assert [(g.room, g.board, g.game) for g in found] == [
            ("Open", 12, 1),
            ("Closed", 12, 2),
            ("Open", 3, 3),
        ]

    def test_one_game_a_line_without_room_and_board(self) -> None:
        line = f"pn|a,b,c,d|st||md|1{HANDS}|rh||ah|Board %s|sv|o|mb|1C|mb|p|mb|p|mb|p|pg||\n"
        assert [
            g.board for g in games("".join(line.replace("%s", number) for number in ("15", "2", "3")))
        ] == [15, 2, 3]

    def test_a_board_named_before_its_deal(self) -> None:
        line = f"ah|Board %s|md|1{HANDS}|sv|o|mb|1C|mb|p|mb|p|mb|p|pg||\n"
        assert [g.board for g in games("".join(line.replace("%s", number) for number in ("15", "2")))] == [
            15,
            2,
        ]

    def test_the_list_of_results_is_compared_and_the_calls_win(self) -> None:
        one = f"md|1{HANDS}|sv|o|mb|1C|mb|p|mb|p|mb|p|pg||\n"
        head = "vg|A, final,Part 1,I,7,8,Home,0,Away,0|rs|1CS+1,2DEx-1,PASS,,|\n"
        found = games(f"{head}qx|o7|{one}qx|c7|{one}qx|o8|{one}qx|c8|{one}")
        assert all(isinstance(g, RecordedGame) for g in found)
        said = [g.recorded_contract for g in found if isinstance(g, RecordedGame)]
        assert said == ["1C", "2DX", "Pass", None]
        first, second = found[0], found[1]
        assert isinstance(first, RecordedGame)
        assert isinstance(second, RecordedGame)
        assert (first.result, first.recorded_declarer) == (8, Seat.S)
        assert second.result is None, "of a contract that was not called"
        assert "the record says the contract is 2DX, its calls say 1C" in second.remarks

    def test_a_board_never_played_is_refused(self) -> None:
        found = games(f"qx|o1|pg||qx|c1|st||md|1{HANDS}|sv|o|nt|nobody came|pg||")
        assert [getattr(g, "reason", "") for g in found] == ["no calls are recorded"] * 2


def test_the_ugly_file() -> None:
    """Commas in names and title, a bar in the chat, rooms mixed, a hand given, calls joined, open values."""
    one, two, three, four, five, six = read_records([DATA / "ugly.lin"])
    assert calls(one) == "E:P S:P W:2H N:P E:P S:P"
    assert isinstance(one, RecordedGame)
    assert one.alerts == (Alert(call=1, text="not strong"), Alert(call=2, text="weak"))
    assert (one.room, one.board, one.claimed) == ("Open", 2, 8)
    assert calls(two) == "S:1NT W:X N:XX E:P S:P W:P"
    assert isinstance(two, RecordedGame)
    assert (two.recorded_contract, two.recorded_declarer) == ("3NTX", Seat.N)
    assert isinstance(three, RefusedGame)
    assert (three.room, three.board) == ("Closed", 2)
    assert calls(four) == "W:4S N:4H E:X S:XX W:P N:P E:P"
    assert isinstance(five, RefusedGame)
    assert five.reason == "call 2 cannot be read: 'zz'"
    assert calls(six) == "W:P N:P E:P S:P"
