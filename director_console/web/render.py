"""Templates to answers. Jinja with escaping on and no undefined names; no inline script or style anywhere.

`csrf` and `key` are put in at the very end, so that fragments can be kept for several viewers without ever
mixing their tokens.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from functools import cache

import jinja2
from markupsafe import Markup
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from director_console.store.people import Role
from director_console.web import show
from director_console.web.helpers import helpers
from director_console.web.i18n import LANGUAGES
from director_console.web.posting_again import Again
from director_console.web.state import console_of
from director_console.web.viewer import COOKIE, THEMES, Viewer, stranger_language
from table_controller.messages import ulid

CSRF_MARK = "@@csrf@@"
KEY_MARK = "@@key@@"


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("director_console.web", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.tests["one_face"] = lambda sides: len(sides) == 1
    made.filters["call"] = show.call_html
    made.filters["contract"] = show.contract_html
    made.filters["clock"] = show.clock_time
    made.filters["moment"] = show.moment
    made.filters["minute"] = show.minute
    made.filters["seconds"] = show.seconds
    made.filters["length_ms"] = show.length
    made.globals["hidden"] = Markup(
        f'<input type="hidden" name="csrf" value="{CSRF_MARK}">'
        f'<input type="hidden" name="key" value="{KEY_MARK}">'
    )
    return made


def new_key(now: int) -> str:
    return ulid(now * 1_000_000, secrets.token_bytes(10))


def seal_forms(html: str, csrf: str, now: int) -> str:
    """The viewer's own token into every form, and a fresh key into each."""
    return re.sub(KEY_MARK, lambda _: new_key(now), html.replace(CSRF_MARK, csrf))


def render(
    request: HTTPConnection,
    viewer: Viewer | None,
    template: str,
    context: Mapping[str, object],
    status: int = 200,
    again: Again | None = None,
) -> Response:
    """A whole page."""
    from director_console.web.fragments import fragment_html

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
