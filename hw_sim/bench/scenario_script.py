"""A scenario acted out at the bench, line by line, each expectation looked at as the runners do.

Must never pass over a line that did not come out as written: its result says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hw_sim.bench.bench_table import BenchTable
from hw_sim.players.asks import Complaint, Pause, Script
from hw_sim.refusals import Said, Why
from hw_sim.scenario.checking import Scale, unmet
from hw_sim.scenario.deeds import Deed, Wait
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.full.table import QUIET
from hw_sim.scenario.model import Line, Scenario
from hw_sim.scenario.playing import DIVIDED_FROM, Players
from hw_sim.scenario.result import unexpected
from hw_sim.table.changes import MS, SECOND

LOOK_EVERY = 50 * MS
COMES_WITHIN = 12 * SECOND
TOLERANCE = 1_250 * MS
"""Of real time at the least: people's pauses are not divided, and a busy machine is no stop-watch."""
DEEDS_LATE = 2.5
"""So many pauses from one deed to the next may lie between what a line names and what is seen."""
QUIET_LOOKS = 40
Say = Callable[[str], None]


@dataclass(slots=True)
class LineState:
    """What came of one line; `met` None: nothing is expected of it, or it was not come to."""

    line: Line
    met: bool | None = None
    why: Said | None = None


@dataclass(slots=True)
class ScenarioPlay:
    """One scenario being played. `at`: the number of the line played last; `played`: how many lines were.

    `saying` is told the text of a line before its deed is done. `failures` are there once it has ended.
    """

    scenario: Scenario
    table: BenchTable
    players: Players
    saying: Say
    at: int | None = None
    played: int = 0
    states: list[LineState] = field(init=False)
    times: list[int] = field(default_factory=list)
    """When each of the lines played was over, ns."""
    _since: int | None = None
    """When the last deed was done, or the last wait was over."""
    failures: list[Said] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states = [LineState(line) for line in self.scenario.lines]

    def script(self, *, check: bool = True) -> Script:
        """The whole of it; `check` False: nothing is expected of any line."""
        since_last = False
        for state in self.states:
            line = state.line
            expected = line.expected if check else ()
            if not (isinstance(line.deed, Wait) and since_last):
                if expected:
                    yield from self._quiet()
                self.table.seen.begin(line.number)
            since_last = not expected
            if line.deed is not None:
                self.at = line.number
                self.saying(line.text.partition("->")[0].strip())
                try:
                    yield from self._do(line.deed)
                except (CannotBePlayed, Complaint) as problem:
                    state.met, state.why = False, problem.said
                    self._fail(line, str(problem))
                    self._line_over()
                    return
            if expected:
                yield from self._expect(state)
            self._line_over()
        yield from self._quiet()
        if check:
            for failure in unexpected(self.scenario, self.table.seen):
                self._failed(str(failure), failure.line, failure.text)

    def _do(self, deed: Deed) -> Script:
        """One deed; what people took from one to the next is counted into a wait behind it."""
        if isinstance(deed, Wait) and deed.ns >= DIVIDED_FROM:
            since = self._since or self.table.body.now
            over = since + round(deed.ns / self.table.divisor)
            yield Pause(human=0, least=max(over - self.table.body.now, 0))
            self._since = self.table.body.now
            return
        yield from self.players.do(deed)
        self._since = self.table.body.now - self.table.between

    def _line_over(self) -> None:
        self.played += 1
        self.times.append(self.table.body.now)

    def _quiet(self) -> Script:
        """Until the table has nothing more to say."""
        for _ in range(QUIET_LOOKS):
            if self.table.body.now - self.table.heard_at >= QUIET:
                return
            yield Pause(human=0, least=QUIET // 4)

    def _expect(self, state: LineState) -> Script:
        line, table = state.line, self.table
        yield Pause(human=0, least=QUIET)
        yield from self._quiet()
        tolerance = max(TOLERANCE, DEEDS_LATE * table.between)
        scale = Scale(divisor=table.divisor, tolerance=round(tolerance * table.divisor))
        end = table.body.now + COMES_WITHIN
        while True:
            left = [
                unmet(one, table.seen, of_deed=line.deed is not None, scale=scale) for one in line.expected
            ]
            whys = [why for why in left if why is not None]
            if not whys or table.body.now > end:
                break
            yield Pause(human=0, least=LOOK_EVERY)
        state.met, state.why = not whys, Said("; ".join(whys)) if whys else None
        for why in whys:
            self._fail(line, why)

    def _fail(self, line: Line, why: str) -> None:
        self._failed(f"line {line.number}: {line.text}: {why}", line.number, line.text)

    def _failed(self, sentence: str, number: int, text: str) -> None:
        failed = Said.because(sentence, Why.LINE_NOT_AS_WRITTEN, line=number, text=text)
        self.failures.append(failed)
