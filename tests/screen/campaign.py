"""`make explore`: the search from every seed, seed after seed, kept on disk so that it can be gone on with.

    python -m tests.screen.campaign [--depth 5] [--seed-name "in mid visit"] [--minutes 60] [--jobs 1]

What a finished seed found lies in `build/explore`, in a folder named by depth, profile and a digest of the
sources, so that nothing found in another core is believed. A seed finished is not searched again, and a state
that a finished seed has tried with as many steps still to go, or more, is not tried again from the next one:
all that follows from it within this depth has been seen. A seed that is interrupted begins anew.

The table turned by half a circle (N for S, E for W) is not counted as the same table. It would merge nothing:
the turned twin of a state has the opposite dealer, and within this depth a seed reaches only its own board
and the next, whose dealers sit side by side; and who may work the window (W and S) does not turn with it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from hashlib import blake2b
from heapq import merge
from pathlib import Path

from tests.screen.explore import Broken, Explorer, Figures
from tests.screen.seeds import SEEDS

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "explore"
SOURCES = ("table_controller/laws", "table_controller/regulations", "table_controller/screen")
SEARCH = (
    "alphabet",
    "coarse",
    "continuing",
    "driving",
    "essence",
    "explore",
    "invariants",
    "oracle",
    "seeds",
)
NEWS_EVERY_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One seed to be searched. `until`: monotonic seconds, None without end."""

    seed: str
    profile: str
    depth: int
    folder: Path
    until: float | None = None
    full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What became of one: `broken` names the rule and the path."""

    seed: str
    figures: Figures
    seconds: float
    broken: str | None = None

    def __str__(self) -> str:
        told = f"{self.seed}: {self.figures}, {self.seconds:,.0f} s"
        return told if self.broken is None else f"{told}\n  BROKEN: {self.broken}"


def digest_of_sources() -> str:
    """Of all that decides what a search finds."""
    found = blake2b(digest_size=6)
    core = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    search = [Path(__file__).with_name(f"{name}.py") for name in SEARCH]
    for path in sorted((*core, *search)):
        if path.suffix in (".py", ".toml"):
            found.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


class Elsewhere:
    """The states that finished seeds have tried: by the number of steps before them, sorted numbers."""

    def __init__(self, folder: Path, depth: int) -> None:
        self._by_depth: list[array[int]] = []
        for steps in range(depth + 1):
            files = sorted(folder.glob(f"*.{steps}.states"))
            self._by_depth.append(array("Q", merge(*(_read(file) for file in files))))

    def __call__(self, key: int, steps: int) -> bool:
        return any(_holds(found, key) for found in self._by_depth[: steps + 1])


def _read(file: Path) -> array[int]:
    found = array("Q")
    found.frombytes(file.read_bytes())
    return found


def _holds(found: array[int], key: int) -> bool:
    place = bisect_left(found, key)
    return place < len(found) and found[place] == key


def search(task: Task) -> Found:
    """Searches one seed and keeps what it found, if it came to its end.

    One that another run has finished meanwhile is not searched again: it would find all its states tried, and
    write noughts over its own figures.
    """
    if (known := finished(task.folder).get(task.seed)) is not None:
        return known
    started = time.monotonic()
    gc.set_threshold(100_000, 50, 1_000)  # nothing of the search is in a circle: an eighth of its time
    explorer = Explorer(task.profile, full=task.full, elsewhere=Elsewhere(task.folder, task.depth))
    news = _News(task, started)
    (seed,) = (one for one in SEEDS if one.name == task.seed)
    broken = None
    try:
        explorer.run([seed], task.depth, enough=news)
    except Broken as problem:
        broken = str(problem)
        explorer.figures.complete = False
    found = Found(seed=task.seed, figures=explorer.figures, seconds=time.monotonic() - started, broken=broken)
    if explorer.figures.complete:
        _keep(task, explorer.layers, found)
    return found


def _keep(task: Task, layers: list[list[int]], found: Found) -> None:
    """The figures come last: with them the seed is finished."""
    name = task.seed.replace(" ", "_").replace(",", "")
    for steps, keys in enumerate(layers):
        part = task.folder / f"{name}.part"
        part.write_bytes(array("Q", sorted(keys)).tobytes())
        part.rename(task.folder / f"{name}.{steps}.states")
    told = {"seed": task.seed, "seconds": round(found.seconds), **asdict(found.figures)}
    (task.folder / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n")


class _News:
    """Says on standard error how far a search is, and when its time is up."""

    def __init__(self, task: Task, started: float) -> None:
        self._task = task
        self._started = self._told = started

    def __call__(self, figures: Figures, done: int, of: int) -> bool:
        now = time.monotonic()
        if now - self._told > NEWS_EVERY_S:
            self._told = now
            rate = figures.events / (now - self._started)
            step = len(figures.by_depth)
            print(
                f"  {self._task.seed}: step {step} of {self._task.depth}, {done:,} of {of:,} states tried; "
                f"{figures.states:,} states, {figures.events:,} events, {rate:,.0f} events/s",
                file=sys.stderr,
                flush=True,
            )
        return self._task.until is not None and now > self._task.until


def finished(folder: Path) -> dict[str, Found]:
    """The seeds already searched to their end, by name."""
    found: dict[str, Found] = {}
    for file in folder.glob("*.json"):
        told = json.loads(file.read_text())
        seed, seconds = told.pop("seed"), told.pop("seconds")
        found[seed] = Found(seed=seed, figures=Figures(**told), seconds=seconds)
    return found


def campaign(chosen: argparse.Namespace) -> Iterator[Found]:
    """What each seed gave, as it is known; those finished before first."""
    name = f"{chosen.profile}-{chosen.alphabet}-depth-{chosen.depth}-{digest_of_sources()}"
    folder: Path = chosen.folder / name
    folder.mkdir(parents=True, exist_ok=True)
    names = chosen.seed_name or [seed.name for seed in SEEDS]
    before = finished(folder)
    yield from (before[name] for name in names if name in before)
    full = chosen.alphabet == "full"
    until = None if chosen.minutes is None else time.monotonic() + chosen.minutes * 60
    tasks = [
        Task(seed=name, profile=chosen.profile, depth=chosen.depth, folder=folder, until=until, full=full)
        for name in names
        if name not in before
    ]
    if chosen.jobs == 1:
        yield from map(search, tasks)
        return
    with ProcessPoolExecutor(max_workers=chosen.jobs, max_tasks_per_child=1) as pool:
        for done in as_completed([pool.submit(search, task) for task in tasks]):
            yield done.result()


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Every state of the core, from every seed, to a depth.",
        epilog="example: python -m tests.screen.campaign --depth 4 --minutes 10",
    )
    known = [seed.name for seed in SEEDS]
    parser.add_argument("--depth", type=int, default=5, help="events after the seed")
    parser.add_argument("--profile", default="ccba-2006", help="the regulations in force")
    parser.add_argument("--seed-name", action="append", choices=known, help="only this one; may come again")
    parser.add_argument(
        "--alphabet",
        choices=("deep", "full"),
        default="deep",
        help="one letter for each thing that can go on from here, or every event there is",
    )
    parser.add_argument("--minutes", type=float, help="stop after so long; the next run goes on")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes, a seed at a time each"
    )
    parser.add_argument("--folder", type=Path, default=KEPT, help="where what was found is kept")
    return parser


def main() -> None:
    chosen = arguments().parse_args()
    total, broken = Figures(), False
    complete: list[str] = []
    for found in campaign(chosen):
        print(found, flush=True)
        total.states += found.figures.states
        total.events += found.figures.events
        broken = broken or found.broken is not None
        if found.figures.complete:
            complete.append(found.seed)
    wanted = chosen.seed_name or [seed.name for seed in SEEDS]
    print(
        f"{total.states:,} states, {total.events:,} events; {len(complete)} of {len(wanted)} seeds complete"
    )
    for name in wanted:
        if name not in complete:
            print(f"  not complete: {name}")
    raise SystemExit(1 if broken else 0 if len(complete) == len(wanted) else 3)


if __name__ == "__main__":
    main()
