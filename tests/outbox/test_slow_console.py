"""Forty tables and a console that reads fifty rows a second: it must not read most of them twice."""

from __future__ import annotations

import random
from collections import deque

import pytest

from table_controller.outbox import FIRST_WAIT, NS, Outbox, Receipt, Ticket
from tests.outbox.test_outbox import box, seqs

READ = NS // 50
ROWS = 200
RECEIPT_ROWS = 10


class Hall:
    """Tables, the broker's queue before the console, and the console, on a clock of its own."""

    def __init__(self, tables: int, seed: int) -> None:
        chance = random.Random(seed)
        self.queue: deque[tuple[int, int]] = deque()
        self.read = 0
        self.held = [0] * tables
        self.said = [0] * tables
        self.boxes = [Outbox(draw=chance.randint) for _ in range(tables)]
        for outbox in self.boxes:
            outbox.add_epoch("e", upto=0, head=ROWS)
            outbox.up()
            outbox.receipt("another epoch", 0, 0)

    def run(self) -> int:
        """Until every table's rows are with the console; when that was, ns."""
        now = 0
        while any(outbox.backlog for outbox in self.boxes):
            for number, outbox in enumerate(self.boxes):
                for ticket in outbox.due(now, 20):
                    self.queue.append((number, ticket.seq))
                    outbox.acknowledged(Ticket(epoch="e", seq=ticket.seq))
            now += READ
            if self.queue:
                self._read(*self.queue.popleft(), now)
        return now

    def _read(self, number: int, seq: int, now: int) -> None:
        self.read += 1
        if seq == self.held[number] + 1:
            self.held[number] = seq
        if self.held[number] - self.said[number] >= RECEIPT_ROWS:
            self.said[number] = self.held[number]
            self.boxes[number].receipt("e", self.held[number], now)


@pytest.mark.parametrize("tables", [1, 4, 20, 40])
def test_a_console_that_cannot_keep_up_reads_little_twice(tables: int) -> None:
    hall = Hall(tables, tables)
    took = hall.run()
    rows = tables * ROWS
    assert hall.held == [ROWS] * tables
    assert hall.read / rows < 1.25, f"{hall.read} read for {rows} rows"
    assert took / (rows * READ) < 1.25


def test_a_console_that_is_slow_but_there_gets_no_second_copies():
    outbox = box(head=400)
    now, copies = 0, 0
    for upto in range(20, 401, 20):
        sent = seqs(outbox.due(now, 100))
        for seq in sent:
            outbox.acknowledged(Ticket(epoch="e", seq=seq))
        for _ in range(10):
            now += NS
            again = outbox.due(now, 100)
            copies += len(again)
            for ticket in again:
                outbox.acknowledged(ticket)
        assert outbox.receipt("e", upto, now) is Receipt.PROGRESS
    assert outbox.backlog == 0
    assert copies == 40, "only the first twenty, after three seconds and after six more"


def test_after_prompt_receipts_the_wait_is_short_again():
    outbox = box(head=1)
    outbox.due(0, 20)
    outbox.receipt("e", 1, 20 * NS)
    now, waits = 20 * NS, []
    for head in range(2, 16):
        outbox.committed("e", head)
        outbox.due(now, 20)
        deadline = outbox.deadline()
        assert deadline is not None
        waits.append((deadline - now) / NS)
        outbox.receipt("e", head, now + NS // 10)
        now += NS
    assert waits[0] == 40
    assert waits == sorted(waits, reverse=True)
    assert waits[-1] == FIRST_WAIT[0] / NS


@pytest.mark.parametrize("came", [True, False])
def test_a_console_that_was_away_was_not_slow(came: bool):
    outbox = box(head=1)
    outbox.due(0, 20)
    outbox.acknowledged(Ticket(epoch="e", seq=1))
    back = 50 * NS if came else 3600 * NS
    if came:
        outbox.hurry(back)
    outbox.receipt("e", 1, back + NS)
    outbox.committed("e", 2)
    outbox.due(back + NS, 20)
    assert outbox.deadline() == back + NS + FIRST_WAIT[0]
