"""The templates: Jinja with escaping on and no undefined names; no inline script or style anywhere.

`csrf` and `key` are put in at the very end, so that fragments can be kept for several viewers without ever
mixing their tokens.
"""

from __future__ import annotations

import re
import secrets
from functools import cache

import jinja2
from markupsafe import Markup

from director_console.web import show
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
    made.filters["over_ms"] = show.over
    made.filters["day"] = show.day
    made.filters["hour"] = show.hour
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
