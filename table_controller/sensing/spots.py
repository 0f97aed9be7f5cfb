"""The window's two limits, and the lead spots.

A window at both limits, like a tray at both docks, is a conflict while it lasts. A lead's face is known a
moment after its presence, since two sensors over one card never switch together: until then it is held back.
Must never call a card face up because its second sensor was merely late.
"""

from __future__ import annotations

from table_controller.laws.seat import Seat
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import (
    Event,
    LeadFaced,
    LeadMade,
    LeadWithdrawn,
    WindowMoved,
    WindowOrder,
    WindowState,
)
from table_controller.sensing.signals import Meaning, Signal
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust


class WindowWatch(Watcher):
    """Watches `window.closed` and `window.open`. `ordered` says which order of ours is being carried out."""

    def __init__(self, emit: Emit, *, conflict_ns: int) -> None:
        super().__init__(emit)
        self.state = WindowState.UNKNOWN
        self._conflict_ns = conflict_ns
        self._levels: dict[Meaning, bool] = {}
        self._suspects: set[Meaning] = set()
        self._conflict_since: int | None = None
        self._declared = False
        self._frozen_since: int | None = None
        self._orders: list[tuple[int, WindowOrder | None]] = []

    @property
    def order(self) -> WindowOrder | None:
        """The order in force now."""
        return self._orders[-1][1] if self._orders else None

    def ordered(self, order: WindowOrder | None, at: int) -> None:
        """From `at` on this order is in force (None: none)."""
        self._orders = [*self._orders[-3:], (at, order)]

    def level(self, signal: Signal, active: bool, when: When) -> None:
        self._levels[signal.meaning] = active
        if len(self._levels) == 2:
            self._look(when)

    def baseline(self, when: When) -> None:
        self._look(when)

    def freeze(self, signal: Signal, when: When) -> None:
        if not self._frozen:
            self._frozen_since = when.at
        self._suspects.add(signal.meaning)

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspects.discard(signal.meaning)
        self._look(when)

    def tick(self, now: int) -> None:
        since = self._conflict_since
        if since is not None and not self._declared and now >= since + self._conflict_ns:
            if not self._frozen:
                self._frozen_since = since
            self._declared = True
            at = When(at=since + self._conflict_ns)
            detail = "both limit switches are made"
            self._emit(doubt("window", FaultKind.SENSOR_CONFLICT, "window", detail, at))

    def deadline(self) -> int | None:
        if self._conflict_since is None or self._declared:
            return None
        return self._conflict_since + self._conflict_ns

    def believe(self, event: Event) -> None:
        if isinstance(event, WindowMoved):
            self.state = event.state

    @property
    def _frozen(self) -> bool:
        return self._declared or bool(self._suspects)

    def _look(self, when: When) -> None:
        closed = self._levels.get(Meaning.WINDOW_CLOSED, False)
        opened = self._levels.get(Meaning.WINDOW_OPEN, False)
        if closed and opened:
            if self._conflict_since is None:
                self._conflict_since = when.at
            return
        self._conflict_since = None
        if self._declared:
            self._declared = False
            self._emit(trust("window", FaultKind.SENSOR_CONFLICT, "window", when))
        if self._frozen:
            return
        if self._frozen_since is not None:
            when = When(at=when.at, inferred=True, not_before=self._frozen_since)
            self._frozen_since = None
        state = WindowState.CLOSED if closed else WindowState.OPEN if opened else WindowState.BETWEEN
        if state is not self.state:
            self.state = state
            self._emit(when.stamp(WindowMoved(at=when.at, state=state, order=self._order_at(when))))

    def _order_at(self, when: When) -> WindowOrder | None:
        """The order in force when it moved. Inferred: the one in force when it was seen."""
        in_force = [order for at, order in self._orders if at <= when.at]
        return in_force[-1] if in_force else None


class LeadWatch(Watcher):
    """Watches `lead.<seat>.present` and, where there is one, `lead.<seat>.faced`."""

    def __init__(self, emit: Emit, *, tells_face: bool, settle_ns: int) -> None:
        super().__init__(emit)
        self._tells_face = tells_face
        self._settle_ns = settle_ns
        self._faced_now: dict[Seat, bool] = {}
        self._present_now: dict[Seat, bool] = {}
        self._lying: dict[Seat, bool | None] = {}
        self._waiting: dict[Seat, When] = {}
        self._suspects: set[str] = set()

    def level(self, signal: Signal, active: bool, when: When) -> None:
        assert signal.seat is not None
        now = self._present_now if signal.meaning is Meaning.LEAD_PRESENT else self._faced_now
        now[signal.seat] = active
        if signal.name not in self._suspects:
            self._look(signal.seat, when)

    def freeze(self, signal: Signal, when: When) -> None:
        self._suspects.add(signal.name)

    def thaw(self, signal: Signal, when: When) -> None:
        self._suspects.discard(signal.name)
        assert signal.seat is not None
        self._look(signal.seat, when)

    def tick(self, now: int) -> None:
        for seat, when in list(self._waiting.items()):
            if now >= when.at + self._settle_ns:
                self._made(seat, faced=False)

    def deadline(self) -> int | None:
        return min((when.at + self._settle_ns for when in self._waiting.values()), default=None)

    def pending_since(self) -> int | None:
        return min((when.at for when in self._waiting.values()), default=None)

    def believe(self, event: Event) -> None:
        match event:
            case LeadMade(seat=seat, faced=faced):
                self._lying[seat] = faced
                self._saw(seat, present=True, faced=faced is True)
            case LeadFaced(seat=seat):
                self._lying[seat] = True
                self._saw(seat, present=True, faced=True)
            case LeadWithdrawn(seat=seat):
                self._lying.pop(seat, None)
                self._saw(seat, present=False, faced=False)
            case _:
                pass

    def _saw(self, seat: Seat, *, present: bool, faced: bool) -> None:
        """After a restart one sensor of a spot may be heard of before the other, which is as it last was."""
        self._present_now[seat] = present
        self._faced_now[seat] = faced

    def _look(self, seat: Seat, when: When) -> None:
        present, faced = self._present_now.get(seat, False), self._faced_now.get(seat, False)
        if seat in self._waiting:
            if faced and present:
                self._made(seat, faced=True)
            elif not present:
                self._made(seat, faced=False)
        elif present and seat not in self._lying:
            self._waiting[seat] = when
            if faced or not self._tells_face:
                self._made(seat, faced=True if faced else None)
            return
        if seat not in self._lying or seat in self._waiting:
            return
        if not present:
            del self._lying[seat]
            self._emit(when.stamp(LeadWithdrawn(at=when.at, seat=seat)))
        elif faced and not self._lying[seat]:
            self._lying[seat] = True
            self._emit(when.stamp(LeadFaced(at=when.at, seat=seat)))
        elif not faced and self._lying[seat] and self._tells_face:
            self._lying[seat] = False

    def _made(self, seat: Seat, *, faced: bool | None) -> None:
        when = self._waiting.pop(seat)
        self._lying[seat] = faced
        self._emit(when.stamp(LeadMade(at=when.at, seat=seat, faced=faced)))
