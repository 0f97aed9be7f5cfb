"""The measure of the demonstration: every way of losing, doubling or leaving open is found and named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw_sim.demo.summary import ConsoleBoard, ConsoleTable, Reported, Summary, compare
from hw_sim.players.ledger import BoardAccount
from hw_sim.records.results import TableBoard


def account(number: int, *kinds: str, ordinal: int | None = None) -> BoardAccount:
    return BoardAccount(
        table="1",
        ordinal=ordinal or number,
        number=number,
        dealer="N",
        vulnerability="None",
        calls=["N:1NT", "E:P", "S:3NT", "W:P", "N:P", "E:P"],
        contract="3NT",
        declarer="N",
        cards=52,
        misdeeds=["something"] if kinds else [],
        kinds=list(kinds),
        finished=True,
    )


def seen(number: int, *kinds: str) -> ConsoleBoard:
    board = TableBoard(
        number=number,
        dealer="N",
        vulnerability="None",
        calls=("N:1NT", "E:P", "S:3NT", "W:P", "N:P", "E:P"),
        crossings=3,
        contract="3NT",
        declarer="N",
        tricks=9,
        kinds=kinds,
        completed=True,
    )
    entries = tuple(Reported(id=n, kinds=(kind,)) for n, kind in enumerate(kinds, start=1))
    return ConsoleBoard(board=board, cards=52, entries=entries)


def judged(accounts: list[BoardAccount], *boards: ConsoleBoard, **more: object) -> Summary:
    table = replace(ConsoleTable(boards=boards), **more)  # type: ignore[arg-type]
    return compare({"1": accounts}, {"1": table})


def test_an_evening_that_agrees_is_good() -> None:
    accounts = [account(1), account(2, "INSUFFICIENT_BID"), account(3)]
    summary = judged(accounts, seen(1), seen(2, "INSUFFICIENT_BID"), seen(3))
    assert summary.good
    assert summary.headline.startswith("3 boards, 18 calls, 1 misdeed, 0 rulings: nothing lost")


def test_entries_with_several_kinds_count_for_each() -> None:
    both = ConsoleBoard(
        board=seen(1).board,
        cards=52,
        entries=(Reported(id=1, kinds=("CALL_WITHDRAWN", "TRAY_CROSSED_EARLY")),),
    )
    assert judged([account(1, "CALL_WITHDRAWN", "TRAY_CROSSED_EARLY")], both).good


@pytest.mark.parametrize(
    ("boards", "sentence"),
    [
        pytest.param((seen(1),), "board 2 (the 2nd): lost: the console has no record", id="board lost"),
        pytest.param((seen(2, "K"),), "board 1 (the 1st): lost: the console has no record", id="first lost"),
        pytest.param((seen(1), seen(1), seen(2, "K")), "doubled: board 1 twice", id="board doubled"),
        pytest.param(
            (seen(1), seen(2, "K"), seen(2)),
            "doubled: the console has board 2 once more",
            id="last doubled",
        ),
        pytest.param((seen(1), seen(2)), "lost: K done and not reported", id="misdeed lost"),
        pytest.param((seen(1), seen(2, "K", "K")), "invented: K reported and not done", id="misdeed doubled"),
        pytest.param((seen(1, "X"), seen(2, "K")), "invented: X reported and not", id="invented"),
        pytest.param(
            (seen(1), replace(seen(2, "K"), cards=51)),
            "cards played: played 52, the console has 51",
            id="card",
        ),
        pytest.param(
            (seen(1), replace(seen(2, "K"), board=replace(seen(2).board, calls=("N:1NT",)))),
            "calls: played N:1NT E:P S:3NT W:P N:P E:P, the console has N:1NT",
            id="call lost",
        ),
        pytest.param(
            (seen(1), replace(seen(2, "K"), board=replace(seen(2).board, completed=False))),
            "left open: the console does not have the board as completed",
            id="board open",
        ),
        pytest.param(
            (seen(1), replace(seen(2), entries=(Reported(id=1, kinds=("K",), waits=True),))),
            "left open: K waits for a director",
            id="case open",
        ),
    ],
)
def test_each_difference_is_found_and_named(boards: tuple[ConsoleBoard, ...], sentence: str) -> None:
    summary = judged([account(1), account(2, "K")], *boards)
    assert not summary.good
    assert any(sentence in complaint for complaint in summary.complaints), summary.complaints


def test_missing_rows_and_reports_without_a_board_are_named() -> None:
    summary = judged([account(1)], seen(1), missing_rows=3, rest=(Reported(id=9, kinds=("K",)),))
    assert summary.complaints == [
        "table 1: lost: the console misses 3 rows of its journal",
        "table 1: reported with no board: K",
    ]


def test_the_same_board_played_twice_is_not_doubled() -> None:
    assert judged([account(1), account(1, ordinal=2)], seen(1), seen(1)).good


def test_a_table_nobody_played_at_is_named() -> None:
    summary = compare({}, {"9": ConsoleTable()})
    assert summary.complaints == ["table 9: the console has reports of a table that nobody played at"]
