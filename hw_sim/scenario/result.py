"""What came of a scenario: which lines failed and why.

An entry that no line speaks of is a failure too: nothing may be reported that the scenario did not expect.
Must never call a scenario passed that was not played to its end.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.scenario import expectations as x
from hw_sim.scenario.entry_checks import describe
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.seen import Seen
from table_controller.screen.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A line that did not come out as written. `text`: the line; `why`: one clause."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`seconds`: how long it took; `full`: through hardware; `skipped`: why it was not played.

    `stopped_at`: the line whose deed could not be done, so that nothing after it was played.
    """

    scenario: Scenario
    regulations: str
    failures: tuple[Failure, ...]
    seen: Seen
    full: bool = False
    seconds: float = 0.0
    skipped: str | None = None
    stopped_at: int | None = None

    @property
    def passed(self) -> bool:
        return not self.failures


def unexpected(scenario: Scenario, seen: Seen) -> list[Failure]:
    """Entries that no `report` or `entry` of the scenario speaks of, summonses apart."""
    spoken = [
        one
        for line in scenario.lines
        for one in line.expected
        if isinstance(one, x.EntryExpected) and one.mode is not x.EntryMode.NO_ENTRY
    ]
    failures: list[Failure] = []
    for entry in seen.irregularities():
        if not any(_speaks_of(one, entry, seen) for one in spoken):
            line = seen.appeared[entry.id]
            text = next((one.text for one in scenario.lines if one.number == line), "")
            why = f"also reported, and no line expects it: {describe(seen, entry.id)}"
            failures.append(Failure(line=line, text=text, why=why))
    return failures


def _speaks_of(one: x.EntryExpected, entry: Entry, seen: Seen) -> bool:
    if one.number is not None and seen.number_of(entry.id) != one.number:
        return False
    if one.number is None and not one.kinds:
        return False
    return set(one.kinds) <= set(entry.kinds) and (one.seats is None or set(one.seats) <= set(entry.seats))
