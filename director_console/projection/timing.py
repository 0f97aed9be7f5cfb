"""What the tables' clocks have reported, by table: each board's time divided, and where a session stands.

Pure. Moments are on the console's clock (Unix ms), lengths in ms. What a table did not tell is unknown, never
nought; a row is kept once under its journal, session and ordinal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from table_controller.screen.effects import RecordPace, RecordTime

Place = tuple[str, str, int]
"""Journal, session, ordinal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSeen:
    """One board's time. `begun`, `ended`: when that was on the console's clock."""

    table: str
    epoch: str
    seq: int
    time: RecordTime
    begun: int
    ended: int

    @property
    def place(self) -> Place:
        return self.epoch, self.time.session, self.time.ordinal


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceSeen:
    """Where a session stands at a table. `offset`: the table's own time plus this is the console's, ms."""

    table: str
    epoch: str
    seq: int
    pace: RecordPace
    offset: int

    def moment(self, own: int | None) -> int | None:
        return None if own is None else own + self.offset


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """All of one table, over its journals."""

    boards: Mapping[Place, TimeSeen] = field(default_factory=dict)
    paces: Mapping[tuple[str, str], PaceSeen] = field(default_factory=dict)
    """By journal and session; the highest number stands."""

    def with_board(self, seen: TimeSeen) -> Times:
        return Times(boards={**self.boards, seen.place: seen}, paces=self.paces)

    def with_pace(self, seen: PaceSeen) -> Times:
        key = seen.epoch, seen.pace.session
        known = self.paces.get(key)
        if known is not None and known.seq >= seen.seq:
            return self
        return Times(boards=self.boards, paces={**self.paces, key: seen})

    def of_session(self, session: str) -> tuple[TimeSeen, ...]:
        """The boards of a session that are over, in the order played; one that a newer journal tells again
        is one.
        """
        found = {seen.time: seen for seen in self.boards.values() if seen.time.session == session}
        return tuple(sorted(found.values(), key=lambda seen: (seen.begun, seen.time.ordinal)))
