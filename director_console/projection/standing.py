"""Where each table stands in its session: begun, finished, late, over; and how its time divides so far.

Pure. Lateness and overtime are figures for the director, never findings. A table that has no session, or
whose clock has not spoken, stands nowhere: that is said, and nothing is reckoned from guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from director_console.projection.contest import Plan
from director_console.projection.hall import Hall
from director_console.projection.timing import PaceSeen, TimeSeen, total
from table_controller.screen.times import TimeColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One table. `heard`: its clock has spoken of this session. `late`: ms from the start to the first board
    on the tray, or to now; `over`: ms beyond the time allowed for the boards of the plan; `over_played`: ms
    by which the end of the last board is beyond what the boards actually played allow. None: not known, or
    nothing is planned. `columns`: of the boards that are over.
    """

    table: str
    plan: Plan | None
    heard: bool = False
    begun: int = 0
    finished: int = 0
    unplayed: int = 0
    late: int | None = None
    arrived: bool = False
    over: int | None = None
    over_played: int | None = None
    ended: bool = False
    boards: tuple[TimeSeen, ...] = ()
    columns: TimeColumns = field(default_factory=TimeColumns)

    @property
    def common(self) -> bool:
        """Whether some of the time is both pairs' together, for want of readers."""
        return any(not (seen.time.reads_cards and seen.time.reads_calls) for seen in self.boards)


def standing_of(hall: Hall, table: str, now: int) -> Standing:
    plan = hall.plan_of(table)
    if plan is None:
        return Standing(table=table, plan=None)
    times = hall.times.get(table)
    boards = () if times is None else times.of_session(plan.session)
    epoch = hall.tables[table].epoch if table in hall.tables else ""
    seen = None if times is None else times.paces.get((epoch, plan.session))
    if seen is None:
        return Standing(table=table, plan=plan, boards=boards, columns=total(b.time.columns for b in boards))
    pace = seen.pace
    last = seen.moment(pace.ended)
    finished = max(len(pace.finished), len(boards))
    return Standing(
        table=table,
        plan=plan,
        heard=True,
        begun=max(len(pace.begun), len(boards)),
        finished=finished,
        unplayed=len(pace.unplayed),
        late=_late(plan, seen, now),
        arrived=pace.arrived is not None,
        over=_beyond(plan, len(plan.boards), last if last is not None else now),
        over_played=_beyond(plan, finished, boards[-1].ended) if boards else None,
        ended=last is not None,
        boards=boards,
        columns=total(board.time.columns for board in boards),
    )


def _late(plan: Plan, seen: PaceSeen, now: int) -> int | None:
    if plan.start is None:
        return None
    arrived = seen.moment(seen.pace.arrived)
    return max(0, (now if arrived is None else arrived) - plan.start)


def _beyond(plan: Plan, boards: int, until: int) -> int | None:
    if plan.start is None:
        return None
    return max(0, until - plan.start - plan.allowed(boards))
