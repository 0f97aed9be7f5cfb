"""Which kinds of the catalogue the scenarios report, under which profile: a page of the documents, generated.

    python -m hw_sim.scenario.coverage --write docs/generated

Every scenario is played on the core under every profile. Must never count what was not reported.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.model import Scenario
from hw_sim.scenario.parse import read_scenario
from hw_sim.scenario.reference import reference
from hw_sim.scenario.result import Result
from table_controller.screen.entry import Kind

PROFILES = ("ccba-2006", "wbf", "ebl-2016", "acbl", "dbf")
ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "tests" / "scenarios"
FOLDERS = {
    "cases": "Cases that happened, with their neighbours",
    "kinds": "One for each kind of the catalogue",
    "profiles": "One for each difference between profiles",
    "interpretation": "How the record is read, sentence by sentence",
}
PAGE, LANGUAGE = "coverage.md", "scenario-language.md"
_HEAD = """# What the scenarios cover

Made by `python -m hw_sim.scenario.coverage`. Every scenario was played on the core under every profile; each
is written for one of them, and comes out as written there.

"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One scenario under every profile."""

    scenario: Scenario
    results: dict[str, Result]

    @property
    def own(self) -> Result:
        return self.results[self.scenario.regulations]


def play_everywhere(paths: Iterable[Path]) -> list[Played]:
    """Each scenario under its own profile and the others."""
    found: list[Played] = []
    for path in paths:
        scenario = read_scenario(path)
        profiles = dict.fromkeys((scenario.regulations, *PROFILES))
        results = {profile: play_on_core(scenario, profile) for profile in profiles}
        found.append(Played(scenario=scenario, results=results))
    return found


def kinds_in(result: Result) -> tuple[Kind, ...]:
    """The kinds reported, in the order of the catalogue."""
    reported = {kind for entry in result.seen.entries.values() for kind in entry.kinds}
    return tuple(kind for kind in Kind if kind in reported)


def page(played: Sequence[Played]) -> str:
    """The whole page, in Markdown."""
    parts = [_HEAD, _summary(played), "\n", _by_kind(played)]
    for folder, title in FOLDERS.items():
        rows = [one for one in played if one.scenario.path.parent.name == folder]
        if rows:
            parts += [f"\n## {title}\n\n", _by_scenario(rows)]
    return "".join(parts)


def _summary(played: Sequence[Played]) -> str:
    written = Counter(one.scenario.regulations for one in played)
    named = ", ".join(f"{written[profile]} for {profile}" for profile in PROFILES)
    return f"{len(played)} scenarios: {named}.\n"


def _by_kind(played: Sequence[Played]) -> str:
    lines = [
        "## Kind by profile\n",
        "In how many scenarios a kind is reported under each profile, before the stroke those\n"
        "written for it.\n"
        "*off*: the check is off there at a table with every sense and a motor.\n",
        f"| kind | {' | '.join(PROFILES)} |",
        f"|---|{'---|' * len(PROFILES)}",
    ]
    off = {profile: _off(played, profile) for profile in PROFILES}
    for kind in Kind:
        cells = [_cell(played, kind, profile, kind in off[profile]) for profile in PROFILES]
        lines.append(f"| {_kind_link(played, kind)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _off(played: Sequence[Played], profile: str) -> set[str]:
    """What is off at a full table under this profile, by the table's own word."""
    views = (one.results[profile].seen.view for one in played if _is_plain(one.scenario))
    view = next(view for view in views if view is not None)
    return {check for check, why in view.off if not why.startswith("suspended")}


def _is_plain(scenario: Scenario) -> bool:
    return scenario.kind.value == "full" and not (scenario.without or scenario.more or scenario.supplements)


def _cell(played: Sequence[Played], kind: Kind, profile: str, off: bool) -> str:
    where = [one for one in played if kind in kinds_in(one.results[profile])]
    written = sum(one.scenario.regulations == profile for one in where)
    count = f"{written} / {len(where)}" if where else "-"
    return f"*off* {count}" if off and where else "*off*" if off else count


def _kind_link(played: Sequence[Played], kind: Kind) -> str:
    own = next((one.scenario for one in played if one.scenario.path.stem == kind.value), None)
    return f"`{kind}`" if own is None else f"[{kind}]({_place(own)})"


def _by_scenario(rows: Sequence[Played]) -> str:
    lines = ["| scenario | profile | shows | reports | under the others |", "|---|---|---|---|---|"]
    for one in rows:
        scenario = one.scenario
        cells = (
            f"[{scenario.path.stem}]({_place(scenario)})",
            scenario.regulations,
            scenario.shows.replace("|", "\\|"),
            _named(kinds_in(one.own)),
            _differences(one),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _named(kinds: Iterable[Kind]) -> str:
    return ", ".join(kinds) or "nothing"


def _differences(one: Played) -> str:
    """What else is reported, or not, under other profiles; and where the deeds cannot be done there."""
    own = set(kinds_in(one.own))
    said: dict[str, list[str]] = {}
    for profile in PROFILES:
        if profile == one.scenario.regulations:
            continue
        result = one.results[profile]
        there = set(kinds_in(result))
        parts = [f"+{kind}" for kind in Kind if kind in there - own]
        parts += [f"-{kind}" for kind in Kind if kind in own - there]
        if result.stopped_at is not None:
            parts.append(f"stops at line {result.stopped_at}")
        if parts:
            said.setdefault(", ".join(parts), []).append(profile)
    return "; ".join(f"{', '.join(profiles)}: {what}" for what, profiles in said.items()) or "the same"


def _place(scenario: Scenario) -> str:
    return f"../../{scenario.path.resolve().relative_to(ROOT).as_posix()}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m hw_sim.scenario.coverage")
    parser.add_argument("--write", type=Path, metavar="DIRECTORY", required=True)
    directory: Path = parser.parse_args().write
    paths = [path for folder in FOLDERS for path in sorted((SCENARIOS / folder).glob("*.scn"))]
    if not paths:
        parser.error(f"there are no scenarios in {SCENARIOS}; run this from a checkout")
    (directory / PAGE).write_text(page(play_everywhere(paths)), encoding="utf-8")
    (directory / LANGUAGE).write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
