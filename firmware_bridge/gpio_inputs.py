"""What the lines of direct GPIO say, settled: edges and texts in, readings out.

No thread and no clock: `gpio_rig` brings edges with their times and says how late it is. A level that differs
from what the edges told is looked at twice before it is believed, for the edge may only be late. Must never
decide what a change means, nor tell a change that has not settled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from firmware_bridge.debounce import Cleared, Debouncer, Doubted, Glitched, Outcome, Settled
from firmware_bridge.readings import (
    LevelRead,
    Reading,
    SignalSuspected,
    SignalTrusted,
    Suspicion,
    TokenRead,
)
from firmware_bridge.rig import InputSpec, RigSpec

MS = 1_000_000
STAMP_UNCERTAINTY_NS = 500_000


class GpioInputs:
    """`tell` is called with each reading, `on_level(index, active)` before it with each settled level."""

    def __init__(
        self, spec: RigSpec, tell: Callable[[Reading], None], on_level: Callable[[int, bool], None]
    ) -> None:
        self._inputs = spec.inputs
        self._signals = {token.reader: token.signal for token in spec.tokens}
        self._tell = tell
        self._on_level = on_level
        self._lock = threading.Lock()
        self._debouncers: list[Debouncer] = []
        self._levels: dict[str, bool] = {}
        self._tokens: dict[str, str] = {}
        self._unexplained: set[int] = set()
        self.compared_at = 0
        """When levels and texts were last found to be as told."""
        self.inferred = 0

    # -- what is known

    def levels(self) -> dict[str, bool]:
        with self._lock:
            return dict(self._levels)

    def tokens(self) -> dict[str, str]:
        with self._lock:
            return dict(self._tokens)

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """(raw edges, glitches) by signal."""
        inputs = list(zip(self._inputs, self._debouncers, strict=False))
        return {wire.signal: d.edges for wire, d in inputs}, {wire.signal: d.glitches for wire, d in inputs}

    def deadline(self) -> int | None:
        """When `poll` is next wanted; None: not before another edge."""
        return min((at for d in self._debouncers if (at := d.deadline()) is not None), default=None)

    # -- what comes in

    def take_stock(self, levels: Sequence[bool], texts: Mapping[int, str], now: int) -> None:
        """The levels as found: where we start, or, after a restart, what changed while nobody saw."""
        fresh = not self._levels and not self._tokens
        for index, (wire, level) in enumerate(zip(self._inputs, levels, strict=True)):
            if fresh:
                self._debouncers.append(_debouncer(wire, level))
                with self._lock:
                    self._levels[wire.signal] = level
            else:
                if self._debouncers[index].suspect:
                    self._tell(SignalTrusted(at=now, signal=wire.signal))
                self._debouncers[index].restart(level)
                if self._levels[wire.signal] != level:
                    self._level(index, level, now, self.compared_at)
            self._on_level(index, level)
        for reader, signal in self._signals.items():
            if fresh:
                with self._lock:
                    self._tokens[signal] = texts.get(reader, "")
            else:
                self.text(reader, texts.get(reader, ""), now, self.compared_at)
        self._unexplained.clear()
        self.compared_at = now

    def edge(self, index: int, active: bool, at: int) -> None:
        """A line changed at `at`; what the others had come to by then is told first."""
        self.poll(at - 1)
        self._outcomes(index, self._debouncers[index].edge(active, at))

    def text(self, reader: int, text: str, at: int, not_before: int | None = None) -> None:
        """A reader reads this since `at`; `not_before` when it was asked and did not say so itself."""
        signal = self._signals.get(reader)
        if signal is None or self._tokens.get(signal, "") == text:
            return
        with self._lock:
            self._tokens[signal] = text
        self.inferred += not_before is not None
        self._tell(
            TokenRead(
                at=at,
                uncertainty=STAMP_UNCERTAINTY_NS,
                signal=signal,
                token=text,
                inferred=not_before is not None,
                not_before=not_before,
            )
        )

    def poll(self, now: int) -> None:
        """Tell what has come to rest by `now`, in the order in which it happened.

        After a stall several lines have come to rest: a window that left one limit and then reached the other
        was between them, whichever wire is looked at first.
        """
        found = [
            (outcome.at, index, outcome)
            for index, debouncer in enumerate(self._debouncers)
            for outcome in debouncer.poll(now)
        ]
        for _, index, outcome in sorted(found, key=lambda one: one[0]):
            self._outcomes(index, [outcome])

    def compare(self, levels: Sequence[bool], texts: Mapping[int, str], touched: set[int], now: int) -> bool:
        """Compare with what was told; `touched`: edges of these came meanwhile.

        False: something differs for the first time and is to be looked at again soon.
        """
        differ = {
            index
            for index, level in enumerate(levels)
            if index not in touched and self._debouncers[index].raw != level
        }
        differ |= {
            -1 - reader
            for reader, signal in self._signals.items()
            if self._tokens.get(signal, "") != texts.get(reader, "")
        }
        sure, self._unexplained = differ & self._unexplained, differ - self._unexplained
        for at in sorted(sure):
            if at < 0:
                self.text(-1 - at, texts.get(-1 - at, ""), now, self.compared_at)
            else:
                found = self._debouncers[at].edge(levels[at], now, not_before=self.compared_at)
                self._outcomes(at, found)
        if not self._unexplained:
            self.compared_at = now
        return not self._unexplained

    # -- telling

    def _outcomes(self, index: int, outcomes: list[Outcome]) -> None:
        signal = self._inputs[index].signal
        for outcome in outcomes:
            match outcome:
                case Settled(at=at, level=level, not_before=not_before):
                    self._level(index, level, at, not_before)
                case Doubted(at=at):
                    self._tell(SignalSuspected(at=at, signal=signal, why=Suspicion.CHATTERING))
                case Cleared(at=at, level=level):
                    self._tell(SignalTrusted(at=at, signal=signal))
                    if self._levels[signal] != level:
                        self._level(index, level, at, self.compared_at)
                case Glitched():
                    pass

    def _level(self, index: int, level: bool, at: int, not_before: int | None) -> None:
        signal = self._inputs[index].signal
        with self._lock:
            self._levels[signal] = level
        self.inferred += not_before is not None
        self._on_level(index, level)
        self._tell(
            LevelRead(
                at=at,
                uncertainty=STAMP_UNCERTAINTY_NS,
                signal=signal,
                active=level,
                inferred=not_before is not None,
                not_before=not_before,
            )
        )


def _debouncer(wire: InputSpec, level: bool) -> Debouncer:
    return Debouncer(on_ns=wire.debounce_ms * MS, off_ns=wire.release_ms * MS, level=level)
