"""The bench's pages and paths, as the contract has them, on loopback alone.

Every order goes to the bench's own thread and is answered when it is done. Must never answer with a trace, a
path of this machine or more than one sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from hw_sim.bench import contract as c, rendering
from hw_sim.bench.choices import NoSuch
from hw_sim.bench.conducting import Conductor
from hw_sim.bench.engine import Bench
from hw_sim.bench.guard import Guard
from hw_sim.bench.half_feed import feed
from hw_sim.bench.news import tell
from hw_sim.bench.problems import OUR_ERROR, STATUS, problem_of
from hw_sim.bench.told_again import diagram, retold
from hw_sim.core_runner import known_regulations
from hw_sim.refusals import Why
from hw_sim.scenario.errors import CannotBePlayed, NotUnderstood

log = logging.getLogger(__name__)
HERE = Path(__file__).parent
DONE_WITHIN_S = 60.0
_CONTROL: TypeAdapter[c.Control] = TypeAdapter(c.Control)
_M = TypeVar("_M", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]


class Pages:
    """Handlers, each a path of the contract."""

    def __init__(self, bench: Bench, lang: str) -> None:
        self.bench = bench
        self.conductor = Conductor(bench)
        self._lang = lang

    # --- pages

    async def whole(self, request: Request) -> Response:
        return self._page(request, "bench", "")

    async def half(self, request: Request) -> Response:
        face = request.path_params["face"]
        return self._page(request, "half", face) if face in ("NE", "SW") else PlainTextResponse("", 404)

    def _page(self, request: Request, name: str, face: str) -> Response:
        asked = request.query_params.get("lang") or request.cookies.get("lang") or self._lang
        lang = asked if asked in rendering.LANGUAGES else self._lang
        theme = request.cookies.get("theme", "")
        html = rendering.page(name, lang=lang, theme=theme if theme in rendering.THEMES else "", face=face)
        answer = HTMLResponse(html)
        if "lang" in request.query_params:
            answer.set_cookie("lang", lang, samesite="strict", path="/")
        return answer

    async def words(self, request: Request) -> Response:
        try:
            text = rendering.words_json(request.path_params["lang"])
        except KeyError:
            return PlainTextResponse("", 404)
        return Response(text, media_type="application/json")

    # --- questions

    async def choices(self, request: Request) -> Response:
        signals = list(self.bench.bulletin.levels)
        return _json(await asyncio.to_thread(self.bench.library.choices, signals))

    async def diagram(self, request: Request) -> Response:
        session = self.bench.bulletin.session
        now = "" if session is None else session.setup.regulations
        profile = request.query_params.get("regulations") or now
        _known(profile)
        return _json(await asyncio.to_thread(diagram, profile))

    async def past(self, request: Request) -> Response:
        asked = request.query_params.get("ms", "")
        if not asked.isdecimal():
            raise NotUnderstood(
                "ms: write how many milliseconds after the session began", Why.TIME_NOT_A_NUMBER
            )
        past = await _answer(self.bench.ask(lambda: self.bench.session.history.at(int(asked[:12]))))
        if past is None:
            raise CannotBePlayed("nothing has been seen of this table yet", Why.NOTHING_SEEN_YET)
        return _json(past)

    async def saved(self, request: Request) -> Response:
        title = request.query_params.get("title", "")[:300]
        text = await _answer(self.bench.ask(lambda: self.bench.session.saved(title)))
        return PlainTextResponse(text, headers={"content-disposition": 'attachment; filename="bench.scn"'})

    async def retell(self, request: Request) -> Response:
        order = await _read(request, c.RetellOrder)
        _known(order.regulations)
        journal, rows = await _answer(
            self.bench.ask(lambda: (self.bench.session.journal, self.bench.session.by_row()))
        )
        return _json(await asyncio.to_thread(retold, journal, order.regulations, rows))

    # --- orders

    async def deed(self, request: Request) -> Response:
        order = await _read(request, c.DeedOrder)
        await _answer(self.bench.deed(order.line.strip()))
        return _json(c.Done())

    async def control(self, request: Request) -> Response:
        order = _CONTROL.validate_json(await request.body())
        await _answer(self.bench.ask(lambda: self.conductor.control(order)))
        return _json(c.Done())

    async def misdeed(self, request: Request) -> Response:
        order = await _read(request, c.MisdeedOrder)
        await _answer(self.bench.ask(lambda: self.conductor.misdeed(order)))
        return _json(c.Done())

    async def plug(self, request: Request) -> Response:
        order = await _read(request, c.PlugOrder)
        await _answer(self.bench.ask(lambda: self.bench.plug(order)))
        return _json(c.Done())

    async def scenario(self, request: Request) -> Response:
        order = await _read(request, c.ScenarioText)
        await _answer(self.bench.ask(lambda: self.conductor.scenario_text(order)))
        return _json(c.Done())

    async def near_deed(self, request: Request) -> Response:
        face = request.path_params["face"]
        if face not in ("NE", "SW"):
            return PlainTextResponse("", 404)
        self.bench.near_deed(face, await _read(request, c.NearDeed))
        return _json(c.Taken(), 202)

    # --- sockets

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await _until_gone(socket, tell(self.bench.bulletin, socket.send_text))

    async def near_socket(self, socket: WebSocket) -> None:
        face = socket.path_params["face"]
        if face not in ("NE", "SW"):
            await socket.close()
            return
        await socket.accept()
        sending = feed(face, self.bench.sights, socket.send_text, clock=time.monotonic, sleep=asyncio.sleep)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await _until_gone(socket, sending)


async def _until_gone(socket: WebSocket, sending: Awaitable[None]) -> None:
    """Send until the page is gone; what it says is not listened to."""
    task = asyncio.ensure_future(sending)
    try:
        while not task.done():
            receiving = asyncio.ensure_future(socket.receive())
            await asyncio.wait({task, receiving}, return_when=asyncio.FIRST_COMPLETED)
            if not receiving.done():
                receiving.cancel()
                break
            if receiving.result()["type"] == "websocket.disconnect":
                return
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


T = TypeVar("T")


def _known(profile: str) -> None:
    """Refused here, not by a process that has to start first. Raises NoSuch."""
    if profile not in known_regulations():
        raise NoSuch("profile", profile, list(known_regulations()))


async def _answer(future: Future[T]) -> T:
    return await asyncio.wait_for(asyncio.wrap_future(future), DONE_WITHIN_S)


async def _read(request: Request, shape: type[_M]) -> _M:
    return shape.model_validate_json(await request.body())


def _json(shape: BaseModel, status: int = 200) -> Response:
    return Response(shape.model_dump_json(), status, media_type="application/json")


def _said(handler: Handler) -> Handler:
    """The handler, its refusals made into one sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                log.exception("our error at %s", request.url.path)
                return JSONResponse(OUR_ERROR.model_dump(), 500)
            return JSONResponse(problem.model_dump(), STATUS[problem.code])

    return answer


def application(bench: Bench, lang: str = "en") -> Starlette:
    """The whole application around a bench that runs."""
    pages = Pages(bench, lang)
    get = {
        "/": pages.whole,
        "/half/{face}": pages.half,
        "/words/{lang}.json": pages.words,
        "/api/choices": pages.choices,
        "/api/diagram": pages.diagram,
        "/api/past": pages.past,
    }
    post = {
        "/api/deed": pages.deed,
        "/api/control": pages.control,
        "/api/misdeed": pages.misdeed,
        "/api/plug": pages.plug,
        "/api/retell": pages.retell,
        "/half/{face}/deed": pages.near_deed,
    }

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield

    app = Starlette(
        routes=[
            *(Route(path, _said(handler), methods=["GET"]) for path, handler in get.items()),
            *(Route(path, _said(handler), methods=["POST"]) for path, handler in post.items()),
            Route("/api/scn", _said(pages.saved), methods=["GET"]),
            Route("/api/scn", _said(pages.scenario), methods=["POST"]),
            WebSocketRoute("/ws", pages.socket),
            WebSocketRoute("/half/{face}/ws", pages.near_socket),
        ],
        middleware=[Middleware(Guard)],
        lifespan=life,
    )
    app.mount("/static", StaticFiles(directory=HERE / "static"))
    return app
