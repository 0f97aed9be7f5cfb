"""Recorded games through tables, by whichever path, in the order of the record.

Must never give a table the record it plays, and never lose a game: each has one result, refused ones too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from hw_sim.core_runner import customs_of, play_game
from hw_sim.records.job import Job, Through
from hw_sim.records.live import through_tables
from hw_sim.records.model import Game
from hw_sim.records.results import GameResult

CHUNK = 16
OnPlayed = Callable[[], None]


def results(games: Iterable[Game], job: Job, on_played: OnPlayed = lambda: None) -> Iterator[GameResult]:
    """One result a game, in order; `on_played` is called as each has been played.

    Raises UnknownRegulations, and JointBroken by the metal.
    """
    if job.through is Through.CORE:
        for result in _through_core(games, job):
            on_played()
            yield result
        return
    yield from through_tables(games, job, on_played)


def _through_core(games: Iterable[Game], job: Job) -> Iterator[GameResult]:
    customs_of(job.regulations)  # refuse before anything is played
    one = partial(play_game, regulations=job.regulations, kind=job.kind)
    source = iter(games)
    first = list(itertools.islice(source, CHUNK))
    if job.workers == 1 or len(first) < CHUNK:
        yield from map(one, itertools.chain(first, source))
        return
    with ProcessPoolExecutor(job.workers) as pool:
        yield from pool.map(one, itertools.chain(first, source), chunksize=CHUNK)
