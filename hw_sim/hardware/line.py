"""The copper between a device and its host, and what can go wrong on it.

Seeded: the same seed and the same bytes give the same damage. It must damage bytes only; it knows no frames
but by their delimiters, and never invents a valid one.
"""

from __future__ import annotations

import math
from random import Random


class Line:
    """Faults are attributes; all zero is a good line.

    `noise`: share of bytes altered, each way. `lose`: share of bytes lost. `drop_every`: every nth whole
    frame of the device's is lost. `duplicate`: share of the device's frames sent twice. `garbage` is sent to
    the host before the next frame. `split`: at most so many bytes at once, the rest a little later.
    """

    SPLIT_NS = 500_000

    def __init__(self, seed: int) -> None:
        self.noise = 0.0
        self.lose = 0.0
        self.drop_every = 0
        self.duplicate = 0.0
        self.split = 0
        self.garbage = b""
        self.damaged = 0
        self._random = Random(seed)
        self._gap = 0
        self._gap_for = 0.0
        self._frames = 0
        self._held = bytearray()
        self._split_at = 0

    def clear(self) -> None:
        """A good line again."""
        self.noise = self.lose = self.duplicate = 0.0
        self.drop_every = self.split = 0
        self.garbage = b""

    def to_device(self, data: bytes, now: int) -> bytes:
        """What arrives at the device."""
        return self._damage(data)

    def to_host(self, data: bytes, now: int) -> bytes:
        """What arrives at the host, now."""
        out = self._damage(self._by_frames(data))
        if self.garbage and out:
            out, self.garbage = self.garbage + out, b""
        if not self.split and not self._held:
            return out
        self._held += out
        if self.split and now < self._split_at:
            return b""
        self._split_at = now + self.SPLIT_NS
        size = self.split or len(self._held)
        part = bytes(self._held[:size])
        del self._held[:size]
        return part

    def due(self, now: int) -> int | None:
        """Nanoseconds until held bytes go on."""
        return max(0, self._split_at - now) if self._held else None

    def _by_frames(self, data: bytes) -> bytes:
        if not self.drop_every and not self.duplicate:
            return data
        out = bytearray()
        for chunk in data.split(b"\0"):
            if not chunk:
                continue
            self._frames += 1
            if self.drop_every and self._frames % self.drop_every == 0:
                continue
            frame = b"\0" + chunk + b"\0"
            out += frame * (2 if self._random.random() < self.duplicate else 1)
        return bytes(out)

    def _damage(self, data: bytes) -> bytes:
        chance = self.noise + self.lose
        if not chance or not data:
            return data
        if chance != self._gap_for:
            self._gap_for = chance
            self._gap = self._next_gap(chance)
        # The bytes between two damaged ones pass untouched: draw how many, not one by one.
        out = bytearray()
        at = 0
        while at + self._gap < len(data):
            at_bad = at + self._gap
            out += data[at:at_bad]
            self.damaged += 1
            if self._random.random() * chance >= self.lose:
                out.append(data[at_bad] ^ self._random.randrange(1, 256))
            at = at_bad + 1
            self._gap = self._next_gap(chance)
        self._gap -= len(data) - at
        out += data[at:]
        return bytes(out)

    def _next_gap(self, chance: float) -> int:
        if chance >= 1.0:
            return 0
        return int(math.log(1.0 - self._random.random()) / math.log(1.0 - chance))
