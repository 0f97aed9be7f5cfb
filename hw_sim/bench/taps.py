"""Listening at the metal: every level of the copper, every byte of the wire, with its time.

Must never alter what passes, nor be anything the controller could notice.
"""

from __future__ import annotations

import queue
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic_ns

from firmware_bridge.readings import Direction
from hw_sim.hardware.line import Line
from hw_sim.table.changes import MS
from hw_sim.table.wires import Wires


@dataclass(frozen=True, slots=True)
class LevelHeard:
    """An input is now at this level, or a reader reads this text. `at`: monotonic ns."""

    at: int
    signal: str
    value: bool | str


@dataclass(frozen=True, slots=True)
class BytesHeard:
    """Bytes as they arrived; `sender` is host or device."""

    at: int
    sender: str
    data: bytes


Heard = LevelHeard | BytesHeard


class Ear:
    """What has been heard since it was last asked; filled from any thread."""

    def __init__(self) -> None:
        self._heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()

    def hear(self, heard: Heard) -> None:
        self._heard.put(heard)

    def take(self) -> list[Heard]:
        taken: list[Heard] = []
        while not self._heard.empty():
            taken.append(self._heard.get())
        return sorted(taken, key=lambda heard: heard.at)


class HeardWires:
    """`Wires` around others; `ear` hears every level that changes."""

    def __init__(self, wires: Wires, ear: Ear) -> None:
        self._wires = wires
        self._ear = ear
        self._now: dict[str, bool | str] = {}

    def start(self) -> None:
        self._wires.start()

    def close(self) -> None:
        self._wires.close()

    def set_input(self, signal: str, active: bool) -> None:
        self._tell(signal, active)
        self._wires.set_input(signal, active)

    def hide_input(self, signal: str, active: bool) -> None:
        self._tell(signal, active)
        self._wires.hide_input(signal, active)

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None:
        at = monotonic_ns()
        for ms, active in levels:
            self._tell(signal, active, at + round(ms * MS))
        self._wires.wave(signal, levels)

    def set_token(self, signal: str, text: str) -> None:
        self._tell(signal, text)
        self._wires.set_token(signal, text)

    def outputs(self) -> dict[str, bool]:
        return self._wires.outputs()

    def motor(self, name: str) -> Direction:
        return self._wires.motor(name)

    def _tell(self, signal: str, value: bool | str, at: int | None = None) -> None:
        if self._now.get(signal, "" if isinstance(value, str) else False) != value:
            self._now[signal] = value
            self._ear.hear(LevelHeard(monotonic_ns() if at is None else at, signal, value))


class HeardLine(Line):
    """A line with an ear at each end: what arrives, not what was sent."""

    def __init__(self, seed: int, ear: Ear) -> None:
        super().__init__(seed)
        self._ear = ear

    def to_device(self, data: bytes, now: int) -> bytes:
        out = super().to_device(data, now)
        if out:
            self._ear.hear(BytesHeard(now, "host", out))
        return out

    def to_host(self, data: bytes, now: int) -> bytes:
        out = super().to_host(data, now)
        if out:
            self._ear.hear(BytesHeard(now, "device", out))
        return out
