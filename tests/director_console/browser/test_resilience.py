"""What the console promises of a bad evening, at its own figures and in a real browser.

A server killed in the middle of a submit, a minute offline, five minutes frozen, a word ten minutes old.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.director_console.browser.conftest import TILES, Frozen, Hall
from tests.director_console.browser.test_acts import case_of, count
from tests.director_console.playing import Playing
from tests.director_console.test_service import KEYS, Service, TableEnd, service
from tests.mqtt.conftest import Mosquitto, mosquitto  # noqa: F401

OFFLINE_S, FROZEN_S, OLD_MS = 60, 300, 600_000


@pytest.fixture
def console(mosquitto: Mosquitto, tmp_path: Path) -> Iterator[Service]:  # noqa: F811
    """A console process on a port of its own, so that a page finds it again when it has been killed."""
    with service(mosquitto.url, tmp_path / "data") as running:
        yield running


@pytest.mark.mosquitto
@pytest.mark.parametrize(
    "delays",
    [pytest.param((0.004,), id="once"), pytest.param((0.0, 0.01, 0.02, 0.05), marks=pytest.mark.long)],
)
def test_the_server_killed_in_the_middle_of_a_submit_has_one_ruling_and_the_page_says_so(
    delays: tuple[float, ...],
    console: Service,
    mosquitto: Mosquitto,  # noqa: F811
    chromium: Browser,
) -> None:
    """The page itself sends the form again, however far the first had come."""
    end = TableEnd(mosquitto.url)
    table = Playing("7", KEYS, 1)
    end.say(*table.hello(), *table.step())
    context = chromium.new_context()
    for cookie in console.client.cookies.jar:
        context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": console.base}])
    port = console.base.rsplit(":", 1)[1]
    console.more = ("--port", port)
    page = context.new_page()
    for number, delay in enumerate(delays, start=1):
        end.say(table.wired.entry(table.entry()))
        end.wait(lambda: end.receipt() == table.wired.seq)
        path = f"/cases/7/{table.wired.epoch}/{number}"
        page.goto(console.base + path)
        page.get_by_text("Other ruling").click()
        page.get_by_label("In your words").fill("Once.")
        killing = threading.Timer(delay, console.kill)
        killing.start()
        page.get_by_role("button", name="Send the ruling").click()
        killing.join()
        console.process.wait(10)
        page.wait_for_timeout(300)
        console.start()
        expect(page.locator(".command").first).to_contain_text("Other ruling", timeout=20_000)
        expect(page.locator(".command")).to_have_count(1)
        assert page.evaluate("localStorage.getItem('screen-table-kept-form') ?? '[]'") == "[]"
        page.goto(console.base + path)
        assert (page.locator(".history").text_content() or "").count("ruling, version") == 1
    context.close()
    end.link.stop()


@pytest.mark.mosquitto
def test_a_retained_word_ten_minutes_old_is_hatched_with_its_age_until_the_table_speaks(
    mosquitto: Mosquitto,  # noqa: F811
    tmp_path: Path,
    chromium: Browser,
) -> None:
    """It is on the broker before the console comes, as after a night."""
    end = TableEnd(mosquitto.url)
    table = Playing("7", KEYS, 1)
    now = time.time_ns() // 1_000_000
    table.wired.wall_ms = now - OLD_MS
    end.say(table.wired.avail(), table.wired.state(table.view))
    with service(mosquitto.url, tmp_path / "data") as console:
        context = chromium.new_context()
        for cookie in console.client.cookies.jar:
            context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": console.base}])
        page = context.new_page()
        page.goto(console.base + "/")
        tile = page.locator("#tile-7")
        expect(tile).to_be_visible(timeout=10_000)
        expect(page.locator("#tile-7.stale")).to_be_visible()
        expect(tile.locator(".t-age")).to_contain_text(re.compile(r"^(9:5|10:)"))
        table.wired.wall_ms = time.time_ns() // 1_000_000
        end.say(table.wired.state(table.view))
        expect(page.locator("#tile-7.stale")).to_have_count(0)
        context.close()
    end.link.stop()


@pytest.mark.long
def test_a_minute_offline_the_form_is_kept_and_sent_once(hall: Hall) -> None:
    path = case_of(hall, "3")
    context = hall.context()
    page = hall.page(path, context)
    page.get_by_text("Other ruling").click()
    page.get_by_label("In your words").fill("Given in the corridor.")
    before = count(hall, "rulings")
    context.set_offline(True)
    page.get_by_role("button", name="Send the ruling").click()
    expect(page.locator("#said")).to_contain_text("it will be sent once")
    page.wait_for_timeout(OFFLINE_S * 1000)
    expect(page.locator("body.lost")).to_be_attached()
    assert count(hall, "rulings") == before
    context.set_offline(False)
    expect(page.locator(".command").first).to_contain_text("Other ruling", timeout=15_000)
    page.wait_for_timeout(3000)
    assert count(hall, "rulings") == before + 1
    assert page.evaluate("localStorage.getItem('screen-table-kept-form')") == "[]"


SHOWN = """() => [...document.querySelectorAll('[data-fragment]')].map((part) => {
  const copy = part.cloneNode(true);
  copy.querySelectorAll('[data-since], [data-ago], .t-age, input').forEach((one) => one.remove());
  return part.dataset.fragment + ' ' + copy.textContent.replace(/\\s+/g, ' ').trim();
})"""


@pytest.mark.long
@pytest.mark.timeout(600)
def test_frozen_for_five_minutes_a_page_is_like_a_fresh_one_two_seconds_after_it_thaws(hall: Hall) -> None:
    """Wall, queue and a table's page at once, while every table plays on."""
    context = hall.context()
    case_of(hall, "3")
    pages: dict[str, Page] = {path: hall.page(path, context) for path in ("/", "/queue", "/tables/9")}
    pages["/"].wait_for_timeout(600)
    stopped = [Frozen(page) for page in pages.values()]
    before = stopped[0].evaluate(TILES)
    until = time.monotonic() + FROZEN_S
    while time.monotonic() < until:
        for table in hall.tables.values():
            table.wired.mono_ms += 9000
            hall.rig.hear(*table.step())
        time.sleep(3)
    hall.rig.hear(hall.tables["4"].wired.entry(hall.tables["4"].summons()))
    assert stopped[0].evaluate(TILES) == before
    for frozen in stopped:
        frozen.thaw()
    pages["/"].wait_for_timeout(2000)
    shown = {path: page.evaluate(SHOWN) for path, page in pages.items()}
    for path, was in shown.items():
        assert was == hall.page(path, context).evaluate(SHOWN), path
