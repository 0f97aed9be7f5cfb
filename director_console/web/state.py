"""What the pages share: the desk, a reading connection, templates, and the settings of this run."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import HTTPConnection

from director_console.desk import Desk
from director_console.projection.hall import TableNow
from director_console.store.people import Login
from director_console.web.rate import RateLimit
from director_console.web.waking import Live
from table_controller.regulations.model import Regulations
from table_controller.regulations.provision import nanoseconds


@dataclass(slots=True, kw_only=True)
class Console:
    """One run of the console. `reader` is used on the event loop's thread only."""

    desk: Desk
    reader: sqlite3.Connection
    directory: Path
    venue: str
    event: str
    demo: bool
    secure: bool
    version: str
    started: int
    rate: RateLimit
    live: Live
    regulations: Regulations
    lang: str = "en"
    """Of the pages, where a browser asks for none that we speak."""

    @property
    def reference(self) -> int:
        """The tempo reference of the profile in force, ns."""
        return nanoseconds(self.regulations.tempo.reference_s.value)

    def revealed(self, login: Login, table: TableNow) -> bool:
        """Whether this login has given a reason to see tempo and hands of the board on this table."""
        found = self.reader.execute(
            'SELECT 1 FROM reveals WHERE login = ? AND "table" = ? AND epoch = ? AND board = ?',
            (login.id, table.name, table.epoch, str(table.board)),
        ).fetchone()
        return found is not None


def console_of(connection: HTTPConnection) -> Console:
    console = connection.app.state.console
    assert isinstance(console, Console)
    return console
