"""The bench plays by itself: a record in a style, pause, step, back in time, other rules; and its plugs."""

from __future__ import annotations

import signal
import time

import pytest

from hw_sim.bench.contract import Reason
from hw_sim.bench.session import Session
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from tests.bench.rig import BenchRig, bench

pytestmark = pytest.mark.live

RECORD = {"do": "record", "record": "first-round.pbn", "board": 0, "speed": 20.0}


def deeds(rig: BenchRig) -> list[str]:
    return [deed.text for deed in rig.session.log.deeds]


def calls(session: Session) -> list[str]:
    view = session.table.seen.view
    return [] if view is None else [str(shown.call) for shown in view.calls]


def test_players_play_pause_step_and_go_back(rig: BenchRig) -> None:
    rig.fresh()
    rig.control(**RECORD, style="fast")
    rig.until(lambda session: len(session.log.deeds) >= 8, "nobody plays")
    rig.control(do="pause")
    count = len(deeds(rig))
    rig.quiet()
    assert len(deeds(rig)) <= count + 1, "a window or tray may still come to its end"
    count = len(deeds(rig))
    rig.control(do="step")
    rig.until(lambda session: session.stage.pace.paused and session.stage.pace.step_to is None, "no step")
    assert len(deeds(rig)) == count + 1

    before, number = deeds(rig), rig.frame.number
    ms = (rig.session.log.deeds[5].at - rig.session.began) // 1_000_000
    rig.control(do="back", ms=ms)
    rig.until(lambda session: session.stage.pace.paused, "it did not come back to that moment")
    assert rig.frame.number == number + 1
    assert deeds(rig)[:6] == before[:6]
    assert len(deeds(rig)) <= 8
    rig.control(do="play")
    rig.until(lambda session: len(session.log.deeds) >= len(before), "it does not go on from there")
    assert deeds(rig)[: len(before)] == before


@pytest.mark.long
def test_back_by_hand_does_again_what_was_done_until_then(rig: BenchRig) -> None:
    rig.fresh()
    rig.do("N places board 1", "window closed", "N 1C", "E P", "tray to SW", "S P")
    until = rig.session.log.deeds[3].at
    rig.control(do="back", ms=(until - rig.session.began) // 1_000_000 + 5)
    rig.until(lambda session: session.play is None and not session.stage.playing, "it is not done again")
    assert deeds(rig) == ["N places board 1", "window closed", "N 1C", "E P"]
    assert rig.frame.playing.what == "hand"
    rig.do("tray to SW", "S X")
    assert deeds(rig)[-1] == "S X"


def test_the_same_evening_under_another_profile_with_what_differs(rig: BenchRig) -> None:
    """Under ccba-2006 the lead opens the window, under the European rules its facing does."""
    rig.fresh(regulations="ccba-2006")
    rig.control(do="director", who="you")
    rig.do("N places board 1", "window closed", "N 1C", "E P", "tray to SW", "S P", "W P", "tray to NE")
    rig.do("E leads face down", "window open", "E faces the lead")
    rig.quiet()
    told = rig.post("/api/retell", {"regulations": "ebl-2016"})
    assert told["regulations"] == "ebl-2016"
    opened = [one for one in told["other_moments"] if one["order"] == "OpenWindow"]
    assert len(opened) == 1
    assert opened[0]["live"] < opened[0]["retold"]
    assert told["differences"]
    assert all(one["item"] for one in told["differences"])
    same = rig.post("/api/retell", {"regulations": "ccba-2006"})
    assert same["same"] is True


def test_each_plug_is_pulled_and_put_back(rig: BenchRig) -> None:
    rig.fresh()
    rig.do("N places board 1", "window closed", "N 1C")
    said = {"controller": "the controller is down", "broker": "the broker is out"}
    for what in ("cable", "controller", "broker"):
        rig.post("/api/plug", {"what": what, "plugged": False})
        assert getattr(rig.frame.plugs, what) is False
        if what in said:
            assert said[what] in rig.refused("/api/deed", {"line": "director holds"})["text"]
        rig.post("/api/plug", {"what": what, "plugged": True})
        assert getattr(rig.frame.plugs, what) is True
    rig.do("E P")
    rig.until(lambda session: calls(session) == ["1C", "P"], "the call after all of it is not reported")
    assert rig.kinds() == []
    saved = rig.client.get("/api/scn").text
    assert "cable pulled" in saved
    assert "controller returns" in saved
    assert "# The broker was pulled" in saved


@pytest.mark.long
@pytest.mark.parametrize("style", ["steady", "fast", "slow", "hesitant", "careless"])
def test_every_style_comes_to_the_end_of_a_board(style: str, rig: BenchRig) -> None:
    rig.fresh()
    rig.control(do="director", who="scripted")
    rig.control(**{**RECORD, "speed": 60.0}, style=style)
    rig.until(lambda session: bool(session.table.seen.boards), "no board was recorded", 200.0)
    assert rig.session.table.seen.boards[0].outcome == "completed"
    assert (rig.kinds() != []) is (style == "careless")


@pytest.mark.long
@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("kind", TableKind)
def test_every_table_by_either_way_plays_a_board(
    kind: TableKind, way: Way, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with bench(tmp_path_factory.mktemp("bench"), kind=kind, way=way) as rig:
        rig.control(**RECORD, style="fast")
        rig.until(lambda session: bool(session.table.seen.boards), "no board was recorded", 200.0)
        assert rig.kinds() == []
        assert rig.frame.said == ""


@pytest.mark.long
def test_with_a_console_its_plug_is_pulled_and_nothing_is_lost(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with bench(tmp_path_factory.mktemp("bench"), console=True) as rig:
        assert rig.frame.login.startswith(rig.frame.console)
        rig.do("N places board 1", "window closed", "N 1C")
        rig.post("/api/plug", {"what": "console", "plugged": False})
        assert rig.frame.console == ""
        rig.do("tray to SW")
        rig.post("/api/plug", {"what": "console", "plugged": True})
        assert rig.frame.login
        rig.quiet()
        assert rig.kinds() == ["TRAY_CROSSED_EARLY"]


@pytest.mark.long
def test_a_controller_that_ends_by_itself_is_said_and_plugged_in_again(rig: BenchRig) -> None:
    rig.fresh()
    rig.do("N places board 1", "window closed", "N 1C")
    child = rig.session.table._child
    assert child is not None
    child.signal(signal.SIGKILL)
    rig.until(lambda session: not rig.frame.plugs.controller, "nobody noticed")
    assert "the controller ended" in rig.frame.said
    assert rig.frame.reason == Reason(code="controller-ended")
    rig.post("/api/plug", {"what": "controller", "plugged": True})
    rig.do("E P")
    rig.until(lambda session: calls(session) == ["1C", "P"], "it does not go on")


@pytest.mark.long
def test_an_error_of_ours_ends_a_table_and_not_the_bench(
    rig: BenchRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.fresh()

    def breaks(now: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(rig.session.stage, "turn", breaks)
    end = time.monotonic() + 20
    while rig.frame.state != "broken":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "ZeroDivisionError" in rig.frame.said
    assert rig.frame.reason is not None
    assert rig.frame.reason.code == "our-error-at-table"
    rig.fresh()
    rig.do("N places board 1", "window closed")
