"""A session of play as the director lays it down, and where each table stands in it.

Pure. Boards begun and finished come from the tables' reports; what they do not tell is unknown. Lateness and
overtime are indications under an article, never findings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from table_controller.laws.seat import Partnership, Seat
from table_controller.regulations.time_tables import Contest
from table_controller.screen.entry import Visit

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`start`: Unix ms, or None; `tables` empty: all. `lineup`: opaque tokens by table and seat, never
    names.
    """

    session: str
    contest: Contest
    start: int | None
    minutes: int
    boards: tuple[int, ...]
    tables: tuple[str, ...] = ()
    lineup: Mapping[str, Mapping[str, str]]
    regulations: str
    waived: tuple[str, ...] = ()
    by: str = ""
    at: int = 0

    def concerns(self, table: str) -> bool:
        return not self.tables or table in self.tables

    def to_json(self) -> str:
        return json.dumps(
            {
                "contest": self.contest.value,
                "start": self.start,
                "minutes": self.minutes,
                "boards": list(self.boards),
                "tables": list(self.tables),
                "lineup": {table: dict(seats) for table, seats in self.lineup.items()},
                "regulations": self.regulations,
                "waived": list(self.waived),
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
        boards=tuple(value["boards"]),
        tables=tuple(value["tables"]),
        lineup=value["lineup"],
        regulations=value["regulations"],
        waived=tuple(value["waived"]),
        by=by,
        at=at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTime:
    """When a board was first and last seen on the table in play, ms; `ended` None while it is not over."""

    number: int | None
    begun: int
    ended: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairClock:
    """Time of one table's auctions, ns, from the visits of the tray: each pair's own thinking, and what is
    nobody's.

    `unknown`: how many shares could not be told.
    """

    thinking: Mapping[Partnership, int]
    held: int
    transit: int
    unknown: int
    interrupted: int


def pair_clock(visits: Sequence[Visit]) -> PairClock:
    """The sum over these visits; a visit reported twice must be given once."""
    thinking = {Partnership.NS: 0, Partnership.EW: 0}
    held = transit = unknown = interrupted = 0
    for visit in visits:
        if visit.interrupted:
            interrupted += 1
            continue
        for share in visit.shares:
            if share.thinking is None:
                unknown += 1
            else:
                thinking[Seat(share.seat).partnership] += share.thinking
        held += visit.hold or 0
        transit += visit.transit or 0
    return PairClock(thinking=thinking, held=held, transit=transit, unknown=unknown, interrupted=interrupted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Where a table stands. `late`, `over`: ms beyond the plan, None where not known or nothing is
    planned.
    """

    begun: int
    finished: int
    on: int | None
    late: int | None
    over: int | None


def pace_of(plan: Plan | None, boards: Sequence[BoardTime], now: int) -> Pace:
    """`boards` in the order played."""
    finished = sum(board.ended is not None for board in boards)
    on = next((board.number for board in reversed(boards) if board.ended is None), None)
    late = over = None
    if plan is not None and plan.start is not None:
        first = min((board.begun for board in boards), default=None)
        arrived = now if first is None else first
        late = max(0, arrived - plan.start)
        allowed = plan.minutes * MINUTE_MS * len(plan.boards)
        done = finished >= len(plan.boards) > 0
        ends = max((board.ended or 0 for board in boards), default=0) if done else now
        over = max(0, ends - plan.start - allowed)
    return Pace(begun=len(boards), finished=finished, on=on, late=late, over=over)
