"""The turn that journals what was answered does other things too: an order that came a moment after the first
is carried out in it, and the storage may fail in it. Neither may be forgotten.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from table_controller.journal import NewRow, StorageFailed
from table_controller.messages import (
    AvailBody,
    ClockQuality,
    Message,
    ResultBody,
    StateBody,
    Status,
    open_sealed,
)
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Verb
from table_controller.mqtt_client import LinkUp
from table_controller.outbox import Outbox
from table_controller.service.presence import Heartbeat
from table_controller.service.reporter import News, Ordered, Reporter
from table_controller.service.reports import Stamp
from tests.messages.test_commands import command, id_of
from tests.table_controller.owner_in_hand import HERE, OwnerInHand

S = 1_000_000_000
KEYS = KeyRing(venue=b"v" * 32, tables={HERE.table: b"7" * 32})


class Wire:
    """A link that takes everything."""

    def __init__(self) -> None:
        self.connected, self.room = True, 20
        self.said: list[Message] = []

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, token: object = None) -> bool:
        self.said.append(open_sealed(topic, payload, KEYS.of))
        return True

    def note(self, event: object) -> object:
        return None

    def answers(self) -> list[tuple[str, Status]]:
        return [(one.body.command, one.body.status) for one in self.said if isinstance(one.body, ResultBody)]


class Table:
    """An owner worked by hand on a clock of its own, which every look moves on by `look` ns."""

    def __init__(self, folder: Path) -> None:
        self.hand = OwnerInHand(folder)
        self.wire = Wire()
        self.time, self.look = 100 * S, 0
        self.owner = self.hand.owner
        self.reporter = Reporter(
            identity=HERE,
            session="s1",
            keys=KEYS,
            link=cast("Any", self.wire),
            outbox=Outbox(draw=lambda low, high: low),
            heartbeat=Heartbeat(lambda low, high: low),
            make_id=lambda: id_of(1000),
            stamp=lambda now: Stamp(mono=now, wall=None, clock=ClockQuality.UNSET, rev=1),
        )
        self.reporter.add_journal(self.hand.opened.journal)
        self.owner._reporter = self.owner._desk._reporter = self.reporter
        self.owner._desk.gate._table = "7"
        self.owner.now = self._now  # type: ignore[method-assign]
        self.reporter.take(LinkUp(connection=1), self.time, News(orders=[], clocks=[]))
        self.turn()

    def _now(self) -> int:
        self.time += self.look
        return self.time

    def order(self, verb: Verb, number: int) -> None:
        said = command(verb, number=number, expect_rev=None, epoch=None)
        self.owner._desk.judge(Ordered(message=said, retained=False), self.time)

    def turn(self) -> None:
        self.owner._turn([])


@pytest.fixture
def table(tmp_path: Path):
    made = Table(tmp_path)
    yield made
    made.hand.opened.close()


def test_an_order_carried_out_in_the_turn_that_answers_another_is_answered_too(table: Table) -> None:
    order = table.hand.engine.sensing._order
    table.order(Verb.HOLD, 1)
    table.time += S // 100
    table.order(Verb.HOLD, 2)
    table.time += order - S // 100 - S // 200
    table.look = S // 100
    for _ in range(3):
        table.turn()
    assert len(table.hand.told("Held")) == 2
    assert table.wire.answers() == [(id_of(1), Status.DONE), (id_of(2), Status.DONE)]


def test_storage_that_fails_while_an_answer_is_written_leaves_nothing_unreported(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.hand.engine.journal
    usual, writes = journal.append, list[int]()

    def append(rows: list[NewRow]) -> list[int]:
        writes.append(len(rows))
        if len(writes) > 1:
            raise StorageFailed("the disk is full")
        return usual(rows)

    monkeypatch.setattr(journal, "append", append)
    table.order(Verb.HOLD, 1)
    table.time += S
    table.turn()
    memory = table.hand.engine.journal
    assert memory is not journal
    table.time += S
    table.turn()
    assert table.reporter.outbox.has(memory.epoch)
    states = [one.envelope.epoch for one in table.wire.said if isinstance(one.body, StateBody | AvailBody)]
    assert states[-1] == memory.epoch
