"""One scenario's table in real processes: its body, the device on a pseudo-terminal, its controller.

The players' thread moves it; what the controller reports comes in over the broker. Must never look into the
controller by another way.
"""

from __future__ import annotations

import queue
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from firmware_bridge.readings import ResetCause
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.hardware.host_faults import ControllerProcess
from hw_sim.hardware.pinserver import SimulatedPins
from hw_sim.hardware.wall import SteppableWall
from hw_sim.misdeeds.hardware import HardwareBench
from hw_sim.misdeeds.order import MisdeedOrder
from hw_sim.misdeeds.timeline import Timeline
from hw_sim.players.customs import Customs
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.processes.supervise import Child, Supervisor, program
from hw_sim.refusals import Why
from hw_sim.scenario.deeds import DirectorDeed, Doubtful
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.scenario.full.commands import command_of
from hw_sim.scenario.full.desk import Desk
from hw_sim.scenario.full.reports import Reports, is_refusal
from hw_sim.scenario.room import Levers, ScenarioHands
from hw_sim.scenario.seen import Seen, TableRefusal
from hw_sim.table.changes import MS, SECOND, Travel
from hw_sim.table.live import LiveTable
from hw_sim.table.wires import Wires
from hw_sim.table.wiring import Wiring
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.messages import Message, Status

UP_WITHIN_S = 30.0
ANSWER_WITHIN = 10 * SECOND
STEP = 15 * MS
BETWEEN = 180 * MS
QUIET = 120 * MS
"""So long without a new row, and the table has said all it has to say of a deed."""
CONFLICT_NOTICED = 1_400 * MS
CHATTER_NOTICED = 7 * SECOND
CHATTER_HZ = 400.0
FOR_LONG = 3_600_000.0
MISDEED_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a table is made of, besides its name.

    `config(end)` is the text of its controller's file, `controller` the command that takes it. `pins`: the
    wires go to a header's pins, and `end` is their socket; else it is the device's port. `tap` may stand
    between the copper and whatever goes wrong above it.
    """

    directory: Path
    wiring: Wiring
    travel: Travel
    tray_on: ScreenSide
    customs: Customs
    divisor: float
    config: Callable[[Path], str]
    controller: tuple[str, ...]
    pins: bool = False
    tap: Callable[[Wires], Wires] = lambda wires: wires


class FullTable:
    """A scenario's room, and its levers. `seen` is what the controller has reported so far."""

    def __init__(self, name: str, setting: Setting, hub: DeviceHub, desk: Desk) -> None:
        self.name = name
        self.seen = Seen()
        self.notes: list[str] = []
        """What misdeeds of the hardware have to say."""
        self.reports = Reports(self.seen)
        self._setting = setting
        self._desk = desk
        self._inbox: queue.SimpleQueue[Message] = desk.listen(name)
        self._supervisor = Supervisor(setting.directory)
        self._child: Child | None = None
        self._timeline = Timeline().start()
        self._body = ScenarioBody(
            faces=setting.customs.faces,
            travel=setting.travel,
            tray_on=setting.tray_on,
            now=time.monotonic_ns(),
        )
        self.live = LiveTable(self._body, setting.wiring.signals, speed=1.0)
        self._end = setting.directory / ("pins" if setting.pins else "tty")
        self._config = setting.directory / "table.toml"
        self._device: SimulatedDevice | None = None
        self._wall = SteppableWall(setting.directory)
        self._wires = FaultyWires(setting.tap(self._metal(hub)), self._timeline.after, Random(name))

    def _metal(self, hub: DeviceHub) -> Wires:
        """The wires' other end: a device on a terminal, or lines of a header."""
        spec = self._setting.wiring.rig
        if self._setting.pins:
            return SimulatedPins(
                spec,
                hub,
                self._end,
                on_output=lambda output, on, at: self.live.set_output(output, on),
                on_motor=lambda output, direction, at: self.live.drive(output, direction),
            )
        self._device = SimulatedDevice(
            spec,
            hub,
            self._end,
            on_output=lambda output, on, at: self.live.set_output(output, on),
            on_motor=lambda output, direction, at: self.live.drive(output, direction),
        )
        return self._device

    def _cable(self) -> SimulatedDevice:
        if self._device is None:
            raise CannotBePlayed(
                "this table's wires go to a header's pins: it has no cable and no device", Why.NO_DEVICE_HERE
            )
        return self._device

    # --- life

    def start(self) -> None:
        """Plug in, start the controller, and wait until it knows the table. Raises JointBroken."""
        self._config.write_text(self._setting.config(self._end), encoding="utf-8")
        self._wires.start()
        self.live.connect(self._wires)
        self._start_controller()

    def _start_controller(self) -> None:
        boots = self.reports.boots
        run = [*self._setting.controller, "run", "--config", str(self._config)]
        self._child = self._supervisor.start("controller", run, self._wall.environment())
        self._await(lambda: self.reports.boots > boots, "it did not report that it has begun")
        self._await(self._knows_the_table, "it did not find the table's sensors")
        self.be_quiet()

    def _knows_the_table(self) -> bool:
        view = self.seen.view
        return view is not None and view.window.value != "unknown" and "link" not in self._doubts()

    def _doubts(self) -> set[str]:
        standing = (f for f in self.seen.faults.values() if f.standing and f.cleared_at is None)
        return {fault.component for fault in standing}

    def _await(self, seen: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + UP_WITHIN_S
        while not seen():
            self.let_pass(STEP)
            self._check_alive()
            if time.monotonic() > end:
                raise JointBroken(
                    Joint.CONTROLLER, f"{what} within {UP_WITHIN_S:.0f} s: {self._last_words()}"
                )

    def _check_alive(self) -> None:
        if self._child is not None and not self._child.alive:
            raise JointBroken(Joint.CONTROLLER, f"it ended by itself: {self._last_words()}")

    def _last_words(self) -> str:
        return self._child.last_words(4) if self._child is not None else ""

    def close(self) -> None:
        self._supervisor.stop_all()
        self.live.stop()
        self._wires.close()
        self._timeline.close()
        self._desk.forget(self.name)

    # --- time

    def let_pass(self, ns: int) -> bool:
        """Let time pass at the table; whether anything was reported meanwhile."""
        self.live.idle(ns)
        return self.collect()

    def collect(self) -> bool:
        """Take in what has been reported."""
        new, heard = False, False
        while True:
            try:
                message = self._inbox.get_nowait()
            except queue.Empty:
                break
            new = self.reports.take(message) or new
            heard = True
        if heard and self.reports.epoch:
            self._confirm()  # also for what came again: its receipt was lost
        return new

    def _confirm(self) -> None:
        """Everything reported so far is ours."""
        self._desk.receipt(self.name, self.reports)

    def be_quiet(self) -> None:
        """Wait until the table has nothing more to say."""
        quiet_since = time.monotonic_ns()
        while time.monotonic_ns() - quiet_since < QUIET:
            if self.let_pass(STEP):
                quiet_since = time.monotonic_ns()

    # --- the room

    @property
    def hands(self) -> ScenarioHands:
        return self._body

    @property
    def levers(self) -> Levers:
        return self

    @property
    def customs(self) -> Customs:
        return self._setting.customs

    @property
    def divisor(self) -> float:
        return self._setting.divisor

    @property
    def between(self) -> int:
        return BETWEEN

    @property
    def window_by_hand(self) -> int:
        return self._setting.travel.window_by_hand

    def order(self, deed: DirectorDeed) -> None:
        """At his desk; given again if the table had moved on meanwhile."""
        if self._child is None:
            raise CannotBePlayed("the controller is down and hears no director", Why.CONTROLLER_HEARS_NOBODY)
        self.be_quiet()
        before = len(self.seen.step.refusals)
        end = time.monotonic_ns() + ANSWER_WITHIN
        while True:
            command = self._desk.order(self.name, command_of(deed, self.seen), self.reports)
            while (answer := self.reports.answers.get(command)) is None or answer.status is Status.ACCEPTED:
                self.let_pass(STEP)
                if time.monotonic_ns() > end:
                    raise JointBroken(Joint.DIRECTOR, f"the table did not answer the order {deed}")
            if answer.status is not Status.STALE:
                break
            self.be_quiet()
        told = (one.text for one in self.seen.step.refusals[before:])  # as a row of the core's
        if is_refusal(answer) and answer.reason not in told:
            refusal = TableRefusal(text=answer.reason, code=answer.code, slots=answer.slots)
            self.seen.step.refusals.append(refusal)

    # --- levers

    def fail(self, what: Doubtful, seat: Seat | None) -> int:
        match what:
            case Doubtful.TRAY:
                for side in ScreenSide:
                    self._wires.hold(f"tray.{side.lower()}", True)
                return CONFLICT_NOTICED
            case Doubtful.WINDOW:
                for limit in ("closed", "open"):
                    self._wires.hold(f"window.{limit}", True)
                return CONFLICT_NOTICED
            case Doubtful.LEAD:
                self._wires.chatter(_lead(seat), CHATTER_HZ, FOR_LONG)
                return CHATTER_NOTICED

    def recover(self, what: Doubtful, seat: Seat | None) -> int:
        match what:
            case Doubtful.TRAY:
                signals = [f"tray.{side.lower()}" for side in ScreenSide]
            case Doubtful.WINDOW:
                signals = ["window.closed", "window.open"]
            case Doubtful.LEAD:
                signals = [_lead(seat)]
        for signal_name in signals:
            self._wires.release(signal_name)
        return QUIET

    def obstruct(self, there: bool) -> None:
        self._body.obstruct_window(there)

    def jam(self, stuck: bool) -> None:
        self._body.jam_window(stuck)

    def cable(self, plugged: bool) -> int:
        (self._cable().replug if plugged else self._cable().unplug)()
        return 2 * SECOND if plugged else 500 * MS

    def reset_device(self) -> int:
        self._cable().reset(ResetCause.WATCHDOG, boot_ms=100)
        return 2 * SECOND

    def misdeed(self, order: MisdeedOrder) -> None:
        bench = HardwareBench(
            spec=self._setting.wiring.rig,
            wires=self._wires,
            after=self._timeline.after,
            cable=self._device,
            host=None if self._child is None else self._host(self._child),
            notes=self.notes,
        )
        order.begin(bench, MISDEED_SEED, do=self.live.do)

    def _host(self, child: Child) -> ControllerProcess:
        rival = [*program("table-controller"), "doctor", "--config", str(self._config), "--seconds", "0"]
        return ControllerProcess(child.process, rival, step_wall=self._wall.step)

    def die(self) -> int:
        """Killed in the middle of whatever it does."""
        if self._child is None:
            raise CannotBePlayed("the controller is down already", Why.CONTROLLER_DOWN_ALREADY)
        child, self._child = self._child, None
        child.signal(signal.SIGKILL)
        child.process.wait()
        self._supervisor.children.remove(child)
        return 0

    def come_back(self) -> int:
        if self._child is not None:
            raise CannotBePlayed("the controller is not down", Why.CONTROLLER_NOT_DOWN)
        self._start_controller()
        return 0


def _lead(seat: Seat | None) -> str:
    assert seat is not None
    return f"lead.{seat.lower()}.present"
