"""Mutants of the Laws and of the core, tried against the fast tests: which change would nobody notice?

`mutmut` makes the mutants and runs the tests each one can reach; what is ours is a copy of the tree to do it
in (so that nobody's work is touched), a seeded sample, and a report that shows each survivor's change. Must
never mutate the tree itself, and never count a mutant killed because the machine was slow: timeouts stand
apart.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "mutation"
"""Ignored by git; kept between runs, so that the second is quicker."""

MUTATED = ("table_controller/laws", "table_controller/screen")
COPIED = ("firmware_bridge", "hw_sim", "table_controller", "tests", "docs/generated", "README.md")
LEFT_ALONE = ("table_controller/screen/diagram.py",)
"""It draws the table of phases for the docs, and one test compares the whole page."""

TESTS = (
    "tests/laws",
    "tests/screen/test_cases.py",
    "tests/screen/test_clean_deals.py",
    "tests/screen/test_phase.py",
    "tests/scenarios/test_scenarios.py",
    "tests/mutation/test_core_edges.py",
)
TOO_SLOW = (
    "tests/laws/test_contract_and_score.py::test_contract_and_declarer_agree_with_another_program",
    "tests/laws/test_contract_and_score.py::test_the_generated_auctions_hold_what_they_should",
)

STEADY = """from hypothesis import settings

settings.register_profile("mutants", derandomize=True, deadline=None, database=None, max_examples=40)
settings.load_profile("mutants")
"""
"""The same examples for each mutant, and no deadline on a busy machine."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


def settings() -> str:
    """The scratch folder's pyproject.toml."""
    deselected = [f"--deselect={name}" for name in TOO_SLOW]
    lines = [
        "[tool.pytest.ini_options]",
        "timeout = 300",
        'markers = ["long: long", "browser: browser", "mosquitto: mosquitto"]',
        "[tool.mutmut]",
        'source_paths = ["table_controller"]',
        f"only_mutate = {json.dumps([f'{folder}/*.py' for folder in MUTATED])}",
        f"do_not_mutate = {json.dumps(list(LEFT_ALONE))}",
        f"also_copy = {json.dumps(['firmware_bridge', 'hw_sim', 'docs', 'README.md', 'conftest.py'])}",
        f"pytest_add_cli_args_test_selection = {json.dumps(list(TESTS))}",
        f"pytest_add_cli_args = {json.dumps(['-p', 'no:cacheprovider', '-m', 'not long', *deselected])}",
        # Forked from a process that ran no test: nothing a sound core has cached may hide a mutant.
        'process_isolation = "forkserver"',
        "track_dependencies = false",
        "use_git_change_detection = false",
    ]
    return "\n".join(lines) + "\n"


def copy_tree() -> None:
    """The tree as it is now; times are kept, so that only what changed is mutated anew."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        source, copy = ROOT / name, SCRATCH / name
        if source.is_dir():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            shutil.copy2(source, copy)
    (SCRATCH / "pyproject.toml").write_text(settings(), encoding="utf-8")
    (SCRATCH / "conftest.py").write_text(STEADY, encoding="utf-8")


def every_mutant() -> list[str]:
    """The names mutmut will give its mutants, in a fixed order."""
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    found: list[str] = []
    for folder in MUTATED:
        for path in sorted((SCRATCH / folder).rglob("*.py")):
            relative = path.relative_to(SCRATCH)
            if str(relative) in LEFT_ALONE:
                continue
            made = mutate_file_contents(str(relative), path.read_text(encoding="utf-8"))
            found += [get_mutant_name(relative, name) for name in made.mutant_names]
    return found


def run(names: Iterable[str], children: int) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "mutmut"
    command = [str(program), "run", "--max-children", str(children), *names]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def change_of(name: str) -> str:
    """The mutant as a difference from the source."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    return str(get_diff_for_mutant(name))


def verdicts(names: Iterable[str]) -> dict[str, str]:
    """killed, survived, timeout, no tests ... of each of these mutants."""
    from mutmut.stats import status_by_exit_code

    codes: dict[str, int | None] = {}
    for meta in (SCRATCH / "mutants").rglob("*.py.meta"):
        codes |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    return {name: status_by_exit_code[codes.get(name)] for name in names}


@app.command(epilog="Example: make mutate SAMPLE=300 SEED=7")
def main(
    sample: Annotated[int, typer.Option(help="How many mutants; 0 is all of them.", min=0)] = 200,
    seed: Annotated[int, typer.Option(help="Which ones.")] = 1,
    only: Annotated[str, typer.Option(help="Those whose name has this in it.")] = "",
    children: Annotated[int, typer.Option(help="How many at a time.", min=1)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Try a sample of mutants of table_controller/laws and table_controller/screen."""
    out = Console(soft_wrap=True, highlight=False, markup=False)
    say = Console(soft_wrap=True, highlight=False, markup=False, stderr=True)
    copy_tree()
    os.chdir(SCRATCH)  # mutmut reads its settings from where it stands
    names = [name for name in every_mutant() if only in name]
    if not names:
        say.print(f"No mutant has {only!r} in its name; leave --only out to draw from all.")
        raise typer.Exit(2)
    chosen = sorted(Random(seed).sample(names, sample)) if 0 < sample < len(names) else names
    say.print(f"{len(chosen)} of {len(names)} mutants, seed {seed}")
    ran = run(chosen, children)
    if ran.returncode != 0:
        say.print(ran.stdout[-4000:], ran.stderr[-4000:])
        say.print("mutmut could not run; see above.")
        raise typer.Exit(1)
    found = verdicts(chosen)
    counts = dict(Counter(found.values()))
    left = {
        name: f"# {name}: {verdict}\n{change_of(name)}"
        for name, verdict in found.items()
        if verdict != "killed"
    }
    if as_json:
        out.print_json(data={"seed": seed, "of": len(names), "counts": counts, "left": left})
        return
    for text in left.values():
        out.print(text)
    out.print(f"{len(chosen)} of {len(names)} mutants, seed {seed}: {counts}")


if __name__ == "__main__":
    app()
