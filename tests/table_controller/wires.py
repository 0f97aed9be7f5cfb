"""A table's wires in the hand of a test: levels and texts at given milliseconds, and the events they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from firmware_bridge.readings import LevelRead, Reading, Snapshot, TokenRead
from table_controller.laws.call import parse_call
from table_controller.laws.seat import Faces, Seat
from table_controller.screen.events import CallMade, CallWithdrawn, Event
from table_controller.sensing import Sensing, Waits
from table_controller.sensing.signals import LEVELS, TOKENS

MS = 1_000_000
ALL = frozenset({*LEVELS, *TOKENS})


class Hand:
    """Time runs in steps of at most 5 ms, as the owner's would at the latest."""

    def __init__(
        self,
        signals: frozenset[str] = ALL,
        *,
        active: tuple[str, ...] = ("tray.ne", "window.open"),
        texts: dict[str, str] | None = None,
        waits: Waits | None = None,
        journal: list[Event] | None = None,
        start_ms: int = 0,
    ) -> None:
        self.signals = signals
        self.waits = waits or Waits()
        self.sensing = Sensing(signals=signals, faces=Faces(), waits=self.waits)
        for event in journal or []:
            self.sensing.believe(event)
        self.ms = start_ms
        self.heard: int | None = None
        self.events: list[Any] = []
        self.levels = {name: name in active for name in signals if name in LEVELS}
        self.texts = {name: (texts or {}).get(name, "") for name in signals if name in TOKENS}
        self.take(Snapshot(at=self.ms * MS, levels=dict(self.levels), tokens=dict(self.texts)))

    def take(self, reading: Reading) -> None:
        self.sensing.take(reading)
        self.events += self.sensing.tick(max(self.ms * MS, reading.at), self.heard)

    def wait(self, ms: int) -> Hand:
        """Let so many milliseconds pass."""
        end = self.ms + ms
        while self.ms < end:
            self.ms = min(self.ms + 5, end)
            self.events += self.sensing.tick(self.ms * MS, self.heard)
        return self

    def level(self, signal: str, active: bool, *, after: int = 0, late: int = 0) -> Hand:
        """A level changes after so many ms, and is told `late` ms later."""
        self.wait(after)
        at = self.ms * MS
        self.wait(late)
        self.levels[signal] = active
        self.take(LevelRead(at=at, signal=signal, active=active))
        return self

    def text(self, signal: str, text: str, *, after: int = 0) -> Hand:
        self.wait(after)
        self.texts[signal] = text
        self.take(TokenRead(at=self.ms * MS, signal=signal, token=text))
        return self

    def press(self, signal: str, *, after: int = 0, hold: int = 100) -> Hand:
        return self.level(signal, True, after=after).level(signal, False, after=hold)

    def tray(self, to: str, *, texts: dict[str, str] | None = None, transit: int = 800) -> Hand:
        """The tray crosses, its cards with it; `texts` by seat, where they differ on arrival."""
        source = "sw" if to == "ne" else "ne"
        carried = {seat: self.texts.get(f"call.{source}.{seat}", "0") for seat in "nesw"} | (texts or {})
        self.level(f"tray.{source}", False)
        for seat in "nesw":
            if f"call.{source}.{seat}" in self.texts:
                self.text(f"call.{source}.{seat}", "0", after=2)
        self.level(f"tray.{to}", True, after=transit)
        for seat in "nesw":
            if f"call.{to}.{seat}" in self.texts:
                self.text(f"call.{to}.{seat}", carried[seat], after=2)
        return self

    def done(self, settle_ms: int = 3_000) -> list[Any]:
        """Everything that has been told since the last time, once all has settled."""
        self.wait(settle_ms)
        told, self.events = self.events, []
        return told


def names(events: Sequence[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def bare(event: Any) -> Any:
    """Without its times, to compare what happened."""
    return replace(event, at=0, uncertainty=0, inferred=False, not_before=None)


def made(seat: str, call: str) -> CallMade:
    return CallMade(at=0, seat=Seat(seat), call=parse_call(call))


def withdrawn(seat: str, call: str) -> CallWithdrawn:
    return CallWithdrawn(at=0, seat=Seat(seat), call=parse_call(call))
