"""The console under chaos: its real journal, desk and link, without pages. It gives a command at times."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

from director_console.act import Act
from director_console.desk import Desk
from director_console.link import BrokerWire
from director_console.store.book import open_book
from table_controller.messages.topics import Verb
from table_controller.mqtt_client import parse_address
from tests.chaos.place import PLACE, keys


def main(broker: str, folder: str, tables: str, seed: str, every_s: str) -> None:
    ring = keys(int(tables))
    book = open_book(Path(folder) / "console")
    desk = Desk(
        book,
        ring,
        PLACE,
        "desk-1",
        now=lambda: time.time_ns() // 1_000_000,
        mono=lambda: time.monotonic_ns() // 1_000_000,
    )
    wire = BrokerWire(parse_address(broker), PLACE, ring, desk.dispatch, desk.inbox.put, desk.now)
    desk.wire = wire
    desk.start()
    wire.start()
    draw = random.Random(f"{seed} {time.monotonic_ns()}")
    quiet = Path(folder) / "quiet"
    while True:
        time.sleep(draw.uniform(0.5, 1.5) * float(every_s))
        if not quiet.exists():
            with contextlib.suppress(Exception):
                desk.do(lambda act: command(act, draw)).result(5)


def command(act: Act, draw: random.Random) -> None:
    """One command to some table that has been heard."""
    heard = [table for table in act.hall.tables.values() if table.epoch]
    if heard:
        act.command(draw.choice(heard), Verb.ACKNOWLEDGE, {"entries": [draw.randrange(1, 99)]}, "chief")
