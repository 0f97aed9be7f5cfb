"""What a director does to a venue's access: make it, add tables, renew, revoke, set the event.

Must never write a private key but of those whose keys are made here; a table makes its own.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from director_console.broker_admin.authority import Authority, Use, key_pem, make_authority, new_key
from director_console.broker_admin.broker_files import KEEPER
from director_console.broker_admin.layout import AccessError, Layout, give, locked, make_rooms, write
from director_console.broker_admin.register import HOST, Code, Holder, Register, Role, digest
from director_console.broker_admin.venue import Opened, check_clock, in_address, save, write_keys
from table_controller.enrolment.protocol import SECRET_BYTES, EnrolmentCode, fingerprint
from table_controller.messages.mac import KeyRing, load_keys
from table_controller.messages.topics import LONGEST_GIVEN, checked_name
from table_controller.plain.given_paths import PathUnusable, is_there

KEY_BYTES = 32
CLIENT_DAYS = 2 * 365
CODE_HOURS = 48
OWN: dict[str, Role] = {role.value: role for role in (Role.BROKER, Role.CONSOLE, Role.PAGES, Role.WALL)}
"""Those every venue begins with, and whose keys are made here; no table may be called so."""
ROOM: dict[Role, str] = {
    Role.BROKER: "broker",
    Role.CONSOLE: "console",
    Role.PAGES: "console",
    Role.WALL: "wall",
}
"""Where their files lie."""
MAKE_USER = "sudo useradd --system --home-dir /var/lib/screen-table-console --shell /usr/sbin/nologin {user}"
"""As docs/access.md says it."""
LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A table's one-time code, told once."""

    table: str
    code: str = field(repr=False)
    expires: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a new venue is to be."""

    venue: str
    event: str
    tables: tuple[str, ...]
    hosts: tuple[str, ...]
    broker_port: int = 8883
    door_port: int = 8471
    hours: int = CODE_HOURS
    broker_user: str = ""
    console_user: str = ""
    listen: str = ""


def begin(root: Path, plan: Plan, now: datetime) -> list[Invitation]:
    """Make a venue; a code for each table. Raises AccessError."""
    layout = Layout(root)
    if _there(layout.venue):
        raise AccessError(
            f"{root} is a venue already; `director-console broker add` adds tables to it, or give another "
            "directory"
        )
    check_clock(now)
    names = checked_tables(plan.tables, ())
    _check_plan(plan)
    register = Register(
        venue=plan.venue,
        event=plan.event,
        hosts=plan.hosts,
        broker_port=plan.broker_port,
        door_port=plan.door_port,
        broker_user=plan.broker_user,
        listen=plan.listen,
    )
    check_users(layout, plan)
    make_rooms(layout)
    if plan.broker_user:
        check_way(layout, plan.broker_user)
    with locked(layout):
        authority = make_authority(plan.venue, now)
        write(layout.authority, authority.pem)
        write(layout.authority_key, key_pem(authority.key))
        for name, role in OWN.items():
            register = _issue_own(layout, authority, register, name, role, now)
        tables = {name: secrets.token_bytes(KEY_BYTES) for name in names}
        write_keys(layout, KeyRing(venue=secrets.token_bytes(KEY_BYTES), tables=tables))
        invitations: list[Invitation] = []
        for name in names:
            register, invitation = _invite(layout, authority, register, name, now, plan.hours)
            invitations.append(invitation)
        save(layout, authority, register)
        if plan.broker_user:
            give(layout.root / "broker", plan.broker_user)
        if plan.console_user:
            give(layout.root / "console", plan.console_user)
    return invitations


def add(root: Path, tables: Iterable[str], now: datetime, hours: int = CODE_HOURS) -> list[Invitation]:
    """Codes for tables: new ones, and those that have not enrolled or were revoked. Raises AccessError."""
    with Opened(root, now) as venue:
        invitations = []
        for name in checked_tables(tuple(tables), ()):
            holder = venue.register.holders.get(name)
            if holder is not None and holder.serial is not None and holder.revoked is None:
                raise AccessError(
                    f"table {name} is enrolled already; `director-console broker renew` gives it a new code"
                )
            venue.register, invitation = _invite(
                venue.layout, venue.authority, venue.register, name, now, hours
            )
            invitations.append(invitation)
        return invitations


def add_own(root: Path, role: Role, name: str, now: datetime) -> Path:
    """Another console or public screen, which connects under a name of its own; its certificate's file."""
    with Opened(root, now) as venue:
        checked_tables((name,), venue.register.holders)
        venue.register = _issue_own(venue.layout, venue.authority, venue.register, name, role, now)
        return venue.layout.certificate(ROOM[role], name)


def renew(root: Path, name: str, now: datetime, hours: int = CODE_HOURS) -> Invitation | None:
    """A new certificate: for a table a code to fetch it with, for one of our own at once (None)."""
    with Opened(root, now) as venue:
        holder = venue.register.holder(name)
        if holder.role is not Role.TABLE:
            venue.register = _issue_own(venue.layout, venue.authority, venue.register, name, holder.role, now)
            return None
        if holder.revoked is not None:
            raise AccessError(
                f"table {name} has been revoked; `director-console broker add` takes it in again"
            )
        venue.register, invitation = _invite(venue.layout, venue.authority, venue.register, name, now, hours)
        return invitation


def revoke(root: Path, name: str, now: datetime) -> None:
    """From the broker's next reload on nobody gets in under this certificate, nor is believed by its key."""
    with Opened(root, now) as venue:
        register = venue.register
        holder = register.holder(name)
        if holder.role in (Role.BROKER, Role.PAGES):
            raise AccessError(f"{name} belongs to this machine; `director-console broker renew` replaces it")
        if holder.serial is not None:
            register = register.without(holder.serial, name, now, "revoked")
        gone = holder.model_copy(update={"serial": None, "code": None, "revoked": now})
        venue.register = register.with_holder(name, gone)
        keys = load_keys(venue.layout.keys)
        tables = {table: key for table, key in keys.tables.items() if table != name}
        write_keys(venue.layout, KeyRing(venue=keys.venue, tables=tables))


def set_event(root: Path, event: str, now: datetime) -> None:
    """Another event at the same venue: the access list follows. Certificates and keys stay."""
    with Opened(root, now) as venue:
        checked_name(event, "event", LONGEST_GIVEN)
        venue.register = venue.register.model_copy(update={"event": event})


def _check_plan(plan: Plan) -> None:
    """Raises AccessError, in words, for what the register could not hold."""
    try:
        checked_name(plan.venue, "--venue", LONGEST_GIVEN)
        checked_name(plan.event, "--event", LONGEST_GIVEN)
    except ValueError as problem:
        raise AccessError(str(problem)) from None
    for host in plan.hosts:
        if not re.fullmatch(HOST, host):
            raise AccessError(
                f"--host {host!r}: give a name (letters, digits, dots, _ or -) or an IPv4 or IPv6 address"
            )


def checked_tables(names: tuple[str, ...], taken: Iterable[str]) -> tuple[str, ...]:
    """The names, if tables may be called so. Raises AccessError."""
    seen = set(taken)
    for name in names:
        try:
            checked_name(name, "table", LONGEST_GIVEN)
        except ValueError as problem:
            raise AccessError(str(problem)) from None
        if name in (*OWN, KEEPER):
            raise AccessError(f"{name!r}: this name is taken; choose another")
        if name in seen:
            raise AccessError(f"{name!r} is there already, or named twice; choose another name")
        seen.add(name)
    return names


def check_users(layout: Layout, plan: Plan) -> None:
    """Whether both users are there and can be given their files, before anything is written. Raises
    AccessError.
    """
    for user, option, mend in (
        (plan.broker_user, "--broker-user", "sudo apt install mosquitto"),
        (plan.console_user, "--console-user", MAKE_USER.format(user=plan.console_user)),
    ):
        if not user:
            continue
        try:
            owner = pwd.getpwnam(user).pw_uid
        except KeyError:
            raise AccessError(
                f"{option}: there is no user {user!r} on this computer; nothing was written. First type "
                f"`{mend}`, or name another user"
            ) from None
        if os.geteuid() not in (0, owner):
            raise AccessError(
                f"{option}: only root can give files to user {user!r}; nothing was written; use sudo"
            )
    if plan.broker_user:
        check_way(layout, plan.broker_user)


def _there(path: Path) -> bool:
    """Raises AccessError where we may not look."""
    try:
        return is_there(path)
    except PathUnusable as problem:
        raise AccessError(str(problem)) from None


def check_way(layout: Layout, user: str) -> None:
    """Whether this user can get to the venue at all; rooms not made yet do not stand in his way. Raises
    AccessError.
    """
    owner = pwd.getpwnam(user).pw_uid
    above = [room for room in Path(layout.root).absolute().parents if _there(room)]
    for room in above if owner != 0 else ():
        state = room.stat()
        if not state.st_mode & (0o100 if state.st_uid == owner else 0o001):
            raise AccessError(
                f"{layout.root}: user {user} cannot pass through {room}; choose a directory such as "
                "/var/lib/screen-table-venue"
            )


def default_broker_user() -> str:
    """Whom mosquitto runs as where root makes the venue; nobody else's business otherwise. Raises AccessError
    where there is nobody: mosquitto would not run as root, and could not read what is root's.
    """
    if os.geteuid() != 0:
        return ""
    try:
        return pwd.getpwnam("mosquitto").pw_name
    except KeyError:
        raise AccessError(
            "there is no user 'mosquitto' on this computer; install the broker first (sudo apt install "
            "mosquitto), or say whom it runs as with --broker-user"
        ) from None


def _issue_own(
    layout: Layout, authority: Authority, register: Register, name: str, role: Role, now: datetime
) -> Register:
    room = ROOM[role]
    server = role in (Role.BROKER, Role.PAGES)
    key = new_key()
    issued = authority.issue(
        name,
        key.public_key(),
        Use.SERVER if server else Use.CLIENT,
        now + timedelta(days=CLIENT_DAYS),
        dict.fromkeys(host for host in (*register.hosts, register.listen, *LOCAL) if host) if server else (),
    )
    write(layout.key(room, name), key_pem(key))
    write(layout.certificate(room, name), issued.pem + authority.pem if server else issued.pem)
    before = register.holders.get(name)
    if before is not None and before.serial is not None:
        register = register.without(before.serial, name, now, "renewed")
    return register.with_holder(name, Holder(role=role, serial=issued.serial, until=issued.until))


def _invite(
    layout: Layout, authority: Authority, register: Register, name: str, now: datetime, hours: int
) -> tuple[Register, Invitation]:
    code = EnrolmentCode(
        host=in_address(register.hosts[0]),
        port=register.door_port,
        fingerprint=fingerprint(authority.pem),
        secret=secrets.token_bytes(SECRET_BYTES),
    )
    expires = now + timedelta(hours=hours)
    before = register.holders.get(name, Holder(role=Role.TABLE))
    if before.role is not Role.TABLE:
        raise AccessError(f"{name!r} is no table; choose another name")
    holder = before.model_copy(update={"code": Code(secret=digest(code.secret), expires=expires)})
    keys = load_keys(layout.keys)
    if name not in keys.tables:
        tables = {**keys.tables, name: secrets.token_bytes(KEY_BYTES)}
        write_keys(layout, KeyRing(venue=keys.venue, tables=tables))
    invitation = Invitation(table=name, code=code.text(), expires=expires)
    return register.with_holder(name, holder), invitation
