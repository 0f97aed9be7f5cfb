"""Acts of directors: steps with cases and alarms, rulings, commands, notices. Only ever added to.

A ruling is a row here before it is a command on the wire. Every function that writes is called inside a deed
and gives back the projection's input, so that what is kept and what is shown cannot differ.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from director_console.projection.inputs import (
    AlarmAct,
    AlarmStepped,
    CaseStepped,
    CommandSeen,
    Input,
    NoticeKind,
    NoticeSeen,
    Progress,
    RulingMade,
    Step,
)
from director_console.store.book import Book
from table_controller.messages.codec import Json


def step_case(book: Book, stepped: CaseStepped) -> CaseStepped:
    book.db.execute(
        'INSERT INTO case_steps ("table", epoch, entry, step, owner, text, by, at) VALUES (?,?,?,?,?,?,?,?)',
        (
            stepped.table,
            stepped.epoch,
            stepped.entry,
            stepped.step,
            stepped.owner,
            stepped.text,
            stepped.by,
            stepped.at,
        ),
    )
    book.audit(
        stepped.at,
        stepped.by,
        f"case {stepped.step}",
        case=f"{stepped.table}/{stepped.epoch}/{stepped.entry}",
        owner=stepped.owner,
    )
    return stepped


def step_alarm(book: Book, stepped: AlarmStepped) -> AlarmStepped:
    book.db.execute(
        'INSERT INTO alarm_steps ("table", epoch, fault, act, until, text, by, at) VALUES (?,?,?,?,?,?,?,?)',
        (
            stepped.table,
            stepped.epoch,
            stepped.fault,
            stepped.act,
            stepped.until,
            stepped.text,
            stepped.by,
            stepped.at,
        ),
    )
    book.audit(
        stepped.at,
        stepped.by,
        f"alarm {stepped.act}",
        alarm=f"{stepped.table}/{stepped.epoch}/{stepped.fault}",
        until=stepped.until,
    )
    return stepped


def make_ruling(book: Book, ruling: RulingMade) -> RulingMade:
    """Keep it under the next version of its case; `ruling.version` is not looked at."""
    version = book.db.execute(
        'SELECT coalesce(max(version), 0) + 1 FROM rulings WHERE "table" = ? AND epoch = ? AND entry = ?',
        (ruling.table, ruling.epoch, ruling.entry),
    ).fetchone()[0]
    book.db.execute(
        'INSERT INTO rulings ("table", epoch, entry, version, verdict, text, by, at, command) '
        "VALUES (?,?,?,?,?,?,?,?,?)",
        (
            ruling.table,
            ruling.epoch,
            ruling.entry,
            version,
            ruling.verdict,
            ruling.text,
            ruling.by,
            ruling.at,
            ruling.command,
        ),
    )
    book.audit(
        ruling.at,
        ruling.by,
        "ruling",
        case=f"{ruling.table}/{ruling.epoch}/{ruling.entry}",
        version=version,
        verdict=ruling.verdict,
    )
    return RulingMade(
        table=ruling.table,
        epoch=ruling.epoch,
        entry=ruling.entry,
        version=version,
        verdict=ruling.verdict,
        text=ruling.text,
        by=ruling.by,
        at=ruling.at,
        command=ruling.command,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommand:
    """A command to one table. `issued`, `deadline`, `sent`: Unix ms. `summary`: in a few words."""

    id: str
    table: str
    epoch: str
    verb: str
    args: dict[str, Json]
    summary: str
    expect_rev: int | None
    by: str
    issued: int
    deadline: int
    entry: int | None
    hardware: bool
    progress: Progress = Progress.STORED
    reason: str = ""
    code: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    attempts: int = 0
    sent: int | None = None
    changed: int = 0

    def seen(self) -> CommandSeen:
        return CommandSeen(
            id=self.id,
            table=self.table,
            epoch=self.epoch,
            verb=self.verb,
            summary=self.summary,
            by=self.by,
            at=self.issued,
            progress=self.progress,
            reason=self.reason,
            code=self.code,
            slots=tuple(self.slots.items()),
            entry=self.entry,
            changed=self.changed,
            hardware=self.hardware,
        )


def give_command(book: Book, command: StoredCommand) -> CommandSeen:
    book.db.execute(
        "INSERT INTO commands VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            command.id,
            command.table,
            command.epoch,
            command.verb,
            json.dumps(command.args, ensure_ascii=False),
            command.summary,
            command.expect_rev,
            command.by,
            command.issued,
            command.deadline,
            command.entry,
            int(command.hardware),
            command.progress,
            command.reason,
            command.attempts,
            command.sent,
            command.issued,
            command.code,
            json.dumps(dict(command.slots), ensure_ascii=False),
        ),
    )
    book.audit(command.issued, command.by, f"command {command.verb}", table=command.table, id=command.id)
    return command.seen()


def command_of(db: sqlite3.Connection, id_: str) -> StoredCommand | None:
    row = db.execute("SELECT * FROM commands WHERE id = ?", (id_,)).fetchone()
    return None if row is None else _command(row)


def open_commands(db: sqlite3.Connection) -> tuple[StoredCommand, ...]:
    """What has been given and has not ended, oldest first."""
    going = [progress.value for progress in Progress if not progress.ended]
    marks = ",".join("?" * len(going))
    rows = db.execute(f"SELECT * FROM commands WHERE progress IN ({marks}) ORDER BY issued, id", going)
    return tuple(_command(row) for row in rows)


def commands_of(db: sqlite3.Connection, table: str | None = None) -> tuple[StoredCommand, ...]:
    where, values = ("", ()) if table is None else ('WHERE "table" = ?', (table,))
    rows = db.execute(f"SELECT * FROM commands {where} ORDER BY issued, id", values)
    return tuple(_command(row) for row in rows)


def mark_sent(book: Book, id_: str, at: int) -> None:
    book.db.execute(
        "UPDATE commands SET sent = ?, attempts = attempts + 1, changed = ?, "
        "progress = CASE progress WHEN 'stored' THEN 'sent' ELSE progress END WHERE id = ?",
        (at, at, id_),
    )


def mark_progress(
    book: Book,
    id_: str,
    progress: Progress,
    reason: str,
    at: int,
    code: str = "",
    slots: Mapping[str, str] | None = None,
) -> None:
    """How the table answered. An answer after the end changes it still: the table's word is the last one.

    `reason`: in the table's own words; `code` and `slots` the same for a reader of any language.
    """
    book.db.execute(
        "UPDATE commands SET progress = ?, reason = ?, changed = ?, code = ?, slots = ? WHERE id = ?",
        (progress, reason, at, code, json.dumps(dict(slots or {}), ensure_ascii=False), id_),
    )


_CommandRow = tuple[
    str, str, str, str, str, str, int | None, str, int, int, int | None, int, str, str, int, int | None, int,
    str, str,
]  # fmt: skip


def _command(row: _CommandRow) -> StoredCommand:
    return StoredCommand(
        id=row[0],
        table=row[1],
        epoch=row[2],
        verb=row[3],
        args=json.loads(row[4]),
        summary=row[5],
        expect_rev=row[6],
        by=row[7],
        issued=row[8],
        deadline=row[9],
        entry=row[10],
        hardware=bool(row[11]),
        progress=Progress(row[12]),
        reason=row[13],
        attempts=row[14],
        sent=row[15],
        changed=row[16],
        code=row[17],
        slots=json.loads(row[18]),
    )


def raise_notice(book: Book, kind: NoticeKind, table: str, detail: str, at: int) -> NoticeSeen | None:
    """Say it once: while the same notice about the same table is unacknowledged, nothing new is made."""
    same = book.db.execute(
        "SELECT 1 FROM notices WHERE kind = ? AND \"table\" = ? AND acknowledged_by = ''", (kind, table)
    ).fetchone()
    if same is not None:
        return None
    done = book.db.execute(
        "INSERT INTO notices (kind, \"table\", detail, at, acknowledged_by) VALUES (?, ?, ?, ?, '')",
        (kind, table, detail, at),
    )
    book.audit(at, "console", f"notice {kind}", table=table, detail=detail)
    return NoticeSeen(id=int(done.lastrowid or 0), kind=kind, table=table, detail=detail, at=at)


def acknowledge_notice(book: Book, id_: int, by: str, at: int) -> NoticeSeen | None:
    row = book.db.execute('SELECT kind, "table", detail, at FROM notices WHERE id = ?', (id_,)).fetchone()
    if row is None:
        return None
    book.db.execute("UPDATE notices SET acknowledged_by = ? WHERE id = ?", (by, id_))
    book.audit(at, by, "notice acknowledged", notice=id_)
    return NoticeSeen(
        id=id_, kind=NoticeKind(row[0]), table=row[1], detail=row[2], at=row[3], acknowledged_by=by
    )


def all_acts(db: sqlite3.Connection) -> Iterator[Input]:
    """Every act kept, in the order in which the projection takes them at the start."""
    query = 'SELECT "table", epoch, entry, step, owner, text, by, at FROM case_steps ORDER BY n'
    for row in db.execute(query):
        yield CaseStepped(
            table=row[0],
            epoch=row[1],
            entry=row[2],
            step=Step(row[3]),
            owner=row[4],
            text=row[5],
            by=row[6],
            at=row[7],
        )
    query = 'SELECT "table", epoch, fault, act, until, text, by, at FROM alarm_steps ORDER BY n'
    for row in db.execute(query):
        yield AlarmStepped(
            table=row[0],
            epoch=row[1],
            fault=row[2],
            act=AlarmAct(row[3]),
            until=row[4],
            text=row[5],
            by=row[6],
            at=row[7],
        )
    yield from rulings(db)
    for command in commands_of(db):
        yield command.seen()
    for row in db.execute('SELECT id, kind, "table", detail, at, acknowledged_by FROM notices ORDER BY id'):
        yield NoticeSeen(
            id=row[0],
            kind=NoticeKind(row[1]),
            table=row[2],
            detail=row[3],
            at=row[4],
            acknowledged_by=row[5],
        )


def rulings(db: sqlite3.Connection) -> Iterator[RulingMade]:
    query = 'SELECT "table", epoch, entry, version, verdict, text, by, at, command FROM rulings ORDER BY n'
    for row in db.execute(query):
        yield RulingMade(
            table=row[0],
            epoch=row[1],
            entry=row[2],
            version=row[3],
            verdict=row[4],
            text=row[5],
            by=row[6],
            at=row[7],
            command=row[8],
        )
