"""Where a venue's access lies, and how a file of it is written: whole, at once, for its owner alone.

    DIR/venue.json      who there is (no key, no secret)
    DIR/authority/      the authority's key: whoever has it is the venue
    DIR/broker/         all that mosquitto reads
    DIR/console/        all that the console reads
    DIR/wall/           for a public screen, to be copied there

Must never leave half a file, nor a key that others can read.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PRIVATE = 0o600
PRIVATE_ROOM = 0o700
PASSAGE = 0o711
"""The directory itself: broker and console may run as users of their own, and only pass through."""
ROOMS = ("authority", "broker", "console", "wall")


class AccessError(RuntimeError):
    """Something about the venue's access a person must mend. One sentence, with what to do."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of all files."""

    root: Path

    @property
    def venue(self) -> Path:
        return self.root / "venue.json"

    @property
    def authority_key(self) -> Path:
        return self.root / "authority" / "authority.key"

    @property
    def authority(self) -> Path:
        return self.root / "authority" / "authority.pem"

    @property
    def config(self) -> Path:
        return self.root / "broker" / "mosquitto.conf"

    @property
    def access_list(self) -> Path:
        return self.root / "broker" / "access.acl"

    @property
    def revoked(self) -> Path:
        return self.root / "broker" / "revoked.pem"

    @property
    def pid(self) -> Path:
        return self.root / "broker" / "mosquitto.pid"

    @property
    def keys(self) -> Path:
        """The message keys of all tables and of the venue, as `table_controller.messages.mac` reads them."""
        return self.root / "console" / "keys.json"

    def certificate(self, room: str, name: str) -> Path:
        return self.root / room / f"{name}.pem"

    def key(self, room: str, name: str) -> Path:
        return self.root / room / f"{name}.key"

    def trusted(self, room: str) -> Path:
        """The authority's certificate, as each reader has a copy of it."""
        return self.root / room / "ca.pem"


def make_rooms(layout: Layout) -> None:
    """Raises AccessError where the directory cannot be made."""
    try:
        layout.root.mkdir(parents=True, exist_ok=True)
        layout.root.chmod(PASSAGE)
        for room in ROOMS:
            (layout.root / room).mkdir(exist_ok=True)
            (layout.root / room).chmod(PRIVATE_ROOM)
    except OSError as problem:
        raise AccessError(
            f"{layout.root}: cannot be made ({problem.strerror}); give a directory that can be written"
        ) from None


def write(path: Path, content: str | bytes) -> None:
    """Put the file there whole, readable by the owner of its directory alone."""
    raw = content.encode() if isinstance(content, str) else content
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        _as_the_room(new, path.parent)
        new.replace(path)
    except OSError as problem:
        with suppress(OSError):
            new.unlink()
        raise AccessError(
            f"{path}: cannot be written ({problem.strerror}); run this as the user who owns it"
        ) from None
    _settle(path.parent)


def _as_the_room(path: Path, room: Path) -> None:
    """A key written by root into the broker's room is the broker's."""
    if os.geteuid() == 0:
        owner = room.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _settle(room: Path) -> None:
    descriptor = os.open(room, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def give(room: Path, user: str) -> None:
    """Make a room another user's, files and all. Raises AccessError."""
    try:
        entry = pwd.getpwnam(user)
        for path in (room, *room.iterdir()):
            os.chown(path, entry.pw_uid, entry.pw_gid)
    except KeyError:
        raise AccessError(f"there is no user {user!r} on this computer; install mosquitto first") from None
    except PermissionError:
        raise AccessError(f"{room}: only root can give it to user {user!r}; run this with sudo") from None


def read(path: Path) -> bytes:
    """Raises AccessError."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise AccessError(
            f"{path}: cannot be read ({problem.strerror}); give the directory `director-console broker init` "
            "made, as the user who made it"
        ) from None


def loose(layout: Layout) -> list[Path]:
    """Keys that somebody else than their owner can read or change."""
    kept = [*layout.root.glob("*/*.key"), layout.keys, layout.venue]
    return sorted(path for path in kept if _open_to_others(path))


def _open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:  # it is not there, or we may not look: said where it is read
        return False


@contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """One deed at a time: the door and a command beside it must not overwrite each other."""
    try:
        descriptor = os.open(layout.root / ".lock", os.O_RDWR | os.O_CREAT, PRIVATE)
    except OSError as problem:
        raise AccessError(
            f"{layout.root}: cannot be used ({problem.strerror}); give the directory that "
            "`director-console broker init` made, as the user who made it"
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
