"""Whether an entry is the one a scenario expects.

Must never take a fact for granted that the entry does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from hw_sim.scenario import expectations as x
from hw_sim.scenario.expectations import Attribute, EntryExpected, EntryMode
from hw_sim.scenario.seen import Seen
from table_controller.screen.entry import Entry, Kind, Mover

Agrees = Callable[[int | None, int | None], bool]


def expected_entry(one: EntryExpected, seen: Seen, agrees: Agrees) -> str | None:
    """Why no entry is as expected; None if one is."""
    candidates = [entry for entry in _candidates(one, seen) if _kinds_and_seats(one, entry)]
    fit = [entry for entry in candidates if not _misses(one, entry, agrees)]
    if one.mode is EntryMode.NO_ENTRY:
        return f"there is {describe(seen, fit[0].id)}" if fit else None
    if fit:
        return None
    if candidates:
        return f"{describe(seen, candidates[-1].id)}: {'; '.join(_misses(one, candidates[-1], agrees))}"
    there = "; ".join(describe(seen, entry_id) for entry_id in seen.entries) or "none"
    return f"no such entry{_in_what_way(one.mode)}; there is: {there}"


def matched(one: EntryExpected, seen: Seen) -> set[int]:
    """Ids of entries this expectation speaks of: they are not unexpected any more."""
    return {entry.id for entry in _candidates(one, seen) if _kinds_and_seats(one, entry)}


def _in_what_way(mode: EntryMode) -> str:
    match mode:
        case EntryMode.REPORT:
            return " is new with this deed"
        case EntryMode.AMEND:
            return " was changed by this deed"
        case EntryMode.ENTRY | EntryMode.NO_ENTRY:
            return ""


def _candidates(one: EntryExpected, seen: Seen) -> list[Entry]:
    if one.number is not None:
        numbered = seen.numbered(one.number)
        entries = [] if numbered is None else [numbered]
    else:
        entries = list(seen.entries.values())
    match one.mode:
        case EntryMode.REPORT:
            return [entry for entry in entries if entry.id in seen.step.grown]
        case EntryMode.AMEND:
            return [entry for entry in entries if entry.id in seen.step.amended]
        case EntryMode.ENTRY | EntryMode.NO_ENTRY:
            return entries


def _kinds_and_seats(one: EntryExpected, entry: Entry) -> bool:
    return set(one.kinds) <= set(entry.kinds) and (one.seats is None or set(one.seats) == set(entry.seats))


def _misses(one: EntryExpected, entry: Entry, agrees: Agrees) -> list[str]:
    found = (_miss(attribute, entry, agrees) for attribute in one.attributes)
    return list(dict.fromkeys(miss for miss in found if miss is not None))


def _miss(attribute: Attribute, entry: Entry, agrees: Agrees) -> str | None:
    match attribute:
        case x.HasStage(stage=stage):
            return _same("stage", stage, entry.stage)
        case x.HasLevel(level=level):
            return _same("level", level.name.lower(), entry.level.name.lower())
        case x.HasCourse(words=words, there=there):
            has = any(_words(words) in _words(key) for key in entry.course)
            return None if has is there else f"course is {', '.join(entry.course) or 'empty'}"
        case x.HasCalledOver(by=by):
            return _same("called over by", by, entry.called_over_by)
        case x.HasMover():
            return misses(attribute, entry.mover)
        case x.HasCall(call=call):
            return _same("call", call, entry.call)
        case x.HasOtherCall(call=call):
            return _same("against", call, entry.other_call)
        case x.HasStanding(standing=standing):
            return _same("it is", standing, entry.standing)
        case x.HasFace(side=side):
            return _same("face", side, entry.screen_side)
        case x.HasBoard(number=number):
            return _same("board", number, entry.board)
        case x.IsAfterBoard(after=after):
            return _same("only after the board", after, entry.after_board)
        case x.HasGap(ns=ns):
            return None if agrees(entry.gap, ns) else f"gap is {entry.gap} ns"
        case x.HasFact(name=name, text=text, there=there):
            has = any(fact.name == name and text in (None, fact.text) for fact in entry.facts)
            facts = ", ".join(f"{fact.name} {fact.text}".strip() for fact in entry.facts)
            return None if has is there else f"facts are {facts or 'none'}"
        case x.HasCitation(article=article):
            cited = [str(one.article) for one in entry.provisions]
            return None if article in cited else f"cites {', '.join(cited) or 'nothing'}"
        case x.ClosedBy(who=who, why=why):
            right = entry.closed_by == who and why in (None, entry.closed_why)
            return None if right else f"closed by {entry.closed_by}, {entry.closed_why!r}"
        case _:
            assert_never(attribute)


def misses(expected: x.HasMover, mover: Mover | None) -> str | None:
    """Why this is not the mover expected."""
    if mover is None:
        return "no mover is given"
    right = mover.seat is expected.seat and expected.certainty in (None, mover.certainty)
    return None if right else f"mover is {mover.seat or 'nobody'}, {mover.certainty}"


def _same(what: str, expected: object, found: object) -> str | None:
    return None if expected == found else f"{what} {'nothing' if found is None else found}"


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def describe(seen: Seen, entry_id: int) -> str:
    """An entry in a few words, with its number."""
    entry = seen.entries[entry_id]
    kinds = " and ".join(entry.kinds)
    seats = "".join(f" {seat}" for seat in entry.seats)
    call = "" if entry.call is None or entry.kinds == (Kind.SUMMONS,) else f" ({entry.call})"
    return f"#{seen.number_of(entry_id)} {kinds}{seats}{call}"
