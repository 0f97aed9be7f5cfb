"""From a case to the table and back: what a director sends is stored, sent, answered, and exactly once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_console.projection.case import Handling
from director_console.store.acts import command_of
from table_controller.messages.topics import Verb
from table_controller.screen.entry import Fact, FaultKind, Standing
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


def test_a_ruling_is_stored_sent_and_done_when_the_table_says_so(rig: WebRig, table: Playing) -> None:
    entry = table.entry()
    rig.hear(table.wired.entry(entry))
    page = case_path(table)
    answer = rig.post(page, f"{page}/rule", {"verdict": "accept", "text": "It stands."})
    assert (answer.status_code, answer.headers["location"]) == (303, page)
    rig.until(lambda: bool(rig.sent(Verb.RULING)))
    [body] = rig.sent(Verb.RULING)
    assert body["by"] == "anna"
    assert body["args"] == {
        "entries": [1],
        "verdict": "accept",
        "text": "It stands.",
        "seat": None,
        "turns": None,
    }
    rig.settle()
    html = rig.client.get(page).text
    assert "stored" in html
    assert "p-sent" in html
    ruled = replace(entry, standing=Standing.RULED, revision=1, closed_by="anna")
    rig.hear(table.wired.entry(ruled, "closed"), table.wired.result(str(body["id"]), "ruling", "done"))
    [case] = rig.running.desk.hall.cases.values()
    assert case.handling is Handling.RULED
    assert not case.waits
    assert "p-done" in rig.client.get(page).text


def test_a_refused_ruling_shows_why_and_the_case_still_waits(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    rig.post(page, f"{page}/rule", {"verdict": "cancel"})
    rig.until(lambda: bool(rig.sent(Verb.RULING)))
    reason = "There is no such call on the tray."
    rig.hear(table.wired.result(str(rig.sent(Verb.RULING)[0]["id"]), "ruling", "refused", reason))
    assert reason in rig.client.get(page).text
    [case] = rig.running.desk.hall.cases.values()
    assert case.waits


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Entry 1 has been ruled on already"), ("zh-CN", "第1条已经裁定")],
)
def test_a_tables_reason_is_said_in_the_viewers_language_also_after_a_restart(
    lang: str, said: str, rig: WebRig, table: Playing
) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    rig.post("/account", "/manner", {"lang": lang, "next": "/"})
    rig.post(page, f"{page}/rule", {"verdict": "cancel"})
    rig.until(lambda: bool(rig.sent(Verb.RULING)))
    command = str(rig.sent(Verb.RULING)[0]["id"])
    english = "entry 1 has been ruled on already"
    rig.hear(table.wired.result(command, "ruling", "refused", english, "entry_ruled", entry="1"))
    assert said in rig.client.get(page).text
    kept = command_of(rig.running.console.reader, command)
    assert kept is not None
    assert (kept.code, kept.slots) == ("entry_ruled", {"entry": "1"})


def test_what_a_newer_table_says_in_a_code_not_known_here_is_quoted(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    rig.post("/account", "/manner", {"lang": "zh-CN", "next": "/"})
    rig.post(page, f"{page}/rule", {"verdict": "cancel"})
    rig.until(lambda: bool(rig.sent(Verb.RULING)))
    command = str(rig.sent(Verb.RULING)[0]["id"])
    rig.hear(table.wired.result(command, "ruling", "refused", "the moon is full", "moon_full"))
    assert "（原文：the moon is full）" in rig.client.get(page).text


def test_the_same_form_twice_is_one_ruling(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    fields = {**rig.tokens(rig.client, page, f"{page}/rule"), "verdict": "other", "text": "Play on."}
    answers = [rig.client.post(f"{page}/rule", data=fields) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert rig.running.console.reader.execute("SELECT count(*) FROM rulings").fetchone() == (1,)
    changed = rig.client.post(f"{page}/rule", data={**fields, "text": "Something else."})
    assert changed.status_code == 409
    assert rig.running.console.reader.execute("SELECT count(*) FROM rulings").fetchone() == (1,)


def test_a_second_ruling_is_a_new_version(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    rig.post(page, f"{page}/rule", {"verdict": "cancel"})
    rig.post(page, f"{page}/rule", {"verdict": "other", "text": "On review: it stands."})
    rows = rig.running.console.reader.execute(
        "SELECT version, verdict FROM rulings ORDER BY version"
    ).fetchall()
    assert rows == [(1, "cancel"), (2, "other")]


def test_bad_input_is_one_sentence_at_the_field_and_nothing_is_lost(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.entry()))
    page = case_path(table)
    answer = rig.post(page, f"{page}/rule", {"verdict": "oblige", "text": "Must pass <b>once</b>."})
    assert answer.status_code == 422
    assert "Say which seat must pass." in answer.text
    assert "Must pass &lt;b&gt;once&lt;/b&gt;." in answer.text
    as_json = rig.post(page, f"{page}/rule", {"verdict": "oblige"}, accept="application/json")
    assert as_json.json()["errors"] == {"seat": "Say which seat must pass."}


CORRECTIONS = [
    ({"what": "call", "index": "0", "call": "2s"}, {"what": "call", "index": 0, "call": "2S"}),
    ({"what": "call", "index": "0", "call": ""}, {"what": "call", "index": 0, "call": None}),
    (
        {"what": "auction", "dealer": "S", "calls": "1♣ pass 1h X N:2c"},
        {"what": "auction", "calls": [["S", "1C"], ["W", "P"], ["N", "1H"], ["E", "X"], ["N", "2C"]]},
    ),
    (
        {"what": "board", "number": "12"},
        {"what": "board", "number": 12, "dealer": None, "vulnerability": None},
    ),
    (
        {"what": "contract", "bid": "4s", "doubled": "1", "declarer": "E"},
        {"what": "contract", "bid": "4S", "doubled": 1, "declarer": "E"},
    ),
    ({"what": "contract", "bid": ""}, {"what": "contract", "bid": None}),
    ({"what": "leader", "seat": "W"}, {"what": "leader", "seat": "W"}),
    ({"what": "phase", "phase": "auction.ne"}, {"what": "phase", "phase": "auction.ne"}),
]


@pytest.mark.parametrize(("typed", "sent"), CORRECTIONS, ids=lambda value: value["what"])
def test_what_the_table_believes_can_be_corrected(
    rig: WebRig, table: Playing, typed: dict[str, str], sent: dict[str, object]
) -> None:
    answer = rig.post("/tables/7", "/tables/7/correct", {**typed, "why": "misread"})
    assert answer.status_code == 303, answer.text
    rig.until(lambda: bool(rig.sent(Verb.CORRECT)))
    assert rig.sent(Verb.CORRECT)[0]["args"] == {"correction": sent, "why": "misread"}


WRONG = [
    ({"what": "call", "index": "99", "call": "1S"}, "index", "Choose one of the"),
    ({"what": "call", "index": "0", "call": "8S"}, "call", "is no call"),
    ({"what": "auction", "dealer": "S", "calls": "1C foo"}, "calls", "'foo' is no call"),
    ({"what": "contract", "bid": "4S"}, "declarer", "Fill this in."),
    ({"what": "contract", "bid": "X", "declarer": "N"}, "bid", "A bid from 1C to 7NT"),
    ({"what": "phase", "phase": "supper"}, "phase", "Choose one of"),
    ({"what": "board", "number": "twelve"}, "number", "A whole number"),
]


@pytest.mark.parametrize(("typed", "field", "sentence"), WRONG, ids=lambda value: str(value)[:30])
def test_a_wrong_correction_is_said_at_its_field(
    rig: WebRig, table: Playing, typed: dict[str, str], field: str, sentence: str
) -> None:
    answer = rig.post("/tables/7", "/tables/7/correct", typed, accept="application/json")
    assert answer.status_code == 422
    assert sentence in answer.json()["errors"][field]
    assert not rig.sent(Verb.CORRECT)


def test_orders_name_the_state_they_were_given_in_and_expire(rig: WebRig, table: Playing) -> None:
    for action, verb in (("tray-back", Verb.TRAY_BACK), ("resume", Verb.RESUME), ("hold", Verb.HOLD)):
        assert rig.post("/tables/7", f"/tables/7/{action}", {}).status_code == 303
        rig.until_sent(verb)
    form = {**rig.tokens(rig.client, "/tables/7", "/tables/7/window"), "to": "open"}
    assert rig.client.post("/tables/7/window", data=form).status_code == 303
    rig.until(lambda: bool(rig.sent(Verb.OPEN_WINDOW)))
    [body] = rig.sent(Verb.OPEN_WINDOW)
    assert body["expect_rev"] == table.wired.rev
    assert str(body["issued"]) < str(body["deadline"])
    assert rig.sent(Verb.HOLD)[0]["expect_rev"] is None


def test_a_summons_can_be_taken_marked_and_closed(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.entry(table.summons()))
    page = case_path(table)
    assert rig.running.desk.hall.waiting()[0].needs_acknowledgement
    fields = {**rig.tokens(rig.client, page, f"{page}/step"), "step": "take"}
    rig.client.post(f"{page}/step", data=fields)
    [case] = rig.running.desk.hall.waiting()
    assert (case.owner, case.handling, case.needs_acknowledgement) == ("anna", Handling.ASSIGNED, False)
    rig.until(lambda: bool(rig.sent(Verb.ACKNOWLEDGE)))
    rig.post(page, f"{page}/classify", {"subject": "tempo", "about": "E"})
    rig.until(lambda: bool(rig.sent(Verb.CLASSIFY)))
    assert rig.sent(Verb.CLASSIFY)[0]["args"] == {"entry": 1, "subject": "tempo", "about": "E"}
    fields = {**rig.tokens(rig.client, page, f"{page}/step"), "step": "close", "text": "No damage."}
    rig.client.post(f"{page}/step", data=fields)
    assert not rig.running.desk.hall.waiting()


@pytest.mark.parametrize("standing", [Standing.CORRECTED, Standing.HEALED])
def test_what_players_have_put_right_can_be_ruled_on_and_the_table_is_told(
    standing: Standing, rig: WebRig, table: Playing
) -> None:
    entry = table.entry()
    rig.hear(table.wired.entry(entry))
    rig.hear(table.wired.entry(replace(entry, standing=standing, revision=1), "amended"))
    [case] = rig.running.desk.hall.waiting()
    assert not case.urgent
    page = case_path(table)
    rig.post(page, f"{page}/rule", {"verdict": "other", "text": "Put right in time."})
    rig.until_sent(Verb.RULING)
    assert rig.sent(Verb.RULING)[0]["args"]["entries"] == [1]  # type: ignore[index]
    assert not rig.running.desk.hall.waiting()


def test_an_amended_ruling_is_a_new_version_for_the_record_alone(rig: WebRig, table: Playing) -> None:
    entry = table.entry()
    rig.hear(table.wired.entry(entry))
    rig.hear(table.wired.entry(replace(entry, standing=Standing.RULED, revision=1), "closed"))
    page = case_path(table)
    rig.post(page, f"{page}/rule", {"verdict": "other", "text": "Said more exactly."})
    rig.settle()
    assert not rig.sent(Verb.RULING)
    kept = rig.running.console.reader.execute("SELECT count(*), max(command) FROM rulings").fetchone()
    assert kept == (1, "")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ((("subject", "tempo"), ("about", "E")), "He is entitled to raise it."),
        (
            (("subject", "tempo"), ("about", "E"), ("TEMPO_RAISED_ON_SAME_FACE", "E")),
            "It was raised on the face where it happened.",
        ),
        ((("subject", "alert"),), ""),
    ],
    ids=["the receiving face", "the same face", "not about tempo"],
)
def test_a_summons_says_whether_he_is_the_one_to_raise_it_and_what_the_table_looked_like(
    rig: WebRig, table: Playing, facts: tuple[tuple[str, str], ...], said: str
) -> None:
    summons = table.summons()
    marked = replace(
        summons, facts=tuple(Fact(name=name, text=text, at=1) for name, text in facts), revision=1
    )
    rig.hear(table.wired.entry(summons), *table.step(), table.wired.entry(marked, "amended"))
    html = rig.client.get(case_path(table)).text
    assert "North called the director" in html
    assert "The table when it happened" in html
    for sentence in ("He is entitled to raise it.", "It was raised on the face where it happened."):
        assert (sentence in html) == (sentence == said)


def test_a_fault_only_for_the_log_rings_nowhere(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.fault(table.fault(FaultKind.BROKER_UNREACHABLE, "broker")))
    assert not rig.running.desk.hall.standing_alarms(rig.now())
    assert "st-fault" not in rig.client.get("/").text
    assert "The broker could not be reached" in rig.client.get("/tables/7").text


def test_a_table_in_a_hold_says_why_and_can_be_resumed_at_a_touch(rig: WebRig, table: Playing) -> None:
    rig.hear(table.wired.view(replace(table.view, holds=("entry:1", "director"))))
    html = rig.client.get("/tables/7").text
    assert "case 1, by the director" in html
    rig.post("/tables/7", "/tables/7/resume", {})
    rig.until(lambda: bool(rig.sent(Verb.RESUME)))
    assert rig.sent(Verb.RESUME)[0]["args"] == {"reasons": [], "why": ""}
