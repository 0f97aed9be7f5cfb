"""The demonstration as a person sees it: four tables on the director's page, followed as they play."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import needs
from tests.hw_sim.running import start

pytestmark = pytest.mark.browser
SLOWLY_MS = 60_000


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running demonstration with a misdeed on every board; the link that lets in once."""
    keep = tmp_path_factory.mktemp("demo") / "run"
    process = start(
        "demo", "--tables", "4", "--speed", "20", "--every", "1", "--broker", "embedded", "--keep", str(keep)
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"Log in once with: (\S+)", line):
                yield found.group(1)
                break
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


@pytest.fixture(scope="module")
def page(link: str) -> Iterator[Page]:
    for browser in needs.chromium():
        shown = browser.new_context(locale="en", viewport={"width": 1600, "height": 900}).new_page()
        shown.goto(link)
        yield shown


def test_the_wall_shows_four_tables_and_follows_them(page: Page) -> None:
    tiles = page.locator("[data-wall] .tile")
    expect(tiles).to_have_count(4, timeout=SLOWLY_MS)
    for number in range(1, 5):
        tile = page.locator(f"#tile-{number}")
        expect(tile.locator(".t-num")).to_have_text(str(number))
        expect(tile.locator(".t-board")).to_contain_text(re.compile(r"\d"), timeout=SLOWLY_MS)
    first = page.locator("#tile-1")
    expect(first.locator(".t-auction")).to_contain_text(re.compile("Pass|P|1"), timeout=SLOWLY_MS)
    expect(first.locator(".t-contract")).to_contain_text("3NT", timeout=SLOWLY_MS)


def test_what_the_players_did_and_the_scripted_ruling_are_in_the_queue(page: Page) -> None:
    page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + "/queue")
    expect(page.locator("[data-case]").first).to_be_attached(timeout=SLOWLY_MS)
    expect(page.locator(".dealt")).to_be_visible(timeout=SLOWLY_MS)
    page.locator(".dealt summary").click()
    expect(page.locator(".dealt [data-case]").first).to_be_visible(timeout=SLOWLY_MS)
    ruled = page.locator('.dealt [data-standing="ruled"]')
    expect(ruled.first).to_be_visible(timeout=SLOWLY_MS)


def test_every_page_says_that_the_tables_are_simulated(page: Page) -> None:
    expect(page.locator("body")).to_contain_text(re.compile("simulat", re.IGNORECASE))


def test_one_table_shows_its_auction_tray_and_window(page: Page) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + "/tables/1")
    expect(page.locator(".auction").first).to_be_visible(timeout=SLOWLY_MS)
    expect(page.locator(".tablenow svg.drawing")).to_be_visible()
    if folder := os.environ.get("SCREEN_TABLE_SHOTS"):
        page.screenshot(path=str(Path(folder) / "demo-table.png"))
        page.goto("/".join(page.url.split("/")[:3]) + "/")
        expect(page.locator("#tile-1 .t-board")).to_contain_text(re.compile(r"\d"))
        page.wait_for_timeout(6_000)
        page.screenshot(path=str(Path(folder) / "demo-wall.png"))
