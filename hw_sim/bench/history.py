"""How the table stood at every moment of a session, for looking back.

Must never be written anew: the past does not change.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from hw_sim.bench.contract import Past, TableFrame

MOST = 60_000
"""Moments; beyond them the oldest half is thinned out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`inside`: the last item then, `log`: how many deeds, `phase` as reported."""

    table: TableFrame
    inside: int
    log: int
    phase: str


class History:
    """Moments in order of their milliseconds."""

    def __init__(self) -> None:
        self._at: list[int] = []
        self._moments: list[Moment] = []

    def add(self, moment: Moment) -> None:
        self._at.append(moment.table.ms)
        self._moments.append(moment)
        if len(self._at) > MOST:
            half = MOST // 2
            self._at[:half] = self._at[:half:2]
            self._moments[:half] = self._moments[:half:2]

    def at(self, ms: int) -> Past | None:
        """How things stood then; None where nothing is known yet."""
        found = bisect_right(self._at, ms) - 1
        if not self._at:
            return None
        moment = self._moments[max(found, 0)]
        return Past(ms=ms, table=moment.table, inside=moment.inside, log=moment.log, phase=moment.phase)
