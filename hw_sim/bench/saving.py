"""What was done at the bench as a scenario file: it runs again, by every runner, to the same result.

Deeds as they were written, the time between them as waits, and behind each what it brought. Pure. Must never
write down a time that somebody only took to think.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hw_sim.bench.deed_log import Done
from hw_sim.scenario.model import Scenario
from hw_sim.table.changes import MS, SECOND
from hw_sim.table.tags import BoardTag

LEAST_WAIT = SECOND
"""The runners take shorter waits as they are: between two deeds they let a little pass anyway."""
CLOSE = 5 * MS
"""An event may be stamped so much before its deed: two clocks were compared over a wire."""
AT_ONCE = 60 * MS
"""Deeds so near to each other are done at once: nobody says which of them brought what."""
OF_THE_DEED = 400 * MS
"""What comes later than this after a deed came of the time that passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """An entry when it was new. `at`: ns, of the event that showed it. `summons`: nothing else."""

    at: int
    kinds: tuple[str, ...]
    seats: tuple[str, ...]
    summons: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What is to be written. `title`: a sentence. `began`, `now`: ns. `pace`: of the table.

    `expected` False: only the deeds, and of the waits those in which something was reported.
    """

    title: str
    scenario: Scenario
    tray_on: str
    deeds: Sequence[Done]
    reported: Sequence[Reported]
    began: int
    now: int
    pace: float
    remarks: Sequence[str] = ()
    expected: bool = True


def scenario_text(saved: Saved) -> str:
    """The whole file."""
    lines = [*_header(saved), ""]
    written, spoken = _lines(saved)
    width = max((len(text) for text in written), default=0) + 2
    for index, text in enumerate(written):
        said = "; ".join(spoken.get(index, ()))
        lines.append(f"{text:<{width}}-> {said}" if said else text)
    if saved.expected:
        count = sum(1 for one in saved.reported if not one.summons)
        lines.append(f"expect {count} entries" if count else "expect no irregularity")
    return "\n".join(lines) + "\n"


def _header(saved: Saved) -> list[str]:
    scenario = saved.scenario
    title = " ".join(saved.title.split()).lstrip("# ") or "Played at the bench."
    board = _board(_own_board(saved))
    return [
        f"# {title if title.endswith(('.', '?', '!')) else title + '.'}",
        "",
        *(f"# {remark}" for remark in saved.remarks),
        f"regulations  {scenario.regulations}",
        f"table        {scenario.kind}",
        *([f"without      {', '.join(sorted(scenario.without))}"] if scenario.without else []),
        *([f"with         {', '.join(sorted(scenario.more))}"] if scenario.more else []),
        f"board        {board}",
        f"tray on      {saved.tray_on}",
        *([f"window takes {_time(scenario.window_takes)}"] if scenario.window_takes else []),
    ]


def _own_board(saved: Saved) -> BoardTag:
    """The board a bare `places the board` lays."""
    return saved.scenario.board


def _board(tag: BoardTag) -> str:
    number = "" if tag.number is None else str(tag.number)
    dealer = "" if tag.dealer is None else f" dealer {tag.dealer}"
    vulnerable = "" if tag.vulnerability is None else f" vulnerable {tag.vulnerability.value}"
    return f"{number}{dealer}{vulnerable}".strip()


def _lines(saved: Saved) -> tuple[list[str], dict[int, list[str]]]:
    """Lines of deeds and waits, and what is expected of which of them."""
    written: list[str] = []
    begins: list[int] = []
    before = saved.began
    for deed in [*saved.deeds, None]:
        at = saved.now if deed is None else deed.at
        late = [one for one in saved.reported if before + OF_THE_DEED < one.at < at - CLOSE]
        gap = round((at - before) * saved.pace)
        waited = written and (deed is None or not deed.waits)
        if waited and (late or (saved.expected and gap >= LEAST_WAIT and deed is not None)):
            written.append(f"wait {_time(gap)}")
            begins.append(before + OF_THE_DEED)
        if deed is not None:
            written.append(deed.text)
            begins.append(deed.at)
            before = max(before, deed.until)
    spoken: dict[int, list[str]] = {}
    if saved.expected:
        for one in saved.reported:
            index = max((n for n, begin in enumerate(begins) if begin <= one.at + CLOSE), default=0)
            last = _last_of_moment(begins, index)
            alone = last == index and (index == 0 or begins[index] - begins[index - 1] > AT_ONCE)
            spoken.setdefault(last, []).append(_told(one, new=alone))
    return written, spoken


def _last_of_moment(begins: Sequence[int], index: int) -> int:
    """The last of the deeds that were done at once with this one."""
    while index + 1 < len(begins) and begins[index + 1] - begins[index] <= AT_ONCE:
        index += 1
    return index


def _told(one: Reported, *, new: bool) -> str:
    """`new`: this deed brought it; else it is there, whichever of several deeds did."""
    seats = f" {' '.join(one.seats)}" if one.seats else ""
    return f"{'report' if new else 'entry'} {' and '.join(one.kinds)}{seats}"


def _time(ns: int) -> str:
    if ns < SECOND:
        return f"{max(round(ns / MS), 1)} ms"
    return f"{ns / SECOND:.1f} s"
