"""The same games through core, wire and GPIO: the same journals but for times."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from hw_sim.table.site import Way
from tests.table_controller.live_table import ROOT, games
from tests.table_controller.same_journals import comes_to_an_end, differences, side_by_side, through_core

DATA = Path(os.environ.get("SCREEN_TABLE_DATA", ROOT.parent / "shared" / "data")) / "records" / "pbn"
OWN = ROOT / "hw_sim" / "recordings"
TABLES = 3


def compare(shares: list[list[RecordedGame]], directory: Path, *, quick: bool) -> None:
    found = side_by_side(shares, (Way.WIRE, Way.GPIO), directory, quick=quick)
    said: list[str] = []
    for number, share in enumerate(shares):
        core = through_core(share)
        wire, gpio = found[number, Way.WIRE], found[number, Way.GPIO]
        for one, other, what in ((wire, gpio, "wire and GPIO"), (core, wire, "core and wire")):
            said += [f"table {number + 1}, {what}: {row}" for row in differences(one, other)]
        assert len([row for row in core if row[0] == "board"]) >= len(share)
    assert not said, "\n".join(said)


def test_three_games(tmp_path: Path) -> None:
    compare([games()[:3]], tmp_path, quick=True)


@pytest.mark.long
@pytest.mark.timeout(3_000)
def test_two_hundred_games(tmp_path: Path) -> None:
    """Real ones where their folder is there, played card by card; else our own, over again."""
    if DATA.exists():
        source = [g for g in read_records([DATA]) if isinstance(g, RecordedGame) and g.board is not None]
    else:
        print(f"{DATA} is not there: our own recordings are played over again")
        source = [g for g in read_records([OWN]) if isinstance(g, RecordedGame)] * 10
    every = max(1, len(source) // 400)
    chosen = list(islice((game for game in source[::every] if comes_to_an_end(game)), 200))
    assert len(chosen) == 200
    compare([chosen[n::TABLES] for n in range(TABLES)], tmp_path, quick=False)


def test_a_row_that_differs_is_found() -> None:
    core = through_core(games()[:1])
    assert differences(core, list(core)) == []
    card = next(row for row in core if row[1].get("event") == "CardPlayed")
    other = [row for row in core if row != card]
    assert differences(core, other) != []
    turned = [
        ("moved", {**body, "dest": "elsewhere"}) if what == "moved" else (what, body) for what, body in core
    ]
    assert differences(core, turned) != []
