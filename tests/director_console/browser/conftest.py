"""A hall of generated tables behind the real pages, and Debian's Chromium in front of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from table_controller.laws.seat import Seat
from tests import needs
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig

expect.set_options(timeout=20_000)  # a busy machine is no failure of the page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "director_console/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Ended with its file: Playwright keeps a loop running in its thread, which other tests cannot have."""
    yield from needs.chromium("--autoplay-policy=user-gesture-required")


Scheme = Literal["light", "dark"]


class Hall:
    """The rig, its tables by name, and pages logged in."""

    def __init__(self, rig: WebRig, tables: dict[str, Playing], browser: Browser) -> None:
        self.rig, self.tables, self.browser = rig, tables, browser
        self.contexts: list[BrowserContext] = []
        self.logins: dict[tuple[str, str], httpx.Client] = {}
        self.problems: list[str] = []

    def context(
        self,
        name: str = "anna",
        lang: str = "en",
        scheme: Scheme = "light",
        *,
        own_login: bool = False,
        **more: Any,
    ) -> BrowserContext:
        """`own_login`: not the one of this person and language that is shared, for who changes his manner."""
        options: dict[str, Any] = {"viewport": {"width": 1600, "height": 900}, **more}
        context = self.browser.new_context(color_scheme=scheme, locale=lang, **options)
        client = self.logins.get((name, lang))
        if client is None or own_login:
            client = self.rig.login(name)
            if lang != "en":
                self.rig.post("/account", "/manner", {"lang": lang, "next": "/"}, client)
            if not own_login:
                self.logins[name, lang] = client
        for cookie in client.cookies.jar:
            context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": self.rig.base}])
        self.contexts.append(context)
        return context

    def page(self, path: str = "/", context: BrowserContext | None = None) -> Page:
        page = (context or self.context()).new_page()
        page.on("pageerror", lambda error: self.problems.append(f"{path}: {error}"))
        page.on("console", lambda message: self._note(path, message.type, message.text))
        page.goto(self.rig.base + path)
        return page

    def _note(self, path: str, kind: str, text: str) -> None:
        expected = ("Failed to load resource", "WebSocket connection")
        if kind == "error" and not text.startswith(expected):
            self.problems.append(f"{path}: {text}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()


TILES = """[...document.querySelectorAll('.tile')].map((tile) => tile.getAttribute('aria-label')
  + [...tile.querySelectorAll('.auction td')].map((cell) => cell.textContent.trim()).join(' '))"""
"""What the wall says, tile by tile, but for its clocks."""


class Frozen:
    """A page of which nothing runs: no script, no timer, no message of its socket.

    By the debugger: the browser's own *frozen* state still lets a page hear its socket.
    """

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._frames: list[str] = []
        self._session.on(
            "Debugger.paused", lambda told: self._frames.append(told["callFrames"][0]["callFrameId"])
        )
        self._session.send("Debugger.enable")
        self._session.send("Debugger.pause")  # at the next thing it does, its clock's tick within a second
        for _ in range(60):
            if self._frames:
                return
            page.wait_for_timeout(50)
        raise AssertionError("the page does not stop")

    def _stopped(self, told: dict[str, list[dict[str, str]]]) -> None:
        self._frames.append(told["callFrames"][0]["callFrameId"])

    def evaluate(self, expression: str) -> object:
        """What this is on the page as it stands still."""
        asked = {"callFrameId": self._frames[-1], "expression": expression, "returnByValue": True}
        return self._session.send("Debugger.evaluateOnCallFrame", asked)["result"]["value"]

    def thaw(self) -> None:
        self._session.send("Debugger.resume")
        self._session.detach()


def fill(rig: WebRig, names: list[str], steps: int = 7) -> dict[str, Playing]:
    """Every table in the middle of a board, and something of every kind going on."""
    tables = {name: Playing(name, rig.keys, 7 + index) for index, name in enumerate(names)}
    for index, table in enumerate(tables.values()):
        messages = table.hello()
        for _ in range(steps):
            table.wired.mono_ms += 9000
            messages += table.step()
        if index % 12 == 1:
            messages.append(table.wired.entry(table.entry()))
        if index % 12 == 3:
            messages.append(table.wired.entry(table.window_opened()))
        if index % 12 == 5:
            messages.append(table.wired.entry(table.summons(Seat.N)))
        if index % 12 == 7:
            messages.append(table.wired.fault(table.fault()))
        rig.hear(*messages, table.wired.state(table.view))
    return tables


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Hall]:
    names = [str(number) for number in range(1, 13)]
    rig = WebRig(tmp_path_factory.mktemp("hall"), tuple(names))
    made = Hall(rig, fill(rig, names), chromium)
    yield made
    made.close()
    rig.close()


@pytest.fixture(autouse=True)
def no_problem_in_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "hall" in request.fixturenames:
        hall = request.getfixturevalue("hall")
        found, hall.problems = hall.problems, []
        for context in hall.contexts:
            context.close()
        hall.contexts = []
        assert found == []
