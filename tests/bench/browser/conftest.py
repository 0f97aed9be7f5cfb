"""A real bench, its controller, broker and console behind it, and Debian's Chromium in front."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests import needs

READY_WITHIN_S = 60.0

expect.set_options(timeout=20_000)  # a busy machine is no failure of the page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "bench/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Ended with its file: Playwright keeps a loop running in its thread, which other tests cannot have."""
    yield from needs.chromium()


class Bench:
    """The bench's address, and pages on it; what went wrong in them is kept."""

    def __init__(self, base: str, browser: Browser) -> None:
        self.base, self.browser = base, browser
        self.contexts: list[BrowserContext] = []
        self.problems: list[str] = []

    def page(self, path: str = "/", lang: str = "en", scheme: str = "light", **more: Any) -> Page:
        options: dict[str, Any] = {"color_scheme": scheme, "viewport": {"width": 1600, "height": 900}, **more}
        context = self.browser.new_context(locale=lang, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.problems.append(f"{path}: {error}"))
        page.on("console", lambda message: self._note(path, message.type, message.text))
        page.goto(f"{self.base}{path}?lang={lang}")
        return page

    def _note(self, path: str, kind: str, text: str) -> None:
        if kind == "error" and not text.startswith(("Failed to load resource", "WebSocket connection")):
            self.problems.append(f"{path}: {text}")

    def order(self, path: str, **body: object) -> httpx.Response:
        """As the page itself would send it."""
        headers = {"origin": self.base}
        return httpx.post(f"{self.base}{path}", json=body, headers=headers, timeout=60)

    def fresh(self, **setup: object) -> None:
        """As if it had just been started, whatever the tests before have done; `setup` where it differs."""
        asked = {"table": "full", "rig": "wire", "regulations": "ccba-2006", **setup}
        for order in (
            {"do": "speed", "speed": 1},
            {"do": "director", "who": "scripted"},
            {"do": "setup", **asked},
        ):
            answer = self.order("/api/control", **order)
            assert answer.is_success, answer.text

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts = []


@pytest.fixture(scope="module")
def bench(running: str, chromium: Browser) -> Bench:
    return Bench(running, chromium)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One bench for all of these tests; its address."""
    log = tmp_path_factory.mktemp("bench") / "said"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "hw_sim", "bench", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            base = address(process, log)
            answers(base)
            yield base
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where it says it is to be found."""
    assert process.stdout is not None
    until = monotonic() + READY_WITHIN_S
    said = b""
    while monotonic() < until:
        if select.select([process.stdout], [], [], 0.2)[0]:
            piece = os.read(process.stdout.fileno(), 4096)
            said += piece
            found = re.search(rb"http://[\w.:]+", said)
            if found:
                return found[0].decode()
            if not piece:
                break
    pytest.fail(f"the bench did not start: {said.decode()} {log.read_text(encoding='utf-8')}")


def answers(base: str) -> None:
    until = monotonic() + READY_WITHIN_S
    while True:
        try:
            httpx.get(base, timeout=20).raise_for_status()
            return
        except httpx.ConnectError:
            assert monotonic() < until, "the bench says where it is and does not answer there"
            sleep(0.1)


@pytest.fixture(autouse=True)
def no_problem_in_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "bench" in request.fixturenames:
        bench = request.getfixturevalue("bench")
        found, bench.problems = bench.problems, []
        bench.close()
        assert found == []


# --- what a page shows


def ready(page: Page) -> None:
    """The controller knows the table, and the page shows it."""
    expect(page.locator("body")).to_have_attribute("data-state", "ready", timeout=40_000)


def phase(page: Page, name: str) -> None:
    expect(page.locator(f".phase.lit[data-phase='{name}']")).to_be_visible(timeout=15_000)


def tray(page: Page, at: str) -> None:
    expect(page.locator(".tray")).to_have_attribute("data-at", at, timeout=15_000)


def entries(page: Page, kind: str) -> Locator:
    """Chips of entries that name this kind of the catalogue."""
    return page.locator(f"#flow .chip.entry[data-kinds~='{kind}']")


def events(page: Page, name: str) -> Locator:
    return page.locator(f"#flow .chip.event[data-name='{name}']")
