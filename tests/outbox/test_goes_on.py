"""The reporter goes on: past rows too long, rows no longer to be read, and snapshots that do not fit."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from table_controller.journal import Journal, OldJournal, Row, StorageFailed, open_journal
from table_controller.journal.retention import kept_beside, old_journals
from table_controller.messages import ClockQuality, ReceiptBody, StateBody, open_sealed, sealed, topics, ulid
from table_controller.messages.envelope import Envelope
from table_controller.messages.keywatch import KeyWatch
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Verb
from table_controller.mqtt_client import Acknowledged, Arrived, LinkDown, LinkEvent, LinkUp
from table_controller.outbox import Outbox
from table_controller.service.presence import Heartbeat
from table_controller.service.reporter import News, Reporter
from table_controller.service.reports import Stamp
from tests.journal.helpers import ME, fill, note, opened

S = 1_000_000_000
KEYS = KeyRing(venue=b"v" * 32, tables={"7": b"7" * 32})


class Wire:
    """A link that takes everything, and a console at its other end that confirms every row without a gap."""

    def __init__(self) -> None:
        self.connected = True
        self.room = 20
        self.rows: dict[tuple[str, int], dict[str, Any]] = {}
        self.states: list[StateBody] = []
        self.tokens: list[object] = []

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, token: object = None) -> bool:
        message = open_sealed(topic, payload, KEYS.of)
        if isinstance(message.body, StateBody):
            self.states.append(message.body)
        if message.envelope.seq is not None:
            self.rows[message.envelope.epoch or "", message.envelope.seq] = json.loads(payload)["body"]
        return True

    def note(self, event: LinkEvent) -> object:
        return None

    def receipt(self, epoch: str) -> Arrived:
        upto = 0
        while (epoch, upto + 1) in self.rows:
            upto += 1
        body = ReceiptBody(epoch=epoch, upto=upto, by="console").model_dump(mode="json")
        envelope = Envelope(
            id=ulid(0, bytes(10)), type="receipt", venue="hall", event="teams", table="7", session="c",
            mono_ms=0, clock=ClockQuality.NTP, body=body,
        )  # fmt: skip
        topic = topics.receipt(ME.place, "7")
        return Arrived(
            connection=1,
            topic=topic,
            payload=sealed(envelope, KEYS.tables["7"]),
            retained=False,
            duplicate=False,
            mid=1,
            qos=1,
        )


def state(**changes: object) -> StateBody:
    return StateBody(phase="play", window="open", tray="NE", last_seq=1).model_copy(update=changes)


def reporter_on(wire: Wire, key_watch: KeyWatch | None = None) -> Reporter:
    return Reporter(
        identity=ME,
        session="s1",
        keys=KEYS,
        link=cast("Any", wire),
        outbox=Outbox(draw=lambda low, high: low),
        heartbeat=Heartbeat(lambda low, high: low),
        make_id=lambda: ulid(0, bytes(10)),
        stamp=lambda now: Stamp(mono=now, wall=None, clock=ClockQuality.UNSET, rev=1),
        key_watch=key_watch,
    )


def drain(
    reporter: Reporter, wire: Wire, *epochs: str, seconds: int = 60, shown: StateBody | None = None
) -> int:
    """How many rows are still to be delivered after so long."""
    news = News(orders=[], clocks=[])
    reporter.take(LinkUp(connection=1), 0, news)
    for second in range(1, seconds):
        reporter.pump(second * S, lambda: shown or state())
        for epoch in epochs:
            reporter.take(wire.receipt(epoch), second * S, news)
    return reporter.outbox.backlog


def test_rows_too_long_for_a_message_are_delivered_and_so_are_those_behind_them() -> None:
    journal = Journal.in_memory(identity=ME, epoch="e", session="s1")
    fill(journal, 3)
    journal.append([note(10, 30_000), note(11), note(12, 900_000), note(13)])
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(journal)
    assert drain(reporter, wire, "e") == 0
    whats = [wire.rows["e", seq]["what"] for seq in range(1, 14)]
    assert whats == ["note"] * 9 + ["too_long", "note", "too_long", "note"]


def test_a_journal_set_aside_that_can_no_longer_be_read_keeps_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    first = opened(path)
    fill(first.journal, 2)
    lost = first.journal.epoch
    first.begin_again("the console has more", again_from=99)
    first.close()
    book = open_journal(path, identity=ME, session="s2")
    fill(book.journal, 2)
    (old,) = old_journals(path, ME)
    assert isinstance(old, OldJournal)
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(old)
    reporter.add_journal(book.journal)
    next(tmp_path.glob("*.damaged-1")).write_bytes(b"nothing of it is left")
    assert drain(reporter, wire, lost, book.journal.epoch) == 0
    assert {epoch for epoch, _ in wire.rows} == {book.journal.epoch}
    assert len(wire.rows) == 6
    book.close()


def test_a_damaged_journal_of_which_the_console_has_more_than_can_be_read_keeps_nothing_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite"
    first = opened(path)
    fill(first.journal, 4)
    first.journal.note_receipt(3)
    lost = first.journal.epoch
    first.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE row SET body = body || ' ' WHERE seq = 8")
    book = open_journal(path, identity=ME, session="s2")
    fill(book.journal, 2)
    (old,) = old_journals(path, ME)
    assert (old.head.upto, old.head.seq) == (3, 7)
    wire = Wire()
    wire.rows = {(lost, seq): {} for seq in range(1, 13)}
    reporter = reporter_on(wire)
    reporter.add_journal(old)
    reporter.add_journal(book.journal)
    assert drain(reporter, wire, lost, book.journal.epoch) == 0
    assert [seq for epoch, seq in wire.rows if epoch == book.journal.epoch] == [1, 2, 3, 4, 5, 6]
    assert old_journals(path, ME) == [], "at the next start there is nothing to send again"
    (kept,) = kept_beside(path)
    assert (kept.may_lack, kept.seen.complaints) == (None, old._kept.seen.complaints)
    book.close()


def test_rows_of_a_journal_set_aside_that_the_console_has_confirmed_are_not_sent_at_the_next_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.sqlite"
    first = opened(path)
    fill(first.journal, 20)
    lost = first.journal.epoch
    first.begin_again("the console has more", again_from=99)
    (old,) = old_journals(path, ME)
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(old)
    reporter.add_journal(first.journal)
    drain(reporter, wire, lost, seconds=4)
    confirmed = reporter.outbox.upto(lost)
    assert 0 < confirmed < 60
    (old,) = old_journals(path, ME)
    assert old.head.upto == confirmed
    drain(reporter, wire, lost)
    assert old_journals(path, ME) == []
    (kept,) = kept_beside(path)
    assert (kept.may_lack, kept.seen.complaints, kept.seen.seq) == (None, (), 60)
    first.close()


def test_a_journal_on_a_disk_that_cannot_even_be_read_keeps_back_nothing_that_is_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = opened(tmp_path / "journal.sqlite")
    failed = book.journal
    fill(failed, 2)
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(failed)
    memory = book.fall_back()
    fill(memory, 1)
    reporter.add_journal(memory)

    def dead(*args: object) -> Iterator[Row]:
        raise StorageFailed("disk I/O error")

    monkeypatch.setattr(failed, "rows", dead)
    assert drain(reporter, wire, failed.epoch, memory.epoch) == 0
    assert list(wire.rows) == [(memory.epoch, 1), (memory.epoch, 2), (memory.epoch, 3)]
    book.close()


def test_a_snapshot_that_does_not_fit_goes_without_its_long_parts() -> None:
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(Journal.in_memory(identity=ME, epoch="e", session="s1"))
    drain(
        reporter, wire, seconds=3, shown=state(open_entries=tuple(range(5_000)), auction=(("N", "P"),) * 900)
    )
    (shown, *_) = wire.states
    assert (shown.phase, shown.auction, shown.open_entries) == ("play", (), tuple(range(200)))


def test_an_acknowledgement_is_no_receipt() -> None:
    """The pump above is fed by receipts alone."""
    journal = Journal.in_memory(identity=ME, epoch="e", session="s1")
    fill(journal, 1)
    wire = Wire()
    reporter = reporter_on(wire)
    reporter.add_journal(journal)
    assert drain(reporter, wire) == 3
    reporter.take(Acknowledged(connection=1, mid=1), 61 * S, News(orders=[], clocks=[]))
    assert reporter.outbox.backlog == 3


def test_the_same_trouble_with_the_broker_is_said_once_and_anew_after_a_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    reporter = reporter_on(Wire())
    reporter.add_journal(Journal.in_memory(identity=ME, epoch="e", session="s1"))
    news = News(orders=[], clocks=[])
    for second, why in enumerate(["refused", "refused", "refused", "no route", "refused", "refused"]):
        reporter.take(LinkDown(connection=0, why=why), second * S, news)
    assert [record.message.split(": ")[1] for record in caplog.records] == [
        "refused; trying on",
        "no route; trying on",
        "refused; trying on",
    ]
    reporter.take(LinkUp(connection=1), 9 * S, news)
    reporter.take(LinkUp(connection=2), 9 * S, news)
    assert [record.message for record in caplog.records[3:]] == ["connected to the broker"], "after trouble"
    reporter.take(LinkDown(connection=1, why="refused"), 10 * S, news)
    assert len(caplog.records) == 5


def test_a_topic_the_broker_no_longer_keeps_is_no_alarm() -> None:
    reporter = reporter_on(Wire())
    news = News(orders=[], clocks=[])
    for topic in (topics.receipt(ME.place, "7"), topics.console_avail(ME.place, "console")):
        reporter.take(_said(topic, b""), 0, news)
    assert (news.distrusted, reporter.distrusted) == ([], {})
    reporter.take(_said(topics.command(ME.place, "7", Verb.HOLD), b""), 0, news)
    assert len(news.distrusted) == 1


def test_new_keys_are_used_from_the_moment_they_lie_there_and_keys_of_another_table_never(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mac.json"
    told: list[str] = []
    old, new, others = ("a" * 64, "b" * 64, "c" * 64)

    def put(table: str, key: str) -> None:
        path.write_text(json.dumps({"venue": "d" * 64, "tables": {table: key}}))

    put("7", old)
    wire = Wire()
    wire.drop = told.append  # type: ignore[attr-defined]
    reporter = reporter_on(wire, KeyWatch(path))
    reporter.add_journal(Journal.in_memory(identity=ME, epoch="e", session="s1"))
    put("8", others)
    reporter.tick(10 * S, News(orders=[], clocks=[]))
    assert told == []
    put("7", new)
    path.touch()
    reporter.tick(20 * S, News(orders=[], clocks=[]))
    assert told == ["this table was enrolled anew"]
    will = wire.will  # type: ignore[attr-defined]
    ring = KeyRing(venue=b"", tables={"7": bytes.fromhex(new)})
    assert open_sealed(will.topic, will.payload, ring.of).envelope.table == "7"


def test_let_in_before_the_new_keys_were_seen_it_says_nothing_under_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "mac.json"
    path.write_text(json.dumps({"venue": "d" * 64, "tables": {"7": "a" * 64}}))
    wire, told, news = Wire(), list[str](), News(orders=[], clocks=[])
    wire.drop = told.append  # type: ignore[attr-defined]
    reporter = reporter_on(wire, KeyWatch(path))
    journal = Journal.in_memory(identity=ME, epoch="e", session="s1")
    fill(journal, 1)
    reporter.add_journal(journal)
    reporter.tick(10 * S, news)
    path.write_text(json.dumps({"venue": "d" * 64, "tables": {"7": "b" * 64}}) + "\n")
    reporter.take(LinkUp(connection=1), 10 * S + 1, news)
    assert told == ["this table was enrolled anew"]
    reporter.pump(10 * S + 2, state)
    assert (wire.states, wire.rows) == ([], {})


def _said(topic: str, payload: bytes) -> Arrived:
    return Arrived(connection=1, topic=topic, payload=payload, retained=True, duplicate=False, mid=1, qos=1)
