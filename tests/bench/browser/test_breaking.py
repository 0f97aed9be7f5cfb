"""Every misdeed's button does what its name says, seen in the journal; and the four plugs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.plan import MISDEEDS
from tests.bench.browser.conftest import Bench, entries, events, phase, ready

pytestmark = pytest.mark.live

KINDS = {
    "tray-early": "TRAY_CROSSED_EARLY",
    "tray-early-summons": "TRAY_CROSSED_EARLY",
    "tray-without-calls": "TRAY_CROSSED_WITHOUT_CALLS",
    "tray-wrong-mover": "TRAY_MOVED_BY_WRONG_SEAT",
    "tray-stalled": "TRAY_STALLED",
    "board-off-tray": "BOARD_OFF_TRAY",
    "wrong-board": "WRONG_BOARD",
    "insufficient-bid": "INSUFFICIENT_BID",
    "out-of-rotation": "CALL_OUT_OF_ROTATION",
    "inadmissible-double": "INADMISSIBLE_DOUBLE",
    "inadmissible-redouble": "INADMISSIBLE_REDOUBLE",
    "change-of-call": "CHANGE_OF_CALL",
    "call-withdrawn": "CALL_WITHDRAWN",
    "call-after-final-pass": "CALL_AFTER_FINAL_PASS",
    "cleared-before-shown": "AUCTION_NOT_SHOWN",
    "alert-one-face": "ALERT_ON_ONE_FACE_ONLY",
    "stop-card": "STOP_CARD_USED",
    "window-in-auction": "WINDOW_OPENED_IN_AUCTION",
    "window-before-lead": "WINDOW_OPENED_BEFORE_LEAD",
    "lead-out-of-turn": "OPENING_LEAD_OUT_OF_TURN",
    "lead-in-auction": "LEAD_BEFORE_PLAY_PERIOD",
    "hands-out-early": "HANDS_OUT_BEFORE_CLOSED",
    "lead-faced": "LEAD_FACED_EARLY",
    "summons": "SUMMONS",
}
"""What the catalogue calls it."""
QUICK = {"insufficient-bid"}
UNDER = {"hands-out-early": "dbf"}


def at_a_new_table(bench: Bench, **setup: object) -> Page:
    bench.fresh(**setup)
    page = bench.page()
    ready(page)
    page.locator("#tab-break").click()
    return page


def press(page: Page, name: str) -> None:
    page.locator(f"form[data-misdeed='{name}'] .do").click()


def test_every_misdeed_of_the_players_is_known_here() -> None:
    assert set(KINDS) == set(MISDEEDS)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in KINDS]
)
def test_a_players_misdeed_is_in_the_journal(bench: Bench, name: str) -> None:
    page = at_a_new_table(bench, regulations=UNDER.get(name, "ccba-2006"))
    assert bench.order("/api/control", do="director", who="scripted").is_success
    page.locator("#speed").select_option("50")
    press(page, name)
    expect(page.locator("#said")).to_be_visible()
    expect(entries(page, KINDS[name]).first).to_be_attached(timeout=120_000)
    if name in QUICK:  # what the director on the spot made of it stays to be seen
        page.locator("#tab-director").click()
        expect(page.locator("#dealt li").first).to_contain_text(re.compile(r"^0:\d\d.*ruled"), timeout=40_000)


def in_the_auction(bench: Bench, page: Page) -> None:
    for line in ("N places board 1", "window closed"):
        assert bench.order("/api/deed", line=line).is_success
    phase(page, "auction.ne")


def test_the_cable_by_its_plug_and_by_its_misdeed(bench: Bench) -> None:
    page = at_a_new_table(bench)
    in_the_auction(bench, page)
    plug = page.locator("[data-plug='cable']")
    plug.click()
    expect(plug).to_have_attribute("aria-checked", "false")
    expect(events(page, "LinkLost")).to_have_count(1, timeout=15_000)
    plug.click()
    expect(plug).to_have_attribute("aria-checked", "true")
    expect(events(page, "LinkRestored")).to_have_count(1, timeout=15_000)
    form = page.locator("form[data-misdeed='reset']")
    form.locator(".dots").click()
    form.locator("input[name='cause']").fill("power")
    press(page, "reset")
    expect(page.locator("#said")).to_contain_text("choose one of")  # one sentence, and nothing is lost
    expect(form.locator("input[name='cause']")).to_have_value("power")
    form.locator("input[name='cause']").fill("watchdog")
    press(page, "reset")
    expect(events(page, "DeviceReset")).to_have_count(1, timeout=15_000)


@pytest.mark.long
@pytest.mark.parametrize("what", ["controller", "broker", "console"])
def test_a_process_is_pulled_and_put_back(bench: Bench, what: str) -> None:
    page = at_a_new_table(bench)
    in_the_auction(bench, page)
    plug = page.locator(f"[data-plug='{what}']")
    plug.click()
    expect(plug).to_have_attribute("aria-checked", "false", timeout=20_000)
    plug.click()
    expect(plug).to_have_attribute("aria-checked", "true", timeout=40_000)
    if what == "controller":
        expect(events(page, "Restarted")).to_have_count(1, timeout=30_000)
    assert bench.order("/api/deed", line="N 1NT").is_success
    expect(events(page, "CallMade")).to_have_count(1, timeout=60_000)


@pytest.mark.long
@pytest.mark.parametrize("name", HARDWARE_MISDEEDS)
def test_a_misdeed_of_the_hardware_is_done_and_the_table_lives(bench: Bench, name: str) -> None:
    """What becomes of each is proved on the wire and in scenarios; here, that its button does it."""
    page = at_a_new_table(bench)
    in_the_auction(bench, page)
    press(page, name)
    button = page.locator(f"form[data-misdeed='{name}'] .do")
    expect(page.locator("#said")).to_have_text(f"{button.text_content()}: done.")
