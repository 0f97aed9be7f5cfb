"""The window in the screen as a thing that moves: by its motor, by a hand, or not at all.

Pure: time is an argument. It must never decide to move, and it stops by itself only at its ends.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.readings import Direction

CLOSED, OPEN = 0.0, 1.0
SWITCH_REACH = 0.04
"""The part of the way over which a limit switch stays pressed."""
_SIGN = {Direction.OPEN: 1, Direction.CLOSE: -1, Direction.STOP: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Motion:
    """From `start` (at `since`) towards an end, the whole way in `whole` ns."""

    since: int
    start: float
    sign: int
    whole: int

    def position(self, now: int) -> float:
        gone = self.sign * (now - self.since) / self.whole
        return min(max(self.start + gone, CLOSED), OPEN)

    def reaches(self, position: float) -> int | None:
        """When it comes to `position`, ns; None if it does not lie ahead."""
        way = (position - self.start) * self.sign
        if self.sign == 0 or way <= 0:
            return None
        return self.since + round(way * self.whole) + 1


class WindowPanel:
    """Position 0 is closed, 1 is open. A hand is stronger than the motor while it holds the panel."""

    def __init__(self, *, position: float, by_motor: int, by_hand: int) -> None:
        self._by_motor = by_motor
        self._by_hand = by_hand
        self._motor = Direction.STOP
        self._hand: Direction | None = None
        self.jammed = False
        """Something keeps it where it is, whatever pulls."""
        self._motion = _Motion(since=0, start=position, sign=0, whole=1)

    def drive(self, direction: Direction, now: int) -> None:
        """The motor is given current, or none."""
        self._motor = direction
        self._again(now)

    def grasp(self, direction: Direction, now: int) -> None:
        """A hand moves it."""
        self._hand = direction
        self._again(now)

    def let_go(self, now: int) -> None:
        self._hand = None
        self._again(now)

    def jam(self, jammed: bool, now: int) -> None:
        self.jammed = jammed
        self._again(now)

    def _again(self, now: int) -> None:
        direction, whole = (
            (self._motor, self._by_motor) if self._hand is None else (self._hand, self._by_hand)
        )
        sign = 0 if self.jammed else _SIGN[direction]
        self._motion = _Motion(since=now, start=self.position(now), sign=sign, whole=whole)

    @property
    def motor(self) -> Direction:
        return self._motor

    def position(self, now: int) -> float:
        return self._motion.position(now)

    def closed(self, now: int) -> bool:
        """Whether the limit switch of the closed end is pressed."""
        return self.position(now) <= SWITCH_REACH

    def open(self, now: int) -> bool:
        return self.position(now) >= OPEN - SWITCH_REACH

    def milestones(self) -> list[int]:
        """The times at which, moving on as it does now, a limit switch changes or an end is reached."""
        places = (CLOSED, SWITCH_REACH, OPEN - SWITCH_REACH, OPEN)
        return sorted(when for place in places if (when := self._motion.reaches(place)) is not None)
