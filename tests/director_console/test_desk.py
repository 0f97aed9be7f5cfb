"""The desk: what is committed, acknowledged, answered and asked for again, without a broker."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from director_console import desk as desk_module
from director_console.act import Act, Unable
from director_console.desk import Desk
from director_console.intake import Intake
from director_console.projection.inputs import Progress
from director_console.store.book import Book, open_book
from director_console.wire import Arrived, LinkChanged, News
from table_controller.messages import sealed, topics
from table_controller.messages.codec import Json
from table_controller.messages.mac import KeyRing, parse_object, seal
from table_controller.messages.topics import Stream, Verb
from tests.director_console.generator import PLACE, Sent, keyring
from tests.director_console.playing import Playing

KEYS = keyring(["7", "9"])


class FakeWire:
    def __init__(self) -> None:
        self.connected = True
        self.sent: list[tuple[str, dict[str, object], bool]] = []
        self.acked: list[object] = []
        self.emptied: list[str] = []

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> bool:
        if not payload:
            self.emptied.append(topic)
            return True
        self.sent.append((topic, json.loads(payload), retain))
        return True

    def open(self, news: News) -> None:
        return None

    def acknowledge(self, arrived: Arrived) -> None:
        self.acked.append(arrived.token)

    def of(self, word: str) -> list[dict[str, object]]:
        return [message["body"] for topic, message, _ in self.sent if f"/{word}" in topic]  # type: ignore[misc]


class Rig:
    """A desk worked by hand: no thread, a clock of its own."""

    def __init__(self, directory: Path) -> None:
        self.time = 1_700_000_000_000
        self.directory = directory
        self.wire = FakeWire()
        self.open()

    def open(self) -> None:
        self.book = open_book(self.directory)
        self.desk = Desk(
            self.book, KEYS, PLACE, "console", now=lambda: self.time, mono=lambda: self.time % 10**9
        )
        self.desk.wire = self.wire
        self.desk._work([LinkChanged(up=True, at=self.time)])

    def hear(self, *sent: Sent, retained: bool = False) -> None:
        self.desk._work(
            [
                Arrived(
                    topic=one.topic, payload=one.payload, retained=retained, token=one.topic, at=self.time
                )
                for one in sent
            ]
        )

    def wait(self, ms: int) -> None:
        self.time += ms
        self.desk._work([])

    def restart(self) -> None:
        self.book.close()
        self.open()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    yield made
    made.book.close()


@pytest.fixture
def table() -> Playing:
    return Playing("7", KEYS, 1)


def test_a_report_is_kept_once_however_often_it_comes_and_confirmed_up_to_the_last_without_a_gap(
    rig: Rig, table: Playing
) -> None:
    messages = [*table.hello(), *table.step(), *table.step()]
    rig.hear(*messages)
    rig.hear(*messages)
    rig.wait(300)
    kept = rig.book.db.execute("SELECT count(*), max(seq) FROM reports").fetchone()
    assert kept == (table.wired.seq, table.wired.seq)
    assert rig.wire.of("t/7/receipt")[-1]["upto"] == table.wired.seq
    assert rig.desk.hall.tables["7"].view == table.view


def test_a_gap_holds_the_receipt_back_and_is_asked_for_after_five_seconds(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    before = table.wired.seq
    lost = table.step()
    rest = table.step()
    rig.hear(*rest)
    rig.wait(300)
    assert rig.wire.of("t/7/receipt")[-1]["upto"] == before
    assert not rig.wire.of("command/replay")
    rig.wait(5000)
    args = rig.wire.of("command/replay")[-1]["args"]
    assert isinstance(args, dict)
    assert args["first"] == before + 1
    rig.hear(*lost)
    rig.wait(300)
    assert rig.wire.of("t/7/receipt")[-1]["upto"] == table.wired.seq


def test_a_table_whose_rows_are_coming_is_not_asked_for_them(rig: Rig, table: Playing) -> None:
    """It may be ahead for long: what it says next is in nobody's way, and a second copy would be."""
    rig.hear(*table.hello())
    said = [*table.step(), *table.step(), *table.step(), *table.step()]
    rows = [one for one in said if "/state" not in one.topic]
    assert len(rows) > 4
    newest, coming = rows[-1], rows[:-1]
    rig.hear(newest)
    for row in coming[:-1]:
        rig.wait(4000)
        rig.hear(row)
    assert not rig.wire.of("command/replay")
    rig.wait(5500)
    (asked,) = rig.wire.of("command/replay")
    assert isinstance(asked["args"], dict)
    assert asked["args"]["first"] == table.wired.seq - 1


def test_an_entry_becomes_one_case_that_survives_a_restart(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello(), table.wired.entry(table.entry()))
    assert [case.key for case in rig.desk.hall.waiting()] == [f"7/{table.wired.epoch}/1"]
    rig.restart()
    assert [case.key for case in rig.desk.hall.waiting()] == [f"7/{table.wired.epoch}/1"]
    assert rig.desk.hall.tables["7"].view == table.view


def test_a_forged_report_is_not_kept_and_said_once(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    good = table.wired.entry(table.entry())
    altered = Sent(topic=good.topic, payload=good.payload.replace(b'"board":', b'"bored":', 1), retain=False)
    rig.hear(altered, altered)
    assert not rig.desk.hall.cases
    assert [notice.kind.value for notice in rig.desk.hall.open_notices()] == ["forged"]


def test_another_report_under_a_used_number_is_said_and_the_first_stays(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    first = table.wired.entry(table.entry())
    table.wired.seq -= 1
    second = table.wired.entry(table.tray_early())
    rig.hear(first)
    rig.hear(second)
    assert [case.entry.id for case in rig.desk.hall.cases.values()] == [1]
    assert [notice.kind.value for notice in rig.desk.hall.open_notices()] == ["contradicted"]


def test_the_same_report_under_a_new_key_is_the_same_report(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    first = table.wired.entry(table.entry())
    rig.hear(first)
    key = bytes(range(32))
    rig.desk.intake.keys = KeyRing(venue=KEYS.venue, tables={**KEYS.tables, "7": key})
    again = seal(parse_object(first.payload), key)
    assert again != first.payload
    rig.hear(Sent(topic=first.topic, payload=again, retain=False))
    assert rig.desk.hall.open_notices() == ()
    assert [case.entry.id for case in rig.desk.hall.cases.values()] == [1]


def test_a_command_is_a_row_then_sent_then_done_by_the_tables_answer(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    given: list[str] = []

    def deed(act: Act) -> None:
        given.append(act.command(act.table("7"), Verb.HOLD, {"why": ""}, "anna"))

    future = rig.desk.do(deed)
    rig.desk._work([rig.desk.inbox.get()])
    assert future.result(0) is None
    [body] = rig.wire.of("command/hold")
    assert body["id"] == given[0]
    assert rig.desk.hall.commands[given[0]].progress is Progress.SENT
    rig.hear(table.wired.result(given[0], "hold", "done"))
    assert rig.desk.hall.commands[given[0]].progress is Progress.DONE
    rig.wait(60_000)
    assert len(rig.wire.of("command/hold")) == 1


def test_an_unanswered_command_is_sent_again_with_the_same_id_and_ends_unconfirmed(
    rig: Rig, table: Playing
) -> None:
    rig.hear(*table.hello())
    rig.desk.do(lambda act: act.command(act.table("7"), Verb.HOLD, {}, "anna"))
    rig.desk._work([rig.desk.inbox.get()])
    rig.wait(3000)
    rig.wait(3000)
    bodies = rig.wire.of("command/hold")
    assert len(bodies) == 2
    assert len({body["id"] for body in bodies}) == 1
    rig.wait(60_000)
    [command] = rig.desk.hall.commands.values()
    assert command.progress is Progress.UNCONFIRMED


def test_an_order_too_long_for_a_table_is_not_kept_and_its_director_is_told(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    long = "\U0001f0a1" * 2000
    args: dict[str, Json] = {"verdict": "other", "text": long, "why": long, "entries": [1]}
    future = rig.desk.do(lambda act: act.command(act.table("7"), Verb.RULING, args, "anna"))
    rig.desk._work([rig.desk.inbox.get()])
    with pytest.raises(Unable, match=r"unable\.too_long"):
        future.result(0)
    assert rig.book.db.execute("SELECT count(*) FROM commands").fetchone() == (0,)


def test_an_order_that_cannot_be_sent_is_refused_and_holds_no_other_up(rig: Rig, table: Playing) -> None:
    """One kept by an earlier version, which did not know how long is too long."""
    rig.hear(*table.hello())
    given: list[str] = []

    def deed(act: Act) -> None:
        given.append(act.command(act.table("7"), Verb.HOLD, {}, "anna"))
        given.append(act.command(act.table("7"), Verb.CLASSIFY, {"entry": 1, "subject": "call"}, "anna"))
        huge = json.dumps({"why": "x" * 20_000})
        act.book.db.execute("UPDATE commands SET args = ? WHERE id = ?", (huge, given[0]))

    rig.desk.do(deed)
    rig.desk._work([rig.desk.inbox.get()])
    rig.wait(300)
    assert rig.desk.hall.commands[given[0]].progress is Progress.REFUSED
    assert "at most 16384" in rig.desk.hall.commands[given[0]].reason
    assert [body["id"] for body in rig.wire.of("command/classify")] == [given[1]]


def test_a_failing_deed_leaves_nothing_behind(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())

    def deed(act: Act) -> None:
        act.command(act.table("7"), Verb.HOLD, {}, "anna")
        raise ValueError("no")

    future = rig.desk.do(deed)
    rig.desk._work([rig.desk.inbox.get()])
    with pytest.raises(ValueError, match="no"):
        future.result(0)
    assert rig.book.db.execute("SELECT count(*) FROM commands").fetchone() == (0,)
    assert not rig.desk.hall.commands


def test_a_stale_snapshot_delivered_on_subscribe_is_not_live(rig: Rig, table: Playing) -> None:
    table.wired.wall_ms = rig.time - 600_000
    rig.hear(table.wired.state(table.view), retained=True)
    assert rig.desk.hall.tables["7"].stale(rig.time)
    rig.hear(table.wired.state(table.view))
    assert not rig.desk.hall.tables["7"].stale(rig.time)


def test_a_late_will_of_an_old_session_does_not_take_the_table_away(rig: Rig, table: Playing) -> None:
    old = table.wired.avail("offline")
    table.wired.session = "s2"
    rig.hear(*table.hello())
    rig.hear(old)
    assert rig.desk.hall.tables["7"].presence.value == "online"
    rig.hear(table.wired.avail("offline"))
    assert rig.desk.hall.tables["7"].presence.value == "offline"


def test_while_the_journal_cannot_be_written_nothing_is_acknowledged_and_then_everything_is(
    rig: Rig, table: Playing, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [3]
    deed = Book.deed

    def failing(book: Book) -> AbstractContextManager[None]:
        if failures[0]:
            failures[0] -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return deed(book)

    monkeypatch.setattr(Book, "deed", failing)
    monkeypatch.setattr(desk_module, "RETRY_S", 0.01)
    rig.hear(*table.hello())
    assert failures == [0]
    assert rig.desk.storage_works
    assert rig.book.db.execute("SELECT count(*) FROM reports").fetchone() == (table.wired.seq,)
    assert len(rig.wire.acked) == 4


def test_a_message_our_code_fails_on_is_said_and_holds_nothing_up(
    rig: Rig, table: Playing, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Intake._report

    def failing(self: Intake, book, taken, arrived, message, touched) -> None:
        if message.envelope.seq == 2:
            raise KeyError("ours")
        take(self, book, taken, arrived, message, touched)

    monkeypatch.setattr(Intake, "_report", failing)
    messages = [*table.hello(), *table.step()]
    rig.hear(*messages)
    kept = {row[0] for row in rig.book.db.execute("SELECT seq FROM reports")}
    assert kept == set(range(1, table.wired.seq + 1)) - {2}
    assert len(rig.wire.acked) == len(messages)
    assert [notice.kind.value for notice in rig.desk.hall.open_notices()] == ["unreadable"]


def _word(rig: Rig, topic: str, payload: bytes) -> None:
    rig.desk._work([Arrived(topic=topic, payload=payload, retained=True, token=topic, at=rig.time)])


def _presence(rig: Rig, console: str, **changes: str) -> bytes:
    body: dict[str, Json] = {"status": changes.get("status", "online"), "role": "primary"}
    envelope = rig.desk.dispatch.envelope("console", body, rig.time, session=changes.get("session"))
    return sealed(envelope, KEYS.venue)


@pytest.mark.parametrize("word", ["forged", "an old will", "emptied"])
def test_whatever_stands_in_the_place_of_our_own_word_is_answered_once_a_second_at_most(
    rig: Rig, word: str
) -> None:
    topic = topics.console_avail(PLACE, "console")
    said = {
        "forged": b'{"status":"offline"}',
        "an old will": _presence(rig, "console", status="offline", session="before"),
        "emptied": b"",
    }[word]
    rig.wait(2000)
    for _ in range(10):
        _word(rig, topic, said)
        rig.wait(50)
    assert [body["status"] for body in rig.wire.of("console/console/avail")] == ["online"]
    rig.wait(1000)
    assert len(rig.wire.of("console/console/avail")) == 2
    assert rig.wire.acked.count(topic) == 10


def test_our_own_word_is_not_answered(rig: Rig) -> None:
    topic = topics.console_avail(PLACE, "console")
    _word(rig, topic, _presence(rig, "console"))
    rig.wait(5000)
    assert rig.wire.of("console/console/avail") == []


def test_a_word_nobody_can_have_said_on_another_consoles_topic_is_taken_away(rig: Rig) -> None:
    forged, sound = topics.console_avail(PLACE, "ghost"), topics.console_avail(PLACE, "desk-2")
    _word(rig, forged, b"forged")
    _word(rig, sound, _presence(rig, "desk-2", session="theirs"))
    rig.wait(2000)
    assert rig.wire.emptied == [forged]
    assert [notice.kind.value for notice in rig.desk.hall.open_notices()] == ["unreadable"]


def test_what_a_broker_no_longer_keeps_is_no_message_and_no_alarm(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    for topic in (topics.avail(PLACE, "7"), topics.state(PLACE, "7")):
        _word(rig, topic, b"")
    assert rig.desk.hall.open_notices() == ()
    _word(rig, topics.report(PLACE, "7", Stream.LOG), b"")
    assert [notice.kind.value for notice in rig.desk.hall.open_notices()] == ["unreadable"]


def test_receipts_are_kept_a_row_a_minute(rig: Rig, table: Playing) -> None:
    rig.hear(*table.hello())
    for _ in range(5):
        rig.time += 1000
        rig.hear(*table.step())
    assert rig.book.db.execute("SELECT count(*), max(upto) FROM receipts").fetchone() == (1, table.wired.seq)
    rig.time += 60_000
    rig.hear(*table.step())
    assert rig.book.db.execute("SELECT count(*), max(upto) FROM receipts").fetchone() == (2, table.wired.seq)
