"""The bench's paths: what they answer, what they refuse, and in how many words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from hw_sim.bench import contract as c
from hw_sim.bench.contract import Hello, NearFrame, Shape
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.plan import MISDEEDS
from tests.bench.rig import BenchRig

POSTS = ("/api/deed", "/api/control", "/api/misdeed", "/api/plug", "/api/scn", "/api/retell", "/half/NE/deed")


@pytest.fixture(autouse=True)
def table(rig: BenchRig) -> Iterator[None]:
    rig.control(do="stop")
    yield
    assert rig.frame.state == "ready"


def test_the_first_message_holds_everything_and_the_next_what_has_changed(rig: BenchRig) -> None:
    with rig.client.websocket_connect("/ws") as socket:
        hello = Hello.model_validate_json(socket.receive_text())
        assert hello.session.state == "ready"
        assert hello.levels["tray.ne"] is True
        rig.do("E calls the director")
        kinds: set[str] = set()
        while kinds != {"table", "inside", "log", "session"}:
            kinds.add(str(socket.receive_json()["type"]))


def test_a_half_view_gets_a_frame_at_every_tick(rig: BenchRig) -> None:
    with rig.client.websocket_connect("/half/SW/ws") as socket:
        frames = [NearFrame.model_validate_json(socket.receive_text()) for _ in range(3)]
    assert [frame.tick for frame in frames] == [0, 1, 2]
    assert {frame.face for frame in frames} == {"SW"}
    assert set(frames[0].seats) == {"S", "W"}


def test_there_is_everything_to_choose(rig: BenchRig) -> None:
    choices = c.Choices.model_validate_json(rig.client.get("/api/choices").text)
    assert {one.name for one in choices.misdeeds} == {*MISDEEDS, *HARDWARE_MISDEEDS}
    assert len(choices.calls) == 38
    assert {"fast", "slow", "hesitant", "careless"} <= set(choices.styles)
    assert {"watch", "guard", "full"} <= set(choices.tables)
    assert set(choices.rigs) == {"wire", "gpio"}
    assert len(choices.lessons) == 18
    assert choices.records
    assert choices.scenarios
    assert "tray.ne" in choices.signals


def test_the_diagram_is_the_controllers_own(rig: BenchRig) -> None:
    diagram = c.Diagram.model_validate_json(rig.client.get("/api/diagram?regulations=acbl").text)
    assert {"setup", "closing", "auction.ne", "auction.sw", "lead.awaiting", "play"} <= set(diagram.phases)
    moves = {(move.source, move.trigger, move.dest) for move in diagram.moves}
    assert ("auction.ne", "tray_on_sw", "auction.sw") in moves
    assert {move.source for move in diagram.moves} | {move.dest for move in diagram.moves} == set(
        diagram.phases
    )


def test_a_deed_by_hand_is_answered_when_it_is_done(rig: BenchRig) -> None:
    here = rig.session.table.body.tray_at
    assert here is not None
    assert rig.post("/api/deed", {"line": f"tray to {here.other}"}) == {"done": True}
    assert rig.session.table.body.tray_at is here.other


def test_the_past_is_as_it_was(rig: BenchRig) -> None:
    before = rig.bench.bulletin.table
    assert before is not None
    rig.do("N sits down as n7")
    past = c.Past.model_validate_json(rig.client.get(f"/api/past?ms={before.ms}").text)
    assert past.table == before
    assert rig.client.get("/api/past?ms=x").status_code == 400


@pytest.mark.parametrize(
    ("path", "order", "status", "words"),
    [
        ("/api/deed", {"line": "N laughs"}, 400, "is no deed of N"),
        ("/api/deed", {"line": "N 8C"}, 400, "N"),
        ("/api/deed", {"line": ""}, 400, "line"),
        ("/api/deed", {"line": "W takes 1C back"}, 409, "W"),
        ("/api/deed", {"lines": "N 1C"}, 400, "line"),
        ("/api/control", {"do": "dance"}, 400, "dance"),
        ("/api/control", {"do": "speed", "speed": -1}, 400, "speed"),
        ("/api/control", {"do": "speed", "speed": "2"}, 400, "speed"),
        ("/api/control", {"do": "step"}, 409, "nobody plays"),
        ("/api/control", {"do": "lesson", "lesson": "99"}, 400, "there is no lesson '99'"),
        ("/api/control", {"do": "scenario", "scenario": "none"}, 400, "there is no scenario"),
        ("/api/control", {"do": "record", "record": "none.pbn"}, 400, "there is no record"),
        (
            "/api/control",
            {"do": "record", "record": "first-round.pbn", "style": "mad"},
            400,
            "no style 'mad'",
        ),
        ("/api/control", {"do": "setup", "regulations": "fifa"}, 400, "fifa"),
        ("/api/control", {"do": "setup", "table": "round"}, 400, "table"),
        ("/api/misdeed", {"name": "murder"}, 400, "there is no misdeed 'murder'"),
        ("/api/misdeed", {"name": "bounce", "options": {"signal": "moon"}}, 400, "there is no input 'moon'"),
        ("/api/misdeed", {"name": "bounce", "options": {"colour": "red"}}, 400, "bounce has no option"),
        ("/api/misdeed", {"name": "tray-early", "options": {"call": "x"}}, 400, "call is 'x'"),
        ("/api/misdeed", {"name": "tray-early", "options": {"call": "999"}}, 409, "at call 999"),
        ("/api/misdeed", {"name": "hands-out-early"}, 409, "under ccba-2006"),
        ("/api/plug", {"what": "kettle", "plugged": True}, 400, "what"),
        ("/api/plug", {"what": "console", "plugged": True}, 503, "without one"),
        ("/api/retell", {"regulations": "fifa"}, 400, "fifa"),
        ("/api/scn", {"text": "N 1C", "name": "x"}, 400, "x.scn"),
        ("/api/scn", {"text": "# Shows.\nboard 3\nN flies\n"}, 400, "is no deed of N"),
        ("/half/NE/deed", {"line": "S 1C"}, 409, "does not sit on this face"),
        ("/half/NE/deed", {"line": "N flies"}, 400, "is no deed of N"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    path: str, order: dict[str, object], status: int, words: str, rig: BenchRig
) -> None:
    number = rig.frame.number
    answer = rig.client.post(path, json=order)
    problem = c.Problem.model_validate_json(answer.text)
    assert answer.status_code == status, problem
    assert words in problem.text
    assert problem.reason is not None, "a page cannot say it in its own language"
    assert "\n" not in problem.text
    assert "Traceback" not in problem.text
    assert rig.frame.number == number, "what stood was ended for nothing"


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"do": "play", "line": "N 1C"}', '"' * 50])
def test_anything_that_is_no_order_is_one_sentence(path: str, text: str, rig: BenchRig) -> None:
    answer = rig.client.post(path, content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert c.Problem.model_validate_json(answer.text).reason is not None


def test_what_the_table_refused_is_told_with_the_tables_own_reason(rig: BenchRig) -> None:
    problem = c.Problem.model_validate(rig.refused("/api/deed", {"line": "director resumes"}))
    assert problem.text == "the table refused: no hold is in force at this table"
    assert problem.reason is not None
    assert problem.reason.code == "table-refused"
    assert (problem.reason.params["reason"], problem.reason.params["slots"]) == ("no_hold", {})
    again = c.Problem.model_validate(rig.refused("/api/deed", {"line": "director resumes"}))
    assert again == problem, "the second time it is refused as the first"


# --- who may speak to it


def test_every_answer_carries_the_strict_policy(rig: BenchRig) -> None:
    for path in ("/", "/half/NE", "/api/choices", "/static/nothing.js", "/nothing"):
        policy = rig.client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"https?:", policy)


def test_another_hosts_name_is_refused(rig: BenchRig) -> None:
    """A name elsewhere may point here (rebinding): we answer to this machine's own names only."""
    answer = rig.client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 403
    assert c.Problem.model_validate_json(answer.text).code == "foreign"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"content-type": "text/plain"},
    ],
)
def test_another_origins_page_cannot_act(headers: dict[str, str], rig: BenchRig) -> None:
    sent = {"content-type": "application/json", **headers}
    assert rig.client.post("/api/deed", content='{"line": "N 1C"}', headers=sent).status_code == 403


@pytest.mark.parametrize("path", ["/ws", "/half/NE/ws"])
def test_another_origins_page_cannot_listen(path: str, rig: BenchRig) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        rig.client.websocket_connect(path, headers={"origin": "http://evil.example"}) as socket,
    ):
        socket.receive_text()


def test_a_body_that_is_too_large_is_not_read(rig: BenchRig) -> None:
    answer = rig.client.post("/api/scn", json={"text": "x" * 300_000})
    assert answer.status_code == 403


def test_the_test_client_is_no_way_around(rig: BenchRig) -> None:
    stranger = TestClient(rig.client.app, base_url="http://192.168.1.7")
    assert stranger.get("/api/choices").status_code == 403


# --- the shapes themselves


def shapes() -> list[type[Shape]]:
    return [value for value in vars(c).values() if isinstance(value, type) and issubclass(value, Shape)]


def test_every_shape_refuses_an_unknown_key_and_says_what_it_is() -> None:
    assert len(shapes()) > 50
    for shape in shapes():
        assert shape.model_config.get("extra") == "forbid", shape
        assert shape.model_config.get("strict") is True, shape
        assert shape.model_config.get("frozen") is True, shape


def test_the_contract_names_every_path_there_is(rig: BenchRig) -> None:
    app = rig.client.app
    assert isinstance(app, Starlette)
    paths = {getattr(route, "path", "") for route in app.routes}
    said = c.__doc__ or ""
    for path in paths - {"", "/static"}:
        named = path.replace("{face}", "NE").replace("{lang}", "en")
        assert f"`{named}`" in said or f"`{named}`," in said or named in said, path
