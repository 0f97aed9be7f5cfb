"""Journal, then command: what one turn does, in that order, and what it does when something fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.memory_rig import MEMORY_DEVICE
from firmware_bridge.readings import Direction, LevelRead, LinkUp, Snapshot
from firmware_bridge.rig import MoveWindow, SetOutput
from table_controller.journal import Journal, NewRow, Opened, StorageFailed, history, open_journal
from table_controller.laws.seat import Faces, Seat
from table_controller.messages import ClockQuality
from table_controller.messages.codec import Json
from table_controller.messages.mac import parse_object
from table_controller.messages.topics import Identity, Place
from table_controller.screen.events import (
    BoardPlaced,
    DirectorSummoned,
    Event,
    FaultSeen,
    Held,
    LeadMade,
    TimePassed,
    TrayArrived,
)
from table_controller.sensing import Sensing
from table_controller.sensing.signals import LEVELS, TOKENS
from table_controller.service.engine import Done, Engine
from table_controller.service.reports import Stamp
from table_controller.service.resume import Core, resume
from table_controller.service.standing import Standing
from table_controller.service.window_drive import DriveSpec, WindowDrive, WindowKind
from tests.table_controller.stub_core import StubCore

MS, S = 1_000_000, 1_000_000_000
HERE = Identity(place=Place(venue="v", event="e"), table="t1")
ALL = frozenset({*LEVELS, *TOKENS})


def told_by(engine: Engine) -> list[tuple[int, Event]]:
    assert isinstance(engine.core, StubCore)
    return engine.core.told


def stamp(now: int) -> Stamp:
    return Stamp(mono=now, wall=None, clock=ClockQuality.UNSET, rev=0)


def opened(path: Path) -> Opened:
    return open_journal(path / "j.sqlite", identity=HERE, session="s1")


def engine_on(journal: Journal, core: Core | None = None) -> Engine:
    return Engine(
        core=core or StubCore(),
        sensing=Sensing(signals=ALL, faces=Faces()),
        drive=WindowDrive(DriveSpec(kind=WindowKind.MOTOR, output="window.motor")),
        journal=journal,
        standing=Standing(),
        outputs=frozenset({"hold.ne", "hold.sw", *(f"summons.{seat.lower()}" for seat in Seat)}),
        stamp=stamp,
        fallback=lambda: Journal.in_memory(identity=HERE, epoch="mem", session="s1"),
    )


def first_look(at: int = 10 * S) -> list[LinkUp | Snapshot]:
    levels = {name: name in ("tray.ne", "window.open") for name in LEVELS}
    return [
        LinkUp(at=at, device=MEMORY_DEVICE),
        Snapshot(at=at, levels=levels, tokens=dict.fromkeys(TOKENS, "")),
    ]


def level(signal: str, active: bool, at: int) -> LevelRead:
    return LevelRead(at=at, signal=signal, active=active)


def whats(journal: Journal) -> list[str]:
    said = []
    for row in journal.rows():
        body = parse_object(row.body.encode())
        value = body.get("value")
        said.append(str(body.get("what")) + ":" + str(_name(value)))
    return said


def _name(value: Json) -> Json:
    return (value.get("event") or value.get("effect") or "") if isinstance(value, dict) else ""


def run(engine: Engine, *turns: tuple[int, Sequence[Any]]) -> Done:
    total = Done()
    for at, readings in turns:
        done = engine.turn(readings, at)
        total.commands += done.commands
        total.outcomes += done.outcomes
        total.rows += done.rows
    return total


def test_an_event_and_what_the_core_says_are_one_commit_with_the_event_as_cause(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    run(engine, (10 * S, first_look()), (12 * S, []))
    run(engine, (13 * S, [level("board.present", True, 13 * S)]), (14 * S, []))
    rows = list(with_journal.journal.rows())
    placed = next(row for row in rows if '"BoardPlaced"' in row.body)
    caused = [row for row in rows if row.cause == f"t1-{with_journal.journal.epoch}-{placed.seq}"]
    assert ['"CloseWindow"' in caused[0].body, '"ShowState"' in caused[1].body] == [True, True]
    with_journal.close()


def test_the_core_is_given_the_number_of_the_row(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    core = StubCore()
    engine = engine_on(with_journal.journal, core)
    run(engine, (10 * S, first_look()), (12 * S, [level("director.e", True, 12 * S)]), (13 * S, []))
    number = next(number for number, event in core.told if isinstance(event, DirectorSummoned))
    row = next(iter(with_journal.journal.rows(number, number)))
    assert '"DirectorSummoned"' in row.body
    with_journal.close()


def test_what_is_ordered_is_in_the_journal_before_it_is_commanded(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    done = run(engine, (10 * S, first_look()), (11 * S, [level("board.present", True, 11 * S)]), (12 * S, []))
    assert "order:CloseWindow" in whats(with_journal.journal)
    moves = [c for c in done.commands if isinstance(c, MoveWindow)]
    assert [c.direction for c in moves] == [Direction.CLOSE]
    with_journal.close()


def test_nothing_is_commanded_that_could_not_be_journalled_even_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    run(engine, (10 * S, first_look()), (12 * S, []))

    def full(rows: list[NewRow]) -> list[int]:
        raise StorageFailed("the disk is full")

    monkeypatch.setattr(with_journal.journal, "append", full)
    done = engine.turn([level("board.present", True, 13 * S)], 13 * S)
    done = engine.turn([], 14 * S)
    assert done.storage_failed
    assert not engine.journal.durable
    assert engine.journal.epoch == "mem"
    said = whats(engine.journal)
    assert "event:BoardPlaced" in said
    engine.turn([], 15 * S)
    assert "event:FaultSeen" in whats(engine.journal)
    assert any(isinstance(c, MoveWindow) for c in done.commands)
    with_journal.close()


def test_an_error_of_ours_in_the_core_is_noted_and_the_table_goes_on(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    core = StubCore(fails_on=DirectorSummoned)
    engine = engine_on(with_journal.journal, core)
    run(engine, (10 * S, first_look()), (12 * S, [level("director.e", True, 12 * S)]), (13 * S, []))
    done = run(engine, (14 * S, [level("director.s", True, 14 * S)]), (15 * S, []))
    assert SetOutput(output="summons.s", on=True) in done.commands
    assert any("ZeroDivisionError" in row.body for row in with_journal.journal.rows())
    with_journal.close()


def test_a_deadline_of_the_core_becomes_time_passed_at_its_own_time(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    core = StubCore()
    engine = engine_on(with_journal.journal, core)
    run(engine, (10 * S, first_look()), (12 * S, []))
    assert engine.deadline() == engine.standing.deadlines["forgotten"]
    run(engine, (400 * S, []), (401 * S, []))
    passed = [event for _, event in core.told if isinstance(event, TimePassed)]
    arrived = next(event for _, event in core.told if isinstance(event, TrayArrived))
    assert [event.at for event in passed] == [arrived.at + 180 * S]
    with_journal.close()


def test_a_directors_order_and_the_row_that_it_was_taken_are_one_commit(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    run(engine, (10 * S, first_look()), (12 * S, []))
    engine.order("C1", [Held(at=12 * S, by="TD", command="C1")], {"id": "C1"})
    done = run(engine, (12 * S, []), (13 * S, []))
    said = whats(with_journal.journal)
    assert said[said.index("event:Held") - 1] == "command:"
    assert [(o.command, o.refused) for o in done.outcomes] == [("C1", None)]
    with_journal.close()


def test_raw_levels_are_kept_while_a_sense_is_doubted(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    run(engine, (10 * S, first_look()), (12 * S, [level("tray.sw", True, 12 * S)]), (14 * S, []))
    run(engine, (14 * S, [level("tray.ne", False, 14 * S)]), (15 * S, []))
    assert any("raw tray.ne=0" in row.body for row in with_journal.journal.rows())
    with_journal.close()


def test_a_resumed_engine_stands_where_the_old_one_stood(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    old = engine_on(with_journal.journal)
    run(old, (10 * S, first_look()), (11 * S, [level("board.present", True, 11 * S)]), (12 * S, []))
    run(old, (13 * S, [level("director.e", True, 13 * S)]), (14 * S, []))
    with_journal.close()
    with_journal = opened(tmp_path)
    core, sensing = StubCore(), Sensing(signals=ALL, faces=Faces())
    resumed = resume(with_journal.journal.rows(), core, sensing)
    assert resumed.standing == old.standing
    assert core.view() == old.core.view()
    assert resumed.standing.lit == {"hold.ne": True, "summons.e": True}
    assert any(isinstance(event, BoardPlaced) for _, event in core.told)
    with_journal.close()


def test_the_light_barrier_stops_a_closing_window_and_is_a_fault(tmp_path: Path) -> None:
    with_journal = opened(tmp_path)
    core = StubCore()
    engine = engine_on(with_journal.journal, core)
    run(engine, (10 * S, first_look()), (11 * S, [level("board.present", True, 11 * S)]), (12 * S, []))
    done = run(engine, (12 * S + 50 * MS, [level("window.obstructed", True, 12 * S)]), (13 * S, []))
    assert [c.direction for c in done.commands if isinstance(c, MoveWindow)][:2] == [
        Direction.STOP,
        Direction.OPEN,
    ]
    assert any(isinstance(event, FaultSeen) for _, event in core.told)
    assert not any(isinstance(event, LeadMade) for _, event in core.told)
    with_journal.close()


def test_a_table_that_ran_on_over_a_storage_failure_resumes_from_both_epochs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_journal = opened(tmp_path)
    engine = engine_on(with_journal.journal)
    engine._fallback = with_journal.fall_back
    run(engine, (10 * S, first_look()), (11 * S, [level("board.present", True, 11 * S)]), (12 * S, []))
    failing = with_journal.journal

    def full(rows: list[NewRow]) -> list[int]:
        raise StorageFailed("the disk is full")

    monkeypatch.setattr(failing, "append", full)
    run(engine, (13 * S, [level("director.e", True, 13 * S)]), (14 * S, []))
    assert not with_journal.journal.durable
    recovered = with_journal.recover()
    assert recovered is not None
    engine.journal = recovered
    run(engine, (15 * S, [level("director.e", False, 15 * S)]), (16 * S, [level("director.s", True, 16 * S)]))
    run(engine, (17 * S, []))
    with_journal.close()

    again = opened(tmp_path)
    core = StubCore()
    resumed = resume(history(again.path, HERE, again.journal.rows()), core)
    assert core.view() == engine.core.view()
    assert resumed.standing == engine.standing
    assert [type(event) for _, event in core.told] == [type(event) for _, event in told_by(engine)]
    again.close()
