"""The console's own clock is set back by an hour: nothing waits until it is as late again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_console.pauses import over
from director_console.projection.inputs import Progress
from table_controller.messages.topics import Verb
from tests.director_console.playing import Playing
from tests.director_console.test_desk import KEYS, Rig

HOUR = 3_600_000


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


@pytest.fixture
def table(rig: Rig) -> Playing:
    playing = Playing("7", KEYS, 1)
    rig.hear(*playing.hello())
    rig.wait(500)
    return playing


@pytest.mark.parametrize(
    ("passed", "is_over"), [(0, False), (-900, False), (4, False), (5, True), (-HOUR, True)]
)
def test_a_pause_is_over_when_it_has_passed_or_the_clock_was_set_back(passed: int, is_over: bool) -> None:
    assert over(HOUR, HOUR + passed, 5) is is_over


def test_receipts_are_given(rig: Rig, table: Playing) -> None:
    rig.time -= HOUR
    rig.hear(*table.step())
    rig.wait(500)
    assert rig.wire.of("t/7/receipt")[-1]["upto"] == table.wired.seq


def test_missing_rows_are_asked_for(rig: Rig, table: Playing) -> None:
    _, *rest = table.step()
    rig.hear(*rest)
    rig.wait(500)
    rig.time -= HOUR
    rig.hear(table.wired.avail())
    rig.wait(6000)
    assert rig.wire.of("command/replay")


def test_a_table_silent_since_then_is_not_taken_for_a_live_one(rig: Rig, table: Playing) -> None:
    rig.time -= HOUR
    assert rig.desk.hall.tables["7"].stale(rig.time)
    rig.hear(table.wired.avail())
    assert not rig.desk.hall.tables["7"].stale(rig.time)
    rig.wait(46_000)
    assert rig.desk.hall.tables["7"].stale(rig.time)


def test_a_window_order_from_before_is_not_sent_once_more(rig: Rig, table: Playing) -> None:
    rig.desk.do(lambda act: act.command(act.table("7"), Verb.OPEN_WINDOW, {}, "chief"))
    rig.desk._work([rig.desk.inbox.get()])
    assert len(rig.wire.of("command/open_window")) == 1
    rig.time -= HOUR
    for _ in range(3):
        rig.wait(4000)
    assert len(rig.wire.of("command/open_window")) == 1
    (command,) = rig.desk.hall.commands.values()
    assert command.progress is Progress.UNCONFIRMED
