"""What pages show of names, values and topics: in words, short, and in one card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.laws.board import Vulnerability
from tests.director_console.generator import Sent
from tests.director_console.playing import Playing
from tests.director_console.web_rig import WebRig


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


def test_tempo_and_the_reason_to_reveal_it_are_one_card(rig: WebRig, table: Playing) -> None:
    html = rig.client.get("/tables/7").text
    card = re.search(
        r'<section class="card">(?:(?!<section|</section>).)*id="tempo".*?</section>', html, re.S
    )
    assert card is not None
    assert 'action="/tables/7/reveal"' in card[0]
    assert card[0].count('class="card') == 1


@pytest.mark.parametrize(
    ("vulnerability", "marked"),
    [
        (Vulnerability.NONE, ""),
        (Vulnerability.NS, "NS"),
        (Vulnerability.EW, "WE"),
        (Vulnerability.BOTH, "WNES"),
    ],
)
def test_the_auction_marks_who_is_vulnerable_and_nobody_else(
    vulnerability: Vulnerability, marked: str, rig: WebRig, table: Playing
) -> None:
    view = replace(table.view, vulnerability=vulnerability)
    rig.hear(table.wired.view(view), table.wired.state(view))
    head = re.search(r'<table class="auction">.*?</thead>', rig.client.get("/tables/7").text, re.S)
    assert head is not None
    assert "".join(re.findall(r'<th scope="col" class="vul"[^>]*>(\w)', head[0])) == marked


def test_a_bad_message_on_a_consoles_topic_is_said_of_a_console_and_a_long_name_is_cut(rig: WebRig) -> None:
    long = "x" * 300
    for topic in (
        "console/evil/avail",
        f"console/{long}/avail",
        f"t/{long}/avail",
        "t/a\u202eb/ev/log",
        "all/clock",
    ):
        rig.hear(Sent(topic=f"screens/v1/hall/open/{topic}", payload=b"{}", retain=False))
    html = rig.client.get("/system").text
    assert "Console evil:" in html
    assert "Table evil" not in html
    assert "Somebody:" in html
    assert "\u202e" not in html
    assert "x" * 39 + "…" in html
    assert "x" * 241 not in html
    page = rig.client.get("/").text
    assert "x" * 60 not in page
