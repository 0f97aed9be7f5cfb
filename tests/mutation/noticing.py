"""Who notices a changed provision: the scenarios on the core alone, or the tests of the regulations.

Must never leave a changed profile behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from inspect import getmembers, isfunction, signature
from itertools import product
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from hw_sim.core_runner import customs
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import read_scenario
from table_controller.regulations import load as loading
from table_controller.regulations.load import DEFAULT, load
from table_controller.regulations.model import Regulations
from tests.mutation.flips import Flip, value_of
from tests.scenarios.files import name_of, scenario_files


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """Those that pass while nothing is changed: one that fails anyhow notices nothing."""
    read = {name_of(path): read_scenario(path) for path in scenario_files()}
    return {name: scenario for name, scenario in read.items() if play_on_core(scenario).passed}


def scenario_that_notices(flip: Flip) -> str | None:
    """The first scenario that fails under the changed profile."""
    under = ((name, one) for name, one in scenarios().items() if one.regulations == flip.profile)
    return next((name for name, one in under if notices(one, flip)), None)


def notices(scenario: Scenario, flip: Flip) -> bool:
    """Whether the scenario fails. The players keep the changed profile too, as they would in earnest."""
    before = customs.regulations_of(flip.profile, scenario.supplements)
    if value_of(before, flip.provision) != value_of(load(flip.profile), flip.provision):
        return False  # its supplement has set this provision itself
    after = flip.of(before)

    def changed(_profile: str, _supplements: tuple[Path, ...]) -> Regulations:
        return after

    with patch.object(customs, "_loaded", changed):
        try:
            return not play_on_core(scenario).passed
        except Exception:
            return True


@contextmanager
def shipped_as(flip: Flip) -> Iterator[None]:
    """`load` gives the changed profile; the others are as they were."""
    sound = loading._shipped

    def changed(profile: str) -> Regulations:
        found = sound(profile)
        return flip.of(found) if profile == flip.profile else found

    with patch.object(loading, "_shipped", changed):
        yield


def regulations_test_that_notices(flip: Flip, modules: Iterable[ModuleType]) -> str | None:
    """The first plain test of these modules that fails; tests that need fixtures are passed over.

    What a module loaded when it was imported is loaded anew for the changed profile.
    """
    after = flip.of(load(flip.profile))
    loaded: dict[str, object] = {"CCBA": after, "TABLE": after.clock.forfeit.value}
    for module in modules:
        with ExitStack() as changed:
            changed.enter_context(shipped_as(flip))
            for name, anew in loaded.items():
                if flip.profile == DEFAULT and isinstance(getattr(module, name, None), type(anew)):
                    changed.enter_context(patch.object(module, name, anew))
            for name, test in getmembers(module, isfunction):
                if name.startswith("test_") and (failed := _fails(test)):
                    return f"{module.__name__.rsplit('.', 1)[-1]}::{name}{failed}"
    return None


def _fails(test: Callable[..., object]) -> str:
    """What fails: "" if nothing does, "[...]" with the arguments otherwise."""
    for arguments in _cases(test):
        if set(arguments) != set(signature(test).parameters):
            return ""
        try:
            test(**arguments)
        except Exception:
            return f"[{', '.join(map(str, arguments.values()))}]"[:80]
    return ""


def _cases(test: Callable[..., object]) -> Iterator[dict[str, object]]:
    """The arguments of each case of a parametrized test."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    axes = []
    for mark in marks:
        names = mark.args[0]
        several = not isinstance(names, str) or "," in names
        split = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
        axis = []
        for case in mark.args[1]:
            values = case.values if hasattr(case, "marks") else (case if several else (case,))
            axis.append(dict(zip(split, values, strict=True)))
        axes.append(axis)
    for combination in product(*axes):
        yield {name: value for one in combination for name, value in one.items()}
