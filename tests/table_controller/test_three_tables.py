"""Watch, guard and full, each from board to board through a rig of its own, and full through GPIO too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from tests.table_controller.live_table import LiveTable, boards, command, events, games, rows

WAYS = [
    pytest.param(TableKind.WATCH, Way.GPIO, id="watch, plain GPIO, by hand with lamps"),
    pytest.param(TableKind.GUARD, Way.WIRE, id="guard, microcontroller, motor"),
    pytest.param(TableKind.FULL, Way.WIRE, id="full, microcontroller", marks=pytest.mark.long),
    pytest.param(
        TableKind.HEADER, Way.GPIO, id="what of full fits on a header, GPIO", marks=pytest.mark.long
    ),
]


@pytest.mark.parametrize(("kind", "way"), WAYS)
def test_from_board_to_board(kind: TableKind, way: Way, tmp_path: Path) -> None:
    with LiveTable(tmp_path, kind=kind, way=way, seconds={"board.back_within_s": 1}) as table:
        table.run()
        played = []
        for game in games()[:2]:
            played.append(table.play(game).account)
            table.settle(1_500 * MS)  # where no tag is read, a board that is back at once is the same one
        assert table.stop() == 0, table.log.read_text()
        told = boards(table.journal)
        assert [board["outcome"] for board in told] == ["completed", "completed"]
        if kind in (TableKind.FULL, TableKind.HEADER):
            assert [board["contract"] for board in told] == [account.contract for account in played]
            assert [board["crossings"] for board in told] == [account.crossings for account in played]
        moved = [
            row["body"]["value"]["dest"] for row in rows(table.journal) if row["body"].get("what") == "moved"
        ]
        for phase in ("closing", "lead.awaiting", "opening", "clarification", "complete", "setup"):
            assert moved.count(phase) >= 2, (phase, moved)
        states = [event["state"] for event in events(table.journal) if event["event"] == "WindowMoved"]
        assert states.count("open") >= 2
        assert states.count("closed") >= 2
        wrong = [row for row in rows(table.journal) if row["type"] in ("irregularity", "fault")]
        assert not [row["body"] for row in wrong if not table.explains(row)]
        assert json.loads(command("replay", table.journal, "--json"))["same"] is True
