"""Who is looking: the login behind a request, and the cookie it came with."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from director_console.store.people import Login, Role, login_of
from director_console.web.i18n import LANGUAGES, best_language, say
from director_console.web.state import console_of

COOKIE = "screen_table_login"
THEMES = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """One logged-in person in one browser."""

    login: Login

    @property
    def name(self) -> str:
        return self.login.user

    @property
    def role(self) -> Role:
        return self.login.role

    @property
    def lang(self) -> str:
        return self.login.lang

    def may(self, role: Role) -> bool:
        return self.login.role.may(role)

    def say(self, key: str, **values: object) -> str:
        return say(self.lang, key, **values)


def viewer_of(connection: HTTPConnection) -> Viewer | None:
    """The person behind this request, None where nobody is logged in."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > 200:
        return None
    console = console_of(connection)
    login = login_of(console.reader, token, console.desk.now())
    return None if login is None else Viewer(login=login)


def language_of(connection: HTTPConnection) -> str:
    """The viewer's own language, a stranger's where nobody is logged in."""
    viewer = viewer_of(connection)
    return stranger_language(connection) if viewer is None else viewer.lang


def stranger_language(connection: HTTPConnection) -> str:
    asked = connection.query_params.get("lang", "")
    return (
        asked
        if asked in LANGUAGES
        else best_language(connection.headers.get("accept-language", ""), console_of(connection).lang)
    )
