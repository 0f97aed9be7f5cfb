"""A table and a console inside the test's own process, on a real broker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from director_console.desk import Desk
from director_console.intake import Intake, Taken
from director_console.link import BrokerWire
from director_console.projection.hall import Hall, TableNow
from director_console.store.book import Book, open_book
from director_console.wire import Arrived
from table_controller.messages.mac import parse_object
from table_controller.mqtt_client import parse_address
from tests.chaos.place import PLACE, keys
from tests.chaos.table_end import TableEnd, fact_of


def until(true: Callable[[], bool], limit_s: float = 20.0, says: str = "") -> float:
    """Wait for it; how long it took. Raises TimeoutError."""
    begun = time.monotonic()
    while not true():
        if time.monotonic() - begun > limit_s:
            raise TimeoutError(f"not within {limit_s} s {says}")
        time.sleep(0.02)
    return time.monotonic() - begun


class LiveTable:
    """A table's owner loop in a thread. `leave`: in order; `vanish`: as if its power were cut."""

    def __init__(
        self,
        table: str,
        broker: str,
        folder: Path,
        *,
        wall: Callable[[], int | None] = time.time_ns,
        keepalive_s: int = 10,
    ) -> None:
        self.end = TableEnd(table, broker, folder, "", 1, wall, keepalive_s)
        self.told = self.end.last
        self._thread = threading.Thread(target=self.end.run, daemon=True)
        self._thread.start()

    def tell(self, facts: int) -> None:
        for _ in range(facts):
            self.told += 1
            self.end.tell(self.told)
        until(lambda: self.end.last == self.told)

    def leave(self) -> None:
        self._stop()
        self.end.reporter.stop(time.monotonic_ns(), 2.0)
        self.end.opened.close()

    def vanish(self) -> None:
        """No goodbye. The caller has cut the cable, or the broker's will speaks for us."""
        self._stop()
        self.end.opened.close()

    def _stop(self) -> None:
        self.end.stopping = True
        self._thread.join(5)


class SlowIntake(Intake):
    """Takes so many seconds over each message. `largest_batch`: how many lay there at once."""

    def __init__(self, quick: Intake, seconds: float) -> None:
        super().__init__(quick.keys, quick.place)
        self.newer_keys = quick.newer_keys
        self.largest_batch = 0
        self._seconds = seconds

    def take(self, book: Book, batch: list[Arrived], hall: Hall) -> Taken:
        self.largest_batch = max(self.largest_batch, len(batch))
        time.sleep(self._seconds * len(batch))
        return super().take(book, batch, hall)


class LiveConsole:
    """The console's real journal, desk and link."""

    def __init__(self, broker: str, folder: Path, *, tables: int = 30, slowly_s: float = 0.0) -> None:
        ring = keys(tables)
        self.book: Book = open_book(folder / "console")
        self.desk = Desk(
            self.book,
            ring,
            PLACE,
            "desk-1",
            now=lambda: time.time_ns() // 1_000_000,
            mono=lambda: time.monotonic_ns() // 1_000_000,
        )
        self.slow = SlowIntake(self.desk.intake, slowly_s)
        if slowly_s:
            self.desk.intake = self.slow
        self.wire = BrokerWire(
            parse_address(broker), PLACE, ring, self.desk.dispatch, self.desk.inbox.put, self.desk.now
        )
        self.desk.wire = self.wire
        self.desk.start()
        self.wire.start()

    def table(self, name: str) -> TableNow | None:
        return self.desk.hall.tables.get(name)

    def facts(self, table: str) -> list[int]:
        """Facts held, in the order of their rows."""
        held = self.book.db.execute(
            'SELECT raw FROM reports WHERE "table" = ? ORDER BY epoch, seq', (table,)
        ).fetchall()
        return [fact for (raw,) in held if (fact := fact_of(parse_object(raw)["body"])) is not None]

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def leave(self) -> None:
        self.wire.stop()
        self.desk.stop()
        self.book.close()
