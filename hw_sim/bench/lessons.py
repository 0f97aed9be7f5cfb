"""The lessons: each case of the table, three sentences on what to see, and the scenarios that play it.

Data lies in `lessons/`: one TOML, and the scenarios themselves. Must never say more than the scenario shows.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hw_sim.bench.contract import LessonChoice, LessonPlay, Words
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import read_scenario

HERE = Path(__file__).parent / "lessons"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One case. `see`: what to see, three sentences in each language."""

    id: str
    title: Words
    see: tuple[Words, ...]
    scenarios: tuple[Scenario, ...]

    def choice(self) -> LessonChoice:
        return LessonChoice(
            id=self.id,
            title=self.title,
            see=list(self.see),
            plays=[
                LessonPlay(id=one.path.stem, shows=one.shows, regulations=one.regulations)
                for one in self.scenarios
            ],
        )


@cache
def lessons() -> dict[str, Lesson]:
    """All by id, in order. Raises ScenarioError or KeyError for data of ours that is wrong."""
    with (HERE / "lessons.toml").open("rb") as file:
        data = tomllib.load(file)
    return {lesson.id: lesson for lesson in (_lesson(one) for one in data["lesson"])}


def _lesson(value: dict[str, object]) -> Lesson:
    plays = value["plays"]
    english, chinese = value["see_en"], value["see_zh"]
    assert isinstance(plays, list)
    assert isinstance(english, list)
    assert isinstance(chinese, list)
    return Lesson(
        id=str(value["id"]),
        title=Words(en=str(value["title_en"]), zh=str(value["title_zh"])),
        see=tuple(Words(en=str(en), zh=str(zh)) for en, zh in zip(english, chinese, strict=True)),
        scenarios=tuple(read_scenario(HERE / f"{name}.scn") for name in plays),
    )
