"""The service, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import as_file, files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from director_console.web import (
    forms_case,
    forms_hall,
    forms_people,
    forms_round,
    forms_session,
    forms_table,
    forms_time,
)
from director_console.web.describe import describe, description
from director_console.web.drafts import keep_draft
from director_console.web.guard import Guard, on_error, on_http_error
from director_console.web.live import changes, live
from director_console.web.pages import ROUTES
from director_console.web.posting import Form
from director_console.web.state import Console

FORMS: tuple[Form, ...] = (
    *forms_case.FORMS,
    *forms_table.FORMS,
    *forms_hall.FORMS,
    *forms_people.FORMS,
    *forms_session.FORMS,
    *forms_round.FORMS,
    *forms_time.FORMS,
)


def build(console: Console) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        console.live.begin()
        yield

    with as_file(files("director_console").joinpath("static")) as static:
        directory = str(static)
    app = Starlette(
        routes=[
            *ROUTES,
            *(form.route() for form in FORMS),
            Route("/drafts", keep_draft, methods=["POST"]),
            Route("/api/changes", changes),
            Route("/api/openapi.json", description),
            WebSocketRoute("/live", live),
            Mount("/static", StaticFiles(directory=directory)),
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={HTTPException: on_http_error, Exception: on_error},
        lifespan=lifespan,
    )
    app.state.console = console
    app.state.description = describe(FORMS, app.routes, console.version)
    console.desk.on_change(console.live.changed)
    return app
