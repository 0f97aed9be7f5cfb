"""A table that is not there must not look as if it were: locked out, or silent for too long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from director_console.projection.hall import STALE_AFTER_MS
from director_console.projection.inputs import Presence
from table_controller.messages import topics
from tests.director_console.generator import PLACE, Sent
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path)
    yield made
    made.close()


def taken_away(rig: WebRig, name: str) -> None:
    for topic in (topics.avail(PLACE, name), topics.state(PLACE, name)):
        rig.hear(Sent(topic=topic, payload=b"", retain=False))


def on_system(rig: WebRig, name: str) -> str:
    row = re.search(rf'id="sys-{name}">.*?</td><td>(.*?)</td>', rig.client.get("/system").text, re.DOTALL)
    assert row
    return row[1]


def test_a_table_that_was_locked_out_is_offline_at_once(rig: WebRig) -> None:
    rig.hear(*Playing("7", rig.keys, 1).hello(), *Playing("9", rig.keys, 2).hello())
    assert on_system(rig, "7") == "online"
    taken_away(rig, "7")
    assert on_system(rig, "7") == "offline"
    assert on_system(rig, "9") == "online"
    assert 'data-presence="offline"' in rig.client.get("/tables/7").text


def test_what_a_broker_keeps_nothing_of_is_no_table(rig: WebRig) -> None:
    before = set(rig.running.desk.hall.tables)
    taken_away(rig, "nobody")
    assert set(rig.running.desk.hall.tables) == before


def test_a_table_that_speaks_on_is_there_though_a_broker_forgot_its_presence(rig: WebRig) -> None:
    table = Playing("7", rig.keys, 1)
    rig.hear(*table.hello())
    taken_away(rig, "7")
    table.wired.mono_ms += 1000
    rig.hear(table.wired.state(table.view))
    assert rig.running.desk.hall.tables["7"].presence is Presence.ONLINE


def test_a_table_silent_for_too_long_is_not_called_online(
    rig: WebRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.hear(*Playing("7", rig.keys, 1).hello())
    desk = rig.running.desk
    later = desk.now() + STALE_AFTER_MS + 1000
    monkeypatch.setattr(desk, "now", lambda: later)
    assert on_system(rig, "7") == "silent"
