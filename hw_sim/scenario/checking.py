"""Whether an expectation is met by what was seen, and if not, in what it fails.

The same for both runners; only times have a scale and a tolerance. Must never look at anything but `Seen`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from hw_sim.scenario import expectations as x
from hw_sim.scenario.entry_checks import describe, expected_entry, misses
from hw_sim.scenario.expectations import Expectation, OrderSeen, Part
from hw_sim.scenario.seen import Seen
from table_controller.screen.effects import RecordBoard, TableView
from table_controller.screen.entry import Kind, Visit

SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How the runner's times compare with the file's: what it saw, times `divisor`, within `tolerance` ns."""

    divisor: float = 1.0
    tolerance: int = SECOND

    def agrees(self, seen: int | None, expected: int | None) -> bool:
        if seen is None or expected is None:
            return seen is expected
        return abs(seen * self.divisor - expected) <= self.tolerance


EXACT = Scale()


def unmet(one: Expectation, seen: Seen, *, of_deed: bool, scale: Scale = EXACT) -> str | None:
    """Why it is not met, as a clause; None if it is. `of_deed`: it stands behind `->`."""
    match one:
        case x.EntryExpected():
            return expected_entry(one, seen, scale.agrees)
        case x.NothingReported():
            new = [describe(seen, entry_id) for entry_id in seen.step.grown if _counts(seen, entry_id)]
            return f"reported: {'; '.join(new)}" if new else None
        case x.NoIrregularity():
            found = [describe(seen, entry.id) for entry in seen.irregularities()]
            return f"there is {'; '.join(found)}" if found else None
        case x.EntryCount(count=count, kind=kind):
            found_n = sum(1 for entry in seen.irregularities() if kind is None or kind in entry.kinds)
            return None if found_n == count else f"there are {found_n}: {_all(seen)}"
        case x.WindowOrdered(order=order):
            return _ordered(seen, order, of_deed=of_deed)
        case x.WindowNotOrdered(order=order):
            return _not_ordered(seen, order, of_deed=of_deed)
        case x.OnHold() | x.HoldOutput() | x.SummonsLamp() | x.FaultExpected() | x.NoFault():
            return _hardware(one, seen)
        case x.Refused(words=words):
            said = [one.text for one in seen.step.refusals]
            return None if any(words in reason for reason in said) else f"refused: {said or 'nothing'}"
        case x.ThroughPhase(phase=phase):
            came = seen.step.phases
            return None if phase in came else f"it came to {', '.join(came) or 'no other'}"
        case x.VisitExpected():
            return _visit(one, seen, scale)
        case x.VisitCount(count=count):
            return None if len(seen.visits) == count else f"there are {len(seen.visits)} visits"
        case x.BoardRecorded():
            return _recorded(one, seen)
        case x.BoardCount(count=count):
            return None if len(seen.boards) == count else f"{len(seen.boards)} were recorded"
        case _:
            return "the table has shown nothing yet" if seen.view is None else _view(one, seen.view)


def _counts(seen: Seen, entry_id: int) -> bool:
    return seen.entries[entry_id].kinds != (Kind.SUMMONS,)


def _all(seen: Seen) -> str:
    return "; ".join(describe(seen, entry_id) for entry_id in seen.entries) or "none"


def _ordered(seen: Seen, order: OrderSeen, *, of_deed: bool) -> str | None:
    if of_deed:
        given = ", ".join(seen.step.orders) or "none"
        return None if order in seen.step.orders else f"orders given: {given}"
    return None if seen.order is order else f"the last order is {seen.order or 'none'}"


def _not_ordered(seen: Seen, order: OrderSeen | None, *, of_deed: bool) -> str | None:
    if of_deed:
        given = [one for one in seen.step.orders if order in (None, one)]
        return f"orders given: {', '.join(given)}" if given else None
    if seen.order is None or (order is not None and seen.order is not order):
        return None
    return f"the last order is {seen.order}"


def _hardware(
    one: x.OnHold | x.HoldOutput | x.SummonsLamp | x.FaultExpected | x.NoFault, seen: Seen
) -> str | None:
    match one:
        case x.OnHold(on=on, number=number):
            holds = seen.view.holds if seen.view is not None else ()
            right = bool(holds) is on and number in (None, len(holds))
            return None if right else f"holds in force: {', '.join(holds) or 'none'}"
        case x.HoldOutput(side=side, on=on):
            return None if (side in seen.holds) is on else f"it is {_on(side in seen.holds)}"
        case x.SummonsLamp(seat=seat, on=on):
            return None if (seat in seen.lamps) is on else f"it is {_on(seat in seen.lamps)}"
        case x.FaultExpected(kind=kind, standing=standing, there=there):
            found = seen.faults_of(kind)
            fit = [
                fault for fault in found if standing in (None, fault.cleared_at is None and fault.standing)
            ]
            if bool(fit) is there:
                return None
            named = ", ".join(fault.kind for fault in seen.faults.values()) or "none"
            return f"faults: {named}" if not found or not there else "it is the other way round"
        case x.NoFault():
            standing_now = [f.kind for f in seen.faults.values() if f.standing and f.cleared_at is None]
            return f"there is {', '.join(standing_now)}" if standing_now else None
        case _:
            assert_never(one)


def _on(on: bool) -> str:
    return "on" if on else "off"


def _view(one: Expectation, view: TableView) -> str | None:
    match one:
        case x.WindowStands(state=state):
            return _same(state, view.window.value)
        case x.InPhase(phase=phase):
            inside = view.phase == phase or view.phase.startswith(f"{phase}.")
            return None if inside else f"it is {view.phase}"
        case x.OnBoard(number=number):
            return _same(number, view.board)
        case x.Dealt(dealer=dealer):
            return _same(dealer, view.dealer)
        case x.Vulnerable(vulnerability=vulnerability):
            return _same(vulnerability, view.vulnerability)
        case x.ContractStands(contract=contract, declarer=declarer):
            right = (contract, declarer) == (view.contract, view.declarer)
            return None if right else f"it is {view.contract or 'unknown'} by {view.declarer or 'nobody'}"
        case x.LeaderStands(seat=seat):
            return _same(seat, view.leader)
        case x.TurnStands(seat=seat):
            return _same(seat, view.turn)
        case x.AuctionStands(calls=calls):
            lies = ", ".join(f"{shown.seat} {shown.call}" for shown in view.calls)
            wanted = ", ".join(f"{seat} {call}" for seat, call in calls)
            return None if lies == wanted else f"it is {lies or 'empty'}"
        case x.TrayStands(place=place):
            return _same(str(place), view.tray)
        case x.LeadLies(seat=seat, faced=faced):
            right = view.lead is seat and faced in (None, view.lead_faced)
            return None if right else f"lead of {view.lead or 'nobody'}, faced {view.lead_faced}"
        case x.CheckIs(check=check, off=off):
            why = dict(view.off).get(check)
            return None if (why is not None) is off else f"it is {'on' if why is None else f'off: {why}'}"
        case _:
            raise AssertionError(f"{one} is not looked up in the view")


def _same(expected: object, found: object) -> str | None:
    return None if expected == found else f"it is {'unknown' if found is None else found}"


def _visit(one: x.VisitExpected, seen: Seen, scale: Scale) -> str | None:
    fit = [
        visit
        for visit in seen.visits.values()
        if visit.screen_side is one.side and one.ordinal in (None, visit.ordinal)
    ]
    if not fit:
        return f"no such visit; there are {len(seen.visits)}"
    visit = fit[-1]
    return ", ".join(_visit_misses(one, visit, scale)) or None


def _visit_misses(one: x.VisitExpected, visit: Visit, scale: Scale) -> list[str]:
    found: list[str] = []
    thinking = {share.seat: share.thinking for share in visit.shares}
    for seat, expected in one.thinking:
        if seat not in thinking or not scale.agrees(thinking[seat], expected):
            found.append(f"{seat} thought {_time(thinking.get(seat), scale)}")
    for part, expected in one.parts:
        value = _PARTS[part](visit)
        if not scale.agrees(value, expected):
            found.append(f"{part} is {_time(value, scale)}")
    if one.interrupted not in (None, visit.interrupted):
        found.append(f"interrupted is {visit.interrupted}")
    if one.returned not in (None, visit.returned):
        found.append(f"returned is {visit.returned}")
    if one.mover is not None and (miss := misses(one.mover, visit.mover)):
        found.append(miss)
    return found


def _stay(visit: Visit) -> int | None:
    return None if visit.arrived is None or visit.left is None else visit.left - visit.arrived


_PARTS: dict[Part, Callable[[Visit], int | None]] = {
    Part.HOLD: lambda visit: visit.hold,
    Part.TRANSIT: lambda visit: visit.transit,
    Part.STAY: _stay,
}


def _time(ns: int | None, scale: Scale) -> str:
    return "unknown" if ns is None else f"{ns * scale.divisor / SECOND:.1f} s"


def _recorded(one: x.BoardRecorded, seen: Seen) -> str | None:
    if not seen.boards:
        return "no board's record was closed"
    board = seen.boards[-1]
    right = (
        one.number in (None, board.number)
        and one.outcome in (None, board.outcome)
        and (one.contract is None or (one.contract or None) == board.contract)
        and one.declarer in (None, board.declarer)
        and one.tricks in (None, board.tricks)
        and one.crossings in (None, board.crossings)
        and set(board.irregularities).issuperset(one.irregularities)
    )
    return None if right else f"it is {_told(board)}"


def _told(board: RecordBoard) -> str:
    contract = "no contract" if board.contract is None else f"{board.contract} by {board.declarer}"
    return (
        f"board {board.number}: {board.outcome}, {contract}, tricks {board.tricks}, "
        f"{board.crossings} crossings, with {' and '.join(board.irregularities) or 'no irregularity'}"
    )
