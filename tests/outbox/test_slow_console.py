"""Forty tables and a console that reads fifty rows a second: it must not read most of them twice."""

from __future__ import annotations

import random
from collections import deque

import pytest

from table_controller.outbox import NS, Outbox, Ticket

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
        for box in self.boxes:
            box.add_epoch("e", upto=0, head=ROWS)
            box.up()
            box.receipt("another epoch", 0, 0)

    def run(self) -> int:
        """Until every table's rows are with the console; when that was, ns."""
        now = 0
        while any(box.backlog for box in self.boxes):
            for number, box in enumerate(self.boxes):
                for ticket in box.due(now, 20):
                    self.queue.append((number, ticket.seq))
                    box.acknowledged(Ticket(epoch="e", seq=ticket.seq))
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
