"""Every scenario, on the core alone: each line comes out as written, and nothing else is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.parse import read_scenario
from table_controller.screen.entry import Kind
from tests.scenarios.files import name_of, scenario_files


@pytest.mark.parametrize("path", scenario_files(), ids=name_of)
def test_as_written(path: Path) -> None:
    result = play_on_core(read_scenario(path))
    assert result.passed, "\n".join(map(str, result.failures))


def test_every_kind_a_table_can_report_has_a_scenario_of_its_name() -> None:
    named = {path.stem.split("-")[0] for path in scenario_files("kinds")}
    assert named == {kind.value for kind in Kind}


@pytest.mark.parametrize("path", scenario_files("kinds"), ids=name_of)
def test_a_kinds_scenario_reports_its_kind(path: Path) -> None:
    """Those that show when a kind is off, or unknown to be, name it and report nothing."""
    result = play_on_core(read_scenario(path))
    kind = Kind(path.stem.split("-")[0])
    reported = {one for entry in result.seen.entries.values() for one in entry.kinds}
    assert kind in reported or path.stem in {"WINDOW_NOT_CLOSED-on-a-watch-table"}


def test_the_same_scenario_gives_the_same_result_twice() -> None:
    for path in scenario_files("cases")[:8]:
        first, second = (play_on_core(read_scenario(path)) for _ in range(2))
        assert first.seen.entries == second.seen.entries
        assert first.seen.visits == second.seen.visits


def test_another_profile_answers_the_same_events_differently() -> None:
    path = next(one for one in scenario_files("cases") if one.stem == "03-insufficient-crossed-and-doubled")
    scenario = read_scenario(path)
    assert play_on_core(scenario).passed
    under_ebl = play_on_core(scenario, "ebl-2016")
    assert under_ebl.regulations == "ebl-2016"
    assert any("laws_screenmate_may_have_accepted" in failure.why for failure in under_ebl.failures)
