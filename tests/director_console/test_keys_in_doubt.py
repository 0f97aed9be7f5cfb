"""A table enrolled anew may speak before the console has looked at its keys again: that is no forgery."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.messages.keywatch import EVERY_MS, IN_DOUBT_MS, KeyWatch
from table_controller.messages.mac import KeyRing, parse_object, seal
from tests.director_console.generator import Sent
from tests.director_console.playing import Playing
from tests.director_console.test_desk import KEYS, Rig

NEW = bytes(range(32))
OTHER = bytes(range(1, 33))


class Watched(Rig):
    """A desk whose key file was looked at a moment ago."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory / "data")
        self.file = directory / "keys.json"
        self.put(KEYS)
        self.desk.key_watch = KeyWatch(self.file)
        self.wait(EVERY_MS)

    def put(self, keys: KeyRing) -> None:
        """As `broker add` does it: another file in the old one's place."""
        tables = {name: key.hex() for name, key in keys.tables.items()}
        made = self.file.with_suffix(".new")
        made.write_text(json.dumps({"venue": keys.venue.hex(), "tables": tables}))
        made.rename(self.file)

    def notices(self) -> list[str]:
        return [notice.kind.value for notice in self.desk.hall.open_notices()]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    yield made
    made.book.close()


def ring(**tables: bytes) -> KeyRing:
    return KeyRing(venue=KEYS.venue, tables={**KEYS.tables, **tables})


def sealed_anew(sent: Sent, key: bytes) -> Sent:
    return replace(sent, payload=seal(parse_object(sent.payload), key))


def test_a_table_that_speaks_with_its_new_key_before_the_next_look_is_believed(rig: Watched) -> None:
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello())
    rig.put(ring(**{"7": NEW}))
    said = table.wired.entry(table.entry())
    rig.hear(sealed_anew(said, NEW))
    assert rig.notices() == []
    assert len(rig.desk.hall.cases) == 1
    assert rig.desk.dispatch.keys.of("7") == NEW


def test_a_table_that_was_added_a_moment_ago_is_no_stranger(rig: Watched) -> None:
    keys = ring(**{"8": NEW})
    rig.put(keys)
    rig.hear(*Playing("8", keys, 1).hello())
    assert rig.notices() == []
    assert rig.desk.hall.tables["8"].session


def test_what_fits_no_newer_key_either_is_said_to_be_forged(rig: Watched) -> None:
    table = Playing("7", KEYS, 1)
    rig.hear(*table.hello())
    rig.put(ring(**{"7": NEW}))
    rig.hear(sealed_anew(table.wired.entry(table.entry()), OTHER))
    assert rig.notices() == ["forged"]
    assert not rig.desk.hall.cases


def test_a_stream_of_forged_messages_has_the_file_looked_at_four_times_a_second_at_most(
    rig: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    look = KeyWatch._state

    def counted(watch: KeyWatch) -> tuple[int, int, int] | None:
        looks.append(rig.time)
        return look(watch)

    monkeypatch.setattr(KeyWatch, "_state", counted)
    table = Playing("7", KEYS, 1)
    forged = [sealed_anew(one, OTHER) for one in table.hello()]
    for _ in range(100):
        rig.hear(*forged)
        rig.time += 10
    assert 2 <= len(looks) <= 1000 // IN_DOUBT_MS + 1
    assert rig.notices() == ["forged"]


def test_a_clock_set_back_puts_no_look_off(rig: Watched) -> None:
    table = Playing("7", KEYS, 1)
    rig.hear(*(sealed_anew(one, OTHER) for one in table.hello()))
    rig.time -= 86_400_000
    rig.put(ring(**{"7": NEW}))
    rig.hear(sealed_anew(table.wired.entry(table.entry()), NEW))
    assert len(rig.desk.hall.cases) == 1
