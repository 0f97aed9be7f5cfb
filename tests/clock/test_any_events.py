"""Whatever happens at a table, a board's columns sum to its time, and told again it gives the same rows."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings, strategies as st

from table_controller.clock.table import TimedTable
from table_controller.screen import effects, events as ev
from table_controller.screen.times import RecordTime, SessionPlan
from tests.clock.driving import Timed
from tests.screen.alphabet import alphabet
from tests.screen.coarse import coarse
from tests.screen.driving import FULL, GUARD, WATCH

MS = 1_000_000
GAPS = st.integers(min_value=0, max_value=90_000_000_000)


def walk(table: Timed, steps: list[tuple[int, int, bool]]) -> list[RecordTime]:
    """Letters of the alphabet, chosen by number; every fourth is looked for in the whole of it."""
    for choice, gap, inferred in steps:
        letters = list(alphabet(table.state) if choice % 4 == 0 else coarse(table.state, table.table.rules))
        letter = letters[choice // 4 % len(letters)]
        event = letter.event(table.at + gap)
        if inferred and not isinstance(event, ev.DirectorSummoned):
            event = replace(event, inferred=True, not_before=max(0, event.at - 2 * gap))
        table._handle(event)
        check(table)
    return table.rows


def check(table: Timed) -> None:
    """The account as it stands: nothing lost, nothing doubled, nobody below nothing."""
    assert "Error of ours" not in dict(table.table.view().off).get("clock", "")
    ledger = table.table.keeping.ledger
    if ledger is None:
        return
    row = ledger.row(session="s", ordinal=1, outcome="", rules=table.table.rules)
    assert row.columns.total == row.ended - row.begun
    upto = ledger.begun
    for segment in ledger.segments:
        assert segment.start == upto
        assert segment.end > segment.start
        upto = segment.end
    assert upto == ledger.upto


STEPS = st.lists(st.tuples(st.integers(0, 4_000), GAPS, st.booleans()), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, senses=st.sampled_from([FULL, WATCH, GUARD, FULL - {"mover"}]), opened=st.booleans())
def test_columns_sum_to_the_boards_wall_whatever_happens(
    steps: list[tuple[int, int, bool]], senses: frozenset[str], opened: bool
) -> None:
    table = Timed(senses=senses)
    table.lays_down((1, 2, 3), SessionPlan(start=0, board_s=60))
    table.tray("NE")
    if opened:
        table.ready(1)
    rows = walk(table, steps)
    for row in rows:
        assert row.columns.total == row.ended - row.begun
        assert sum(ms for _, ms in row.seats) == row.columns.ns + row.columns.ew
        assert 0 <= row.hold_presumed <= row.columns.hold_ns + row.columns.hold_ew
        assert row.ended <= table.at // MS
    assert [row.ordinal for row in rows] == list(range(1, len(rows) + 1))


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_the_same_events_again_give_the_same_rows_and_the_same_account(
    steps: list[tuple[int, int, bool]],
) -> None:
    table = Timed()
    table.lays_down((1, 2, 3), SessionPlan(start=0, board_s=60))
    table.tray("NE")
    table.ready(1)
    walk(table, steps)
    again = TimedTable(regulations=table.regulations, senses=table.senses)
    done = [effect for number, event in enumerate(table.log, 1) for effect in again.handle(event, number)]
    assert done == table.effects
    assert again.keeping == table.table.keeping
    assert hash(again.keeping) == hash(table.table.keeping)
    assert [one for one in done if isinstance(one, effects.RecordTime)] == table.rows
