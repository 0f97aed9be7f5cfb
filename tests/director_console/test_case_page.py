"""A case's page when its board is long over, and after it has been ruled on; what signs and names mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.laws.call import PASS
from table_controller.laws.seat import Seat
from table_controller.messages import codec
from table_controller.messages.topics import Verb
from table_controller.screen.effects import Moved
from table_controller.screen.entry import Standing
from table_controller.screen.events import CallWithdrawn
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig, case_path


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path)
    yield made
    made.close()


@pytest.fixture
def table(rig: WebRig) -> Playing:
    playing = Playing("7", rig.keys, 1)
    rig.hear(*playing.hello(), *playing.step(), *playing.step(), *playing.step())
    return playing


def show(rig: WebRig, table: Playing, **changes: object) -> None:
    table.view = replace(table.view, **changes)  # type: ignore[arg-type]
    rig.hear(table.wired.view(table.view), table.wired.state(table.view))


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_table_as_it_was_stands_before_the_table_as_it_is(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    was = table.view.board
    show(rig, table, board=26)
    html = rig.client.get(case_path(table)).text
    then, now = html.index(f"The table when it happened: board {was}"), html.index("Now: board 26")
    assert then < now
    assert re.search(r'<section class="tablenow card [^"]*beside"', html)


def test_the_verdicts_that_change_nothing_any_more_say_so(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    assert "changes nothing at the table any more" not in rig.client.get(case_path(table)).text
    was = table.view.board
    show(rig, table, board=26)
    html = rig.client.get(case_path(table)).text
    assert html.count(f"Board {was} is over: this changes nothing at the table any more") == 2


def test_after_a_ruling_the_page_leads_on_and_folds_the_next_version(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()), table.wired.entry(table.summons()))
    page = case_path(table)
    assert "Back to the queue" not in rig.client.get(page).text
    rig.post(page, f"{page}/rule", {"verdict": "other", "text": "Play on."})
    rig.until_sent(Verb.RULING)
    case = next(case for case in rig.running.desk.hall.cases.values() if case.entry.id == 1)
    rig.hear(table.wired.entry(replace(case.entry, standing=Standing.RULED, revision=1), "closed"))
    html = rig.client.get(page).text
    assert f'href="{case_path(table, 2)}" id="next-case"' in html
    assert 'href="/queue" id="to-queue"' in html
    folded = re.search(r"<details class=\"card amend\">.*?</details>", html, re.S)
    assert folded is not None
    assert f'action="{page}/rule"' in folded[0]
    dealt = re.search(r'<details class="dealt">.*?</details>', rig.client.get("/queue").text, re.S)
    assert dealt is not None
    assert "<small>anna</small>" in dealt[0]


@pytest.mark.parametrize(
    ("phase", "faced", "leader", "lies"),
    [
        ("lead.down", False, True, True),
        ("opening", True, True, False),
        ("play", True, False, False),
        ("complete", None, False, False),
    ],
)
def test_an_opening_lead_is_told_of_while_it_lies(
    phase: str, faced: bool | None, leader: bool, lies: bool, rig: WebRig, table: Playing
) -> None:
    show(rig, table, phase=phase, leader=Seat.W, lead=Seat.W, lead_faced=faced)
    html = rig.client.get("/tables/7").text
    assert ("Opening leader</dt>" in html) is leader
    assert ("a lead by West lies" in html) is lies


def test_cards_taken_up_after_the_auction_are_not_called_taken_back(rig: WebRig, table: Playing) -> None:
    gone = CallWithdrawn(at=10**9, seat=Seat.N, call=PASS)
    moved = Moved(trigger="auction_over", source="auction.ne", dest="lead.awaiting")
    rig.hear(table.wired.event(gone))
    assert "North took back" in rig.client.get("/tables/7").text
    rig.hear(table.wired.log("moved", codec.to_json(moved)), table.wired.event(gone))
    assert "North took up" in rig.client.get("/tables/7").text


@pytest.mark.parametrize(
    "path", ["/", "/queue", "/session", "/evidence", "/shift", "/system", "/tables/7", "/people"]
)
def test_every_page_has_the_key_of_signs(path: str, rig: WebRig, table: Playing) -> None:
    html = rig.client.get(path).text
    assert html.count('class="person key"') == 1
    assert "unconfirmed: the article is not confirmed" in html


def test_badges_and_facts_say_what_they_mean(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    html = rig.client.get(case_path(table)).text
    assert re.search(r'class="standing" title="(text|quoted|unconfirmed): ', html)
    assert re.search(r'class="dt-why" title="At the table: [^"]+">At the table<', html)
    assert re.search(r'class="dt-why" title="From call to push: [^"]+">From call to push<', html)
