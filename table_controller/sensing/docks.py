"""The tray at its two docks: where it is, from two switches.

Both off is on its way; both on is impossible, and for as long as it lasts nothing is concluded. Must never
invent a departure: a level read again after a restart or a lost link that is as it was says nothing happened.
"""

from __future__ import annotations

from collections.abc import Callable

from table_controller.laws.seat import ScreenSide
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Event, TrayArrived, TrayLeft
from table_controller.sensing.signals import Signal
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust

CONFLICT_DETAIL = "both docks say the tray is there"


class DockWatch(Watcher):
    """Watches `tray.ne` and `tray.sw`.

    `place` is the face the tray is believed on, None while it is on its way or not yet known. `moved` is
    called after each departure and arrival, `frozen` says that nothing may be concluded.
    """

    def __init__(
        self, emit: Emit, *, conflict_ns: int, moved: Callable[[ScreenSide, bool, When], None]
    ) -> None:
        super().__init__(emit)
        self.place: ScreenSide | None = None
        self._conflict_ns = conflict_ns
        self._moved = moved
        self._levels: dict[ScreenSide, bool] = {}
        self._suspects: set[ScreenSide] = set()
        self._conflict_since: int | None = None
        self._declared = False
        self._frozen_since: int | None = None

    @property
    def frozen(self) -> bool:
        """Whether nothing may be concluded from these docks now: in doubt, or just come into conflict."""
        return self._doubted or self._conflict_since is not None

    @property
    def _doubted(self) -> bool:
        return self._declared or bool(self._suspects)

    def says(self, side: ScreenSide) -> bool:
        """Whether this dock's switch says the tray is there, believed or not."""
        return self._levels.get(side, False)

    def level(self, signal: Signal, active: bool, when: When) -> None:
        assert signal.side is not None
        self._levels[signal.side] = active
        if len(self._levels) == len(ScreenSide):
            self._look(when)

    def baseline(self, when: When) -> None:
        self._look(when)

    def freeze(self, signal: Signal, when: When) -> None:
        assert signal.side is not None
        if not self._doubted:
            self._frozen_since = when.at
        self._suspects.add(signal.side)

    def thaw(self, signal: Signal, when: When) -> None:
        assert signal.side is not None
        self._suspects.discard(signal.side)
        self._look(when)

    def tick(self, now: int) -> None:
        since = self._conflict_since
        if since is not None and not self._declared and now >= since + self._conflict_ns:
            if not self._doubted:
                self._frozen_since = since
            self._declared = True
            at = When(at=since + self._conflict_ns)
            self._emit(doubt("tray", FaultKind.SENSOR_CONFLICT, "tray", CONFLICT_DETAIL, at))

    def deadline(self) -> int | None:
        if self._conflict_since is None or self._declared:
            return None
        return self._conflict_since + self._conflict_ns

    def believe(self, event: Event) -> None:
        match event:
            case TrayLeft():
                self.place = None
                self._levels = dict.fromkeys(ScreenSide, False)
            case TrayArrived(side=side):
                # And its switches said so: after a restart what happened meanwhile is told before all else.
                self.place = side
                self._levels = {dock: dock is side for dock in ScreenSide}
            case _:
                pass

    def _look(self, when: When) -> None:
        active = [side for side in ScreenSide if self._levels.get(side)]
        if len(active) == 2:
            if self._conflict_since is None:
                self._conflict_since = when.at
            return
        self._conflict_since = None
        if self._declared:
            self._declared = False
            self._emit(trust("tray", FaultKind.SENSOR_CONFLICT, "tray", when))
        if self._doubted:
            return
        if self._frozen_since is not None:
            when = When(at=when.at, inferred=True, not_before=self._frozen_since)
            self._frozen_since = None
        self._go(active[0] if active else None, when)

    def _go(self, place: ScreenSide | None, when: When) -> None:
        before = self.place
        if place is before:
            return
        self.place = place
        if before is not None:
            self._emit(when.stamp(TrayLeft(at=when.at, side=before)))
            self._moved(before, False, when)
        if place is not None:
            self._emit(when.stamp(TrayArrived(at=when.at, side=place)))
            self._moved(place, True, when)
