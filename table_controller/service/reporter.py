"""Reports on their way to the console: outbox, connection, presence, snapshot and answers.

A row is done when the console's receipt covers it. Nothing here waits: what cannot be sent now is sent later
from the journal. Every method belongs to the owner thread. Must never publish what is not committed, and
never let a message it does not believe reach the table.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from table_controller.journal import Head, Journal, OldJournal, StorageFailed, sealed_row
from table_controller.messages import (
    AnnounceBody,
    AvailBody,
    CommandBody,
    ConsoleBody,
    Distrust,
    Envelope,
    Message,
    Presence,
    ReceiptBody,
    Refused,
    ResultBody,
    StateBody,
    open_sealed,
    sealed,
    topics,
)
from table_controller.messages.keywatch import KeyWatch
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Identity
from table_controller.mqtt_client import (
    Acknowledged,
    Arrived,
    CallbackFailed,
    LinkDown,
    LinkEvent,
    LinkUp,
    MqttLink,
    Will,
)
from table_controller.outbox import Outbox, Receipt, Ticket
from table_controller.service.presence import Heartbeat
from table_controller.service.reports import Stamp

log = logging.getLogger(__name__)
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000
UNREACHABLE_NS = 15 * NS_PER_S
"""A broker away for so long is worth a fault; shorter is a reconnection."""
QUIET_NS = 60 * NS_PER_S
FEW = 200
"""So many numbers of open entries and faults stay in a snapshot that would be too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """A command that arrived and is believed; `retained` as it came."""

    message: Message
    retained: bool


@dataclass(slots=True, kw_only=True)
class News:
    """What the connection brought in one turn. `clocks`: what tells the console's clock. `ahead`: the console
    has rows our journal lacks.
    """

    orders: list[Ordered]
    clocks: list[Envelope]
    ahead: int | None = None
    unreachable: bool | None = None
    distrusted: list[Distrust] = field(default_factory=list)


class Reporter:
    """One table's reports. `make_id`: a new ULID; `stamp`: the row stamp for a time on the table's axis."""

    def __init__(
        self,
        *,
        identity: Identity,
        session: str,
        keys: KeyRing,
        link: MqttLink,
        outbox: Outbox,
        heartbeat: Heartbeat,
        make_id: Callable[[], str],
        stamp: Callable[[int], Stamp],
        key_watch: KeyWatch | None = None,
    ) -> None:
        self._identity = identity
        self._session = session
        self._keys = keys
        self._link = link
        self.outbox = outbox
        self._make_id = make_id
        self._stamp = stamp
        self._key_watch = key_watch
        self._journals: dict[str, Journal | OldJournal] = {}
        self._epoch = ""
        self._results: deque[ResultBody] = deque(maxlen=1000)
        self._heartbeat = heartbeat
        self._down_since: int | None = None
        self._watching = False
        self._told_why = ""
        self._told_unreachable = False
        self.distrusted: dict[Distrust, int] = {}
        self._refused_at: dict[Distrust, int] = {}

    # --- what there is to tell

    def add_journal(self, journal: Journal | OldJournal) -> None:
        """From now on this journal's rows are to be delivered, after those of the ones before.

        The last one added that is no old one is the table's journal. One known already is read from here now.
        """
        head = journal.head
        self._journals[journal.epoch] = journal
        if isinstance(journal, Journal):
            self._epoch = journal.epoch
        if not self.outbox.has(journal.epoch):
            self.outbox.add_epoch(journal.epoch, upto=head.upto, head=head.seq)

    def abandon(self, epoch: str) -> None:
        """The rows of this epoch can no longer be delivered."""
        self._journals.pop(epoch, None)
        self.outbox.abandon(epoch)

    def committed(self, head: Head) -> None:
        self.outbox.committed(head.epoch, head.seq)

    def answer(self, result: ResultBody) -> None:
        """An answer to a command, sent when it can be."""
        self._results.append(result)

    def changed(self, now: int) -> None:
        """The view changed: a new snapshot is due."""
        self._heartbeat.changed(now)

    def will(self, now: int) -> Will:
        """What the broker says for us when we are gone, of this very session."""
        topic = topics.avail(self._identity.place, self._identity.table)
        return Will(topic=topic, payload=self._sealed("avail", AvailBody(status=Presence.OFFLINE), now))

    # --- what comes in

    def take(self, event: LinkEvent, now: int, news: News) -> None:
        """One event of the connection."""
        token = self._link.note(event)
        match event:
            case LinkUp():
                if self._take_new_keys(now, at_once=True):
                    return  # let in by the new certificate before the new keys were seen: not a word
                self.outbox.up()
                self._heartbeat.connected(now)
                if self._told_why:
                    log.info("connected to the broker")
                self._down_since, self._told_why = None, ""
                if self._told_unreachable:
                    self._told_unreachable, news.unreachable = False, False
            case LinkDown(why=why):
                if why != self._told_why:
                    self._told_why = why
                    log.info("no connection to the broker: %s; trying on", why)
                self.outbox.down()
                self._heartbeat.disconnected()
                if self._down_since is None:
                    self._down_since = now
            case Acknowledged(refused=refused):
                if isinstance(token, Ticket):
                    if refused is None:
                        self.outbox.acknowledged(token)
                    else:
                        self.outbox.returned(token, now)
            case Arrived():
                self._arrived(event, now, news)
            case CallbackFailed(where=where, what=what):
                log.error("Error of ours in the connection's %s: %s", where, what)

    def tick(self, now: int, news: News) -> None:
        """Say once that the broker has been away for long, counted from when we began to look for it; and
        take new keys, if this table was enrolled anew.
        """
        self._take_new_keys(now)
        if not self._watching:
            self._watching = True
            if not self._link.connected:
                self._down_since = now
        since = self._down_since
        if since is not None and not self._told_unreachable and now - since > UNREACHABLE_NS:
            self._told_unreachable, news.unreachable = True, True

    def _take_new_keys(self, now: int, *, at_once: bool = False) -> bool:
        """The next connection is made with the new certificate, and its will sealed with the new key."""
        watch = self._key_watch
        keys = None if watch is None else watch.changed(now // NS_PER_MS, at_once=at_once)
        if keys is None:
            return False
        if keys.of(self._identity.table) is None:
            log.error("the new keys are not of table %s; the old ones stay", self._identity.table)
            return False
        self._keys = keys
        log.info("this table was enrolled anew: its new keys are used from now on")
        self._link.will = self.will(now)
        self._link.drop("this table was enrolled anew")
        return True

    def _arrived(self, event: Arrived, now: int, news: News) -> None:
        if topics.emptied(event.topic, event.payload):
            return
        try:
            message = open_sealed(event.topic, event.payload, self._keys.of)
        except Refused as refused:
            self.distrusted[refused.why] = self.distrusted.get(refused.why, 0) + 1
            news.distrusted.append(refused.why)
            self._say_refused(refused, now)
            return
        if message.envelope.table is not None and not event.retained:
            news.clocks.append(message.envelope)  # what goes to everybody, every table could have said
        match message.body:
            case ReceiptBody(epoch=epoch, upto=upto):
                self._receipt(epoch, upto, now, news)
            case CommandBody():
                news.orders.append(Ordered(message=message, retained=event.retained))
            case AnnounceBody():
                self._heartbeat.announced(now)
            case ConsoleBody(status=Presence.ONLINE):
                self.outbox.hurry(now)
            case _:
                pass

    def _say_refused(self, refused: Refused, now: int) -> None:
        """In the log at most once a minute for each reason: a flood must not fill the disk."""
        before = self._refused_at.get(refused.why)
        if before is None or now - before >= QUIET_NS:
            self._refused_at[refused.why] = now
            log.warning("a message was not believed: %s", refused)

    def _receipt(self, epoch: str, upto: int, now: int, news: News) -> None:
        match self.outbox.receipt(epoch, upto, now):
            case Receipt.PROGRESS:
                self._note_receipt(epoch, upto)
            case Receipt.AHEAD if epoch == self._epoch:
                news.ahead = upto
            case Receipt.AHEAD:  # it was damaged here, or its end was lost, after the console had all of it
                log.warning("the console has epoch %s up to row %d, further than we can read it", epoch, upto)
                self._note_receipt(epoch, upto)
                self.abandon(epoch)
            case Receipt.OLD:
                pass

    def _note_receipt(self, epoch: str, upto: int) -> None:
        journal = self._journals.get(epoch)
        if journal is not None:
            journal.note_receipt(upto)

    # --- what goes out

    def pump(self, now: int, snapshot: Callable[[], StateBody]) -> None:
        """Send what may be sent now, rows before the snapshot that counts them."""
        if not self._link.connected:
            return
        if self._heartbeat.avail_due(now):
            topic = topics.avail(self._identity.place, self._identity.table)
            payload = self._sealed("avail", AvailBody(status=Presence.ONLINE), now)
            if self._link.publish(topic, payload, retain=True):
                self._heartbeat.sent_avail(now)
        self._answers(now)
        for ticket in self.outbox.due(now, self._link.room):
            self._send_row(ticket, now)
        if self._heartbeat.state_due(now):
            topic = topics.state(self._identity.place, self._identity.table)
            if self._link.publish(topic, self._sealed_state(snapshot(), now), retain=True):
                self._heartbeat.sent_state(now)

    def deadline(self) -> int | None:
        """When `pump` is next wanted, if nothing comes in before."""
        if not self._link.connected or not self._link.room:
            return None
        due = (self._heartbeat.deadline(), self.outbox.deadline())
        return min((time for time in due if time is not None), default=None)

    def stop(self, now: int, limit_s: float) -> None:
        """Say that we are stopping, and go, within the limit."""
        if self._link.connected:
            topic = topics.avail(self._identity.place, self._identity.table)
            self._link.farewell(topic, self._sealed("avail", AvailBody(status=Presence.STOPPING), now))
        self._link.stop(limit_s)

    def _answers(self, now: int) -> None:
        while self._results:
            result = self._results[0]
            topic = topics.result(self._identity.place, self._identity.table, result.command)
            if not self._link.publish(topic, self._sealed("result", result, now)):
                return
            self._results.popleft()

    def _send_row(self, ticket: Ticket, now: int) -> None:
        journal = self._journals.get(ticket.epoch)
        key = self._keys.of(self._identity.table)
        if journal is None or key is None:
            return
        try:
            row = next(iter(journal.rows(ticket.seq, ticket.seq)), None)
            if row is None:
                self._unreadable(ticket, "it can no longer be read", now)
                return
            topic, payload = sealed_row(row, self._identity, ticket.epoch, key)
            if not self._link.publish(topic, payload, token=ticket):
                self.outbox.returned(ticket, now)
        except (StorageFailed, ValueError) as problem:
            self._unreadable(ticket, str(problem), now)

    def _unreadable(self, ticket: Ticket, why: str, now: int) -> None:
        """A row that is not where it was. An old journal, or the one whose storage has failed, must not keep
        back the newer ones: it is left, and tried again at the next start.
        """
        log.error("row %d of epoch %s cannot be sent: %s", ticket.seq, ticket.epoch, why)
        if ticket.epoch == self._epoch:
            self.outbox.returned(ticket, now)
        else:
            self.abandon(ticket.epoch)

    def _sealed_state(self, state: StateBody, now: int) -> bytes:
        """What does not fit into a message is left out of the snapshot; the rows have it."""
        try:
            return self._sealed("state", state, now)
        except ValueError:
            fewer = {"auction": (), "open_entries": state.open_entries[:FEW], "faults": state.faults[:FEW]}
            return self._sealed("state", state.model_copy(update=fewer), now)

    def _sealed(self, kind: str, body: AvailBody | StateBody | ResultBody, now: int) -> bytes:
        stamp = self._stamp(now)
        key = self._keys.of(self._identity.table)
        if key is None:
            raise LookupError(f"no message key of table {self._identity.table}")
        envelope = Envelope(
            v=1,
            id=self._make_id(),
            type=kind,
            venue=self._identity.place.venue,
            event=self._identity.place.event,
            table=self._identity.table,
            epoch=self._epoch or None,
            session=self._session,
            mono_ms=max(0, stamp.mono // 1_000_000),
            wall=stamp.wall,
            clock=stamp.clock,
            rev=stamp.rev,
            body=body.model_dump(mode="json"),
        )
        return sealed(envelope, key)
