"""What a table has reported since a scenario began: all that expectations may look at.

Filled with the core's effects, whichever way they came: from the core itself, or from the rows a real
controller published. Must never hold what somebody did, only what was reported of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hw_sim.scenario.expectations import OrderSeen
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import (
    Amend,
    ClearFault,
    CloseWindow,
    Effect,
    HoldTray,
    LightSummons,
    Moved,
    OpenWindow,
    RaiseFault,
    RecordBoard,
    RecordVisit,
    Refuse,
    ReleaseTray,
    Report,
    ShowState,
    StopWindow,
    TableView,
)
from table_controller.screen.entry import Entry, Fault, FaultKind, Kind, Visit
from table_controller.words import Lang, refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRefusal:
    """Why the table refused an order: its English sentence, and the code and slots of `words.refusal`."""

    text: str
    code: str
    slots: Mapping[str, str]


@dataclass(slots=True)
class Step:
    """What one line of the scenario brought. `grown`: entries that are new or have a new kind."""

    line: int
    grown: set[int] = field(default_factory=set)
    amended: set[int] = field(default_factory=set)
    orders: list[OrderSeen] = field(default_factory=list)
    refusals: list[TableRefusal] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Seen:
    """`entries` by id, in the order they were first reported; `appeared`: the line each came with.

    `visits` by board and ordinal, the latest of each; `faults`: kind to whether it still stands.
    """

    entries: dict[int, Entry] = field(default_factory=dict)
    appeared: dict[int, int] = field(default_factory=dict)
    visits: dict[tuple[int | None, int, int], Visit] = field(default_factory=dict)
    boards: list[RecordBoard] = field(default_factory=list)
    faults: dict[int, Fault] = field(default_factory=dict)
    view: TableView | None = None
    order: OrderSeen | None = None
    holds: set[ScreenSide] = field(default_factory=set)
    lamps: set[Seat] = field(default_factory=set)
    step: Step = field(default_factory=lambda: Step(0))
    effects: int = 0

    def begin(self, line: int) -> None:
        """A new line of the scenario."""
        self.step = Step(line)

    def take(self, effect: Effect) -> None:
        """One more effect, in its order."""
        self.effects += 1
        match effect:
            case Report(entry=entry):
                self._entry(entry, new=True)
            case Amend(entry=entry):
                self._entry(entry, new=False)
            case OpenWindow():
                self._ordered(OrderSeen.OPEN)
            case CloseWindow():
                self._ordered(OrderSeen.CLOSED)
            case StopWindow():
                self._ordered(OrderSeen.STOPPED)
            case HoldTray(side=side):
                self.holds.add(side)
            case ReleaseTray(side=side):
                self.holds.discard(side)
            case LightSummons(seat=seat, on=on):
                (self.lamps.add if on else self.lamps.discard)(seat)
            case RaiseFault(fault=fault) | ClearFault(fault=fault):
                self.faults[fault.id] = fault
            case RecordVisit(visit=visit):
                self.visits[visit.board, len(self.boards), visit.ordinal] = visit
            case RecordBoard():
                self.boards.append(effect)
            case Refuse(refusal=why):
                slots = dict(why.slots)
                text = refusal(why.code, slots, Lang.EN)
                self.step.refusals.append(TableRefusal(text=text, code=why.code, slots=slots))
            case Moved(dest=dest):
                self.step.phases.append(dest)
            case ShowState(view=view):
                self.view = view
            case _:
                pass

    def restarted(self) -> None:
        """The controller came back: every output begins safe."""
        self.holds.clear()
        self.lamps.clear()

    def number_of(self, entry_id: int) -> int:
        """The place of an entry among those of the scenario, from 1."""
        return list(self.entries).index(entry_id) + 1

    def numbered(self, number: int) -> Entry | None:
        entries = list(self.entries.values())
        return entries[number - 1] if 1 <= number <= len(entries) else None

    def latest(self, kind: Kind) -> Entry | None:
        """The latest entry of this kind."""
        return next((one for one in reversed(self.entries.values()) if kind in one.kinds), None)

    def irregularities(self) -> list[Entry]:
        """All entries but plain summonses."""
        return [entry for entry in self.entries.values() if entry.kinds != (Kind.SUMMONS,)]

    def faults_of(self, kind: FaultKind) -> list[Fault]:
        return [fault for fault in self.faults.values() if fault.kind is kind]

    def _entry(self, entry: Entry, *, new: bool) -> None:
        before = self.entries.get(entry.id)
        if before is None or not set(entry.kinds) <= set(before.kinds):
            self.step.grown.add(entry.id)
        if not new:
            self.step.amended.add(entry.id)
        if before is None:
            self.appeared[entry.id] = self.step.line
        self.entries[entry.id] = entry

    def _ordered(self, order: OrderSeen) -> None:
        self.order = order
        self.step.orders.append(order)
