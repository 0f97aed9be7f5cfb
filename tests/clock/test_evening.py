"""A simulated evening of twenty tables whose players have known paces: what is measured is what they use."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

import pytest

from hw_sim.players.customs import STYLES, Style
from hw_sim.table.wiring import TableKind
from table_controller.clock.shares import add_up, observed, pair_shares, per_pair_ms
from table_controller.laws.seat import Partnership
from table_controller.regulations import clock
from table_controller.regulations.load import load
from table_controller.regulations.time_tables import Contest
from table_controller.screen.entry import Kind
from table_controller.screen.times import SessionPlan
from tests.clock.evening import NS_PER_MS, NS_PER_S, Played, evening, games, used_ms

TABLES, BOARDS = 20, 4
MINUTE_MS = 60_000
START = NS_PER_S
PLAN = SessionPlan(contest=Contest.TEAMS_VP, start=START, board_s=300)
PACES = (STYLES["fast"], STYLES["steady"], STYLES["slow"], Style(call=20.0, card=3.0))
NS, EW = Partnership.NS, Partnership.EW


@lru_cache(maxsize=1)
def hall() -> tuple[Played, ...]:
    """Every pair of paces, at tables that begin with other boards."""
    found = []
    for table in range(TABLES):
        boards = tuple(islice(games(), table, table + BOARDS))
        pairs = {NS: PACES[table % 4], EW: PACES[table // 4 % 4]}
        found.append(evening(boards, seed=table, pairs=pairs, plan=PLAN))
    return tuple(found)


@pytest.mark.parametrize("table", range(TABLES))
def test_each_partnership_is_measured_within_a_second_a_board(table: int) -> None:
    for account, row in hall()[table].pairs():
        assert row.board == account.number
        assert row.columns.ns == pytest.approx(used_ms(account, NS), abs=1_000)
        assert row.columns.ew == pytest.approx(used_ms(account, EW), abs=1_000)


def test_paces_differ_so_that_the_measure_can_fail() -> None:
    """A table that gave both sides half of the time would be far off."""
    off = [abs(row.columns.ns - row.columns.ew) for played in hall() for _, row in played.pairs()]
    assert max(off) > 100_000
    assert sum(difference > 5_000 for difference in off) > len(off) // 2


@pytest.mark.parametrize("table", range(TABLES))
def test_all_columns_sum_to_the_boards_wall_to_the_millisecond(table: int) -> None:
    for _, row in hall()[table].pairs():
        assert row.columns.total == row.ended - row.begun
        assert sum(ms for _, ms in row.seats) == row.columns.ns + row.columns.ew
        assert row.columns.unknown == row.columns.common == row.unmeasured == 0


@pytest.mark.parametrize("table", range(TABLES))
def test_each_seat_is_measured_too(table: int) -> None:
    for account, row in hall()[table].pairs():
        for seat, ms in row.seats:
            assert ms == pytest.approx(account.used[seat.value] / NS_PER_MS, abs=1_000)


@pytest.mark.parametrize("table", range(TABLES))
def test_slow_play_and_its_shares_are_right_to_the_minute(table: int) -> None:
    """Against the players' own watch: over by so many minutes, of which so much was each side's."""
    played = hall()[table]
    pace = played.stage.pace
    assert pace is not None
    assert pace.due is not None
    assert pace.ended is not None
    assert pace.ended == played.stage.times[-1].ended
    assert PLAN.board_s is not None
    assert pace.due == START // NS_PER_MS + BOARDS * PLAN.board_s * 1_000
    slow = [entry for entry in played.stage.entries.values() if Kind.SLOW_PLAY in entry.kinds]
    over = pace.ended - pace.due
    assert len(slow) == (1 if over > 0 else 0)
    sums = add_up(played.stage.times)
    per_pair = per_pair_ms(PLAN, BOARDS)
    assert per_pair == 150_000
    theirs = {side: sum(used_ms(account, side) for account in played.accounts) for side in (NS, EW)}
    for share in pair_shares(sums, per_pair):
        expected = max(0.0, theirs[share.partnership] - BOARDS * per_pair)
        assert share.over == pytest.approx(expected, abs=BOARDS * 1_000)
        assert round(share.over / MINUTE_MS) == round(expected / MINUTE_MS)
    if not slow:
        return
    facts = {fact.name: fact.text for fact in slow[0].facts}
    whole, seconds = map(int, facts["minutes_over"].split(":"))
    assert whole * 60 + seconds == -(-over // 1_000)
    found = clock.slow(load("ccba-2006"), Contest.TEAMS_VP, over * NS_PER_MS)
    assert found is not None
    assert facts["table_row"] == str(found.total.row)
    assert (facts["boards_played"], facts["boards_unplayed"]) == (str(BOARDS), "0")


def test_some_tables_are_slow_and_some_are_not() -> None:
    slow = [any(Kind.SLOW_PLAY in e.kinds for e in played.stage.entries.values()) for played in hall()]
    assert any(slow)
    assert not all(slow)


def test_observed_shares_stand_beside_the_rules_half_and_half() -> None:
    slowest = max(hall(), key=lambda played: played.stage.times[-1].ended)
    pace = slowest.stage.pace
    assert pace is not None
    assert pace.due is not None
    assert pace.ended is not None
    weights = observed(add_up(slowest.stage.times), per_pair_ms(PLAN, BOARDS))
    found = clock.slow(
        load("ccba-2006"), Contest.TEAMS_VP, (pace.ended - pace.due) * NS_PER_MS, observed=weights
    )
    assert found is not None
    (shares,) = found.shares
    assert [share.basis for share in shares] == [clock.ShareBasis.HALF_EACH, clock.ShareBasis.OBSERVED]
    assert [share.by_rule for share in shares] == [True, False]
    assert all(share.ns + share.ew == shares[0].ns + shares[0].ew for share in shares)


@pytest.mark.parametrize("profile", ["wbf", "ebl-2016", "dbf"])
def test_other_authorities_players_are_measured_as_well(profile: str) -> None:
    """The lead announced or faced before the window opens, other movers, other times for the cards."""
    played = evening(games()[:3], seed=2, pairs={NS: STYLES["slow"], EW: STYLES["fast"]}, regulations=profile)
    for account, row in played.pairs():
        assert row.columns.total == row.ended - row.begun
        assert row.columns.ns == pytest.approx(used_ms(account, NS), abs=1_000)
        assert row.columns.ew == pytest.approx(used_ms(account, EW), abs=1_000)


@pytest.mark.parametrize("kind", [kind for kind in TableKind if kind is not TableKind.FULL])
def test_what_a_table_does_not_read_is_common_time_and_it_says_so(kind: TableKind) -> None:
    played = evening(games()[:2], seed=5, kind=kind, plan=PLAN)
    senses = {sense.value for sense in played.stage.table.rules.senses}
    for _, row in played.pairs():
        assert row.reads_calls == ("calls" in senses)
        assert row.reads_cards == ("cards" in senses)
        assert row.columns.total == row.ended - row.begun
        assert (row.columns.common > 0) is not (row.reads_calls and row.reads_cards)
    all_read = {"calls", "cards"} <= senses
    assert (observed(add_up(played.stage.times), 150_000) is not None) is all_read


def test_a_hold_whose_mover_is_not_sensed_is_his_who_should_have_pushed_and_says_so() -> None:
    sensed = evening(games()[:2], seed=5).stage.times
    presumed = evening(games()[:2], seed=5, kind=TableKind.HEADER).stage.times
    assert all(row.hold_presumed == 0 and row.columns.hold_ns > 0 for row in sensed)
    assert all(row.hold_presumed == row.columns.hold_ns > 0 for row in presumed)
    assert all(row.columns.hold_ew == row.columns.hold_unknown == 0 for row in (*sensed, *presumed))


def test_a_table_is_late_by_its_first_board_against_the_start() -> None:
    played = evening(games()[:1], seed=1, plan=PLAN, late_s=420)
    late = [entry for entry in played.stage.entries.values() if Kind.LATE_ARRIVAL in entry.kinds]
    assert len(late) == 1
    pace = played.stage.pace
    assert pace is not None
    assert pace.arrived is not None
    assert pace.start == START // NS_PER_MS
    facts = {fact.name: fact.text for fact in late[0].facts}
    seconds = -(-(pace.arrived - pace.start) // 1_000)
    assert facts == {"minutes_over": f"{seconds // 60}:{seconds % 60:02d}", "table_row": "2"}
    assert [cited.article for cited in late[0].provisions] == ["26"]
