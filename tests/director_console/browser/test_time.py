"""Sessions, pair clocks, an evening and the public screen in Debian's Chromium, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from director_console.act import Act
from director_console.projection.round_clock import ClockAct, new_clock, started
from director_console.store.timekeeping import set_clock
from table_controller.laws.seat import Partnership
from tests.director_console.browser.conftest import Hall, Scheme, fill
from tests.director_console.browser.test_views import TOO_SMALL, violations
from tests.director_console.timed import MINUTE, board_time, evening, minutes, time_row
from tests.director_console.web_rig import WebRig

pytestmark = pytest.mark.live

CLIPPED = """() => [...document.querySelectorAll('#tables li, #tables b')]
  .filter((li) => li.scrollWidth > li.clientWidth + 1).map((li) => li.textContent)"""
NAMES = [str(number) for number in range(1, 10)]
MANNERS = [pytest.param("en", "light", id="en-light"), pytest.param("zh-CN", "dark", id="zh-CN-dark")]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Hall]:
    """Seven tables in a session for an hour, the fifth not begun; 8's clock has not spoken, 9 has none."""
    rig = WebRig(tmp_path_factory.mktemp("evening"), tuple(NAMES))
    tables = fill(rig, NAMES)
    begun = datetime.now() - timedelta(minutes=60)
    form = {"session": "s1", "contest": "teams_vp", "day": begun.strftime("%Y-%m-%d"),
            "start": begun.strftime("%H:%M"), "minutes": "7", "per": "board", "boards": "1-8",
            "tables": "1-8", "lineup": "2: n2 e2 s2 w2", "regulations": "ccba-2006",
            "before": "2: NS late 1"}  # fmt: skip
    assert rig.post("/session", "/session", form).status_code == 303
    for seed, name in enumerate(NAMES[:7]):
        arrived, boards = (None, 0) if name == "5" else (3.2 if name == "2" else 0, 6)
        rig.hear(*evening(tables[name].wired, seed, arrived=arrived, boards=boards))
    made = Hall(rig, tables, chromium)
    yield made
    made.close()
    rig.close()


def tell_round(hall: Hall, left_ms: int, *, running: bool = True) -> None:
    """The clock of round 3 with so much left, straight into the journal."""
    clock = new_clock(3, 20)
    now = hall.rig.now()
    clock = replace(clock, remaining=left_ms)
    clock = started(clock, now) if running else clock
    set_ = hall.rig.running.desk.do(
        lambda act: act.inputs.append(set_clock(act.book, clock, ClockAct.SET, "", "anna", now))
    )
    set_.result(5)


BY_TURNS = [
    pytest.param("zh-CN", "dark", id="zh-CN-dark"),
    pytest.param("en", "light", id="en-light", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("lang", "scheme"), BY_TURNS)
def test_the_session_page_is_accessible_with_all_its_figures(hall: Hall, lang: str, scheme: Scheme) -> None:
    tell_round(hall, 4 * MINUTE)
    context = hall.context(lang=lang, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = hall.page("/session", context)
    expect(page.locator("#pace-7")).to_be_visible()
    page.locator("details.card summary").last.click()
    assert violations(page) == []


@pytest.mark.parametrize(("lang", "scheme"), MANNERS)
def test_an_evening_is_charted_after_a_reason_and_accessible(hall: Hall, lang: str, scheme: Scheme) -> None:
    context = hall.context(lang=lang, scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page = hall.page("/tables/2/time", context)
    expect(page.locator(".e-point")).to_have_count(0)
    page.locator('form.reveal input[name="reason"]').fill("an appeal about tempo")
    page.locator("form.reveal button").click()
    expect(page.locator(".e-point").first).to_be_attached()
    page.locator(".boards details summary").click()
    expect(page.locator(".e-point.out")).to_have_count(1)
    expect(page.locator(".whatitis")).to_contain_text("23.2.9")
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/session", "/tables/2/time"])
def test_they_fit_a_tablet_and_a_finger(hall: Hall, path: str) -> None:
    page = hall.page(path, hall.context(viewport={"width": 820, "height": 1180}, has_touch=True))
    assert page.evaluate("document.documentElement.scrollWidth") <= 820
    assert page.evaluate(TOO_SMALL) == []


def test_a_session_is_laid_down_and_what_is_wrong_is_said_without_losing_what_was_typed(hall: Hall) -> None:
    page = hall.page("/session?table=8")
    form = page.locator("form.sessionform")
    expect(form.locator('input[name="tables"]')).to_have_value("8")
    form.locator('textarea[name="before"]').fill("8: NS early 1")
    form.locator('input[name="minutes"]').fill("9")
    form.locator('input[name="why"]').fill("the bus was late")
    form.get_by_role("button", name="Send to the tables").click()
    expect(form.locator("em")).to_contain_text("Line 1")
    expect(form.locator('input[name="minutes"]')).to_have_value("9")
    form.locator('textarea[name="before"]').fill("8: NS late 1")
    form.get_by_role("button", name="Send to the tables").click()
    expect(page.locator("section", has_text="Sessions laid down")).to_contain_text("the bus was late")
    plan = hall.rig.running.desk.hall.plan_of("8")
    assert plan is not None
    assert (plan.minutes, plan.tables, plan.earlier("8", Partnership.NS, "late")) == (
        9,
        ("8",),
        1,
    )


def test_pair_clocks_go_on_by_themselves_when_a_board_is_over(hall: Hall) -> None:
    page = hall.page("/session")
    row = page.locator("tr", has=page.locator("#pace-3"))
    expect(row).to_contain_text("6 / 8")
    wired = hall.tables["3"].wired
    before = row.locator("td.num").first.inner_text()
    hall.rig.hear(time_row(wired, board_time(7, wired.mono_ms - MINUTE, minutes(0.5, 0.5))))
    expect(row).to_contain_text("7 / 8")
    expect(row.locator("td.num").first).not_to_have_text(before)


def test_the_director_decides_otherwise_only_with_a_reason(hall: Hall) -> None:
    page = hall.page("/tables/2/time")
    form = page.locator('form[action$="/decide"]')
    form.locator('select[name="matter"]').select_option("late")
    form.locator('select[name="verdict"]').select_option("otherwise")
    form.locator('input[name="ns"]').fill("0.5 VP")
    form.get_by_role("button", name="Keep the decision").click()
    expect(form.locator("em")).to_contain_text("reason")
    form.locator('textarea[name="reason"]').fill("the organiser's bus")
    form.get_by_role("button", name="Keep the decision").click()
    expect(page.locator(".history.timed")).to_contain_text("the organiser's bus")
    page.goto(hall.rig.base + "/session")
    expect(page.locator("tr", has=page.locator("#pace-2"))).to_contain_text("decided: otherwise (anna)")


def test_the_round_clock_is_started_stopped_and_changed_on_the_session_page(hall: Hall) -> None:
    tell_round(hall, 20 * MINUTE, running=False)
    page = hall.page("/session")
    expect(page.locator("#roundnow")).to_contain_text("not started")
    page.locator("#round-start").click()
    expect(page.locator("#round-pause")).to_be_visible()
    expect(page.locator(".bigtime b")).to_have_text(re.compile(r"19:5\d"))
    page.locator('input[name="more"]').fill("-16")
    page.locator('form.roundform input[name="why"]').fill("dinner is early")
    page.get_by_role("button", name="Change the time").click()
    expect(page.locator(".bigtime b")).to_have_text(re.compile(r"3:[45]\d"))
    expect(page.locator("#roundnow b")).to_have_attribute("data-warning", "early")
    page.locator("#round-pause").click()
    expect(page.locator("#roundnow")).to_contain_text("stopped")


# --- the public screen


def public(hall: Hall, **more: object) -> Page:
    """Somebody who is not logged in."""
    options: dict[str, object] = {"viewport": {"width": 1920, "height": 1080}, **more}
    query = options.pop("query", "")
    context = hall.browser.new_context(**options)  # type: ignore[arg-type]
    hall.contexts.append(context)
    return hall.page(f"/public{query}", context)


@pytest.mark.parametrize(("lang", "scheme"), MANNERS)
def test_the_public_screen_shows_round_time_and_tables_and_no_other_word(
    hall: Hall, lang: str, scheme: str
) -> None:
    tell_round(hall, 12 * MINUTE)
    page = public(hall, query=f"?lang={lang}&theme={scheme}", bypass_csp=True)
    expect(page.locator("#left")).to_have_text(re.compile(r"11:5\d"))
    expect(page.locator("#tables li")).to_have_count(7)
    on_time, delayed, round_ = {
        "en": ("on time", "delayed", "Round 3"),
        "zh-CN": ("准时", "延误", "第3轮"),
    }[lang]
    expect(page.locator("#round")).to_have_text(round_)
    expect(page.locator("#tables li").nth(4)).to_have_text(f"5{delayed}")
    words = set(re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", page.locator("body").inner_text()))
    assert words <= {on_time, delayed, "Round", "第", "轮"}
    assert violations(page) == []


def test_a_warning_is_seen_when_its_moment_comes_and_the_end_too(hall: Hall) -> None:
    page = public(hall)
    for left, wanted in (
        (11 * MINUTE, ""),
        (9 * MINUTE, "early"),
        (30_000, "last"),
        (600, "up"),
    ):
        tell_round(hall, left)
        expect(page.locator("#left")).to_have_attribute("data-warning", wanted)
    expect(page.locator("#left")).to_have_text("0:00")


def test_a_changed_time_is_on_the_public_screen_within_three_seconds(hall: Hall) -> None:
    tell_round(hall, 15 * MINUTE)
    page = public(hall)
    expect(page.locator("#left")).to_have_text(re.compile(r"1[45]:\d\d"))
    tell_round(hall, 40 * MINUTE)
    expect(page.locator("#left")).to_have_text(re.compile(r"(39|40):\d\d"), timeout=3500)


def test_a_public_screen_that_has_lost_the_console_does_not_look_live(hall: Hall) -> None:
    tell_round(hall, 15 * MINUTE)
    page = public(hall)
    expect(page.locator("#tables li").first).to_be_visible()
    page.clock.install()
    page.route("**/public/state", lambda route: route.abort())
    page.clock.fast_forward(20_000)
    expect(page.locator("body")).to_have_class(re.compile("lost"))


@pytest.mark.parametrize(
    ("tables", "width", "height"), [(60, 1920, 1080), (24, 1280, 720), (60, 1024, 768), (8, 1024, 768)]
)
def test_the_tables_are_read_from_ten_metres_without_scrolling(
    hall: Hall, tables: int, width: int, height: int
) -> None:
    tell_round(hall, 15 * MINUTE)
    page = public(hall, viewport={"width": width, "height": height})
    delayed = {str(number): number % 3 == 0 for number in range(101, 101 + tables)}
    now = hall.rig.now()
    state = {"at": now, "round": 12, "ends": now + 900_000, "left": 900_000, "warnings": [10, 5, 1]}
    page.route("**/public/state", lambda route: route.fulfill(json={**state, "delayed": delayed}))
    expect(page.locator("#tables li")).to_have_count(tables)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    number = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#tables b')).fontSize)")
    assert number >= 0.044 * min(width, height)
    assert page.evaluate(CLIPPED) == []


def test_of_two_hundred_tables_the_delayed_are_named_and_the_rest_counted(hall: Hall) -> None:
    page = public(hall)
    state: dict[str, object] = {
        "at": 0,
        "round": 1,
        "ends": None,
        "left": 60_000,
        "warnings": [],
    }
    delayed = {str(number): number <= 3 for number in range(1, 201)}
    page.route("**/public/state", lambda route: route.fulfill(json={**state, "delayed": delayed}))
    expect(page.locator("#tables li.delayed")).to_have_count(3)
    expect(page.locator("#tables li.rest")).to_have_text("197 tables on time")


def test_a_public_screen_without_a_clock_shows_the_tables_alone(hall: Hall) -> None:
    def take_away(act: Act) -> None:
        act.inputs.append(set_clock(act.book, None, ClockAct.CLEAR, "", "anna", 1))

    hall.rig.running.desk.do(take_away).result(5)
    assert hall.rig.running.desk.hall.clock is None
    page = public(hall)
    expect(page.locator("#tables li")).not_to_have_count(0)
    expect(page.locator("#left")).to_be_hidden()
