"""A table in real time: changes go down its wires as they happen, and it can be stopped at any moment."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from firmware_bridge.readings import Direction
from hw_sim.players.asks import Ask, Complaint, Pause, Until
from hw_sim.table.body import Body
from hw_sim.table.changes import MS, SECOND, Travel
from hw_sim.table.live import LiveTable, Stopped
from hw_sim.table.wiring import TableKind, wiring
from table_controller.laws.call import PASS
from table_controller.laws.seat import Seat
from tests.firmware_bridge.calm import calmly

SIGNALS = wiring(TableKind.FULL).signals


class Recorder:
    """The metal end of a rig that only writes down what is done to it."""

    def __init__(self) -> None:
        self.done: list[tuple[str, bool | str, int]] = []

    def start(self) -> None: ...

    def close(self) -> None: ...

    def set_input(self, signal: str, active: bool) -> None:
        self.done.append((signal, active, time.monotonic_ns()))

    def hide_input(self, signal: str, active: bool) -> None: ...

    def wave(self, signal: str, levels: Sequence[tuple[float, bool]]) -> None: ...

    def set_token(self, signal: str, text: str) -> None:
        self.done.append((signal, text, time.monotonic_ns()))

    def outputs(self) -> dict[str, bool]:
        return {}

    def motor(self, name: str) -> Direction:
        return Direction.STOP

    def of(self, signal: str) -> list[bool | str]:
        return [value for name, value, _ in self.done if name == signal]


def table(speed: float = math.inf) -> tuple[LiveTable, Recorder]:
    live = LiveTable(Body(travel=Travel.quickest(), now=time.monotonic_ns()), SIGNALS, speed=speed)
    recorder = Recorder()
    live.connect(recorder)
    recorder.done.clear()
    return live, recorder


def test_connecting_tells_every_wire_what_it_is() -> None:
    live = LiveTable(Body(now=time.monotonic_ns()), SIGNALS, speed=1)
    recorder = Recorder()
    live.connect(recorder)
    assert {name for name, _, _ in recorder.done} == SIGNALS
    assert recorder.of("tray.ne") == [True]


def test_a_push_goes_down_the_wire_in_its_time() -> None:
    calmly(_push, bears_ms=30)


def _push() -> None:
    live, recorder = table()

    def script() -> Iterator[Ask]:
        live.body.push_tray(Seat.N)
        yield Until(seen=lambda: live.body.tray_at is not None, within=SECOND, complaint="no")
        yield Pause(human=0, least=300 * MS)

    live.play(script())  # type: ignore[arg-type]
    assert recorder.of("tray.ne") == [False]
    assert recorder.of("tray.sw") == [True]
    times = {name: at for name, _, at in recorder.done}
    travelled = times["tray.sw"] - times["tray.ne"]
    assert 60 * MS < travelled < 400 * MS  # it is 110 ms, and either end may be told a little late


def test_signals_that_are_not_wired_go_nowhere() -> None:
    live = LiveTable(Body(now=time.monotonic_ns()), wiring(TableKind.WATCH).signals, speed=1)
    recorder = Recorder()
    live.connect(recorder)
    live.body.lay_call(Seat.N, PASS)
    live.idle(100 * MS)
    assert not recorder.of("call.ne.n")


def test_what_the_device_orders_moves_the_table_and_wakes_who_waits_for_it() -> None:
    live, recorder = table()
    threading.Timer(0.05, lambda: live.drive("window.motor", Direction.CLOSE)).start()
    began = time.monotonic()

    def script() -> Iterator[Ask]:
        yield Until(seen=lambda: live.body.window_closed, within=5 * SECOND, complaint="no")

    live.play(script())  # type: ignore[arg-type]
    assert time.monotonic() - began < 4  # of the five seconds for which it would wait
    assert recorder.of("window.open") == [False]
    assert recorder.of("window.closed") == [True]


def test_waiting_in_vain_ends_in_its_time_with_the_complaint() -> None:
    calmly(_wait_in_vain, bears_ms=30)


def _wait_in_vain() -> None:
    live, _ = table()

    def script() -> Iterator[Ask]:
        yield Until(seen=lambda: False, within=200 * MS, complaint="the window did not close")

    began = time.monotonic()
    with pytest.raises(Complaint, match="the window did not close"):
        live.play(script())  # type: ignore[arg-type]
    assert 0.2 <= time.monotonic() - began < 1.0


def test_a_window_whose_orders_are_swallowed_stays() -> None:
    live, _ = table()
    live.swallow_motor = True
    live.drive("window.motor", Direction.CLOSE)
    live.idle(300 * MS)
    assert live.body.window_open


def test_a_pause_lasts_by_the_speed_and_never_less_than_the_hardware_needs() -> None:
    def took(speed: float) -> float:
        live, _ = table(speed)
        began = time.monotonic()
        live.play(iter([Pause(human=SECOND, least=50 * MS)]))  # type: ignore[arg-type]
        return time.monotonic() - began

    def once() -> None:
        assert 0.2 <= took(5) < 0.4
        assert 0.05 <= took(math.inf) < 0.15

    calmly(once, bears_ms=30)


def test_it_can_be_stopped_in_the_middle_of_a_long_pause() -> None:
    live, _ = table(speed=1)
    threading.Timer(0.1, live.stop).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        live.play(iter([Pause(human=60 * SECOND)]))  # type: ignore[arg-type]
    assert time.monotonic() - began < 30


def test_a_deed_from_elsewhere_is_done_in_the_tables_own_thread() -> None:
    live, _ = table()
    threads: list[threading.Thread] = []
    live.do(lambda: threads.append(threading.current_thread()))
    live.idle(50 * MS)
    assert threads == [threading.current_thread()]


def test_deeds_stay_apart_on_the_wires_though_the_machine_is_late() -> None:
    """Two calls 120 ms apart are so on the readers, or a busy machine would make them simultaneous."""
    live, recorder = table()
    slow = iter([0.15])

    def held_up() -> None:
        time.sleep(next(slow, 0.0))

    advance = live.body.advance

    def late(to: int) -> None:
        if recorder.of("released.n"):
            held_up()
        advance(to)

    live.body.advance = late  # type: ignore[method-assign]

    def script() -> Iterator[Ask]:
        for seat in (Seat.N, Seat.E):
            live.body.lay_call(seat, PASS)
            yield Pause(human=0, least=120 * MS)

    live.play(script())  # type: ignore[arg-type]
    at = {name: at for name, value, at in recorder.done if value == "1:P"}
    assert at["call.ne.e"] - at["call.ne.n"] >= 110 * MS
