"""One run of the console: journal, desk, link and pages, put together and taken apart in order."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from starlette.applications import Starlette

from director_console.desk import Desk
from director_console.link import BrokerWire
from director_console.store.book import Book, StoreError, hold, open_book, open_reader
from director_console.store.people import Role, add_user, make_code, user
from director_console.web.app import build
from director_console.web.rate import RateLimit
from director_console.web.state import Console
from director_console.web.waking import Live
from table_controller.messages.keywatch import KeyWatch
from table_controller.messages.mac import KeyRing, load_keys
from table_controller.messages.topics import Place
from table_controller.mqtt_client import Address, TlsFiles
from table_controller.plain.given_paths import is_there
from table_controller.regulations.load import load as load_regulations

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `director-console run` was told."""

    address: Address | None
    place: Place
    data: Path
    keys: Path | None
    console: str = "console"
    demo: bool = False
    secure: bool = False
    regulations: str = "ccba-2006"
    lang: str = "en"
    tls: TlsFiles | None = None
    mqtt_version: int = 4


def now_ms() -> int:
    return time.time_ns() // NS_PER_MS


def mono_ms() -> int:
    return time.monotonic_ns() // NS_PER_MS


def keys_of(options: Options) -> KeyRing:
    """The keys given, or those beside the journal; made there, without a table, where there are none yet.

    Raises StoreError, PathUnusable, KeysUnusable.
    """
    path = options.keys or options.data / "keys.json"
    if options.keys is None and not is_there(path):
        _first_keys(path)
    return load_keys(path)


def _first_keys(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f'{{"venue":"{secrets.token_hex(32)}","tables":{{}}}}\n')
    except FileExistsError:
        raise StoreError(f"{path.parent}: this is no directory; give one with --data") from None
    except OSError as problem:
        raise StoreError(
            f"{path.parent}: the console's files cannot be written there ({problem.strerror}); give a "
            "directory that can be written with --data"
        ) from None


class Running:
    """`start()` begins everything but the web server, which is the caller's; `stop()` ends it."""

    def __init__(self, options: Options) -> None:
        """Raises StoreError where another console runs on this directory, or nothing can be kept in it."""
        with ExitStack() as undone:
            self._lock = undone.enter_context(hold(options.data))
            self._put_together(options)
            undone.pop_all()

    def _put_together(self, options: Options) -> None:
        keys = keys_of(options)
        self.options = options
        self.book: Book = open_book(options.data)
        self.desk = Desk(self.book, keys, options.place, options.console, now=now_ms, mono=mono_ms)
        self.desk.key_watch = KeyWatch(options.keys or options.data / "keys.json")
        self.wire: BrokerWire | None = None
        if options.address is not None:
            self.wire = BrokerWire(
                options.address,
                options.place,
                keys,
                self.desk.dispatch,
                self.desk.inbox.put,
                now_ms,
                version=options.mqtt_version,
                tls=options.tls,
            )
            self.desk.wire = self.wire
        self.console = Console(
            desk=self.desk,
            reader=open_reader(options.data),
            directory=options.data,
            venue=options.place.venue,
            event=options.place.event,
            demo=options.demo,
            secure=options.secure,
            version=version("screen-table"),
            started=now_ms(),
            rate=RateLimit(),
            live=Live(),
            regulations=load_regulations(options.regulations),
            lang=options.lang,
        )
        self.app: Starlette = build(self.console)

    def one_time_code(self, name: str, role: Role) -> str:
        """A code for this user, who is made if there is none yet. Before `start`."""
        with self.book.deed():
            if user(self.book.db, name) is None:
                add_user(self.book, name, role, "", now_ms(), "console")
            return make_code(self.book, name, now_ms())

    def has_users(self) -> bool:
        return self.book.db.execute("SELECT 1 FROM users WHERE disabled = 0").fetchone() is not None

    def start(self) -> None:
        self.desk.start()
        if self.wire is not None:
            self.wire.start()

    def stop(self) -> None:
        if self.wire is not None:
            self.wire.stop()
        self.desk.stop()
        self.console.reader.close()
        self.book.close()
        self._lock.close()
