"""Every view in Debian's Chromium: in both languages, light and dark, without a violation axe can find."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.director_console.browser.conftest import Hall, Scheme

pytestmark = pytest.mark.live

VIEWS = {
    "wall": "/",
    "queue": "/queue",
    "table": "/tables/2",
    "case": "/cases/2/{2}/1",
    "summons": "/cases/6/{6}/1",
    "session": "/session",
    "evidence": "/evidence",
    "shift": "/shift",
    "system": "/system",
    "people": "/people",
    "account": "/account",
}
MANNERS = [
    pytest.param("zh-CN", "dark", id="zh-CN-dark"),
    pytest.param("en", "dark", id="en-dark", marks=pytest.mark.long),
    pytest.param("zh-CN", "light", id="zh-CN-light", marks=pytest.mark.long),
]


TOO_SMALL = """() => {
  const input = 'input:not([type=hidden]):not([type=radio]):not([type=checkbox])';
  const touched = ['button', 'select', 'textarea', input];
  const inside = touched.map((what) => `main ${what}`).join(', ');
  const height = (element) => element.getBoundingClientRect().height;
  return [...document.querySelectorAll(`${inside}, header button, nav a, .strip button`)]
    .filter((element) => element.offsetParent && height(element) < 43.5)
    .map((element) => `${element.tagName} ${element.textContent.trim()} ${height(element)}`);
}"""


def path_of(hall: Hall, view: str) -> str:
    path = VIEWS[view]
    for name, table in hall.tables.items():
        path = path.replace(f"{{{name}}}", table.wired.epoch)
    return path


def violations(page: Page) -> list[str]:
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
    )
    return [
        f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_large_enough_to_touch_and_never_scrolls_sideways(hall: Hall, view: str) -> None:
    """In English and light: on a wall, then on a tablet, then on a tablet held upright."""
    context = hall.context(reduced_motion="reduce", bypass_csp=True, has_touch=True)
    page = hall.page(path_of(hall, view), context)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h1").first).to_be_attached()
    assert violations(page) == []
    page.set_viewport_size({"width": 1024, "height": 1366})
    assert page.evaluate(TOO_SMALL) == []
    page.set_viewport_size({"width": 820, "height": 1180})
    assert page.evaluate("document.documentElement.scrollWidth") <= 820


@pytest.mark.parametrize(("lang", "scheme"), MANNERS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_in_every_manner(hall: Hall, view: str, lang: str, scheme: Scheme) -> None:
    page = hall.page(
        path_of(hall, view), hall.context(lang=lang, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    )
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("h1").first).to_be_attached()
    assert violations(page) == []


def test_the_login_page_is_accessible(hall: Hall) -> None:
    context = hall.browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(hall.rig.base + "/")
    expect(page).to_have_url(hall.rig.base + "/login?next=/")
    assert violations(page) == []
    context.close()


def test_the_key_to_the_signs_opens_by_keyboard_and_closes_with_escape_or_a_touch_elsewhere(
    hall: Hall,
) -> None:
    page = hall.page("/", hall.context(bypass_csp=True))
    key = page.locator(".key summary")
    key.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".keylist")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".keylist")).to_be_hidden()
    expect(key).to_be_focused()
    key.click()
    expect(page.locator(".keylist")).to_be_visible()
    page.locator("main").click(position={"x": 2, "y": 2})
    expect(page.locator(".keylist")).to_be_hidden()


def test_language_and_appearance_change_at_a_touch_and_stay(hall: Hall) -> None:
    page = hall.page("/queue", hall.context(own_login=True))
    page.get_by_role("button", name="中文").click()
    expect(page.locator("h1")).to_have_text("待办")
    page.get_by_role("link", name="总览").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("button", name="Appearance").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ink = page.evaluate("getComputedStyle(document.body).color")
    page.get_by_role("button", name="Appearance").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate("getComputedStyle(document.body).color") != ink
