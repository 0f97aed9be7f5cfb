"""Every misdeed by its name, with its parameters: the journal shows what the name says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hw_sim.bench.record_script import RecordPlay
from hw_sim.misdeeds.hardware import HARDWARE_MISDEEDS
from hw_sim.misdeeds.plan import MISDEEDS
from hw_sim.scenario.core import play_on_core
from hw_sim.scenario.parse import parse_scenario
from tests.bench.rig import BenchRig

pytestmark = pytest.mark.live

QUICK_SPEED = 30.0
BOARD_S = 120.0
NOTICED_S = 40.0


# --- of the players


def do_players(name: str, rig: BenchRig, options: dict[str, str] | None = None) -> list[str]:
    """Done once on a board that comes to its end; the kinds that must be reported for it."""
    rig.fresh(regulations="dbf" if name == "hands-out-early" else "ccba-2006")
    rig.control(do="speed", speed=QUICK_SPEED)
    rig.control(do="director", who="scripted")
    rig.post("/api/misdeed", {"name": name, "options": options or {}})
    rig.until_ended(BOARD_S)
    play = rig.session.play
    assert isinstance(play, RecordPlay)
    (account,) = play.ledger.boards
    assert account.finished, rig.frame.said
    assert len(account.misdeeds) == 1
    return sorted(account.kinds)


def test_a_misdeed_of_the_players_is_reported_as_what_it_is(rig: BenchRig) -> None:
    assert do_players("insufficient-bid", rig) == ["INSUFFICIENT_BID"]
    assert rig.kinds() == ["INSUFFICIENT_BID"]


@pytest.mark.long
@pytest.mark.parametrize("name", MISDEEDS)
def test_every_misdeed_of_the_players_is_reported_and_kept_as_what_it_is(
    name: str, rig: BenchRig, tmp_path: Path
) -> None:
    expected = do_players(name, rig)
    assert expected, "a misdeed that need not be reported proves nothing"
    assert rig.kinds() == expected
    text = rig.client.get("/api/scn", params={"title": f"{name} at the bench"}).text
    assert play_on_core(parse_scenario(text, tmp_path / "kept.scn")).failures == (), text


@pytest.mark.long
def test_its_parameter_says_at_which_call(rig: BenchRig) -> None:
    do_players("tray-early", rig, {"call": "4"})
    events = [row["body"]["value"] for row in rig.rows() if row["body"].get("what") == "event"]
    names = [event["event"] for event in events if event["event"] in ("CallMade", "TrayLeft")]
    made = names[: names.index("TrayLeft", names.index("CallMade"))].count("CallMade")
    entries = [row["body"]["entry"] for row in rig.rows() if row["body"].get("change") == "new"]
    early = next(entry for entry in entries if entry["kinds"] == ["TRAY_CROSSED_EARLY"])
    before = [event for event in events if event["event"] == "CallMade" and event["at"] < early["at"]]
    assert made >= 1
    assert len(before) == 3, "three calls were made, and the fourth was owed"


# --- of the hardware

CLEAN = (
    "bounce",
    "glitch",
    "emi",
    "double-trip",
    "noise",
    "lose",
    "drop",
    "duplicate",
    "split",
    "clock-drift",
)
"""Below what a player or director may ever hear of: the deeds are recorded once each, and nothing else."""
ON = {"bounce": "tray.ne", "glitch": "tray.ne", "double-trip": "tray.ne"}
FAULTS = {
    "float": ("SENSOR_SUSPECT", {"signal": "lead.e.present"}),
    "storm": ("SENSOR_SUSPECT", {"signal": "lead.e.present"}),
    "stuck": ("SENSOR_CONFLICT", {"signal": "tray.sw"}),
    "jam": ("WINDOW_JAMMED", {}),
    "obstruct": ("WINDOW_OBSTRUCTED", {}),
    "both-limits": ("SENSOR_CONFLICT", {}),
    "lost-edge": ("EDGE_INFERRED", {"signal": "tray.ne"}),
    "reset": ("DEVICE_RESET", {"cause": "watchdog"}),
    "unplug": ("LINK_LOST", {"ms": "3000"}),
    "mute": ("LINK_LOST", {"ms": "4000"}),
    "wall-step": ("CLOCK_STEPPED", {}),
}
OTHERS = {"garbage", "host-stall", "second-opener", "moved-by-hand"}


def begin(rig: BenchRig) -> None:
    """In the middle of an auction, with nobody to rule."""
    rig.fresh()
    rig.control(do="director", who="you")
    rig.do("N places board 1", "window closed", "N 1C")


def raised(rig: BenchRig, kind: str) -> None:
    rig.until(
        lambda session: any(fault.kind == kind for fault in session.table.seen.faults.values()),
        f"no fault {kind} was reported",
        NOTICED_S,
    )
    assert ("raised", kind) in rig.faults()


def test_every_misdeed_of_the_hardware_is_tested() -> None:
    assert {*CLEAN, *FAULTS, *OTHERS} == set(HARDWARE_MISDEEDS)


def test_a_stuck_switch_is_a_fault_and_a_glitch_is_nothing(rig: BenchRig) -> None:
    begin(rig)
    rig.post("/api/misdeed", {"name": "glitch", "options": {"signal": "tray.ne", "ms": "4"}})
    rig.quiet()
    assert rig.kinds() == []
    rig.post("/api/misdeed", {"name": "stuck", "options": {"signal": "tray.sw"}})
    raised(rig, "SENSOR_CONFLICT")
    assert rig.kinds() == []


@pytest.mark.long
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_of_the_hardware_is_reported_as_what_it_is(name: str, rig: BenchRig) -> None:
    kind, options = FAULTS[name]
    begin(rig)
    rig.post("/api/misdeed", {"name": name, "options": options})
    if name == "jam":  # seen only where the window moves
        rig.bench.deed("director opens the window")
    if name == "lost-edge":  # seen only where something changes, and found by the next heartbeat
        rig.do("E P", "tray to SW")
        assert rig.kinds() == []
    raised(rig, kind)


@pytest.mark.long
@pytest.mark.parametrize("name", CLEAN)
def test_what_happens_below_is_not_heard_of_above(name: str, rig: BenchRig) -> None:
    begin(rig)
    options = {"signal": ON[name]} if name in ON else {}
    before = rig.session.inside.last
    rig.post("/api/misdeed", {"name": name, "options": options})
    rig.do("E P", "tray to SW", "S 1H", "W P", "tray to NE", "N P")
    rig.quiet()
    assert rig.session.inside.last > before
    assert rig.kinds() == []
    assert {kind for _, kind in rig.faults()} <= {"LINK_LOST"}
    events = [row["body"]["value"] for row in rig.rows() if row["body"].get("what") == "event"]
    made = [f"{event['seat']} {event['call']}" for event in events if event["event"] == "CallMade"]
    assert made == ["N 1C", "E P", "S 1H", "W P", "N P"]
    left = [event["side"] for event in events if event["event"] == "TrayLeft"]
    assert left == ["NE", "SW"]


@pytest.mark.long
def test_a_window_moved_by_hand_is_reported(rig: BenchRig) -> None:
    begin(rig)
    rig.post("/api/misdeed", {"name": "moved-by-hand"})
    rig.until(lambda session: bool(session.reported), "nothing was reported", NOTICED_S)
    assert rig.kinds() == ["WINDOW_OPENED_IN_AUCTION"]


@pytest.mark.long
def test_a_second_opener_is_refused_and_the_table_goes_on(rig: BenchRig) -> None:
    begin(rig)
    rig.post("/api/misdeed", {"name": "second-opener"})
    rig.until(lambda session: bool(session.said), "nobody said what came of it", NOTICED_S)
    rig.do("E P")
    rig.quiet()
    assert rig.kinds() == []
    assert rig.frame.plugs.controller


@pytest.mark.long
@pytest.mark.parametrize("name", ["garbage", "host-stall"])
def test_what_it_gets_over_by_itself(name: str, rig: BenchRig) -> None:
    """Afterwards the same auction goes on, and nothing is told twice."""
    begin(rig)
    rig.post("/api/misdeed", {"name": name, "options": {"ms": "4000"} if name == "host-stall" else {}})
    rig.until(past(rig, 6_000), "time stands still", NOTICED_S)
    rig.do("E P", "tray to SW", "S P")
    rig.quiet()
    calls = rig.session.table.seen.view
    assert calls is not None
    assert [f"{shown.seat} {shown.call}" for shown in calls.calls] == ["N 1C", "E P", "S P"]
    assert rig.kinds() == []


def past(rig: BenchRig, ms: int) -> Callable[[object], bool]:
    until = rig.session.now_ms + ms
    return lambda session: rig.bench.session.now_ms > until
