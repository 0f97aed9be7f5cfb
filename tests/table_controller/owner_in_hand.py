"""An owner with its thread, on a rig of memory and a stub of a core: for what only threads can show."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.memory_rig import MemoryRig
from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, RigSpec, TokenSpec
from table_controller.commands import CommandGate
from table_controller.journal import open_journal
from table_controller.laws.seat import Faces
from table_controller.messages import ClockQuality
from table_controller.messages.topics import Identity, Place
from table_controller.screen.effects import Effect
from table_controller.screen.events import Event
from table_controller.sensing import Sensing
from table_controller.sensing.signals import LEVELS, TOKENS
from table_controller.service.clockwatch import WallClock
from table_controller.service.engine import Engine
from table_controller.service.owner import Owner, Stop
from table_controller.service.reports import Stamp, Surroundings
from table_controller.service.standing import Standing
from table_controller.service.watchdog import Watchdog
from table_controller.service.window_drive import DriveSpec, WindowDrive, WindowKind
from tests.table_controller.stub_core import StubCore

HERE = Identity(place=Place(venue="v", event="e"), table="t1")
WIRES = RigSpec(
    inputs=tuple(InputSpec(signal=name, pin=pin, chain=True) for pin, name in enumerate(LEVELS)),
    tokens=tuple(TokenSpec(signal=name, reader=reader) for reader, name in enumerate(TOKENS)),
    outputs=(
        OutputSpec(name="window.motor", kind=OutputKind.MOTOR, pin=0, close_pin=1),
        OutputSpec(name="hold.ne", kind=OutputKind.LAMP, pin=2),
        OutputSpec(name="hold.sw", kind=OutputKind.LAMP, pin=3),
        *(
            OutputSpec(name=f"summons.{seat}", kind=OutputKind.LAMP, pin=4 + n)
            for n, seat in enumerate("nesw")
        ),
    ),
)


class WatchedCore(StubCore):
    """A stub whose every event passes `before` first."""

    before: Callable[[Event], object] = staticmethod(lambda event: None)

    def handle(self, event: Event, number: int = 0) -> list[Effect]:
        self.before(event)
        return super().handle(event, number)


class OwnerInHand:
    """Start it, work the rig, look at the core and the journal, stop it."""

    def __init__(self, folder: Path, *, watchdog: Watchdog | None = None) -> None:
        self.core = WatchedCore()
        self.rig = MemoryRig(WIRES)
        self.made: list[MemoryRig] = []
        self.opened = open_journal(folder / "j.sqlite", identity=HERE, session="s1")
        signals = frozenset({*LEVELS, *TOKENS})
        self.engine = Engine(
            core=self.core,
            sensing=Sensing(signals=signals, faces=Faces()),
            drive=WindowDrive(DriveSpec(kind=WindowKind.MOTOR, output="window.motor")),
            journal=self.opened.journal,
            standing=Standing(),
            outputs=frozenset(output.name for output in WIRES.outputs),
            stamp=lambda now: Stamp(mono=now, wall=None, clock=ClockQuality.UNSET, rev=0),
            fallback=self.opened.fall_back,
        )
        self.owner = Owner(
            inbox=queue.SimpleQueue(),
            engine=self.engine,
            storage=self.opened,
            rig=self.rig,
            make_rig=self._another,
            reporter=None,
            gate=CommandGate("t1"),
            wall=WallClock(),
            watchdog=watchdog or Watchdog({}),
            offset=0,
            session="s1",
            around=lambda engine: Surroundings(last_seq=engine.journal.head.seq, head="", safe=True),
        )
        self.thread = threading.Thread(target=self.owner.run, daemon=True)

    def _another(self) -> MemoryRig:
        self.made.append(MemoryRig(WIRES))
        return self.made[-1]

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.owner.put(Stop())
        self.thread.join(10)
        assert not self.thread.is_alive()
        self.opened.close()

    def told(self, kind: str) -> list[Event]:
        return [event for _, event in self.core.told if type(event).__name__ == kind]
