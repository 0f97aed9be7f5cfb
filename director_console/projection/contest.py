"""A session of play as the director lays it down. Pure.

The latest one that concerns a table holds there; a table that none concerns works, and no clock is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from table_controller.laws.seat import Partnership
from table_controller.regulations.time_tables import Contest

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What came before at one table: how often a partnership was late or slow already, and forfeited."""

    partnership: Partnership
    what: str
    """late, slow or forfeit."""
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`start`: Unix ms, or None; `tables` empty: all. `minutes`: for both pairs together, a board or, where
    `whole`, for all boards. `lineup`: opaque tokens by table and seat, never names; `before`: by table.
    `why`: of a change.
    """

    session: str
    contest: Contest
    start: int | None
    minutes: int
    whole: bool = False
    boards: tuple[int, ...]
    tables: tuple[str, ...] = ()
    lineup: Mapping[str, Mapping[str, str]]
    regulations: str
    waived: tuple[str, ...] = ()
    before: Mapping[str, tuple[Before, ...]] = field(default_factory=dict)
    why: str = ""
    by: str = ""
    at: int = 0

    def concerns(self, table: str) -> bool:
        return not self.tables or table in self.tables

    def allowed(self, boards: int) -> int:
        """The time for so many boards, both pairs together, ms: what is not played is not counted."""
        return self.minutes * MINUTE_MS * boards // (max(1, len(self.boards)) if self.whole else 1)

    @property
    def pair_ms(self) -> int:
        """What one pair has for a board: half of the board's time, ms."""
        return self.allowed(1) // 2

    def earlier(self, table: str, partnership: Partnership, what: str) -> int:
        """How often that was so before."""
        return sum(
            before.times
            for before in self.before.get(table, ())
            if before.partnership is partnership and before.what == what
        )

    def most_before(self, table: str, what: str) -> int:
        """The same for whichever pair it was most often so."""
        return max(self.earlier(table, partnership, what) for partnership in Partnership)

    def to_json(self) -> str:
        return json.dumps(
            {
                "contest": self.contest.value,
                "start": self.start,
                "minutes": self.minutes,
                "whole": self.whole,
                "boards": list(self.boards),
                "tables": list(self.tables),
                "lineup": {table: dict(seats) for table, seats in self.lineup.items()},
                "regulations": self.regulations,
                "waived": list(self.waived),
                "before": {
                    table: [[one.partnership.value, one.what, one.times] for one in found]
                    for table, found in self.before.items()
                },
                "why": self.why,
            },
            ensure_ascii=False,
            sort_keys=True,
        )


def plan_from(session: str, body: str, by: str, at: int) -> Plan:
    """The plan as it was kept."""
    value = json.loads(body)
    return Plan(
        session=session,
        contest=Contest(value["contest"]),
        start=value["start"],
        minutes=value["minutes"],
        whole=value.get("whole", False),
        boards=tuple(value["boards"]),
        tables=tuple(value["tables"]),
        lineup=value["lineup"],
        regulations=value["regulations"],
        waived=tuple(value["waived"]),
        before={
            table: tuple(Before(partnership=Partnership(pair), what=what, times=n) for pair, what, n in found)
            for table, found in value.get("before", {}).items()
        },
        why=value.get("why", ""),
        by=by,
        at=at,
    )
