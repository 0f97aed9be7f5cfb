"""The clock of a round: set, started, stopped, changed while it runs, and the moments at which it warns.

Pure: the time is an argument (Unix ms of the console's clock). It knows the round and nothing of any table,
so that all of it may stand on a public screen.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum

MINUTE_MS = 60_000
WARNINGS = (10, 5, 1)
"""Minutes before the end, where nobody says otherwise."""


class ClockAct(StrEnum):
    """What a director does with it."""

    SET = "set"
    START = "start"
    PAUSE = "pause"
    CHANGE = "change"
    CLEAR = "clear"


class ClockWrong(ValueError):
    """What was asked makes no sense as the clock stands: a key into the console's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClock:
    """`length`: ms as given, with all changes. `ends`: Unix ms while it runs; `remaining`: ms while it does
    not. `warnings`: whole minutes before the end, the most first.
    """

    round: int
    length: int
    ends: int | None = None
    remaining: int = 0
    warnings: tuple[int, ...] = WARNINGS

    @property
    def running(self) -> bool:
        return self.ends is not None

    @property
    def begun(self) -> bool:
        return self.running or self.remaining != self.length

    def left(self, now: int) -> int:
        """Time left, ms; 0 once it is up."""
        return max(0, self.remaining if self.ends is None else self.ends - now)

    def warning(self, now: int) -> int | None:
        """The warning that stands: the minutes it names, 0 once time is up, None before the first."""
        left = self.left(now)
        if left == 0:
            return 0
        reached = [minutes for minutes in self.warnings if left <= minutes * MINUTE_MS]
        return min(reached, default=None)

    def to_json(self) -> str:
        return json.dumps(
            {
                "round": self.round,
                "length": self.length,
                "ends": self.ends,
                "remaining": self.remaining,
                "warnings": list(self.warnings),
            },
            sort_keys=True,
        )


def clock_from(body: str) -> RoundClock | None:
    """The clock as it was kept; None where it was taken away."""
    value = json.loads(body)
    if value is None:
        return None
    return RoundClock(
        round=value["round"],
        length=value["length"],
        ends=value["ends"],
        remaining=value["remaining"],
        warnings=tuple(value["warnings"]),
    )


def new_clock(number: int, minutes: int, warnings: tuple[int, ...] = WARNINGS) -> RoundClock:
    """A round of so many minutes, not begun."""
    length = minutes * MINUTE_MS
    kept = tuple(sorted({minute for minute in warnings if minute < minutes}, reverse=True))
    return RoundClock(round=number, length=length, remaining=length, warnings=kept)


def started(clock: RoundClock | None, now: int) -> RoundClock:
    """Running from now on. Raises ClockWrong where there is none, or nothing of it is left."""
    standing = _there(clock)
    if standing.running:
        raise ClockWrong("round.runs")
    if standing.left(now) == 0:
        raise ClockWrong("round.is_up")
    return replace(standing, ends=now + standing.remaining, remaining=0)


def paused(clock: RoundClock | None, now: int) -> RoundClock:
    """Stopped with what is left. Raises ClockWrong where it does not run."""
    standing = _there(clock)
    if not standing.running:
        raise ClockWrong("round.stands")
    return replace(standing, ends=None, remaining=standing.left(now))


def changed(clock: RoundClock | None, minutes: int, now: int) -> RoundClock:
    """With so many minutes more, or fewer where negative; never less than nothing. A round whose time was up
    has these minutes from now on.
    """
    standing = _there(clock)
    more = minutes * MINUTE_MS
    left = max(0, standing.left(now) + more)
    length = max(0, standing.length + more)
    if standing.running:
        return replace(standing, length=length, ends=now + left)
    return replace(standing, length=length, remaining=left)


def _there(clock: RoundClock | None) -> RoundClock:
    if clock is None:
        raise ClockWrong("round.none_set")
    return clock
