"""Logging in: by name and password, or once by a code the console printed at its start.

`GET /login?code=...` lets its user in once. `POST /login` takes `name`, `password`, `next`. Slow on
purpose, the same for a wrong name and a wrong password, and fewer tries than anyone could guess with.
"""

from __future__ import annotations

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from director_console.act import Act
from director_console.store.people import begin_login, password_fits, password_of, spend_code
from director_console.web.i18n import say
from director_console.web.render import render, set_cookie
from director_console.web.state import console_of
from director_console.web.viewer import stranger_language, viewer_of

log = logging.getLogger(__name__)
LONGEST = 200
THEME = "auto"


async def login_page(request: Request) -> Response:
    code = request.query_params.get("code", "")
    if code:
        return await _by_code(request, code)
    if viewer_of(request) is not None:
        return RedirectResponse(_next(request.query_params.get("next", "/")), 303)
    return _page(request, "", "")


def _page(request: Request, name: str, error: str, status: int = 200) -> Response:
    context = {"name": name, "error": error, "next": _next(request.query_params.get("next", "/"))}
    return render(request, None, "login.html", context, status)


def _next(asked: str) -> str:
    """A page of ours to go on to; never another site."""
    return asked if asked.startswith("/") and not asked.startswith(("//", "/\\", "/login")) else "/"


async def _by_code(request: Request, code: str) -> Response:
    console = console_of(request)
    lang = stranger_language(request)
    key = f"code:{_address(request)}"  # its own bucket: wrong passwords of others here are not to keep it out
    wait = console.rate.wait_ms(key, console.desk.now())
    if wait:
        return _page(request, "", say(lang, "login.wait", seconds=wait // 1000 + 1), 429)

    def enter(act: Act) -> str | None:
        user = spend_code(act.book, code[:LONGEST], act.now)
        return None if user is None else begin_login(act.book, user, lang, THEME, act.now)

    token = await asyncio.wrap_future(console.desk.do(enter))
    if token is None:
        console.rate.failed(key, console.desk.now())
        return _page(request, "", say(lang, "login.code_used"), 403)
    return _entered(request, "/", token)


async def log_in(request: Request) -> Response:
    console = console_of(request)
    lang = stranger_language(request)
    data = await request.form(max_files=0, max_fields=10)
    name, password = str(data.get("name", ""))[:LONGEST], str(data.get("password", ""))[:LONGEST]
    now = console.desk.now()
    address = _address(request)
    keys = (address,) if console.rate.at_home(name, address) else (address, f"name:{name}")
    wait = max(console.rate.wait_ms(key, now) for key in keys)
    if wait:
        return _page(request, name, say(lang, "login.wait", seconds=wait // 1000 + 1), 429)
    for key in keys:
        console.rate.failed(key, now)  # counted before it is looked at: many at once are still many
    hashed = password_of(console.reader, name)
    fits = await asyncio.to_thread(password_fits, hashed, password)
    if not fits:
        console.desk.do(lambda act: act.book.audit(act.now, "console", "login refused", user=name[:40]))
        return _page(request, name, say(lang, "login.wrong"), 403)
    console.rate.give_back(address, now)
    console.rate.forget(f"name:{name}")
    console.rate.came_home(name, address)
    token = await asyncio.wrap_future(
        console.desk.do(lambda act: begin_login(act.book, name, lang, THEME, act.now))
    )
    return _entered(request, _next(str(data.get("next", "/"))), token)


def _address(request: Request) -> str:
    return f"from:{request.client.host if request.client else '?'}"


def _entered(request: Request, to: str, token: str) -> Response:
    response = RedirectResponse(to, 303)
    set_cookie(response, request, token)
    return response
