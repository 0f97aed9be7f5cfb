"""A table's wires with things wrong with them: what the world does goes in, what the copper carries comes
out.

It stands between the simulated table and its device or pins, below everything that ships. It must never hide
what the world truly is: `truth` keeps that, and a fault that ends lets it through again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from firmware_bridge.readings import Direction
from hw_sim.misdeeds.timeline import After
from hw_sim.table.wires import Wires

STRETCH_MS = 100.0
"""Chatter is laid down so far ahead, or a busy machine would make it slow and long."""


class FaultyWires:
    """`Wires` around others. All faults are named by signal and drawn from `random`."""

    def __init__(self, wires: Wires, after: After, random: Random) -> None:
        self.wires = wires
        self.truth: dict[str, bool] = {}
        self._after = after
        self._random = random
        self._held: dict[str, bool] = {}
        self._at_next: dict[str, Callable[[str, bool], None]] = {}
        self._quarrel: dict[str, int] = {}

    # -- Wires

    def start(self) -> None:
        self.wires.start()

    def close(self) -> None:
        self.wires.close()

    def set_input(self, signal: str, active: bool) -> None:
        changed = self.truth.get(signal, False) != active
        self.truth[signal] = active
        if signal in self._held:
            return
        special = self._at_next.pop(signal, None) if changed else None
        if special is None:
            self.wires.set_input(signal, active)
        else:
            special(signal, active)

    def hide_input(self, signal: str, active: bool) -> None:
        self.truth[signal] = active
        self.wires.hide_input(signal, active)

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        self.wires.wave(signal, levels)

    def set_token(self, signal: str, text: str) -> None:
        self.wires.set_token(signal, text)

    def outputs(self) -> dict[str, bool]:
        return self.wires.outputs()

    def motor(self, name: str) -> Direction:
        return self.wires.motor(name)

    # -- faults

    def hold(self, signal: str, active: bool, ms: float | None = None) -> None:
        """Stuck at a level, for a time or until `release`."""
        self._held[signal] = active
        self.wires.set_input(signal, active)
        if ms is not None:
            self._after(ms, lambda: self.release(signal))

    def release(self, signal: str) -> None:
        """As it truly is again."""
        self._held.pop(signal, None)
        self._quarrel.pop(signal, None)
        self.wires.set_input(signal, self.truth.get(signal, False))

    def spike(self, signal: str, ms: float) -> None:
        """The other level for a moment."""
        here = self._held.get(signal, self.truth.get(signal, False))
        self.wires.wave(signal, [(0, not here), (ms, here)])
        self._after(ms, lambda: self._restore(signal))

    def bounce_next(self, signal: str, ms: float) -> None:
        """The next change chatters for so long before it stays."""
        self._at_next[signal] = lambda s, active: self._bounce(s, active, ms)

    def double_trip_next(self, signal: str, ms: float) -> None:
        """The next change comes, goes for `ms`, and comes back: a magnet passing both ends of a switch."""

        def trip(s: str, active: bool) -> None:
            self.wires.wave(s, [(0, active), (ms, not active), (2 * ms, active)])
            self._after(2 * ms, lambda: self._restore(s))

        self._at_next[signal] = trip

    def lose_next(self, signal: str) -> None:
        """The next change is a level without an edge."""
        self._at_next[signal] = self.wires.hide_input

    def chatter(self, signal: str, hz: float, ms: float, *, even: bool = True) -> None:
        """Swing between both levels, evenly or at random (a floating input), then be as it truly is."""
        self._held[signal] = self.truth.get(signal, False)
        turn = self._quarrel[signal] = self._quarrel.get(signal, 0) + 1
        self._swing(signal, 500.0 / hz, ms, even, turn)

    def _swing(self, signal: str, half_ms: float, left_ms: float, even: bool, turn: int) -> None:
        if self._quarrel.get(signal) != turn:
            return
        if left_ms <= 0:
            self.release(signal)
            return
        levels: list[tuple[float, bool]] = []
        at, level = 0.0, self._held[signal]
        while at < min(STRETCH_MS, left_ms):
            level = not level if even else self._random.random() < 0.5
            levels.append((at, level))
            at += half_ms if even else half_ms * (0.2 + 1.6 * self._random.random())
        self._held[signal] = level
        self.wires.wave(signal, levels)
        self._after(at, lambda: self._swing(signal, half_ms, left_ms - at, even, turn))

    def _bounce(self, signal: str, active: bool, ms: float) -> None:
        levels = [(0.0, active)]
        at = 0.3 + self._random.random() * ms / 4
        while at < ms:
            levels.append((at, not levels[-1][1]))
            at += 0.3 + self._random.random() * ms / 4
        self.wires.wave(signal, [*levels, (ms, active)])
        self._after(ms, lambda: self._restore(signal))

    def _restore(self, signal: str) -> None:
        self.wires.set_input(signal, self._held.get(signal, self.truth.get(signal, False)))
