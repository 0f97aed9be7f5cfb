"""The wall: everything in sight, nothing ever moves, states readable without colour, ages told."""

from __future__ import annotations

import io
import time
from dataclasses import replace

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from director_console.wire import Arrived
from table_controller.laws.call import ALL_CALLS
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import CallShown
from tests.director_console.browser.conftest import Hall, fill
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig
from tests.firmware_bridge.calm import Watch

pytestmark = pytest.mark.live


def places(page: Page) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => {
        const box = tile.getBoundingClientRect(); return [tile.id, [box.left, box.top]]; }))"""
    )
    return found


OVERLAPS = """() => [...document.querySelectorAll('.tile')].flatMap((tile) => {
  const parts = ['.t-head', '.t-line', '.t-draw .drawing', '.t-cases', '.auction']
    .flatMap((what) => [...tile.querySelectorAll(what)].map((part) => [what, part.getBoundingClientRect()]));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1 && a.height && b.height;
  return parts.flatMap(([one, a], index) => parts.slice(index + 1)
    .filter(([, b]) => meet(a, b)).map(([two]) => `${tile.id}: ${one} over ${two}`));
})"""


@pytest.mark.parametrize("tables", [4, 24, pytest.param(64, marks=pytest.mark.long), 200])
def test_all_tables_fit_without_scrolling(
    tables: int, tmp_path_factory: pytest.TempPathFactory, chromium: Browser
) -> None:
    names = [str(number) for number in range(1, tables + 1)]
    rig = WebRig(tmp_path_factory.mktemp("wall"), tuple(names))
    big = Hall(rig, {}, chromium)
    try:
        big.tables = fill(rig, names, steps=2)
        page = big.page("/")
        expect(page.locator(".tile")).to_have_count(tables)
        expect(page.locator(".wall[data-fitted]")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollHeight") <= 900
        boxes = [tile.bounding_box() for tile in page.locator(".tile").all()]
        assert all(
            box and box["y"] + box["height"] <= 900 and box["x"] + box["width"] <= 1600 for box in boxes
        )
        assert page.evaluate(OVERLAPS) == []
        assert big.problems == []
    finally:
        big.close()
        rig.close()


@pytest.mark.parametrize("height", [700, 800, 1000])
def test_nothing_on_a_large_tile_lies_over_anything_else(
    height: int, tmp_path_factory: pytest.TempPathFactory, chromium: Browser
) -> None:
    """Four tables with two cases each, and all their calls made."""
    names = ["1", "2", "3", "4"]
    rig = WebRig(tmp_path_factory.mktemp("large"), tuple(names))
    big = Hall(rig, fill(rig, names, steps=9), chromium)
    try:
        for table in big.tables.values():
            rig.hear(table.wired.entry(table.summons()), table.wired.entry(table.window_opened()))
            while table.made < len(table.auction.calls):
                rig.hear(*table.step())
        page = big.page("/", big.context(viewport={"width": 1400, "height": height}))
        expect(page.locator(".wall.l[data-fitted] .t-cases > span")).to_have_count(8)
        assert page.evaluate(OVERLAPS) == []
        assert big.problems == []
    finally:
        big.close()
        rig.close()


def test_a_tile_shows_the_auction_as_it_grows_within_half_a_second(hall: Hall) -> None:
    page = hall.page("/")
    table = hall.tables["12"]
    page.wait_for_timeout(700)
    for _ in range(6):
        if table.made < len(table.auction.calls):
            break
        hall.rig.hear(*table.step())
    before = places(page)
    with Watch() as watch:
        start = time.monotonic()
        hall.rig.hear(*table.step())
        shown = page.locator("#tile-12 .auction td .call")
        expect(shown).to_have_count(len(table.view.calls))
        took = time.monotonic() - start
    assert took < 1.0 + watch.paused_s
    assert places(page) == before


def test_position_never_moves_with_state_and_the_strip_never_grows(hall: Hall) -> None:
    page = hall.page("/")
    page.wait_for_timeout(500)
    before = places(page)
    for name in ("9", "10", "11"):
        table = hall.tables[name]
        hall.rig.hear(table.wired.entry(table.window_opened()), table.wired.entry(table.summons()))
    expect(page.locator("#tile-9.st-hold")).to_be_visible()
    expect(page.locator("#tile-11.st-hold")).to_be_visible()
    assert places(page) == before


STATES = {"2": "report", "4": "hold", "6": "urgent", "8": "fault", "1": "calm"}


def test_states_differ_by_shape_word_and_border_and_not_by_colour_alone(hall: Hall) -> None:
    page = hall.page("/")
    seen: dict[str, tuple[str, str, str]] = {}
    for name, state in STATES.items():
        tile = page.locator(f"#tile-{name}.st-{state}")
        expect(tile).to_be_visible()
        border = tile.evaluate(
            "tile => getComputedStyle(tile).borderStyle + getComputedStyle(tile).borderWidth"
        )
        symbol = tile.locator(".t-badge").inner_text().strip()
        label = tile.get_attribute("aria-label") or ""
        seen[state] = (border, symbol, label.rsplit(", ", 1)[-1])
    assert len({border for border, _, _ in seen.values()}) == len(STATES)
    assert len({symbol for _, symbol, _ in seen.values()}) == len(STATES)
    assert len({label for _, _, label in seen.values()}) == len(STATES)


def test_in_a_greyscale_picture_a_hold_still_stands_out(hall: Hall) -> None:
    page = hall.page("/", hall.context(reduced_motion="reduce"))

    def darkness(name: str) -> float:
        box = page.locator(f"#tile-{name}").bounding_box()
        assert box
        clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": 8}
        grey = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")  # type: ignore[arg-type]
        pixels = grey.tobytes()
        return sum(pixel < 110 for pixel in pixels) / len(pixels)

    calm, hold, urgent = darkness("1"), darkness("4"), darkness("6")
    assert hold > 0.2 > calm
    assert urgent > 0.2


BLINKING = """() => [...document.querySelectorAll('*')]
  .map((element) => [element, getComputedStyle(element)])
  .filter(([element, style]) => style.animationName === 'blink')
  .map(([element, style]) => `${element.closest('.tile, .alert')?.className} ${style.animationDuration}`)"""


def test_only_unacknowledged_urgent_blinks_slowly_and_never_with_reduced_motion(hall: Hall) -> None:
    def blinking(page: Page) -> list[str]:
        found: list[str] = page.evaluate(BLINKING)
        return found

    page = hall.page("/")
    found = blinking(page)
    assert found
    assert all(
        ("unseen" in item or "lv-hold" in item or "lv-urgent" in item) and item.endswith(" 1s")
        for item in found
    )
    assert blinking(hall.page("/", hall.context(reduced_motion="reduce"))) == []


def test_an_old_retained_state_is_hatched_with_its_age_and_live_again_when_the_table_speaks(
    hall: Hall,
) -> None:
    rig = hall.rig
    table = hall.tables["1"]
    old = Playing("1", rig.keys, 7)
    old.wired.epoch, old.wired.session = table.wired.epoch, table.wired.session
    old.wired.wall_ms = rig.now() - 600_000
    with_age = old.wired.state(table.view)
    page = hall.page("/")
    page.evaluate("document.querySelector('#tile-1').dataset.heard = String(Date.now() - 600000)")
    expect(page.locator("#tile-1.stale")).to_be_visible(timeout=3000)
    assert page.locator("#tile-1 .t-age").inner_text().startswith(("10:", "9:5"))
    rig.running.desk.inbox.put(
        Arrived(topic=with_age.topic, payload=with_age.payload, retained=True, token=None, at=rig.now())
    )
    rig.hear(table.wired.state(table.view))
    expect(page.locator("#tile-1.stale")).to_have_count(0, timeout=3000)


def test_a_page_that_has_lost_the_console_shows_nothing_as_live_and_covers_no_tile(hall: Hall) -> None:
    """The socket is cut and every plain request fails; then both come back."""
    cut: list[WebSocketRoute] = []
    context = hall.context()
    page = context.new_page()
    page.route_web_socket("**/live", lambda socket: cut.append(socket.connect_to_server()))
    page.goto(hall.rig.base + "/")
    page.wait_for_timeout(600)
    before = places(page)
    context.set_offline(True)
    page.route_web_socket("**/live", lambda socket: socket.close())
    for socket in cut:
        socket.close()
    expect(page.locator("body.lost")).to_be_attached(timeout=4000)
    expect(page.locator(".tile.stale")).to_have_count(len(before))
    assert page.locator(".links").inner_text().count("unknown") == 2
    green = page.locator(".link i").evaluate_all(
        "found => found.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert set(green) == {"rgba(0, 0, 0, 0)"}
    toast = page.locator("#said").bounding_box()
    lowest = page.locator(".tile").evaluate_all(
        "f => Math.max(...f.map(t => t.getBoundingClientRect().bottom))"
    )
    assert toast is not None
    assert toast["y"] >= lowest
    assert places(page) == before
    page.route_web_socket("**/live", lambda socket: socket.connect_to_server() and None)
    context.set_offline(False)
    expect(page.locator("body.lost")).to_have_count(0, timeout=15000)
    expect(page.locator(".l-unknown").first).to_be_hidden()
    page.close()


ROWS = """(tile) => [...tile.querySelectorAll('.auction tbody tr')]
  .filter((row) => row.offsetParent && getComputedStyle(row).display !== 'none')
  .map((row) => row.classList.contains('cut') ? '...' : row.innerText.replace(/\\s+/g, ' ').trim())"""
PAST = """(tile) => { const end = (tile.querySelector('.t-cases > span') ?? tile).getBoundingClientRect();
  const limit = tile.querySelector('.t-cases > span') ? end.top : end.bottom;
  return [...tile.querySelectorAll('.auction tbody tr')]
    .filter((row) => row.getBoundingClientRect().bottom > limit + 1).length; }"""


@pytest.mark.parametrize("height", [700, 1000])
@pytest.mark.parametrize("cases", [0, 2])
def test_a_tile_without_room_for_a_long_auction_says_so_and_shows_its_end(
    cases: int, height: int, tmp_path_factory: pytest.TempPathFactory, chromium: Browser
) -> None:
    names = ["1", "2", "3", "4"]
    rig = WebRig(tmp_path_factory.mktemp("rows"), tuple(names))
    big = Hall(rig, fill(rig, names, steps=9), chromium)
    try:
        table = big.tables["1"]
        if cases:
            rig.hear(table.wired.entry(table.summons()), table.wired.entry(table.window_opened()))
        calls = [
            CallShown(
                seat=list(Seat)[at % 4], call=ALL_CALLS[at % 30 + 3], sides=(ScreenSide.NE, ScreenSide.SW)
            )
            for at in range(32)
        ]
        for made, contract in ((12, None), (20, "4S"), (32, "4S"), (32, None)):
            view = replace(table.view, calls=tuple(calls[:made]), contract=contract, declarer=None)
            rig.hear(table.wired.view(view), table.wired.state(view))
            page = big.page("/", big.context(viewport={"width": 1400, "height": height}))
            expect(page.locator(".wall.l[data-fitted]")).to_be_visible()
            tile = page.locator("#tile-1")
            rows = tile.evaluate(ROWS)
            whole = auction_rows_of(made)
            kept = [row for row in rows if row != "..."]
            assert len(kept) >= 1
            assert len(kept) == whole if "..." not in rows else rows[0] == "..."
            assert ("..." in rows) == (len(kept) < whole), rows
            assert tile.evaluate(PAST) == 0, (made, contract, rows)
        assert big.problems == []
    finally:
        big.close()
        rig.close()


def auction_rows_of(made: int) -> int:
    """Rows of an auction that North began, West being the first column."""
    return 1 + -(-(made - 3) // 4)
