"""What controller and console export, read back and matched with what was played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hw_sim.demo.console_reader import console_table
from hw_sim.demo.diagnosis import diagnose
from hw_sim.players.asks import Complaint
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.spare import SPARE_NUMBER
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.table_boards import match, recorded

SECOND = 1_000_000_000


def board(number: int, *kinds: str, outcome: str = "completed", dealer: str = "N") -> dict[str, Any]:
    value = {
        "effect": "RecordBoard",
        "number": number,
        "dealer": dealer,
        "vulnerability": "None",
        "calls": [["N", "1C"], ["E", "P"], ["S", "P"], ["W", "P"]],
        "crossings": 1,
        "contract": "1C",
        "declarer": "N",
        "play": [["E", "SA"]],
        "tricks": None,
        "irregularities": list(kinds),
        "outcome": outcome,
    }
    return {"table": "1", "epoch": "e", "body": {"what": "board", "value": value}}


def entry(number: int, at: int, *kinds: str, change: str = "new") -> dict[str, Any]:
    body = {"change": change, "entry": {"id": number, "at": at, "kinds": list(kinds)}}
    return {"table": "1", "epoch": "e", "body": body}


def account(number: int, broken_off_at: int | None = None) -> BoardAccount:
    return BoardAccount(
        table="1",
        ordinal=1,
        number=number,
        dealer="N",
        vulnerability="None",
        broken_off_at=broken_off_at,
    )


def test_boards_are_matched_in_order_and_a_missing_one_shifts_nothing() -> None:
    rows = [board(1), board(3), board(SPARE_NUMBER), board(3)]
    boards = match(list(recorded(rows)), [account(1), account(2), account(3), account(3)])
    assert [found and found.number for found in boards] == [1, None, 3, 3]


def test_what_came_of_breaking_off_is_no_irregularity_of_the_board() -> None:
    rows = [
        entry(1, 5, "INSUFFICIENT_BID"),
        entry(2, 90, "BOARD_OFF_TRAY"),
        board(1, "INSUFFICIENT_BID", "BOARD_OFF_TRAY", outcome="abandoned"),
    ]
    (found,) = match(list(recorded(rows)), [account(1, broken_off_at=50)])
    assert found is not None
    assert (found.kinds, found.completed) == (("INSUFFICIENT_BID",), False)


def test_an_entry_belongs_to_the_board_it_began_with_and_counts_once_as_it_is_now() -> None:
    rows = [
        entry(1, 1, "CALL_WITHDRAWN"),
        entry(1, 1, "CALL_WITHDRAWN", "TRAY_CROSSED_EARLY", change="amended"),
        board(1),
        entry(1, 1, "CALL_WITHDRAWN", "TRAY_CROSSED_EARLY", change="closed"),
        entry(2, 9, "SUMMONS"),
    ]
    table = console_table(rows, {("1", "e", 2)})
    assert [reported.kinds for reported in table.boards[0].entries] == [
        ("CALL_WITHDRAWN", "TRAY_CROSSED_EARLY")
    ]
    assert table.boards[0].cards == 1
    assert [(reported.kinds, reported.waits) for reported in table.rest] == [(("SUMMONS",), True)]


class _Site:
    """As much of a table as a diagnosis looks at."""

    name = "1"
    data = Path("nowhere")

    def __init__(self) -> None:
        self.ledger = Ledger("1")
        self.ledger.note("call", 100 * SECOND)


class _NobodyDied:
    def ended(self) -> list[object]:
        return []


def happened(name: str, second: int, **more: object) -> dict[str, Any]:
    return {"body": {"what": "event", "value": {"event": name, "at": second * SECOND, **more}}}


def ordered(effect: str) -> dict[str, Any]:
    return {"body": {"what": "order", "value": {"effect": effect}}}


def held(*holds: str) -> dict[str, Any]:
    return {"body": {"what": "view", "value": {"view": {"holds": list(holds)}}}}


@pytest.mark.parametrize(
    ("complaint", "rows", "joint"),
    [
        pytest.param("the window did not close", [happened("LinkLost", 99)], Joint.WIRE, id="link lost"),
        pytest.param(
            "the window did not close",
            [happened("LinkLost", 50), happened("LinkRestored", 60), ordered("CloseWindow")],
            Joint.WINDOW,
            id="ordered and not obeyed",
        ),
        pytest.param(
            "the window did not close", [happened("CallMade", 90)], Joint.WIRE, id="nothing heard since"
        ),
        pytest.param(
            "the window did not close",
            [happened("BoardPlaced", 100, inferred=True)],
            Joint.WIRE,
            id="only inferred",
        ),
        pytest.param(
            "the window did not open",
            [happened("CallMade", 100), ordered("CloseWindow")],
            Joint.CONTROLLER,
            id="heard and not ordered",
        ),
        pytest.param(
            "the window did not open",
            [happened("LeadMade", 100), held("director")],
            Joint.DIRECTOR,
            id="held",
        ),
        pytest.param(
            "the director did not come", [happened("CallMade", 100)], Joint.DIRECTOR, id="no director"
        ),
    ],
)
def test_a_complaint_is_traced_to_its_joint(
    complaint: str, rows: list[dict[str, Any]], joint: Joint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hw_sim.demo.diagnosis.export_journal", lambda journal: iter(rows))
    broken = diagnose(_Site(), Complaint(complaint), _NobodyDied())  # type: ignore[arg-type]
    assert broken.joint is joint
    assert str(broken).startswith(f"broken at {joint}: table 1: {complaint}")


def test_a_journal_that_cannot_be_read_is_the_joint(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(journal: object) -> object:
        raise JointBroken(Joint.JOURNAL, "it cannot be exported")

    monkeypatch.setattr("hw_sim.demo.diagnosis.export_journal", damaged)
    broken = diagnose(_Site(), Complaint("the window did not open"), _NobodyDied())  # type: ignore[arg-type]
    assert broken.joint is Joint.JOURNAL
