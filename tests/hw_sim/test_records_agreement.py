"""Recorded championships through the core, against an index that was read off them independently.

The records are another party's and lie outside the project: where they are not, this says so and is skipped.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from hw_sim.core_runner import known_regulations
from hw_sim.records.job import Job, Through
from hw_sim.records.model import Game, RecordedGame
from hw_sim.records.read import read_records
from hw_sim.records.results import GameResult, Outcome
from hw_sim.records.through import results
from table_controller.laws.auction import faults_in
from tests.hw_sim.running import data_folder

DATA = data_folder()
pytestmark = pytest.mark.skipif(
    DATA is None, reason="no recorded championships here; name their folder in SCREEN_TABLE_DATA"
)
EVERY = 20
PARTS = 6
"""All the games of one authority are more than a busy machine does in one test's time."""
Row = dict[str, str]


def folder() -> Path:
    assert DATA is not None
    return DATA


@cache
def index() -> dict[tuple[str, int], Row]:
    """By file and game."""
    with (folder() / "MANIFEST.tsv").open(newline="") as text:
        files = {row["id"]: str(folder() / row["file"]) for row in csv.DictReader(text, delimiter="\t")}
    with gzip.open(folder() / "index-open.tsv.gz", "rt", newline="") as text:
        rows = csv.DictReader(text, delimiter="\t")
        return {(files[row["id"]], int(row["game"])): row for row in rows}


@cache
def games() -> tuple[Game, ...]:
    return tuple(read_records(sorted({file for file, _ in index()})))


def a_twentieth() -> list[Game]:
    """The same one each time, with every game that the index has a flag for."""
    chosen = set(Random(2006).sample(range(len(games())), len(games()) // EVERY))
    return [
        game
        for number, game in enumerate(games())
        if number in chosen or index()[game.file, game.game]["flags"]
    ]


def expected(row: Row) -> tuple[int, int, str, str | None]:
    """Calls, crossings, contract and declarer, in our spelling."""
    contract = row["contract"].replace("N", "NT") if row["contract"] != "Pass" else "Pass"
    declarer = row["declarer"] if contract != "Pass" else None
    return int(row["calls"]), int(row["tray_passes"]), contract, declarer or None


def judge(played: list[GameResult]) -> Counter[str]:
    """How many agree, differ and are refused; fails on the first that differs."""
    counted: Counter[str] = Counter()
    for result in played:
        row = index()[result.file, result.game]
        if result.outcome is Outcome.REFUSED:
            assert not row["calls"], (result, row)
            counted["refused"] += 1
            continue
        got = (result.calls, result.crossings, result.contract, result.declarer)
        assert got == expected(row), (result, row)
        counted["agree"] += 1
    return counted


def clean(game: Game) -> bool:
    """Whether the Laws find nothing in its auction."""
    return isinstance(game, RecordedGame) and not any(faults_in(game.auction)) and game.contract is not None


@pytest.mark.parametrize("profile", known_regulations())
def test_a_twentieth_agrees_and_clean_games_have_no_irregularity(profile: str) -> None:
    some = a_twentieth()
    played = list(results(some, Job(through=Through.CORE, tables=1, regulations=profile)))
    counted = judge(played)
    assert counted["agree"] > 200
    for game, result in zip(some, played, strict=True):
        if clean(game):
            assert result.irregularities == (), result
            assert result.outcome is Outcome.COMPLETED, result


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("profile", known_regulations())
def test_every_game_agrees_and_clean_games_have_no_irregularity(profile: str, part: int) -> None:
    some = games()[part::PARTS]
    played = list(results(some, Job(through=Through.CORE, tables=1, regulations=profile)))
    counted = judge(played)
    assert counted.total() == len(some)
    assert counted["refused"] == sum(not index()[game.file, game.game]["calls"] for game in some)
    for game, result in zip(some, played, strict=True):
        if clean(game):
            assert result.irregularities == (), result


def test_the_index_knows_how_many_there_are() -> None:
    without_calls = sum(not row["calls"] for row in index().values())
    assert (len(games()), without_calls) == (4_926, 20)
