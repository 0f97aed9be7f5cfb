"""Users, logins and one-time codes.

Passwords are kept as argon2 hashes, login tokens and codes as SHA-256: nothing in the file lets anyone in.
Must never log or return a secret except to the person it is for, once.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import sqlite3
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from director_console.store.book import Book

LOGIN_MS = 12 * 3600 * 1000
CODE_MS = 24 * 3600 * 1000
SEEN_EVERY_MS = 60_000
PASSWORD_LEAST = 10
NAME = re.compile(r"[A-Za-z0-9._-]{1,40}")


class Role(StrEnum):
    """What a user may do. Each may do what the ones before may."""

    OBSERVER = "observer"
    DIRECTOR = "director"
    CHIEF = "chief"

    def may(self, needed: Role) -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    name: str
    role: Role
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """One logged-in browser. `id` is the hash of its cookie; `csrf` goes into its forms."""

    id: str
    user: str
    role: Role
    csrf: str
    lang: str
    theme: str


NO_TEXT = "the password is no UTF-8 text; type it on a terminal set to UTF-8"


class PeopleError(ValueError):
    """One sentence for the person who typed it."""


_HASHER = PasswordHasher()


@cache
def _nobody() -> str:
    """Verified where there is no such user, so that the time taken tells nothing."""
    return _HASHER.hash(secrets.token_urlsafe(16))


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def check_name(name: str) -> str:
    """Raises PeopleError. Plain letters only: two names that look alike must not be two people."""
    if not NAME.fullmatch(name):
        raise PeopleError("a user's name is 1 to 40 letters a-z, digits, dots, _ or -")
    return name


def check_password(password: str) -> None:
    """Raises PeopleError for what can be no password."""
    if len(password) < PASSWORD_LEAST:
        raise PeopleError(f"a password has at least {PASSWORD_LEAST} characters")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise PeopleError(NO_TEXT) from None


def add_user(book: Book, name: str, role: Role, password: str, at: int, by: str) -> None:
    """Make a user. Raises PeopleError. The empty password makes one who can enter by a one-time code only."""
    check_name(name)
    if password:
        check_password(password)
    if taken(book.db, name):
        raise PeopleError(f"there is already a user {name!r}; choose another name")
    hashed = _HASHER.hash(password) if password else ""
    book.db.execute("INSERT INTO users VALUES (?, ?, ?, 0, ?)", (name, role, hashed, at))
    book.audit(at, by, "user added", user=name, role=role.value)


def taken(db: sqlite3.Connection, name: str) -> bool:
    """Whether somebody has this name, in whatever case and whatever width it is written."""
    wanted = _folded(name)
    return any(_folded(known.name) == wanted for known in users(db))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def user(db: sqlite3.Connection, name: str) -> User | None:
    row = db.execute("SELECT name, role, disabled FROM users WHERE name = ?", (name,)).fetchone()
    return None if row is None else User(name=row[0], role=Role(row[1]), disabled=bool(row[2]))


def users(db: sqlite3.Connection) -> tuple[User, ...]:
    rows = db.execute("SELECT name, role, disabled FROM users ORDER BY name")
    return tuple(User(name=row[0], role=Role(row[1]), disabled=bool(row[2])) for row in rows)


def disable(book: Book, name: str, at: int, by: str) -> None:
    """No further login, and every login of his ends now. Raises PeopleError."""
    _known(book, name)
    book.db.execute("UPDATE users SET disabled = 1 WHERE name = ?", (name,))
    book.db.execute("UPDATE logins SET revoked = 1 WHERE user = ?", (name,))
    book.audit(at, by, "user disabled", user=name)


def set_role(book: Book, name: str, role: Role, at: int, by: str) -> None:
    """Holds from his next click on. Raises PeopleError."""
    _known(book, name)
    book.db.execute("UPDATE users SET role = ?, disabled = 0 WHERE name = ?", (role, name))
    book.audit(at, by, "role set", user=name, role=role.value)


def set_password(book: Book, name: str, password: str, at: int, by: str) -> None:
    _known(book, name)
    check_password(password)
    book.db.execute("UPDATE users SET password = ? WHERE name = ?", (_HASHER.hash(password), name))
    book.db.execute("UPDATE logins SET revoked = 1 WHERE user = ?", (name,))
    book.audit(at, by, "password set", user=name)


def _known(book: Book, name: str) -> None:
    if user(book.db, name) is None:
        raise PeopleError(f"there is no user {name!r}; `director-console user list` shows them")


def password_fits(hashed: str | None, password: str) -> bool:
    """Slow on purpose (argon2), and as slow for a user who does not exist. Run it outside the desk."""
    try:
        fits = _HASHER.verify(hashed or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return fits and bool(hashed)


def password_of(db: sqlite3.Connection, name: str) -> str | None:
    """The stored hash of a user who may log in."""
    row = db.execute("SELECT password FROM users WHERE name = ? AND disabled = 0", (name,)).fetchone()
    return None if row is None else str(row[0])


def must_show_password(db: sqlite3.Connection, name: str, login: str) -> bool:
    """Whether he shows his present password to set another: not where he has none, and not where this login
    was by a code, which only who runs the console can make.
    """
    by_code = db.execute(
        "SELECT 1 FROM logins JOIN login_codes ON used = made AND login_codes.user = logins.user "
        "WHERE logins.id = ? AND logins.user = ?",
        (login, name),
    ).fetchone()
    return by_code is None and bool(password_of(db, name))


def begin_login(book: Book, name: str, lang: str, theme: str, at: int) -> str:
    """A new login; the token for the cookie, which is kept nowhere else."""
    token = secrets.token_urlsafe(32)
    book.db.execute(
        "INSERT INTO logins VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
        (digest(token), name, secrets.token_urlsafe(24), lang, theme, at, at, at + LOGIN_MS),
    )
    book.audit(at, name, "logged in")
    return token


def login_of(db: sqlite3.Connection, token: str, at: int) -> Login | None:
    """Whose cookie this is; None where it is unknown, over, revoked, or the user has been disabled."""
    row = db.execute(
        "SELECT logins.id, logins.user, users.role, logins.csrf, logins.lang, logins.theme FROM logins "
        "JOIN users ON users.name = logins.user "
        "WHERE logins.id = ? AND revoked = 0 AND expires > ? AND users.disabled = 0",
        (digest(token), at),
    ).fetchone()
    if row is None:
        return None
    return Login(id=row[0], user=row[1], role=Role(row[2]), csrf=row[3], lang=row[4], theme=row[5])


def logins(db: sqlite3.Connection, at: int) -> tuple[tuple[str, str, int, int], ...]:
    """Who is logged in: id, user, since, until (ms)."""
    rows = db.execute(
        "SELECT id, user, made, expires FROM logins WHERE revoked = 0 AND expires > ? ORDER BY made", (at,)
    )
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


def set_manner(book: Book, login: str, lang: str, theme: str) -> None:
    book.db.execute("UPDATE logins SET lang = ?, theme = ? WHERE id = ?", (lang, theme, login))


def end_login(book: Book, login: str, at: int, by: str) -> None:
    book.db.execute("UPDATE logins SET revoked = 1 WHERE id = ?", (login,))
    book.audit(at, by, "login ended", login=login[:12])


def make_code(book: Book, name: str, at: int) -> str:
    """A code that lets this user in once, within a day."""
    _known(book, name)
    code = secrets.token_urlsafe(24)
    book.db.execute("INSERT INTO login_codes VALUES (?, ?, ?, NULL)", (digest(code), name, at + CODE_MS))
    book.audit(at, "console", "one-time code made", user=name)
    return code


def spend_code(book: Book, code: str, at: int) -> str | None:
    """The user the code lets in, this once; None where it is unknown, used or too old."""
    row = book.db.execute(
        "SELECT user FROM login_codes WHERE hash = ? AND used IS NULL AND expires > ?", (digest(code), at)
    ).fetchone()
    if row is None:
        return None
    book.db.execute("UPDATE login_codes SET used = ? WHERE hash = ?", (at, digest(code)))
    found = user(book.db, str(row[0]))
    return None if found is None or found.disabled else found.name
