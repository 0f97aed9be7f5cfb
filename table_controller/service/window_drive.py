"""How the window is moved: orders in, commands to the rig out, whatever moves it here.

Safety does not live here: the limits cut the motor in hardware and the device stops it when its lease ends.
This room renews the lease while a movement is wanted, limits its time in each direction, backs off once from
an obstruction and then waits for a person, as after a jam. Pure: time is an argument. Must never try a second
time by itself, and never run a motor whose limits are doubted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.readings import (
    CommandFailed,
    Direction,
    LinkDown,
    LinkUp,
    MoveEnded,
    MoveStatus,
    OutputReleased,
)
from firmware_bridge.rig import LEASE_MS, Command, MoveWindow, SetOutput
from table_controller.screen.effects import CloseWindow, OpenWindow, StopWindow
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Event, FaultGone, FaultSeen, WindowOrder, WindowState

NS_PER_MS = 1_000_000
BACK_OFF_NS = 400 * NS_PER_MS
"""Long enough to free a finger, too short to reach the other limit."""


COAST_NS = 500 * NS_PER_MS
"""A limit reached or left so soon after the motor stopped was the motor's doing, however late it is told."""


class WindowKind(StrEnum):
    """How the window is moved; NONE: by hand alone, without even a lamp."""

    MOTOR = "motor"
    LATCH = "latch"
    LAMP = "lamp"
    NONE = "none"


WindowEffect = OpenWindow | CloseWindow | StopWindow
DriveReading = MoveEnded | OutputReleased | CommandFailed | LinkDown | LinkUp


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """What is to be done now: commands for the rig, events for the core."""

    commands: tuple[Command, ...] = ()
    events: tuple[Event, ...] = ()


NOTHING = Steps()


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveSpec:
    """One window's drive. Times in nanoseconds; `close_lamp` only with a lamp."""

    kind: WindowKind
    output: str = ""
    close_lamp: str | None = None
    open_limit: int = 8_000 * NS_PER_MS
    close_limit: int = 8_000 * NS_PER_MS
    lease_ms: int = LEASE_MS


_TARGET = {WindowOrder.OPEN: WindowState.OPEN, WindowOrder.CLOSE: WindowState.CLOSED}
_WAY = {WindowOrder.OPEN: Direction.OPEN, WindowOrder.CLOSE: Direction.CLOSE}
_BACK = {Direction.OPEN: Direction.CLOSE, Direction.CLOSE: Direction.OPEN}


class WindowDrive:
    """Carries out the core's window orders. `order` is the one being carried out, None when it is done.

    Tell it everything: orders, what the rig answers, the window's state, a hand on a handle, the light
    barrier, doubts about the limits, and time.
    """

    def __init__(self, spec: DriveSpec) -> None:
        self.spec = spec
        self.order: WindowOrder | None = None
        self._state = WindowState.UNKNOWN
        self._running: Direction | None = None
        self._run_ends = 0
        self._renew_at = 0
        self._backing = False
        self._waits_for_person = False
        self._parked: WindowOrder | None = None
        self._lapse_at: int | None = None
        self._still_at = 0
        self._doubted = False
        self._in_the_way = False
        self._linked = True
        self._faults: set[FaultKind] = set()

    # --- orders

    def carry_out(self, effect: WindowEffect, now: int, *, by_director: bool = False) -> Steps:
        """An order of the core. The director is a person: his goes through where the table's own waits."""
        self._parked, self._lapse_at = None, None
        match effect:
            case StopWindow():
                self.order = None
                return NOTHING if self._backing else Steps(commands=self._stopped(now))
            case OpenWindow():
                self.order = WindowOrder.OPEN
            case CloseWindow():
                self.order = WindowOrder.CLOSE
        if by_director:
            self._waits_for_person = False
        elif self._waits_for_person:
            self._parked, self.order = self.order, None
            return NOTHING
        return self._pursue(now)

    def _stopped(self, now: int) -> tuple[Command, ...]:
        return self._lights() if self.spec.kind is WindowKind.LAMP else self._halt(now)

    # --- what happens

    def moved(self, state: WindowState, at: int, now: int) -> Steps:
        """The window's sensed state changed at `at`, by whomever."""
        self._state = state
        events: list[Event] = []
        by_hand = self._running is None and at > self._still_at + COAST_NS
        if by_hand and self._waits_for_person:
            events += self._person_came(now)
        if self.order is not None and state is _TARGET[self.order]:
            if not self._waits_for_person:  # the director has ordered it on after a jam, and it went
                events += self._gone(FaultKind.WINDOW_JAMMED, now)
            self.order = None
            return Steps(commands=self._arrived(now), events=tuple(events))
        if self._parked is not None and state is _TARGET[self._parked]:
            self._parked = None
        if self.spec.kind is WindowKind.LAMP:
            return Steps(commands=self._lights(), events=tuple(events))
        return Steps(events=tuple(events))

    def handled(self, now: int) -> Steps:
        """A hand took a handle: the person this drive may have been waiting for."""
        if not self._waits_for_person:
            return NOTHING
        events = self._person_came(now)
        self.order, self._parked, self._lapse_at = self.order or self._parked, None, None
        steps = self._pursue(now)
        return Steps(commands=steps.commands, events=(*events, *steps.events))

    def _person_came(self, now: int) -> list[Event]:
        self._waits_for_person = False
        gone = self._gone(FaultKind.WINDOW_JAMMED, now)
        return gone if self._in_the_way else [*gone, *self._gone(FaultKind.WINDOW_OBSTRUCTED, now)]

    def barrier(self, blocked: bool, now: int) -> Steps:
        """Something came into the window's way, or left it."""
        if blocked == self._in_the_way:
            return NOTHING
        self._in_the_way = blocked
        if not blocked:
            return Steps(events=tuple(self._gone(FaultKind.WINDOW_OBSTRUCTED, now)))
        if self.spec.kind is WindowKind.MOTOR and self._running is not None and not self._backing:
            return self._obstructed("something is in the window's way", now)
        seen = self._fault(FaultKind.WINDOW_OBSTRUCTED, "something is in the window's way", now)
        return Steps(events=tuple(seen))

    def doubt(self, doubted: bool, now: int) -> Steps:
        """The limit switches contradict each other, or agree again."""
        if doubted == self._doubted:
            return NOTHING
        self._doubted = doubted
        return Steps(commands=self._halt(now)) if doubted else self._pursue(now)

    def heard(self, reading: DriveReading, now: int) -> Steps:
        """What the rig said about an output, or about the link."""
        match reading:
            case LinkDown():
                self._linked, self._running, self._backing = False, None, False
                return NOTHING
            case LinkUp():
                self._linked = True
                return self._pursue(now)
            case MoveEnded() if reading.output == self.spec.output:
                return self._ended(reading, now)
            case OutputReleased() if reading.output == self.spec.output:
                self.order = None
                return NOTHING
            case _:
                return NOTHING

    def tick(self, now: int) -> Steps:
        if self._lapse_at is not None and now >= self._lapse_at:
            self._parked = self.order if self._waits_for_person else None
            self.order, self._lapse_at = None, None
        if self._running is None:
            return NOTHING
        if now >= self._run_ends:
            if self._backing:
                self._lapse_at = now + COAST_NS
                return Steps(commands=self._halt(now))
            return self._jammed("the limit switch was not made in time", now)
        if now >= self._renew_at and not self._backing:
            return Steps(commands=(self._renewed(now),))
        return NOTHING

    def deadline(self) -> int | None:
        due = [] if self._lapse_at is None else [self._lapse_at]
        if self._running is not None:
            due.append(self._run_ends if self._backing else min(self._run_ends, self._renew_at))
        return min(due, default=None)

    # --- how

    def _pursue(self, now: int) -> Steps:
        """Go on with the order, if there is one and it may be carried out now."""
        if self.order is None:
            return NOTHING
        there = self._state is _TARGET[self.order] and self._running in (None, _WAY[self.order])
        if there and self.spec.kind is not WindowKind.LATCH:
            self.order = None
            return Steps(commands=self._arrived(now))
        match self.spec.kind:
            case WindowKind.LAMP:
                return Steps(commands=self._lights())
            case WindowKind.LATCH:
                on = self.order is WindowOrder.OPEN
                return Steps(commands=(SetOutput(output=self.spec.output, on=on),))
            case WindowKind.NONE:
                return NOTHING
            case WindowKind.MOTOR:
                return self._run(_WAY[self.order], now)

    def _run(self, way: Direction, now: int) -> Steps:
        if self._waits_for_person or self._doubted or not self._linked or self._in_the_way:
            return NOTHING
        if self._running is way and not self._backing:
            return NOTHING
        stop = self._halt(now)
        limit = self.spec.open_limit if way is Direction.OPEN else self.spec.close_limit
        self._running, self._backing = way, False
        self._run_ends = now + limit
        return Steps(commands=(*stop, self._renewed(now)))

    def _renewed(self, now: int) -> Command:
        assert self._running is not None
        self._renew_at = now + self.spec.lease_ms * NS_PER_MS * 2 // 5
        return MoveWindow(output=self.spec.output, direction=self._running, lease_ms=self.spec.lease_ms)

    def _halt(self, now: int) -> tuple[Command, ...]:
        if self._running is None or self.spec.kind is not WindowKind.MOTOR:
            return ()
        self._running, self._backing, self._still_at = None, False, now
        return (MoveWindow(output=self.spec.output, direction=Direction.STOP, lease_ms=self.spec.lease_ms),)

    def _arrived(self, now: int) -> tuple[Command, ...]:
        match self.spec.kind:
            case WindowKind.MOTOR:
                return self._halt(now)
            case WindowKind.LAMP:
                return self._lights()
            case WindowKind.LATCH | WindowKind.NONE:
                return ()

    def _lights(self) -> tuple[Command, ...]:
        commands: list[Command] = [SetOutput(output=self.spec.output, on=self.order is WindowOrder.OPEN)]
        if self.spec.close_lamp is not None:
            on = self.order is WindowOrder.CLOSE
            commands.append(SetOutput(output=self.spec.close_lamp, on=on))
        return tuple(commands)

    def _ended(self, reading: MoveEnded, now: int) -> Steps:
        if self._running is None or reading.direction is not self._running:
            return NOTHING
        backing, self._running, self._backing = self._backing, None, False
        self._still_at = now
        if backing:
            self._lapse_at = now + COAST_NS
        match reading.status:
            case MoveStatus.OBSTRUCTED if not backing:
                return self._obstructed("the device stopped at an obstruction", now)
            case MoveStatus.OVERCURRENT if not backing:
                return self._obstructed("the motor met resistance", now)
            case MoveStatus.LONGEST_RUN if not backing:
                return self._jammed("the device stopped a run that took too long", now)
            case MoveStatus.REFUSED if not backing:
                return self._jammed("the device refused to move", now)
            case MoveStatus.LEASE_EXPIRED | MoveStatus.HOST_SILENT if not backing:
                return self._pursue(now)
            case MoveStatus.LIMIT if not backing:
                self._lapse_at = now + COAST_NS
                return NOTHING
            case _:
                return NOTHING

    def _obstructed(self, detail: str, now: int) -> Steps:
        """Stop, give way once, and wait for a person."""
        if self.order is None:
            return Steps(
                commands=self._halt(now), events=tuple(self._fault(FaultKind.WINDOW_OBSTRUCTED, detail, now))
            )
        back = _BACK[_WAY[self.order]]
        stop = self._halt(now)
        self._waits_for_person = True
        self._running, self._backing = back, True
        self._run_ends = now + BACK_OFF_NS
        away = MoveWindow(output=self.spec.output, direction=back, lease_ms=BACK_OFF_NS // NS_PER_MS)
        seen = self._fault(FaultKind.WINDOW_OBSTRUCTED, detail, now)
        return Steps(commands=(*stop, away), events=tuple(seen))

    def _jammed(self, detail: str, now: int) -> Steps:
        self._waits_for_person = True
        self._lapse_at = now + COAST_NS
        stop = self._halt(now)
        return Steps(commands=stop, events=tuple(self._fault(FaultKind.WINDOW_JAMMED, detail, now)))

    def _fault(self, kind: FaultKind, detail: str, now: int) -> list[Event]:
        if kind in self._faults:
            return []
        self._faults.add(kind)
        return [FaultSeen(at=now, kind=kind, component="window", detail=detail)]

    def _gone(self, kind: FaultKind, now: int) -> list[Event]:
        if kind not in self._faults:
            return []
        self._faults.discard(kind)
        return [FaultGone(at=now, kind=kind, component="window")]
