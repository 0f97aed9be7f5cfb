"""How often somebody may try to log in: a bucket for each name and each address.

Pure: time is an argument (ms). Must never lock a user out for good, or a stranger could.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TRIES = 5
REFILL_MS = 20_000
REMEMBERED = 10_000


@dataclass(slots=True)
class RateLimit:
    """`tries` at once, then one more every `refill_ms`."""

    tries: int = TRIES
    refill_ms: int = REFILL_MS
    _spent: dict[str, tuple[float, int]] = field(default_factory=dict)
    _at_home: dict[tuple[str, str], None] = field(default_factory=dict)

    def wait_ms(self, key: str, now: int) -> int:
        """How long this one must wait before the next try; 0 if not at all."""
        left = self._left(key, now)
        return 0 if left >= 1 else round((1 - left) * self.refill_ms)

    def failed(self, key: str, now: int) -> None:
        if len(self._spent) >= REMEMBERED:
            self._spent.pop(next(iter(self._spent)))
        self._spent[key] = (max(0.0, self._left(key, now) - 1), now)

    def give_back(self, key: str, now: int) -> None:
        """A try that was counted and was good."""
        if key in self._spent:
            self._spent[key] = (min(float(self.tries), self._left(key, now) + 1), now)

    def at_home(self, name: str, address: str) -> bool:
        """Whether this user has logged in from there: a stranger who tries his name elsewhere is not to keep
        him out.
        """
        return (name, address) in self._at_home

    def came_home(self, name: str, address: str) -> None:
        if len(self._at_home) >= REMEMBERED:
            self._at_home.pop(next(iter(self._at_home)))
        self._at_home[name, address] = None

    def forget(self, key: str) -> None:
        self._spent.pop(key, None)

    def _left(self, key: str, now: int) -> float:
        left, at = self._spent.get(key, (float(self.tries), now))
        return min(float(self.tries), left + (now - at) / self.refill_ms)
