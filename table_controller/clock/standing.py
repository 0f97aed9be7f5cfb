"""Where a session stands at this table: arrival, boards, what each partnership has used, when time is over.

Changed by the director at any time; what has been played is kept as long as the session is the same. Must
never say how a thing is to be dealt with: what the tables say of it is `indications`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_controller.clock.segments import NS_PER_MS
from table_controller.screen.times import RecordPace, RecordTime, SessionPlan

MS_PER_S = 1_000
COMPLETED = "completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStanding:
    """`due`: the numbers of the boards to be played. `laid`: how many there were when the time of the round
    was given. `rows`: of the boards that are over. `arrived`: ms. `axis_lost`: a power cut of unknown length
    has moved the table's axis against the day's, so that `plan.start` says nothing any more.
    """

    id: str
    plan: SessionPlan
    due: tuple[int, ...] = ()
    laid: int = 0
    rows: tuple[RecordTime, ...] = ()
    arrived: int | None = None
    axis_lost: bool = False
    late_said: bool = False
    slow_said: bool = False
    ended_said: bool = False

    @property
    def start(self) -> int | None:
        """When it was to begin, ms."""
        start = self.plan.start
        return None if start is None or self.axis_lost else start // NS_PER_MS

    @property
    def allowed(self) -> int | None:
        """Time for all boards due, both sides together, ms: a round cut short has its share of its time."""
        plan = self.plan
        if plan.board_s is not None and self.due:
            return plan.board_s * MS_PER_S * len(self.due)
        if plan.round_s is None:
            return None
        if not self.laid or not self.due:
            return plan.round_s * MS_PER_S
        return plan.round_s * MS_PER_S * len(self.due) // self.laid

    @property
    def over_at(self) -> int | None:
        """When the time allowed is over, ms."""
        start, allowed = self.start, self.allowed
        return None if start is None or allowed is None else start + allowed

    @property
    def finished(self) -> tuple[int | None, ...]:
        return tuple(row.board for row in self.rows if row.outcome == COMPLETED)

    @property
    def over(self) -> tuple[int | None, ...]:
        """Boards whose record is closed, however they ended."""
        return tuple(row.board for row in self.rows)

    @property
    def ended(self) -> int | None:
        """When the last board due was over, ms; None while one is not."""
        if not self.due or not set(self.due) <= set(self.over):
            return None
        return max(row.ended for row in self.rows if row.board in self.due)

    def pace(self, on: int | None, *, begun: bool) -> RecordPace:
        """`on`: the board on the tray, `begun`: its auction has."""
        numbers = (*self.over, on) if begun else self.over
        return RecordPace(
            session=self.id,
            contest=self.plan.contest,
            start=self.start,
            arrived=self.arrived,
            due=self.over_at,
            allowed=self.allowed,
            ended=self.ended,
            begun=numbers,
            finished=self.finished,
            unplayed=tuple(number for number in self.due if number not in numbers),
        )


def laid_down(
    before: SessionStanding | None,
    session: str,
    plan: SessionPlan,
    due: Sequence[int],
    *,
    arrived: int | None,
) -> SessionStanding:
    """The session as the director has laid it down now. The same session again goes on from where it is.

    A time for the round that was given before holds for the boards there were then; a new one for these.
    """
    numbers = tuple(dict.fromkeys(due))
    if before is None or before.id != session:
        return SessionStanding(id=session, plan=plan, due=numbers, laid=len(numbers), arrived=arrived)
    same_round = plan.round_s == before.plan.round_s and before.laid >= len(numbers)
    return replace(
        before,
        plan=plan,
        due=numbers,
        laid=before.laid if same_round else len(numbers),
        axis_lost=False,
    )
