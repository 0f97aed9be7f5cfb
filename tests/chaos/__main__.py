"""Chaos by hand: `python -m tests.chaos --seconds 60 --seed 7`, or `make chaos SECONDS=60 SEED=7`.

Prints what was killed and what was lost or doubled; exit code 1 if anything was.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from hw_sim.processes.broker import BrokerKind
from tests.chaos.hall import Hall
from tests.chaos.verdict import Verdict, judge, settled


def run(
    folder: Path,
    *,
    seconds: float,
    seed: int,
    tables: int = 20,
    rate: float = 50.0,
    broker: BrokerKind = BrokerKind.AUTO,
) -> tuple[Hall, Verdict, float]:
    """One run: `seconds` of facts and kills, then quiet until all has arrived (two minutes at most)."""
    hall = Hall(folder, tables=tables, seed=seed, rate=rate, command_every=1.0, broker=broker)
    names = list(hall.players)
    try:
        hall.start()
        hall.rage(seconds, kills_per_s=4.0)
        try:
            took = hall.calm(lambda: settled(folder, names), limit_s=120)
        except TimeoutError:
            took = -1.0
        return hall, judge(folder, names), took
    finally:
        hall.end()


def summary(hall: Hall, verdict: Verdict, took: float) -> str:
    kills = hall.counts.kills
    settled_in = f"settled {took:.1f} s after the last kill" if took >= 0 else "NOT settled"
    return (
        f"seed {hall.seed}, {hall.tables} tables: {sum(kills.values())} kills ({kills['table']} tables, "
        f"{kills['console']} console, {kills['broker']} broker), {hall.counts.freezes} freezes\n"
        f"{verdict.facts} facts in the ledgers, {verdict.rows} rows at the console, "
        f"{verdict.commands} commands; {settled_in}\n"
        f"lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, invented {len(verdict.invented)}, "
        f"gaps {len(verdict.gaps)}, contradicted {verdict.contradicted}, unsound {len(verdict.unsound)}; "
        f"commands done twice {len(verdict.commands_done_twice)}, open {verdict.commands_open}, "
        f"answered but not done {len(verdict.commands_not_done)}"
    )


def main() -> int:
    options = argparse.ArgumentParser(prog="tests.chaos", description=__doc__)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--tables", type=int, default=20)
    options.add_argument("--rate", type=float, default=50, help="facts a second, all tables together")
    options.add_argument("--broker", type=BrokerKind, default=BrokerKind.AUTO, choices=list(BrokerKind))
    given = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    begun = time.monotonic()
    hall, verdict, took = run(
        folder,
        seconds=given.seconds,
        seed=given.seed,
        tables=given.tables,
        rate=given.rate,
        broker=given.broker,
    )
    print(summary(hall, verdict, took))
    print(f"({time.monotonic() - begun:.0f} s)")
    if verdict.clean and took >= 0:
        shutil.rmtree(folder)
        return 0
    print(f"kept: {folder}\n{verdict}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
