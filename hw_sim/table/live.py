"""One simulated table in real time: the body moves as the clock does, its changes go down the wire as they
happen, and what the device's outputs do comes back to it.

A thread a table. Must never tell the players anything, nor the controller anything but by its wires.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from time import monotonic_ns

from firmware_bridge.readings import Direction
from hw_sim.players.asks import Complaint, Pause, Script, Until
from hw_sim.players.runner import wait_for
from hw_sim.table.body import Body
from hw_sim.table.changes import LevelChange
from hw_sim.table.wires import Wires

USUAL_HOLD_NS = 60_000_000
QUICK_HOLD_NS = 15_000_000
LATE_NS = 5_000_000
"""A change told later than this puts off what people do next: they act on what their table shows."""
LONGEST_SLEEP_NS = 250_000_000
"""How long it sleeps at the most: people also look at what no wire tells, such as the director's coming."""


class Stopped(Exception):
    """The table was told to stop in the middle of a script."""


class LiveTable:
    """`signals` are the wires that this table has. `set_output` and `drive` may be called from any thread.

    `hold_ns`: a wire keeps a level at least so long of real time, however late this machine is: nobody
    presses a button for no time at all.
    """

    def __init__(
        self, body: Body, signals: frozenset[str], *, speed: float, hold_ns: int = USUAL_HOLD_NS
    ) -> None:
        self.body = body
        self.speed = speed
        self._signals = signals
        self._hold_ns = hold_ns
        self._told_at: dict[str, int] = {}
        self._late = 0
        self.swallow_motor = False
        """The motor gets no current whatever the device orders: a joint broken for a test."""
        self._wires: Wires | None = None
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()

    def connect(self, wires: Wires) -> None:
        """Bring every wire to what it is now, and go on so."""
        self.body.advance(max(monotonic_ns(), self.body.now))
        self.body.take_changes()
        self._wires = wires
        for signal, active in self.body.levels().items():
            if signal in self._signals:
                wires.set_input(signal, active)
        for signal, text in self.body.tokens().items():
            if signal in self._signals:
                wires.set_token(signal, text)

    def set_output(self, output: str, on: bool) -> None:
        """A lamp or latch was switched by the device."""
        self._orders.put(lambda: self.body.set_output(output, on))

    def drive(self, output: str, direction: Direction) -> None:
        """The window's motor was switched by the device."""
        if output == "window.motor" and not self.swallow_motor:
            self._orders.put(lambda: self.body.drive_window(direction))

    def do(self, deed: Callable[[], None]) -> None:
        """Do something to the table in its own thread: a misdeed of the hardware, a lever of the bench."""
        self._orders.put(deed)

    def stop(self) -> None:
        """End the running script soon, by Stopped in its thread."""
        self._stop.set()
        self._orders.put(lambda: None)

    def play(self, script: Script) -> None:
        """Run a script to its end, in this thread. Raises Complaint, or Stopped."""
        while (ask := next(script, None)) is not None:
            match ask:
                case Pause():
                    self._live_until(self.body.now + wait_for(ask, self.speed), lambda: False)
                case Until():
                    if not self._live_until(self.body.now + ask.within, ask.seen):
                        raise Complaint.of(ask)
        self._tell()

    def idle(self, ns: int) -> None:
        """Let time pass with nobody acting."""
        self._live_until(self.body.now + ns, lambda: False)

    def _live_until(self, end: int, seen: Callable[[], bool]) -> bool:
        self._tell()
        while not seen():
            now = monotonic_ns()
            self._move(now)
            if self._late > LATE_NS:
                # Two deeds stay as far apart on the wires as they were meant to be.
                end += self._late
            self._late = 0
            if now >= end:
                return seen()
            self._sleep(end)
        return True

    def _move(self, now: int) -> None:
        """Let the table come to `now`, step by step, so that every change is told at once."""
        while (due := self.body.due()) is not None and due <= now:
            self.body.advance(max(due, self.body.now))
            self._tell()
        self.body.advance(max(now, self.body.now))
        self._tell()

    def _sleep(self, end: int) -> None:
        due = self.body.due()
        until = end if due is None else min(end, due)
        wait = min(until - monotonic_ns(), LONGEST_SLEEP_NS)
        try:
            order = self._orders.get(timeout=max(wait, 0) / 1e9)
        except queue.Empty:
            return
        if self._stop.is_set():
            raise Stopped
        self._move(max(monotonic_ns(), self.body.now))
        order()
        self._tell()

    def _tell(self) -> None:
        wires = self._wires
        for change in self.body.take_changes():
            if wires is None or change.signal not in self._signals:
                continue
            if isinstance(change, LevelChange):
                self._let_it_hold(change.signal)
                wires.set_input(change.signal, change.active)
                # From when it was truly felt: this thread may have stood still on the way there.
                self._told_at[change.signal] = monotonic_ns()
            else:
                wires.set_token(change.signal, change.token)
            self._late = max(self._late, monotonic_ns() - change.at)

    def _let_it_hold(self, signal: str) -> None:
        wait = self._told_at.get(signal, 0) + self._hold_ns - monotonic_ns()
        if wait > 0:
            time.sleep(wait / 1e9)
