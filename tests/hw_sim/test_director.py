"""The scripted director reads pages and fills in forms; a small console of the test's own answers him."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from urllib.parse import parse_qs

import httpx
import pytest

from hw_sim.demo.director import ScriptedDirector
from hw_sim.demo.html_forms import read_page
from hw_sim.processes.joints import JointBroken

ROW = '<tr data-case="{key}" data-kinds="{kinds}" data-level="{level}" data-waits="1"></tr>'
PUT_RIGHT = (
    '<tr data-case="1/e/4" data-kinds="INSUFFICIENT_BID" data-level="report" data-standing="corrected" '
    'data-waits="1"></tr>'
)
RULE = (
    '<form method="post" action="/cases/{key}/rule"><input type="hidden" name="csrf" value="c">'
    '<input type="hidden" name="key" value="01HZX"><input type="radio" name="verdict" value="other">'
    '<textarea name="text"></textarea></form>'
)
RESUME = (
    '<form method="post" action="/tables/{table}/resume"><input type="hidden" name="csrf" value="c">'
    '<input type="hidden" name="key" value="01HZY"></form>'
)
SESSION = (
    '<form method="post" action="/session"><input name="session" value="{session}">'
    '<input name="day" value=""><input name="start" value=""><input name="tables" value="">'
    '<input name="minutes" value="7"><input name="boards" value="1-16">'
    '<select name="contest"><option value="teams_vp"></option></select></form>'
)
ROUND = (
    '<form method="post" action="/round"><input type="hidden" name="act" value="set">'
    '<input name="round" value="1"><input name="minutes" value=""></form>'
    '<form method="post" action="/round"><input type="hidden" name="act" value="start"></form>'
)


class SmallConsole:
    """Keeps cases until they are ruled on, holds until they are ended; `obeys` False: nothing helps."""

    def __init__(self) -> None:
        self.cases: dict[str, tuple[str, str]] = {}
        self.held: set[str] = set()
        self.posts: list[tuple[str, dict[str, list[str]]]] = []
        self.obeys = True
        self.tables = ["online", "online"]
        self.session = ""

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "POST":
            self.posts.append((path, parse_qs(request.content.decode(), keep_blank_values=True)))
            if self.obeys and path.endswith("/rule"):
                del self.cases[path.removeprefix("/cases/").removesuffix("/rule")]
            if self.obeys and path.endswith("/resume"):
                self.held.discard(path.split("/")[2])
            return httpx.Response(200, text="<p>done</p>")
        if path == "/queue":
            rows = (
                ROW.format(key=key, kinds=kinds, level=level) for key, (kinds, level) in self.cases.items()
            )
            return httpx.Response(200, text="".join(rows))
        if path.startswith("/cases/"):
            return httpx.Response(200, text=RULE.format(key=path.removeprefix("/cases/")))
        if path.startswith("/tables/"):
            table = path.split("/")[2]
            holding = '<div class="facts holding">held</div>' if table in self.held else ""
            return httpx.Response(200, text=holding + RESUME.format(table=table))
        if path == "/session":
            return httpx.Response(200, text=SESSION.format(session=self.session) + ROUND)
        tiles = (f'<a data-presence="{presence}"></a>' for presence in self.tables)
        return httpx.Response(200, text="".join(tiles))


@pytest.fixture
def console() -> SmallConsole:
    return SmallConsole()


@pytest.fixture
def client(console: SmallConsole) -> Iterator[httpx.Client]:
    with httpx.Client(transport=httpx.MockTransport(console.answer), base_url="http://console") as client:
        yield client


def test_he_rules_through_the_form_then_they_go_on(console: SmallConsole, client: httpx.Client) -> None:
    told: list[tuple[str, str]] = []
    director = ScriptedDirector(client, patience_s=0, tell=lambda table, kind: told.append((table, kind)))
    console.cases["3/e1/7"] = ("INSUFFICIENT_BID CALL_OUT_OF_ROTATION", "report")
    director.look(1.0)
    assert console.posts[0][0] == "/cases/3/e1/7/rule"
    assert console.posts[0][1]["csrf"] == ["c"]
    assert console.posts[0][1]["verdict"] == ["other"]
    assert told == []
    director.look(2.0)
    assert told == [("3", "INSUFFICIENT_BID"), ("3", "CALL_OUT_OF_ROTATION")]
    director.look(3.0)
    assert len(console.posts) == 1
    assert len(told) == 2


def test_he_leaves_a_person_his_time(console: SmallConsole, client: httpx.Client) -> None:
    told: list[str] = []
    director = ScriptedDirector(client, patience_s=30, tell=lambda table, kind: told.append(kind))
    console.cases["1/e/1"] = ("SUMMONS", "report")
    director.look(0.0)
    director.look(29.0)
    assert console.posts == []
    del console.cases["1/e/1"]  # a person ruled
    director.look(29.5)
    assert told == ["SUMMONS"]
    console.cases["1/e/2"] = ("SUMMONS", "report")
    director.look(30.0)
    director.look(60.5)
    assert len(console.posts) == 1


def test_after_a_hold_they_go_on_only_when_it_has_ended(console: SmallConsole, client: httpx.Client) -> None:
    told: list[str] = []
    director = ScriptedDirector(client, patience_s=0, tell=lambda table, kind: told.append(kind))
    console.cases["2/e/1"] = ("WINDOW_OPENED_IN_AUCTION", "hold")
    console.held.add("2")
    director.look(0.0)
    director.look(1.0)
    assert [path for path, _ in console.posts] == ["/cases/2/e/1/rule", "/tables/2/resume"]
    assert told == []
    director.look(2.0)
    assert told == ["WINDOW_OPENED_IN_AUCTION"]


def test_a_table_that_does_not_resume_is_named(console: SmallConsole, client: httpx.Client) -> None:
    director = ScriptedDirector(client, patience_s=0, tell=lambda table, kind: None)
    console.cases["2/e/1"] = ("AUCTION_STUCK", "hold")
    console.held.add("2")
    director.look(0.0)
    console.obeys = False

    def look_on() -> None:
        for second in range(100):
            director.look(float(second))

    with pytest.raises(
        JointBroken, match=r"broken at the director's orders to the table: table 2 is still held"
    ):
        look_on()


def test_a_console_that_does_not_answer_is_named() -> None:
    def silent(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("nothing", request=request)

    with httpx.Client(transport=httpx.MockTransport(silent), base_url="http://console") as client:
        director = ScriptedDirector(client, patience_s=0, tell=lambda table, kind: None)
        with pytest.raises(JointBroken, match="broken at the director's console: it does not answer"):
            director.look(0.0)


def test_a_page_without_its_form_is_named(console: SmallConsole, client: httpx.Client) -> None:
    director = ScriptedDirector(client, patience_s=0, tell=lambda table, kind: None)
    with pytest.raises(JointBroken, match="no form"):
        director._submit(read_page("<p>nothing</p>").form("/rule"), {})


def test_what_the_players_put_right_he_rules_on_all_the_same() -> None:
    posts: list[tuple[str, dict[str, list[str]]]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            posts.append((request.url.path, parse_qs(request.content.decode())))
        return httpx.Response(
            200, text=PUT_RIGHT if request.url.path == "/queue" else RULE.format(key="1/e/4")
        )

    with httpx.Client(transport=httpx.MockTransport(answer), base_url="http://console") as client:
        ScriptedDirector(client, patience_s=0, tell=lambda table, kind: None).look(0.0)
    assert posts[0][0] == "/cases/1/e/4/rule"
    assert posts[0][1]["verdict"] == ["other"]


def test_a_hold_that_a_person_ruled_on_is_left_to_him_for_a_while(
    console: SmallConsole, client: httpx.Client
) -> None:
    told: list[str] = []
    director = ScriptedDirector(client, patience_s=30, tell=lambda table, kind: told.append(kind))
    console.cases["2/e/1"] = ("WINDOW_OPENED_IN_AUCTION", "hold")
    console.held.add("2")
    director.look(0.0)
    del console.cases["2/e/1"]  # a person ruled, and has not resumed
    director.look(10.0)
    director.look(39.0)
    assert console.posts == []
    director.look(40.5)
    assert [path for path, _ in console.posts] == ["/tables/2/resume"]
    director.look(41.0)
    assert told == ["WINDOW_OPENED_IN_AUCTION"]


def test_he_lays_down_sessions_once_every_table_is_there(console: SmallConsole, client: httpx.Client) -> None:
    director = ScriptedDirector(client, patience_s=0, tell=lambda *_: None)
    boards, now = {"1": [1, 2, 5], "2": [5, 1, 2]}, datetime(2026, 5, 1, 18, 30, 40)
    console.tables = ["online", "offline"]
    assert not director.lay_down_sessions(boards, now)
    assert console.posts == []
    console.tables = ["online", "online"]
    assert director.lay_down_sessions(boards, now)
    (_, first), (_, second), (_, clock), (_, start) = console.posts
    assert (first["boards"], first["tables"], first["start"]) == (["1,2,5"], ["1"], ["18:32"])
    assert (second["boards"], second["tables"], second["day"]) == (["5,1,2"], ["2"], ["2026-05-01"])
    assert (clock["act"], clock["minutes"], start["act"]) == (["set"], ["24"], ["start"])


def test_a_person_s_session_is_left_as_it_is(console: SmallConsole, client: httpx.Client) -> None:
    console.session = "final"
    director = ScriptedDirector(client, patience_s=0, tell=lambda *_: None)
    assert director.lay_down_sessions({"1": [1], "2": [1]}, datetime(2026, 5, 1))
    assert console.posts == []
