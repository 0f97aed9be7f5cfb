"""The desk: the one thread that owns the console's journal, its projection and its word on the wire.

Messages and the users' deeds come through one inbox. Order: commit, then acknowledge, answer, publish; so
that a kill at any moment loses nothing anybody was told. The hall it publishes is a frozen value that any
thread may read. Must never wait for a browser or a broker.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from director_console.act import Act
from director_console.dispatch import Dispatch
from director_console.intake import Intake, speaker_of
from director_console.loading import load
from director_console.projection.fold import fold
from director_console.projection.hall import Hall
from director_console.projection.inputs import BrokerSeen, Input, NoticeKind, TableKnown
from director_console.store.acts import raise_notice
from director_console.store.book import Book
from director_console.wire import Arrived, LinkChanged, News, NoWire, Wire
from table_controller.messages.keywatch import KeyWatch
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place

log = logging.getLogger(__name__)
T = TypeVar("T")
TICK_S = 0.25
BATCH = 400
RETRY_S = 0.5


class Wanted(Protocol):
    """A deed in the inbox, whatever its result is."""

    def run(self, act: Act) -> None: ...

    def settle(self) -> None: ...

    def fail(self, error: BaseException) -> None: ...


class Deed(Generic[T]):
    """Something a user wants done, and the promise of its result."""

    def __init__(self, do: Callable[[Act], T]) -> None:
        self.do = do
        self.future: Future[T] = Future()

    def run(self, act: Act) -> None:
        self.result = self.do(act)

    def settle(self) -> None:
        self.future.set_result(self.result)

    def fail(self, error: BaseException) -> None:
        self.future.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Stop:
    pass


Item = Arrived | LinkChanged | News | Wanted | _Stop


class Desk:
    """`start()` begins the thread, `stop()` ends it after the inbox. `now`: Unix ms; `mono`: ms."""

    def __init__(
        self,
        book: Book,
        keys: KeyRing,
        place: Place,
        console: str,
        *,
        now: Callable[[], int],
        mono: Callable[[], int],
    ) -> None:
        self.book = book
        self.now = now
        self.inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self.wire: Wire = NoWire()
        self.key_watch: KeyWatch | None = None
        self.intake = Intake(keys, place)
        self.intake.newer_keys = self._keys_in_doubt
        self.dispatch = Dispatch(keys, place, console, mono)
        self.hall: Hall = load(book.db, keys, now())
        self.storage_works = True
        self._keys_are_new = False
        self._stopping = threading.Event()
        self._listeners: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self.inbox.put(_Stop())
        self._thread.join(10)

    @property
    def alive(self) -> bool:
        """Whether it works: its thread runs and its journal can be written."""
        return self._thread.is_alive() and self.storage_works

    def on_change(self, listener: Callable[[], None]) -> None:
        """Called on the desk's thread after every change of the hall; must not wait."""
        self._listeners.append(listener)

    def do(self, deed: Callable[[Act], T]) -> Future[T]:
        """Have it done in a transaction of its own; the future is settled once it is committed."""
        item = Deed(deed)
        self.inbox.put(item)
        return item.future

    def _run(self) -> None:
        while True:
            batch = self._next_batch()
            try:
                stop = self._work(batch)
            except Exception:
                log.exception("the desk could not finish a batch; nothing of it was acknowledged")
                stop = any(isinstance(item, _Stop) for item in batch)
            if stop:
                return

    def _next_batch(self) -> list[Item]:
        batch: list[Item] = []
        try:
            batch.append(self.inbox.get(timeout=TICK_S))
            while len(batch) < BATCH:
                batch.append(self.inbox.get_nowait())
        except queue.Empty:
            pass
        return batch

    def _work(self, batch: list[Item]) -> bool:
        arrived: list[Arrived] = []
        inputs: list[Input] = []
        for item in batch:
            heard = self.wire.open(item) if isinstance(item, News) else item
            if isinstance(heard, Arrived):
                arrived.append(heard)
            elif isinstance(heard, LinkChanged):
                inputs.append(BrokerSeen(up=heard.up, at=heard.at))
                self.dispatch.link_changed(up=heard.up)
        if arrived:
            inputs.extend(self._take_surely(arrived))
        inputs.extend(self._new_keys())
        self._publish(inputs)
        for item in batch:
            if isinstance(item, Deed):
                self._deed(item)
        self._tick()
        return any(isinstance(item, _Stop) for item in batch)

    def _take_surely(self, arrived: list[Arrived]) -> list[Input]:
        """Until they are committed. What cannot be written is tried again, and acknowledged only then: the
        broker would send no more once its window is full of unacknowledged messages, so none is dropped.
        """
        while True:
            try:
                return self._take(arrived)
            except sqlite3.Error as error:
                if self.storage_works:
                    log.error("the journal cannot be written, trying again: %s", error)
                self.storage_works = False
                if self._stopping.wait(RETRY_S):
                    return []
            except Exception:
                log.exception("our error with one of %d messages", len(arrived))
                if len(arrived) == 1:
                    return self._set_aside(arrived[0])
                return [item for one in arrived for item in self._take_surely([one])]

    def _set_aside(self, arrived: Arrived) -> list[Input]:
        """A message our own code fails on must not hold up the rest: it is said, and passed over."""
        table = speaker_of(arrived.topic)
        with self.book.deed():
            notice = raise_notice(self.book, NoticeKind.UNREADABLE, table, arrived.topic, arrived.at)
        self.wire.acknowledge(arrived)
        return [] if notice is None else [notice]

    def _take(self, arrived: list[Arrived]) -> list[Input]:
        with self.book.deed():
            taken = self.intake.take(self.book, arrived, self.hall)
        self.intake.clocks = taken.clocks
        self.dispatch.owe(taken.receipts)
        for word in taken.consoles:
            self.dispatch.own_word.heard(word)
        self.storage_works = True
        for item in arrived:
            self.wire.acknowledge(item)
        return taken.inputs

    def _new_keys(self) -> list[Input]:
        """A table was added or revoked while we run."""
        keys = None if self.key_watch is None else self.key_watch.changed(self.now())
        if keys is not None:
            self._use(keys)
        tables = self.intake.keys.tables if self._keys_are_new else ()
        self._keys_are_new = False
        return [TableKnown(table=name) for name in tables if name not in self.hall.tables]

    def _keys_in_doubt(self) -> bool:
        """Whether there are newer keys than those a message did not fit; they are used from here on."""
        keys = None if self.key_watch is None else self.key_watch.in_doubt(self.now())
        if keys is not None:
            self._use(keys)
        return keys is not None

    def _use(self, keys: KeyRing) -> None:
        self.intake.keys = self.dispatch.keys = keys
        self._keys_are_new = True

    def _deed(self, item: Wanted) -> None:
        act = Act(self.book, self.hall, self.now())
        try:
            with self.book.deed():
                item.run(act)
        except BaseException as error:
            item.fail(error)
            return
        self._publish(act.inputs)
        item.settle()

    def _tick(self) -> None:
        now = self.now()
        if self.dispatch.nothing_due(self.hall, now):
            return
        with self.book.deed():
            inputs = self.dispatch.tick(self.book, self.wire, self.hall, now)
        self._publish(inputs)

    def _publish(self, inputs: list[Input]) -> None:
        if not inputs:
            return
        self.hall = fold(self.hall, inputs)
        for listener in self._listeners:
            listener()
