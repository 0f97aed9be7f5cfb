"""The door: where tables enrol, open only while somebody holds it open.

HTTPS under the certificate of the pages; two questions and nothing else. `GET /authority` gives the
authority's certificate to anybody, since the code proves it; `POST /redeem` takes a code and a request. Must
never answer a wrong code with anything that helps to guess, and never log what was asked.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from director_console.broker_admin.granting import NotGranted, redeem
from director_console.broker_admin.layout import AccessError, Layout, read
from director_console.broker_admin.venue import look
from director_console.web.rate import RateLimit
from table_controller.enrolment.protocol import (
    AUTHORITY_PATH,
    LARGEST,
    REDEEM_PATH,
    AnswerWrong,
    Granted,
    read_redeem,
)

WRONG_CODES = 10
"""So many wrong codes at once from one address, then one a minute: enough for fingers, not for guessing."""
REFILL_MS = 60_000


@dataclass(slots=True, kw_only=True)
class Door:
    """`said` is told each event for the person at the door: who, what, and whether it was let in."""

    root: Path
    said: Callable[[str, bool], None]
    granted: Callable[[Granted], None] = field(default=lambda _: None)
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    rate: RateLimit = field(default_factory=lambda: RateLimit(tries=WRONG_CODES, refill_ms=REFILL_MS))

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(AUTHORITY_PATH, self._authority, methods=["GET"]),
                Route(REDEEM_PATH, self._redeem, methods=["POST"]),
            ]
        )

    async def _authority(self, request: Request) -> Response:
        return PlainTextResponse(read(Layout(self.root).trusted("console")).decode())

    async def _redeem(self, request: Request) -> Response:
        address = request.client.host if request.client else "?"
        ms = round(self.now().timestamp() * 1000)
        if self.rate.wait_ms(address, ms):
            self.said(f"{address}: too many wrong codes; wait a minute", False)
            return _no("too many wrong codes from this address; wait a minute", 429)
        body = await _body(request)
        if body is None:
            return _no("that is longer than an enrolment", 413)
        try:
            question = read_redeem(body)
        except AnswerWrong as problem:
            return _no(str(problem), 422)
        self.rate.failed(address, ms)
        try:
            answer = await asyncio.to_thread(redeem, self.root, question, self.now())
        except NotGranted as problem:
            self.said(f"{address}: {problem}", False)
            return _no(str(problem), problem.status)
        except AccessError as problem:
            self.said(str(problem), False)
            return _no("the console cannot enrol tables just now; look at its own message", 503)
        self.rate.forget(address)
        self.said(f"table {answer.table} is enrolled ({address})", True)
        self.granted(answer)
        return Response(
            answer.model_dump_json(), media_type="application/json", headers={"cache-control": "no-store"}
        )


def _no(sentence: str, status: int) -> Response:
    return JSONResponse({"message": sentence}, status, headers={"cache-control": "no-store"})


async def _body(request: Request) -> bytes | None:
    """The question, None where it is too long; never more of it in memory than it may have."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return None
    return body


class OpenDoor:
    """The listener. `serve` works until `close`, from any thread, or until nobody is waited for."""

    def __init__(self, door: Door, listening: socket.socket) -> None:
        layout = Layout(door.root)
        self._listening = listening
        config = uvicorn.Config(
            door.app(),
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=100,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=2,
            ssl_certfile=layout.certificate("console", "pages"),
            ssl_keyfile=layout.key("console", "pages"),
        )
        self._server = uvicorn.Server(config)

    def serve(self) -> None:
        self._server.run(sockets=[self._listening])

    def close(self) -> None:
        self._server.should_exit = True


def close_when_done(opened: OpenDoor, root: Path, now: Callable[[], datetime]) -> Callable[[Granted], None]:
    """Ends the door some moments after the last code has been used, so that the last answer arrives."""

    def granted(answer: Granted) -> None:
        if not look(root).waiting(now()):
            threading.Timer(1.0, opened.close).start()

    return granted
