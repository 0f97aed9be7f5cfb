"""Two hundred games through core, wire and GPIO, card by card: the same journals but for times."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from tests.table_controller.live_table import ROOT
from tests.table_controller.same_journals import comes_to_an_end, said_of

DATA = Path(os.environ.get("SCREEN_TABLE_DATA", ROOT.parent / "shared" / "data")) / "records" / "pbn"
OWN = ROOT / "hw_sim" / "recordings"
TABLES = 3


@pytest.mark.long
@pytest.mark.timeout(3_000)
def test_200_games(tmp_path: Path) -> None:
    """Real ones where their folder is there; else our own, over again."""
    if DATA.exists():
        source = [g for g in read_records([DATA]) if isinstance(g, RecordedGame) and g.board is not None]
    else:
        print(f"{DATA} is not there: our own recordings are played over again")
        source = [g for g in read_records([OWN]) if isinstance(g, RecordedGame)] * 10
    every = max(1, len(source) // 400)
    chosen = list(islice((game for game in source[::every] if comes_to_an_end(game)), 200))
    assert len(chosen) == 200
    said = said_of([chosen[n::TABLES] for n in range(TABLES)], tmp_path, quick=False)
    assert not said, "\n".join(said)
