"""Reports through half-open links, consoles that crawl, die or lose everything, cards restored, brokers
restarted.
"""

from __future__ import annotations

import shutil

import pytest

from table_controller.messages import topics
from tests.chaos.live import LiveConsole, LiveTable, until
from tests.chaos.place import PLACE
from tests.firmware_bridge.calm import Watch
from tests.mqtt.conftest import Mosquitto
from tests.mqtt.wires import Cable, Owner

pytestmark = pytest.mark.mosquitto


def test_a_half_open_link_loses_and_doubles_nothing(mosquitto: Mosquitto, tmp_path, open_ends):
    console = LiveConsole(mosquitto.url, tmp_path)
    cable = Cable(mosquitto.port)
    table = LiveTable("7", cable.url, tmp_path, keepalive_s=1)
    open_ends += [console, table]
    table.tell(5)
    until(lambda: len(console.facts("7")) == 5)
    cable.dead.set()
    table.tell(60)
    until(lambda: not table.end.link.connected)
    assert len(console.facts("7")) == 5
    cable.cut()
    cable.dead.clear()
    until(lambda: len(console.facts("7")) == 65)
    assert console.facts("7") == list(range(1, 66))
    cable.close()


@pytest.mark.parametrize("facts", [300, pytest.param(2000, marks=pytest.mark.long)])
def test_a_console_slowed_to_fifty_a_second_is_not_drowned(mosquitto: Mosquitto, tmp_path, open_ends, facts):
    console = LiveConsole(mosquitto.url, tmp_path, slowly_s=0.02)
    tables = [LiveTable(str(number), mosquitto.url, tmp_path) for number in range(1, 5)]
    open_ends += [console, *tables]
    for table in tables:
        table.tell(facts // 4)
    until(
        lambda: all(len(console.facts(str(n))) == facts // 4 for n in range(1, 5)),
        limit_s=facts / 50 * 4 + 30,
    )
    for number in range(1, 5):
        assert console.facts(str(number)) == list(range(1, facts // 4 + 1))
    assert 1 < console.slow.largest_batch <= 4 * 20 + 20, "every table holds back what has no receipt"


def test_only_the_dup_copy_arrives(mosquitto: Mosquitto, tmp_path, open_ends):
    """The console died between reading and committing: what it gets anew is marked as a duplicate, and
    counts.
    """
    dying = Owner(mosquitto.url, "console-desk-1", filters=topics.console_filters(PLACE), persistent=True)
    dying.acking = False
    dying.start()
    table = LiveTable("7", mosquitto.url, tmp_path)
    table.tell(6)
    dying.until(lambda: sum("/ev/" in one.topic for one in dying.arrived) == 6)
    dying.link.stop(1.0)
    table.leave()
    console = LiveConsole(mosquitto.url, tmp_path)
    open_ends.append(console)
    until(lambda: len(console.facts("7")) == 6)
    assert console.facts("7") == [1, 2, 3, 4, 5, 6]


def test_a_console_that_lost_its_database_gets_everything_again(mosquitto: Mosquitto, tmp_path, open_ends):
    console = LiveConsole(mosquitto.url, tmp_path)
    table = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(table)
    table.tell(70)
    until(lambda: len(console.facts("7")) == 70)
    until(lambda: table.end.reporter.outbox.backlog == 0)
    console.leave()
    (tmp_path / "console").rename(tmp_path / "console-lost")
    fresh = LiveConsole(mosquitto.url, tmp_path)
    open_ends.append(fresh)
    until(lambda: len(fresh.facts("7")) == 70, limit_s=40)
    assert fresh.facts("7") == list(range(1, 71))


def test_a_card_restored_to_an_older_day_uses_no_number_twice(mosquitto: Mosquitto, tmp_path, open_ends):
    """Everything on the card is older, the head file too: only the console's receipt tells that rows are
    missing.
    """
    console = LiveConsole(mosquitto.url, tmp_path)
    open_ends.append(console)
    table = LiveTable("7", mosquitto.url, tmp_path)
    table.tell(5)
    until(lambda: table.end.reporter.outbox.backlog == 0)
    table.leave()
    shutil.copytree(tmp_path / "7", tmp_path / "image")
    table = LiveTable("7", mosquitto.url, tmp_path)
    table.tell(5)
    until(lambda: len(console.facts("7")) == 10)
    first = table.end.opened.journal.epoch
    until(lambda: table.end.reporter.outbox.backlog == 0)
    table.leave()
    shutil.rmtree(tmp_path / "7")
    shutil.copytree(tmp_path / "image", tmp_path / "7")
    restored = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(restored)
    assert restored.end.opened.found.what == "sound"
    restored.tell(3)
    until(lambda: restored.end.opened.journal.epoch != first)
    restored.tell(2)
    until(lambda: restored.end.reporter.outbox.backlog == 0)
    epochs = console.book.db.execute("SELECT epoch, count(*) FROM reports GROUP BY epoch").fetchall()
    assert dict(epochs) == {first: 10, restored.end.opened.journal.epoch: 5}
    assert sorted(console.facts("7")) == sorted([*range(1, 11), 6, 7, 8, 9, 10])


def test_a_restarted_broker_has_every_table_right_again_soon(mosquitto: Mosquitto, tmp_path, open_ends):
    """Retained words, sessions and queues are gone with the broker: they are only caches."""
    console = LiveConsole(mosquitto.url, tmp_path)
    tables = [LiveTable(str(number), mosquitto.url, tmp_path) for number in range(1, 6)]
    open_ends += [console, *tables]
    for table in tables:
        table.tell(3)
    until(lambda: all(len(console.facts(str(n))) == 3 for n in range(1, 6)))
    mosquitto.kill()
    for table in tables:
        table.tell(3)
    mosquitto.start()
    with Watch() as watch:
        took = until(lambda: all(len(console.facts(str(n))) == 6 for n in range(1, 6)))
    assert took < 5 + watch.paused_s
