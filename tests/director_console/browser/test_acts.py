"""What a director does with mouse, finger and keyboard alone, and what becomes of it when things go wrong."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from table_controller.messages.topics import Verb
from tests.director_console.browser.conftest import TILES, Frozen, Hall
from tests.director_console.playing import Playing
from tests.firmware_bridge.calm import Watch

pytestmark = pytest.mark.live


def case_of(hall: Hall, name: str, entry: object | None = None) -> str:
    """A fresh case at this table; the path of its page."""
    table = hall.tables[name]
    made = entry or table.entry()
    hall.rig.hear(table.wired.entry(made))  # type: ignore[arg-type]
    return f"/cases/{name}/{table.wired.epoch}/{table.ids}"


def answer(hall: Hall, table: Playing, verb: Verb, status: str, reason: str = "") -> None:
    """The table's word on the last command of this kind."""
    hall.rig.until_sent(verb)
    command = hall.rig.sent(verb)[-1]
    hall.rig.hear(table.wired.result(str(command["id"]), verb.value, status, reason))


def count(hall: Hall, what: str) -> int:
    hall.rig.settle()
    found: int = hall.rig.running.console.reader.execute(f"SELECT count(*) FROM {what}").fetchone()[0]
    return found


def press_until(page: Page, key: str, wanted: str, limit: int = 120) -> None:
    """Press a key until the focus is on what the selector names."""
    for _ in range(limit):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", wanted):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} is not reached with {key}")


def test_the_strip_is_acknowledged_at_one_touch_and_says_who_and_when(hall: Hall) -> None:
    page = hall.page("/")
    first = page.locator(".strip .alert.lv-hold, .strip .alert.lv-urgent").first
    key = (first.locator("a").get_attribute("href") or "").removeprefix("/cases/")
    first.get_by_role("button").click()
    expect(page.locator(f'.strip a[href="/cases/{key}"]')).to_have_count(0)
    table, epoch, entry = key.split("/")
    case = hall.rig.running.desk.hall.cases[table, epoch, int(entry)]
    assert case.acknowledged is not None
    assert case.acknowledged.by == "anna"
    assert case.waits, "acknowledging closes nothing"


def test_the_strip_is_acknowledged_by_keyboard_and_the_focus_is_not_lost(hall: Hall) -> None:
    case_of(hall, "3", hall.tables["3"].summons())
    page = hall.page("/queue")
    press_until(page, "Tab", ".strip button")
    before = page.locator(".strip .alert a").first.get_attribute("href")
    page.keyboard.press("Enter")
    expect(page.locator(f'.strip a[href="{before}"]')).to_have_count(0)


def test_a_case_is_taken_from_the_queue_and_stays_in_the_list_with_its_owner(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page("/queue")
    row = page.locator(f'tr[data-case="{path.removeprefix("/cases/")}"]')
    row.get_by_role("button", name="Take").click()
    expect(row).to_contain_text("anna")
    expect(row).to_contain_text("assigned")
    page.get_by_role("link", name=re.compile("Mine")).click()
    expect(page.locator(f'tr[data-case="{path.removeprefix("/cases/")}"]')).to_be_visible()


def test_a_ruling_shows_stored_sent_and_done(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_text("The call stands", exact=True).click()
    page.get_by_label("In your words").fill("It stands; play on.")
    page.get_by_role("button", name="Send the ruling").click()
    expect(page.locator(".command").first).to_contain_text("The call stands")
    expect(page.locator(".way li.done")).to_have_count(2)
    answer(hall, hall.tables["3"], Verb.RULING, "done")
    expect(page.locator(".way li.done")).to_have_count(3)
    expect(page.locator(".handling")).to_contain_text("ruled")


def test_a_refusal_shows_the_tables_reason(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_text("The call is cancelled").click()
    page.get_by_role("button", name="Send the ruling").click()
    expect(page.locator(".command").first).to_contain_text("The call is cancelled")
    expect(page.locator(".command").first.locator(".way li.done")).to_have_count(2)
    answer(hall, hall.tables["3"], Verb.RULING, "refused", "The card has gone from the tray.")
    expect(page.locator(".command .reason")).to_have_text("The card has gone from the tray.")


def test_a_double_tap_sends_one_ruling(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_text("Other ruling").click()
    page.get_by_label("In your words").fill("Play on.")
    before = count(hall, "rulings")
    page.get_by_role("button", name="Send the ruling").dblclick()
    expect(page.locator(".command")).to_have_count(1)
    assert count(hall, "rulings") == before + 1


def test_a_whole_ruling_by_keyboard_alone(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page("/")
    press_until(page, "Tab", 'a[href="/queue"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/queue")
    press_until(page, "Tab", f'a[href="{path}"]', 200)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")
    press_until(page, "Tab", "input[name=verdict]", 200)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("input[name=verdict][value=oblige]")).to_be_checked()
    press_until(page, "Tab", "select[name=seat]")
    page.keyboard.press("S")
    press_until(page, "Tab", "textarea[name=text]")
    page.keyboard.type("Must pass once.")
    press_until(page, "Tab", ".rule button.primary")
    page.keyboard.press("Enter")
    expect(page.locator(".command")).to_have_count(1)
    hall.rig.until_sent(Verb.RULING)
    assert hall.rig.sent(Verb.RULING)[-1]["args"] == {
        "entries": [int(path.rsplit("/", 1)[1])],
        "verdict": "oblige",
        "text": "Must pass once.",
        "seat": "S",
        "turns": None,
    }


def test_what_is_wrong_is_said_at_the_field_and_nothing_is_lost(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_text("The player must pass").click()
    page.get_by_label("In your words").fill("Must pass.")
    page.get_by_role("button", name="Send the ruling").click()
    field = page.locator(".field.wrong")
    expect(field).to_contain_text("Say which seat must pass.")
    expect(page.locator("select[name=seat]").first).to_be_focused()
    expect(page.get_by_label("In your words")).to_have_value("Must pass.")
    expect(page.locator("input[name=verdict][value=oblige]")).to_be_checked()


def test_opening_the_window_takes_a_press_of_eight_tenths_of_a_second(hall: Hall) -> None:
    page = hall.page("/tables/3")
    button = page.get_by_role("button", name="Open the window")
    before = count(hall, "commands WHERE verb = 'open_window'")
    button.click()
    page.wait_for_timeout(300)
    assert count(hall, "commands WHERE verb = 'open_window'") == before, "a tap does nothing"
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.wait_for_timeout(950)
    page.mouse.up()
    expect(page.locator(".command").first).to_contain_text("Open the window")
    assert count(hall, "commands WHERE verb = 'open_window'") == before + 1
    expect(page.locator(".command").first).to_contain_text("not confirmed", timeout=9000)


def test_a_key_held_down_opens_it_too_and_a_key_pressed_does_not(hall: Hall) -> None:
    page = hall.page("/tables/3")
    before = count(hall, "commands WHERE verb = 'close_window'")
    page.get_by_role("button", name="Close the window").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert count(hall, "commands WHERE verb = 'close_window'") == before
    page.keyboard.down("Enter")
    page.wait_for_timeout(950)
    page.keyboard.up("Enter")
    expect(page.locator(".command").first).to_contain_text("Close the window")
    assert count(hall, "commands WHERE verb = 'close_window'") == before + 1


def test_a_correction_is_previewed_before_it_is_sent(hall: Hall) -> None:
    page = hall.page("/tables/2")
    page.get_by_text("Correct the auction").click()
    form = page.locator('form:has(input[value="auction"])')
    form.locator("select[name=dealer]").select_option("S")
    form.locator("textarea[name=calls]").fill("1C p p p")
    expect(form.locator(".preview")).to_contain_text("the auction is over: 1C S")
    form.locator("textarea[name=calls]").fill("1C p 1h")
    expect(form.locator(".preview")).to_contain_text("next to call: East")
    form.get_by_role("button").click()
    expect(page.locator(".command").first).to_contain_text("Correct the auction")


def test_tempo_and_hands_are_shown_only_with_a_reason_and_the_reason_is_kept(hall: Hall) -> None:
    table = hall.tables["5"]
    while table.ordinal < 3:
        table.wired.mono_ms += 9000
        hall.rig.hear(*table.step())
    page = hall.page("/tables/5")
    expect(page.locator(".chart")).to_have_count(0)
    page.get_by_label("Why you need to see it").fill("Summons about tempo")
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".chart .part.first").first).to_be_attached()
    expect(page.locator(".chart .reference")).to_be_attached()
    page.get_by_text("As a table").click()
    expect(page.locator(".tempo tbody tr").first).to_be_visible()
    other = hall.page("/tables/5", hall.context("ben"))
    expect(other.locator(".chart")).to_have_count(0)
    rows = hall.rig.running.console.reader.execute("SELECT user, reason FROM reveals").fetchall()
    assert ("anna", "Summons about tempo") in rows


def test_a_draft_is_kept_by_the_server_and_there_on_another_tablet(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_text("Other ruling").click()
    page.get_by_label("In your words").fill("Half a ruling, to be cont")
    expect(page.locator("[data-draft-said]")).to_have_text("Draft kept", timeout=4000)
    other = hall.page(path, hall.context())
    expect(other.get_by_label("In your words")).to_have_value("Half a ruling, to be cont")
    expect(other.locator("input[name=verdict][value=other]")).to_be_checked()


def test_offline_the_form_is_kept_and_sent_once_when_the_link_is_back(hall: Hall) -> None:
    path = case_of(hall, "3")
    context = hall.context()
    page = hall.page(path, context)
    page.get_by_text("Other ruling").click()
    page.get_by_label("In your words").fill("Given in the corridor.")
    before = count(hall, "rulings")
    context.set_offline(True)
    page.get_by_role("button", name="Send the ruling").click()
    expect(page.locator("#said")).to_contain_text("it will be sent once")
    assert count(hall, "rulings") == before
    page.wait_for_timeout(300)
    context.set_offline(False)
    expect(page.locator(".command").first).to_contain_text("Other ruling", timeout=15000)
    page.wait_for_timeout(500)
    assert count(hall, "rulings") == before + 1
    assert page.evaluate("localStorage.getItem('screen-table-kept-form')") == "[]"


def test_a_frozen_page_is_like_a_fresh_one_two_seconds_after_it_thaws(hall: Hall) -> None:
    page = hall.page("/")
    expect(page.locator(".link.ok").first).to_be_attached()
    frozen = Frozen(page)
    before = frozen.evaluate(TILES)
    for _ in range(6):
        for name in ("1", "2", "9", "12"):
            table = hall.tables[name]
            table.wired.mono_ms += 9000
            hall.rig.hear(*table.step())
    fresh = hall.page("/").evaluate(TILES)
    assert frozen.evaluate(TILES) == before != fresh
    frozen.thaw()
    with Watch() as watch:
        thawed = time.monotonic()
        while page.evaluate(TILES) != fresh and time.monotonic() < thawed + 2 + watch.paused_s:
            page.wait_for_timeout(50)
    assert page.evaluate(TILES) == fresh


def test_a_reader_in_the_middle_of_typing_is_not_disturbed_by_changes(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_label("Close without a ruling, because").fill("half a se")
    table = hall.tables["3"]
    for _ in range(3):
        hall.rig.hear(*table.step())
        page.wait_for_timeout(300)
    expect(page.get_by_label("Close without a ruling, because")).to_have_value("half a se")
    expect(page.get_by_label("Close without a ruling, because")).to_be_focused()


def another_summons(hall: Hall, page: Page) -> None:
    """One more, and the page has drawn it."""
    case_of(hall, "10", hall.tables["10"].summons())
    expect(page.locator("[data-count=waiting]")).to_have_text(str(len(hall.rig.running.desk.hall.waiting())))
    page.wait_for_timeout(100)


def test_sound_is_unlocked_by_starting_a_shift_and_silence_ends_by_itself(hall: Hall) -> None:
    page = hall.page("/shift")
    page.evaluate("window.heard = 0; document.addEventListener('sounded', () => { window.heard += 1; })")
    another_summons(hall, page)
    assert page.evaluate("window.heard") == 0, "nothing sounds before a shift is begun"
    with page.expect_navigation():
        page.get_by_role("button", name="Start my shift").click()
    page.evaluate("window.heard = 0; document.addEventListener('sounded', () => { window.heard += 1; })")
    locked = page.locator("[data-sound] button")
    expect(locked).to_have_count(1)
    page.locator("h1").click()
    expect(locked).to_have_count(0)
    case_of(hall, "10", hall.tables["10"].summons())
    for _ in range(200):  # by evaluate, which the page's own policy does not stop
        if page.evaluate("window.heard") > 0:
            break
        page.wait_for_timeout(50)
    assert page.evaluate("window.heard") > 0
    page.get_by_role("button", name="Silence").click()
    expect(page.locator(".muted")).to_contain_text(re.compile("1:5|2:00"))
    heard = page.evaluate("window.heard")
    another_summons(hall, page)
    assert page.evaluate("window.heard") == heard
    page.evaluate("sessionStorage.setItem('muted-until', String(Date.now() + 500))")
    expect(page.locator(".muted")).to_have_count(0, timeout=4000)


def test_a_session_is_laid_down_and_sent_to_the_tables(hall: Hall) -> None:
    page = hall.page("/session")
    form = page.locator(".sessionform")
    form.get_by_label("Short name").fill("final-1")
    form.get_by_label("Begins").fill("25:99")
    form.get_by_label("Boards (").fill("1-4")
    form.get_by_label("Tables (").fill("1, 2")
    form.get_by_label("Line-up").fill("1: n1 e1 s1 w1")
    form.get_by_role("button").click()
    expect(form.locator(".field.wrong")).to_contain_text("A time as 18:30.")
    form.get_by_label("Begins").fill("09:00")
    form.get_by_role("button").click()
    expect(page.locator("h1")).to_contain_text("final-1")
    hall.rig.until(lambda: len(hall.rig.sent(Verb.SESSION)) == 2)
    players = [command["args"]["players"] for command in hall.rig.sent(Verb.SESSION)]  # type: ignore[index]
    assert {"N": "n1", "E": "e1", "S": "s1", "W": "w1"} in players
    expect(page.locator(".pace tbody tr").first).to_contain_text("final-1")


def test_a_shift_is_handed_over_with_what_was_with_me(hall: Hall) -> None:
    path = case_of(hall, "3")
    page = hall.page(path)
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".handling")).to_contain_text("anna")
    page.goto(hall.rig.base + "/shift")
    page.get_by_label("Hand over to").select_option("ben")
    page.get_by_label("What he should know").fill("Table 3 is waiting for me.")
    page.get_by_role("button", name="Hand over").click()
    expect(page.locator(".cases").last).to_contain_text("handed over to ben")
    table, epoch, entry = path.removeprefix("/cases/").split("/")
    assert hall.rig.running.desk.hall.cases[table, epoch, int(entry)].owner == "ben"


def test_evidence_is_made_downloaded_and_checked_on_the_page(
    hall: Hall, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = hall.page("/evidence?table=2")
    page.get_by_label("What it is for").fill("appeal")
    with page.expect_download() as download:
        page.get_by_role("button", name="Make the file").click()
    file = tmp_path_factory.mktemp("download") / "e.zip"
    download.value.save_as(file)
    assert download.value.suggested_filename == "table-2.zip"
    page.get_by_label("The ZIP").set_input_files(file)
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".findings.good")).to_contain_text("It verifies.")


def test_an_alarm_is_acknowledged_shelved_and_taken_out_of_service_by_the_chief_alone(hall: Hall) -> None:
    table = hall.tables["11"]
    hall.rig.hear(table.wired.fault(table.fault()))
    page = hall.page("/tables/11")
    alarm = page.locator(".alarm").first
    expect(alarm).to_contain_text("unacknowledged")
    alarm.get_by_role("button", name="Acknowledge").click()
    expect(alarm).to_contain_text("acknowledged by anna")
    alarm.get_by_role("button", name="Shelve").click()
    expect(alarm).to_contain_text("shelved")
    alarm.get_by_role("button", name="Bring back").click()
    alarm.get_by_role("button", name="Out of service").click()
    expect(alarm).to_contain_text("out of service")
    ben = hall.page("/tables/11", hall.context("ben"))
    expect(ben.get_by_role("button", name="In service again")).to_have_count(0)


def test_eight_tabs_load_and_all_follow(hall: Hall) -> None:
    context = hall.context()
    pages = [
        hall.page(path, context)
        for path in ("/", "/queue", "/tables/1", "/system", "/session", "/shift", "/", "/queue")
    ]
    for page in pages:
        expect(page.locator("h1").first).to_be_attached()
    case_of(hall, "1", hall.tables["1"].summons())
    waiting = str(len(hall.rig.running.desk.hall.waiting()))
    for page in pages:
        expect(page.locator("[data-count=waiting]")).to_have_text(waiting, timeout=8000)
