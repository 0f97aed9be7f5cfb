"""What cannot be done is said in the page's own language: what is wrong, and what to do."""

from __future__ import annotations

import re
import string

import pytest
from playwright.sync_api import FilePayload, Page, expect

from hw_sim.bench import rendering
from hw_sim.refusals import Why
from tests.bench.browser.conftest import Bench, phase, ready

pytestmark = pytest.mark.live

CLAUSE = re.compile(r"[A-Za-z]{2,}[ ,;:][ a-z]*[a-z]{2,}")
"""Two words of a Latin script behind each other: more than a name."""
SLOTS: dict[str, object] = {
    "seat": "N",
    "seats": ["N", "E"],
    "side": "SW",
    "call": "1C",
    "top": "XX",
    "who": "director",
    "kind": "INSUFFICIENT_BID",
    "misdeed": "bounce",
    "option": "ms",
    "needs": "motor",
    "joint": "broker",
    "thing": "record",
    "type": "whole-number",
    "known": ["a", "b"],
    "like": ["1C"],
    "text": "x",
    "reason": "no_such_hold",
    "slots": {"hold": "entry:3", "holds": "director entry:4"},
}
WORDED = """async (reasons) => {
  const { worded } = await import('/static/refusals.js');
  return reasons.map((reason) => worded(reason, 'the bench said this'));
}"""


def said(page: Page, text: str) -> None:
    box = page.locator("#said")
    expect(box).to_have_text(text)
    assert not CLAUSE.search(box.text_content() or ""), box.text_content()


def any_line(page: Page, line: str) -> None:
    page.locator("#tab-director").click()
    page.locator("#any-line").fill(line)
    page.locator("#any button").click()


def test_a_chinese_page_refuses_in_chinese(bench: Bench) -> None:
    bench.fresh()
    for line in ("N places board 1", "window closed"):
        assert bench.order("/api/deed", line=line).is_success
    page = bench.page(lang="zh-CN")
    ready(page)
    phase(page, "auction.ne")
    page.locator("#seats [data-seat='S']").click()
    page.locator("#box [data-call='1C']").click()
    said(page, "南家够不到托盘：托盘在北东面。请等它过来。")
    any_line(page, "N takes 1C back")
    said(page, "北家不能收回1♣：该方位在托盘上没有叫牌卡。")
    any_line(page, "N sings")
    expect(page.locator("#said")).to_contain_text("“sings”不是北家能做的动作；可以写：")
    any_line(page, "tray to NE")
    said(page, "托盘已经在北东面了，不必再推。")
    page.locator("#orders [data-order='resume']").click()
    said(page, "牌桌拒绝：本桌没有暂停。")
    expect(page.locator("#flow")).to_contain_text("被拒绝: 本桌没有暂停")
    any_line(page, "director rules on #9")
    said(page, "没有第9条；到目前为止报告了0条。")
    page.locator("#tab-break").click()
    form = page.locator("form[data-misdeed='tray-early']")
    form.locator(".dots").click()
    form.locator("input[name='call']").fill("x")
    form.locator(".do").click()
    said(page, "“x”不是整数；请在“第几个叫品”里写从1起的整数。")
    page.locator("form[data-misdeed='hands-out-early'] .do").click()
    said(page, "按 ccba-2006，这里没有一副牌能做“过早取牌”；请换一家规则。")
    page.locator("#setting").click()
    file: FilePayload = {
        "name": "mine.scn",
        "mimeType": "text/plain",
        "buffer": b"# Shows.\nboard 3\nN flies\n",
    }
    page.locator("#setup input[name='file']").set_input_files(file)
    expect(page.locator("#said")).to_contain_text("第3行：“flies”不是北家能做的动作；可以写：")


@pytest.mark.parametrize("lang", ["zh-CN", pytest.param("en", marks=pytest.mark.long)])
def test_the_page_has_a_whole_sentence_for_every_reason(bench: Bench, lang: str) -> None:
    words = rendering.words("en")
    named = {
        why: [name for _, name, _, _ in string.Formatter().parse(words[f"refusal.{why}"])] for why in Why
    }
    reasons = [
        {
            "code": why.value,
            "params": {name: SLOTS.get(name, 7) for name in [*names, "slots", "text"] if name},
        }
        for why, names in named.items()
    ]
    page = bench.page(lang=lang)
    ready(page)
    texts: list[str] = page.evaluate(WORDED, reasons)
    for why, text in zip(Why, texts, strict=True):
        assert not re.search(r"[{}]|undefined|the bench said this|\b[a-z_]+\.[a-z]", text), (why, text)
        assert lang == "en" or not CLAUSE.search(text), (why, text)
