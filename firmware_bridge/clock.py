"""The device's clock on the host's axis: offset and rate by regression over the pings with least round trip.

Pure: the host's monotonic nanoseconds and the device's microseconds in, nanoseconds out. It must never look
at a wall clock. The device counts modulo 2**32; `extend` restores the whole count.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

WRAP = 1 << 32
AHEAD = 1 << 28
KEEP = 256
GROUP_NS = 2_000_000_000
# A crystal is a hundred times better; an uncalibrated oscillator is not.
UNKNOWN_RATE = 0.01
SETTLED_SPAN_NS = 100_000_000
MOST_RATE = 0.05
# The device counts whole microseconds.
ROUNDING_NS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """A device time on the host's axis; the truth lies within `uncertainty` of `at` (nanoseconds)."""

    at: int
    uncertainty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sample:
    host: int
    device: int
    round_trip: int


class ClockFit:
    """host = base_host + (device - base_device) * 1000 * rate, refitted with each ping."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=KEEP)
        self._latest = 0
        self._anchor: _Sample | None = None
        self._offset = 0.0
        self._rate = 1.0
        self._rate_error = UNKNOWN_RATE
        self._noise = 0

    @property
    def ready(self) -> bool:
        """Whether any ping has been answered."""
        return self._anchor is not None

    @property
    def settled(self) -> bool:
        """Whether the rate is known, not merely assumed."""
        return self._rate_error < UNKNOWN_RATE

    @property
    def error_ppm(self) -> float:
        """How fast the device's clock runs, in parts per million (0 while unknown)."""
        return (1.0 / self._rate - 1.0) * 1e6

    @property
    def round_trip(self) -> int:
        """The least round trip seen lately, ns."""
        return min((s.round_trip for s in self._samples), default=0)

    def add(self, *, sent: int, received: int, t_us: int) -> None:
        """One ping: host times in ns, the device's count modulo 2**32."""
        middle = (sent + received) // 2
        device = self._extend_pong(t_us, middle)
        self._latest = max(self._latest, device)
        self._samples.append(_Sample(host=middle, device=device, round_trip=received - sent))
        self._fit()

    def extend(self, t_us: int) -> int:
        """The whole count of an event at most an hour old."""
        ahead = (t_us - self._latest) % WRAP
        return self._latest + (ahead if ahead < AHEAD else ahead - WRAP)

    def to_host(self, t_us: int) -> Instant:
        """When the device's `t_us` was. Only once `ready`."""
        return self._place(self.extend(t_us))

    def _place(self, device: int) -> Instant:
        anchor = self._anchor
        if anchor is None:
            raise RuntimeError("no ping has been answered yet; ask `ready` first")
        elapsed = (device - anchor.device) * 1000
        at = anchor.host + round(elapsed * self._rate + self._offset)
        return Instant(at=at, uncertainty=self._noise + round(abs(elapsed) * self._rate_error))

    def _extend_pong(self, t_us: int, host: int) -> int:
        if self._anchor is None:
            return t_us
        # After hours apart the count has wrapped unseen: the host's own clock says about how often.
        expected = self._anchor.device + round((host - self._anchor.host) / (1000 * self._rate))
        ahead = (t_us - expected) % WRAP
        return expected + (ahead if ahead < WRAP // 2 else ahead - WRAP)

    def _fit(self) -> None:
        best = self._least_round_trips()
        anchor = min(best, key=lambda s: s.round_trip)
        self._anchor, self._offset = anchor, 0.0
        self._noise = anchor.round_trip // 2 + ROUNDING_NS
        if len(best) < 2 or best[-1].host - best[0].host < SETTLED_SPAN_NS:
            return
        xs = [(s.device - anchor.device) * 1000.0 for s in best]
        ys = [float(s.host - anchor.host) for s in best]
        weights = [1.0 / (s.round_trip + ROUNDING_NS) ** 2 for s in best]
        total = sum(weights)
        mean_x = sum(w * x for w, x in zip(weights, xs, strict=True)) / total
        mean_y = sum(w * y for w, y in zip(weights, ys, strict=True)) / total
        square = sum(w * (x - mean_x) ** 2 for w, x in zip(weights, xs, strict=True))
        if square <= 0:
            return
        rate = sum(w * (x - mean_x) * (y - mean_y) for w, x, y in zip(weights, xs, ys, strict=True)) / square
        if abs(rate - 1.0) > MOST_RATE:
            return
        self._rate = rate
        self._offset = mean_y - rate * mean_x
        self._bound(best, xs, ys, best.index(anchor))

    def _bound(self, best: list[_Sample], xs: list[float], ys: list[float], anchor: int) -> None:
        """How wrong the line can be: at each ping by its residual and half its round trip."""
        bounds = [
            abs(y - self._offset - self._rate * x) + s.round_trip / 2 + ROUNDING_NS
            for s, x, y in zip(best, xs, ys, strict=True)
        ]
        here = bounds[anchor]
        self._noise = round(here)
        self._rate_error = min(
            UNKNOWN_RATE,
            *((here + b) / abs(x - xs[anchor]) for x, b in zip(xs, bounds, strict=True) if x != xs[anchor]),
        )

    def _least_round_trips(self) -> list[_Sample]:
        """The quickest ping of each group of a few seconds (less while there are few), oldest first."""
        newest = self._samples[-1].host
        group_ns = GROUP_NS if newest - self._samples[0].host > 4 * GROUP_NS else GROUP_NS // 40
        groups: dict[int, _Sample] = {}
        for sample in self._samples:
            group = (newest - sample.host) // group_ns
            if group not in groups or sample.round_trip < groups[group].round_trip:
                groups[group] = sample
        return sorted(groups.values(), key=lambda s: s.host)
