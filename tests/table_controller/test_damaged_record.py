"""A table whose record is damaged in mid-board goes on with the board, at that start and the next one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from hw_sim.table.changes import MS
from tests.table_controller.live_table import LiveTable, command, events, games, rows


def damage_the_newest_row(journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE row SET body = body || ' ' WHERE seq = (SELECT max(seq) FROM row)")
    connection.close()


@pytest.mark.long
def test_the_auction_is_still_known_two_starts_after_the_record_was_damaged(tmp_path: Path) -> None:
    with LiveTable(tmp_path) as table:
        table.run()

        def twice() -> None:
            table.settle(300 * MS)
            table.kill()
            damage_the_newest_row(table.journal)
            for _ in range(2):
                table.run()
                table.settle(1_500 * MS)
                table.kill()
            table.run()
            table.settle(2_000 * MS)

        play = table.play(games()[0], when=lambda play: len(play.account.calls) == 3, deed=twice)
        table.settle()
        assert table.stop() == 0
        told = rows(table.journal)
        (board,) = [row["body"]["value"] for row in told if row["body"].get("what") == "board"]
        assert [f"{seat}:{call}" for seat, call in board["calls"]] == play.account.calls
        assert board["outcome"] == "completed"
        assert not [event for event in events(table.journal) if event["event"] == "BoardPlaced"]
        assert "JOURNAL_DAMAGED" in json.dumps(told)
        assert json.loads(command("replay", table.journal, "--json"))["same"] is True
