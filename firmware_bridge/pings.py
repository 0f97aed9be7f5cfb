"""When to ping, and what the answers say of the device's clock.

Pure. The first pings of a session come quickly, so that the first events can be placed in time.
"""

from __future__ import annotations

from firmware_bridge.clock import ClockFit
from firmware_bridge.firmware import frames
from firmware_bridge.wire import Ping, Pong

MS = 1_000_000
PING_NS = 250 * MS
FIRST_PING_NS = 20 * MS
FIRST_PINGS = 10
KEEP = 16
PONG_BYTES = frames.SPECS[frames.PONG][2] + frames.OVERHEAD


class Pings:
    """Those of one link. `byte_ns`: how long a byte takes on a UART; 0 on USB."""

    def __init__(self, byte_ns: int) -> None:
        self.byte_ns = byte_ns
        self.due_at = 0
        self._left = 0
        self._echo = 0
        self._sent: dict[int, int] = {}

    def begin(self, now: int) -> None:
        """A session runs: ping now, and quickly for a while."""
        self.due_at = now
        self._left = FIRST_PINGS
        self._sent.clear()

    def schedule(self, now: int) -> None:
        """One is due now: when the next?"""
        self._left = max(0, self._left - 1)
        self.due_at = now + (FIRST_PING_NS if self._left else PING_NS)

    def next(self) -> Ping:
        """The frame to send."""
        self._echo = (self._echo + 1) % (1 << 16)
        return Ping(echo=self._echo)

    def sent(self, now: int, bytes_ahead: int) -> None:
        """It goes out behind (and with) so many bytes."""
        self._sent[self._echo] = now + bytes_ahead * self.byte_ns
        if len(self._sent) > KEEP:
            del self._sent[next(iter(self._sent))]

    def answered(self, frame: Pong, now: int, clock: ClockFit) -> None:
        """Learn from an answer. A long one is not taken for a late one."""
        sent = self._sent.pop(frame.echo, None)
        if sent is not None:
            received = now - (PONG_BYTES + len(frame.levels)) * self.byte_ns
            clock.add(sent=sent, received=max(sent, received), t_us=frame.t_us)
