"""Alarms, clocks and the tempo chart, each alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from director_console.projection.alarm import AlarmState
from director_console.projection.clocks import Clocks
from director_console.projection.fold import fold
from director_console.projection.hall import Hall
from director_console.projection.inputs import (
    AlarmAct,
    AlarmSeen,
    AlarmStepped,
)
from director_console.projection.tempo import chart_of
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.entry import (
    Certainty,
    Fault,
    FaultKind,
    Mover,
    Share,
    Visit,
)
from tests.director_console.test_projection import entry, seen

SECOND = 1_000_000_000


# --- alarms


def alarm_after(fault: Fault, *acts: AlarmStepped):
    seen_ = AlarmSeen(table="1", epoch="e", seq=1, fault=fault, when=1)
    return fold(Hall(), [seen_, *acts]).alarms["1", "e", fault.id]


def act(what: AlarmAct, until: int | None = None) -> AlarmStepped:
    return AlarmStepped(table="1", epoch="e", fault=1, act=what, by="anna", at=5, until=until)


STANDING = Fault(id=1, kind=FaultKind.WINDOW_JAMMED, component="window", at=1)
CLEARED = replace(STANDING, cleared_at=9)
ONCE = Fault(id=1, kind=FaultKind.DEVICE_RESET, component="device", at=1, standing=False)
ACK, SHELVE = act(AlarmAct.ACKNOWLEDGE), act(AlarmAct.SHELVE, until=100)
ALARMS = [
    ("standing", STANDING, (), AlarmState.UNACKNOWLEDGED),
    ("acknowledged", STANDING, (ACK,), AlarmState.ACKNOWLEDGED),
    ("gone before anybody looked", CLEARED, (), AlarmState.RETURNED),
    ("gone and acknowledged", CLEARED, (ACK,), AlarmState.NORMAL),
    ("happened once", ONCE, (), AlarmState.RETURNED),
    ("shelved", STANDING, (SHELVE,), AlarmState.SHELVED),
    ("brought back", STANDING, (SHELVE, act(AlarmAct.UNSHELVE)), AlarmState.UNACKNOWLEDGED),
    ("out of service", STANDING, (act(AlarmAct.OUT_OF_SERVICE),), AlarmState.OUT_OF_SERVICE),
    (
        "in service again",
        STANDING,
        (act(AlarmAct.OUT_OF_SERVICE), act(AlarmAct.IN_SERVICE), ACK),
        AlarmState.ACKNOWLEDGED,
    ),
]


@pytest.mark.parametrize(
    ("fault", "acts", "state"), [row[1:] for row in ALARMS], ids=[row[0] for row in ALARMS]
)
def test_alarm_states_of_iec_62682(fault: Fault, acts: tuple[AlarmStepped, ...], state: AlarmState) -> None:
    assert alarm_after(fault, *acts).state(now=50) is state


def test_shelving_ends_by_itself() -> None:
    assert alarm_after(STANDING, SHELVE).state(now=100) is AlarmState.UNACKNOWLEDGED


def test_clearing_an_alarm_closes_no_case() -> None:
    raised = AlarmSeen(table="1", epoch="e", seq=1, fault=STANDING, when=1)
    cleared = AlarmSeen(table="1", epoch="e", seq=2, fault=CLEARED, when=2)
    hall = fold(Hall(), [raised, seen(entry(id=2)), cleared, ACK])
    assert hall.cases["1", "e", 2].waits


# --- clocks, tempo


def test_the_least_delay_tells_when_things_happened_and_never_later_than_they_were_heard() -> None:
    clocks = (
        Clocks().seen("1", "s", 1000, 101_500).seen("1", "s", 2000, 102_030).seen("1", "s", 3000, 109_000)
    )
    assert clocks.when("1", "s", 3000, 109_000) == 103_030
    assert clocks.when("1", "s", 50_000, 110_000) == 110_000
    assert clocks.when("1", "other", 3000, 109_000) == 109_000


def visit(first: int | None, second: int | None, hold: int | None = 0, **more: object) -> Visit:
    shares = (Share(seat=Seat.N, thinking=first, call=None), Share(seat=Seat.E, thinking=second, call=None))
    made = Visit(
        board=1,
        ordinal=0,
        screen_side=ScreenSide.NE,
        arrived=0,
        left=30 * SECOND,
        shares=shares,
        hold=hold,
        transit=SECOND,
        mover=Mover(seat=Seat.N, certainty=Certainty.KNOWN),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def test_a_visit_is_drawn_as_its_parts_to_scale_and_the_reference_line_where_it_belongs() -> None:
    chart = chart_of([visit(10 * SECOND, 15 * SECOND, 5 * SECOND)], 20 * SECOND)
    [bar] = chart.bars
    assert [part.what for part in bar.parts] == ["first", "second", "hold", "transit"]
    widths = {part.what: part.width for part in bar.parts}
    assert widths["first"] == pytest.approx(2 * widths["hold"])
    assert chart.reference_x - bar.parts[0].x == pytest.approx(2 * widths["first"])
    assert bar.complete


def test_what_is_not_known_is_left_out_and_marked_never_drawn_as_nothing() -> None:
    [bar] = chart_of([visit(None, 15 * SECOND, None)], 20 * SECOND).bars
    assert [part.what for part in bar.parts] == ["second", "transit"]
    assert not bar.complete
