"""Which of a table's words the console takes for its latest: not an old one, and none for good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_console.freshness import SESSIONS_KEPT, Freshness
from director_console.projection.inputs import Presence
from tests.director_console.playing import Playing
from tests.director_console.test_desk import KEYS, Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


def test_within_a_session_the_clock_goes_on_for_each_kind_of_word() -> None:
    freshness = Freshness()
    assert freshness.is_new("7", "s", "avail", 2000)
    assert freshness.is_new("7", "s", "state", 1000)
    assert not freshness.is_new("7", "s", "state", 999)
    assert freshness.is_new("7", "s", "state", 1000)
    assert freshness.is_new("8", "s", "state", 1)


def test_a_session_that_was_followed_by_another_does_not_come_back_with_what_it_has_said() -> None:
    freshness = Freshness()
    assert freshness.is_new("7", "old", "avail", 2000)
    assert freshness.is_new("7", "old", "state", 1000)
    assert freshness.is_new("7", "new", "state", 50)
    assert not freshness.is_new("7", "old", "avail", 2000)
    assert not freshness.is_new("7", "old", "state", 1500)
    assert freshness.is_over("7", "old")
    assert not freshness.is_over("7", "new")
    assert not freshness.is_over("7", "never heard")


def test_a_session_that_goes_on_is_believed_again() -> None:
    freshness = Freshness()
    assert freshness.is_new("7", "here", "state", 1000)
    assert freshness.is_new("7", "unheard of", "state", 90_000)
    assert freshness.is_new("7", "here", "state", 2000)
    assert not freshness.is_new("7", "unheard of", "state", 90_000)


def test_only_so_many_sessions_are_remembered() -> None:
    freshness = Freshness()
    for number in range(SESSIONS_KEPT + 1):
        assert freshness.is_new("7", f"s{number}", "state", 10)
    assert not freshness.is_over("7", "s0")
    assert freshness.is_over("7", "s1")


def test_a_broker_set_back_to_an_earlier_run_of_a_table_does_not_silence_the_table(rig: Rig) -> None:
    """It was killed after the table was started anew, and keeps what it had written down before that."""
    table = Playing("7", KEYS, 1)
    kept = [said for said in table.hello() if said.retain]
    table.wired.session, table.wired.mono_ms = "s2", 500
    rig.hear(*table.hello())
    rig.hear(*kept, retained=True)
    table.wired.mono_ms += 1000
    rig.hear(*table.hello())
    shown = rig.desk.hall.tables["7"]
    assert (shown.session, shown.presence) == ("s2", Presence.ONLINE)
    assert shown.snapshot is not None
    assert (shown.snapshot.session, shown.snapshot.mono_ms) == ("s2", 1500)


def test_the_last_snapshot_of_a_table_that_has_stopped_since_is_shown(rig: Rig) -> None:
    table = Playing("7", KEYS, 1)
    state = table.hello()[-1]
    table.wired.mono_ms += 1000
    rig.hear(table.hello()[0], state, retained=True)
    assert rig.desk.hall.tables["7"].snapshot is not None
