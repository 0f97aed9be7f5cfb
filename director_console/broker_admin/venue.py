"""A venue's files read and written as one, under its lock.

A kill in the middle leaves a venue that works as before: what broker and console read is written first, the
register last. Must never leave the lock held, nor save after something was refused.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Literal

from director_console.broker_admin.authority import Authority, read_authority
from director_console.broker_admin.broker_files import access_list, configuration
from director_console.broker_admin.layout import AccessError, Layout, locked, read, write
from director_console.broker_admin.reading import FILE
from director_console.broker_admin.register import Register, Role, read_register
from table_controller.messages.mac import KeyRing
from table_controller.messages.topics import Place

EARLIEST = 2025
"""A clock before this year has not been set: what it dates would be over before it begins."""


class Opened:
    """A venue under its lock; what has become of its register is saved at the end, if nothing was raised."""

    def __init__(self, root: Path, now: datetime) -> None:
        check_clock(now)
        self.layout = Layout(root)
        self._lock = locked(self.layout)

    def __enter__(self) -> Opened:
        self._lock.__enter__()
        try:
            self.register = read_register(read(self.layout.venue), str(self.layout.venue))
            self.authority = authority_of(self.layout)
            self._before = self.register
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> Literal[False]:
        try:
            if kind is None and self.register != self._before:
                save(self.layout, self.authority, self.register)
        finally:
            self._lock.__exit__(None, None, None)
        return False


def look(root: Path) -> Register:
    """The register as it is. Raises AccessError."""
    layout = Layout(root)
    return read_register(read(layout.venue), str(layout.venue))


def write_keys(layout: Layout, keys: KeyRing) -> None:
    tables = {name: key.hex() for name, key in sorted(keys.tables.items())}
    write(layout.keys, json.dumps({"venue": keys.venue.hex(), "tables": tables}, indent=1) + "\n")


def check_clock(now: datetime) -> None:
    """Raises AccessError."""
    if now.year < EARLIEST:
        raise AccessError(f"this computer's clock says {now:%Y-%m-%d}; set it before making certificates")


def authority_of(layout: Layout) -> Authority:
    """Raises AccessError."""
    try:
        return read_authority(read(layout.authority).decode(), read(layout.authority_key))
    except ValueError as problem:
        raise AccessError(f"{layout.authority_key}: {problem}; put a copy back") from None


def save(layout: Layout, authority: Authority, register: Register) -> None:
    place = Place(venue=register.venue, event=register.event)
    by = {role: [n for n, h in register.holders.items() if h.role is role and not h.revoked] for role in Role}
    gone = [name for name, holder in register.holders.items() if holder.revoked is not None]
    for room in ("broker", "console", "wall"):
        write(layout.trusted(room), authority.pem)
    host = in_address(register.listen or "localhost")
    said = {
        "venue": register.venue,
        "event": register.event,
        "broker": f"mqtts://{host}:{register.broker_port}",
    }
    write(layout.root / "console" / FILE, json.dumps(said) + "\n")
    write(layout.access_list, access_list(place, by[Role.CONSOLE], by[Role.WALL], gone))
    write(
        layout.config,
        configuration(
            layout, register.broker_port, len(register.tables()), register.broker_user, register.listen
        ),
    )
    write(layout.revoked, authority.revocations(register.edition, (one.serial for one in register.revoked)))
    write(layout.venue, register.model_dump_json(indent=1) + "\n")


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
