"""What there is to choose at the bench: tables, rules, records, scenarios, lessons, misdeeds.

Read once at the start. Must never offer what cannot be had.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hw_sim.bench.contract import (
    Choices,
    MisdeedChoice,
    RecordBoard,
    RecordChoice,
    ScenarioChoice,
)
from hw_sim.bench.lessons import Lesson, lessons
from hw_sim.bench.record_script import player_options
from hw_sim.core_runner import known_regulations
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.plan import MISDEEDS
from hw_sim.players.customs import STYLES, Customs
from hw_sim.players.script import BoardScript, script_of
from hw_sim.records.model import RecordedGame
from hw_sim.records.read import read_records
from hw_sim.refusals import Refusing, Why
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import read_scenario
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from table_controller.laws.call import ALL_BIDS, DOUBLE, PASS, REDOUBLE
from table_controller.laws.contract import Contract
from table_controller.plain.given_paths import is_folder, is_there

OWN_RECORDS = Path(__file__).parents[1] / "recordings"
ONLY_UNDER = {"hands-out-early": "dbf"}
Lang = Literal["en", "zh-CN"]


class NoSuch(Refusing, KeyError):
    """There is nothing of this name; the message names what there is."""

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(
            f"there is no {what} {name!r}; choose one of {', '.join(known) or 'none'}",
            Why.NO_SUCH,
            thing=what,
            name=name,
            known=known,
        )


@dataclass(slots=True, kw_only=True)
class Library:
    """`records` by name, `scenarios` by id."""

    lang: Lang = "en"
    records: dict[str, tuple[BoardScript, ...]] = field(default_factory=dict)
    scenarios: dict[str, Scenario] = field(default_factory=dict)

    def add_records(self, paths: list[Path]) -> None:
        """Those of their games that come to an end. Raises ValueError where there is none."""
        by_file: dict[str, list[BoardScript]] = {}
        for game in read_records(paths):
            if isinstance(game, RecordedGame) and game.contract is not None and game.board is not None:
                by_file.setdefault(Path(game.file).name, []).append(script_of(game))
        if not by_file:
            named = ", ".join(map(str, paths))
            raise ValueError(f"{named}: no game that can be played to its end; name other PBN or LIN files")
        self.records |= {name: tuple(scripts) for name, scripts in by_file.items()}

    def add_scenarios(self, paths: list[Path]) -> None:
        """Files, or folders of them. Raises ScenarioError, ValueError."""
        for path in paths:
            if not is_there(path):
                raise ValueError(f"there is no file {path}; name .scn files, or a folder of them")
            for file in sorted(path.rglob("*.scn")) if is_folder(path) else [path]:
                scenario = read_scenario(file)
                self.scenarios[scenario.name] = scenario

    def record(self, name: str) -> tuple[BoardScript, ...]:
        """Raises NoSuch."""
        if name not in self.records:
            raise NoSuch("record", name, list(self.records))
        return self.records[name]

    def scenario(self, name: str) -> Scenario:
        """Raises NoSuch."""
        if name not in self.scenarios:
            raise NoSuch("scenario", name, list(self.scenarios)[:20])
        return self.scenarios[name]

    def lesson(self, name: str) -> Lesson:
        """Raises NoSuch."""
        if name not in lessons():
            raise NoSuch("lesson", name, list(lessons()))
        return lessons()[name]

    def choices(self, signals: list[str]) -> Choices:
        return Choices(
            lang=self.lang,
            tables=[kind.value for kind in TableKind],
            rigs=[way.value for way in Way],
            regulations=list(known_regulations()),
            styles=list(STYLES),
            records=[
                RecordChoice(id=name, boards=[_board(script) for script in scripts])
                for name, scripts in self.records.items()
            ],
            scenarios=[
                ScenarioChoice(id=name, shows=one.shows, regulations=one.regulations, table=one.kind.value)
                for name, one in self.scenarios.items()
            ],
            lessons=[lesson.choice() for lesson in lessons().values()],
            misdeeds=[*_of_players(self.records), *_of_hardware()],
            signals=signals,
            calls=[str(call) for call in (PASS, DOUBLE, REDOUBLE, *ALL_BIDS)],
        )


def library(lang: Lang, records: list[Path], scenarios: list[Path]) -> Library:
    """What is shipped and what is named. Raises ValueError, ScenarioError."""
    found = Library(lang=lang)
    found.add_records([OWN_RECORDS])
    if records:
        found.add_records(records)
    for lesson in lessons().values():
        for one in lesson.scenarios:
            found.scenarios[one.name] = one
    found.add_scenarios(scenarios)
    return found


def _board(script: BoardScript) -> RecordBoard:
    outcome = script.outcome
    title = f"{outcome} by {outcome.declarer}" if isinstance(outcome, Contract) else "passed out"
    return RecordBoard(number=script.number, title=title)


def _of_players(records: dict[str, tuple[BoardScript, ...]]) -> list[MisdeedChoice]:
    found: list[MisdeedChoice] = []
    scripts = [script for boards in records.values() for script in boards]
    for name, finder in MISDEEDS.items():
        customs = Customs(hands_wait=name in ONLY_UNDER)
        deed = next((deed for script in scripts for deed in finder(script, customs)), None)
        found.append(
            MisdeedChoice(
                name=name,
                whose="players",
                what=name if deed is None else deed.name,
                options=player_options(name),
                needs="",
                kinds=[] if deed is None else list(deed.kinds) or ["SUMMONS"],
                regulations=ONLY_UNDER.get(name, ""),
            )
        )
    return found


def _of_hardware() -> list[MisdeedChoice]:
    return [
        MisdeedChoice(
            name=one.name,
            whose="hardware",
            what=one.what,
            options=dict(one.options),
            needs=one.needs,
            kinds=[],
            regulations="",
        )
        for one in HARDWARE_MISDEEDS.values()
    ]
