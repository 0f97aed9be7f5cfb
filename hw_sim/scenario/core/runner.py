"""Plays a scenario on the core alone, line by line, and says what was not as expected.

Must never let one line's surprise hide the next: it goes on as far as the deeds can be done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hw_sim.core_runner.customs import customs_of, regulations_of
from hw_sim.core_runner.play import senses_of
from hw_sim.players.asks import Complaint
from hw_sim.players.customs import Customs
from hw_sim.players.runner import play_out
from hw_sim.scenario.checking import unmet
from hw_sim.scenario.core.table import CoreTable
from hw_sim.scenario.deeds import DirectorDeed
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.model import USUAL_WINDOW, Scenario
from hw_sim.scenario.playing import Players, dealer_on
from hw_sim.scenario.result import Failure, Result, unexpected
from hw_sim.scenario.room import Levers, ScenarioHands
from hw_sim.scenario.seen import Seen
from hw_sim.table.changes import MS, Travel
from table_controller.laws.seat import ScreenSide
from table_controller.screen.senses import Sense, parse_senses

WINDOW_BY_HAND = 100 * MS


@dataclass(slots=True, kw_only=True)
class CoreRoom:
    """The table without metal, as a scenario's room."""

    table: CoreTable
    customs: Customs
    divisor: float = 1.0
    between: int = 100 * MS

    @property
    def window_by_hand(self) -> int:
        return WINDOW_BY_HAND

    @property
    def hands(self) -> ScenarioHands:
        return self.table

    @property
    def levers(self) -> Levers:
        return self.table

    def order(self, deed: DirectorDeed) -> None:
        self.table.order(deed)


def senses_at(scenario: Scenario) -> frozenset[Sense]:
    """What this scenario's table can sense and move."""
    usual = senses_of(scenario.kind)
    return (usual - parse_senses(scenario.without)) | parse_senses(scenario.more)


def begins_on(scenario: Scenario, customs: Customs) -> ScreenSide:
    """The face the tray is on at the beginning."""
    if scenario.tray_on is not None:
        return scenario.tray_on
    dealer = dealer_on(scenario.board)
    return ScreenSide.NE if dealer is None else customs.faces.side_of(dealer)


def play_on_core(scenario: Scenario, regulations: str | None = None) -> Result:
    """Play it, under another profile if one is named. Raises UnknownRegulations."""
    profile = regulations or scenario.regulations
    customs = customs_of(profile, scenario.supplements)
    seen = Seen()
    travel = replace(
        Travel.quickest(),
        window=USUAL_WINDOW if scenario.window_takes is None else scenario.window_takes,
        window_by_hand=WINDOW_BY_HAND,
    )
    table = CoreTable(
        regulations=regulations_of(profile, scenario.supplements),
        senses=senses_at(scenario),
        travel=travel,
        tray_on=begins_on(scenario, customs),
        seen=seen,
    )
    room = CoreRoom(table=table, customs=customs)
    players = Players(room, scenario.board, scenario.window_takes or 0)
    failures: list[Failure] = []
    stopped_at: int | None = None
    for line in scenario.lines:
        seen.begin(line.number)
        if line.deed is not None:
            try:
                play_out(table, players.do(line.deed))
            except (CannotBePlayed, Complaint) as problem:
                failures.append(Failure(line=line.number, text=line.text, why=str(problem)))
                stopped_at = line.number
                break
        for one in line.expected:
            why = unmet(one, seen, of_deed=line.deed is not None)
            if why is not None:
                failures.append(Failure(line=line.number, text=line.text, why=why))
    failures += unexpected(scenario, seen)
    return Result(
        scenario=scenario, regulations=profile, failures=tuple(failures), seen=seen, stopped_at=stopped_at
    )
