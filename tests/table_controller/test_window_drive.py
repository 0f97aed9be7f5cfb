"""How window orders become commands, and what stops them."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge.memory_rig import MEMORY_DEVICE
from firmware_bridge.readings import Direction, LinkDown, LinkUp, MoveEnded, MoveStatus
from firmware_bridge.rig import Command, MoveWindow, SetOutput
from table_controller.screen.effects import CloseWindow, OpenWindow, StopWindow
from table_controller.screen.entry import FaultKind
from table_controller.screen.events import Event, FaultGone, FaultSeen, WindowOrder, WindowState
from table_controller.service.window_drive import DriveSpec, Steps, WindowDrive, WindowKind

MS = 1_000_000
S = 1_000 * MS
MOTOR = DriveSpec(kind=WindowKind.MOTOR, output="window.motor", open_limit=6 * S, close_limit=4 * S)
OPEN, CLOSE = OpenWindow(reason="lead placed"), CloseWindow(reason="auction")
STOP = StopWindow(reason="lead lifted")


class Bench:
    """A drive with its clock: `until` ticks it whenever it wants to be."""

    def __init__(self, spec: DriveSpec = MOTOR, state: WindowState = WindowState.CLOSED) -> None:
        self.drive = WindowDrive(spec)
        self.now = 10 * S
        self.commands: list[tuple[int, Command]] = []
        self.events: list[Event] = []
        self.keep(self.drive.moved(state, 0, self.now))

    def keep(self, steps: Steps) -> Bench:
        self.commands += [(self.now, command) for command in steps.commands]
        self.events += steps.events
        return self

    def order(self, effect: OpenWindow | CloseWindow | StopWindow, *, by_director: bool = False) -> Bench:
        return self.keep(self.drive.carry_out(effect, self.now, by_director=by_director))

    def moved(self, state: WindowState) -> Bench:
        return self.keep(self.drive.moved(state, self.now, self.now))

    def ended(self, status: MoveStatus, direction: Direction) -> Bench:
        ended = MoveEnded(at=self.now, output="window.motor", direction=direction, status=status)
        return self.keep(self.drive.heard(ended, self.now))

    def wait(self, ns: int) -> Bench:
        end = self.now + ns
        while (due := self.drive.deadline()) is not None and due <= end:
            self.now = max(due, self.now)
            self.keep(self.drive.tick(self.now))
        self.now = end
        return self.keep(self.drive.tick(self.now))

    def moves(self) -> list[Direction]:
        return [c.direction for _, c in self.commands if isinstance(c, MoveWindow)]

    def faults(self) -> list[FaultKind]:
        return [event.kind for event in self.events if isinstance(event, FaultSeen)]


def test_a_lease_is_renewed_well_before_it_ends_until_the_limit_is_reached() -> None:
    bench = Bench().order(OPEN).wait(2 * S)
    times = [at for at, _ in bench.commands]
    assert all(later - earlier <= 200 * MS for earlier, later in itertools.pairwise(times))
    assert len(times) >= 10
    bench.ended(MoveStatus.LIMIT, Direction.OPEN).moved(WindowState.OPEN)
    count = len(bench.commands)
    bench.wait(5 * S)
    assert len(bench.commands) == count
    assert bench.drive.order is None


def test_an_order_for_where_it_is_moves_nothing() -> None:
    bench = Bench(state=WindowState.OPEN).order(OPEN)
    assert bench.commands == []
    assert bench.drive.order is None


@pytest.mark.parametrize(("order", "limit"), [(OPEN, 6 * S), (CLOSE, 4 * S)])
def test_each_direction_has_its_own_limit_and_a_jam_is_said_once_and_never_tried_again(
    order: OpenWindow | CloseWindow, limit: int
) -> None:
    start = WindowState.CLOSED if order is OPEN else WindowState.OPEN
    bench = Bench(state=start).order(order)
    began = bench.now
    bench.wait(60 * S)
    assert bench.moves()[-1] is Direction.STOP
    assert bench.commands[-1][0] - began == limit
    assert bench.faults() == [FaultKind.WINDOW_JAMMED]


def test_after_a_jam_the_tables_own_orders_wait_and_the_directors_goes_through() -> None:
    bench = Bench().order(OPEN).wait(10 * S)
    count = len(bench.commands)
    bench.order(CLOSE).order(OPEN).wait(10 * S)
    assert len(bench.commands) == count
    bench.order(OPEN, by_director=True)
    assert bench.moves()[-1] is Direction.OPEN


def test_moved_at_last_on_the_directors_order_it_is_jammed_no_more() -> None:
    bench = Bench().order(OPEN).wait(10 * S).order(OPEN, by_director=True)
    assert not any(isinstance(event, FaultGone) for event in bench.events)
    bench.wait(S).moved(WindowState.OPEN)
    assert [e.kind for e in bench.events if isinstance(e, FaultGone)] == [FaultKind.WINDOW_JAMMED]
    bench.wait(S).order(CLOSE)
    assert bench.moves()[-1] is Direction.CLOSE


def test_jammed_again_on_the_directors_order_it_is_the_same_jam() -> None:
    bench = Bench().order(OPEN).wait(10 * S).order(OPEN, by_director=True).wait(10 * S)
    assert bench.faults() == [FaultKind.WINDOW_JAMMED]
    assert not any(isinstance(event, FaultGone) for event in bench.events)


def test_an_order_taken_back_does_not_stop_it_giving_way() -> None:
    bench = Bench(state=WindowState.OPEN).order(CLOSE).wait(S)
    bench.ended(MoveStatus.OBSTRUCTED, Direction.CLOSE).order(STOP)
    assert bench.moves()[-1] is Direction.OPEN
    bench.wait(S)
    assert bench.moves()[-1] is Direction.STOP


def test_taken_back_while_it_waits_for_a_person_a_hand_does_not_set_it_going() -> None:
    bench = Bench().order(OPEN).wait(10 * S).order(STOP)
    count = len(bench.commands)
    bench.keep(bench.drive.handled(bench.now))
    assert len(bench.commands) == count
    assert any(isinstance(event, FaultGone) for event in bench.events)


def test_at_an_obstruction_it_gives_way_once_and_waits_for_a_person() -> None:
    bench = Bench(state=WindowState.OPEN).order(CLOSE).wait(S)
    bench.ended(MoveStatus.OBSTRUCTED, Direction.CLOSE)
    assert bench.moves()[-1] is Direction.OPEN
    back = len(bench.commands)
    bench.wait(60 * S)
    assert bench.moves()[back:] == [Direction.STOP]
    assert bench.faults() == [FaultKind.WINDOW_OBSTRUCTED]
    assert bench.commands[back][0] - bench.commands[back - 1][0] <= 500 * MS


def test_a_hand_on_a_handle_is_the_person_it_waited_for() -> None:
    bench = Bench(state=WindowState.OPEN).order(CLOSE).wait(S)
    bench.ended(MoveStatus.OVERCURRENT, Direction.CLOSE).wait(5 * S)
    bench.keep(bench.drive.handled(bench.now))
    assert bench.moves()[-1] is Direction.CLOSE
    assert any(isinstance(event, FaultGone) for event in bench.events)


def test_the_limit_reached_by_its_own_giving_way_is_no_person() -> None:
    bench = Bench(state=WindowState.OPEN).order(CLOSE).wait(200 * MS)
    bench.ended(MoveStatus.OBSTRUCTED, Direction.CLOSE).wait(300 * MS)
    bench.ended(MoveStatus.LIMIT, Direction.OPEN).wait(50 * MS).moved(WindowState.OPEN)
    assert not any(isinstance(event, FaultGone) for event in bench.events)
    count = len(bench.commands)
    bench.order(CLOSE).wait(10 * S)
    assert len(bench.commands) == count


def test_moved_by_hand_after_a_jam_clears_it() -> None:
    bench = Bench().order(OPEN).wait(20 * S).moved(WindowState.OPEN)
    assert [e.kind for e in bench.events if isinstance(e, FaultGone)] == [FaultKind.WINDOW_JAMMED]
    bench.order(CLOSE)
    assert bench.moves()[-1] is Direction.CLOSE


def test_something_in_the_way_before_it_starts_keeps_it_still_and_is_a_fault() -> None:
    bench = Bench(state=WindowState.OPEN)
    bench.keep(bench.drive.barrier(True, bench.now)).order(CLOSE).wait(S)
    assert bench.moves() == []
    assert bench.faults() == [FaultKind.WINDOW_OBSTRUCTED]
    bench.keep(bench.drive.barrier(False, bench.now))
    assert any(isinstance(event, FaultGone) for event in bench.events)


def test_a_lost_link_stops_renewing_and_the_order_goes_on_when_it_is_back() -> None:
    bench = Bench().order(OPEN)
    bench.keep(bench.drive.heard(LinkDown(at=bench.now, why="cable"), bench.now))
    count = len(bench.commands)
    bench.wait(3 * S)
    assert len(bench.commands) == count
    bench.keep(bench.drive.heard(LinkUp(at=bench.now, device=MEMORY_DEVICE), bench.now))
    assert bench.moves()[-1] is Direction.OPEN


def test_a_stall_of_ours_that_let_the_lease_end_is_gone_on_from() -> None:
    bench = Bench().order(OPEN).ended(MoveStatus.LEASE_EXPIRED, Direction.OPEN)
    assert bench.moves() == [Direction.OPEN, Direction.OPEN]
    assert bench.faults() == []


def test_doubted_limits_stop_the_motor_until_they_agree() -> None:
    bench = Bench().order(OPEN)
    bench.keep(bench.drive.doubt(True, bench.now)).wait(2 * S)
    assert bench.moves()[-1] is Direction.STOP
    bench.keep(bench.drive.doubt(False, bench.now))
    assert bench.moves()[-1] is Direction.OPEN


def test_stop_stays_where_it_is() -> None:
    bench = Bench().order(OPEN).wait(500 * MS).order(StopWindow(reason="lead changed"))
    count = len(bench.commands)
    bench.wait(10 * S)
    assert bench.moves()[-1] is Direction.STOP
    assert len(bench.commands) == count


def test_an_order_the_other_way_stops_first() -> None:
    bench = Bench().order(OPEN).wait(300 * MS).order(CLOSE)
    assert bench.moves()[-2:] == [Direction.STOP, Direction.CLOSE]


def test_a_window_moved_by_hand_is_not_fought() -> None:
    bench = Bench().order(OPEN).moved(WindowState.BETWEEN).moved(WindowState.OPEN)
    count = len(bench.commands)
    bench.wait(S).moved(WindowState.BETWEEN).moved(WindowState.CLOSED).wait(20 * S)
    assert len(bench.commands) == count


def lit(bench: Bench) -> dict[str, bool]:
    return {c.output: c.on for _, c in bench.commands if isinstance(c, SetOutput)}


def test_lamps_ask_until_it_is_done_and_go_out() -> None:
    spec = DriveSpec(kind=WindowKind.LAMP, output="window.lamp", close_lamp="window.lamp.close")
    bench = Bench(spec).order(OPEN)
    assert lit(bench) == {"window.lamp": True, "window.lamp.close": False}
    assert bench.drive.order is WindowOrder.OPEN
    bench.moved(WindowState.BETWEEN).moved(WindowState.OPEN)
    assert lit(bench) == {"window.lamp": False, "window.lamp.close": False}
    bench.order(CLOSE)
    assert lit(bench) == {"window.lamp": False, "window.lamp.close": True}
    bench.order(StopWindow(reason="hold"))
    assert lit(bench) == {"window.lamp": False, "window.lamp.close": False}


def test_a_latch_stays_energised_while_open_is_wanted() -> None:
    bench = Bench(DriveSpec(kind=WindowKind.LATCH, output="window.latch")).order(OPEN)
    bench.moved(WindowState.BETWEEN).moved(WindowState.OPEN).wait(S)
    assert lit(bench) == {"window.latch": True}
    bench.order(CLOSE)
    assert lit(bench) == {"window.latch": False}
