"""Inputs that no longer tell: found by what cannot be, within one board.

A contact that is welded or broken gives no noise, so nothing below this room can see it. Here the rest of the
table contradicts it: a card on a lead spot through a whole board, a tray that leaves one dock again and again
and never reaches the other, a tag without a board. Must never call a thing stuck that people could have done.
"""

from __future__ import annotations

from table_controller.laws.seat import ScreenSide
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import BoardPlaced, BoardRemoved, Event, TrayArrived, TrayLeft
from table_controller.sensing.signals import LEVELS, Meaning, Signal, sense_of
from table_controller.sensing.watcher import Emit, Watcher, When, doubt, trust

DEPARTURES = 3
"""So many times away from one dock in a board without once reaching the other: its switch is broken."""
RESTING = frozenset({Meaning.LEAD_PRESENT, Meaning.LEAD_FACED, Meaning.ALERT, Meaning.HAND})
"""What must have been inactive at some time between the laying of a board and its lifting."""


class StuckWatch(Watcher):
    """Hears every level that is watched here, and the board's coming and going.

    A lead spot or alert that stays active from before a board is laid until it is lifted is stuck. So is a
    slot that stays full while at least two others were emptied: nobody plays with one hand missing.
    """

    def __init__(self, emit: Emit) -> None:
        super().__init__(emit)
        self._active: dict[str, bool] = {}
        self._whole_board: set[str] = set()
        self._left: dict[ScreenSide, int] = {}
        self._reached: set[ScreenSide] = set()
        self._stuck: set[str] = set()
        self._on_tray = False

    def level(self, signal: Signal, active: bool, when: When) -> None:
        if signal.meaning not in RESTING:
            return
        self._active[signal.name] = active
        if not active:
            self._whole_board.discard(signal.name)
            self._mend(signal.name, when)

    def believe(self, event: Event) -> None:
        when = When(at=event.at)
        match event:
            case BoardPlaced() if not self._on_tray:
                self._on_tray = True
                hands = {name for name in self._active if LEVELS[name].meaning is Meaning.HAND}
                self._whole_board = {name for name, on in self._active.items() if on} | hands
                self._left.clear()
                self._reached.clear()
            case BoardRemoved():
                self._on_tray = False
                self._judge(when)
            case TrayLeft(side=side):
                self._left[side] = self._left.get(side, 0) + 1
            case TrayArrived(side=side):
                self._reached.add(side)
                self._mend(f"tray.{side.lower()}", when)
            case _:
                pass

    def _judge(self, when: When) -> None:
        hands = [name for name in self._active if LEVELS[name].meaning is Meaning.HAND]
        played = sum(name not in self._whole_board for name in hands) >= 2
        for name in sorted(self._whole_board):
            if self._active.get(name) and (played or name not in hands):
                self._say(name, "has not changed during a whole board", when)
        self._whole_board.clear()
        for side, count in self._left.items():
            if count >= DEPARTURES and side.other not in self._reached:
                detail = "never told that the tray came, however often it left the other face"
                self._say(f"tray.{side.other.lower()}", detail, when)

    def _say(self, name: str, detail: str, when: When) -> None:
        if name not in self._stuck:
            self._stuck.add(name)
            self._emit(doubt(sense_of(name) or "", FaultKind.SENSOR_SUSPECT, name, detail, when))

    def _mend(self, name: str, when: When) -> None:
        if name in self._stuck:
            self._stuck.discard(name)
            self._emit(trust(sense_of(name) or "", FaultKind.SENSOR_SUSPECT, name, when))
