"""What every answer of the bench carries and every request must pass: loopback's own page, or nobody.

Must never let a page of another origin do anything, read anything, or name us by another host.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hw_sim.bench.problems import problem_with
from hw_sim.refusals import Said, Why

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]", "testserver"})
LARGEST_BODY = 256 * 1024
POLICY_VIOLATION = 1008


class Guard:
    """ASGI middleware around everything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        why = refused(scope)
        if why is None:
            await self._app(scope, receive, send if scope["type"] == "websocket" else _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            problem = problem_with("foreign", why)
            await JSONResponse(problem.model_dump(), 403)(scope, receive, _with_headers(send))


def refused(scope: Scope) -> Said | None:
    """Why this request is not looked at, in one sentence; None where it may pass."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if _name_of(host) not in HOSTS:
        return Said.because(
            f"the bench answers only on this machine, not as {host[:80]!r}; open the address it printed",
            Why.ANOTHER_HOST,
            name=host[:80],
        )
    acts = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD")
    origin = headers.get("origin")
    if acts and (headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")):
        return Said("a page of another site may not work the bench; use its own page", Why.ANOTHER_SITE)
    if acts and origin is not None and urlsplit(origin).netloc != host:
        return Said("a page of another origin may not work the bench; use its own page", Why.ANOTHER_SITE)
    if scope.get("method") == "POST":
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return Said("send JSON, with Content-Type: application/json", Why.BODY_NOT_JSON)
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return Said.because(
                f"send at most {LARGEST_BODY} bytes, and say how many", Why.BODY_TOO_LARGE, most=LARGEST_BODY
            )
    return None


def _name_of(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
