"""One deed of one user: what it may write, and what the projection learns from it.

Everything a page can cause goes through here, inside one transaction with its idempotency key.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from director_console.orders import GOOD_FOR_MS, is_hardware
from director_console.projection.case import Case
from director_console.projection.hall import Hall, TableNow
from director_console.projection.inputs import AlarmAct, AlarmStepped, CaseStepped, Input, RulingMade, Step
from director_console.store import acts
from director_console.store.acts import StoredCommand
from director_console.store.book import Book
from table_controller.messages import LONGEST_ARGS, args_too_long, ulid
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb


class Unable(ValueError):
    """What was asked cannot be done: a key into the console's words, and what to fill in."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class Act:
    """`hall`: as the deed found it; `now`: Unix ms; `inputs`: what to show once it is committed."""

    def __init__(self, book: Book, hall: Hall, now: int) -> None:
        self.book = book
        self.hall = hall
        self.now = now
        self.inputs: list[Input] = []
        self._ids = 0

    def new_id(self) -> str:
        """One that sorts after the earlier ones of this deed: what it orders is sent in that order."""
        place = min(self._ids, 255)
        self._ids += 1
        return ulid(self.now * 1_000_000, bytes((place,)) + secrets.token_bytes(9))

    def case(self, table: str, epoch: str, entry: int) -> Case:
        case = self.hall.cases.get((table, epoch, entry))
        if case is None:
            raise Unable("unable.no_case", entry=entry, table=table)
        return case

    def table(self, name: str) -> TableNow:
        table = self.hall.tables.get(name)
        if table is None:
            raise Unable("unable.no_table", table=name)
        return table

    def step(self, case: Case, step: Step, by: str, *, owner: str = "", text: str = "") -> None:
        stepped = CaseStepped(
            table=case.table,
            epoch=case.epoch,
            entry=case.entry.id,
            step=step,
            by=by,
            at=self.now,
            owner=owner,
            text=text,
        )
        self.inputs.append(acts.step_case(self.book, stepped))

    def alarm(
        self,
        table: str,
        epoch: str,
        fault: int,
        act: AlarmAct,
        by: str,
        *,
        until: int | None = None,
        text: str = "",
    ) -> None:
        if (table, epoch, fault) not in self.hall.alarms:
            raise Unable("unable.no_fault", fault=fault, table=table)
        stepped = AlarmStepped(
            table=table, epoch=epoch, fault=fault, act=act, by=by, at=self.now, until=until, text=text
        )
        self.inputs.append(acts.step_alarm(self.book, stepped))

    def command(
        self,
        table: TableNow,
        verb: Verb,
        args: Mapping[str, Json],
        by: str,
        *,
        summary: str = "",
        entry: int | None = None,
        expect_rev: int | None = None,
        epoch: str | None = None,
    ) -> str:
        """Keep a command for the table; its id. It is sent once this deed is committed."""
        if not table.epoch:
            raise Unable("unable.not_reported", table=table.name)
        if args_too_long(verb, args):
            raise Unable("unable.too_long", most=LONGEST_ARGS)
        command = StoredCommand(
            id=self.new_id(),
            table=table.name,
            epoch=epoch or table.epoch,
            verb=verb.value,
            args=dict(args),
            summary=summary or verb.value,
            expect_rev=table.rev_of_state if expect_rev is None and is_hardware(verb) else expect_rev,
            by=by,
            issued=self.now,
            deadline=self.now + GOOD_FOR_MS[verb],
            entry=entry,
            hardware=is_hardware(verb),
        )
        self.inputs.append(acts.give_command(self.book, command))
        return command.id

    def rule(self, case: Case, verdict: str, text: str, by: str, command: str) -> None:
        ruling = RulingMade(
            table=case.table,
            epoch=case.epoch,
            entry=case.entry.id,
            version=0,
            verdict=verdict,
            text=text,
            by=by,
            at=self.now,
            command=command,
        )
        self.inputs.append(acts.make_ruling(self.book, ruling))
