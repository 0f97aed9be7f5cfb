"""A held table says so everywhere until it goes on, and a ruling can let it go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.laws.seat import Seat
from table_controller.messages.topics import Verb
from table_controller.screen.entry import Fact, Kind, Standing
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig, case_path


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path)
    yield made
    made.close()


@pytest.fixture
def table(rig: WebRig) -> Playing:
    """Table 7, held by its case 1."""
    playing = Playing("7", rig.keys, 1)
    rig.hear(*playing.hello(), *playing.step(), *playing.step())
    entry = playing.window_opened()
    hold(rig, playing, f"entry:{entry.id}")
    rig.hear(playing.wired.entry(entry))
    return playing


def hold(rig: WebRig, table: Playing, *reasons: str) -> None:
    table.view = replace(table.view, holds=reasons)
    rig.hear(table.wired.view(table.view), table.wired.state(table.view))


def rule(rig: WebRig, table: Playing, **more: str) -> None:
    page = case_path(table)
    rig.post(page, f"{page}/rule", {"verdict": "other", "text": "Play on.", **more})
    rig.until_sent(Verb.RULING)
    [case] = rig.running.desk.hall.cases.values()
    rig.hear(table.wired.entry(replace(case.entry, standing=Standing.RULED, revision=1), "closed"))


def test_a_ruled_hold_is_said_on_wall_strip_and_queue_until_the_table_goes_on(
    rig: WebRig, table: Playing
) -> None:
    rule(rig, table)
    wall, queue = rig.client.get("/").text, rig.client.get("/queue").text
    assert 'class="tile l st-hold"' in wall
    assert "Still held: it waits for Resume." in wall
    assert re.search(r'class="alert lv-hold still".*?Table 7 is held</b> \(case 1\)', wall, re.S)
    assert 'data-count="waiting">1<' in wall
    row = re.search(r'<tr class="held" data-held="7">.*?</tr>', queue, re.S)
    assert row is not None
    assert f'href="{case_path(table)}"' in row[0]
    assert 'action="/tables/7/resume"' in row[0]
    assert "Table 7 is still held." in rig.client.get(case_path(table)).text
    hold(rig, table)
    for path in ("/", "/queue", case_path(table)):
        html = rig.client.get(path).text
        assert "held:" not in html.lower()
        assert "is held" not in html
        assert "still held" not in html
        assert "st-hold" not in html
    assert 'data-count="waiting">0<' in rig.client.get("/").text


def test_an_acknowledged_hold_stays_in_the_strip_and_no_longer_blinks(rig: WebRig, table: Playing) -> None:
    assert 'class="alert lv-hold"' in rig.client.get("/").text
    page = case_path(table)
    rig.client.post(
        f"{page}/step", data={**rig.tokens(rig.client, page, f"{page}/step"), "step": "acknowledge"}
    )
    rig.settle()
    html = rig.client.get("/").text
    assert 'class="alert lv-hold"' not in html
    assert "Table 7 is held" in html
    assert "nothing urgent unseen" not in html


def test_a_ruling_sends_the_ruling_and_then_ends_the_hold_of_its_case(rig: WebRig, table: Playing) -> None:
    html = rig.client.get(case_path(table)).text
    assert re.search(r'<input type="checkbox" name="resume" value="entry:1" checked>', html)
    rule(rig, table, resume="entry:1")
    rig.until_sent(Verb.RESUME)
    [resume] = rig.sent(Verb.RESUME)
    assert resume["args"] == {"reasons": ["entry:1"], "why": ""}
    topics = [topic.rpartition("/")[2] for topic, _, _ in rig.wire.sent]
    assert [verb for verb in topics if verb in ("ruling", "resume")] == ["ruling", "resume"]


def test_a_ruling_without_the_choice_leaves_the_table_held(rig: WebRig, table: Playing) -> None:
    rule(rig, table)
    rig.settle()
    assert rig.sent(Verb.RESUME) == []


def test_a_ruling_never_ends_the_hold_of_another_case(rig: WebRig, table: Playing) -> None:
    hold(rig, table, "entry:1", "entry:2", "director")
    html = rig.client.get(case_path(table)).text
    assert 'name="resume" value="entry:1 director" checked' in html
    assert "held for another reason (case 2)" in html
    rule(rig, table, resume="entry:1 entry:2 director entry:9")
    rig.until_sent(Verb.RESUME)
    assert rig.sent(Verb.RESUME)[0]["args"] == {"reasons": ["entry:1", "director"], "why": ""}


def test_a_table_held_by_the_director_alone_is_held(rig: WebRig) -> None:
    playing = Playing("9", rig.keys, 2)
    rig.hear(*playing.hello(), *playing.step())
    hold(rig, playing, "director")
    html = rig.client.get("/").text
    assert re.search(r"Table 9 is held</b> \(by the director\)", html)
    assert 'href="/tables/9" id="strip-held-9"' in html
    assert re.search(r'class="tile l st-hold"[^>]*id="tile-9"', html)


def test_what_waits_on_a_tile_is_counted_by_its_level(rig: WebRig) -> None:
    playing = Playing("9", rig.keys, 2)
    rig.hear(*playing.hello(), *playing.step(), *playing.step())
    rig.hear(playing.wired.entry(playing.entry()), playing.wired.entry(playing.summons()))
    badge = re.search(
        r'id="tile-9".*?class="t-badge"[^>]*>(.*?)</span></span>', rig.client.get("/").text, re.S
    )
    assert badge is not None
    assert re.sub(r"<[^>]+>", "", badge[1]).split() == ["▲", "urgent", "◆1"]


def test_a_tile_says_what_happened_without_the_number_it_shows_already(rig: WebRig) -> None:
    playing = Playing("9", rig.keys, 2)
    rig.hear(*playing.hello(), *playing.step(), *playing.step())
    turn = Fact(name="turn", text="E", at=1)
    entry = playing.entry(kinds=(Kind.CALL_OUT_OF_ROTATION,), seats=(Seat.W,), call=None, facts=(turn,))
    rig.hear(playing.wired.entry(entry))
    line = re.search(r'id="tile-9".*?<span class="t-cases">(.*?)</a>', rig.client.get("/").text, re.S)
    assert line is not None
    assert "Board" not in line[1]
    assert "was out of rotation: it was East&#39;s turn." in line[1]
    assert "Whose turn it was</dt><dd>East<" in rig.client.get(case_path(playing)).text
    other = replace(playing.view, board=30)
    rig.hear(playing.wired.view(other), playing.wired.state(other))
    assert f"Board {entry.board}: West" in rig.client.get("/").text
