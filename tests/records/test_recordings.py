"""The project's own small records: legal throughout, and as varied as the demonstration needs."""

from pathlib import Path

import pytest

import hw_sim.recordings
from hw_sim.records import RecordedGame, crossings, read_records
from table_controller.laws.auction import Doubling, faults_in
from table_controller.laws.contract import Contract, PassedOut
from table_controller.laws.play import card_faults_in
from table_controller.laws.seat import Seat

OWN = Path(hw_sim.recordings.__file__).parent
GAMES = [game for game in read_records([OWN]) if isinstance(game, RecordedGame)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"board {game.board}")
def test_each_is_whole_legal_and_says_nothing_odd(game: RecordedGame) -> None:
    assert game.remarks == ()
    assert game.hands is not None
    assert not any(faults_in(game.auction))
    assert game.contract is not None
    assert crossings(game.calls) >= 1
    played = game.played
    if played is None:
        assert game.play == ()
        return
    assert not any(card_faults_in(played))
    if len(game.play) == 52:
        assert game.result == played.declarer_tricks
    else:
        assert game.claimed == game.result
        left = 13 - len(played.complete_tricks)
        assert 0 <= (game.result or 0) - played.declarer_tricks <= left


def test_none_of_them_is_refused_and_boards_differ() -> None:
    assert len(GAMES) == len(list(read_records([OWN]))) == 32
    assert [game.board for game in sorted(GAMES, key=lambda game: game.board or 0)] == list(range(1, 33))


def test_they_hold_every_kind_of_board() -> None:
    contracts = [game.contract for game in GAMES]
    played = [contract for contract in contracts if isinstance(contract, Contract)]
    assert contracts.count(PassedOut()) == 1
    assert {contract.doubled for contract in played} == set(Doubling)
    assert {contract.declarer for contract in played} == set(Seat)
    assert {game.dealer for game in GAMES} == set(Seat)
    assert sum(contract.bid.level >= 6 for contract in played) >= 2
    assert sum(contract.bid.level <= 2 for contract in played) >= 5
    assert max(len(game.calls) for game in GAMES) >= 16
    assert sum(game.claimed is not None for game in GAMES) >= 6
    assert sum(bool(game.alerts) for game in GAMES) >= 10
    made = [
        (game.result or 0) >= contract.tricks_needed
        for game in GAMES
        if isinstance(contract := game.contract, Contract)
    ]
    assert any(made)
    assert not all(made)


def test_no_player_is_named() -> None:
    for file in OWN.glob("*.pbn"):
        text = file.read_text("utf-8")
        assert all(
            text.count(f'[{name} "?"]') == text.count("[Event ")
            for name in ("West", "North", "East", "South")
        )
    for file in OWN.glob("*.lin"):
        assert "pn|?,?,?,?|" in file.read_text("utf-8")
