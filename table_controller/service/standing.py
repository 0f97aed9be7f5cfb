"""What stands at a table besides the core's own state: deadlines, lamps, entries' numbers, the last view.

Derived from effects alone, so that the live table and a replay of its journal end with the same. Pure. Must
never carry anything out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table_controller.screen.effects import (
    Amend,
    ClearDeadline,
    ClearFault,
    Effect,
    HoldTray,
    LightSummons,
    RaiseFault,
    ReleaseTray,
    Report,
    SetDeadline,
    ShowState,
    TableView,
)
from table_controller.screen.entry import Entry, Fault


@dataclass(slots=True, kw_only=True)
class Standing:
    """`rev` counts the views shown. `lit`: outputs and whether they are on. `deadlines`: ns, by name.

    `entries`: those that wait for the director; `faults`: those that stand; by their numbers.
    """

    rev: int = 0
    view: TableView | None = None
    lit: dict[str, bool] = field(default_factory=dict)
    deadlines: dict[str, int] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)
    faults: dict[int, Fault] = field(default_factory=dict)

    def after(self, effect: Effect) -> None:
        match effect:
            case ShowState(view=view):
                self.rev += 1
                self.view = view
            case Report(entry=entry) | Amend(entry=entry) if entry.standing.waits:
                self.entries[entry.id] = entry
            case Amend(entry=entry):
                self.entries.pop(entry.id, None)
            case RaiseFault(fault=fault) if fault.standing:
                self.faults[fault.id] = fault
            case ClearFault(fault=fault):
                self.faults.pop(fault.id, None)
            case SetDeadline(name=name, at=at):
                self.deadlines[name] = at
            case ClearDeadline(name=name):
                self.deadlines.pop(name, None)
            case HoldTray(side=side):
                self.lit[f"hold.{side.lower()}"] = True
            case ReleaseTray(side=side):
                self.lit[f"hold.{side.lower()}"] = False
            case LightSummons(seat=seat, on=on):
                self.lit[f"summons.{seat.lower()}"] = on
            case _:
                pass

    def again(self) -> list[Effect]:
        """What a new journal is told at its beginning: under its name the director deals with it now."""
        entries: list[Effect] = [Amend(entry=entry) for entry in self.entries.values()]
        return [*entries, *(RaiseFault(fault=fault) for fault in self.faults.values())]

    def next_deadline(self) -> int | None:
        return min(self.deadlines.values(), default=None)

    def take_due(self, now: int) -> list[int]:
        """The times of deadlines that have come, each once; they are forgotten here."""
        due = sorted({at for at in self.deadlines.values() if at <= now})
        self.deadlines = {name: at for name, at in self.deadlines.items() if at > now}
        return due
