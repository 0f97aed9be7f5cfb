"""A journal that goes on from another begins with what stands: the director deals with it under its name."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, cast

import pytest

from table_controller.journal import Journal, NewRow, StorageFailed, body_of, history
from table_controller.laws.seat import Seat
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.messages.topics import Stream
from table_controller.regulations.load import load
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import DirectorSummoned, FaultGone, FaultSeen
from table_controller.screen.table import ScreenTable
from table_controller.service.engine import Engine
from table_controller.service.resume import resume
from tests.table_controller.test_engine import HERE, S, engine_on, opened

SENSES = frozenset({"tray", "window", "board", "summons", "calls", "lead"})


def engine_of(journal: Journal) -> Engine:
    core = ScreenTable(regulations=load("ccba-2006"), senses=SENSES)
    return engine_on(journal, cast("Any", core))


def entries(journal: Journal) -> list[tuple[str, int, str]]:
    """Change, number and standing of every irregularity in this journal, and of every fault."""
    found = []
    for row in journal.rows():
        body = body_of(row)
        if row.stream in (Stream.IRREGULARITY, Stream.FAULT):
            value = cast("dict[str, Json]", body["entry" if "entry" in body else "fault"])
            found.append((str(body["change"]), cast("int", value["id"]), str(value.get("kind", "entry"))))
    return found


def trouble(engine: Engine) -> None:
    """A summons that waits, a fault that stands, and one that is over."""
    jammed = FaultSeen(at=2 * S, kind=FaultKind.WINDOW_JAMMED, component="window", detail="3 A")
    over = FaultSeen(at=3 * S, kind=FaultKind.BROKER_UNREACHABLE, component="broker", detail="")
    engine.insert(DirectorSummoned(at=1 * S, seat=Seat.E))
    engine.insert(jammed)
    engine.insert(over)
    engine.insert(FaultGone(at=4 * S, kind=FaultKind.BROKER_UNREACHABLE, component="broker"))
    engine.turn([], 5 * S)
    assert len(engine.standing.entries) == 1
    assert [fault.kind for fault in engine.standing.faults.values()] == [FaultKind.WINDOW_JAMMED]


def test_what_stands_is_told_again_in_the_journal_that_follows_a_damaged_one(tmp_path: Path) -> None:
    book = opened(tmp_path)
    engine = engine_of(book.journal)
    trouble(engine)
    engine.note(What.NOTE, {"text": "to be damaged"}, 6 * S)
    engine.turn([], 6 * S)
    (summons,) = engine.standing.entries
    (jammed,) = engine.standing.faults
    book.close()
    with sqlite3.connect(book.path) as connection:
        connection.execute("UPDATE row SET body = body || ' ' WHERE seq = (SELECT max(seq) FROM row)")
    connection.close()

    again = opened(tmp_path)
    second = engine_of(again.journal)
    past = history(again.path, HERE, again.journal.rows(), again.found.follows)
    second.standing = resume(past, second.core, second.sensing).standing
    assert second.standing == engine.standing
    second.note(What.BOOT, {"found": again.found.value()}, 9 * S)
    second.tell_again(9 * S)
    second.turn([], 9 * S)
    assert entries(again.journal) == [("amended", summons, "entry"), ("raised", jammed, "WINDOW_JAMMED")]
    again.close()

    third = opened(tmp_path)
    core = ScreenTable(regulations=load("ccba-2006"), senses=SENSES)
    told = resume(history(third.path, HERE, third.journal.rows(), third.found.follows), core)
    assert told.standing == engine.standing
    assert core.view() == engine.core.view()
    third.close()


def test_and_in_the_one_kept_in_memory_when_the_storage_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = opened(tmp_path)
    engine = engine_of(book.journal)
    engine._fallback = book.fall_back
    trouble(engine)
    (summons,) = engine.standing.entries
    (jammed,) = engine.standing.faults

    def full(rows: list[NewRow]) -> list[int]:
        raise StorageFailed("the disk is full")

    monkeypatch.setattr(book.journal, "append", full)
    engine.note(What.NOTE, {"text": "too much"}, 7 * S)
    engine.turn([], 7 * S)
    engine.turn([], 8 * S)
    told = entries(book.journal)
    assert told[:2] == [("amended", summons, "entry"), ("raised", jammed, "WINDOW_JAMMED")]
    assert [kind for _, _, kind in told[2:]] == ["STORAGE_FAILED"]
    book.close()
