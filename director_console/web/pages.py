"""The pages one can look at. Each says what it needs and which template draws it; nothing else."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from director_console.projection.hall import TableNow
from director_console.projection.inputs import Step
from director_console.store.people import Role, logins, must_show_password, users
from director_console.web.contexts import case_of
from director_console.web.contexts_table import then_of
from director_console.web.corrections import PHASES, VULNERABILITIES, WHATS
from director_console.web.fields import SEATS
from director_console.web.files import check_evidence, evidence_file, show_evidence
from director_console.web.guard import not_allowed, not_logged_in
from director_console.web.held import ends_with
from director_console.web.logins import log_in, login_page
from director_console.web.pages_time import show_time
from director_console.web.posting_again import Again
from director_console.web.preview import preview
from director_console.web.public import public_page, public_state
from director_console.web.render import render
from director_console.web.state import Console, console_of
from director_console.web.viewer import Viewer, viewer_of
from table_controller.regulations.load import available
from table_controller.regulations.time_tables import Contest
from table_controller.screen.events import Subject, Verdict

SIZES = ("s", "m", "l")


def page(show: Callable[[Request, Again], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A page behind the login, as it is first shown."""

    async def endpoint(request: Request) -> Response:
        return show(request, Again(form="", given={}, errors={}))

    return endpoint


def size_for(tables: int, asked: str) -> str:
    """How large a tile is when so many are to be seen at once."""
    if asked in SIZES:
        return asked
    return "l" if tables <= 6 else "m" if tables <= 40 else "s"


def show_wall(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    hall = console_of(request).desk.hall
    size = size_for(len(hall.order), request.query_params.get("size", ""))
    return render(request, viewer, "wall.html", {"size": size, "names": hall.order}, again=again)


def show_queue(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    which = "mine" if request.query_params.get("mine") else ""
    return render(request, viewer, "queue.html", {"which": which}, again=again)


def table_named(console: Console, name: str) -> TableNow:
    table = console.desk.hall.tables.get(name)
    if table is None:
        raise HTTPException(404)
    return table


def _choices() -> dict[str, object]:
    return {
        "seats": SEATS,
        "whats": WHATS,
        "phases": PHASES,
        "vulnerabilities": VULNERABILITIES,
        "verdicts": tuple(verdict.value for verdict in Verdict),
        "subjects": tuple(subject.value for subject in Subject),
        "steps": tuple(step.value for step in Step),
    }


def show_table(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    table = table_named(console_of(request), request.path_params["table"])
    return render(request, viewer, "table.html", {"table": table, "case": None, **_choices()}, again=again)


def show_case(request: Request, again: Again, case: str = "") -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    console = console_of(request)
    params = request.path_params
    key = case or f"{params['table']}/{params['epoch']}/{params['entry']}"
    found = case_of(console.desk.hall, key)
    if found is None:
        raise HTTPException(404)
    table = table_named(console, found.table)
    context = {
        "case": found,
        "table": table,
        "directors": directors(console),
        "then": then_of(console, found),
        "board_over": console.desk.hall.over(found),
        "next_case": next((one for one in console.desk.hall.waiting() if one.key != found.key), None),
        "ends": ends_with(table, found),
        "about_call": found.entry.stage is not None or found.entry.call is not None,
        "draft": draft_of(console, viewer, f"/cases/{key}/rule"),
        **_choices(),
    }
    return render(request, viewer, "case.html", context, again=again)


def draft_of(console: Console, viewer: Viewer, form: str) -> dict[str, str]:
    """What this user last typed into this form without sending it."""
    row = console.reader.execute(
        "SELECT fields FROM drafts WHERE user = ? AND form = ?", (viewer.name, form)
    ).fetchone()
    return {} if row is None else {str(name): str(value) for name, value in json.loads(row[0]).items()}


def show_system(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    return render(request, viewer, "system.html", {}, again=again)


def show_session(request: Request, again: Again) -> Response:
    """`?table=`: the form begins with what holds at this table."""
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    hall = console_of(request).desk.hall
    asked = request.query_params.get("table", "")
    plan = hall.plan_of(asked) if asked else next(iter(hall.plans), None)
    context = {
        "plan": plan,
        "asked": asked if asked in hall.tables else "",
        "contests": tuple(contest.value for contest in Contest),
        "profiles": available(),
        "today": datetime.now().strftime("%Y-%m-%d"),
        "clock": hall.clock,
    }
    return render(request, viewer, "session.html", context, again=again)


def show_shift(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    console = console_of(request)
    rows = console.reader.execute('SELECT user, act, "to", text, at FROM shifts ORDER BY n DESC LIMIT 20')
    context = {"past": rows.fetchall(), "directors": directors(console, but=viewer.name)}
    return render(request, viewer, "shift.html", context, again=again)


def directors(console: Console, but: str = "") -> list[str]:
    found = users(console.reader)
    return [
        user.name for user in found if user.role.may(Role.DIRECTOR) and not user.disabled and user.name != but
    ]


def show_people(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    if not viewer.may(Role.CHIEF):
        return not_allowed(request, viewer, "people")
    console = console_of(request)
    context = {
        "people": users(console.reader),
        "logins": logins(console.reader, console.desk.now()),
        "roles": tuple(role.value for role in Role),
    }
    return render(request, viewer, "people.html", context, again=again)


def show_account(request: Request, again: Again) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    ask = must_show_password(console_of(request).reader, viewer.name, viewer.login.id)
    return render(request, viewer, "account.html", {"ask_present": ask}, again=again)


async def health(request: Request) -> Response:
    """For a supervisor: the desk works and the journal can be written. Nothing about the event."""
    console = console_of(request)
    alive = console.desk.alive
    body = {"ok": alive, "broker": console.desk.hall.broker_up, "rev": console.desk.hall.rev}
    return JSONResponse(body, 200 if alive else 503)


async def favicon(request: Request) -> Response:
    return RedirectResponse("/static/icon.svg", 301)


ROUTES = (
    Route("/", page(show_wall)),
    Route("/queue", page(show_queue)),
    Route("/tables/{table}", page(show_table)),
    Route("/tables/{table}/time", page(show_time)),
    Route("/cases/{table}/{epoch}/{entry:int}", page(show_case)),
    Route("/system", page(show_system)),
    Route("/session", page(show_session)),
    Route("/shift", page(show_shift)),
    Route("/evidence", page(show_evidence)),
    Route("/people", page(show_people)),
    Route("/account", page(show_account)),
    Route("/evidence/{export}.zip", evidence_file),
    Route("/evidence/check", check_evidence, methods=["POST"]),
    Route("/tables/{table}/correct/preview", preview),
    Route("/login", login_page, methods=["GET"]),
    Route("/login", log_in, methods=["POST"]),
    Route("/public", public_page),
    Route("/public/state", public_state),
    Route("/healthz", health),
    Route("/favicon.ico", favicon),
)
