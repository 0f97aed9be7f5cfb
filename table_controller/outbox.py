"""What of the journal has still to reach the console, and what to send now: a pure pump.

A row is done when the console's *receipt* covers it, not before: a broker acknowledges into memory. The
broker's PUBACK only says that the row has left us; without a receipt it is sent again after a while, in
order, with back-off. Where receipts are slow to come it waits longer: second copies of what a console has
yet to read would only make it slower. Older epochs (a journal set aside with rows the console lacks) come
before newer ones.

Holds numbers, never rows; the time is an argument. Must never have more than `window` rows on the way, and
never take a row for delivered on anything but a receipt.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

NS = 1_000_000_000
WINDOW = 20
FIRST_WAIT = (3 * NS, 5 * NS)
"""How long to wait for a receipt before sending again, drawn between these two."""
LONGEST_WAIT = 60 * NS
LISTEN = NS
"""How long a table that goes on with a journal waits for the retained receipt before it sends."""
SOON = NS
"""When the broker has not even acknowledged what is on the way, look again so soon."""
HURRY = (NS // 5, 3 * NS // 2)
"""How long tables wait, at random, before they send again to a console that has just come."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Ticket:
    """The name of a row to be sent."""

    epoch: str
    seq: int


class Receipt(StrEnum):
    """What a receipt meant."""

    PROGRESS = "progress"
    OLD = "old"
    """Nothing new; also a receipt for an epoch we no longer have."""
    AHEAD = "ahead"
    """The console has rows of this epoch that our journal lacks: rows were lost here, and numbers would be
    used twice.
    """


@dataclass(slots=True)
class _OnWay:
    """A row sent since the last connection and not receipted. `since`: ns, when it first went."""

    since: int
    acked: bool = False
    """Whether the broker has it."""


class _Epoch:
    """One journal's rows: to `upto` with the console, below `next` on the way, `head` the newest.

    `sent`: the newest that can have left us, in this run or an earlier one.
    """

    __slots__ = ("again", "head", "name", "next", "on_way", "sent", "upto")

    def __init__(self, name: str, upto: int, head: int) -> None:
        self.name = name
        self.upto = upto
        self.head = head
        self.sent = head
        self.next = upto + 1
        self.on_way: dict[int, _OnWay] = {}
        self.again: deque[int] = deque()

    def start_over(self) -> None:
        self.next = self.upto + 1
        self.on_way.clear()
        self.again.clear()


class Outbox:
    """The pump. `draw(low, high)` picks a whole number between the two; tests give their own."""

    def __init__(self, *, draw: Callable[[int, int], int], window: int = WINDOW) -> None:
        self._draw = draw
        self._window = window
        self._epochs: list[_Epoch] = []
        self._replays: deque[tuple[str, int, int]] = deque()
        self._up = False
        self._tries = 0
        self._wait_until: int | None = None
        self._listening = False
        self._listen_until: int | None = None
        self._hurry_at: int | None = None
        self._hurry_upto = 0
        """What was on the way when a console came; what was sent to it since needs no hurry."""
        self._usual = 0
        """How long receipts take of a console that is there, ns: the longest of late."""

    # --- what there is to send

    def add_epoch(self, epoch: str, *, upto: int, head: int) -> None:
        """Rows `upto + 1` to `head` of this journal are to be delivered, after those of the epochs added
        before.
        """
        if any(known.name == epoch for known in self._epochs):
            raise ValueError(f"epoch {epoch} is in the outbox already")
        self._epochs.append(_Epoch(epoch, upto, head))
        self._listening = self._listening or (head > 0 and not self._up)

    def committed(self, epoch: str, head: int) -> None:
        """The journal of this epoch now ends with row `head`."""
        known = self._of(epoch)
        if known is None:
            raise ValueError(f"epoch {epoch} is not in the outbox")
        known.head = max(known.head, head)

    def has(self, epoch: str) -> bool:
        return self._of(epoch) is not None

    def abandon(self, epoch: str) -> None:
        """Rows of this epoch cannot be delivered any more: unreadable, or their numbers are taken by
        others.
        """
        self._epochs = [known for known in self._epochs if known.name != epoch]

    @property
    def backlog(self) -> int:
        """How many rows the console has not said it has."""
        return sum(known.head - known.upto for known in self._epochs)

    def upto(self, epoch: str) -> int:
        """The newest row of this epoch that the console has, with all before it; 0 if none."""
        known = self._of(epoch)
        return 0 if known is None else known.upto

    # --- what happens

    def up(self) -> None:
        """Connected anew: nothing is on the way, everything without a receipt goes again, in order."""
        self._up = True
        self._tries = self._usual = 0
        self._wait_until = self._hurry_at = None
        for known in self._epochs:
            known.start_over()

    def down(self) -> None:
        """The connection is gone, and with it whatever the client held."""
        self._up = False
        self._wait_until = self._hurry_at = None
        for known in self._epochs:
            known.start_over()

    def acknowledged(self, ticket: Ticket) -> None:
        """The broker has this row, for what that is worth."""
        known = self._of(ticket.epoch)
        if known is not None and ticket.seq in known.on_way:
            known.on_way[ticket.seq].acked = True

    def returned(self, ticket: Ticket, now: int) -> None:
        """The client or the broker would not take this row; it goes again after the usual wait."""
        self.acknowledged(ticket)
        self._arm(now)

    def receipt(self, epoch: str, upto: int, now: int) -> Receipt:
        """The console has every row of this epoch up to `upto`. What we have never sent it cannot have from
        us.
        """
        self._listening = False
        known = self._of(epoch)
        if known is None:
            return Receipt.OLD
        if upto > known.sent:
            return Receipt.AHEAD
        if upto <= known.upto:
            return Receipt.OLD
        known.upto = upto
        known.next = max(known.next, upto + 1)
        if (newest := max((seq for seq in known.on_way if seq <= upto), default=None)) is not None:
            self._took(now - known.on_way[newest].since)
        known.on_way = {seq: row for seq, row in known.on_way.items() if seq > upto}
        known.again = deque(seq for seq in known.again if seq > upto)
        self._tries = 0
        self._wait_until = None
        if known.on_way:
            self._arm(now)
        self._drop_drained()
        return Receipt.PROGRESS

    def _took(self, time: int) -> None:
        """A receipt took so long, ns. One longer than the longest wait: it was away, not slow."""
        if time < LONGEST_WAIT:
            self._usual = max(time, (3 * self._usual + time) // 4)

    def hurry(self, now: int) -> None:
        """A console has come: no need to wait as long as for one that is away. Not all tables at once."""
        self._tries = self._usual = 0
        known = self._first_undrained()
        if known is not None and known.on_way:
            for row in known.on_way.values():
                row.since = now
            self._hurry_at = now + self._draw(*HURRY)
            self._hurry_upto = max(known.on_way)

    def replay(self, epoch: str, first: int, last: int, now: int) -> bool:
        """The console asks for these rows again. False: we do not have that epoch, or it is no range."""
        known = self._of(epoch)
        if known is None or not 1 <= first <= last:
            return False
        if last > known.upto:
            self._tries = 0
            if known.on_way:
                self._wait_until = now
        last = min(last, known.upto)
        if first <= last and (epoch, first, last) not in self._replays:
            self._replays.append((epoch, first, last))
        return True

    # --- what to send

    def due(self, now: int, room: int) -> list[Ticket]:
        """At most `room` rows to give to the client now, in this order; they are on the way from here on."""
        if not self._up or self._still_listening(now):
            return []
        if self._hurry_at is not None and now >= self._hurry_at:
            self._hurry_at = None
            self._send_again(now, self._hurry_upto)
        elif self._wait_until is not None and now >= self._wait_until:
            self._send_again(now)
        tickets: list[Ticket] = []
        known = self._first_undrained()
        if known is not None:
            self._take(known, room, now, tickets)
            if known.on_way and self._wait_until is None:
                self._arm(now)
        self._take_replays(room, tickets)
        return tickets

    def _still_listening(self, now: int) -> bool:
        """Before the first row of a run: the retained receipt may say that numbers we would use are taken."""
        if self._listening and self._listen_until is None:
            self._listen_until = now + LISTEN
        if self._listen_until is not None and now >= self._listen_until:
            self._listening = False
        return self._listening

    def deadline(self) -> int | None:
        """When `due` should be asked again if nothing happens before; None: not before something happens."""
        if self._listening:
            return self._listen_until if self._up else None
        waits = [time for time in (self._wait_until, self._hurry_at) if time is not None]
        return min(waits, default=None) if self._up else None

    def _take(self, known: _Epoch, room: int, now: int, tickets: list[Ticket]) -> None:
        while known.again and len(tickets) < room:
            seq = known.again.popleft()
            known.on_way[seq].acked = False
            tickets.append(Ticket(epoch=known.name, seq=seq))
        last = min(known.head, known.upto + self._window)
        while known.next <= last and len(tickets) < room:
            known.on_way[known.next] = _OnWay(since=now)
            tickets.append(Ticket(epoch=known.name, seq=known.next))
            known.sent = max(known.sent, known.next)
            known.next += 1

    def _take_replays(self, room: int, tickets: list[Ticket]) -> None:
        while self._replays and len(tickets) < room:
            epoch, first, last = self._replays.popleft()
            tickets.append(Ticket(epoch=epoch, seq=first))
            if first < last:
                self._replays.appendleft((epoch, first + 1, last))

    def _send_again(self, now: int, upto: int | None = None) -> None:
        """What the broker has and the console has not said it has. What the broker lacks is still with the
        client.
        """
        known = self._first_undrained()
        self._wait_until = None
        if known is None:
            return
        waiting = set(known.again)
        last = max(known.on_way, default=0) if upto is None else upto
        held = [seq for seq, row in known.on_way.items() if row.acked and seq not in waiting and seq <= last]
        known.again.extend(held)
        if not held:
            self._wait_until = now + SOON if known.on_way else None
            return
        self._tries += 1
        self._arm(now)

    def _arm(self, now: int) -> None:
        wait = max(self._draw(*FIRST_WAIT), 2 * self._usual) << min(self._tries, 8)
        self._wait_until = now + min(wait, LONGEST_WAIT)

    def _first_undrained(self) -> _Epoch | None:
        return next((known for known in self._epochs if known.upto < known.head), None)

    def _drop_drained(self) -> None:
        """An older epoch that is wholly with the console will never have another row."""
        self._epochs = [k for k in self._epochs[:-1] if k.upto < k.head] + self._epochs[-1:]

    def _of(self, epoch: str) -> _Epoch | None:
        return next((known for known in self._epochs if known.name == epoch), None)
