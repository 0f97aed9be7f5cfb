"""Ghosts and late words: old wills, old snapshots, old commands, clocks that step, forgeries."""

from __future__ import annotations

import time

import pytest

from director_console.projection.inputs import Presence
from table_controller.messages import Envelope, Status, open_sealed, sealed, topics, ulid, wall_text
from table_controller.messages.topics import Verb
from tests.chaos.live import LiveConsole, LiveTable, until
from tests.chaos.place import PLACE, key_of, keys
from tests.chaos.words import S, command, results
from tests.mqtt.conftest import Mosquitto
from tests.mqtt.wires import Cable, Owner

pytestmark = pytest.mark.mosquitto


def test_a_late_will_of_an_old_session(mosquitto: Mosquitto, tmp_path, open_ends):
    """The power was cut and came back before the broker noticed: it says *offline* of a table that is
    there.
    """
    console = LiveConsole(mosquitto.url, tmp_path)
    cable = Cable(mosquitto.port)
    first = LiveTable("7", cable.url, tmp_path)
    first.tell(2)
    until(lambda: len(console.facts("7")) == 2)
    old_session = first.end.session
    cable.dead.set()
    first.vanish()
    listener = Owner(mosquitto.url, "listener", filters=(topics.avail(PLACE, "7"),)).start()
    second = LiveTable("7", mosquitto.url, tmp_path)
    open_ends += [console, second]
    listener.until(lambda: old_session in said_offline(listener))
    second.tell(1)
    until(lambda: len(console.facts("7")) == 3)
    table = console.table("7")
    assert table is not None
    assert (table.presence, table.session) == (Presence.ONLINE, second.end.session)
    listener.link.stop(1.0)
    first.end.link.stop(0.2)
    cable.close()


def said_offline(listener: Owner) -> set[str]:
    envelopes = [open_sealed(one.topic, one.payload, keys(30).of) for one in listener.arrived]
    return {
        message.envelope.session
        for message in envelopes
        if message.envelope.body.get("status") == Presence.OFFLINE.value
    }


def test_a_console_that_starts_after_a_late_will_is_set_right_by_the_next_snapshot(
    mosquitto: Mosquitto, tmp_path, open_ends
):
    table = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(table)
    table.tell(1)
    until(lambda: table.end.link.connected)
    ghost = Envelope.model_validate(
        {
            "id": ulid(1, bytes(10)),
            "type": "avail",
            "venue": PLACE.venue,
            "event": PLACE.event,
            "table": "7",
            "epoch": "old",
            "session": "old",
            "mono_ms": 1,
            "clock": "unset",
            "body": {"status": "offline"},
        }
    )
    ghostly = Owner(mosquitto.url, "ghost").start()
    ghostly.link.publish(topics.avail(PLACE, "7"), sealed(ghost, key_of("7").tables["7"]), retain=True)
    ghostly.drain()
    ghostly.link.stop(1.0)
    console = LiveConsole(mosquitto.url, tmp_path)
    open_ends.append(console)

    def right() -> bool:
        seen = console.table("7")
        return seen is not None and (seen.presence, seen.session) == (Presence.ONLINE, table.end.session)

    until(right, limit_s=8)


def test_a_renamed_tables_ghost_is_never_live_and_its_rows_are_its_own(
    mosquitto: Mosquitto, tmp_path, open_ends
):
    console = LiveConsole(mosquitto.url, tmp_path)
    before = LiveTable("7", mosquitto.url, tmp_path)
    before.tell(3)
    until(lambda: len(console.facts("7")) == 3)
    before.leave()
    (tmp_path / "7").rename(tmp_path / "12")
    renamed = LiveTable("12", mosquitto.url, tmp_path)
    assert renamed.end.opened.found.what == "other table"
    console.leave()
    (tmp_path / "console").rename(tmp_path / "console-before")
    fresh = LiveConsole(mosquitto.url, tmp_path)
    open_ends += [renamed, fresh]
    renamed.tell(2)
    until(lambda: len(fresh.facts("12")) == 2)

    def live() -> bool:
        seen = fresh.table("12")
        return seen is not None and seen.presence is Presence.ONLINE

    until(live)
    ghost = fresh.table("7")
    assert ghost is not None
    assert ghost.presence is not Presence.ONLINE
    assert ghost.stale(fresh.now_ms() + 60_000)
    assert fresh.facts("7") == []


def test_a_snapshot_ten_minutes_old_is_delivered_on_subscribing_and_is_not_live(
    mosquitto: Mosquitto, tmp_path, open_ends
):
    old = time.time_ns() - 600 * S
    envelope = Envelope.model_validate(
        {
            "id": ulid(old, bytes(10)),
            "type": "state",
            "venue": PLACE.venue,
            "event": PLACE.event,
            "table": "9",
            "epoch": "e",
            "session": "s",
            "mono_ms": 5000,
            "wall": wall_text(old),
            "clock": "ntp",
            "rev": 4,
            "body": {"phase": "play", "window": "open", "tray": "NE", "last_seq": 40},
        }
    )
    speaker = Owner(mosquitto.url, "speaker").start()
    speaker.link.publish(topics.state(PLACE, "9"), sealed(envelope, key_of("9").tables["9"]), retain=True)
    speaker.drain()
    speaker.link.stop(1.0)
    console = LiveConsole(mosquitto.url, tmp_path)
    open_ends.append(console)
    until(lambda: console.table("9") is not None)
    table = console.table("9")
    assert table is not None
    assert table.stale(console.now_ms())


def test_an_open_window_ten_minutes_late_twice_and_retained_opens_nothing(
    mosquitto: Mosquitto, tmp_path, open_ends
):
    table = LiveTable("7", mosquitto.url, tmp_path)
    table.tell(1)
    director = Owner(mosquitto.url, "director", filters=(topics.result(PLACE, "7", "+"),)).start()
    long_ago = time.time_ns() - 600 * S
    topic, late = command("7", Verb.OPEN_WINDOW, long_ago, 1, session=table.end.session)
    for _ in range(2):
        director.link.publish(topic, late)
    director.until(lambda: len(results(director)) == 2)
    assert {result.status for result in results(director)} == {Status.EXPIRED}
    table.leave()
    topic, retained = command("7", Verb.OPEN_WINDOW, time.time_ns(), 2, session=table.end.session)
    director.link.publish(topic, retained, retain=True)
    director.drain()
    again = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(again)
    director.until(lambda: len(results(director)) == 3)
    assert results(director)[-1].status is Status.REFUSED
    assert "retained" in results(director)[-1].reason
    director.drain()
    director.link.stop(1.0)
    bodies = [row.body for row in again.end.opened.journal.rows()]
    assert not any('"status":"done"' in body for body in bodies)


def test_the_same_command_now_is_carried_out_once_however_often_it_comes(
    mosquitto: Mosquitto, tmp_path, open_ends
):
    table = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(table)
    table.tell(1)
    director = Owner(mosquitto.url, "director", filters=(topics.result(PLACE, "7", "+"),)).start()
    topic, fresh = command("7", Verb.OPEN_WINDOW, time.time_ns(), 1, session=table.end.session, seen_ms=0)
    seen = time.monotonic_ns() // 1_000_000
    topic, fresh = command("7", Verb.OPEN_WINDOW, time.time_ns(), 1, session=table.end.session, seen_ms=seen)
    for _ in range(5):
        director.link.publish(topic, fresh)
    director.until(lambda: len(results(director)) == 5)
    assert {result.status for result in results(director)} == {Status.DONE}
    director.link.stop(1.0)
    table.tell(1)
    rows = [row.body for row in table.end.opened.journal.rows() if '"status":"done"' in row.body]
    assert len(rows) == 1


def test_a_table_that_boots_in_1970_and_steps(mosquitto: Mosquitto, tmp_path, open_ends):
    """Rows keep their order and their times by the monotonic clock; commands work before and after the
    step.
    """
    clock: list[int | None] = [None]
    console = LiveConsole(mosquitto.url, tmp_path)
    table = LiveTable("7", mosquitto.url, tmp_path, wall=lambda: clock[0])
    open_ends += [console, table]
    table.tell(5)
    until(lambda: len(console.facts("7")) == 5)
    director = Owner(mosquitto.url, "director", filters=(topics.result(PLACE, "7", "+"),)).start()
    seen = time.monotonic_ns() // 1_000_000
    topic, before = command("7", Verb.HOLD, time.time_ns(), 1, session=table.end.session, seen_ms=seen)
    director.link.publish(topic, before)
    director.until(lambda: len(results(director)) == 1)
    clock[0] = time.time_ns()
    table.tell(5)
    topic, after = command("7", Verb.OPEN_WINDOW, time.time_ns(), 2, session=table.end.session, seen_ms=seen)
    director.link.publish(topic, after)
    director.until(lambda: len(results(director)) == 2)
    assert [result.status for result in results(director)] == [Status.DONE, Status.DONE]
    director.link.stop(1.0)
    until(lambda: len(console.facts("7")) == 10)
    assert console.facts("7") == list(range(1, 11))
    held = console.book.db.execute("SELECT clock, wall, happened FROM reports ORDER BY seq").fetchall()
    assert {quality for quality, _, _ in held} == {"unset", "ntp"}
    assert all((wall is None) == (quality == "unset") for quality, wall, _ in held)
    times = [happened for _, _, happened in held]
    assert all(abs(happened - console.now_ms()) < 60_000 for happened in times), (
        "no row of 1970 on the console"
    )


def test_a_forged_receipt_and_a_forged_command_change_nothing(mosquitto: Mosquitto, tmp_path, open_ends):
    table = LiveTable("7", mosquitto.url, tmp_path)
    open_ends.append(table)
    table.tell(4)
    until(lambda: table.end.link.connected)
    forger = Owner(mosquitto.url, "forger").start()
    said = Envelope.model_validate(
        {
            "id": ulid(1, bytes(10)),
            "type": "receipt",
            "venue": PLACE.venue,
            "event": PLACE.event,
            "table": "7",
            "session": "x",
            "mono_ms": 1,
            "clock": "ntp",
            "body": {"epoch": table.end.opened.journal.epoch, "upto": 4, "by": "forger"},
        }
    )
    forger.link.publish(topics.receipt(PLACE, "7"), sealed(said, key_of("8").tables["8"]))
    topic, _ = command("7", Verb.HOLD, time.time_ns(), 1)
    _, other = command("8", Verb.HOLD, time.time_ns(), 1)
    forger.link.publish(topic, other)
    forger.link.publish(topic, b"{}")
    until(lambda: sum(table.end.reporter.distrusted.values()) == 3)
    assert table.end.reporter.outbox.backlog == 4
    forger.link.stop(1.0)
    assert len(list(table.end.opened.journal.rows())) == 4
