"""The judgement: what the players' ledgers say was told, against what the console's database holds."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from director_console.store.book import FILE
from table_controller.journal import inspect
from table_controller.journal.database import connect_to_read
from table_controller.messages.mac import parse_object
from tests.chaos.table_end import fact_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`lost`, `doubled`: facts as table:number. `gaps`: rows of journals the console has not. `commands`:
    in all.
    """

    facts: int
    rows: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    invented: tuple[str, ...]
    gaps: tuple[str, ...]
    contradicted: int
    unsound: tuple[str, ...]
    epochs: int
    commands: int
    commands_open: int
    commands_done_twice: tuple[str, ...]
    commands_not_done: tuple[str, ...]

    @property
    def clean(self) -> bool:
        broken = (*self.lost, *self.doubled, *self.invented, *self.gaps, *self.unsound)
        wrong = (*self.commands_done_twice, *self.commands_not_done)
        return not (broken or wrong or self.contradicted or self.commands_open)


def settled(folder: Path, tables: list[str]) -> bool:
    """Whether the console has every row of every journal and an answer to every command."""
    with closing(_console(folder)) as db:
        for table in tables:
            with closing(connect_to_read(folder / table / "journal.sqlite")) as journal:
                epoch, newest = journal.execute(
                    "SELECT epoch, (SELECT max(seq) FROM row) FROM journal"
                ).fetchone()
            held = db.execute(
                'SELECT count(*) FROM reports WHERE "table" = ? AND epoch = ?', (table, epoch)
            ).fetchone()[0]
            if held < (newest or 0):
                return False
        return _open_commands(db) == 0


def judge(folder: Path, tables: list[str]) -> Verdict:
    lost: list[str] = []
    doubled: list[str] = []
    invented: list[str] = []
    gaps: list[str] = []
    unsound: list[str] = []
    done: Counter[str] = Counter()
    facts = rows = epochs = 0
    with closing(_console(folder)) as db:
        for table in tables:
            told = [int(line) for line in (folder / table / "ledger").read_text().split()]
            known = set(told)
            facts += len(told)
            held = db.execute('SELECT epoch, seq, raw FROM reports WHERE "table" = ?', (table,)).fetchall()
            rows += len(held)
            epochs += len({epoch for epoch, _, _ in held})
            bodies = [parse_object(raw)["body"] for _, _, raw in held]
            found = Counter(fact for body in bodies if (fact := fact_of(body)) is not None)
            lost += [f"{table}:{fact}" for fact in told if not found[fact]]
            doubled += [f"{table}:{fact}" for fact, times in found.items() if times > 1]
            invented += [f"{table}:{fact}" for fact in found if fact not in known]
            seen = inspect(folder / table / "journal.sqlite", every=True)
            unsound += [f"{table}: {complaint}" for complaint in seen.complaints]
            numbers = {
                seq for epoch, seq, _ in held if seen.origin is not None and epoch == seen.origin.epoch
            }
            gaps += [f"{table}:{seq}" for seq in range(1, seen.seq + 1) if seq not in numbers]
            done.update(_commands_done(bodies))
        given = dict(db.execute("SELECT id, progress FROM commands").fetchall())
        still_open = _open_commands(db)
        contradicted = db.execute("SELECT count(*) FROM notices WHERE kind = 'contradicted'").fetchone()[0]
    return Verdict(
        facts=facts,
        rows=rows,
        lost=tuple(lost),
        doubled=tuple(doubled),
        invented=tuple(invented),
        gaps=tuple(gaps),
        contradicted=contradicted,
        unsound=tuple(unsound),
        epochs=epochs,
        commands=len(given),
        commands_open=still_open,
        commands_done_twice=tuple(name for name, times in done.items() if times > 1),
        commands_not_done=tuple(name for name, said in given.items() if said == "done" and not done[name]),
    )


def _open_commands(db: sqlite3.Connection) -> int:
    """Commands without an answer. A request for rows is good for thirty seconds and made anew while rows are
    missing, so that one which ran out while everything was being killed asks for nothing any more.
    """
    query = (
        "SELECT count(*) FROM commands WHERE progress NOT IN ('done', 'refused') "
        "AND NOT (verb = 'replay' AND progress IN ('unconfirmed', 'expired'))"
    )
    return int(db.execute(query).fetchone()[0])


def _commands_done(bodies: Sequence[object]) -> list[str]:
    found: list[str] = []
    for body in bodies:
        if isinstance(body, dict) and body.get("what") == "command":
            value = json.loads(json.dumps(body["value"]))
            if value["status"] == "done":
                found.append(value["id"])
    return found


def _console(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{folder / 'console' / FILE}?mode=ro", uri=True, timeout=5)
