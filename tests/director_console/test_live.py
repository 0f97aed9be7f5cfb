"""Changes to the browser: one push at a time, only what has changed, and the same by plain requests."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig
from tests.firmware_bridge.calm import Watch

T = TypeVar("T")

KEYS = ["strip", "links", "tile:7|m", "tile:9|m", "queue:"]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path)
    yield made
    made.close()


@pytest.fixture
def table(rig: WebRig) -> Playing:
    playing = Playing("7", rig.keys, 1)
    rig.hear(*playing.hello())
    return playing


def completed(work: Coroutine[Any, Any, T]) -> T:
    """Run it in a thread of its own: a browser test in the same process leaves a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def watching(
    rig: WebRig, work: Callable[[ClientConnection], Awaitable[None]], since: int | None = None
) -> None:
    """Open the page's socket and do something with it."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in rig.client.cookies.jar)

    async def run() -> None:
        address = rig.base.replace("http", "ws") + "/live"
        async with websockets.connect(address, additional_headers={"cookie": cookies}) as socket:
            start = rig.running.desk.hall.rev if since is None else since
            await socket.send(json.dumps({"keys": KEYS, "since": start}))
            await work(socket)

    completed(asyncio.wait_for(run(), 20))


async def push(socket: ClientConnection, within: float = 3) -> dict[str, dict[str, str]]:
    pushed: dict[str, dict[str, str]] = json.loads(await asyncio.wait_for(socket.recv(), within))
    return pushed


async def seen(socket: ClientConnection) -> None:
    await socket.send('{"seen": 1}')


async def until_closed(socket: ClientConnection) -> int:
    """The code it is closed with."""
    try:
        while True:
            await push(socket, 8)
            await seen(socket)
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


def test_a_change_comes_within_half_a_second_and_only_what_has_changed(rig: WebRig, table: Playing) -> None:
    async def work(socket: ClientConnection) -> None:
        await push(socket)
        await seen(socket)
        await asyncio.sleep(0.5)
        sent = table.step()
        with Watch() as watch:
            start = time.monotonic()
            await asyncio.to_thread(rig.hear, *sent)
            while True:
                got = await push(socket)
                await seen(socket)
                if any(key.startswith("tile") for key in got["html"]):
                    break
            took = time.monotonic() - start
        assert took < 0.6 + watch.paused_s
        assert "tile:7|m" in got["html"]
        assert "tile:9|m" not in got["html"]

    watching(rig, work)


def test_a_page_that_does_not_say_it_has_drawn_gets_no_second_push(rig: WebRig, table: Playing) -> None:
    async def work(socket: ClientConnection) -> None:
        await push(socket)
        for _ in range(4):
            await asyncio.to_thread(rig.hear, *table.step())
            await asyncio.sleep(0.3)
        with pytest.raises(TimeoutError):
            await push(socket, 1.5)
        await seen(socket)
        got = await push(socket)
        assert 'data-fragment="tile:7|m"' in got["html"]["tile:7|m"]
        fresh = rig.client.get("/?size=m").text
        assert got["html"]["tile:7|m"].strip().splitlines()[0] in fresh

    watching(rig, work)


def test_pushes_are_at_most_four_a_second_however_much_happens(rig: WebRig, table: Playing) -> None:
    async def work(socket: ClientConnection) -> None:
        count, start = 0, time.monotonic()
        while time.monotonic() < start + 2 or count < 2:
            await asyncio.to_thread(rig.hear, *table.step())
            try:
                await push(socket, 0.01)
            except TimeoutError:
                continue
            await seen(socket)
            count += 1
        assert count <= 4 * (time.monotonic() - start) + 1

    watching(rig, work)


def test_the_same_by_plain_requests(rig: WebRig, table: Playing) -> None:
    since = rig.running.desk.hall.rev
    query = {"since": str(since), "key": KEYS}
    quiet = rig.client.get("/api/changes", params=query).json()
    assert "tile:7|m" not in quiet["html"]
    rig.hear(*table.step())
    changed = rig.client.get("/api/changes", params=query).json()
    assert "tile:7|m" in changed["html"]
    assert "tile:9|m" not in changed["html"]
    assert changed["rev"] > since


def test_an_ended_login_closes_the_socket(rig: WebRig, table: Playing) -> None:
    async def work(socket: ClientConnection) -> None:
        await push(socket)
        await seen(socket)
        db = rig.running
        await asyncio.to_thread(
            lambda: db.desk.do(
                lambda act: act.book.db.execute("UPDATE logins SET revoked = 1") and None
            ).result(5)
        )
        assert await until_closed(socket) == 4401

    watching(rig, work)


def test_a_stranger_and_another_sites_page_get_nothing(rig: WebRig, table: Playing) -> None:
    async def run(headers: dict[str, str]) -> int:
        try:
            async with websockets.connect(
                rig.base.replace("http", "ws") + "/live", additional_headers=headers
            ) as socket:
                await socket.send(json.dumps({"keys": KEYS, "since": -1}))
                await socket.recv()
                return 0
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1
        except websockets.InvalidStatus as refused:
            return refused.response.status_code

    assert completed(run({})) == 4401
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in rig.client.cookies.jar)
    assert completed(run({"cookie": cookies, "origin": "https://elsewhere.example"})) == 403


@pytest.mark.parametrize(
    "nonsense", ["", "[]", "{", '{"keys": 5, "since": "x"}', '{"keys": ["' + "a" * 300 + '"]}', "x" * 70000]
)
def test_nonsense_on_the_socket_is_harmless(rig: WebRig, nonsense: str) -> None:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in rig.client.cookies.jar)

    async def run() -> None:
        async with websockets.connect(
            rig.base.replace("http", "ws") + "/live", additional_headers={"cookie": cookies}
        ) as socket:
            await socket.send(nonsense)
            try:
                await asyncio.wait_for(socket.recv(), 1)
            except (websockets.ConnectionClosed, TimeoutError):
                return

    completed(run())
    assert rig.client.get("/healthz").json()["ok"]


def test_a_page_from_before_a_restart_is_brought_up_to_date(rig: WebRig, table: Playing) -> None:
    async def work(socket: ClientConnection) -> None:
        got = await push(socket)
        assert {"strip", "links", "tile:7|m", "tile:9|m"} <= got["html"].keys()

    watching(rig, work, since=1)
