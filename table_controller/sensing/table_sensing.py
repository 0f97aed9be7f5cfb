"""Readings in, events out: what this table's wires mean.

Pure: time is an argument, the same readings give the same events. Each part of the table has its watcher;
this room routes readings to them, and lets their events leave in order. What it believes it has itself
reported, so that a restart rebuilds it from the journal. Must never judge: an event out of place leaves like
any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from firmware_bridge.readings import (
    CommandFailed,
    DeviceRestarted,
    EventsDropped,
    LevelRead,
    LinkDown,
    LinkUp,
    MoveEnded,
    OutputReleased,
    Reading,
    ReadingGap,
    SignalSuspected,
    SignalTrusted,
    Snapshot,
    TokenRead,
)
from table_controller.laws.seat import Faces
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    DeviceReset,
    Event,
    EventsLost,
    FaultSeen,
    LinkLost,
    LinkRestored,
    Restarted,
    SensorCleared,
    SensorDoubted,
    SensorsRead,
    WindowMoved,
    WindowOrder,
    WindowState,
)
from table_controller.sensing.board_tag import BoardWatch, TextWatch
from table_controller.sensing.dock_columns import ColumnWatch
from table_controller.sensing.docks import DockWatch
from table_controller.sensing.gate import Gate
from table_controller.sensing.hands import SwitchWatch
from table_controller.sensing.signals import LEVELS, TOKENS, Meaning, Signal, sense_of
from table_controller.sensing.spots import LeadWatch, WindowWatch
from table_controller.sensing.stuck import StuckWatch
from table_controller.sensing.watcher import Emit, Watcher, When, when_of

_HANDLES = frozenset(name for name, signal in LEVELS.items() if signal.meaning is Meaning.WINDOW_HANDLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """All waits of the sensing, in nanoseconds; see the configuration's `timings`."""

    settle: int = 400_000_000
    lead_settle: int = 120_000_000
    tag_settle: int = 300_000_000
    conflict: int = 1_000_000_000
    clearing: int = 10_000_000_000
    stuck_button: int = 5_000_000_000
    order: int = 30_000_000
    """By how much one signal may be told later than another of the same instant: the longest debounce."""


class Sensing:
    """One table's sensing. `signals`: every signal that is wired. `faces`: who sits where.

    `read` and `tick` return the events that may leave now; `deadline` says when `tick` is next wanted.
    """

    def __init__(self, *, signals: frozenset[str], faces: Faces, waits: Waits | None = None) -> None:
        waits = waits or Waits()
        self._signals = signals
        self._gate = Gate(waits.order)
        self._order = waits.order
        self._levels: dict[str, bool] = {}
        self._texts_told: dict[str, str] = {}
        self._linking = True
        self._started = False
        self._link_was_lost = False
        """By the journal, when the controller last ran: the first greeting restores it."""
        self._unread = False
        """Controller, device or link has come back, and no picture of all sensors has come since."""
        self._last_heard: int | None = None
        self._doubts: dict[str, str] = {}
        self.columns = ColumnWatch(
            self._emit_of(lambda: self.columns),
            faces=faces,
            settle_ns=waits.settle,
            clearing_ns=waits.clearing,
        )
        self.docks = DockWatch(
            self._emit_of(lambda: self.docks), conflict_ns=waits.conflict, moved=self.columns.moved
        )
        self.columns.docks = self.docks
        self.window = WindowWatch(self._emit_of(lambda: self.window), conflict_ns=waits.conflict)
        tells_face = any(LEVELS[s].meaning is Meaning.LEAD_FACED for s in signals if s in LEVELS)
        self._leads = LeadWatch(
            self._emit_of(lambda: self._leads), tells_face=tells_face, settle_ns=waits.lead_settle
        )
        self._board = BoardWatch(
            self._emit_of(lambda: self._board),
            has_switch="board.present" in signals,
            has_tag="board.id" in signals,
            tag_settle_ns=waits.tag_settle,
        )
        self._texts = TextWatch(self._emit_of(lambda: self._texts))
        self._switches = SwitchWatch(
            self._emit_of(lambda: self._switches), faces=faces, stuck_ns=waits.stuck_button
        )
        self._stuck = StuckWatch(self._emit_of(lambda: self._stuck))
        self._watchers: tuple[Watcher, ...] = (
            self.docks,
            self.columns,
            self.window,
            self._leads,
            self._board,
            self._texts,
            self._switches,
            self._stuck,
        )

    # --- what comes in

    def take(self, reading: Reading) -> None:
        """Take one reading; what it means leaves with a later `tick`.

        Time passes up to the reading first: where many come at once because we were late, what had come to
        rest before the next one happened has come to rest.
        """
        if isinstance(reading, LevelRead | TokenRead | Snapshot):
            # A link that is up says nothing of the wires yet: what the device kept meanwhile comes after it.
            self.columns.heard = max(self.columns.heard, reading.at - self._order)
        for watcher in self._watchers:
            watcher.tick(reading.at)
        self._take(reading)

    def tick(self, now: int, heard: int | None = None) -> list[Event]:
        """Let time pass. `heard`: all that happened on the wires before it has been taken (default: `now`).

        A late wire must not look like a still one: what rests on nothing having happened waits for `heard`.
        """
        settled = now if heard is None else min(heard, now) - self._order
        heard = now if heard is None else min(heard, now)
        self.columns.heard = max(self.columns.heard, settled)
        for watcher in self._watchers:
            watcher.tick(heard if watcher is self._switches else now)
        events = self._gate.take(now, self._pending_since())
        for event in events:
            if isinstance(event, WindowMoved):
                self._nobody_moved_it(event)
        return events

    def deadline(self) -> int | None:
        """When `tick` is next wanted; None if nothing waits."""
        # Without a link nobody knows whether a button is still held.
        deaf = (self._switches,) if self._linking else ()
        waits = [watcher.deadline() for watcher in self._watchers if watcher not in deaf]
        waits.append(self._gate.deadline(self._pending_since()))
        return min((wait for wait in waits if wait is not None), default=None)

    def compare(self, levels: Mapping[str, bool], tokens: Mapping[str, str], at: int) -> None:
        """What is on the wires now, where we may have lost readings ourselves: differences are inferred."""
        if not self._started:
            return
        since = self._last_heard
        for name, active in levels.items():
            if name in self._levels and self._levels[name] != active:
                self.take(LevelRead(at=at, signal=name, active=active, inferred=True, not_before=since))
        for name, text in tokens.items():
            if name in self._texts_told and self._texts_told[name] != text:
                self.take(TokenRead(at=at, signal=name, token=text, inferred=True, not_before=since))

    def insert(self, event: Event) -> None:
        """An event that no wire told, such as a director's order: it leaves in its place among the others."""
        self._gate.put(event)

    def believe(self, event: Event) -> None:
        """An event of the journal, in its order: what was reported is believed."""
        self._gate.started(event.at)
        self._last_heard = event.at
        for watcher in self._watchers:
            watcher.believe(event)
        match event:
            case SensorDoubted(component=component, sense=sense):
                self._doubts[component] = sense
            case SensorCleared(component=component):
                self._doubts.pop(component, None)
            case Restarted():
                self._doubts.clear()
                self._unread = True
            case LinkLost() | LinkRestored():
                self._link_was_lost = isinstance(event, LinkLost)
            case _:
                pass

    def ordered(self, order: WindowOrder | None, at: int) -> None:
        """This order of ours for the window is being carried out from `at` on (None: none)."""
        self.window.ordered(order, at)

    # --- what is believed

    @property
    def window_order(self) -> WindowOrder | None:
        """Our order for the window that is being carried out, as far as `ordered` has said."""
        return self.window.order

    @property
    def window_state(self) -> WindowState:
        return self.window.state

    @property
    def doubted(self) -> frozenset[str]:
        """Senses that are doubted now: their raw readings are worth keeping."""
        return frozenset(self._doubts.values())

    def level(self, signal: str) -> bool:
        """The last level told of this signal; False where it is not known."""
        return self._levels.get(signal, False)

    # --- routing

    def _take(self, reading: Reading) -> None:
        match reading:
            case LevelRead():
                self._level(reading)
            case TokenRead():
                self._token(reading)
            case Snapshot():
                self._snapshot(reading)
            case LinkDown(at=at, why=why):
                self._linking = True
                self.columns.link(False, When(at=at))
                self._gate.put(LinkLost(at=at, why=why))
            case LinkUp(at=at):
                if self._started or self._link_was_lost:
                    self._gate.put(LinkRestored(at=at))
                    self._unread = True
                self._link_was_lost = False
            case DeviceRestarted(at=at, cause=cause):
                self._gate.put(DeviceReset(at=at, cause=cause.value))
                self._unread = True
            case EventsDropped(at=at, count=count):
                self._gate.put(EventsLost(at=at, count=count))
            case ReadingGap(at=at, length=length):
                self._gate.put(EventsLost(at=at, count=0, gap=length))
            case SignalSuspected(at=at, signal=name, why=why):
                self._suspect(name, why.value, When(at=at))
            case SignalTrusted(at=at, signal=name):
                self._trusted(name, When(at=at))
            case MoveEnded() | OutputReleased() | CommandFailed():
                pass

    def _level(self, reading: LevelRead) -> None:
        signal = LEVELS.get(reading.signal)
        if signal is None or reading.signal not in self._signals:
            return
        self._last_heard = reading.at
        self._levels[signal.name] = reading.active
        if reading.inferred and not self._linking:
            self._inferred(reading)
        when = when_of(reading)
        self._watcher_of(signal).level(signal, reading.active, when)
        self._stuck.level(signal, reading.active, when)
        if signal.meaning is Meaning.TRAY:
            self.columns.level(signal, reading.active, when)

    def _token(self, reading: TokenRead) -> None:
        signal = TOKENS.get(reading.signal)
        if signal is None or reading.signal not in self._signals:
            return
        self._last_heard = reading.at
        self._texts_told[signal.name] = reading.token
        if reading.inferred and not self._linking:
            self._inferred(reading)
        self._watcher_of(signal).token(signal, reading.token, when_of(reading))

    def _inferred(self, reading: LevelRead | TokenRead) -> None:
        detail = "a lost edge, healed by reading the level"
        self._gate.put(
            FaultSeen(
                at=reading.at,
                kind=FaultKind.EDGE_INFERRED,
                component=reading.signal,
                detail=detail,
                standing=False,
            )
        )

    def _snapshot(self, snapshot: Snapshot) -> None:
        when = When(at=snapshot.at, inferred=True, not_before=self._last_heard)
        if not self._started:
            self._started = True
            for name, active in snapshot.levels.items():
                self._level(
                    LevelRead(
                        at=when.at, signal=name, active=active, inferred=True, not_before=when.not_before
                    )
                )
            for name, token in snapshot.tokens.items():
                self._token(
                    TokenRead(at=when.at, signal=name, token=token, inferred=True, not_before=when.not_before)
                )
            for watcher in self._watchers:
                watcher.baseline(when)
        elif self._linking:
            self.columns.link(True, when)
        self._linking = False
        if self._unread:
            self._unread = False
            self._read_afresh(when.at)

    def _suspect(self, name: str, why: str, when: When) -> None:
        signal = LEVELS.get(name) or TOKENS.get(name)
        if signal is None or name not in self._signals:
            return
        watcher = self._watcher_of(signal)
        watcher.freeze(signal, when)
        sense = sense_of(name) or "window"
        event = SensorDoubted(
            at=when.at, sense=sense, kind=FaultKind.SENSOR_SUSPECT, component=name, detail=why
        )
        self._send(watcher, event)

    def _trusted(self, name: str, when: When) -> None:
        signal = LEVELS.get(name) or TOKENS.get(name)
        if signal is None or name not in self._signals:
            return
        watcher = self._watcher_of(signal)
        sense = sense_of(name) or "window"
        event = SensorCleared(at=when.at, sense=sense, kind=FaultKind.SENSOR_SUSPECT, component=name)
        self._send(watcher, event)
        watcher.thaw(signal, when)

    def _watcher_of(self, signal: Signal) -> Watcher:
        match signal.meaning:
            case Meaning.TRAY:
                return self.docks
            case Meaning.CALL:
                return self.columns
            case Meaning.WINDOW_CLOSED | Meaning.WINDOW_OPEN:
                return self.window
            case Meaning.LEAD_PRESENT | Meaning.LEAD_FACED:
                return self._leads
            case Meaning.BOARD_PRESENT | Meaning.BOARD_ID:
                return self._board
            case Meaning.CARD | Meaning.SEAT:
                return self._texts
            case _:
                return self._switches

    def _emit_of(self, watcher: Callable[[], Watcher]) -> Emit:
        return lambda event: self._send(watcher(), event)

    def _send(self, sender: Watcher, event: Event) -> None:
        """Every watcher but the sender, who knows, believes what has been reported."""
        self._gate.put(event)
        match event:
            case SensorDoubted(component=component, sense=sense):
                self._doubts[component] = sense
            case SensorCleared(component=component):
                self._doubts.pop(component, None)
                self._read_afresh(event.at)
            case _:
                pass
        for watcher in self._watchers:
            if watcher is not sender:
                watcher.believe(event)

    def _read_afresh(self, at: int) -> None:
        """A moment later, so that what differs has left before, however long it takes to settle."""
        self._gate.put(SensorsRead(at=at + 1))

    def _nobody_moved_it(self, event: WindowMoved) -> None:
        """It left a limit without an order of ours and without a hand, where every handle would have told."""
        left = event.state is WindowState.BETWEEN and event.order is None and not event.inferred
        if left and self._signals >= _HANDLES and not self._switches.window_held:
            detail = "it left its limit with no order given and no hand on a handle"
            fault = FaultSeen(
                at=event.at,
                kind=FaultKind.WINDOW_MOVED_BY_ITSELF,
                component="window",
                detail=detail,
                standing=False,
            )
            self._gate.put(fault)

    def _pending_since(self) -> int | None:
        pending = [watcher.pending_since() for watcher in self._watchers]
        return min((since for since in pending if since is not None), default=None)
