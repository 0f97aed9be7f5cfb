"""What every answer carries and every request must pass: headers, size, origin; and the pages that say no.

Must never show a trace, a path or a secret, whatever went wrong.
"""

from __future__ import annotations

import logging
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from director_console.web.i18n import say
from director_console.web.numbers import whole_number
from director_console.web.render import render
from director_console.web.viewer import Viewer, language_of, stranger_language, viewer_of

log = logging.getLogger(__name__)
LARGEST_BODY = 256 * 1024
LARGEST_UPLOAD = 64 * 1024 * 1024
UPLOAD = "/evidence/check"
NOT_KEPT = "no-store"
KEEP_TO_TLS = "max-age=31536000"
"""Once a browser has seen the console over TLS, it never asks for it in clear."""
KEPT = "public, max-age=300"
"""Static files: their address changes when they do, their imports' does not."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """ASGI middleware around everything."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = refusal(scope)
        if refused is not None:
            await refused(scope, receive, _with_headers(send, NOT_KEPT))
            return
        static = str(scope["path"]).startswith("/static/")
        limited = _limited(receive, largest(scope))
        answer = _with_headers(send, KEPT if static else NOT_KEPT, secure=scope["scheme"] == "https")
        await self.app(scope, limited, answer)


def refusal(scope: Scope) -> Response | None:
    """Why this request is not even looked at: too large by its own word, or sent by another site's page."""
    headers = Headers(scope=scope)
    length = whole_number(headers.get("content-length", "0"))
    if length is None or length > largest(scope):
        return _said(scope, 413, "guard.too_large")
    if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not same_origin(headers):
        return _said(scope, 403, "guard.other_site")
    return None


def _said(scope: Scope, status: int, key: str) -> Response:
    """A page for a browser, JSON for a program."""
    request = Request(scope)
    if page_asked(request):
        return problem_page(request, status, key)
    return JSONResponse({"message": say(language_of(request), key)}, status)


def same_origin(headers: Headers) -> bool:
    """Whether a browser says that the request comes from our own page; programs send no origin at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def _with_headers(send: Send, cache: str, *, secure: bool = False) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", cache)
            if secure:
                headers.setdefault("strict-transport-security", KEEP_TO_TLS)
        await send(message)

    return sending


def largest(scope: Scope) -> int:
    """How many bytes a request may bring; evidence that is to be checked is larger than a form."""
    return LARGEST_UPLOAD if scope["path"] == UPLOAD else LARGEST_BODY


def _limited(receive: Receive, most: int) -> Receive:
    """A body that says nothing of its length is counted as it comes."""
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > most:
                raise HTTPException(413)
        return message

    return receiving


def _json_asked(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "") or request.url.path.startswith("/api/")


def page_asked(request: Request) -> bool:
    """Whether a browser is to show the answer itself."""
    return "text/html" in request.headers.get("accept", "") and not _json_asked(request)


def not_logged_in(request: Request) -> Response:
    """To the login page and back; 401 for a program."""
    if _json_asked(request):
        return JSONResponse({"message": say(stranger_language(request), "guard.login")}, 401)
    back = request.url.path if request.method == "GET" else "/"
    return RedirectResponse(f"/login?next={quote(back, safe='/')}", 303)


def not_allowed(request: Request, viewer: Viewer, what: str) -> Response:
    """Logged, harmless, and one sentence."""
    log.warning("%s (%s) may not: %s", viewer.name, viewer.role, what)
    if _json_asked(request):
        return JSONResponse({"message": viewer.say("guard.not_allowed")}, 403)
    return problem_page(request, 403, "guard.not_allowed")


def problem_page(request: Request, status: int, key: str) -> Response:
    viewer = viewer_of(request)
    return render(request, viewer, "problem.html", {"status": status, "sentence": key}, status)


async def on_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    keys = {404: "guard.not_found", 405: "guard.not_found", 413: "guard.too_large"}
    key = keys.get(status, "guard.bad_request" if status < 500 else "guard.our_error")
    if _json_asked(request):
        return JSONResponse({"message": say(language_of(request), key)}, status)
    return problem_page(request, status, key)


async def on_error(request: Request, error: Exception) -> Response:
    log.error("our error at %s %s: %r", request.method, request.url.path, error, exc_info=error)
    if _json_asked(request):
        return JSONResponse({"message": say(language_of(request), "guard.our_error")}, 500)
    return problem_page(request, 500, "guard.our_error")
