"""`hw-sim records`: what it prints, that deep and shallow agree, and that nothing is read off the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hw_sim.records.crossings import crossings
from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from tests.hw_sim.running import RECORDINGS, data_folder, here, hw_sim

pytestmark = pytest.mark.live

FIELDS = {
    "file",
    "game",
    "room",
    "board",
    "dealer",
    "vulnerability",
    "calls",
    "crossings",
    "contract",
    "declarer",
    "tricks",
    "result",
    "irregularities",
    "outcome",
    "reason",
}
LIES = """\
[Board "3"]
[Dealer "S"]
[Vulnerable "EW"]
[Declarer "W"]
[Contract "7NTXX"]
[Result "13"]
[Auction "S"]
1H Pass 4H Pass
Pass Pass

"""
ODD = """\
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Declarer "N"]
[Contract "2H"]
[Auction "N"]
1S Pass 1H Pass
Pass Pass

[Board "2"]
[Dealer "E"]
[Vulnerable "NS"]
[Auction "E"]
1C X X Pass
Pass Pass

[Board "3"]
[Dealer "S"]
[Vulnerable "EW"]
[Auction "S"]
1C 1D

[Board "4"]
[Dealer "W"]
[Vulnerable "All"]
[Auction "W"]
Pass Pass Pass Pass

"""


def lines(*arguments: str, timeout: float = 120) -> list[dict[str, Any]]:
    said = ("records", *arguments, "--json")
    done = hw_sim(*said, timeout=timeout) if "--through" in arguments else here(*said)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_our_own_records_through_the_core_agree_with_the_laws() -> None:
    found = lines(str(RECORDINGS))
    games = [game for game in read_records([RECORDINGS]) if isinstance(game, RecordedGame)]
    assert len(found) == len(games) > 20
    for line, game in zip(found, games, strict=True):
        assert line.keys() == FIELDS
        assert (line["file"], line["game"], line["room"]) == (game.file, game.game, game.room)
        assert (line["board"], line["dealer"]) == (game.board, game.dealer.value)
        assert line["vulnerability"] == (game.vulnerability and game.vulnerability.value)
        assert line["calls"] == len(game.calls)
        assert line["crossings"] == crossings(game.calls)
        assert line["contract"] == str(game.contract)
        assert line["tricks"] == (game.tricks if len(game.play) == 52 else None)
        assert (line["outcome"], line["irregularities"], line["reason"]) == ("completed", [], None)


def test_what_the_tags_say_is_not_what_was_called(tmp_path: Path) -> None:
    file = tmp_path / "lies.pbn"
    file.write_text(LIES)
    (line,) = lines(str(file))
    assert (line["contract"], line["declarer"], line["tricks"]) == ("4H", "S", None)


def test_irregular_and_unfinished_auctions_are_played_and_said(tmp_path: Path) -> None:
    file = tmp_path / "odd.pbn"
    file.write_text(ODD)
    insufficient, inadmissible, stopped, passed = lines(str(file))
    assert insufficient["irregularities"] == ["INSUFFICIENT_BID"]
    assert (insufficient["outcome"], insufficient["contract"]) == ("completed", "1H")
    assert "INADMISSIBLE_DOUBLE" in inadmissible["irregularities"]
    assert (inadmissible["outcome"], inadmissible["contract"]) == ("unfinished", None)
    assert "nobody ruled" in inadmissible["reason"]
    assert (stopped["outcome"], stopped["calls"], stopped["irregularities"]) == ("unfinished", 2, [])
    assert stopped["reason"] == "the record stops after 2 calls, before the auction is over"
    assert (passed["contract"], passed["declarer"], passed["outcome"]) == ("Pass", None, "completed")


def test_a_damaged_game_is_refused_and_the_rest_is_played(tmp_path: Path) -> None:
    file = tmp_path / "damaged.pbn"
    file.write_text(ODD.replace("[Dealer", '[Dealer "?"]\n[Old').replace("1C X X", "8C X X") + LIES)
    outcomes = [line["outcome"] for line in lines(str(file))]
    assert "refused" in outcomes
    assert outcomes[-1] == "completed"
    assert all(line["reason"] for line in lines(str(file)) if line["outcome"] == "refused")


def test_five_games_through_the_wire_are_what_they_are_through_the_core() -> None:
    file = str(RECORDINGS / "second-round.pbn")
    wire = lines(file, "--first", "5", "--through", "wire", "--tables", "3", timeout=240)
    assert len(wire) == 5
    assert wire == lines(file, "--first", "5")


def test_lin_through_the_pins_is_what_it_is_through_the_core() -> None:
    file = str(RECORDINGS / "fourth-round.lin")
    pins = lines(file, "--first", "5", "--through", "gpio", "--tables", "3", timeout=240)
    assert pins == lines(file, "--first", "5")


@pytest.mark.long
@pytest.mark.parametrize("table", ["full", "header"])
def test_a_hundred_games_through_the_wire_are_what_they_are_through_the_core(table: str) -> None:
    files = _hundred()
    wire = lines(
        *files, "--first", "100", "--through", "wire", "--tables", "4", "--table", table, timeout=1_800
    )
    assert len(wire) == 100
    assert wire == lines(*files, "--first", "100", "--table", table)


@pytest.mark.long
def test_a_hundred_games_through_the_pins_are_what_they_are_through_the_core() -> None:
    files = _hundred()
    pins = lines(*files, "--first", "100", "--through", "gpio", "--tables", "4", timeout=1_800)
    assert pins == lines(*files, "--first", "100")


def _hundred() -> list[str]:
    """Files with a hundred games: recorded championships where they are, else ours over and over."""
    folder = data_folder()
    if folder is None:
        return [str(RECORDINGS)] * 4
    files = sorted((folder / "records" / "pbn" / "bermuda-bowl-1997").glob("*"))
    return [str(file) for file in files[:4]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere.pbn",), "there is no file nowhere.pbn"),
        ((str(RECORDINGS), "--speed", "0"), "--speed is a number above 0, or max, not '0'"),
        ((str(RECORDINGS), "--regulations", "house-rules"), "house-rules"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments: tuple[str, ...], sentence: str) -> None:
    done = here("records", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not done.stdout


def test_without_json_it_is_a_table_for_people() -> None:
    done = here("records", str(RECORDINGS / "fourth-round.lin"))
    assert done.returncode == 0
    assert "fourth-round.lin 1" in done.stdout
    assert "8 completed" in done.stdout


def test_help_has_an_example() -> None:
    assert "hw-sim records evening.pbn --through wire" in here("records", "--help").stdout
