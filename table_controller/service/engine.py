"""One turn of the table: what came in becomes events, is journalled with the core's answer, then carried out.

The order of deeds is the product's promise: journal, then command, then publish. Without threads and with
time as an argument, so that it can be tested whole. Must never carry out what is not in the journal, and
never stop because of what one event did.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from firmware_bridge.readings import (
    CommandFailed,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    OutputReleased,
    Reading,
    TokenRead,
)
from firmware_bridge.rig import Command, SetOutput
from table_controller.journal import Journal, NewRow, StorageFailed, row_id
from table_controller.messages import What
from table_controller.messages.codec import Json
from table_controller.screen.effects import (
    CloseWindow,
    Effect,
    HoldTray,
    LightSummons,
    OpenWindow,
    Refusal,
    Refuse,
    ReleaseTray,
    ShowState,
    StopWindow,
)
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    Event,
    FaultSeen,
    SensorCleared,
    SensorDoubted,
    TimePassed,
    WindowHandled,
    WindowMoved,
    WindowOverridden,
)
from table_controller.screen.orders import DirectorOrder
from table_controller.sensing import Sensing
from table_controller.sensing.signals import sense_of
from table_controller.service.reports import Stamp, effect_row, event_row, log_row
from table_controller.service.resume import Core
from table_controller.service.standing import Standing
from table_controller.service.window_drive import Steps, WindowDrive

log = logging.getLogger(__name__)

DRIVE_READINGS = (MoveEnded, OutputReleased, CommandFailed, LinkDown, LinkUp)
ROUNDS = 50
"""More rounds in one turn than this, and an event of ours answers itself for ever: an Error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a director's order: refused with a reason, or None: taken."""

    command: str
    refused: Refusal | None


@dataclass(slots=True, kw_only=True)
class Done:
    """What one turn did: commands for the rig, outcomes of orders, whether the view changed."""

    commands: list[Command] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    view_changed: bool = False
    rows: int = 0
    storage_failed: bool = False

    def followed_by(self, later: Done) -> None:
        """A turn followed at once. What it ordered and what became of orders in it is dealt with apart."""
        self.view_changed = self.view_changed or later.view_changed
        self.rows += later.rows
        self.storage_failed = self.storage_failed or later.storage_failed


class Engine:
    """Core, sensing, drive and journal of one table. Every method belongs to the owner thread.

    `stamp` gives the row stamp for the present; `fallback` a journal in memory, for when the storage fails.
    `outputs`: lamps and latches this table has.
    """

    def __init__(
        self,
        *,
        core: Core,
        sensing: Sensing,
        drive: WindowDrive,
        journal: Journal,
        standing: Standing,
        outputs: frozenset[str],
        stamp: Callable[[int], Stamp],
        fallback: Callable[[], Journal],
    ) -> None:
        self.core = core
        self.sensing = sensing
        self.drive = drive
        self.journal = journal
        self.standing = standing
        self._outputs = outputs
        self._stamp = stamp
        self._fallback = fallback
        self._extra: list[NewRow] = []
        self._taken: dict[str, dict[str, Json]] = {}
        self._ready: list[Event] = []
        self._now = 0
        self.versions: dict[str, str] = {}
        """Of the device behind the wires, once it has said so."""

    # --- what comes in

    def read(self, readings: Iterable[Reading], now: int) -> list[Steps]:
        """Take readings; the events they make leave with the next `turn`."""
        steps: list[Steps] = []
        for reading in readings:
            if isinstance(reading, LevelRead | TokenRead):
                self._keep_raw(reading, now)
            self.sensing.take(reading)
            if isinstance(reading, DRIVE_READINGS):
                steps.append(self.drive.heard(reading, now))
            if isinstance(reading, LinkUp):
                self._met(reading)
            if isinstance(reading, LevelRead) and reading.signal == "window.obstructed":
                steps.append(self.drive.barrier(reading.active, now))
        return steps

    def insert(self, event: Event) -> None:
        """An event from elsewhere: a director's order, a fault of ours."""
        self.sensing.insert(event)

    def order(self, command: str, events: Sequence[Event], taken: dict[str, Json]) -> None:
        """A director's order. `taken`: the row that says so, written in one commit with its first event."""
        self._taken[command] = taken
        for event in events:
            self.insert(event)

    def note(self, what: What, value: dict[str, Json], now: int, cause: str | None = None) -> None:
        """A row about ourselves, written with the next turn."""
        self._extra.append(log_row(what, value, self._stamp(now), cause))

    def tell_again(self, now: int) -> None:
        """A new journal goes on from another: what stands is in it too, with the next turn."""
        self._extra.extend(self._again(now))

    def _again(self, now: int) -> list[NewRow]:
        return [effect_row(effect, self._stamp(now)) for effect in self.standing.again()]

    # --- a turn

    def turn(self, readings: Sequence[Reading], now: int, heard: int | None = None) -> Done:
        """Take what came in, and do all that follows from it. Time: ns on the table's axis.

        `heard`: nothing that happened on the wires before it is still on its way (default: `now`).
        """
        self._now = now
        done = Done()
        steps = self.read(readings, now)
        for at in self.standing.take_due(now):
            self.insert(TimePassed(at=at))
        steps.append(self.drive.tick(now))
        self._follow(steps, done)
        self._ready.extend(self.sensing.tick(now, heard))
        for _ in range(ROUNDS):
            if not self._ready and not self._extra:
                break
            events, self._ready = self._ready, []
            self._process(events, now, done)
            self._ready.extend(self.sensing.tick(now, heard))
        else:
            log.error("a turn did not come to an end; its last events wait for the next")
        return done

    def deadline(self) -> int | None:
        """When `turn` is next wanted; None if nothing waits."""
        waits = (self.sensing.deadline(), self.drive.deadline(), self.standing.next_deadline())
        return min((wait for wait in waits if wait is not None), default=None)

    def light(self) -> list[Command]:
        """Every lamp and hold as it should be, for a rig that has just come up."""
        return [
            SetOutput(output=name, on=on) for name, on in self.standing.lit.items() if name in self._outputs
        ]

    # --- how

    def _process(self, events: list[Event], now: int, done: Done) -> None:
        stamp = self._stamp(now)
        rows, self._extra = self._extra, []
        deeds: list[tuple[Event, list[Effect]]] = []
        for event in events:
            command = event.command if isinstance(event, DirectorOrder) and event.command else None
            if command is not None and command in self._taken:
                rows.append(log_row(What.COMMAND, self._taken.pop(command), stamp, command))
            number = self.journal.next_seq + len(rows)
            rows.append(event_row(event, stamp, command))
            effects = self._judge(event, number, rows, stamp)
            cause = row_id(self.journal.identity.table, self.journal.epoch, number)
            rows.extend(effect_row(effect, stamp, cause) for effect in effects)
            deeds.append((event, effects))
        self._commit(rows, done)
        for event, effects in deeds:
            self._carry_out(event, effects, now, done)

    def _judge(self, event: Event, number: int, rows: list[NewRow], stamp: Stamp) -> list[Effect]:
        try:
            return self.core.handle(event, number)
        except Exception as problem:
            log.exception("the core raised on row %d", number)
            text = f"Error of ours: the core raised {type(problem).__name__} on row {number}: {problem}"
            rows.append(log_row(What.NOTE, {"text": text[:500]}, stamp))
            return []

    def _commit(self, rows: list[NewRow], done: Done) -> None:
        if not rows:
            return
        try:
            self.journal.append(rows)
        except StorageFailed as problem:
            log.error("%s", problem)
            head = self.journal.head
            self.journal = self._fallback()
            done.storage_failed = True
            before: dict[str, Json] = {"epoch": head.epoch, "seq": head.seq}
            value: dict[str, Json] = {"sentence": str(problem)[:500], "before": before}
            said = log_row(What.STORAGE, value, self._stamp(self._now))
            self.journal.append([said, *self._again(self._now)])
            self.insert(
                FaultSeen(
                    at=self._now, kind=FaultKind.STORAGE_FAILED, component="journal", detail=str(problem)
                )
            )
            self.journal.append(rows)
        done.rows += len(rows)

    def _carry_out(self, event: Event, effects: list[Effect], now: int, done: Done) -> None:
        steps: list[Steps] = []
        match event:
            case WindowMoved(state=state, at=at):
                steps.append(self.drive.moved(state, at, now))
            case WindowHandled(held=True):
                steps.append(self.drive.handled(now))
            case SensorDoubted(sense="window"):
                steps.append(self.drive.doubt(True, now))
            case SensorCleared(sense="window"):
                steps.append(self.drive.doubt("window" in self.sensing.doubted, now))
            case _:
                pass
        for effect in effects:
            self.standing.after(effect)
            match effect:
                case OpenWindow() | CloseWindow() | StopWindow():
                    by_director = isinstance(event, WindowOverridden)
                    steps.append(self.drive.carry_out(effect, now, by_director=by_director))
                case HoldTray() | ReleaseTray() | LightSummons():
                    done.commands.extend(self._lamp(effect))
                case ShowState():
                    done.view_changed = True
                case _:
                    pass
        if isinstance(event, DirectorOrder) and event.command:
            reasons = [effect.refusal for effect in effects if isinstance(effect, Refuse)]
            done.outcomes.append(Outcome(command=event.command, refused=reasons[0] if reasons else None))
        self._follow(steps, done)

    def _follow(self, steps: Iterable[Steps], done: Done) -> None:
        before = self.sensing.window_order
        for step in steps:
            done.commands.extend(step.commands)
            for event in step.events:
                self.insert(event)
        if self.drive.order is not before:
            self.sensing.ordered(self.drive.order, self._now)

    def _lamp(self, effect: HoldTray | ReleaseTray | LightSummons) -> list[Command]:
        match effect:
            case HoldTray(side=side):
                name, on = f"hold.{side.lower()}", True
            case ReleaseTray(side=side):
                name, on = f"hold.{side.lower()}", False
            case LightSummons(seat=seat, on=on):
                name = f"summons.{seat.lower()}"
        return [SetOutput(output=name, on=on)] if name in self._outputs else []

    def _met(self, reading: LinkUp) -> None:
        device = reading.device
        self.versions = {
            "device": device.uid,
            "firmware": f"{device.firmware} {device.version} ({device.firmware_hash})",
            "interpreter": device.interpreter,
            "wire": device.protocol,
        }

    def _keep_raw(self, reading: LevelRead | TokenRead, now: int) -> None:
        """While a sense is doubted nothing is concluded from it, so what its wires said is kept as it is."""
        if sense_of(reading.signal) in self.sensing.doubted:
            said = reading.token if isinstance(reading, TokenRead) else str(int(reading.active))
            text = f"raw {reading.signal}={said} at {reading.at // 1_000_000} ms"
            self.note(What.NOTE, {"text": text}, now)
