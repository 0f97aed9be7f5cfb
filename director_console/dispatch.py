"""What the console says on the wire: commands until they are answered, receipts, requests for rows.

Called by the desk inside a deed. A command is marked sent when it is handed over; only the table's answer
ends it. Must never send a command after its time, and never retain one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from director_console.act import Act
from director_console.orders import Pending
from director_console.own_word import OwnWord
from director_console.pauses import over
from director_console.projection.hall import Hall, TableNow
from director_console.projection.inputs import Input, Presence, Progress
from director_console.publicity import Publicity
from director_console.store.acts import (
    StoredCommand,
    command_of,
    mark_progress,
    mark_sent,
    open_commands,
)
from director_console.store.book import Book
from director_console.store.reports import gaps
from director_console.wire import Wire
from table_controller.messages import VERSION, ClockQuality, Envelope, sealed, topics, ulid, wall_text
from table_controller.messages.codec import Json
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Broadcast, Place, Verb

NS_PER_MS = 1_000_000
BEHIND_MS = 5000
RECEIPT_EVERY_MS = 250
RECEIPT_ROWS = 10
"""Half a table's window: a receipt for so many does not wait, or a table that was away would crawl."""
REPLAY_AT_MOST = 500
_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def clock_quality() -> ClockQuality:
    """How far this machine's own clock can be believed."""
    return ClockQuality.NTP if _SYNCHRONISED.exists() else ClockQuality.RTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """Up to which row of its journal a table was held, ahead of us, and since when (Unix ms) no further."""

    epoch: str
    upto: int
    since: int


class Dispatch:
    """`mono`: milliseconds of the monotonic clock."""

    def __init__(self, keys: KeyRing, place: Place, console: str, mono: Callable[[], int]) -> None:
        self.keys = keys
        self.place = place
        self.console = console
        self.mono = mono
        self.session = secrets.token_hex(8)
        self.owed: dict[tuple[str, str], int] = {}
        self.said: dict[tuple[str, str], int] = {}
        self.receipts_at = 0
        self.stuck: dict[str, Stuck] = {}
        self.announce_due = False
        self.publicity = Publicity(place, console)
        self.own_word = OwnWord(place, console, self.session)

    def link_changed(self, *, up: bool) -> None:
        self.announce_due = up
        self.publicity.link_changed(up=up)

    def owe(self, receipts: Mapping[tuple[str, str], int]) -> None:
        self.owed.update(receipts)

    def nothing_due(self, hall: Hall, now: int) -> bool:
        """Whether a tick would do nothing: spares a transaction four times a second."""
        return not (
            self.announce_due
            or self.publicity.due(hall, now)
            or self.own_word.due(now)
            or (self.owed and over(self.receipts_at, now, RECEIPT_EVERY_MS))
            or any(self._pressing(key, upto) for key, upto in self.owed.items())
            or any(table.behind > 0 for table in hall.tables.values())
            or any(not command.progress.ended for command in hall.commands.values())
        )

    def tick(self, book: Book, wire: Wire, hall: Hall, now: int) -> list[Input]:
        if self.announce_due and wire.connected:
            self._everybody(wire, Broadcast.ANNOUNCE, {"by": self.console}, now)
            self.announce_due = False
        self._receipts(wire, now)
        if wire.connected:
            self.own_word.say(wire, now, lambda: self._online(wire, now))
            self.publicity.say(hall, now, lambda *said: self._publicly(wire, *said, now=now))
        inputs = self._ask_again(book, hall, now)
        inputs.extend(self._commands(book, wire, hall, now))
        return inputs

    def _receipts(self, wire: Wire, now: int) -> None:
        if not self.owed or not wire.connected:
            return
        all_of_them = over(self.receipts_at, now, RECEIPT_EVERY_MS)
        if all_of_them:
            self.receipts_at = now
        for (table, epoch), upto in list(self.owed.items()):
            if not all_of_them and not self._pressing((table, epoch), upto):
                continue
            body: dict[str, Json] = {"epoch": epoch, "upto": upto, "by": self.console}
            topic = topics.receipt(self.place, table)
            if self._send(wire, topic, "receipt", body, now, table=table, retain=True):
                del self.owed[table, epoch]
                self.said[table, epoch] = upto

    def _pressing(self, key: tuple[str, str], upto: int) -> bool:
        return upto - self.said.get(key, 0) >= RECEIPT_ROWS

    def _ask_again(self, book: Book, hall: Hall, now: int) -> list[Input]:
        """A table that has been ahead of us for five seconds, in which none of what is missing came, is asked
        for it. One whose rows are coming, however slowly, would only have to send twice what is on the way.
        """
        inputs: list[Input] = []
        for table in hall.tables.values():
            gone = table.presence is Presence.OFFLINE or table.stale(now) or not table.epoch
            if table.behind <= 0 or gone or self._asked(hall, table.name):
                self.stuck.pop(table.name, None)
                continue
            stuck = self.stuck.get(table.name)
            if stuck is None or (stuck.epoch, stuck.upto) != (table.epoch, table.last_received):
                self.stuck[table.name] = Stuck(epoch=table.epoch, upto=table.last_received, since=now)
            elif over(stuck.since, now, BEHIND_MS):
                del self.stuck[table.name]
                inputs.extend(self._replay(book, table, now))
        return inputs

    def _asked(self, hall: Hall, table: str) -> bool:
        """Whether a request to this table is still open."""
        return any(
            command.table == table and command.verb == Verb.REPLAY and not command.progress.ended
            for command in hall.commands.values()
        )

    def _replay(self, book: Book, table: TableNow, now: int) -> list[Input]:
        missing = gaps(book.db, table.name, table.epoch, max(table.last_seq, table.highest))
        if not missing:
            return []
        first, last = missing[0]
        act = Act(book, Hall(tables={table.name: table}), now)
        args: dict[str, Json] = {
            "epoch": table.epoch,
            "first": first,
            "last": min(last, first + REPLAY_AT_MOST - 1),
        }
        act.command(table, Verb.REPLAY, args, self.console)
        return act.inputs

    def _commands(self, book: Book, wire: Wire, hall: Hall, now: int) -> list[Input]:
        inputs: list[Input] = []
        for command in open_commands(book.db):
            pending = Pending(command=command)
            if pending.unconfirmed(now):
                mark_progress(book, command.id, Progress.UNCONFIRMED, "", now)
            elif not (wire.connected and pending.due(now)):
                continue
            else:
                try:
                    if not self._command(wire, command, hall, now):
                        continue
                    mark_sent(book, command.id, now)
                except ValueError as problem:
                    mark_progress(book, command.id, Progress.REFUSED, str(problem)[:200], now)
            changed = command_of(book.db, command.id)
            assert changed is not None
            inputs.append(changed.seen())
        return inputs

    def _command(self, wire: Wire, command: StoredCommand, hall: Hall, now: int) -> bool:
        table = hall.tables.get(command.table)
        snapshot = None if table is None else table.snapshot
        body: dict[str, Json] = {
            "id": command.id,
            "issued": wall_text(command.issued * NS_PER_MS),
            "deadline": wall_text(command.deadline * NS_PER_MS),
            "expect_rev": command.expect_rev,
            "seen_ms": None if snapshot is None else snapshot.mono_ms,
            "by": command.by,
            "args": command.args,
        }
        verb = Verb(command.verb)
        return self._send(
            wire,
            topics.command(self.place, command.table, verb),
            f"command/{verb}",
            body,
            now,
            table=command.table,
            id_=command.id,
            epoch=command.epoch or None,
            session=None if table is None else table.session or None,
        )

    def _online(self, wire: Wire, now: int) -> bool:
        body: dict[str, Json] = {"status": "online", "role": "primary"}
        topic = topics.console_avail(self.place, self.console)
        return self._send(wire, topic, "console", body, now, retain=True)

    def _everybody(self, wire: Wire, broadcast: Broadcast, body: dict[str, Json], now: int) -> bool:
        topic = topics.everybody(self.place, broadcast)
        return self._send(wire, topic, f"all/{broadcast}", body, now)

    def _publicly(
        self, wire: Wire, topic: str, type_: str, body: dict[str, Json], retain: bool, *, now: int
    ) -> bool:
        return self._send(wire, topic, type_, body, now, retain=retain)

    def _send(
        self,
        wire: Wire,
        topic: str,
        type_: str,
        body: dict[str, Json],
        now: int,
        *,
        table: str | None = None,
        id_: str | None = None,
        epoch: str | None = None,
        session: str | None = None,
        retain: bool = False,
    ) -> bool:
        key = self.keys.of(table)
        if key is None:
            return False
        payload = sealed(self.envelope(type_, body, now, table, id_, epoch, session), key)
        return wire.publish(topic, payload, retain=retain)

    def envelope(
        self,
        type_: str,
        body: dict[str, Json],
        now: int,
        table: str | None = None,
        id_: str | None = None,
        epoch: str | None = None,
        session: str | None = None,
    ) -> Envelope:
        return Envelope.model_validate(
            {
                "v": VERSION,
                "id": id_ or ulid(now * NS_PER_MS, secrets.token_bytes(10)),
                "type": type_,
                "venue": self.place.venue,
                "event": self.place.event,
                "table": table,
                "epoch": epoch,
                "session": session or self.session,
                "mono_ms": self.mono(),
                "wall": wall_text(now * NS_PER_MS),
                "clock": clock_quality(),
                "body": body,
            }
        )
