"""A whole board played by hand: with the mouse, and by keyboard alone; in both languages."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.bench.browser.conftest import Bench, entries, events, phase, ready, tray

BETWEEN_CALLS_MS = 300
"""Two calls within 50 ms are simultaneous (Law 33): a browser is quicker than that, a player's hand never."""


def touch(page: Page, what: str, seat: str = "") -> None:
    """A click on the drawing."""
    of = f"[data-seat='{seat}']" if seat else ""
    page.locator(f"#table [data-what='{what}']{of}:visible").first.click()


def lay(page: Page, seat: str, call: str) -> None:
    """The seat's badge, then the card of his box; it lies there before anything else happens."""
    lying = page.locator(f"#table .cards[data-seat='{seat}'] .bid")
    before = lying.count()
    touch(page, "seat", seat)
    page.locator(f"#box [data-call='{call}']").click()
    expect(lying).to_have_count(before + 1)
    page.wait_for_timeout(BETWEEN_CALLS_MS)


def drag_the_tray(page: Page, to: str) -> None:
    box = page.locator("#table .bed").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 6
    page.mouse.move(x, y)
    page.mouse.down()
    away = -260 if to == "SW" else 260
    for step in range(1, 9):
        page.mouse.move(x + away * step / 8, y - away * step / 8)
    page.mouse.up()
    tray(page, to)


def test_a_whole_board_with_the_mouse(bench: Bench) -> None:
    bench.fresh()
    page = bench.page()
    ready(page)
    page.locator("#tab-director").click()
    page.locator("#who input[value='you']").check()
    page.locator("#tab-play").click()
    touch(page, "board")
    phase(page, "auction.ne")
    lay(page, "N", "1NT")
    lay(page, "E", "P")
    drag_the_tray(page, "SW")
    lay(page, "S", "3S")
    touch(page, "top", "S")  # he takes it back, and passes
    expect(events(page, "CallWithdrawn")).to_have_count(1)
    lay(page, "S", "P")
    lay(page, "W", "P")
    drag_the_tray(page, "NE")
    phase(page, "lead.awaiting")
    expect(page.locator("#contract")).to_have_text("1NT by North")
    expect(page.locator("#table .badge.turn[data-seat='E']")).to_be_visible()
    expect(page.locator("#now")).to_have_text("lead awaited: East is to lead, face down")
    touch(page, "lead", "E")
    phase(page, "clarification")  # the window has opened, on the face-down lead
    expect(page.locator("#table .scene")).to_have_class("scene window-open")
    touch(page, "lead", "E")
    phase(page, "play")
    expect(page.locator("#table .lead.faced .lead-face").locator("visible=true")).to_have_text("♦Q")
    touch(page, "director", "S")
    expect(entries(page, "SUMMONS")).to_have_count(1)
    expect(page.locator("#table .bell.lit[data-seat='S']")).to_be_visible()
    page.get_by_role("button", name="Claim", exact=True).click()
    expect(events(page, "ClaimMade")).to_have_count(1)
    expect(page.locator("#now")).to_contain_text("claims: clear the cards, lift the board")
    touch(page, "board")
    expect(page.locator("#flow .chip.effect[data-name='RecordBoard']")).to_have_count(1)
    expect(page.locator("#table .lead").locator("visible=true")).to_have_count(0)  # gone with the board
    expect(entries(page, "CALL_WITHDRAWN").or_(entries(page, "CHANGE_OF_CALL")).first).to_be_attached()
    expect(entries(page, "WINDOW_OPENED_BEFORE_LEAD")).to_have_count(0)


def test_a_whole_board_by_keyboard_in_chinese(bench: Bench) -> None:
    bench.fresh()
    page = bench.page(lang="zh-CN")
    ready(page)
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.locator("#table .no-board")).to_be_visible(timeout=30_000)
    ready(page)
    page.locator("input[name='number']").fill("2")  # East deals
    page.locator("input[name='number']").press("Tab")
    keys = page.keyboard
    keys.press("b")
    phase(page, "auction.ne")
    expect(page.locator("#now")).to_have_text("叫牌 北东：轮到东家叫牌")
    keys.press("Alt+e")
    keys.press("1")
    keys.press("n")
    expect(page.locator("#table .cards[data-seat='E'] .bid > text")).to_have_text("1NT")
    keys.press("t")
    tray(page, "SW")
    keys.press("Alt+s")
    keys.press("p")
    expect(page.locator("#table .cards[data-seat='S'] .bid > text")).to_have_text("不叫")
    page.wait_for_timeout(BETWEEN_CALLS_MS)
    # West by the box itself: tab to it, go to pass with the arrows
    page.locator("#seats [data-seat='S']").focus()  # W may have been chosen already, since his call is due
    keys.press("ArrowRight")
    expect(page.locator("#seats [data-seat='W']")).to_be_focused()
    keys.press("Tab")
    expect(page.locator("#box [data-call='1C']")).to_be_focused()
    keys.press("End")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    keys.press("Enter")
    expect(page.locator("#table .cards[data-seat='W'] .bid > text")).to_have_text("不叫")
    keys.press("t")
    tray(page, "NE")
    keys.press("Alt+n")
    keys.press("p")
    expect(page.locator("#table .cards[data-seat='N'] .bid > text")).to_have_text("不叫")
    keys.press("t")
    phase(page, "lead.awaiting")
    # South's lead on the drawing: one stop for the tab key, arrows from thing to thing
    page.locator("#table .scene").focus()
    for _ in range(12):
        keys.press("ArrowDown")
    page.locator("#table [data-what='lead'][data-seat='S']").focus()
    keys.press("Enter")
    phase(page, "clarification")
    keys.press("Enter")
    phase(page, "play")
    keys.press("m")
    expect(events(page, "ClaimMade")).to_have_count(1)
    keys.press("b")
    expect(page.locator("#flow .chip.effect[data-name='RecordBoard']")).to_have_count(1)
    assert page.locator("#flow .chip.entry").all_text_contents() == []
    keys.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("全部用键盘")
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
