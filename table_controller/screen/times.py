"""What a table reports of time: one board's, in columns that sum to it, and where its session stands.

For the director alone. All times are whole milliseconds on the table's own axis (`mono_ms` of the envelope);
unknown is a column or None, never nought. Must never be shown where a player may look, and never say whose
fault a time is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from table_controller.laws.seat import Seat
from table_controller.regulations.time_tables import Contest


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """How a session is timed, as the director laid it down.

    `start`: when it is to begin, ns on the table's axis; None where that cannot be told. Time allowed for
    both sides together: `board_s` a board, or `round_s` for all boards of the session; `pair_s` what each
    partnership has for a board (None: half of the board's). `regulations`: the profile it is played under.
    `late_before`, `slow_before`, `forfeits_before`: what came before in this contest.
    """

    contest: Contest | None = None
    start: int | None = None
    board_s: int | None = None
    round_s: int | None = None
    pair_s: int | None = None
    regulations: str = ""
    late_before: int = 0
    slow_before: int = 0
    forfeits_before: int = 0


NO_PLAN = SessionPlan()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumns:
    """One board's time divided, ms. The columns are disjoint and sum exactly to `ended - begun`.

    `ns`, `ew`: own time, while a call or card of theirs was due. `hold_*`: every call due here was made and
    the tray not yet moved, by its mover's partnership. `questions`: an alert card lay unacknowledged.
    `director`: from a summons until it was dealt with or play went on, and while he was at the table.
    `held`: a hold that an irregularity began, before the director did anything. `faults`: a sensor or the
    window could not be believed or moved. `common`: calls or cards were due that this table does not read.
    `procedure`: nothing was due of anybody: setting up, the window, clarification, cards put away.
    `unknown`: nobody watched (restart, link, device, lost events), or whose turn it was is not known.
    """

    ns: int = 0
    ew: int = 0
    hold_ns: int = 0
    hold_ew: int = 0
    hold_unknown: int = 0
    transit: int = 0
    questions: int = 0
    director: int = 0
    held: int = 0
    faults: int = 0
    common: int = 0
    procedure: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        return sum(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTime:
    """One board's time, written once, when its record is closed; never amended.

    `ordinal` counts the boards of the session at this table from 1; (session, ordinal) is the row's identity
    beside its seq. `begun`: it lay on the tray; `ended`: it left it, or the next one came. `seats`: the own
    time by seat; sums to `ns` + `ew` (dummy's cards are declarer's time). `hold_presumed`: so much of the
    hold rests on who should have pushed, not on who was sensed. `uncertainty`: the most by which `ns` or
    `ew` may be off for the sensors' sake. `unmeasured`: gaps whose own length is not known (a power cut at a
    table without a clock); they are in no column. `outcome` as in `RecordBoard`.
    """

    session: str
    ordinal: int
    board: int | None
    begun: int
    ended: int
    columns: TimeColumns
    seats: tuple[tuple[Seat, int], ...] = ()
    hold_presumed: int = 0
    uncertainty: int = 0
    unmeasured: int = 0
    reads_calls: bool = True
    """False: the auction is common time."""
    reads_cards: bool = True
    """False: the play is common time."""
    outcome: str = "completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPace:
    """Where the session stands at this table: whole, so that the last row is enough.

    `arrived`: its first board lay on the tray. `due`: its time is over (None: not laid down, or the axis was
    lost in a power cut); `allowed`: ms for all boards due. `ended`: the last board due was over. `begun`,
    `finished`: boards in the order played (None: a board whose number is not known); `unplayed`: those due
    and not begun.
    """

    session: str
    contest: Contest | None = None
    start: int | None = None
    arrived: int | None = None
    due: int | None = None
    allowed: int | None = None
    ended: int | None = None
    begun: tuple[int | None, ...] = ()
    finished: tuple[int | None, ...] = ()
    unplayed: tuple[int, ...] = ()
