"""Four players at the simulated table: what they do, and what they say when a joint is broken."""

from __future__ import annotations

import io
import math

import pytest

from hw_sim.misdeeds.plan import MISDEEDS, Plan, UnknownMisdeed, choose, places_of
from hw_sim.players.asks import Complaint
from hw_sim.players.customs import GUARD_TABLE, STYLES, WATCH_TABLE, Customs, Furniture, Opening, WindowKind
from hw_sim.players.ledger import Ledger, read_accounts
from hw_sim.players.script import BoardScript
from hw_sim.table.body import Body
from hw_sim.table.changes import SECOND, LevelChange
from table_controller.laws.seat import Seat
from tests.hw_sim.scripts import CLAIMED, LONG, NOTRUMP, PASSED_OUT, UNFINISHED, script
from tests.hw_sim.stand_in import Evening

BOARDS = (NOTRUMP, LONG, CLAIMED, PASSED_OUT)


@pytest.mark.parametrize("board", BOARDS, ids=["3NT", "4SX", "claimed", "passed out"])
def test_a_board_is_played_from_the_tray_until_it_is_taken_off(board: BoardScript) -> None:
    evening = Evening()
    account = evening.board(board)
    assert account.calls == [str(made) for made in board.calls]
    assert account.crossings == board.crossings(evening.customs.faces)
    assert account.contract == str(board.outcome)
    assert account.cards == len(board.play)
    assert account.finished
    assert not evening.body.levels()["board.present"]
    assert all(not evening.body.cards_of(seat) for seat in Seat)


def test_boards_follow_each_other_at_one_table() -> None:
    evening = Evening()
    for board in (*BOARDS, UNFINISHED, *BOARDS):
        evening.board(board)
    assert [account.ordinal for account in evening.ledger.boards] == list(range(1, 10))
    assert [account.finished for account in evening.ledger.boards].count(False) == 1


def test_a_record_that_stops_is_broken_off_and_says_when() -> None:
    account = Evening().board(UNFINISHED)
    assert (account.finished, account.contract) == (False, None)
    assert account.broken_off_at is not None


@pytest.mark.parametrize("style", STYLES)
def test_nobody_calls_before_the_window_is_closed_or_leads_on_before_it_is_open(style: str) -> None:
    evening = Evening(style=style)
    seen: list[tuple[str, bool]] = []

    def watch() -> None:
        for change in evening.controller.log:
            if isinstance(change, LevelChange) and change.active and change.signal.startswith("released."):
                seen.append((change.signal, evening.body.window_closed))
        evening.controller.log.clear()

    evening.watch = watch
    evening.board(NOTRUMP)
    assert len(seen) == len(NOTRUMP.calls)
    assert all(closed for _, closed in seen)


@pytest.mark.parametrize(
    ("furniture", "customs"),
    [
        pytest.param(WATCH_TABLE, Customs(), id="watch"),
        pytest.param(Furniture(window=WindowKind.HAND, lamps=False), Customs(), id="no lamps"),
        pytest.param(Furniture(), Customs(opening=Opening.LEAD_FACED), id="lead faced"),
        pytest.param(Furniture(), Customs(opening=Opening.LEAD_ANNOUNCED), id="lead announced"),
    ],
)
def test_other_furniture_and_other_customs(furniture: Furniture, customs: Customs) -> None:
    evening = Evening(furniture=furniture, customs=customs)
    for board in BOARDS:
        assert evening.board(board).finished


def test_where_the_leader_is_unknown_they_work_a_handle() -> None:
    evening = Evening(furniture=GUARD_TABLE)
    evening.board(NOTRUMP)
    assert LevelChange(at=0, signal="window.handle.w", active=True).signal in {
        change.signal for change in evening.controller.log
    }


def test_the_same_seed_plays_alike_and_another_does_not() -> None:
    def log(seed: int) -> list[object]:
        evening = Evening(seed=seed)
        evening.board(NOTRUMP)
        return list(evening.controller.log)

    assert log(3) == log(3)
    assert log(3) != log(4)


def test_speed_shortens_people_and_not_the_hardware() -> None:
    def took(speed: float) -> int:
        evening = Evening()
        evening.board(NOTRUMP, speed=speed)
        return evening.body.now

    slow, quick, most = took(1), took(30), took(math.inf)
    assert slow > 120 * SECOND
    assert slow / 30 < quick < slow / 4
    assert most < quick


def test_a_window_that_does_not_obey_is_named() -> None:
    with pytest.raises(Complaint, match="did not close within 10 s: window orders"):
        Evening(obeys=False).board(NOTRUMP)


def test_a_lamp_that_does_not_light_is_named() -> None:
    with pytest.raises(Complaint, match="lamp to close the window did not light"):
        Evening(furniture=WATCH_TABLE, obeys=False).board(NOTRUMP)


def test_a_director_who_does_not_come_is_named() -> None:
    deed = places_of("summons", NOTRUMP, Customs())[0]
    with pytest.raises(Complaint, match="summons lamp at W did not light"):
        Evening(answers=False).board(NOTRUMP, deed)
    deed = places_of("window-in-auction", NOTRUMP, Customs())[0]
    with pytest.raises(Complaint, match="director did not come within 90 s"):
        Evening(answers=False).board(NOTRUMP, deed)


@pytest.mark.parametrize("name", MISDEEDS)
def test_each_misdeed_can_be_done_and_the_board_ends_as_recorded(name: str) -> None:
    done = 0
    for board in (NOTRUMP, LONG, CLAIMED):
        for deed in places_of(name, board, Customs(hands_wait=True)):
            evening = Evening()
            account = evening.board(board, deed)
            assert account.misdeeds == [deed.name]
            assert account.kinds == [*deed.kinds, *["SUMMONS"] * len(account.summonses)]
            assert account.calls[: len(board.calls)] == [str(made) for made in board.calls]
            assert account.finished
            done += 1
    assert done


def test_an_auction_recorded_with_irregularities_gets_none_of_ours() -> None:
    odd = script("N", "1S 1H P P P")
    assert all(not places_of(name, odd, Customs()) for name in MISDEEDS)


def test_an_unknown_misdeed_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownMisdeed, match="no misdeed is called 'tray'; choose one of tray-early"):
        places_of("tray", NOTRUMP, Customs())


def test_about_every_third_board_has_one() -> None:
    from random import Random

    plan = Plan(Random(7), Customs(), director=True)
    done = sum(plan.for_board(LONG) is not None for _ in range(300))
    assert 80 <= done <= 120


def test_without_a_director_nobody_waits_for_one() -> None:
    from random import Random

    for seed in range(50):
        deed = choose(Random(seed), LONG, Customs(), director=False)
        assert deed is not None
        assert not deed.director


def test_the_ledger_is_read_back_as_it_was_written() -> None:
    text = io.StringIO()
    evening = Evening()
    evening.ledger = Ledger("7", text)
    evening.board(NOTRUMP, places_of("insufficient-bid", NOTRUMP, Customs())[0])
    evening.board(PASSED_OUT)
    lines = text.getvalue().splitlines()
    assert list(read_accounts(lines)) == evening.ledger.boards
    assert any('"what":"misdeed"' in line and "INSUFFICIENT_BID" in line for line in lines)


def test_players_never_touch_what_the_controller_believes() -> None:
    from hw_sim.players.hands import Hands

    offered = {name for name in dir(Hands) if not name.startswith("_")}
    assert offered <= {name for name in dir(Body()) if not name.startswith("_")}
    assert not offered & {"levels", "tokens", "take_changes"}
