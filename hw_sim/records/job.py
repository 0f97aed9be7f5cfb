"""Recorded games through tables, by whichever path, in the order of the record.

Must never give a table the record it plays, and never lose a game: each has one result, refused ones too.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from hw_sim.records.model import Game
from hw_sim.records.results import GameResult
from hw_sim.table.wiring import TableKind

CHUNK = 16
OnPlayed = Callable[[], None]


class Through(StrEnum):
    """How deep a game goes: to the core alone, or below the drivers of a real controller."""

    CORE = "core"
    WIRE = "wire"
    GPIO = "gpio"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How games are played. `tables` 0: as many as this machine does well. `speed` as in `Hall`.

    `keep`: a folder, not there yet, that keeps journals, ledgers and what was said (not by the core).
    """

    through: Through
    tables: int = 0
    speed: float = float("inf")
    regulations: str = "ccba-2006"
    kind: TableKind = TableKind.FULL
    keep: Path | None = None

    @property
    def workers(self) -> int:
        """How many tables there are."""
        if self.tables:
            return self.tables
        cores = os.cpu_count() or 1
        return cores if self.through is Through.CORE else 2 * cores


def results(games: Iterable[Game], job: Job, on_played: OnPlayed = lambda: None) -> Iterator[GameResult]:
    """One result a game, in order; `on_played` is called as each has been played.

    Raises UnknownRegulations, and JointBroken by the metal.
    """
    if job.through is Through.CORE:
        for result in _through_core(games, job):
            on_played()
            yield result
        return
    from hw_sim.records.live import through_tables

    yield from through_tables(games, job, on_played)


def _through_core(games: Iterable[Game], job: Job) -> Iterator[GameResult]:
    from hw_sim.core_runner import customs_of, play_game

    customs_of(job.regulations)  # refuse before anything is played
    one = partial(play_game, regulations=job.regulations, kind=job.kind)
    source = iter(games)
    first = list(itertools.islice(source, CHUNK))
    if job.workers == 1 or len(first) < CHUNK:
        yield from map(one, itertools.chain(first, source))
        return
    with ProcessPoolExecutor(job.workers) as pool:
        yield from pool.map(one, itertools.chain(first, source), chunksize=CHUNK)
