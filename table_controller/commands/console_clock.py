"""What the console's clock shows, from its own messages: our now is at least that, plus what has passed.

A clock may be set: then what it showed before says nothing of it any more, or an hour's step back would make
every order late for an hour. By how much the wall clock of a message is before its monotonic one tells which
setting it was sent under. One that is new to us counts once it is seen to run: what was queued somewhere
comes in a burst, and proves nothing. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

NS_PER_S = 1_000_000_000
SAME_NS = NS_PER_S
"""A clock that is trimmed moves by less between two messages; one that is set moves by more."""
RUNS_NS = NS_PER_S
"""For how long a setting is to be seen running."""
KEPT = 8


@dataclass(slots=True, kw_only=True)
class _Setting:
    """`offset`: wall less the console's monotonic clock. `ahead`: wall less ours, by the quickest message.
    `first`: the console's monotonic clock and ours at its first message. All ns.
    """

    offset: int
    ahead: int
    first: tuple[int, int]
    runs: bool = False


class ConsoleClock:
    """`wall`: ns since 1970, `theirs`: the console's monotonic clock and `mono`: ours, ns."""

    def __init__(self) -> None:
        self._settings: list[_Setting] = []
        """The one heard latest at the end."""
        self._latest: int | None = None

    def heard(self, wall: int, theirs: int, mono: int) -> None:
        """An authentic message of the console, not retained."""
        self._latest = ahead = wall - mono
        known = self._of(wall - theirs)
        if known is None:
            known = _Setting(offset=wall - theirs, ahead=ahead, first=(theirs, mono))
        else:
            self._settings.remove(known)
            known.offset, known.ahead = wall - theirs, max(known.ahead, ahead)
            passed_there, passed_here = theirs - known.first[0], mono - known.first[1]
            if passed_there - passed_here > SAME_NS:
                known.first = (theirs, mono)
            elif min(passed_there, passed_here) >= RUNS_NS:
                known.runs = True
        self._settings = [*self._settings, known][-KEPT:]

    def now(self, mono: int) -> int | None:
        """What it shows, by its latest message."""
        return None if self._latest is None else mono + self._latest

    def at_least(self, wall: int | None, theirs: int, mono: int) -> int | None:
        """What it shows now, or later, if it is still set as when a message with these clocks was sent; where
        that setting is not known to run, by the quickest there is.
        """
        known = None if wall is None else self._of(wall - theirs)
        if known is not None and known.runs:
            return mono + known.ahead
        return max((mono + one.ahead for one in self._settings), default=None)

    def _of(self, offset: int) -> _Setting | None:
        near = (one for one in self._settings if abs(one.offset - offset) <= SAME_NS)
        return min(near, key=lambda one: abs(one.offset - offset), default=None)
