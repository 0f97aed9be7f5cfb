"""Whether a pause is over, by a wall clock that may be set back. Pure."""

from __future__ import annotations

SLACK_MS = 1000
"""A clock that is trimmed goes back by less; one that is set goes back by more."""


def over(since: int, now: int, pause: int) -> bool:
    """Whether a pause of so many ms that began at `since` is over. With a clock that was set back meanwhile
    nobody knows, and it is: better once too early than silent for as long as the clock was ahead.
    """
    return not -SLACK_MS <= now - since < pause
