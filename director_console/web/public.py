"""The page for everybody in the hall: the round, the time left, and which table is on time or delayed.

`GET /public` needs no login; `?lang=` and `?theme=` choose how it looks. `GET /public/state` is what the page
asks every two seconds. Must never hold anything else: no board, no name, no reason, nothing of a player.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from director_console.projection.hall import Hall
from director_console.projection.punctual import delayed_tables
from director_console.web.helpers import helpers
from director_console.web.state import console_of
from director_console.web.templating import environment
from director_console.web.viewer import THEMES, stranger_language

TILES_AT_MOST = 60
"""So many tables are readable from ten metres; of more, only those that are delayed are shown one by one."""


def state_of(hall: Hall, now: int) -> dict[str, object]:
    """All that a public screen is told. Times in ms; `round` 0: there is no clock."""
    clock = hall.clock
    return {
        "at": now,
        "round": 0 if clock is None else clock.round,
        "ends": None if clock is None else clock.ends,
        "left": None if clock is None else clock.left(now),
        "warnings": [] if clock is None else list(clock.warnings),
        "delayed": dict(delayed_tables(hall, now)),
    }


async def public_state(request: Request) -> Response:
    console = console_of(request)
    return JSONResponse(state_of(console.desk.hall, console.desk.now()))


async def public_page(request: Request) -> Response:
    lang = stranger_language(request)
    theme = request.query_params.get("theme", "")
    html = (
        environment()
        .get_template("public.html")
        .render({**helpers(lang), "theme": theme if theme in THEMES else "auto", "most": TILES_AT_MOST})
    )
    return HTMLResponse(html, headers={"content-language": lang})
