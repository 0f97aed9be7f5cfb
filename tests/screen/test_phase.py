"""The table of phases: literal, whole, without conditions, and every row of it needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.laws.seat import Seat
from table_controller.regulations.load import load
from table_controller.regulations.strategies import OpensOn
from table_controller.screen import diagram, effects, events as ev
from table_controller.screen.phase import PhaseError, PhaseMachine, Row, Trigger, machine_for, rows_for
from table_controller.screen.phases import Phase
from tests.screen.driving import Driver, bid

PROFILE_OF = {
    OpensOn.LEAD_PLACED: "ccba-2006",
    OpensOn.LEAD_ANNOUNCED: "acbl",
    OpensOn.LEAD_FACED: "ebl-2016",
}


def led(driver: Driver) -> Driver:
    """The lead is laid by the presumed leader and announced; nobody has faced it."""
    leader = driver.contract().table.view().leader
    assert leader is not None
    driver.lead(leader.value)
    return driver.send(ev.LeadAnnounced, seat=driver.table.rules.faces.screenmate(leader))


def opening(driver: Driver) -> Driver:
    led(driver)
    return driver if driver.phase == "opening" else driver.faces("E")


def clarification(driver: Driver) -> Driver:
    led(driver)
    return driver if driver.phase == "clarification" else driver.window_opens()


def whole(driver: Driver) -> object:
    opening(driver).window_opens().faces("E").send(ev.ClaimMade, seat=Seat.N)
    return driver.lift().board(2)


JOURNEYS: dict[str, Callable[[Driver], object]] = {
    "a whole board": whole,
    "a whole board from the other face": lambda d: d.ready(3).auction("1NT P P P").crosses(),
    "put down and lifted again": lambda d: d.board(1).lift().board(2),
    "lifted with the window closed": lambda d: d.ready(1).lift().board(2),
    "the window reopens": lambda d: d.ready(1).window("between"),
    "passed out": lambda d: d.ready(1).auction("P P P P").crosses().lift(),
    "abandoned in the auction": lambda d: d.ready(1).call("N", "1C").lift().board(2),
    "abandoned before a lead": lambda d: d.contract().lift().board(2),
    "passed out by correction": lambda d: d.contract().correct(ev.CorrectedContract(bid=None)),
    "the lead lifted at once": lambda d: d.ready(1).auction("1NT P P P").lead("E").lead_up("E"),
    "the lead lifted while the window opens": lambda d: opening(d).lead_up("E").lead_up("E"),
    "the lead lifted in clarification": lambda d: clarification(d).lead_up("E"),
    "dummy spread early": lambda d: d.contract().send(ev.DummySpread),
    "dummy spread before the window is open": lambda d: opening(d).send(ev.DummySpread),
    "dummy spread in clarification": lambda d: clarification(d).send(ev.DummySpread),
    "the next board while the window opens": lambda d: _next_comes(opening(d)),
    "the next board in clarification": lambda d: _next_comes(clarification(d)),
    "the board is back": lambda d: opening(d).window_opens().faces("E").lift().board(1),
    "another's lead by correction": lambda d: opening(d).correct(ev.CorrectedLeader(seat=Seat.W)),
}


def _next_comes(driver: Driver) -> Driver:
    """The play went unseen: the board leaves, and another is put down."""
    return driver.lift().board(2)


def first_to_fail(machine: PhaseMachine, opens_on: OpensOn) -> str | None:
    """The first journey that notices that the machine lacks something.

    The board stays on the tray for the play under every variant, so that it can come back.
    """
    regulations = replace(load(PROFILE_OF[opens_on]), board=load("ccba-2006").board)
    for name, drive in JOURNEYS.items():
        try:
            drive(Driver(regulations, machine=machine))
        except PhaseError:
            return name
    return None


@pytest.mark.parametrize("opens_on", OpensOn)
def test_the_whole_table_carries_every_journey(opens_on: OpensOn) -> None:
    assert first_to_fail(PhaseMachine(rows_for(opens_on)), opens_on) is None


@pytest.mark.parametrize(
    ("opens_on", "row"),
    [
        pytest.param(opens_on, row, id=f"{opens_on}: {row.source} {row.trigger}")
        for opens_on in OpensOn
        for row in rows_for(opens_on)
    ],
)
def test_no_row_can_be_deleted(opens_on: OpensOn, row: Row) -> None:
    rows = [one for one in rows_for(opens_on) if one is not row]
    assert first_to_fail(PhaseMachine(rows), opens_on) is not None


@pytest.mark.parametrize("opens_on", OpensOn)
def test_the_machine_has_the_triggers_of_its_rows_and_no_others(opens_on: OpensOn) -> None:
    """`may_trigger` of a misspelt trigger is silently False, so the names are pinned here."""
    assert machine_for(opens_on).triggers() == {row.trigger.value for row in rows_for(opens_on)}


def test_every_trigger_is_an_event_of_some_machine() -> None:
    known = set[str]().union(*(machine_for(opens_on).triggers() for opens_on in OpensOn))
    assert known == {trigger.value for trigger in Trigger}


@pytest.mark.parametrize("opens_on", OpensOn)
def test_the_machine_knows_exactly_the_rows(opens_on: OpensOn) -> None:
    machine = machine_for(opens_on)
    declared = sorted((str(row.source), row.trigger.value, row.dest.value) for row in machine.rows)
    assert sorted(machine.edges()) == declared


def test_a_step_with_no_row_is_our_error() -> None:
    machine = machine_for(OpensOn.LEAD_PLACED)
    with pytest.raises(PhaseError, match="play_over is due in setup"):
        machine.fire(Phase.SETUP, Trigger.PLAY_OVER)
    with pytest.raises(PhaseError, match="clarification_begins"):
        machine.fire(Phase.LEAD_DOWN, Trigger.CLARIFICATION_BEGINS)


@pytest.mark.parametrize("opens_on", OpensOn)
def test_every_phase_has_an_exit_and_is_reached(opens_on: OpensOn) -> None:
    edges = machine_for(opens_on).edges()
    for phase in Phase:
        parent = phase.value.partition(".")[0]
        assert any(source in (phase.value, parent) for source, _, _ in edges), f"{phase} has no exit"
        assert any(dest == phase.value for _, _, dest in edges), f"{phase} is never reached"


@pytest.mark.parametrize("profile", ["ccba-2006", "acbl", "ebl-2016"])
def test_the_moves_told_are_steps_of_the_machine(profile: str) -> None:
    driver = Driver(profile)
    whole(driver)
    edges = set(machine_for(load(profile).window.opens_on.value).edges())
    phase = "setup"
    for moved in driver.did(effects.Moved):
        assert moved.source == phase
        parent = moved.source.partition(".")[0]
        assert {(moved.source, moved.trigger, moved.dest), (parent, moved.trigger, moved.dest)} & edges
        phase = moved.dest
    assert phase == driver.phase


def test_a_correction_is_told_as_no_step_of_the_machine() -> None:
    driver = Driver().contract().correct(ev.CorrectedContract(bid=bid("3NT"), declarer=Seat.S))
    driver.correct(ev.CorrectedPhase(phase="play"))
    moved = driver.now(effects.Moved)[0]
    assert (moved.by_correction, moved.source, moved.dest) == (True, "lead.awaiting", "play")


def test_the_diagrams_in_the_docs_are_fresh() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "generated"
    stale = [
        name
        for name, text in diagram.pages().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run python -m table_controller.screen.diagram --write docs/generated"


@pytest.mark.parametrize("opens_on", OpensOn)
def test_the_diagram_draws_every_row(opens_on: OpensOn) -> None:
    text = diagram.draw(machine_for(opens_on))
    for row in rows_for(opens_on):
        source, dest = (str(one).replace(".", "_") for one in (row.source, row.dest))
        assert f"    {source} --> {dest}: {row.trigger}\n" in text
