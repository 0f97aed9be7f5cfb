"""The one thread that owns a table: one inbox, one loop, every deed in order.

Callbacks of rig and broker build one frozen value and put it here; they decide nothing. The loop is the only
thing that feeds the watchdog, so that a loop that hangs is restarted. Must never block longer than a second,
and never die of what one message did.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from firmware_bridge import readings as wires
from firmware_bridge.errors import RigError
from firmware_bridge.readings import LevelRead, Reading, TokenRead
from firmware_bridge.rig import Command, Rig
from table_controller.commands import CommandGate
from table_controller.journal import Opened, old_journals
from table_controller.messages import Distrust, StateBody, What
from table_controller.mqtt_client import (
    Acknowledged,
    Arrived,
    CallbackFailed,
    LinkDown,
    LinkEvent,
    LinkUp,
)
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import FaultGone, FaultSeen
from table_controller.service.clockwatch import StepWatch, WallClock
from table_controller.service.device_watch import DeviceWatch
from table_controller.service.directors_desk import DirectorsDesk
from table_controller.service.distrust import DistrustWatch
from table_controller.service.engine import Done, Engine
from table_controller.service.reporter import News, Reporter
from table_controller.service.reports import Surroundings, snapshot
from table_controller.service.watchdog import Watchdog

log = logging.getLogger(__name__)
NS_PER_S = 1_000_000_000
LONGEST_WAIT_S = 0.5
SHORTEST_WAIT_S = 0.005
"""What is due and waits for the wires to be heard must not turn the loop idle round and round."""
SETTLE_NS = 30 * NS_PER_S
"""With every heartbeat the journal's head is made to survive a power cut too."""
BATCH = 500
"""At most so many items a turn, so that the watchdog is fed in a storm."""


class Stop:
    """Put into the inbox to end the loop."""


Item = Reading | LinkEvent | Stop
Inbox = queue.SimpleQueue[Item]
_LINK_EVENTS = (LinkUp, LinkDown, Arrived, Acknowledged, CallbackFailed)


class RigMaker(Protocol):
    """Makes a new rig of the same wires, when the old one has died."""

    def __call__(self) -> Rig: ...


@dataclass(slots=True, kw_only=True)
class Upkeep:
    """When things that recur were last done, ns."""

    second: int = 0
    settled: int = 0


class Owner:
    """Runs `engine`, `rig` and `reporter`. `offset`: from the monotonic clock to the table's axis, ns;
    `where`: the place of the device, for a person.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        engine: Engine,
        storage: Opened,
        rig: Rig,
        make_rig: RigMaker,
        reporter: Reporter | None,
        gate: CommandGate,
        wall: WallClock,
        watchdog: Watchdog,
        offset: int,
        session: str,
        around: Callable[[Engine], Surroundings],
        where: str = "its wires",
    ) -> None:
        self.inbox = inbox
        self.engine = engine
        self._storage = storage
        self._first_row = engine.journal.next_seq
        self.rig = rig
        self._make_rig = make_rig
        self._reporter = reporter
        self._watchdog = watchdog
        self._offset = offset
        self._around = around
        self._where = where
        self._device = DeviceWatch(where, 0)
        self._steps = StepWatch()
        self._upkeep = Upkeep()
        self._distrust = DistrustWatch()
        self._desk = DirectorsDesk(gate=gate, engine=engine, reporter=reporter, wall=wall, session=session)
        self._heard = 0
        self._stopping = False

    def now(self) -> int:
        """The present on the table's axis, ns."""
        return time.monotonic_ns() + self._offset

    def put(self, item: Item) -> None:
        """For callbacks of any thread: never blocks, never raises."""
        self.inbox.put(item)

    def run(self) -> None:
        """The loop, until a `Stop` is taken out. Raises RigError if the rig cannot be started at all."""
        self.rig.start(self.put)
        name = self.engine.journal.identity.table
        self._watchdog.ready(f"table {name}")
        log.info("table %s is up and looks for its device at %s", name, self._where)
        self._device = DeviceWatch(self._where, self.now())
        try:
            while not self._stopping:
                heard = self.rig.heard_until()
                items = self._collect()
                self._heard = heard if len(items) < BATCH else self._heard
                self._turn_safely(items)
                self._watchdog.fed(time.monotonic_ns())
        finally:
            self.rig.close()

    # --- one round

    def _collect(self) -> list[Item]:
        items: list[Item] = []
        try:
            items.append(self.inbox.get(timeout=self._patience()))
            while len(items) < BATCH:
                items.append(self.inbox.get_nowait())
        except queue.Empty:
            pass
        return items

    def _patience(self) -> float:
        due = [wait for wait in (self.engine.deadline(), self._reporter_deadline()) if wait is not None]
        if not due:
            return LONGEST_WAIT_S
        return min(max((min(due) - self.now()) / NS_PER_S, SHORTEST_WAIT_S), LONGEST_WAIT_S)

    def _reporter_deadline(self) -> int | None:
        return None if self._reporter is None else self._reporter.deadline()

    def _turn_safely(self, items: list[Item]) -> None:
        try:
            self._turn(items)
        except Exception:  # the table must go on; what the turn did not take is read off the wires again
            log.exception("Error of ours in a turn of the table")
            self.engine.sensing.compare(self.rig.levels(), self.rig.tokens(), self.now())

    def _turn(self, items: list[Item]) -> None:
        now = self.now()
        news = News(orders=[], clocks=[])
        readings: list[Reading] = []
        for item in items:
            if isinstance(item, Stop):
                self._stopping = True
            elif isinstance(item, _LINK_EVENTS):
                if self._reporter is not None:
                    self._reporter.take(item, now, news)
            else:
                readings.append(self._on_axis(item))
        for sentence in self._device.look(readings, now):
            log.warning("%s", sentence)
        self._take_news(news, now)
        done = self.engine.turn(readings, now, self._heard + self._offset)
        if any(isinstance(reading, wires.LinkUp | wires.Snapshot) for reading in readings):
            done.commands.extend(self.engine.light())
        self._command(done.commands)
        answered = done
        while self._desk.settle(answered, self.now()):  # orders may be carried out in this turn too
            answered = self.engine.turn([], self.now(), self._heard + self._offset)
            self._command(answered.commands)
            done.followed_by(answered)
        self._every_second(now)
        if done.storage_failed:
            self._first_row = 1
            if self._reporter is not None:
                self._reporter.add_journal(self.engine.journal)
        self._publish(done, now)

    def _on_axis(self, reading: Reading) -> Reading:
        if self._offset == 0:
            return reading
        at = reading.at + self._offset
        if isinstance(reading, LevelRead | TokenRead) and reading.not_before is not None:
            return replace(reading, at=at, not_before=reading.not_before + self._offset)
        return replace(reading, at=at)

    def _command(self, commands: list[Command]) -> None:
        for command in commands:
            try:
                self.rig.command(command)
            except RigError as problem:
                log.error("a command was not taken: %s", problem)

    # --- orders of the director

    def _take_news(self, news: News, now: int) -> None:
        for envelope in news.clocks:
            self._desk.gate.heard(envelope, now)
        for order in news.orders:
            self._desk.judge(order, now)
        if news.unreachable is True:
            self._fault(FaultKind.BROKER_UNREACHABLE, "broker", "no connection to the broker", now)
        elif news.unreachable is False:
            self.engine.insert(FaultGone(at=now, kind=FaultKind.BROKER_UNREACHABLE, component="broker"))
        for why in news.distrusted:
            self._distrusted(why, now)
        if news.ahead is not None:
            self._begin_again(f"the console has rows up to {news.ahead}, this journal has fewer", now)

    def _distrusted(self, why: Distrust, now: int) -> None:
        """A message that was not believed is an alarm: somebody is where he should not be."""
        said = self._distrust.heard(why, now)
        if said is not None:
            event = FaultSeen(
                at=now,
                kind=FaultKind.MESSAGE_NOT_BELIEVED,
                component="broker",
                detail=said,
                standing=False,
            )
            self.engine.insert(event)

    def _begin_again(self, why: str, now: int) -> None:
        """Rows were lost here unseen: go on in an epoch whose numbers nobody has."""
        lost = self.engine.journal.epoch
        found = self._storage.begin_again(why, again_from=self._first_row)
        self.engine.journal = self._storage.journal
        self._first_row = 1
        if self._reporter is not None:
            self._reporter.abandon(lost)
            self._reporter.add_journal(self.engine.journal)
        self.engine.note(What.STORAGE, found.value(), now)
        self.engine.tell_again(now)
        for fault in found.faults:
            self.engine.insert(
                FaultSeen(
                    at=now,
                    kind=fault.kind,
                    component=fault.component,
                    detail=fault.detail,
                    standing=fault.standing,
                )
            )

    def _recover_storage(self, now: int) -> None:
        """A record kept in memory is written to the disk as soon as the disk takes it."""
        recovered = self._storage.recover()
        if recovered is None:
            return
        self.engine.journal = recovered
        if self._reporter is not None:
            for old in old_journals(self._storage.path, recovered.identity):
                if self._reporter.outbox.has(old.epoch):
                    self._reporter.add_journal(old)
            self._reporter.add_journal(recovered)
        log.warning("the record is on the disk again")
        self.engine.note(What.STORAGE, {"sentence": "the record is on the disk again"}, now)
        self.engine.insert(FaultGone(at=now, kind=FaultKind.STORAGE_FAILED, component="journal"))

    # --- what recurs

    def _every_second(self, now: int) -> None:
        if now - self._upkeep.second < NS_PER_S:
            return
        self._upkeep.second = now
        stepped = self._steps.look(time.time_ns(), time.monotonic_ns())
        if stepped is not None:
            detail = f"the wall clock stepped by {stepped / NS_PER_S:+.3f} s"
            event = FaultSeen(
                at=now, kind=FaultKind.CLOCK_STEPPED, component="clock", detail=detail, standing=False
            )
            self.engine.insert(event)
        health = self.rig.health()
        if not health.thread_alive and not self._stopping:
            log.error("the rig's thread has died (%s); a new one is made", health.last_error)
            self._restart_rig()
        if self._reporter is not None:
            news = News(orders=[], clocks=[])
            self._reporter.tick(now, news)
            self._take_news(news, now)

    def _restart_rig(self) -> None:
        self.rig.close()
        try:
            self.rig = self._make_rig()
            self.rig.start(self.put)
        except RigError as problem:
            log.error("the rig cannot be started again: %s", problem)

    def _fault(self, kind: FaultKind, component: str, detail: str, now: int) -> None:
        self.engine.insert(FaultSeen(at=now, kind=kind, component=component, detail=detail))

    def _publish(self, done: Done, now: int) -> None:
        if now - self._upkeep.settled >= SETTLE_NS:
            self._upkeep.settled = now
            self.engine.journal.settle()
            if not self.engine.journal.durable:
                self._recover_storage(now)
        if self._reporter is None:
            return
        if done.rows:
            self._reporter.committed(self.engine.journal.head)
        if done.view_changed:
            self._reporter.changed(now)
        self._reporter.pump(now, self._snapshot)

    def _snapshot(self) -> StateBody:
        return snapshot(self.engine.core.view(), self._around(self.engine))
