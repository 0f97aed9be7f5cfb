"""Killed between carrying an order out and answering it: asked again, the table says how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_controller.commands import Remembered
from table_controller.messages import Status, What
from table_controller.messages.topics import Verb
from table_controller.regulations.load import load
from table_controller.screen.events import Event, Held, Resumed
from table_controller.screen.table import ScreenTable
from table_controller.service.resume import resume
from tests.screen.driving import FULL
from tests.table_controller.test_engine import S, engine_on, opened, run


def core() -> ScreenTable:
    return ScreenTable(regulations=load("ccba-2006"), senses=FULL)


def answers(path: Path, event: Event, verb: Verb, answered: Status | None = None) -> list[Status]:
    """Of the order X, in the order they are remembered after a kill."""
    with_journal = opened(path)
    engine = engine_on(with_journal.journal, core())
    accepted = Remembered(id="X", verb=verb, by="TD", status=Status.ACCEPTED)
    engine.order("X", [event], accepted.value())
    run(engine, (10 * S, []), (11 * S, []))
    if answered is not None:
        told = Remembered(id="X", verb=verb, by="TD", status=answered)
        engine.note(What.COMMAND, told.value(), 12 * S, cause="X")
        run(engine, (12 * S, []))
    with_journal.close()
    again = opened(path)
    found = resume(again.journal.rows(), core()).remembered
    again.close()
    assert {told.id for told in found} == {"X"}
    if found[-1].status is Status.REFUSED and answered is None:
        assert found[-1].because.code
    return [told.status for told in found]


HELD = Held(at=10 * S, by="TD", command="X")
RESUMED = Resumed(at=10 * S, by="TD", command="X")


def test_what_was_done_is_answered_so(tmp_path: Path) -> None:
    assert answers(tmp_path, HELD, Verb.HOLD) == [Status.ACCEPTED, Status.DONE]


def test_what_the_core_refused_is_answered_so(tmp_path: Path) -> None:
    assert answers(tmp_path, RESUMED, Verb.RESUME) == [Status.ACCEPTED, Status.REFUSED]


@pytest.mark.parametrize("status", [Status.DONE, Status.REFUSED])
def test_what_was_answered_stays(tmp_path: Path, status: Status) -> None:
    assert answers(tmp_path, HELD, Verb.HOLD, status) == [Status.ACCEPTED, status]
