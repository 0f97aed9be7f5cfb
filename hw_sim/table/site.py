"""One simulated table as it stands in the hall: its body, the metal end of its rig, the configuration file of
its controller, its players and their ledger.

The controller is a process of its own that gets the configuration file and nothing else. Must never look into
it: players see the body, the body feels the wires.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from random import Random
from time import monotonic_ns

from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.hardware.pinserver import SimulatedPins
from hw_sim.misdeeds.form import Deed
from hw_sim.players.asks import Complaint
from hw_sim.players.customs import Customs, Floors, Manner, Style
from hw_sim.players.four import BoardPlay
from hw_sim.players.ledger import BoardAccount, Ledger
from hw_sim.players.script import BoardScript
from hw_sim.players.spare import place_spare
from hw_sim.processes.joints import Joint, JointBroken
from hw_sim.table.body import Body
from hw_sim.table.changes import Travel
from hw_sim.table.live import QUICK_HOLD_NS, USUAL_HOLD_NS, LiveTable
from hw_sim.table.wires import Wires
from hw_sim.table.wiring import TableFile, TableKind, wiring

GREETS_WITHIN_S = 60.0
END_NS = 500_000_000
SIT_DOWN_NS = 600_000_000
SETTLE_MS = 40
"""How long a column that empties may be the tray leaving."""


class Way(StrEnum):
    """How the wires go into the controller."""

    WIRE = "wire"
    """A microcontroller on a pseudo-terminal."""
    GPIO = "gpio"
    """The lines of a header, worked over a socket."""


@dataclass(frozen=True, kw_only=True)
class Hall:
    """What all tables of one run share. `speed` divides human time; `quick`: hardware at its least too."""

    directory: Path
    hub: DeviceHub
    customs: Customs
    style: Style
    speed: float
    quick: bool = False
    way: Way = Way.WIRE
    kind: TableKind = TableKind.FULL
    regulations: str = "ccba-2006"
    supplements: tuple[Path, ...] = ()
    broker: str | None = None
    mac_keys: Path | None = None
    venue: str = "demo"
    event: str = "evening"
    seed: int = 1

    @property
    def floors(self) -> Floors:
        """What the hardware needs, at this haste and on this way in."""
        if not self.quick:
            return Floors()
        return Floors.quickest()

    def with_keys(self, mac_keys: Path) -> Hall:
        """The same hall for a table that has message keys of its own."""
        return replace(self, mac_keys=mac_keys)


class Site:
    """One table. `play` runs in the caller's thread; `stop` may be called from any."""

    def __init__(self, name: str, number: int, hall: Hall) -> None:
        self.name = name
        self.hall = hall
        self.directory = hall.directory / f"table-{name}"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.config = self.directory / "table.toml"
        self.data = self.directory / "data"
        self.wiring = wiring(hall.kind, quick=hall.quick, chain=hall.way is Way.WIRE)
        travel = Travel.quickest() if hall.quick else Travel().at_speed(hall.speed)
        self.body = Body(faces=hall.customs.faces, travel=travel, now=monotonic_ns())
        self.live = LiveTable(
            self.body,
            self.wiring.signals,
            speed=hall.speed,
            hold_ns=QUICK_HOLD_NS if hall.quick else USUAL_HOLD_NS,
        )
        self._ledger_text = (self.directory / "ledger.jsonl").open("w", encoding="utf-8")
        self.ledger = Ledger(name, self._ledger_text)
        self.manner = Manner(hall.style, Random(f"{hall.seed}/{number}"), hall.floors)
        self._greeted: Callable[[], bool] = lambda: False
        self.wires = self._wires(number)
        self._last: BoardPlay | None = None
        self._words: Counter[str] = Counter()
        self._words_lock = threading.Lock()

    def await_controller(self, alive: Callable[[], None], within_s: float = GREETS_WITHIN_S) -> None:
        """Before the first board: until the controller has its hands on the wires.

        `alive` is asked meanwhile, and raises where its process has ended. Raises JointBroken.
        """
        end = time.monotonic() + within_s
        while not self._greeted():
            alive()
            if time.monotonic() >= end:
                what = f"table {self.name}: its controller did not greet its wires within {within_s:.0f} s"
                raise JointBroken(Joint.CONTROLLER, what)
            time.sleep(0.05)
        self.live.idle(SIT_DOWN_NS)

    def _wires(self, number: int) -> Wires:
        spec, hub = self.wiring.rig, self.hall.hub
        if self.hall.way is Way.WIRE:
            device = SimulatedDevice(
                spec,
                hub,
                self.directory / "tty",
                seed=self.hall.seed * 1_000 + number,
                on_output=lambda name, on, at: self.live.set_output(name, on),
                on_motor=lambda name, direction, at: self.live.drive(name, direction),
            )
            self.device: SimulatedDevice | None = device
            self._greeted = lambda: device.greeted
            return device
        self.device = None
        pins = SimulatedPins(
            spec,
            hub,
            self.directory / "pins",
            on_output=lambda name, on, at: self.live.set_output(name, on),
            on_motor=lambda name, direction, at: self.live.drive(name, direction),
        )
        self._greeted = lambda: pins.greeted
        return pins

    def _rig(self) -> str:
        if self.hall.way is Way.WIRE:
            return f'kind = "serial"\nport = "{self.directory / "tty"}"'
        return f'kind = "gpio"\nfactory = "hw-sim"\nsocket = "{self.directory / "pins"}"'

    def start(self) -> None:
        """Plug in, and write the controller's configuration."""
        hall = self.hall
        self.wires.start()
        self.live.connect(self.wires)
        file = TableFile(
            table=self.name,
            directory=self.data,
            rig=self._rig(),
            wiring=self.wiring,
            venue=hall.venue,
            event=hall.event,
            regulations=hall.regulations,
            supplements=hall.supplements,
            broker=hall.broker,
            mac_keys=hall.mac_keys,
            quick=hall.quick,
            settle_ms=SETTLE_MS,
        )
        self.config.write_text(file.text(), encoding="utf-8")

    def close(self) -> None:
        self.live.stop()
        self.wires.close()
        self._ledger_text.close()

    def stop(self) -> None:
        """End what the players are doing; their thread gets Stopped."""
        self.live.stop()

    def say_go_on(self, kind: str) -> None:
        """The director at the table tells the players to go on, after what the catalogue calls `kind`."""
        with self._words_lock:
            self._words[kind] += 1
        self.live.do(lambda: None)

    def words(self, kind: str) -> int:
        """How often he has."""
        with self._words_lock:
            return self._words[kind]

    def play(self, script: BoardScript, misdeed: Deed | None = None) -> BoardAccount:
        """Play one board to its end. Raises Complaint, with the account so far in the ledger, and Stopped."""
        play = self._board(script, misdeed)
        self.live.play(play.play())
        return play.account

    def play_or_break_off(self, script: BoardScript) -> tuple[BoardAccount, str | None]:
        """Play one board; what is not finished is given up for the spare board, with the complaint if any."""
        play = self._board(script, None)
        complaint = None
        try:
            self.live.play(play.play())
        except Complaint as problem:
            complaint = str(problem)
            play.account.broken_off_at = self.body.now
            self.live.play(play.abandon())
        if not play.account.finished:
            self.live.play(place_spare(play))
        return play.account, complaint

    def end_evening(self) -> None:
        """Lay the spare board, so that a board whose play nobody saw end is over, and let all be told."""
        if self._last is not None:
            self.live.play(place_spare(self._last))
        self.live.idle(END_NS)

    def _board(self, script: BoardScript, misdeed: Deed | None) -> BoardPlay:
        self._last = BoardPlay(
            hands=self.body,
            script=script,
            customs=self.hall.customs,
            furniture=self.hall.kind.furniture,
            manner=self.manner,
            ledger=self.ledger,
            misdeed=misdeed,
            word=self.words,
        )
        return self._last
