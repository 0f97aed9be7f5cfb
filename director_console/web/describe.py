"""The service's own description (OpenAPI 3.1), made from the same table of forms that runs.

So that what is described, what is allowed and what is done cannot differ. Given to whoever is logged in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from director_console.web.fields import Field
from director_console.web.guard import LARGEST_UPLOAD, not_logged_in
from director_console.web.posting import Form
from director_console.web.viewer import viewer_of

FORM_TYPE = "application/x-www-form-urlencoded"


def _query(name: str, description: str) -> dict[str, object]:
    return {"name": name, "in": "query", "description": description, "schema": {"type": "string"}}


def _other(name: str, summary: str, kind: str, fields: dict[str, int], **formats: str) -> dict[str, object]:
    """An operation that is no `Form`: fields with the greatest length of each."""
    properties = {
        field: {
            "type": "string",
            "maxLength": longest,
            **({"format": formats[field]} if field in formats else {}),
        }
        for field, longest in fields.items()
    }
    content = {kind: {"schema": {"type": "object", "properties": properties}}}
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Done."}, "303": {"description": "Done; where to go on."}},
    }


QUERIES: dict[str, list[dict[str, object]]] = {
    "/": [_query("size", "s, m or l: how large a tile is.")],
    "/queue": [_query("mine", "Anything: only my own cases.")],
    "/login": [
        _query("code", "A one-time code, which lets its user in."),
        _query("next", "Where to go on."),
        _query("lang", "en or zh-CN."),
    ],
    "/public": [_query("lang", "en or zh-CN."), _query("theme", "auto, light or dark.")],
    "/api/changes": [
        _query("since", "The revision the page has."),
        _query("key", "A part of the page; may come several times."),
    ],
}
OTHERS: dict[str, dict[str, object]] = {
    "/login": _other(
        "log_in", "Log in.", FORM_TYPE, {"name": 200, "password": 200, "next": 200}, password="password"
    ),
    "/drafts": _other(
        "draft", "Keep what is being typed.", FORM_TYPE, {"csrf": 200, "form": 200, "fields": 8000}
    ),
    "/evidence/check": _other(
        "check_evidence",
        "Check evidence somebody brings.",
        "multipart/form-data",
        {"csrf": 200, "evidence": LARGEST_UPLOAD},
        evidence="binary",
    ),
}
"""What is posted and is no `Form`, since it is no deed with a right to it of its own."""


def describe(forms: Sequence[Form], routes: Sequence[BaseRoute], version: str) -> dict[str, object]:
    """The whole document."""
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            paths.setdefault(_plain(route.path), {})["get"] = {
                "parameters": _parameters(route.path),
                "responses": {"200": {"description": "The page, or what it is made of."}},
            }
    for path, parameters in QUERIES.items():
        paths[path]["get"] = {
            "parameters": [*_parameters(path), *parameters],
            "responses": {"200": {"description": "The page, or what it is made of."}},
        }
    for form in forms:
        paths.setdefault(_plain(form.path), {})["post"] = _operation(form)
    for path, operation in OTHERS.items():
        paths.setdefault(path, {})["post"] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Director's console", "version": version},
        "paths": dict(sorted(paths.items())),
    }


def _plain(path: str) -> str:
    return re.sub(r"\{(\w+):\w+\}", r"{\1}", path)


def _parameters(path: str) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer" if kind == ":int" else "string"},
        }
        for name, kind in re.findall(r"\{(\w+)(:\w+)?\}", path)
    ]


def _operation(form: Form) -> dict[str, object]:
    properties: dict[str, object] = {
        "csrf": {"type": "string", "description": "Of this login; in the page's meta element."},
        "key": {
            "type": "string",
            "pattern": "^[0-9A-Z]{26}$",
            "description": "A ULID, one for each form sent.",
        },
    }
    properties.update({field.name: _schema(field) for field in form.fields})
    required = ["csrf", "key", *(field.name for field in form.fields if field.required)]
    return {
        "operationId": form.name,
        "summary": form.summary,
        "description": f"For the role {form.role.value} and those above it.",
        "parameters": _parameters(form.path),
        "requestBody": {
            "required": True,
            "content": {
                FORM_TYPE: {"schema": {"type": "object", "properties": properties, "required": required}}
            },
        },
        "responses": {
            "200": {"description": "Done; with Accept: application/json, where to go on."},
            "303": {"description": "Done; where to go on."},
            "401": {"description": "Nobody is logged in."},
            "403": {"description": "The role does not allow it, or the form is not of this login."},
            "409": {"description": "It cannot be done now; one sentence says why."},
            "422": {"description": "A field is wrong; one sentence at each."},
        },
    }


def _schema(field: Field) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string", "maxLength": field.longest}
    if field.options:
        schema["enum"] = ["", *field.options]
    if field.whole is not None:
        schema["pattern"] = "^-?[0-9]{0,9}$"
    return {"type": "array", "items": schema} if field.many else schema


async def description(request: Request) -> Response:
    if viewer_of(request) is None:
        return not_logged_in(request)
    return JSONResponse(request.app.state.description)
