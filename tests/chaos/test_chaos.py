"""Table, broker and console killed at random while twenty tables report: nothing lost, nothing doubled."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from director_console.store.book import FILE
from hw_sim.processes.broker import BrokerKind
from tests.chaos.__main__ import run, summary
from tests.chaos.hall import Hall
from tests.chaos.verdict import Verdict, judge, settled


@pytest.mark.parametrize(
    ("seconds", "seed", "at_least"),
    [(30, 1, 60), *(pytest.param(120, seed, 250, marks=pytest.mark.long) for seed in range(2, 7))],
)
def test_thirty_seeded_seconds_of_kills_lose_and_double_nothing(tmp_path, seconds, seed, at_least):
    hall, verdict, took = run(tmp_path, seconds=seconds, seed=seed)
    said = summary(hall, verdict, took)
    print(said)
    assert verdict.clean, f"{said}\n{verdict}"
    assert took >= 0, said
    assert sum(hall.counts.kills.values()) >= at_least
    assert min(hall.counts.kills.values()) > 0
    assert verdict.facts > 20 * seconds
    assert verdict.commands > seconds / 4
    assert verdict.epochs == hall.tables
    assert any("cut off" in player.finds for player in hall.players.values())


def test_the_same_holds_on_the_broker_that_needs_no_installing(tmp_path):
    hall, verdict, took = run(tmp_path, seconds=5, seed=41, broker=BrokerKind.EMBEDDED)
    said = summary(hall, verdict, took)
    assert verdict.clean, f"{said}\n{verdict}"
    assert took >= 0, said
    assert hall.counts.kills["broker"] > 0
    assert verdict.facts > 100


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("quiet")
    hall = Hall(folder, tables=2, seed=1, rate=60.0, command_every=0.1)
    names = list(hall.players)
    try:
        hall.start()
        hall.rage(2.0, kills_per_s=1e-9)
        hall.calm(lambda: settled(folder, names), limit_s=30)
    finally:
        hall.end()
    return folder, names


class TestTheJudge:
    """A judge who never convicts is worth nothing: each wrong he must find is done to a quiet hall's
    database.
    """

    def judged(self, quiet: tuple[Path, list[str]], statement: str) -> Verdict:
        folder, names = quiet
        database = folder / "console" / FILE
        with closing(sqlite3.connect(database, isolation_level=None)) as db:
            db.execute("BEGIN")
            db.execute(statement)
            db.execute("COMMIT")
        return judge(folder, names)

    def test_he_finds_nothing_where_nothing_is(self, quiet):
        verdict = judge(*quiet)
        assert verdict.clean, verdict
        assert verdict.facts > 20
        assert verdict.commands > 0

    def test_he_finds_a_lost_report_and_the_gap(self, quiet):
        verdict = self.judged(quiet, "DELETE FROM reports WHERE \"table\" = '1' AND seq = 3")
        assert len(verdict.gaps) == 1
        assert not verdict.clean

    def test_he_finds_a_doubled_report(self, quiet):
        copy = (
            "INSERT INTO reports SELECT \"table\", 'other', seq, stream, what, session, mono_ms, wall, clock,"
            " received, happened, verified, raw FROM reports WHERE \"table\" = '2'"
        )
        verdict = self.judged(quiet, copy)
        assert len(verdict.doubled) > 5
        assert not verdict.clean

    def test_he_finds_a_command_that_was_never_done(self, quiet):
        verdict = self.judged(
            quiet,
            "UPDATE commands SET id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE id = (SELECT min(id) FROM commands)",
        )
        assert verdict.commands_not_done == ("01ARZ3NDEKTSV4RRFFQ69G5FAV",)
