"""A whole table on virtual time: the simulator's body, and the controller's own sensing, core and drive.

Only the wire and the debouncing between them are left out. What a real controller would do is done by its own
engine; nothing here decides anything.
"""

from __future__ import annotations

from typing import Any

from firmware_bridge.readings import Direction, LevelRead, MoveEnded, MoveStatus, Reading, Snapshot, TokenRead
from firmware_bridge.rig import Command, MoveWindow
from hw_sim.core_runner.customs import regulations_of
from hw_sim.core_runner.play import senses_of
from hw_sim.table.body import Body
from hw_sim.table.changes import MS, LevelChange, Travel
from hw_sim.table.wiring import TableKind, wiring
from table_controller.clock.table import TimedTable
from table_controller.journal import Journal
from table_controller.messages import ClockQuality
from table_controller.messages.topics import Identity, Place
from table_controller.screen.effects import Amend, RecordBoard, RecordTime, Report
from table_controller.screen.entry import Entry
from table_controller.screen.events import Event
from table_controller.screen.table import ScreenTable
from table_controller.sensing import Sensing, Waits
from table_controller.service.engine import Engine
from table_controller.service.reports import Stamp
from table_controller.service.standing import Standing
from table_controller.service.window_drive import DriveSpec, WindowDrive, WindowKind

IDENTITY = Identity(place=Place(venue="test", event="test"), table="1")
QUICK = Waits(settle=40 * MS, lead_settle=20 * MS, tag_settle=20 * MS)


class _Core:
    """The core, with everything it was told and said kept for the test."""

    def __init__(self, table: ScreenTable) -> None:
        self.table = table
        self.events: list[Event] = []
        self.entries: dict[int, Entry] = {}
        self.boards: list[RecordBoard] = []
        self.times: list[RecordTime] = []

    def handle(self, event: Event, number: int = 0) -> list[Any]:
        self.events.append(event)
        effects = self.table.handle(event, number)
        for effect in effects:
            if isinstance(effect, Report | Amend):
                self.entries[effect.entry.id] = effect.entry
            elif isinstance(effect, RecordBoard):
                self.boards.append(effect)
            elif isinstance(effect, RecordTime):
                self.times.append(effect)
        return effects

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)


class VirtualTable:
    """Offers what a `Stage` offers; `core` keeps what happened. `order` hands in a director's order."""

    def __init__(
        self, kind: TableKind = TableKind.FULL, regulations: str = "ccba-2006", *, quick: bool = True
    ) -> None:
        wires, rules = wiring(kind), regulations_of(regulations)
        travel = Travel.quickest() if quick else Travel()
        self.body = Body(faces=rules.seats.screen_sides.value, travel=travel, now=1_000 * MS)
        self.core = _Core(TimedTable(regulations=rules, senses=senses_of(kind)))
        self._signals = wires.signals
        lamp = kind is TableKind.WATCH
        self._engine = Engine(
            core=self.core,
            sensing=Sensing(
                signals=self._signals,
                faces=rules.seats.screen_sides.value,
                waits=QUICK if quick else Waits(),
            ),
            drive=WindowDrive(
                DriveSpec(
                    kind=WindowKind.LAMP if lamp else WindowKind.MOTOR,
                    output="window.lamp" if lamp else "window.motor",
                    close_lamp="window.lamp.close" if lamp else None,
                )
            ),
            journal=Journal.in_memory(identity=IDENTITY, epoch="test", session="test"),
            standing=Standing(),
            outputs=frozenset(output.name for output in wires.rig.outputs),
            stamp=lambda now: Stamp(mono=now, wall=None, clock=ClockQuality.UNSET, rev=0),
            fallback=lambda: Journal.in_memory(identity=IDENTITY, epoch="again", session="test"),
        )
        levels = {name: level for name, level in self.body.levels().items() if name in self._signals}
        tokens = {name: text for name, text in self.body.tokens().items() if name in self._signals}
        self._turn([Snapshot(at=self.body.now, levels=levels, tokens=tokens)])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.body, name)

    @property
    def engine(self) -> Engine:
        return self._engine

    def advance(self, to: int) -> None:
        while (due := self.due()) is not None and due <= to:
            self.body.advance(max(due, self.body.now))
            self.look()
        self.body.advance(max(to, self.body.now))
        self.look()

    def due(self) -> int | None:
        dues = [due for due in (self.body.due(), self._engine.deadline()) if due is not None]
        return min(dues, default=None)

    def look(self) -> None:
        """Tell the controller what has changed, and carry out what it orders."""
        readings: list[Reading] = []
        for change in self.body.take_changes():
            if change.signal not in self._signals:
                continue
            if isinstance(change, LevelChange):
                readings.append(LevelRead(at=change.at, signal=change.signal, active=change.active))
                readings += self._limit(change)
            else:
                readings.append(TokenRead(at=change.at, signal=change.signal, token=change.token))
        self._turn(readings)

    def order(self, event: Event) -> None:
        """A director's order arrives now."""
        self._engine.insert(event)
        self.look()

    def _limit(self, change: LevelChange) -> list[Reading]:
        """The device stops its motor at a limit."""
        ends = {"window.closed": Direction.CLOSE, "window.open": Direction.OPEN}
        way = ends.get(change.signal)
        if not change.active or way is not self.body.motor:
            return []
        self.body.drive_window(Direction.STOP)
        ended = MoveEnded(at=change.at, output="window.motor", direction=way, status=MoveStatus.LIMIT)
        return [ended]

    def _turn(self, readings: list[Reading]) -> None:
        done = self._engine.turn(readings, self.body.now)
        for command in done.commands:
            self._obey(command)

    def _obey(self, command: Command) -> None:
        if isinstance(command, MoveWindow):
            self.body.drive_window(command.direction)
        else:
            self.body.set_output(command.output, command.on)
