"""A fault alarm: the table owns its condition, the console its acknowledgement (IEC 62682).

Must never be closed by a case, and never close one: acknowledge, silence and close are three verbs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from director_console.projection.inputs import AlarmAct, AlarmSeen, AlarmStepped
from table_controller.screen.entry import Fault, FaultKind

QUIET = frozenset({FaultKind.BROKER_UNREACHABLE, FaultKind.EDGE_INFERRED})


class AlarmState(StrEnum):
    """The states of IEC 62682."""

    NORMAL = "normal"
    UNACKNOWLEDGED = "unacknowledged"
    ACKNOWLEDGED = "acknowledged"
    RETURNED = "returned unacknowledged"
    SHELVED = "shelved"
    OUT_OF_SERVICE = "out of service"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """One fault of one table's journal. `seq`: the number of the latest report about it."""

    table: str
    epoch: str
    fault: Fault
    seq: int
    when: int
    rev: int
    acts: tuple[AlarmStepped, ...] = ()
    goes_on_as: str = ""
    """The key of the same fault in the table's newer journal."""

    @property
    def key(self) -> str:
        return f"{self.table}/{self.epoch}/{self.fault.id}"

    @property
    def quiet(self) -> bool:
        """Only for the log: over by the time anybody can hear of it, and nothing to be done."""
        return self.fault.kind in QUIET

    @property
    def active(self) -> bool:
        """Whether the condition stands. A thing that happened once is over when it is reported."""
        return self.fault.standing and self.fault.cleared_at is None

    @property
    def acknowledged(self) -> AlarmStepped | None:
        done = [act for act in self.acts if act.act is AlarmAct.ACKNOWLEDGE]
        return done[-1] if done else None

    def state(self, now: int) -> AlarmState:
        """The state at `now` (ms): shelving ends by itself."""
        if self.quiet or self.goes_on_as:
            return AlarmState.NORMAL
        shelved, out = _put_away(self.acts)
        if out:
            return AlarmState.OUT_OF_SERVICE
        if shelved is not None and now < shelved:
            return AlarmState.SHELVED
        if self.active:
            return AlarmState.ACKNOWLEDGED if self.acknowledged else AlarmState.UNACKNOWLEDGED
        return AlarmState.NORMAL if self.acknowledged else AlarmState.RETURNED

    def same_fault(self, other: Alarm) -> bool:
        """Whether this is the other's fault, told again in another journal."""
        mine, theirs = self.fault, other.fault
        same = (mine.id, mine.at, mine.kind) == (theirs.id, theirs.at, theirs.kind)
        return same and self.epoch != other.epoch

    def reported(self, seen: AlarmSeen, rev: int) -> Alarm:
        """With a newer report of the same fault; an older one, come late, changes nothing."""
        if seen.seq <= self.seq:
            return self
        return replace(self, fault=seen.fault, seq=seen.seq, rev=rev)

    def acted(self, step: AlarmStepped, rev: int) -> Alarm:
        return replace(self, acts=(*self.acts, step), rev=rev)


def _put_away(acts: tuple[AlarmStepped, ...]) -> tuple[int | None, bool]:
    """Until when it is shelved (ms, None: not), and whether it is out of service."""
    shelved: int | None = None
    out = False
    for step in acts:
        match step.act:
            case AlarmAct.SHELVE:
                shelved = step.until
            case AlarmAct.UNSHELVE:
                shelved = None
            case AlarmAct.OUT_OF_SERVICE:
                out = True
            case AlarmAct.IN_SERVICE:
                out = False
            case AlarmAct.ACKNOWLEDGE:
                pass
            case _:
                assert_never(step.act)
    return shelved, out
