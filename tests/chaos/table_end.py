"""A table under chaos: the real journal, gate, outbox, reporter and link, and players who tell it facts.

A fact is confirmed to the player when it is committed, not before. After a birth the table says which fact
was its last, so that the player knows what became of the one he was telling.
"""

from __future__ import annotations

import json
import queue
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from table_controller.commands import Answer, Carry, CommandGate, Now, Remembered
from table_controller.journal import Journal, NewRow, open_journal
from table_controller.laws.seat import ScreenSide
from table_controller.messages import ClockQuality, ReplayArgs, StateBody, Status, ulid, wall_text
from table_controller.messages.codec import Json, to_json
from table_controller.messages.mac import parse_object
from table_controller.messages.topics import Stream, table_filters
from table_controller.mqtt_client import LinkEvent, MqttLink, Settings, parse_address
from table_controller.outbox import Outbox
from table_controller.screen.entry import Entry, Fault, FaultKind, Kind, Level, Mover, Visit
from table_controller.service.presence import Heartbeat
from table_controller.service.reporter import News, Ordered, Reporter
from table_controller.service.reports import Stamp, command_row
from tests.chaos.place import identity, join, key_of

STREAMS = (Stream.LOG, Stream.LOG, Stream.LOG, Stream.VISIT, Stream.IRREGULARITY, Stream.FAULT)
Inbox = queue.SimpleQueue[LinkEvent | int]


def main(table: str, broker: str, folder: str, players: str, seed: str) -> None:
    TableEnd(table, broker, Path(folder), players, int(seed)).run()


class TableEnd:
    """`players` empty: nobody tells facts, `tell` does. `wall`: ns since 1970, None without a clock."""

    def __init__(
        self,
        table: str,
        broker: str,
        folder: Path,
        players: str,
        seed: int,
        wall: Callable[[], int | None] = time.time_ns,
        keepalive_s: int = 10,
    ) -> None:
        self.wall = wall
        self.stopping = False
        self.session = secrets.token_hex(4)
        self.draw = random.Random(f"{seed} {time.monotonic_ns()}")
        self.opened = open_journal(
            folder / table / "journal.sqlite", identity=identity(table), session=self.session
        )
        self.last, remembered = memories(self.opened.journal)
        self.first_row = self.opened.journal.next_seq
        self.gate = CommandGate(table, remembered)
        self.inbox: Inbox = queue.SimpleQueue()
        settings = Settings(
            address=parse_address(broker),
            client_id=f"table-{table}",
            filters=table_filters(identity(table).place, table),
            keepalive_s=keepalive_s,
            soonest_s=0.1,
            first_limit_s=0.5,
            latest_s=2.0,
        )
        self.link = MqttLink(settings, self.inbox.put)
        self.reporter = Reporter(
            identity=identity(table),
            session=self.session,
            keys=key_of(table),
            link=self.link,
            outbox=Outbox(draw=self.draw.randint),
            heartbeat=Heartbeat(self.draw.randint),
            make_id=lambda: ulid(time.time_ns(), secrets.token_bytes(10)),
            stamp=lambda now: Stamp(mono=now, wall=self._wall_text(), clock=self._quality(), rev=self.last),
        )
        self.reporter.add_journal(self.opened.journal)
        self.link.will = self.reporter.will(time.monotonic_ns())
        self.players = join(players) if players else None
        self._say({"table": table, "last": self.last, "found": self.opened.found.what})

    def run(self) -> None:
        if self.players is not None:
            threading.Thread(target=self._listen, args=(self.players,), daemon=True).start()
        self.link.start()
        while not self.stopping:
            self._turn(self._collect())

    def tell(self, fact: int) -> None:
        self.inbox.put(fact)

    def _quality(self) -> ClockQuality:
        return ClockQuality.UNSET if self.wall() is None else ClockQuality.NTP

    def _wall_text(self) -> str | None:
        wall = self.wall()
        return None if wall is None else wall_text(wall)

    def _collect(self) -> list[LinkEvent | int]:
        items: list[LinkEvent | int] = []
        try:
            items.append(self.inbox.get(timeout=self._patience()))
            while len(items) < 100:
                items.append(self.inbox.get_nowait())
        except queue.Empty:
            pass
        return items

    def _patience(self) -> float:
        deadline = self.reporter.deadline()
        wait = 0.25 if deadline is None else (deadline - time.monotonic_ns()) / 1e9
        return min(max(wait, 0.0), 0.25)

    def _turn(self, items: list[LinkEvent | int]) -> None:
        """Commit, then confirm and answer, then publish."""
        now = time.monotonic_ns()
        news = News(orders=[], clocks=[])
        rows: list[NewRow] = []
        facts = [item for item in items if isinstance(item, int)]
        for item in items:
            if isinstance(item, int):
                rows.append(fact_row(item, now, self._wall_text(), self._quality()))
            else:
                self.reporter.take(item, now, news)
        if news.ahead is not None:
            self._begin_again(news.ahead)
        for order in news.orders:
            rows.extend(self._judge(order, now))
        if rows:
            self.opened.journal.append(rows)
            self.reporter.committed(self.opened.journal.head)
            self.reporter.changed(now)
        for fact in facts:
            self.last = fact
            self._say({"done": fact})
        self.reporter.pump(now, self._snapshot)

    def _begin_again(self, ahead: int) -> None:
        """As the owner of a real table does."""
        lost = self.opened.journal.epoch
        self.opened.begin_again(f"the console has rows up to {ahead}", again_from=self.first_row)
        self.reporter.abandon(lost)
        self.reporter.add_journal(self.opened.journal)

    def _judge(self, order: Ordered, now: int) -> list[NewRow]:
        journal = self.opened.journal
        present = Now(epoch=journal.epoch, session=self.session, rev=0, mono=now, wall=self.wall())
        stamp = Stamp(mono=now, wall=self._wall_text(), clock=self._quality(), rev=0)
        match self.gate.judge(order.message, retained=order.retained, now=present):
            case Carry() as carry:
                if isinstance(carry.args, ReplayArgs):
                    asked = carry.args
                    self.reporter.outbox.replay(asked.epoch, asked.first, asked.last, now)
                done = self.gate.settle(carry.id, Status.DONE)
                self.reporter.answer(done.result())
                return [command_row(done, stamp)]
            case Answer() as answer:
                self.reporter.answer(answer.told.result())
        return []

    def _snapshot(self) -> StateBody:
        head = self.opened.journal.head
        return StateBody(phase="play", window="open", tray="NE", last_seq=head.seq, head=head.digest.hex())

    def _listen(self, players: socket.socket) -> None:
        for line in players.makefile():
            self.inbox.put(int(line))

    def _say(self, words: dict[str, Json]) -> None:
        if self.players is not None:
            self.players.sendall(json.dumps(words).encode() + b"\n")


def fact_row(fact: int, now: int, wall: str | None = None, clock: ClockQuality = ClockQuality.NTP) -> NewRow:
    """A row that says so; its stream and size vary, and somewhere in it is the fact's number."""
    stream = STREAMS[fact % len(STREAMS)]
    entry = Entry(id=fact, kinds=(Kind.SUMMONS,), level=Level.NOTE, at=now, board=None, phase="play")
    visit = Visit(
        board=None,
        ordinal=fact,
        screen_side=ScreenSide.NE,
        arrived=None,
        left=now,
        shares=(),
        hold=None,
        transit=None,
        mover=Mover(),
    )
    fault = Fault(id=fact, kind=FaultKind.DEVICE_RESET, component="device", at=now, standing=False)
    by_stream: dict[Stream, dict[str, Json]] = {
        Stream.LOG: {"what": "note", "value": {"fact": fact, "filler": "x" * (fact * 37 % 400)}},
        Stream.VISIT: {"visit": to_json(visit)},
        Stream.IRREGULARITY: {"change": "new", "entry": to_json(entry)},
        Stream.FAULT: {"change": "raised", "fault": to_json(fault)},
    }
    return NewRow(stream=stream, body=by_stream[stream], mono_ms=now // 1_000_000, wall=wall, clock=clock)


_WHERE = (("value", "fact"), ("visit", "ordinal"), ("entry", "id"), ("fault", "id"))


def fact_of(body: Json) -> int | None:
    """The fact a row's body says, if it says one."""
    if isinstance(body, dict):
        for part, field in _WHERE:
            value = body.get(part)
            fact = value.get(field) if isinstance(value, dict) else None
            if isinstance(fact, int):
                return fact
    return None


def memories(journal: Journal) -> tuple[int, list[Remembered]]:
    """The last fact in the journal, and every answer given."""
    last = 0
    remembered: list[Remembered] = []
    for row in journal.rows():
        body = parse_object(row.body.encode())
        if (fact := fact_of(body)) is not None:
            last = max(last, fact)
        value = body.get("value")
        if body.get("what") == "command" and isinstance(value, dict):
            remembered.append(Remembered.read(value))
    return last, remembered
