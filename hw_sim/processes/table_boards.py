"""The boards in a table's exported journal, matched with the boards its players played.

Matched by order, number and dealer, so that one that is missing does not shift the others. Must never fill a
gap: a board the table did not record is None.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hw_sim.players.ledger import BoardAccount
from hw_sim.players.spare import SPARE_NUMBER
from hw_sim.processes.journal_reader import Row, export_journal
from hw_sim.records.results import TableBoard


def boards_of(journal: Path, accounts: Sequence[BoardAccount]) -> list[TableBoard | None]:
    """For each account the board the table recorded, or None."""
    return match(list(recorded(export_journal(journal))), accounts)


def recorded(rows: Iterable[Row]) -> Iterator[tuple[TableBoard, tuple[tuple[int, tuple[str, ...]], ...]]]:
    """Each board with the entries told while it was on the tray, as (time in ns, kinds)."""
    entries: list[tuple[int, tuple[str, ...]]] = []
    for row in rows:
        body = body_of(row)
        if body.get("change") == "new" and "entry" in body:
            entry = body["entry"]
            entries.append((entry["at"], tuple(entry["kinds"])))
        elif body.get("what") == "board":
            yield read_board(body["value"]), tuple(entries)
            entries = []


def body_of(row: Row) -> dict[str, Any]:
    """What a row says; exports write it as an object, a journal as the text of one."""
    body = row.get("body", {})
    return json.loads(body) if isinstance(body, str) else dict(body)


def match(
    boards: Sequence[tuple[TableBoard, tuple[tuple[int, tuple[str, ...]], ...]]],
    accounts: Sequence[BoardAccount],
) -> list[TableBoard | None]:
    """Boards to accounts, both in the order they were played."""
    rest = [pair for pair in boards if pair[0].number != SPARE_NUMBER]
    matched: list[TableBoard | None] = []
    for account in accounts:
        at = next((n for n, (board, _) in enumerate(rest) if _is(board, account)), None)
        if at is None:
            matched.append(None)
            continue
        board, entries = rest[at]
        del rest[: at + 1]
        until = account.broken_off_at
        if until is not None:
            board = _with_kinds(board, tuple(k for when, kinds in entries if when <= until for k in kinds))
        matched.append(board)
    return matched


def _is(board: TableBoard, account: BoardAccount) -> bool:
    if account.number is not None and board.number is not None and board.number != account.number:
        return False
    return board.dealer is None or board.dealer == account.dealer


def _with_kinds(board: TableBoard, kinds: tuple[str, ...]) -> TableBoard:
    values = {name: getattr(board, name) for name in board.__slots__}
    return TableBoard(**{**values, "kinds": kinds})


def read_board(value: dict[str, Any]) -> TableBoard:
    return TableBoard(
        number=value["number"],
        dealer=value["dealer"],
        vulnerability=value["vulnerability"],
        calls=tuple(f"{seat}:{call}" for seat, call in value["calls"]),
        crossings=value["crossings"],
        contract=value["contract"],
        declarer=value["declarer"],
        tricks=value["tricks"],
        kinds=tuple(value["irregularities"]),
        completed=value["outcome"] == "completed",
    )
