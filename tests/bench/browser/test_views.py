"""The pages in both languages and both lights, at three sizes; and what a half view must never show."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.bench.browser.conftest import Bench, phase, ready, tray

pytestmark = pytest.mark.live

SIZES = {"1366x768": (1366, 768), "1600x900": (1600, 900), "touch": (820, 1180)}
TABS = ("#tab-break", "#tab-director", "#tab-wire", "#tab-levels", "#tab-differs")
DIALOGS = {"setup": "#setting", "lessons": "#lessons-open", "help": "#help-open"}

TOO_WIDE = """() => {
  const cut = (one) => getComputedStyle(one).overflowX !== 'visible';
  const wide = (one) => one.scrollWidth > one.clientWidth + 1 && cut(one);
  return [...document.querySelectorAll('body, body *')]
    .filter((one) => one.offsetParent && !one.closest('.sr, select, svg') && !one.matches('.sr') && wide(one))
    .map((one) => `${one.tagName}#${one.id}.${one.className}`);
}"""
WATCHED = """() => {
  window.changes = 0;
  const options = { subtree: true, childList: true, attributes: true, characterData: true };
  const observer = new MutationObserver((seen) => { window.changes += seen.length; });
  observer.observe(document.documentElement, options);
}"""


def violations(page: Page, within: str | None = None) -> list[str]:
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
    found = Axe().run(page, context=within, options=rules)
    return [
        f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="module")
def in_an_auction(bench: Bench) -> Bench:
    """A board in the middle of its auction, something irregular, an alert lying, a lamp lit."""
    lines = ["N places board 1", "window closed", "N 1NT", "E P", "tray to SW", "S 1H", "S alerts"]
    bench.fresh()
    for line in [*lines, "W calls the director"]:
        answer = bench.order("/api/deed", line=line)
        assert answer.is_success, answer.text
    return bench


MANNERS = [("en", "light"), ("zh-CN", "dark"), ("zh-CN", "light"), ("en", "dark")]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "scheme"), MANNERS)
def test_the_bench_is_accessible_and_fits(in_an_auction: Bench, lang: str, scheme: str) -> None:
    bench = in_an_auction
    page = bench.page(lang=lang, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    ready(page)
    expect(page.locator("#flow .chip.entry").first).to_be_visible()
    assert violations(page) == []
    for tab in TABS:
        page.locator(tab).click()
        panel = page.locator(tab).get_attribute("aria-controls")
        assert violations(page, f"#{panel}") == []
    for size in SIZES.values():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate(TOO_WIDE) == []
    for dialog, button in DIALOGS.items():
        page.locator(button).click()
        assert violations(page, f"#{dialog}") == []
        assert page.evaluate(TOO_WIDE) == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("lang", "scheme"), [MANNERS[0], pytest.param(*MANNERS[1], marks=pytest.mark.long, id="zh-CN-dark")]
)
def test_it_is_so_at_first_sight(in_an_auction: Bench, lang: str, scheme: str) -> None:
    """The thorough look at every sheet is the long test's."""
    page = in_an_auction.page(lang=lang, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    ready(page)
    expect(page.locator("#flow .chip.entry").first).to_be_visible()
    assert violations(page) == []
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TOO_WIDE) == []
    for name in ("1366x768", "1600x900"):
        width, height = SIZES[name]
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight") == height


@pytest.mark.parametrize("face", ["NE", pytest.param("SW", marks=pytest.mark.long)])
def test_a_half_view_is_accessible(in_an_auction: Bench, face: str) -> None:
    page = in_an_auction.page(f"/half/{face}", reduced_motion="reduce", bypass_csp=True)
    expect(page.locator("#table .scene")).to_be_visible()
    assert violations(page) == []


FAR = [
    pytest.param(["N 1NT", "E P"], id="two-calls", marks=pytest.mark.long),
    pytest.param(["N 7C", "N takes 7C back", "N P", "E calls the director"], id="much"),
]


@pytest.mark.parametrize("far", FAR)
def test_a_half_view_shows_nothing_of_the_far_face(bench: Bench, far: list[str]) -> None:
    """Whatever North and East do, the page of South and West does not change by one character."""
    bench.fresh()
    for line in ("N places board 1", "window closed"):
        assert bench.order("/api/deed", line=line).is_success
    whole, near = bench.page(), bench.page("/half/SW")
    ready(whole)
    phase(whole, "auction.ne")
    expect(near.locator("#hears")).to_contain_text("The tray is not here")
    before = near.content()
    near.evaluate(WATCHED)
    for line in far:
        assert bench.order("/api/deed", line=line).is_success
    whole.wait_for_timeout(700)
    assert near.evaluate("window.changes") == 0
    assert near.content() == before
    assert near.locator("[data-seat='N'], [data-seat='E']").locator("visible=true").count() == 0
    assert bench.order("/api/deed", line="tray to SW").is_success
    tray(near, "SW")
    last = far[0].split()[-1] if len(far) == 2 else "P"
    written = {"1NT": "1NT", "P": "Pass"}[last]
    expect(near.locator("#table .cards[data-seat='N'] .bid > text")).to_have_text(written)


def test_a_half_view_plays_its_own_seats(bench: Bench) -> None:
    bench.fresh()
    for line in ("N places board 1", "window closed"):
        assert bench.order("/api/deed", line=line).is_success
    near = bench.page("/half/NE")
    expect(near.locator("#hears")).to_contain_text("nothing of it is heard")
    near.locator("#box [data-call='2H']").click()
    expect(near.locator("#table .cards[data-seat='N'] .bid > text")).to_have_text("2♥")
    near.locator("#seats [data-seat='E']").click()
    near.locator("#box [data-call='P']").click()
    near.locator("#table .tray .column").first.click()
    expect(near.locator("#table .tray")).to_be_hidden()
    expect(near.locator("#hears")).to_contain_text("The tray is not here")
    for control in ("#box [data-call='3H']", "[data-act='push']", "[data-act='clear']", "[data-act='board']"):
        expect(near.locator(control)).to_be_disabled()
    expect(near.locator("[data-act='director']")).to_be_enabled()
