"""A template, a viewer and what it is about, to an answer: whole pages and the login's cookie."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from director_console.store.people import Role
from director_console.web.fragments import fragment_html
from director_console.web.helpers import helpers
from director_console.web.i18n import LANGUAGES
from director_console.web.posting_again import Again
from director_console.web.state import console_of
from director_console.web.templating import environment, seal_forms
from director_console.web.viewer import COOKIE, THEMES, Viewer, stranger_language


def render(
    request: HTTPConnection,
    viewer: Viewer | None,
    template: str,
    context: Mapping[str, object],
    status: int = 200,
    again: Again | None = None,
) -> Response:
    """A whole page."""
    console = console_of(request)
    now = console.desk.now()
    lang = viewer.lang if viewer else stranger_language(request)

    def fragment(key: str) -> Markup:
        assert viewer is not None
        return Markup(fragment_html(console, viewer, key))

    page = environment().get_template(template)
    html = page.render(
        {
            **helpers(lang),
            "languages": LANGUAGES,
            "theme": viewer.login.theme if viewer else "auto",
            "themes": THEMES,
            "viewer": viewer,
            "Role": Role,
            "fragment": fragment,
            "console": console,
            "hall": console.desk.hall,
            "now": now,
            "again": again or Again(form="", given={}, errors={}),
            "path": request.url.path,
            **context,
        }
    )
    sealed = seal_forms(html, viewer.login.csrf if viewer else "", now)
    return HTMLResponse(sealed, status, headers={"content-language": lang})


def set_cookie(response: Response, request: Request, token: str) -> None:
    response.set_cookie(
        COOKIE, token, httponly=True, samesite="strict", secure=console_of(request).secure, path="/"
    )
