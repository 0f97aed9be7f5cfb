"""Mutants of the Laws and of the core, tried against the fast tests: which change would nobody notice?

`mutmut` makes the mutants and runs the tests each one can reach; what is ours is a copy of the tree to do it
in (so that nobody's work is touched), a seeded sample, and a report that shows each survivor's change. Must
never mutate the tree itself, and never count a mutant killed because the machine was slow: timeouts stand
apart.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "mutation"
"""Ignored by git; kept between runs, so that the second is quicker."""

MUTATED = ("table_controller/laws", "table_controller/screen")
BESIDE = ("firmware_bridge", "hw_sim", "configs", "docs/generated", "README.md")
COPIED = ("table_controller", "tests", *BESIDE)
LEFT_ALONE = ("table_controller/screen/diagram.py",)
"""It draws the table of phases for the docs, and one test compares the whole page."""

TESTS = (
    "tests/laws",
    "tests/screen/test_cases.py",
    "tests/screen/test_cases_from_the_lead.py",
    "tests/screen/test_clean_deals.py",
    "tests/screen/test_phase.py",
    "tests/scenarios/test_scenarios.py",
    "tests/screen/test_refusals.py",
    "tests/screen/test_senses.py",
    "tests/screen/test_table.py",
    "tests/screen/test_taken_back_from_over.py",
    "tests/mutation/test_core_edges.py",
    "tests/mutation/test_more_edges.py",
    "tests/mutation/test_rare_edges.py",
    "tests/mutation/test_cards_and_corrections.py",
    "tests/mutation/test_leads_orders_and_records.py",
)
TOO_SLOW = (
    "tests/laws/test_contract_and_score.py::test_contract_and_declarer_agree_with_another_program",
    "tests/laws/test_contract_and_score.py::test_the_generated_auctions_hold_what_they_should",
    "tests/screen/test_table.py::test_two_thousand_events_a_second",
)
"""Too slow for every mutant; the last tells how fast the core is, and a core full of mutants is slower."""

UNREMARKABLE = ("killed", "not checked")

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
        f"also_copy = {json.dumps([*BESIDE, 'conftest.py'])}",
        f"pytest_add_cli_args_test_selection = {json.dumps(list(TESTS))}",
        f"pytest_add_cli_args = {json.dumps(['-p', 'no:cacheprovider', '-m', 'not long', *deselected])}",
        # Forked from a process that ran no test: nothing a sound core has cached may hide a mutant.
        'process_isolation = "forkserver"',
        "track_dependencies = false",
        "use_git_change_detection = false",
    ]
    return "\n".join(lines) + "\n"


def copy_tree() -> None:
    """The tree as it is now. A file that has not changed keeps its copy, so that it is not mutated anew."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        found = [ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*"))
        files = {path.relative_to(ROOT) for path in found if path.is_file() and path.suffix != ".pyc"}
        for path in files:
            if _copy(ROOT / path, SCRATCH / path) and path.suffix != ".py":
                (SCRATCH / "mutants" / path).unlink(missing_ok=True)  # mutmut would keep the old one
        for old in (SCRATCH / name).rglob("*") if (SCRATCH / name).is_dir() else ():
            if old.is_file() and old.relative_to(SCRATCH) not in files:
                old.unlink()
                (SCRATCH / "mutants" / old.relative_to(SCRATCH)).unlink(missing_ok=True)
    (SCRATCH / "pyproject.toml").write_text(settings(), encoding="utf-8")
    (SCRATCH / "conftest.py").write_text(STEADY, encoding="utf-8")


def _copy(source: Path, copy: Path) -> bool:
    """Whether it differed. With the time of now: whether it is newer than its mutants is what mutmut asks."""
    if copy.is_file() and filecmp.cmp(source, copy, shallow=False):
        return False
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    return True


def make_mutants(children: int) -> list[str]:
    """Write the mutants of what has changed since the last time; the names of all, in a fixed order."""
    from mutmut import __main__ as engine
    from mutmut.utils import file_utils

    (SCRATCH / "mutants").mkdir(exist_ok=True)
    with redirect_stdout(StringIO()):
        file_utils.copy_src_dir()
        file_utils.copy_also_copy_files()
        engine.create_mutants(children)
    return sorted(codes())


def codes() -> dict[str, int | None]:
    """Every mutant with the exit code of its tests, None where they have not been run."""
    found: dict[str, int | None] = {}
    for folder in MUTATED:
        for path in (SCRATCH / folder).rglob("*.py"):
            meta = SCRATCH / "mutants" / f"{path.relative_to(SCRATCH)}.meta"
            if meta.is_file():
                found |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def run(names: Iterable[str], children: int, minutes: float) -> str:
    """Run the tests on these mutants; what mutmut said if it could not, else "".

    Stops when the time is up.
    """
    command = [str(Path(sys.executable).parent / "mutmut"), "run", "--max-children", str(children), *names]
    with (SCRATCH / "mutmut.log").open("w+", encoding="utf-8") as log:
        running = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            running.wait(timeout=minutes * 60)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            running.send_signal(signal.SIGINT)  # it stops its workers and keeps what it has found
            running.wait(timeout=60)
            return ""
        log.seek(0)
        return "" if running.returncode == 0 else "\n".join(log.read().splitlines()[-40:])


def change_of(name: str) -> str:
    """The mutant as a difference from the source."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    return str(get_diff_for_mutant(name))


def verdict_of(code: int | None) -> str:
    """killed, survived, timeout, no tests, not checked ..."""
    from mutmut.stats import status_by_exit_code

    return str(status_by_exit_code[code])


@app.command(epilog="Example: make mutate SAMPLE=300 SEED=7")
def main(
    sample: Annotated[int, typer.Option(help="How many mutants; 0 is all of them.", min=0)] = 200,
    seed: Annotated[int, typer.Option(help="Which ones.")] = 1,
    only: Annotated[str, typer.Option(help="Those whose name has this in it.")] = "",
    children: Annotated[int, typer.Option(help="How many at a time.", min=1)] = 2,
    minutes: Annotated[float, typer.Option(help="Then stop, and report what was tried.", min=0)] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Try a sample of mutants of table_controller/laws and table_controller/screen."""
    out = Console(soft_wrap=True, highlight=False, markup=False)
    say = Console(soft_wrap=True, highlight=False, markup=False, stderr=True)
    copy_tree()
    os.chdir(SCRATCH)  # mutmut reads its settings from where it stands
    names = [name for name in make_mutants(children) if only in name]
    if not names:
        say.print(f"No mutant has {only!r} in its name; leave --only out to draw from all.")
        raise typer.Exit(2)
    chosen = sorted(Random(seed).sample(names, sample)) if 0 < sample < len(names) else names
    say.print(f"{len(chosen)} of {len(names)} mutants, seed {seed}")
    if problem := run(chosen, children, minutes):
        say.print(problem)
        say.print(
            f"mutmut could not run; see above. Do all these pass unchanged? pytest -x {' '.join(TESTS)}"
        )
        raise typer.Exit(1)
    after = codes()
    found = {name: verdict_of(after[name]) for name in chosen}
    counts = dict(Counter(found.values()))
    left = {name: change_of(name) for name, verdict in found.items() if verdict not in UNREMARKABLE}
    if as_json:
        out.print_json(data={"seed": seed, "of": len(names), "counts": counts, "left": left})
        return
    for name, text in left.items():
        out.print(f"# {name}: {found[name]}", text, sep="\n")
    out.print(f"{len(chosen)} of {len(names)} mutants, seed {seed}: {counts}")


if __name__ == "__main__":
    app()
