"""Sessions, the clock of the round and a table's time, through the real pages: who may, what is kept, what is
sent.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from director_console.cli import app
from director_console.loading import load
from director_console.projection.inputs import Matter, TimeVerdict
from director_console.projection.standing import standing_of
from director_console.store.book import FILE, VERSION, open_book
from director_console.web.forms_session import read_before
from director_console.web.helpers import before_text
from director_console.web.i18n import LANGUAGES
from table_controller.messages.topics import Verb
from tests.director_console.playing import Playing
from tests.director_console.timed import PLAN, evening
from tests.director_console.web_rig import WebRig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[WebRig]:
    made = WebRig(tmp_path)
    yield made
    made.close()


def session(**more: str) -> dict[str, str]:
    begun = datetime.now() - timedelta(minutes=60)
    fields = {
        "session": "s1",
        "contest": "teams_vp",
        "day": begun.strftime("%Y-%m-%d"),
        "start": begun.strftime("%H:%M"),
        "minutes": "7",
        "per": "board",
        "boards": "1-8",
        "regulations": "ccba-2006",
    }
    return {**fields, **more}


def lay_down(rig: WebRig, **more: str) -> int:
    return rig.post("/session", "/session", session(**more)).status_code


@pytest.fixture
def played(rig: WebRig) -> Playing:
    """Table 7, an hour into a session, six boards of eight over; table 9 has none."""
    table = Playing("7", rig.keys, 1)
    rig.hear(*table.hello())
    rig.hear(*Playing("9", rig.keys, 2).hello())
    assert lay_down(rig, tables="7", lineup="7: n1 e1 s1 w1") == 303
    rig.hear(*evening(table.wired, 1, arrived=8))
    return table


# --- sessions


def test_a_session_tells_each_table_what_its_clock_needs(rig: WebRig, played: Playing) -> None:
    rig.until_sent(Verb.SESSION)
    [order] = rig.sent(Verb.SESSION)
    plan = order["args"]["plan"]  # type: ignore[index]
    assert isinstance(plan, dict)
    assert plan["board_seconds"] == 420
    assert plan["contest"] == "teams_vp"
    assert (plan["late_before"], plan["slow_before"], plan["forfeits_before"]) == (0, 0, 0)
    assert isinstance(plan["start_ms"], int)


def test_a_change_during_play_says_who_and_why_and_the_first_stays(rig: WebRig, played: Playing) -> None:
    assert lay_down(rig, tables="7", minutes="9") == 422
    answer = rig.post("/session", "/session", session(tables="7", minutes="9"), accept="application/json")
    assert "why" in answer.json()["errors"]
    before = "7: NS late 1, EW forfeit 2"
    assert lay_down(rig, tables="7", minutes="9", why="a player was ill", before=before) == 303
    hall = rig.running.desk.hall
    assert [plan.minutes for plan in hall.plans] == [9, 7]
    assert (hall.plans[0].by, hall.plans[0].why) == ("anna", "a player was ill")
    rig.until(lambda: len(rig.sent(Verb.SESSION)) == 2)
    args = rig.sent(Verb.SESSION)[-1]["args"]
    assert isinstance(args, dict)
    assert args["why"] == "a player was ill"
    assert (args["plan"]["late_before"], args["plan"]["forfeits_before"]) == (1, 2)
    html = rig.client.get("/session").text
    assert "a player was ill" in html


def test_what_came_before_is_read_as_a_director_types_it_in_either_language() -> None:
    wanted = {"7": [("NS", "late", 1), ("EW", "forfeit", 2)]}
    for text in ("7: NS late 1, EW forfeit 2", "7：南北迟到1次，东西弃权2", "7: ns LATE 1; ew forfeit 2\n\n"):
        read = read_before(text, {"7"})
        assert {
            table: [(one.partnership.value, one.what, one.times) for one in found]
            for table, found in read.items()
        } == wanted
        plan = replace(PLAN, before=read)
        assert all(read_before(before_text(lang, plan), {"7"}) == read for lang in LANGUAGES)


def test_what_came_before_is_refused_with_the_field_that_is_wrong(rig: WebRig, played: Playing) -> None:
    for field, value in (
        ("before", "7: NS early 1"),
        ("before", "8: NS late 1"),
        ("before", "7:"),
        ("minutes", "0"),
    ):
        form = session(tables="7", why="x", **{field: value})
        answer = rig.post("/session", "/session", form, accept="application/json")
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [field]), value


def test_a_table_without_a_session_is_said_to_keep_no_clock(rig: WebRig, played: Playing) -> None:
    html = rig.client.get("/session").text
    row = re.search(r'<tr><td class="tableno"><a href="/tables/9".*?</tr>', html, re.S)
    assert row is not None
    assert "no session: no clock is kept" in row[0]


def test_the_pairs_clocks_are_for_directors_and_not_for_observers(rig: WebRig, played: Playing) -> None:
    director, observer = rig.login("ben"), rig.login("olga")
    assert ">NS</th>" in director.get("/session").text
    assert ">NS</th>" not in observer.get("/session").text
    assert director.get("/tables/7/time").status_code == 200
    assert observer.get("/tables/7/time").status_code == 403
    for key in ("time:7", "boards:7", "evening:7"):
        pushed = observer.get("/api/changes", params={"since": "0", "key": key}).json()
        assert not pushed["html"].get(key)


# --- decisions


def decide(rig: WebRig, **fields: str) -> dict[str, str] | int:
    answer = rig.post("/tables/7/time", "/tables/7/time/decide", fields, accept="application/json")
    return answer.json()["errors"] if answer.status_code == 422 else answer.status_code


def test_the_director_decides_as_indicated_or_otherwise_with_a_reason(rig: WebRig, played: Playing) -> None:
    assert decide(rig, matter="late", verdict="as_indicated", ns="1 VP") == 200
    assert "reason" in decide(rig, matter="late", verdict="otherwise", ns="0.5 VP")  # type: ignore[operator]
    assert "ns" in decide(rig, matter="late", verdict="otherwise", reason="a late bus")  # type: ignore[operator]
    assert decide(rig, matter="late", verdict="otherwise", ns="0.5 VP", reason="a late bus") == 200
    assert "verdict" in decide(rig, matter="forfeit", verdict="as_indicated")  # type: ignore[operator]
    found = rig.running.desk.hall.time_rulings["7", "s1", Matter.LATE]
    assert [(one.version, one.verdict, one.ns) for one in found] == [
        (1, TimeVerdict.AS_INDICATED, "1 VP"),
        (2, TimeVerdict.OTHERWISE, "0.5 VP"),
    ]
    assert found[0].shown[0] == "1 VP"
    assert "26" in found[0].shown[-1]
    html = rig.client.get("/tables/7/time").text
    assert "a late bus" in html
    assert "version 2" in html
    audit = rig.running.console.reader.execute("SELECT by, detail FROM audit WHERE act = 'time late'")
    kept = [(by, json.loads(detail)) for by, detail in audit]
    assert kept[-1][0] == "anna"
    assert kept[-1][1]["reason"] == "a late bus"


def test_nothing_is_decided_where_no_session_is(rig: WebRig, played: Playing) -> None:
    csrf = rig.tokens(rig.client, "/tables/7/time", "/tables/7/time/decide")
    data = {**csrf, "matter": "late", "verdict": "nothing", "reason": "none at all"}
    assert rig.client.post("/tables/9/time/decide", data=data).status_code == 409


def test_decisions_and_sessions_are_in_the_tables_evidence_without_the_players(
    rig: WebRig, played: Playing
) -> None:
    assert decide(rig, matter="slow", verdict="nothing", reason="the screen stuck") == 200
    answer = rig.post("/evidence", "/evidence", {"table": "7", "reason": "appeal"})
    with zipfile.ZipFile(io.BytesIO(rig.client.get(answer.headers["location"]).content)) as archive:
        rows = [json.loads(line) for line in archive.read("time.jsonl").splitlines()]
        sheet = archive.read("sheet.html").decode()
    assert [row["what"] for row in rows] == ["session", "slow"]
    assert rows[1]["reason"] == "the screen stuck"
    assert "n1" not in json.dumps(rows)
    assert "the screen stuck" in sheet


# --- an evening, with a reason


def test_figures_visit_by_visit_are_shown_only_after_a_reason_which_is_kept(
    rig: WebRig, played: Playing
) -> None:
    page = "/tables/7/time"
    before = rig.client.get(page).text
    assert "118.0" not in before
    assert 'class="e-point' not in before
    assert 'class="bpart' not in before
    assert rig.post(page, f"{page}/reveal", {"reason": "x"}).status_code == 422
    assert rig.post(page, f"{page}/reveal", {"reason": "an appeal about tempo"}).status_code == 303
    after = rig.client.get(page).text
    assert "board 5, North: 118.0 s" in after
    assert after.count('class="e-point') > 60
    assert 'class="bpart unknown"' in after
    assert "118.0" not in rig.login("ben").get(page).text, "one director's reason is not another's"
    [(by, detail)] = list(
        rig.running.console.reader.execute("SELECT by, detail FROM audit WHERE act = 'revealed'")
    )
    assert (by, json.loads(detail)["reason"]) == ("anna", "an appeal about tempo")
    for where in ("/", "/public", "/public/state", "/queue"):
        assert "118.0" not in rig.client.get(where).text


# --- the clock of the round, and everybody


def test_the_round_clock_is_set_started_changed_with_why_and_taken_away(rig: WebRig, played: Playing) -> None:
    def do(**fields: str) -> int:
        return rig.post("/session", "/round", fields).status_code

    assert do(act="start") == 409
    assert do(act="set", round="2", minutes="20", warnings="6,2") == 303
    assert do(act="start") == 303
    assert do(act="change", more="5") == 422
    assert do(act="change", more="5", why="a fire drill") == 303
    clock = rig.running.desk.hall.clock
    assert clock is not None
    assert (clock.round, clock.warnings, clock.running) == (2, (6, 2), True)
    assert 24 * 60_000 < clock.left(rig.now()) <= 25 * 60_000
    rig.until(lambda: bool(rig.wire.of("public/clock")))
    assert do(act="pause") == 303
    assert do(act="clear") == 303
    rig.until(lambda: rig.wire.of("public/clock")[-1]["round"] == 0)
    acts = rig.running.console.reader.execute("SELECT act, why FROM round_clocks ORDER BY n")
    assert list(acts) == [
        ("set", ""),
        ("start", ""),
        ("change", "a fire drill"),
        ("pause", ""),
        ("clear", ""),
    ]


def test_an_observer_cannot_touch_the_round_clock(rig: WebRig, played: Playing) -> None:
    olga = rig.login("olga")
    assert 'action="/round"' not in olga.get("/session").text
    csrf = re.search(r'name="csrf" content="([^"]+)"', olga.get("/session").text)
    assert csrf is not None
    data = {"csrf": csrf[1], "key": "0" * 26, "act": "set", "round": "1", "minutes": "5"}
    assert olga.post("/round", data=data).status_code == 403
    assert rig.running.desk.hall.clock is None


def test_the_public_page_needs_no_login_and_says_round_time_and_on_time_only(
    rig: WebRig, played: Playing
) -> None:
    rig.post("/session", "/round", {"act": "set", "round": "2", "minutes": "20"})
    stranger = rig.stranger()
    assert stranger.get("/public").status_code == 200
    assert "本轮时钟" in stranger.get("/public?lang=zh-CN").text
    state = stranger.get("/public/state").json()
    assert set(state) == {"at", "round", "ends", "left", "warnings", "delayed"}
    assert (state["round"], state["ends"], state["left"]) == (2, None, 20 * 60_000)
    assert state["delayed"] == {"7": True}
    assert "/live" not in stranger.get("/public").text


def test_all_of_it_is_there_again_after_a_restart(rig: WebRig, played: Playing) -> None:
    decide(rig, matter="late", verdict="nothing", reason="agreed before")
    rig.post("/session", "/round", {"act": "set", "round": "2", "minutes": "20"})
    hall = rig.running.desk.hall
    again = load(rig.running.console.reader, rig.keys)
    assert again.clock == hall.clock
    assert again.plans == hall.plans
    assert again.time_rulings == hall.time_rulings
    assert again.times == hall.times


def test_a_journal_of_the_version_before_is_brought_up_to_date(tmp_path: Path) -> None:
    schema = files("director_console.store").joinpath("schema.sql").read_text(encoding="utf-8")
    with sqlite3.connect(tmp_path / FILE) as old:
        old.executescript(schema)
        old.execute("INSERT INTO meta VALUES ('version', '1')")
        old.execute("INSERT INTO shifts VALUES (1, 'anna', 'start', '', '', 5)")
    old.close()
    book = open_book(tmp_path)
    assert book.meta("version") == VERSION
    assert book.db.execute("SELECT count(*) FROM time_rulings").fetchone() == (0,)
    assert book.db.execute("SELECT user FROM shifts").fetchone() == ("anna",)
    book.close()
    open_book(tmp_path).close()


def test_the_command_line_says_the_same_of_the_time(rig: WebRig, played: Playing) -> None:
    decide(rig, matter="late", verdict="nothing", reason="agreed before")
    run = CliRunner().invoke(app, ["times", "--data", str(rig.directory), "--json"])
    assert run.exit_code == 0, run.output
    seven, nine = (json.loads(line) for line in run.output.splitlines())
    standing = standing_of(rig.running.desk.hall, "7", rig.now())
    assert seven["columns_ms"]["ns"] == standing.columns.ns > 0
    assert [pair["allowed"] for pair in seven["pairs"]] == [6 * 210_000] * 2
    assert seven["indications"][0]["lines"][0] == "1 VP"
    assert seven["decisions"][0]["reason"] == "agreed before"
    assert (nine["session"], nine["late_ms"], nine["pairs"]) == (None, None, [])
    table = CliRunner().invoke(app, ["times", "--data", str(rig.directory)])
    assert "6/8" in table.output
    assert CliRunner().invoke(app, ["times", "--data", str(rig.directory / "nowhere")]).exit_code == 2
