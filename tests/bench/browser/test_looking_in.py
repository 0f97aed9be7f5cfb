"""Looking inside, back in time, at another authority's word; a lesson; what is kept; and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.bench.browser.conftest import Bench, entries, events, phase, ready, tray

pytestmark = pytest.mark.live


def with_a_board(bench: Bench, *lines: str) -> Page:
    bench.fresh()
    assert bench.order("/api/control", do="director", who="you").is_success  # he would rule, and rows come
    page = bench.page()
    ready(page)
    for line in ("N places board 1 dealer N vulnerable None", "window closed", *lines):
        answer = bench.order("/api/deed", line=line)
        assert answer.is_success, answer.text
    return page


def slide_to(page: Page, ms: int) -> None:
    page.locator("#time").evaluate(
        "(slider, ms) => { slider.value = ms; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
        ms,
    )


def test_cause_and_effect_are_lit_together_and_the_past_can_be_seen(bench: Bench) -> None:
    page = with_a_board(bench, "N 1NT", "tray to SW")
    phase(page, "auction.sw")
    early = entries(page, "TRAY_CROSSED_EARLY").first
    expect(early).to_contain_text("Tray crossed early · E")
    expect(
        events(page, "TrayArrived").first
    ).to_be_attached()  # what still comes moves the rows under the pointer
    page.wait_for_timeout(500)
    early.hover()
    lit = "#flow .chip.lit[data-name='{}']"
    expect(page.locator(lit.format("TrayLeft"))).to_have_count(1)
    expect(page.locator(lit.format("tray.ne"))).to_have_count(1)
    expect(page.locator(lit.format("CallMade"))).to_have_count(0)
    early.click()  # it stays lit
    page.locator("#tab-wire").click()
    expect(page.locator("#wire .frame.lit").first).to_be_visible()
    # by keyboard: one stop, and the arrows
    page.locator("#tab-flow").click()
    page.locator("#flow .chip[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#flow .chip:focus")).to_have_count(1)
    # back in time, and to now
    slide_to(page, 0)
    expect(page.locator("#now")).to_contain_text("As it was at 0:00.0")
    expect(page.locator("#table .no-board")).to_be_visible()
    page.locator("#live").click()
    tray(page, "SW")
    expect(page.locator("#table .board")).to_be_visible()


@pytest.mark.long
def test_the_same_evening_under_another_authority(bench: Bench) -> None:
    page = with_a_board(bench, "N 1NT", "E lays the stop card", "E takes the stop card back", "E P")
    expect(events(page, "CallMade")).to_have_count(2)
    page.locator("#tab-differs").click()
    page.locator("#differs select").select_option("acbl")
    page.locator("#differs button.primary").click()
    told = page.locator("#differs .agree, #differs .disagree")
    expect(told).to_contain_text("acbl", timeout=30_000)
    assert page.locator("#differs .differences li").count() > 0 or "Nothing differs" in (
        told.text_content() or ""
    )


@pytest.mark.long
def test_a_lesson_plays_with_three_sentences(bench: Bench) -> None:
    page = bench.page(lang="zh-CN")
    ready(page)
    page.locator("#lessons-open").click()
    expect(page.locator("#lessons .lesson-list li")).to_have_count(18)
    page.locator("#lessons button[data-play^='01a'], #lessons button[data-play='1a']").first.click()
    expect(page.locator("#lesson-see li")).to_have_count(3, timeout=40_000)
    expect(page.locator("#now")).to_contain_text("再按播放", timeout=40_000)  # not before it is read
    expect(page.locator("#tab-flow")).to_have_attribute("aria-selected", "true")
    page.locator("#play").click()
    page.locator("#tab-script").click()
    expect(page.locator("#script li i[aria-label='与预期相符']").first).to_be_visible(timeout=40_000)
    expect(entries(page, "TRAY_CROSSED_EARLY").first).to_be_attached(timeout=40_000)
    assert page.locator("#script li i[aria-label='与预期不符']").count() == 0
    page.locator("#lesson-end").click()
    expect(page.locator("#lesson")).to_be_hidden(timeout=20_000)


def test_what_was_done_is_saved_and_a_wrong_file_is_one_sentence(bench: Bench, tmp_path: Path) -> None:
    page = with_a_board(bench, "N 1NT")
    phase(page, "auction.ne")
    with page.expect_download() as saving:
        page.locator("#save").click()
    saving.value.save_as(tmp_path / "bench.scn")
    text = (tmp_path / "bench.scn").read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert "1NT" in text
    wrong = tmp_path / "holiday.txt"
    wrong.write_text("no scenario", encoding="utf-8")
    page.locator("#setting").click()
    page.locator("#setup input[name='find']").fill("tray")
    page.locator("#setup input[name='file']").set_input_files(wrong)
    expect(page.locator("#setup-wrong")).to_contain_text("“holiday.txt” is not a text file of a scenario")
    expect(page.locator("#setup input[name='find']")).to_have_value("tray")
    page.locator("#setup header button").click()
    page.locator("#tab-director").click()
    page.locator("#any-line").fill("N sings")
    page.locator("#any button").click()
    expect(page.locator("#said")).to_contain_text("“sings” is nothing that North can do")
    expect(page.locator("#any-line")).to_have_value("N sings")  # nothing typed is lost
