"""What must hold at every step of a search, whatever happened.

`broken_by` names the rule that one event broke: the window is ordered open only as the rules allow, by an
oracle of its own; no entry is lost, doubled, changed untold or moved to a wrong stage; in a hold nothing new
is reported of calls, tray and lead; a begun board leaves only with its record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.screen import effects, events as ev
from table_controller.screen.entry import Entry, Kind, Stage, Standing
from table_controller.screen.facts import TableState
from table_controller.screen.rules import Rules
from tests.screen.oracle import may_be_ordered_open

ORDER = {Stage.NOT_CROSSED: 0, Stage.CROSSED: 1, Stage.RETURNED: 2}
HANDS_OF_DIRECTOR = frozenset(
    kind
    for kind in Kind
    if kind.startswith(("TRAY_", "AUCTION_", "CALL_", "INADMISSIBLE_", "LEAD_", "OPENING_LEAD", "INSUFF"))
    or kind in (Kind.CHANGE_OF_CALL, Kind.SIMULTANEOUS_CALLS)
)
"""Calls, tray and lead: between hold and resume nothing new of these."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event at one table: the states around it, and what the core did."""

    before: TableState
    after: TableState
    event: ev.Event
    done: Sequence[effects.Effect]


def broken_by(step: Step, rules: Rules) -> str | None:
    """The rule this step broke, in words; None if it kept them all."""
    return _window(step, rules) or _reported(step, rules) or _kept(step) or _boards(step)


def _window(step: Step, rules: Rules) -> str | None:
    if step.after.unread and any(isinstance(effect, effects.CloseWindow) for effect in step.done):
        return "the window was ordered closed before the sensors had been read again"
    if any(isinstance(effect, effects.OpenWindow) for effect in step.done):
        return may_be_ordered_open(step.after, rules)
    return None


def _reported(step: Step, rules: Rules) -> str | None:
    before = step.before
    told: set[int] = set()
    for effect in step.done:
        if isinstance(effect, effects.Report):
            new = effect.entry
            if new.id < before.book.next_id or new.id in told or new.revision:
                return f"entry {new.id} is reported twice, or with an old number"
            if not rules.off.isdisjoint(new.kinds):
                return f"{new.kinds} is reported at a table where it is off"
            if before.holds and not HANDS_OF_DIRECTOR.isdisjoint(new.kinds):
                return f"{new.kinds} is reported in a hold"
            told.add(new.id)
        elif isinstance(effect, effects.Amend):
            problem = _amended(before.entry(effect.entry.id), effect.entry, bool(before.holds), step.event)
            if problem is not None:
                return problem
    return None


def _kept(step: Step) -> str | None:
    """Nothing changes untold, and nothing that waits for the director goes."""
    old, new = step.before.book.entries, step.after.book.entries
    if old is new:
        return None
    told = {effect.entry.id for effect in step.done if isinstance(effect, effects.Report | effects.Amend)}
    known = {entry.id: entry for entry in old}
    for entry in new:
        if entry.id not in told and known.get(entry.id) != entry:
            return f"entry {entry.id} changed and nobody was told"
    ids = {entry.id for entry in new}
    for entry in old:
        if entry.id not in ids and entry.id not in told and entry.standing.waits:
            return f"entry {entry.id} is lost"
    return None


def _boards(step: Step) -> str | None:
    """A begun board leaves the table only with its record."""
    records = sum(isinstance(effect, effects.RecordBoard) for effect in step.done)
    if records > 1:
        return "two boards were recorded at once"
    begun = step.before.auction.begun and step.before.board.current is not None
    lost = begun and not step.after.auction.begun and not records
    return "a begun board was forgotten" if lost and not isinstance(step.event, _MAY_UNDO) else None


_MAY_UNDO = ev.Corrected | ev.Resumed
_CLOSES = ev.Ruled | ev.EntryClosed


def _amended(old: Entry | None, new: Entry, held: bool, event: ev.Event) -> str | None:
    if old is None:
        return f"entry {new.id} is amended but was never reported"
    if new.revision != old.revision + 1:
        return f"entry {new.id} went from revision {old.revision} to {new.revision}"
    if old.stage is not None and new.stage is not None and new.stage is not old.stage:
        if held:
            return f"the stage of entry {new.id} moved in a hold"
        if not isinstance(event, ev.TrayArrived | ev.TrayLeft):  # it must have come there to leave there
            return f"the stage of entry {new.id} moved and no tray arrived"
        if (event.side is new.screen_side) is not (new.stage is Stage.RETURNED):
            return f"entry {new.id} is {new.stage} with the tray on {event.side}"
        if ORDER[new.stage] != ORDER[old.stage] + 1:
            return f"entry {new.id} went from {old.stage} to {new.stage}"
    if old.standing is Standing.OPEN or new.standing is old.standing:
        return None
    if old.standing.waits and isinstance(event, _CLOSES):
        return None
    return f"entry {new.id} was {old.standing} and became {new.standing}"
