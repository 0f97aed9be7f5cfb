"""What a link has met since it was made: the measure of a line's health.

Counts only grow. The device's own counters are 16 bits wide and start anew with it; they are added up here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.firmware.frames import FrameReader
from firmware_bridge.wire import Pong

WRAP = 1 << 16
_DEVICE = ("bad_frames", "overruns", "edges", "glitches")


@dataclass(slots=True)
class LinkCounts:
    """Host's side first, then what the device says of itself."""

    bad_frames: int = 0
    unknown_frames: int = 0
    noise_bytes: int = 0
    stale_frames: int = 0
    naks: int = 0
    greetings: int = 0
    pings: int = 0
    pongs: int = 0
    device_bad_frames: int = 0
    overruns: int = 0
    edges: int = 0
    glitches: int = 0
    _seen: dict[str, int] = field(default_factory=dict)

    def device_restarted(self) -> None:
        """The device counts from nothing again."""
        self._seen.clear()

    def take_reader(self, reader: FrameReader) -> None:
        """What the host's decoder has met."""
        self.bad_frames = reader.bad
        self.unknown_frames = reader.unknown
        self.noise_bytes = reader.noise

    def take_pong(self, frame: Pong) -> None:
        """What the device says of itself."""
        self.pongs += 1
        self.device_bad_frames += self._grown("bad_frames", frame.bad_frames)
        self.overruns += self._grown("overruns", frame.overruns)
        self.edges += self._grown("edges", frame.edges)
        self.glitches += self._grown("glitches", frame.glitches)

    def _grown(self, name: str, value: int) -> int:
        grown = (value - self._seen.get(name, 0)) % WRAP
        self._seen[name] = value
        return grown
