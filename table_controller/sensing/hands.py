"""Everything a single switch tells: buttons, handles, alert cards, boxes, slots and touch.

A button that stays pressed is stuck, not insistent. Must never take a release for a second press.
"""

from __future__ import annotations

from table_controller.laws.seat import Faces, ScreenSide, Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    AlertPlaced,
    AlertRemoved,
    AuctionOverPressed,
    BoardPlaced,
    CallMade,
    CallReleased,
    CardsCleared,
    ClaimMade,
    DirectorSummoned,
    Event,
    HandsTaken,
    LeadAnnounced,
    TrayHandled,
    WindowHandled,
)
from table_controller.sensing.signals import BUTTONS, Meaning, Signal, sense_of
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust


class SwitchWatch(Watcher):
    """Watches every signal whose one level is the whole story."""

    def __init__(self, emit: Emit, *, faces: Faces, stuck_ns: int) -> None:
        super().__init__(emit)
        self._faces = faces
        self._stuck_ns = stuck_ns
        self._pressed: dict[Signal, int] = {}
        self._stuck: set[Signal] = set()
        self._suspects: set[str] = set()
        self._alerts: set[Seat] = set()
        self._handles: set[str] = set()
        self._cleared = {f"cleared.{side.lower()}" for side in ScreenSide}
        self._touching: set[Seat] = set()
        self._slots: set[Seat] = set()
        self._in_slots: dict[Seat, bool] = {}

    @property
    def window_held(self) -> bool:
        """Whether a hand is on a handle of the window now."""
        return any(name.startswith("window") for name in self._handles)

    def level(self, signal: Signal, active: bool, when: When) -> None:
        if signal.meaning in BUTTONS:
            self._press(signal, active, when)
        if signal.name in self._suspects or signal in self._stuck:
            return
        event = self._event(signal, active, when.at)
        if event is not None:
            self._emit(when.stamp(event))

    def freeze(self, signal: Signal, when: When) -> None:
        self._suspects.add(signal.name)
        self._pressed.pop(signal, None)

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspects.discard(signal.name)

    def tick(self, now: int) -> None:
        for signal, since in list(self._pressed.items()):
            if now >= since + self._stuck_ns:
                del self._pressed[signal]
                self._stuck.add(signal)
                when = When(at=since + self._stuck_ns)
                sense = sense_of(signal.name) or ""
                detail = "pressed for longer than anybody presses a button"
                self._emit(doubt(sense, FaultKind.SENSOR_SUSPECT, signal.name, detail, when))

    def deadline(self) -> int | None:
        return min((since + self._stuck_ns for since in self._pressed.values()), default=None)

    def believe(self, event: Event) -> None:
        match event:
            case AlertPlaced(seat=seat):
                self._alerts.add(seat)
            case AlertRemoved(seat=seat):
                self._alerts.discard(seat)
            case WindowHandled(seat=seat, held=held):
                self._hold(f"window.handle.{seat.lower()}", held)
            case TrayHandled(seat=seat, held=held):
                self._hold(f"tray.handle.{seat.lower()}", held)
            case CallMade(seat=seat):
                self._cleared.discard(f"cleared.{self._faces.side_of(seat).lower()}")
            case CardsCleared(side=side):
                self._cleared.add(f"cleared.{side.lower()}")
            case HandsTaken(seat=seat):
                self._slots.discard(seat)
            case BoardPlaced() if not self._in_slots:
                self._slots = set(Seat)
            case _:
                pass

    def _press(self, signal: Signal, active: bool, when: When) -> None:
        if active:
            self._pressed.setdefault(signal, when.at)
            return
        self._pressed.pop(signal, None)
        if signal in self._stuck:
            self._stuck.discard(signal)
            self._emit(trust(sense_of(signal.name) or "", FaultKind.SENSOR_SUSPECT, signal.name, when))

    def _hold(self, handle: str, held: bool) -> None:
        (self._handles.add if held else self._handles.discard)(handle)

    def _event(self, signal: Signal, active: bool, at: int) -> Event | None:
        if signal.side is not None:
            return self._of_face(signal, active, at)
        seat = signal.seat
        if seat is None:
            return None
        match signal.meaning:
            case Meaning.DIRECTOR if active:
                return DirectorSummoned(at=at, seat=seat)
            case Meaning.ANNOUNCED if active:
                return LeadAnnounced(at=at, seat=seat)
            case Meaning.CLAIM if active:
                return ClaimMade(at=at, seat=seat)
            case Meaning.RELEASED:
                return self._touch(seat, active, at)
            case Meaning.ALERT:
                return self._alert(seat, active, at)
            case Meaning.WINDOW_HANDLE | Meaning.TRAY_HANDLE:
                return self._handle(signal.name, seat, active, at)
            case Meaning.HAND:
                return self._slot(seat, active, at)
            case _:
                return None

    def _of_face(self, signal: Signal, active: bool, at: int) -> Event | None:
        assert signal.side is not None
        if signal.meaning is Meaning.AUCTION_OVER:
            return AuctionOverPressed(at=at, side=signal.side) if active else None
        if not active:
            self._cleared.discard(signal.name)
        elif signal.name not in self._cleared:
            self._cleared.add(signal.name)
            return CardsCleared(at=at, side=signal.side)
        return None

    def _touch(self, seat: Seat, active: bool, at: int) -> Event | None:
        if active:
            self._touching.add(seat)
        elif seat in self._touching:
            self._touching.discard(seat)
            return CallReleased(at=at, seat=seat)
        return None

    def _alert(self, seat: Seat, active: bool, at: int) -> Event | None:
        if active and seat not in self._alerts:
            self._alerts.add(seat)
            return AlertPlaced(at=at, seat=seat)
        if not active and seat in self._alerts:
            self._alerts.discard(seat)
            return AlertRemoved(at=at, seat=seat)
        return None

    def _handle(self, name: str, seat: Seat, active: bool, at: int) -> Event | None:
        if active is (name in self._handles):
            return None
        self._hold(name, active)
        if name.startswith("tray"):
            return TrayHandled(at=at, seat=seat, held=active)
        return WindowHandled(at=at, seat=seat, held=active)

    def _slot(self, seat: Seat, active: bool, at: int) -> Event | None:
        self._in_slots[seat] = active
        if active:
            self._slots.add(seat)
        elif seat in self._slots:
            self._slots.discard(seat)
            return HandsTaken(at=at, seat=seat)
        return None
