"""A session: laid down, changed during play, cut short; arrival and overtime to the second, by their rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from table_controller.clock.shares import add_up, observed, pair_shares, per_pair_ms
from table_controller.clock.standing import laid_down
from table_controller.laws.board import dealer_of
from table_controller.laws.seat import Partnership
from table_controller.regulations import clock as tables
from table_controller.regulations.load import load
from table_controller.regulations.time_tables import Contest
from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Entry
from table_controller.screen.times import RecordTime, SessionPlan, TimeColumns
from tests.clock.driving import Timed
from tests.screen.driving import FULL, S

VP = Contest.TEAMS_VP
MIN = 60 * S


def plan(**given: Any) -> SessionPlan:
    return SessionPlan(contest=VP, **given)


def facts(entry: Entry) -> dict[str, str]:
    return {fact.name: fact.text for fact in entry.facts}


def board(table: Timed, number: int, seconds: float) -> None:
    """A board passed out in so many seconds from its being placed to its being lifted."""
    begun = table.at
    table.ready(number).auction("P P P P").crosses()
    left = seconds - (table.at - begun) / S
    assert left >= 0, "too short for this"
    table.lift(left)


# --- arrival


@pytest.mark.parametrize(
    ("late_s", "row", "minutes"),
    [(1, "1", "0:01"), (300, "1", "5:00"), (300.001, "2", "5:01"), (301, "2", "5:01"), (601, "3", "10:01")],
)
def test_a_table_is_late_by_the_row_of_its_minutes(late_s: float, row: str, minutes: str) -> None:
    table = Timed(session=False)
    table.wait(5)
    table.lays_down((1, 2), plan(start=6 * S, board_s=480))
    assert table.at == 6 * S
    table.board(1, after=late_s)
    entry = table.entry("LATE_ARRIVAL")
    assert facts(entry) == {"minutes_over": minutes, "table_row": row}
    found = tables.late(load("ccba-2006"), VP, round(late_s * S))
    assert found is not None
    assert str(found.row) == row
    assert entry.level.name == "REPORT"


def test_in_time_is_no_entry_and_neither_is_a_second_board() -> None:
    table = Timed(session=False)
    table.lays_down((1, 2), plan(start=100 * S, board_s=480))
    board(table, 1, 200)
    board(table, 2, 200)
    assert table.kinds == []
    assert table.pace.arrived == table.rows[0].begun


@pytest.mark.parametrize(
    "given", [SessionPlan(start=0), SessionPlan(contest=VP)], ids=["no contest", "no start"]
)
def test_without_a_contest_or_a_start_nothing_is_indicated(given: SessionPlan) -> None:
    table = Timed(session=False)
    table.lays_down((1,), given)
    table.board(1, after=2000)
    assert table.kinds == []
    assert table.pace.arrived is not None


def test_an_authority_without_a_table_indicates_nothing() -> None:
    table = Timed("wbf", session=False)
    table.lays_down((1,), plan(start=0, board_s=60))
    board(table, 1, 2000)
    assert table.kinds == []


def test_an_earlier_warning_counts() -> None:
    """The row is the same; what it says is not: the console reads it with what came before."""
    table = Timed(session=False)
    table.lays_down((1,), plan(start=0, late_before=1, board_s=600))
    table.board(1, after=240)
    assert facts(table.entry("LATE_ARRIVAL"))["table_row"] == "1"
    session = table.table.keeping.session
    assert session is not None
    assert session.plan.late_before == 1


# --- overtime


def test_slow_play_is_said_when_the_time_is_over_and_completed_when_the_last_board_is() -> None:
    table = Timed(session=False)
    table.lays_down((1, 2), plan(start=S, board_s=300))
    due = S + 600 * S
    assert [effect.at for effect in table.did(effects.SetDeadline) if effect.name == "session_over"] == [due]
    board(table, 1, 280)
    table.board(2)
    table.wait((due - table.at) / S)
    table._handle(ev.TimePassed(at=due))
    entry = table.entry("SLOW_PLAY")
    assert (entry.at, facts(entry)) == (due, {"boards_played": "1", "boards_unplayed": "1"})
    table.window_closes().tray("SW").leaves().tray("NE")
    table.auction("P P P P").crosses().lift(0)
    ended = table.rows[-1].ended
    entry = table.entry("SLOW_PLAY")
    over = -(-(ended - due // 1_000_000) // 1_000)
    assert facts(entry)["minutes_over"] == f"0:{over:02d}"
    assert facts(entry)["boards_unplayed"] == "0"
    assert table.pace.ended == ended
    assert [cited.article for cited in entry.provisions] == ["27"]


@pytest.mark.parametrize(
    ("over_s", "row"), [(0, None), (1, "1"), (120, "1"), (121, "2"), (300, "2"), (301, "3")]
)
def test_the_total_falls_into_the_row_of_its_seconds(over_s: int, row: str | None) -> None:
    table = Timed(session=False)
    table.lays_down((1,), plan(start=2 * S, board_s=400))
    assert table.at == S
    board(table, 1, 400 + over_s + 1)
    assert table.rows[-1].ended == (402 + over_s) * 1_000
    entries = [entry for entry in table.entries.values() if "SLOW_PLAY" in entry.kinds]
    assert [facts(entry)["table_row"] for entry in entries] == ([] if row is None else [row])


def test_case_9_a_match_cut_short_is_measured_by_the_boards_played() -> None:
    """Thirteen of fifteen boards, four minutes a board a pair: 78 minutes are 26 over, 46 are none."""
    table = Timed(session=False)
    table.lays_down(range(1, 16), plan(start=3 * S, board_s=480, pair_s=240))
    for number in range(1, 14):
        slow_ns_board(table, number)
    before = table.pace
    assert before.unplayed == (14, 15)
    assert not [entry for entry in table.entries.values() if "minutes_over" in facts(entry)]
    table.order(
        ev.SessionOpened,
        session="s",
        boards=tuple(ev.BoardDue(number=number) for number in range(1, 14)),
        plan=plan(start=3 * S, board_s=480, pair_s=240),
    )
    assert table.pace.unplayed == ()
    assert table.pace.allowed == 13 * 480_000
    sums = add_up(table.rows)
    assert (sums.boards, sums.columns.ns, sums.columns.ew) == (13, 78 * 60_000, 46 * 60_000)
    found = facts(table.entry("SLOW_PLAY"))
    assert (found["used_ns"], found["used_ew"]) == ("78:00", "46:00")
    assert (found["over_ns"], found["over_ew"]) == ("26:00", "0:00")
    assert (found["boards_played"], found["boards_unplayed"]) == ("13", "0")
    ended, due = table.pace.ended, table.pace.due
    assert ended is not None
    assert due == 3_000 + 13 * 480_000
    seconds = -(-(ended - due) // 1_000)
    assert found["minutes_over"] == f"{seconds // 60}:{seconds % 60:02d}"


def slow_ns_board(table: Timed, number: int) -> None:
    """North and South use six minutes of this board, East and West their part of 46 minutes."""
    face = table.table.rules.side_of
    table.tray_to(face(dealer_of(number)))
    table.board(number)
    if number == 1:
        table.window_closes()
    share = {Partnership.NS: 180_000, Partnership.EW: 106_150}
    if number == 13:
        share[Partnership.EW] = (46 * 60_000 - 12 * 2 * 106_150) // 2
    for _ in range(4):
        seat = table.state.auction.calls.turn
        assert seat is not None
        table.tray_to(face(seat))
        table.call(seat.value, "P", share[seat.partnership] / 1_000)
    table.tray_to(face(dealer_of(number)))
    table.lift(0)


def test_the_observed_shares_are_the_weights_of_the_article() -> None:
    rows = [row_of(index, ns=6 * 60_000, ew=3 * 60_000 + 30_000) for index in range(1, 14)]
    weights = observed(add_up(rows), 240_000)
    assert weights == (26 * MIN, 0)
    found = tables.slow(load("ccba-2006"), VP, 20 * MIN, observed=weights)
    assert found is not None
    half, seen = found.shares[0]
    assert (half.by_rule, seen.by_rule) == (True, False)
    assert (seen.ns, seen.ew) == (half.ns + half.ew, Decimal(0))


def test_a_row_delivered_twice_counts_once_and_one_not_read_makes_no_share() -> None:
    rows = [row_of(1, ns=10, ew=5), row_of(2, ns=10, ew=5)]
    assert add_up([*rows, rows[0]]) == add_up(rows)
    assert add_up(rows).boards == 2
    assert observed(add_up([*rows, row_of(3, ns=10, ew=5, reads_cards=False)]), 240_000) is None
    assert observed(add_up(rows), None) is None
    assert observed(add_up([]), 240_000) is None


def test_a_pair_has_half_of_the_board_where_nobody_says_otherwise() -> None:
    assert per_pair_ms(SessionPlan(board_s=480), 15) == 240_000
    assert per_pair_ms(SessionPlan(board_s=480, pair_s=200), 15) == 200_000
    assert per_pair_ms(SessionPlan(round_s=7_200), 15) == 240_000
    assert per_pair_ms(SessionPlan(round_s=7_200), 0) is None
    assert per_pair_ms(SessionPlan(), 15) is None
    ns, ew = pair_shares(add_up([row_of(1, ns=250_000, ew=100_000)]), 240_000)
    assert (ns.over, ew.over, ns.allowed) == (10_000, 0, 240_000)


def row_of(ordinal: int, *, ns: int, ew: int, reads_cards: bool = True) -> RecordTime:
    columns = TimeColumns(ns=ns, ew=ew)
    return RecordTime(
        session="s", ordinal=ordinal, board=ordinal, begun=0, ended=ns + ew, columns=columns,
        reads_cards=reads_cards,
    )  # fmt: skip


# --- changed during play


def test_the_same_session_again_keeps_what_was_played_and_moves_the_time() -> None:
    table = Timed(session=False)
    table.lays_down((1, 2, 3), plan(start=S, board_s=300))
    board(table, 1, 200)
    table.lays_down((1, 2), plan(start=S, board_s=600))
    assert (table.pace.finished, table.pace.unplayed) == ((1,), (2,))
    assert table.pace.due == 1_000 + 1_200_000
    order = table.log[-1]
    assert isinstance(order, ev.SessionOpened)
    assert (order.by, order.why) == ("TD", "because")


def test_another_session_begins_anew() -> None:
    table = Timed(session=False)
    table.lays_down((1,), plan(start=S, board_s=300), "morning")
    board(table, 1, 200)
    table.lays_down((2,), plan(start=table.at, board_s=300), "afternoon")
    assert (table.pace.session, table.pace.begun, table.pace.arrived) == ("afternoon", (), None)
    board(table, 2, 200)
    assert [(row.session, row.ordinal) for row in table.rows] == [("morning", 1), ("afternoon", 1)]


def test_a_session_laid_down_while_a_board_is_on_the_table_has_it() -> None:
    table = Timed(session=False)
    table.board(1)
    begun = table.at
    table.window_closes().tray("NE")
    table.wait(100)
    table.lays_down((1,), plan(start=50 * S, board_s=3000))
    table.auction("P P P P").crosses().lift(0)
    assert table.row.begun == begun // 1_000_000
    assert table.kinds == []


@pytest.mark.parametrize(("before_s", "is_late"), [(60, False), (1_700, False), (2_000, True)])
def test_boards_of_another_time_of_day_are_no_arrival(before_s: int, is_late: bool) -> None:
    """Laid down after its start, it has what was played since; what was played long before is not its own."""
    table = Timed(session=False)
    board(table, 1, 50)
    table.wait(before_s)
    table.lays_down((1, 2), plan(start=table.at + S, board_s=3_000))
    table.board(2, after=400)
    assert ("LATE_ARRIVAL" in table.kinds) is is_late


def test_a_round_cut_short_has_its_share_of_its_time_and_a_new_time_is_as_given() -> None:
    whole = laid_down(None, "s", SessionPlan(start=0, round_s=3_000), range(1, 11), arrived=None)
    cut = laid_down(whole, "s", SessionPlan(start=0, round_s=3_000), range(1, 9), arrived=None)
    given = laid_down(whole, "s", SessionPlan(start=0, round_s=2_700), range(1, 9), arrived=None)
    assert [one.allowed for one in (whole, cut, given)] == [3_000_000, 2_400_000, 2_700_000]
    assert laid_down(None, "s", SessionPlan(round_s=60), (), arrived=None).allowed == 60_000


def test_a_session_survives_a_restart_and_asks_for_its_time_again() -> None:
    table = Timed(session=False)
    table.lays_down((1, 2), plan(start=S, board_s=300))
    board(table, 1, 200)
    before = table.table.keeping
    table.restarts(30)
    after = table.table.keeping
    assert after.session == before.session
    deadlines = [effect for effect in table.last if isinstance(effect, effects.SetDeadline)]
    assert [(one.name, one.at) for one in deadlines] == [("session_over", S + 600 * S)]
    assert not table.now(effects.RecordPace)


def test_a_refused_session_changes_no_clock() -> None:
    table = Timed(session=False)
    table.order(ev.SessionOpened, session="s", boards=(ev.BoardDue(number=0),))
    assert table.refused is not None
    assert table.table.keeping.session is None


def test_the_clock_shows_no_time_to_anybody_who_may_look_at_the_table() -> None:
    """What leaves for the retained snapshot is the view: the same however long everybody took."""
    views = []
    for slow in (1, 60):
        table = Timed(session=False, senses=FULL)
        table.lays_down((1,), plan(start=10**15, board_s=480))
        table.tray("NE").board(1).window_closes()
        table.call("N", "1C", slow).call("E", "P", slow)
        views.append(table.table.view())
    assert views[0] == views[1]
