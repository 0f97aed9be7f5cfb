"""Restarts, power cuts, an unplugged device, lost events, faults: times stay true or are unknown."""

from __future__ import annotations

import pytest

from table_controller.laws.seat import Seat
from table_controller.screen import events as ev
from table_controller.screen.entry import FaultKind
from table_controller.screen.times import SessionPlan
from tests.clock.driving import Timed, begun, now, owned
from tests.screen.driving import FULL, bid

NO_MOVER = FULL - {"mover"}


def test_a_power_cut_is_unknown_with_how_much_and_nothing_else_is_lost() -> None:
    table = begun().call("N", "1C", 20)
    table.restarts(40)
    table.call("E", "P", 15)
    columns = now(table)
    assert columns["unknown"] == 40_000
    assert (owned(table, Seat.N), owned(table, Seat.E)) == (20_000, 15_000)


def test_a_power_cut_of_unknown_length_is_said_to_be_unmeasured() -> None:
    start = SessionPlan(start=0, board_s=480)
    table = begun(session=False)
    table.lays_down((1,), start)
    before = table.pace
    assert before.due == 480_000
    table.call("N", "1C", 20)
    table.restarts(0.001, known=False)
    table.call("E", "P", 15)
    assert table.pace.start is None
    assert table.pace.due is None
    ledger = table.table.keeping.ledger
    assert ledger is not None
    assert ledger.unmeasured == 1
    assert now(table)["unknown"] == 1


def test_what_a_restart_finds_changed_may_have_come_at_any_time_since_it_was_last_seen() -> None:
    table = begun().call("N", "1C", 20)
    last = table.at
    table.restarts(40)
    table.send(ev.CallMade, 1, seat=Seat.E, call=bid("1D"), inferred=True, not_before=last)
    table.leaves(2)
    columns = now(table)
    assert columns["unknown"] == 41_000
    assert owned(table, Seat.E) == 0
    assert columns["ns"] == 20_000


def test_an_unplugged_device_is_unknown_time() -> None:
    table = begun().call("N", "1C", 20)
    table.send(ev.LinkLost, 10, why="unplugged")
    table.send(ev.LinkRestored, 50)
    table.call("E", "P", 5)
    columns = now(table)
    assert columns["unknown"] == 50_000
    assert owned(table, Seat.E) == 10_000 + 5_000


def test_a_call_made_while_the_device_was_away_takes_its_time_from_everybody() -> None:
    """The last that was heard of the wires was 8 s before the loss was noticed."""
    table = begun().call("N", "1C", 20)
    heard = table.at
    table.send(ev.LinkLost, 8, why="unplugged")
    table.send(ev.LinkRestored, 50)
    table.send(ev.CallMade, 0, seat=Seat.E, call=bid("1D"), inferred=True, not_before=heard)
    assert now(table)["unknown"] == 58_000
    assert owned(table, Seat.E) == 0


@pytest.mark.parametrize(
    ("event", "fields"), [(ev.EventsLost, {"count": 3}), (ev.DeviceReset, {"cause": "w"})]
)
def test_lost_events_make_the_stretch_they_fell_in_unknown(
    event: type[ev.Event], fields: dict[str, object]
) -> None:
    table = begun().call("N", "1C", 20)
    table.send(event, 12, **fields)
    table.call("E", "P", 6)
    columns = now(table)
    assert columns["unknown"] == 12_000
    assert columns["ns"] == 20_000
    assert owned(table, Seat.E) == 6_000


def test_a_gap_of_known_length_is_unknown_by_just_so_much() -> None:
    table = begun().call("N", "1C", 20)
    table.send(ev.EventsLost, 12, count=0, gap=4_000_000_000)
    table.call("E", "P", 6)
    assert now(table)["unknown"] == 4_000
    assert owned(table, Seat.E) == 8_000 + 6_000


def test_a_clock_that_goes_back_gives_nobody_less_than_nothing() -> None:
    table = begun().call("N", "1C", 20)
    before = table.at
    table.at -= 5_000_000_000
    table.call("E", "P", 1)
    table.at = before + 3_000_000_000
    table.leaves(0)
    columns = now(table)
    assert columns["ns"] == 16_000
    assert columns["unknown"] == 4_000
    assert all(ms >= 0 for ms in columns.values())


def test_a_step_of_the_wall_clock_moves_no_time() -> None:
    """The wall is only a label; the table's own axis does not step."""
    plain, stepped = begun(), begun()
    stepped.send(ev.FaultSeen, 7, kind=FaultKind.CLOCK_STEPPED, component="clock", standing=False)
    stepped.wait(-7)
    for table in (plain, stepped):
        table.call("N", "1C", 20).call("E", "P", 30)
    assert now(plain) == now(stepped)


def test_a_sensor_in_doubt_is_the_faults_time_and_not_a_players() -> None:
    table = begun().call("N", "1C", 20)
    table.send(ev.SensorDoubted, 3, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray")
    table.send(ev.SensorCleared, 30, sense="tray", kind=FaultKind.SENSOR_CONFLICT, component="tray")
    table.call("E", "P", 2)
    assert now(table)["faults"] == 30_000
    assert owned(table, Seat.E) == 5_000


def test_a_fault_of_a_sense_the_moment_does_not_need_is_nobodys_business() -> None:
    table = begun().call("N", "1C", 20)
    table.send(ev.SensorDoubted, 3, sense="summons", kind=FaultKind.SENSOR_SUSPECT, component="summons.n")
    table.call("E", "P", 30)
    assert now(table)["faults"] == 0
    assert owned(table, Seat.E) == 33_000


def test_a_jammed_window_is_the_faults_time() -> None:
    table = Timed()
    table.tray("NE").board(1)
    table.send(ev.FaultSeen, 2, kind=FaultKind.WINDOW_JAMMED, component="window.motor")
    table.send(ev.FaultGone, 60, kind=FaultKind.WINDOW_JAMMED, component="window.motor")
    table.window_closes()
    table.call("N", "P", 4)
    columns = now(table)
    assert columns["faults"] == 60_000
    assert columns["procedure"] == 2_000 + 2_000
    assert columns["ns"] == 4_000


def test_a_board_lifted_before_the_first_call_has_no_row() -> None:
    table = Timed()
    table.tray("NE").board(1).lift(30).board(2)
    assert table.rows == []
    assert table.table.keeping.ledger is not None
    assert table.table.keeping.ledger.begun == table.at // 1_000_000


def test_restarts_lose_no_row_and_double_none() -> None:
    plain, torn = Timed(), Timed()
    for table in (plain, torn):
        table.tray("NE")
        table.ready(1)
        table.over()
    torn.restarts(5)
    torn.restarts(5)
    torn.board(2)
    assert [row.ordinal for row in torn.rows] == [1]
    assert torn.rows == plain.rows


def test_an_error_of_ours_in_the_clock_costs_the_table_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window does not wait for the clock: what the core made of the event stands, and the view tells."""
    table = begun().call("N", "1C", 20)
    monkeypatch.setattr("table_controller.clock.table.keep", lambda *_: 1 / 0)
    table.call("E", "P", 5)
    assert table.calls == "N:1C E:P"
    assert "Error of ours" in dict(table.table.view().off)["clock"]
    monkeypatch.undo()
    table.crosses().call("S", "P", 5)
    assert "Error of ours" in dict(table.table.view().off)["clock"]
    assert table.calls == "N:1C E:P S:P"
