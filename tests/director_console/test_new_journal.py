"""A table that begins a new journal in mid-board: what waits is dealt with there, and counted once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_console.projection.alarm import AlarmState
from director_console.projection.inputs import Presence
from table_controller.screen.entry import Standing
from tests.director_console.playing import Playing
from tests.director_console.test_desk import KEYS, Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


@pytest.mark.parametrize("newer", ["a-later-name", "zz"], ids=["sorts before", "sorts after"])
def test_an_entry_told_again_in_a_new_journal_waits_once_and_is_closed_there(rig: Rig, newer: str) -> None:
    table = Playing("7", KEYS, 1)
    table.wired.epoch = "m"
    first, second = table.entry(), table.entry()
    fault = table.fault()
    rig.hear(*table.hello(), table.wired.entry(first), table.wired.entry(second), table.wired.fault(fault))
    rig.wait(500)
    table.wired.epoch, table.wired.seq = newer, 0
    rig.hear(
        *table.hello(), table.wired.entry(first, "amended"), table.wired.entry(second, "amended"),
        table.wired.fault(fault),
    )  # fmt: skip
    for _ in range(2):
        hall = rig.desk.hall
        assert [case.key for case in hall.waiting()] == [f"7/{newer}/1", f"7/{newer}/2"]
        assert hall.cases["7", "m", 1].goes_on_as == f"7/{newer}/1"
        assert [alarm.key for alarm in hall.standing_alarms(rig.time)] == [f"7/{newer}/{fault.id}"]
        rig.restart()
    closed = replace(first, standing=Standing.RULED, revision=1)
    rig.hear(table.wired.entry(closed, "closed"))
    rig.hear(table.wired.fault(replace(fault, cleared_at=fault.at + 1), "cleared"))
    for _ in range(2):
        hall = rig.desk.hall
        assert [case.key for case in hall.waiting()] == [f"7/{newer}/2"]
        (alarm,) = hall.standing_alarms(rig.time)
        assert (alarm.epoch, alarm.state(rig.time)) == (newer, AlarmState.RETURNED)
        rig.restart()


def test_another_entry_under_the_same_number_is_another_case(rig: Rig) -> None:
    """A journal that goes on from nothing counts from one again."""
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello(), table.wired.entry(table.entry()))
    table.wired.epoch, table.wired.seq, table.ids = "other", 0, 0
    table.wired.mono_ms += 60_000
    rig.hear(*table.hello(), table.wired.entry(table.entry()))
    assert len(rig.desk.hall.waiting()) == 2


def test_a_late_row_of_the_journal_before_changes_nothing_about_the_present_one(rig: Rig) -> None:
    """A journal set aside is delivered while the next one is written, and a broker may say a row twice."""
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello(), *table.step())
    late = [said for said in table.step() if "/ev/" in said.topic]
    table.wired.epoch, table.wired.seq = "next", 0
    rig.hear(*table.hello(), *table.step())
    before = rig.desk.hall.tables["7"]
    assert (before.epoch, before.behind) == ("next", 0)
    rig.hear(*late)
    rig.hear(table.wired.state(table.view))
    shown = rig.desk.hall.tables["7"]
    assert (shown.epoch, shown.behind, shown.view) == ("next", 0, before.view)
    rig.wait(300)
    confirmed = {said["epoch"]: said["upto"] for said in rig.wire.of("t/7/receipt")}
    assert confirmed == {"e0001": 6, "next": table.wired.seq}


def test_a_table_that_goes_back_to_its_journal_is_followed_there(rig: Rig) -> None:
    """It was started anew before its disk took what it had kept in memory."""
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello(), *table.step())
    written = table.wired.seq
    table.wired.epoch, table.wired.seq = "memory", 0
    rig.hear(*table.hello(), *table.step())
    table.wired.epoch, table.wired.seq, table.wired.session = "e0001", written, "s2"
    rig.hear(*table.hello())
    shown = rig.desk.hall.tables["7"]
    assert (shown.epoch, shown.behind) == ("e0001", 0)


@pytest.mark.parametrize("newer", ["a-later-name", "zz"], ids=["sorts before", "sorts after"])
def test_boards_of_an_earlier_journal_do_not_hide_the_present_one_after_a_restart(
    rig: Rig, newer: str
) -> None:
    table = Playing("7", KEYS, 1)
    table.wired.epoch = "m"
    rig.hear(*table.hello())
    while not rig.desk.hall.tables["7"].boards_over:
        rig.hear(*table.step())
    table.wired.epoch, table.wired.seq = newer, 0
    rig.hear(*table.hello(), *table.step())
    before = rig.desk.hall.tables["7"]
    rig.restart()
    after = rig.desk.hall.tables["7"]
    assert (after.epoch, after.behind, after.view) == (newer, 0, before.view)
    assert after.snapshot is not None
    assert after.boards_over == 1


def test_a_will_made_before_the_new_journal_leaves_what_is_known_of_the_table(rig: Rig) -> None:
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello())
    table.wired.epoch, table.wired.seq = "next", 0
    rig.hear(*table.hello(), *table.step())
    before = rig.desk.hall.tables["7"]
    table.wired.epoch = "e0001"
    rig.hear(table.wired.avail("offline"))
    after = rig.desk.hall.tables["7"]
    assert after.presence is Presence.OFFLINE
    assert (after.epoch, after.view, after.snapshot) == ("next", before.view, before.snapshot)
    assert after.behind == 0
