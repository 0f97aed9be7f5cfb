"""Where each table stands in its session: begun, finished, late, over; and how its time divides so far.

Pure. Lateness and overtime are figures for the director, never findings. A table that has no session, or
whose clock has not spoken, stands nowhere: that is said, and nothing is reckoned from guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from director_console.projection.contest import Plan
from director_console.projection.hall import Hall
from director_console.projection.timing import TimeSeen
from table_controller.clock.shares import PairShare, Sums, add_up, observed, pair_shares
from table_controller.screen.times import TimeColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One table. `heard`: its clock has spoken of this session. `late`: ms from the start to the first board
    on the tray, or to now; `over`: ms beyond the time allowed for the boards of the plan; `over_played`: ms
    by which the end of the last board is beyond what the boards actually played allow. None: not known, or
    nothing is planned. `sums`: of the boards that are over.
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
    sums: Sums = field(default_factory=lambda: add_up(()))

    @property
    def columns(self) -> TimeColumns:
        return self.sums.columns

    @property
    def common(self) -> bool:
        """Whether some of the time is both pairs' together, for want of readers."""
        return bool(self.boards) and not self.sums.all_read

    @property
    def shares(self) -> tuple[PairShare, ...]:
        """Each pair against half of the time for the boards actually played; none where nothing is over."""
        if self.plan is None or not self.boards:
            return ()
        return pair_shares(self.sums, self.plan.pair_ms)

    @property
    def observed(self) -> tuple[int, int] | None:
        """By how much NS and EW were each beyond that, ns; None where it was not observed."""
        return None if self.plan is None else observed(self.sums, self.plan.pair_ms)


def standing_of(hall: Hall, table: str, now: int) -> Standing:
    plan = hall.plan_of(table)
    if plan is None:
        return Standing(table=table, plan=None)
    times = hall.times.get(table)
    boards = () if times is None else times.of_session(plan.session)
    epoch = hall.tables[table].epoch if table in hall.tables else ""
    seen = None if times is None else times.paces.get((epoch, plan.session))
    if seen is None:
        return Standing(table=table, plan=plan, boards=boards, sums=_sums(boards))
    pace = seen.pace
    finished = max(len(pace.finished), len(boards))
    last = seen.moment(pace.ended)
    if last is None and boards and finished >= len(plan.boards):
        last = boards[-1].ended
    first = boards[0].begun if boards else None
    came = min((at for at in (seen.moment(pace.arrived), first) if at is not None), default=None)
    return Standing(
        table=table,
        plan=plan,
        heard=True,
        begun=max(len(pace.begun), len(boards)),
        finished=finished,
        unplayed=len(pace.unplayed),
        late=None if plan.start is None else max(0, (now if came is None else came) - plan.start),
        arrived=came is not None,
        over=None if came is None else _beyond(plan, len(plan.boards), now if last is None else last),
        over_played=_beyond(plan, finished, boards[-1].ended) if boards else None,
        ended=last is not None,
        boards=boards,
        sums=_sums(boards),
    )


def _sums(boards: tuple[TimeSeen, ...]) -> Sums:
    """Numbered anew, since a table that began a new journal counts its boards from 1 again."""
    return add_up(replace(seen.time, ordinal=number) for number, seen in enumerate(boards, start=1))


def _beyond(plan: Plan, boards: int, until: int) -> int | None:
    if plan.start is None:
        return None
    return max(0, until - plan.start - plan.allowed(boards))
