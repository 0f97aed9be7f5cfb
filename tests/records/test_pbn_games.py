"""PBN files as they are found: where a game ends, and what goes over from one to the next."""

from pathlib import Path

import pytest

from hw_sim.records import RecordedGame, RefusedGame, read_records
from table_controller.laws.seat import Seat
from tests.records.short import DEAL, HEAD, calls, game, games

DATA = Path(__file__).parent / "data"


class TestGamesOfAFile:
    def test_hash_means_the_previous_game_and_chains(self) -> None:
        one = f'{HEAD}{DEAL}[Room "Open"]\n[Auction "N"]\n1NT AP\n'
        two = (
            '[Board "#"]\n[Dealer "#"]\n[Vulnerable "#"]\n[Deal "#"]\n[Room "Closed"]\n[Auction "N"]\n1C AP\n'
        )
        found = [one, two, two.replace("1C", "1D")]
        first, second, third = games("\n".join(found))
        for later in (second, third):
            assert isinstance(first, RecordedGame)
            assert isinstance(later, RecordedGame)
            assert (later.board, later.dealer, later.hands) == (1, Seat.N, first.hands)
            assert later.room == "Closed"

    def test_double_hash_goes_on_until_it_is_set_anew(self) -> None:
        rest = '[Dealer "N"]\n[Auction "N"]\n1C AP\n'
        text = "\n".join(
            [
                f'[Board "1"]\n[Room "##Open"]\n{rest}',
                f'[Board "2"]\n{rest}',
                f'[Board "3"]\n[Room "#"]\n{rest}',
                f'[Board "4"]\n{rest}',
                f'[Board "5"]\n[Room "Closed"]\n{rest}',
                f'[Board "6"]\n[Room "##"]\n{rest}',
                f'[Board "7"]\n{rest}',
            ]
        )
        assert [found.room for found in games(text)] == [
            "Open",
            "Open",
            "Open",
            None,
            "Closed",
            "Closed",
            "Closed",
        ]

    def test_hash_with_nothing_before_it_is_said(self) -> None:
        found = game('[Board "#"]\n[Dealer "N"]\n[Auction "N"]\n1C AP\n')
        assert found.board is None
        assert found.remarks == ("the Board tag means the previous game's, which has none",)

    def test_games_follow_without_a_blank_line_and_in_free_order(self) -> None:
        one = '[Event "a"]\n[Board "1"]\n[Dealer "N"]\n[Auction "N"]\n1C AP\n[Result "7"]\n'
        two = '[Board "2"]\n[Result "8"]\n[Event "a"]\n[Auction "E"]\n1D AP\n[Dealer "E"]\n'
        three = '[Event "a"]\n[Dealer "S"]\n[Auction "S"]\n1H AP\n[Board "3"]\n[Result "9"]\n'
        found = games(one + two + three)
        assert [(g.board, getattr(g, "result", None)) for g in found] == [(1, 7), (2, 8), (3, 9)]
        assert [calls(g)[:4] for g in found] == ["N:1C", "E:1D", "S:1H"]

    def test_a_blank_line_inside_a_game_does_not_end_it(self) -> None:
        found = game(f'{HEAD}\n{DEAL}\n[Auction "N"]\n1C Pass\n\nPass Pass\n\n[Play "E"]\n\nD4 D2 D3 D5\n')
        assert calls(found) == "N:1C E:P S:P W:P"
        assert len(found.play) == 4
        assert "a blank line inside the game" in found.remarks

    def test_a_tag_that_comes_twice_in_one_game_does_not_make_two(self) -> None:
        found = game(f'[Event "x"]\n{HEAD}[Dealer "S"]\n[Auction "N"]\n1C AP\n')
        assert found.dealer is Seat.N
        assert found.remarks == ("the Dealer tag comes twice; the first, 'N', was taken",)

    def test_a_comment_never_closed_swallows_no_game(self) -> None:
        one = f'[Event "x"]\n{HEAD}{{ never closed\n[Auction "N"]\n1C AP\n'
        assert [calls(g) for g in games(f"{one}\n{one}\n{{ closed }}\n")] == ["N:1C E:P S:P W:P"] * 2

    def test_comments_with_brackets_braces_and_blank_lines_are_comments(self) -> None:
        found = game(
            f'{HEAD}{{ {{}} {{ one\n\n{{ [x] }}{{ [Dealer "S"] }}[Auction "N"] {{ two }}\n1C {{ three }} AP\n'
        )
        assert (calls(found), found.dealer) == ("N:1C E:P S:P W:P", Seat.N)

    def test_a_broken_game_costs_no_other(self) -> None:
        good = f'{HEAD}[Auction "N"]\n1C AP\n'
        found = games(f'{good}\n[Event "b"]\n[Auction "N"\n4Q\n\n{good}\n[[["\n{good}')
        assert [isinstance(g, RecordedGame) for g in found] == [True, False, True, True]

    def test_tags_are_read_however_they_are_written(self) -> None:
        found = game(
            '[ Event"a"]  [Board  "7" ]\n[Dealer\n   "S"]\n[vulnerable "Both"]\n'
            '[Site "C:\\old\\"]\n[East "a "quoted" name"]\n[Room Open]\n[Auction "S"] 1C AP\n'
        )
        assert (found.board, found.dealer, found.room) == (7, Seat.S, "Open")
        assert found.remarks == ("the Room tag is not written as a tag should be",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"  \n\x1a", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "neither a PBN tag nor a LIN tag"),
        (b"pn|a,b,c,d|pg||", "holds no game"),
    ],
)
def test_a_file_without_games_is_one_refusal(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "x.pbn"
    file.write_bytes(content)
    (found,) = read_records([file])
    assert isinstance(found, RefusedGame)
    assert (found.game, found.file) == (0, str(file))
    assert reason in found.reason


def test_a_file_that_is_not_there_is_one_refusal_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    found = list(read_records([tmp_path / "none.pbn", DATA / "ugly.pbn", tmp_path / "folder"]))
    assert isinstance(found[0], RefusedGame)
    assert "No such file" in found[0].reason
    assert isinstance(found[-1], RefusedGame)
    assert "no .pbn or .lin file" in found[-1].reason
    assert [g.game for g in found] == [0, 1, 2, 3, 4, 0]


def test_the_ugly_file() -> None:
    """Windows-1252, CRLF, Ctrl-Z, no blank lines, free order, inheritance, lying tags."""
    one, two, three, four = read_records([DATA / "ugly.pbn"])
    assert isinstance(one, RefusedGame)
    assert one.reason == "call 7 cannot be read: '4é'"
    assert calls(two) == "W:P N:1S E:X S:XX W:2H N:2S E:P S:P W:P"
    assert isinstance(two, RecordedGame)
    assert (two.room, two.board, two.result, two.claimed) == ("Closed", 4, 6, 6)
    assert "the record says the contract is 2SX, its calls say 2S" in two.remarks
    assert isinstance(three, RefusedGame)
    assert (three.room, three.board) == ("Open", 5)
    assert calls(four) == "N:1NT E:2D S:2C W:1S N:P E:P S:P"
    assert isinstance(four, RecordedGame)
    assert four.remarks == ("dealer N, by board 6 it is E", "vulnerability None, by board 6 it is EW")
