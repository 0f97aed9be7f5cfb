"""The same games through core, wire and GPIO: the same journals but for times."""

from __future__ import annotations

from pathlib import Path

from tests.table_controller.live_table import games
from tests.table_controller.same_journals import differences, said_of, through_core


def test_three_games(tmp_path: Path) -> None:
    said = said_of([games()[:3]], tmp_path, quick=True)
    assert not said, "\n".join(said)


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
