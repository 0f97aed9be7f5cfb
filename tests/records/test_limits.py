"""What no record is: a pipe, a file of many megabytes, an auction longer than the Laws allow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw_sim.commands import app
from hw_sim.records import RecordedGame, RefusedGame, read_records
from hw_sim.records.build import LONGEST_AUCTION
from hw_sim.records.read import MOST_BYTES
from table_controller.laws.auction import Auction, is_legal
from table_controller.laws.call import ALL_BIDS, DOUBLE, PASS, REDOUBLE, Call
from table_controller.laws.seat import Seat


def longest() -> list[Call]:
    calls: list[Call] = [PASS, PASS, PASS]
    for bid in ALL_BIDS:
        calls += [bid, PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS]
    return [*calls, PASS]


def test_the_longest_auction_of_the_laws_is_the_limit() -> None:
    auction = Auction(Seat.N)
    for call in longest():
        assert auction.turn is not None
        assert is_legal(auction, auction.turn, call)
        auction = auction.after(auction.turn, call)
    assert auction.is_over
    assert len(auction.calls) == LONGEST_AUCTION


@pytest.mark.parametrize("over", [0, 1])
def test_an_auction_longer_than_that_is_refused_with_the_reason(tmp_path: Path, over: int) -> None:
    calls = "\n".join(["Pass"] * (LONGEST_AUCTION + over))
    (tmp_path / "long.pbn").write_text(f'[Board "1"]\n[Dealer "N"]\n[Auction "N"]\n{calls}\n')
    (game,) = read_records([tmp_path])
    assert isinstance(game, RefusedGame if over else RecordedGame)
    if isinstance(game, RefusedGame):
        assert str(LONGEST_AUCTION) in game.reason


def test_a_file_of_many_megabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.pbn"
    with path.open("wb") as opened:
        opened.truncate(MOST_BYTES + 1)
    (game,) = read_records([path])
    assert isinstance(game, RefusedGame)
    assert "larger than" in game.reason


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pbn")
    (game,) = read_records([tmp_path / "pipe.pbn"])
    assert isinstance(game, RefusedGame)


def test_exit_code_1_says_that_no_game_could_be_played(tmp_path: Path) -> None:
    (tmp_path / "nothing.pbn").write_bytes(b"\x00\xff[brackets]")
    done = CliRunner().invoke(app, ["records", str(tmp_path / "nothing.pbn")])
    assert done.exit_code == 1
    assert "holds neither a PBN tag nor a LIN tag" in done.stdout
