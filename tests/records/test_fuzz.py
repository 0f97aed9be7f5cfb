"""Damaged files: never an exception, and what the damage did not touch is still read."""

import random
from pathlib import Path

import pytest

import hw_sim.recordings
from hw_sim.records import Game, RecordedGame, RefusedGame, read_text
from hw_sim.records.decoding import decode
from hw_sim.records.write_pbn import write_pbn

OWN = Path(hw_sim.recordings.__file__).parent
DATA = Path(__file__).parent / "data"
FILES = [
    OWN / "first-round.pbn",
    OWN / "third-round.pbn",
    OWN / "fourth-round.lin",
    DATA / "ugly.pbn",
    DATA / "ugly.lin",
]
LINES = [
    b"",
    b"[",
    b'[Event "x',
    b"{",
    b"}",
    b'[Board "99"]',
    b"AP",
    b"mb|",
    b"qx|o7|",
    b"|||",
    b"%",
    b"\x00\xff",
    b"^S * -",
]


def read(data: bytes) -> list[Game]:
    found = list(read_text(decode(data).text, "x"))
    assert found, "a file is never passed over in silence"
    for game in found:
        assert isinstance(game, RefusedGame) or write_pbn([game])
    return found


def content(game: Game) -> object:
    """What of a game must not change when another one is damaged."""
    if isinstance(game, RefusedGame):
        return game.board, game.room, game.reason
    return game.board, game.room, game.calls, game.play, game.hands, game.claimed


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_cut_off_anywhere_keeps_the_games_before_the_cut(file: Path) -> None:
    data = file.read_bytes()
    whole = [content(game) for game in read(data)]
    starts = random.Random(11).sample(range(len(data)), 60)
    for end in starts:
        found = [content(game) for game in read(data[:end])]
        assert whole[: len(found) - 1] == found[:-1], end


@pytest.mark.parametrize("file", FILES[:3], ids=lambda file: file.name)
def test_flipped_bits_cost_the_game_they_stand_in_and_its_neighbour_at_most(file: Path) -> None:
    data = file.read_bytes()
    whole = [content(game) for game in read(data)]
    draw = random.Random(12)
    for _ in range(80):
        damaged = bytearray(data)
        damaged[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        found = [content(game) for game in read(bytes(damaged))]
        lost = sum(game not in found for game in whole)
        assert lost <= 2, bytes(damaged)
        assert len(found) >= len(whole) - 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_inserted_lines_cost_the_game_they_stand_in_and_its_neighbour_at_most(file: Path) -> None:
    lines = file.read_bytes().split(b"\n")
    whole = [content(game) for game in read(file.read_bytes())]
    draw = random.Random(13)
    for _ in range(80):
        at = draw.randrange(len(lines))
        damaged = b"\n".join([*lines[:at], draw.choice(LINES), *lines[at:]])
        found = [content(game) for game in read(damaged)]
        assert sum(game not in found for game in whole) <= 2, damaged


def test_noise_is_read_without_an_exception() -> None:
    draw = random.Random(14)
    alphabet = [
        b'[Event "',
        b'"]',
        b"\n",
        b"[Auction ",
        b"mb|",
        b"qx|o1|",
        b"{",
        b"}",
        b"1C ",
        b"AP ",
        b"md|1SAK,",
        b"^",
        b"#",
    ]
    for _ in range(300):
        read(b"".join(draw.choice([*alphabet, draw.randbytes(2)]) for _ in range(draw.randrange(60))))


def test_everything_at_once_over_one_file() -> None:
    draw = random.Random(15)
    data = (OWN / "second-round.pbn").read_bytes()
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(draw.randrange(1, 40)):
            at = draw.randrange(len(damaged))
            match draw.randrange(3):
                case 0:
                    damaged[at] = draw.randrange(256)
                case 1:
                    del damaged[at : at + draw.randrange(9)]
                case _:
                    damaged[at:at] = draw.choice(LINES) + b"\n"
        games = read(bytes(damaged))
        assert any(isinstance(game, RecordedGame) for game in games)
