"""`make bench-console`: two hundred tables, two hundred updates a second, a real broker, console and browser.

    python -m tests.director_console.bench [--tables 200] [--rate 200] [--seconds 20] [--json]

Says: first paint, the time from a report's publishing to its being drawn (median, p95), and the CPU of server
and page. What is measured is the whole way: broker, journal on the disk, projection, socket, drawing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from table_controller.mqtt_client import LinkEvent, MqttLink, Settings, parse_address
from tests.director_console import test_service
from tests.director_console.generator import Sent, keyring
from tests.director_console.playing import Playing
from tests.director_console.test_service import Service
from tests.mqtt.conftest import Mosquitto
from tests.needs import ARGUMENTS, CHROMIUM

PROBE_EVERY = 10
"""Every tenth update is one whose drawing is timed."""
WATCH = """() => {
  window.drawn = {};
  new MutationObserver(() => {
    const at = Date.now();
    for (const tile of document.querySelectorAll('.tile .t-board')) {
      const text = tile.textContent.trim();
      if (text && !(text in window.drawn)) window.drawn[text] = at;
    }
  }).observe(document.querySelector('.wall'), { childList: true, subtree: true });
}"""


class Speaker:
    """Publishes over several connections, so that no window of one client holds the rate back."""

    def __init__(self, url: str, links: int = 8) -> None:
        import queue

        self.links: list[MqttLink] = []
        self.inboxes: list[queue.SimpleQueue[LinkEvent]] = []
        for number in range(links):
            inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
            settings = Settings(address=parse_address(url), client_id=f"bench-{number}", window=200)
            link = MqttLink(settings, inbox.put)
            link.start()
            self.links.append(link)
            self.inboxes.append(inbox)
        while not all(link.connected for link in self.links):
            self.pump()
            time.sleep(0.01)

    def pump(self) -> None:
        for link, inbox in zip(self.links, self.inboxes, strict=True):
            while not inbox.empty():
                link.note(inbox.get())

    def say(self, number: int, sent: list[Sent]) -> None:
        link = self.links[number % len(self.links)]
        for one in sent:
            while not link.publish(one.topic, one.payload, retain=one.retain):
                self.pump()
                time.sleep(0.001)
        self.pump()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    tables: int
    rate: float
    updates: int
    first_paint_ms: float
    latency_median_ms: float
    latency_p95_ms: float
    probes: int
    probes_drawn: int
    server_cpu_percent: float
    page_cpu_percent: float


def cpu_of(pids: list[int]) -> float:
    """Seconds of CPU these processes have used."""
    used = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def renderers() -> list[int]:
    """Chromium's page processes."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if b"--type=renderer" in command:
            found.append(int(path.parent.name))
    return found


def drive(
    speaker: Speaker, tables: list[Playing], rate: float, seconds: float, done: threading.Event
) -> dict[str, int]:
    """`rate` table views a second; gives when each probe (an unheard-of board number) was published."""
    probes: dict[str, int] = {}
    start, number = time.monotonic(), 0
    while (passed := time.monotonic() - start) < seconds:
        if number >= passed * rate:
            time.sleep(0.002)
            continue
        table = tables[number % len(tables)]
        table.wired.mono_ms = round(time.monotonic() * 1000)
        if number % PROBE_EVERY == 0:
            board = 1000 + number
            view = replace(table.view, board=board)
            sent = [table.wired.view(view)]
            probes[f"#{board}"] = time.time_ns() // 1_000_000
        else:
            sent = [table.wired.view(replace(table.view, cards_played=number % 52))]
        speaker.say(int(table.wired.name), sent)
        number += 1
    done.set()
    probes["updates"] = number
    return probes


def measure(
    tables_count: int, rate: float, seconds: float, page: Page, console: Service, url: str
) -> Figures:
    names = list(keyring([str(number + 1) for number in range(tables_count)]).tables)
    keys = keyring(names)
    tables = [Playing(name, keys, 7 + index) for index, name in enumerate(names)]
    speaker = Speaker(url)
    for index, table in enumerate(tables):
        speaker.say(index, [*table.hello(), *table.step()])
    for cookie in console.client.cookies.jar:
        page.context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": console.base}])
    page.goto(console.base)
    expect(page.locator(".tile")).to_have_count(tables_count, timeout=60_000)
    page.wait_for_timeout(2000)
    page.reload()
    page.wait_for_timeout(1500)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    page.evaluate(WATCH)
    server, browser = [console.process.pid], renderers()
    before = cpu_of(server), cpu_of(browser)
    done = threading.Event()
    found: dict[str, int] = {}
    driving = threading.Thread(target=lambda: found.update(drive(speaker, tables, rate, seconds, done)))
    start = time.monotonic()
    driving.start()
    while driving.is_alive():
        page.wait_for_timeout(250)
    length = time.monotonic() - start
    after = cpu_of(server), cpu_of(browser)
    page.wait_for_timeout(1500)
    drawn: dict[str, int] = page.evaluate("window.drawn")
    updates = found.pop("updates")
    delays = sorted(drawn[text] - at for text, at in found.items() if text in drawn)
    return Figures(
        tables=tables_count,
        rate=round(updates / length, 1),
        updates=updates,
        first_paint_ms=round(paint, 1),
        latency_median_ms=statistics.median(delays) if delays else float("nan"),
        latency_p95_ms=delays[int(len(delays) * 0.95)] if delays else float("nan"),
        probes=len(found),
        probes_drawn=len(delays),
        server_cpu_percent=round(100 * (after[0] - before[0]) / length, 1),
        page_cpu_percent=round(100 * (after[1] - before[1]) / length, 1),
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        broker = Mosquitto(directory)
        broker.start()
        test_service.KEYS = keyring([str(number + 1) for number in range(asked.tables)])
        try:
            with (
                test_service.service(broker.url, directory / "data") as console,
                sync_playwright() as playwright,
            ):
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
                page = browser.new_page(viewport={"width": 1600, "height": 900})
                figures = measure(asked.tables, asked.rate, asked.seconds, page, console, broker.url)
                browser.close()
        finally:
            broker.kill()
    if asked.json:
        print(json.dumps({field: getattr(figures, field) for field in Figures.__dataclass_fields__}))
        return 0
    for field in Figures.__dataclass_fields__:
        print(f"{field.replace('_', ' '):22} {getattr(figures, field)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
