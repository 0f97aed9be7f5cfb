"""What the pages share: the desk, a reading connection, templates, and the settings of this run."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from director_console.desk import Desk
from director_console.web.rate import RateLimit

if TYPE_CHECKING:
    from director_console.web.live import Live


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


def console_of(connection: HTTPConnection) -> Console:
    console = connection.app.state.console
    assert isinstance(console, Console)
    return console
