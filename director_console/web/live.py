"""Changes to the browser: one WebSocket a page, and `GET /api/changes` where that will not do.

At most four pushes a second, and never a second one before the page has said that it has drawn the first: a
frozen page holds one push, not five minutes of them, and is right again with the next.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from director_console.web.fragments import changed_since, unsealed
from director_console.web.guard import not_logged_in, same_origin
from director_console.web.numbers import whole_number
from director_console.web.state import Console, console_of
from director_console.web.templating import seal_forms
from director_console.web.viewer import Viewer, viewer_of

log = logging.getLogger(__name__)
EVERY_S = 0.25
LOOK_EVERY_S = 1.0
HEARTBEAT_S = 5.0
MOST_KEYS = 600
LONGEST_MESSAGE = 64 * 1024
LOGGED_OUT = 4401


@dataclass(slots=True)
class Subscription:
    """What one page shows, and what it has been sent of it."""

    keys: tuple[str, ...]
    since: int
    order: tuple[str, ...]
    drawn: dict[str, int] = field(default_factory=dict)


def push_of(console: Console, viewer: Viewer, subscription: Subscription) -> dict[str, object] | None:
    """What has changed for this page since it was last sent anything; None if nothing."""
    hall = console.desk.hall
    html: dict[str, str] = {}
    for key in subscription.keys:
        if not changed_since(hall, key, subscription.since):
            continue
        drawing = unsealed(console, viewer, key)
        if subscription.drawn.get(key) == hash(drawing):
            continue
        subscription.drawn[key] = hash(drawing)
        html[key] = seal_forms(drawing, viewer.login.csrf, console.desk.now())
    reload = any(key.startswith("tile:") for key in subscription.keys) and hall.order != subscription.order
    subscription.order = hall.order
    subscription.since = hall.rev
    if not html and not reload:
        return None
    return {"rev": hall.rev, "at": console.desk.now(), "html": html, "reload": reload}


def _keys(raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list):
        return ()
    return tuple(key for key in raw[:MOST_KEYS] if isinstance(key, str) and len(key) < 200)


async def changes(request: Request) -> Response:
    """`GET /api/changes?since=REV&key=...&key=...`: for a page that cannot hold a WebSocket."""
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    console = console_of(request)
    since = whole_number(request.query_params.get("since", "0")) or 0
    order = console.desk.hall.order
    subscription = Subscription(keys=_keys(request.query_params.getlist("key")), since=since, order=order)
    push = push_of(console, viewer, subscription)
    return JSONResponse(push or {"rev": console.desk.hall.rev, "at": console.desk.now(), "html": {}})


async def live(socket: WebSocket) -> None:
    """The page says `{"keys": [...], "since": REV, "tables": N}`, then `{"seen": REV}` after each push."""
    viewer = viewer_of(socket)
    if not same_origin(socket.headers):
        await socket.close(4403)
        return
    await socket.accept()
    if viewer is None:
        await socket.close(LOGGED_OUT)
        return
    console = console_of(socket)
    event = console.live.listen()
    try:
        first = await _message(socket)
        hall = console.desk.hall
        since = first.get("since")
        subscription = Subscription(
            keys=_keys(first.get("keys")),
            since=since if isinstance(since, int) and since <= hall.rev else -1,
            order=hall.order,
        )
        await _push(socket, console, subscription, event)
    except (WebSocketDisconnect, ValueError, RuntimeError):
        pass
    except asyncio.CancelledError:
        log.debug("a page was left open when the console stopped")
    finally:
        console.live.leave(event)


async def _push(
    socket: WebSocket, console: Console, subscription: Subscription, event: asyncio.Event
) -> None:
    clock = asyncio.get_running_loop().time
    spoken = 0.0
    while True:
        viewer = viewer_of(socket)
        if viewer is None:
            await socket.close(LOGGED_OUT)
            return
        event.clear()
        push = push_of(console, viewer, subscription)
        if push is None and clock() - spoken >= HEARTBEAT_S:
            push = {"rev": console.desk.hall.rev, "at": console.desk.now(), "html": {}}
        if push is not None:
            await socket.send_text(json.dumps(push, ensure_ascii=False))
            await _message(socket)
            spoken = clock()
        await asyncio.sleep(EVERY_S)
        with suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), LOOK_EVERY_S)


async def _message(socket: WebSocket) -> dict[str, object]:
    text = await socket.receive_text()
    if len(text) > LONGEST_MESSAGE:
        raise ValueError("too long")
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value
