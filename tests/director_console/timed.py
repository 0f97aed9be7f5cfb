"""A table whose clock speaks: rows of board and session times, and visits, with figures the test knows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from director_console.projection.contest import Plan
from director_console.projection.fold import fold
from director_console.projection.hall import Hall
from director_console.projection.inputs import PlanLaid, RowSeen
from director_console.projection.timing import PaceSeen, TimeSeen
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import codec
from table_controller.regulations.time_tables import Contest
from table_controller.screen.effects import RecordPace, RecordTime
from table_controller.screen.entry import Certainty, Mover, Share, Visit
from table_controller.screen.times import TimeColumns
from tests.director_console.generator import SECOND, Sent, Wired

MINUTE = 60_000
START = 1_700_000_000_000
PLAN = Plan(
    session="s1",
    contest=Contest.TEAMS_VP,
    start=START,
    minutes=8,
    boards=(1, 2, 3, 4),
    lineup={},
    regulations="ccba-2006",
    by="anna",
    at=START - 60 * MINUTE,
)


def board_time(ordinal: int, begun: int, columns: TimeColumns, **more: object) -> RecordTime:
    """A board that lasted as long as its columns sum to; times in ms of the table's axis."""
    made = RecordTime(
        session="s1",
        ordinal=ordinal,
        board=ordinal,
        begun=begun,
        ended=begun + columns.total,
        columns=columns,
        seats=((Seat.N, columns.ns), (Seat.E, columns.ew)),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def minutes(ns: float, ew: float, **more: float) -> TimeColumns:
    """Columns in minutes."""
    return TimeColumns(
        **{name: round(value * MINUTE) for name, value in {"ns": ns, "ew": ew, **more}.items()}
    )


def standing_hall(
    plan: Plan = PLAN,
    times: tuple[RecordTime, ...] = (),
    pace: RecordPace | None = None,
    table: str = "7",
) -> Hall:
    """One table on an axis that is the console's own clock."""
    inputs: list[object] = [
        RowSeen(table=table, epoch="e1", seq=1, upto=1, at=1, live=True),
        PlanLaid(plan=plan),
    ]
    for seq, time in enumerate(times, start=10):
        inputs.append(
            TimeSeen(table=table, epoch="e1", seq=seq, time=time, begun=time.begun, ended=time.ended)
        )
    if pace is not None:
        inputs.append(PaceSeen(table=table, epoch="e1", seq=90, pace=pace, offset=0))
    return fold(Hall(), inputs)  # type: ignore[arg-type]


def pace_of(arrived: int | None, begun: int = 0, finished: int = 0, ended: int | None = None) -> RecordPace:
    """Of a session of four boards that began at `START`."""
    return RecordPace(
        session="s1",
        contest=Contest.TEAMS_VP,
        start=START,
        arrived=arrived,
        ended=ended,
        begun=tuple(range(1, begun + 1)),
        finished=tuple(range(1, finished + 1)),
        unplayed=tuple(range(begun + 1, 5)),
    )


def visit(board: int, ordinal: int, thinking: Mapping[str, float | None], **more: object) -> Visit:
    """Seconds by seat, in order; North or South pushes."""
    side = ScreenSide.NE if ordinal % 2 else ScreenSide.SW
    made = Visit(
        board=board,
        ordinal=ordinal,
        screen_side=side,
        arrived=(board * 1000 + ordinal * 60) * SECOND,
        left=(board * 1000 + ordinal * 60 + 40) * SECOND,
        shares=tuple(
            Share(seat=Seat(seat), thinking=None if s is None else round(s * SECOND), call=None)
            for seat, s in thinking.items()
        ),
        hold=2 * SECOND,
        transit=SECOND,
        mover=Mover(seat=Seat.N if side is ScreenSide.NE else Seat.S, certainty=Certainty.PRESUMED),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def time_row(wired: Wired, time: RecordTime) -> Sent:
    return wired.log("board_time", codec.to_json(time))


def pace_row(wired: Wired, pace: RecordPace) -> Sent:
    return wired.log("session_time", codec.to_json(pace))


NOW_MS = 120 * MINUTE
"""What a played evening's table has on its own clock when it speaks: the console takes this for now."""


def evening(wired: Wired, seed: int, *, arrived: float | None = 0, boards: int = 6) -> list[Sent]:
    """A session of eight boards that began an hour ago, at minute 60 of the table's axis: `boards` are over.
    North is slow and once very slow; table by table the figures differ by the seed. What is not read, not
    known, and not of one piece is among them.
    """
    rng = random.Random(seed)
    start = NOW_MS - 60 * MINUTE
    wired.mono_ms = NOW_MS
    sent: list[Sent] = []
    at = start + round((arrived or 0) * MINUTE)
    for n in range(1, boards + 1):
        columns = minutes(
            2 + 2 * rng.random(),
            1.5 + 1.5 * rng.random(),
            hold_ns=0.3,
            transit=0.2,
            questions=0.8 if n == 2 else 0,
            director=1.5 if n == 3 else 0,
            procedure=0.9,
            unknown=0.7 if n == 4 else 0,
            common=1 if n == 5 else 0,
        )
        sent.append(time_row(wired, board_time(n, at, columns, reads_cards=n != 5)))
        at += columns.total
        for ordinal in range(1, 7):
            first, second = ("N", "E") if ordinal % 2 else ("S", "W")
            long = 118.0 if (n, ordinal) == (5, 3) else 0
            thinking = {first: long or rng.lognormvariate(2.1, 0.5), second: rng.lognormvariate(1.8, 0.4)}
            sent.append(wired.visit(visit(n, ordinal, thinking, interrupted=(n, ordinal) == (3, 2))))
    pace = RecordPace(
        session="s1",
        contest=Contest.TEAMS_VP,
        start=start,
        arrived=None if arrived is None else start + round(arrived * MINUTE),
        begun=tuple(range(1, boards + 2 if arrived is not None else 1)),
        finished=tuple(range(1, boards + 1)),
        unplayed=tuple(range(boards + 2, 9)),
    )
    return [*sent, pace_row(wired, pace)]
