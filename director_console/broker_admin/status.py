"""How a venue's access stands: one line for each name, and a sentence for what is not as it should be.

Reads only. Must never show a code, a key or anything that could be used in their place.
"""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from rich.table import Table

from director_console.broker_admin.deeds import ROOM
from director_console.broker_admin.layout import AccessError, Layout, loose, read
from director_console.broker_admin.register import Holder, Register, Role
from director_console.broker_admin.reload import running
from director_console.broker_admin.venue import look
from table_controller.messages.mac import load_keys
from table_controller.plain.folded import folded
from table_controller.plain.given_paths import may_be_there

SOON = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`state`: enrolled, waiting, code expired or revoked; `days`: how long its certificate is still good."""

    name: str
    role: Role
    state: str
    days: int | None
    code_until: str

    def value(self) -> dict[str, object]:
        return {
            "name": self.name,
            "role": self.role.value,
            "state": self.state,
            "days": self.days,
            "code_until": self.code_until or None,
        }


def status_lines(root: Path, now: datetime) -> tuple[list[Line], list[str]]:
    """Everybody, and what a person should mend. Raises AccessError."""
    register = look(root)
    lines = [_line(name, holder, now) for name, holder in register.holders.items()]
    return lines, [*_ending(lines), *_wrong(Layout(root), register)]


def authority_fingerprint(root: Path) -> str:
    """As a browser shows it, to be compared by eye. Raises AccessError."""
    pem = read(Layout(root).trusted("console")).decode()
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()
    return ":".join(digest[start : start + 2] for start in range(0, len(digest), 2))


def status_table(lines: list[Line]) -> Table:
    page = Table("name", "what", "state", "days left", "code open until", box=None, pad_edge=False)
    for line in lines:
        days = "" if line.days is None else str(line.days)
        page.add_row(line.name, line.role.value, line.state, days, line.code_until)
    return folded(page)


def _line(name: str, holder: Holder, now: datetime) -> Line:
    code = holder.code
    is_open = code is not None and code.used is None and code.expires > now
    if holder.revoked is not None:
        state = "revoked"
    elif holder.serial is not None:
        state = "enrolled" if holder.role is Role.TABLE else "made"
    else:
        state = "waiting" if is_open else "code expired"
    days = None
    if holder.serial is not None and holder.until is not None:
        days = (holder.until - now).days
    until = f"{code.expires:%Y-%m-%d %H:%M} UTC" if code is not None and is_open else ""
    return Line(name=name, role=holder.role, state=state, days=days, code_until=until)


def _ending(lines: list[Line]) -> list[str]:
    return [
        f"{line.name}: its certificate ends in {line.days} days; `director-console broker renew` it"
        for line in lines
        if line.days is not None and line.days < SOON.days
    ]


def _wrong(layout: Layout, register: Register) -> list[str]:
    found = [f"{path}: others can read it; chmod 600" for path in loose(layout)]
    for name, holder in register.holders.items():
        room = ROOM.get(holder.role)
        if room is not None and holder.revoked is None and not may_be_there(layout.key(room, name)):
            found.append(f"{layout.key(room, name)}: missing; `director-console broker renew` makes it anew")
    try:
        read(layout.config)
        keys = load_keys(layout.keys)
        missing = [n for n, h in register.tables().items() if h.revoked is None and keys.of(n) is None]
        found += [f"{layout.keys}: no key for table {name}" for name in missing]
    except (AccessError, ValueError) as problem:
        found.append(str(problem))
    if running(layout) is None:
        found.append("the broker does not run on this computer")
    return found
