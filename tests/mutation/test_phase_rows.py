"""Every row of the table of phases led somewhere else in turn: some journey must go another way.

That no row can be deleted is shown beside the table (tests/screen/test_phase.py); here is written where each
journey goes, phase by phase. Where a journey ends would not be enough: the core advances by level, and finds
its way back from many a wrong step.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.regulations.load import load
from table_controller.regulations.strategies import OpensOn
from table_controller.screen import effects
from table_controller.screen.phase import PhaseError, PhaseMachine, Row, rows_for
from table_controller.screen.phases import Phase
from tests.screen.driving import Driver
from tests.screen.test_phase import JOURNEYS, PROFILE_OF

NEXT = "setup closing auction.ne"
END = "closing auction.ne auction.sw lead.awaiting"
LED = f"{END} lead.down"

BEFORE_A_LEAD = {
    "a whole board from the other face": "closing auction.sw auction.ne lead.awaiting",
    "put down and lifted again": "closing setup closing",
    "lifted with the window closed": f"closing auction.ne {NEXT}",
    "the window reopens": "closing auction.ne closing",
    "passed out": "closing auction.ne auction.sw complete setup",
    "abandoned in the auction": f"closing auction.ne complete {NEXT}",
    "abandoned before a lead": f"{END} complete {NEXT}",
    "passed out by correction": f"{END} complete",
    "dummy spread early": f"{END} play",
}
OPENS_ON_A_LEAD = {
    **BEFORE_A_LEAD,
    "a whole board": f"{LED} opening clarification play complete setup closing",
    "the lead lifted at once": f"{LED} lead.awaiting",
    "the lead lifted while the window opens": f"{LED} opening lead.awaiting",
    "the lead lifted in clarification": f"{LED} opening clarification lead.awaiting",
    "dummy spread before the window is open": f"{LED} opening play",
    "dummy spread in clarification": f"{LED} opening clarification play",
    "the next board while the window opens": f"{LED} opening complete {NEXT}",
    "the next board in clarification": f"{LED} opening clarification complete setup closing",
    "the board is back": f"{LED} opening clarification play complete play",
    "another's lead by correction": f"{LED} opening lead.awaiting",
}
OPENS_ON_A_FACED_LEAD = {
    **BEFORE_A_LEAD,
    "a whole board": f"{LED} clarification opening play complete setup closing",
    "the lead lifted at once": f"{LED} clarification lead.awaiting",
    "the lead lifted while the window opens": f"{LED} clarification opening",
    "the lead lifted in clarification": f"{LED} clarification lead.awaiting",
    "dummy spread before the window is open": f"{LED} clarification opening play",
    "dummy spread in clarification": f"{LED} clarification play",
    "the next board while the window opens": f"{LED} clarification opening complete {NEXT}",
    "the next board in clarification": f"{LED} clarification complete {NEXT}",
    "the board is back": f"{LED} clarification opening play complete play",
    "another's lead by correction": f"{LED} clarification opening lead.awaiting",
}
WAYS = {
    OpensOn.LEAD_PLACED: OPENS_ON_A_LEAD,
    OpensOn.LEAD_ANNOUNCED: OPENS_ON_A_LEAD,
    OpensOn.LEAD_FACED: OPENS_ON_A_FACED_LEAD,
}
ROWS = [(opens_on, row) for opens_on in OpensOn for row in rows_for(opens_on)]


def way(name: str, opens_on: OpensOn, machine: PhaseMachine) -> str:
    """The phases the journey goes through; the board stays on the tray for the play, so it can come back."""
    regulations = replace(load(PROFILE_OF[opens_on]), board=load("ccba-2006").board)
    driver = Driver(regulations, machine=machine)
    try:
        JOURNEYS[name](driver)
    except (PhaseError, AssertionError) as error:
        return type(error).__name__
    return " ".join(moved.dest for moved in driver.did(effects.Moved))


def journey_that_notices(opens_on: OpensOn, row: Row, dest: Phase) -> str | None:
    rows = [replace(one, dest=dest) if one is row else one for one in rows_for(opens_on)]
    machine = PhaseMachine(rows)
    passing = sorted(WAYS[opens_on], key=lambda name: row.dest not in WAYS[opens_on][name].split())
    return next((name for name in passing if way(name, opens_on, machine) != WAYS[opens_on][name]), None)


@pytest.mark.parametrize("opens_on", OpensOn)
def test_each_journey_goes_its_way(opens_on: OpensOn) -> None:
    machine = PhaseMachine(rows_for(opens_on))
    assert {name: way(name, opens_on, machine) for name in JOURNEYS} == WAYS[opens_on]


@pytest.mark.parametrize("place", range(len(ROWS)))
def test_no_row_can_lead_elsewhere(place: int) -> None:
    """One other phase a row, each row's own."""
    opens_on, row = ROWS[place]
    others = [phase for phase in Phase if phase is not row.dest]
    assert journey_that_notices(opens_on, row, others[place % len(others)]) is not None


@pytest.mark.long
@pytest.mark.parametrize("place", range(len(ROWS)))
def test_no_row_can_lead_anywhere_else(place: int) -> None:
    opens_on, row = ROWS[place]
    unseen = [
        phase
        for phase in Phase
        if phase is not row.dest and journey_that_notices(opens_on, row, phase) is None
    ]
    assert not unseen
