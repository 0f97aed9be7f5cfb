"""Everything that changes something comes through here: who, may he, is it his form, is it whole, was it
done already.

A form is a row of a table (`Form`), so that the rights, the fields and the service's own description cannot
differ. It is committed before it is answered; a repeat with the same key gets the first answer and does
nothing.

Every form carries two hidden fields: `csrf` (of the login) and `key` (made with the page, one a form). A
program may ask for JSON with `Accept: application/json`: 200 `{"location": ...}`, 422 `{"errors": {field:
sentence}}`, 409 `{"message": sentence}`.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from director_console.act import Act, Unable
from director_console.store.people import Role
from director_console.web.fields import Bad, Field, Values
from director_console.web.guard import not_allowed, not_logged_in, page_asked, problem_page
from director_console.web.posting_again import Again
from director_console.web.state import console_of
from director_console.web.viewer import Viewer, viewer_of

log = logging.getLogger(__name__)
ULID_LENGTH = 26
COMMIT_WITHIN_S = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A form as it came: where to, the path's own values, what was typed, and who."""

    where: str
    path: Mapping[str, str]
    values: Values
    viewer: Viewer


Do = Callable[[Act, Sent], str]
"""Does it, and gives the page to go to. Raises Bad-by-field (`Wrong`) or Unable."""
Page = Callable[[Request, Again], Awaitable[Response]]


class Wrong(ValueError):
    """A field that is wrong in the light of other fields or of the table."""

    def __init__(self, field: str, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.field = field
        self.bad = Bad(key, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form. `page`: shows its page again when something is wrong. `summary`: for the service's
    description.
    """

    name: str
    path: str
    role: Role
    fields: tuple[Field, ...]
    do: Do
    page: Page
    summary: str

    def route(self) -> Route:
        async def endpoint(request: Request) -> Response:
            return await handle(request, self)

        return Route(self.path, endpoint, methods=["POST"], name=self.name)


def wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


async def handle(request: Request, form: Form) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    if not viewer.may(form.role):
        return not_allowed(request, viewer, form.name)
    try:
        data = await request.form(max_files=0, max_fields=300, max_part_size=65536)
    except HTTPException as error:
        if error.status_code == 413:
            raise
        return _unreadable(request, viewer, form)
    except Exception:
        return _unreadable(request, viewer, form)
    if not hmac.compare_digest(str(data.get("csrf", "")).encode(), viewer.login.csrf.encode()):
        return not_allowed(request, viewer, form.name)
    given = _given(data)
    key = "".join(given.pop("key", ("",)))
    values, errors = check(form, given, viewer)
    if len(key) != ULID_LENGTH or not key.isalnum():
        if page_asked(request):
            return await _show_again(request, viewer, form, given, errors, viewer.say("field.key"), 422)
        return _refuse(viewer, form, errors, viewer.say("field.key"), 422)
    if errors:
        return await _show_again(request, viewer, form, given, errors, "", 422)
    path = {name: str(value) for name, value in request.path_params.items()}
    sent = Sent(where=request.url.path, path=path, values=values, viewer=viewer)
    return await _commit(request, form, sent, given, key)


def _given(data: FormData) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in data.multi_items():
        if name != "csrf" and isinstance(value, str):
            found[name] = (*found.get(name, ()), value)
    return found


def check(form: Form, given: Mapping[str, tuple[str, ...]], viewer: Viewer) -> tuple[Values, dict[str, str]]:
    """What the fields hold, and a sentence for each that is wrong."""
    read: dict[str, tuple[str, ...]] = {}
    errors: dict[str, str] = {}
    names = {field.name for field in form.fields}
    if given.keys() - names:
        errors["form"] = viewer.say("field.unknown")
    for field in form.fields:
        try:
            read[field.name] = field.read(given.get(field.name, ()))
        except Bad as bad:
            errors[field.name] = viewer.say(bad.key, **bad.values)
    return Values(read), errors


async def _commit(
    request: Request, form: Form, sent: Sent, given: Mapping[str, tuple[str, ...]], key: str
) -> Response:
    viewer = sent.viewer
    digest = _digest(form, sent)
    console = console_of(request)
    future = console.desk.do(lambda act: once(act, form, sent, key, digest))
    try:
        location = await asyncio.wait_for(asyncio.wrap_future(future), COMMIT_WITHIN_S)
    except Wrong as wrong:
        errors = {wrong.field: viewer.say(wrong.bad.key, **wrong.bad.values)}
        return await _show_again(request, viewer, form, given, errors, "", 422)
    except Unable as unable:
        return await _show_again(
            request, viewer, form, given, {}, viewer.say(unable.key, **unable.values), 409
        )
    except (TimeoutError, sqlite3.Error):
        return await _show_again(request, viewer, form, given, {}, viewer.say("post.slow"), 503)
    if wants_json(request):
        return JSONResponse({"location": location})
    return RedirectResponse(location, 303)


def _digest(form: Form, sent: Sent) -> str:
    text = json.dumps([form.name, sorted(sent.path.items()), sorted(sent.values.given.items())])
    return hashlib.sha256(text.encode()).hexdigest()


def once(act: Act, form: Form, sent: Sent, key: str, digest: str) -> str:
    """Do it, unless this key has been used: then the first answer again. In the desk's transaction."""
    row = act.book.db.execute(
        "SELECT digest, answer FROM submissions WHERE user = ? AND key = ?", (sent.viewer.name, key)
    ).fetchone()
    if row is not None:
        if row[0] != digest:
            raise Unable("post.other_content")
        return str(row[1])
    location = form.do(act, sent)
    act.book.db.execute(
        "INSERT INTO submissions VALUES (?, ?, ?, ?, ?, ?)",
        (key, sent.viewer.name, sent.where, digest, location, act.now),
    )
    act.book.db.execute("DELETE FROM drafts WHERE user = ? AND form = ?", (sent.viewer.name, sent.where))
    return location


async def _show_again(
    request: Request,
    viewer: Viewer,
    form: Form,
    given: Mapping[str, tuple[str, ...]],
    errors: Mapping[str, str],
    message: str,
    status: int,
) -> Response:
    if wants_json(request):
        return _refuse(viewer, form, errors, message, status)
    secret = {field.name for field in form.fields if field.secret}
    kept = {name: value for name, value in given.items() if name not in secret}
    response = await form.page(request, Again(form=form.name, given=kept, errors=errors, message=message))
    response.status_code = status
    return response


def _unreadable(request: Request, viewer: Viewer, form: Form) -> Response:
    if page_asked(request):
        return problem_page(request, 400, "field.unreadable")
    return _refuse(viewer, form, {}, viewer.say("field.unreadable"), 400)


def _refuse(
    viewer: Viewer,
    form: Form,
    errors: Mapping[str, str],
    message: str,
    status: int,
) -> Response:
    log.info("form %s of %s refused (%s)", form.name, viewer.name, status)
    return JSONResponse({"errors": dict(errors), "message": message}, status)
