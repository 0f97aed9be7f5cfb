"""The hardware's misdeeds in the demonstration: on every board those that were asked for, each at its moment.

The same seed does the same to the same table. Must never reach a controller but by its wires, its cable and
its process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.hardware.host_faults import ControllerProcess
from hw_sim.hardware.wall import SteppableWall
from hw_sim.misdeeds.hardware import HardwareBench, NotHere, UnknownHardwareMisdeed
from hw_sim.misdeeds.order import MisdeedOrder, some_time
from hw_sim.misdeeds.timeline import Timeline
from hw_sim.processes.supervise import Child, program
from hw_sim.table.site import Site

USUAL_BOARD_S = 240.0
"""An order without a time comes within this, at the pace of real players."""


class DemoFaults:
    """`orders` on every board of every table. Begin before the tables, close after them."""

    def __init__(
        self, orders: Sequence[MisdeedOrder], *, seed: int, speed: float, say: Callable[[str], None]
    ) -> None:
        self._orders = tuple(orders)
        self._seed = seed
        self._within_s = USUAL_BOARD_S / max(speed, 1.0)
        self._say = say
        self._timeline = Timeline()
        self._benches: dict[str, HardwareBench] = {}
        self._walls: dict[str, SteppableWall] = {}

    def start(self) -> None:
        if self._orders:
            self._timeline.start()

    def close(self) -> None:
        if self._orders:
            self._timeline.close()

    def stand_between(self, site: Site) -> None:
        """Put the faulty wires between the table and its device. Before the table is started."""
        if not self._orders:
            return
        wires = FaultyWires(site.wires, self._timeline.after, Random(f"{self._seed}/wires/{site.name}"))
        site.wires = wires
        self._benches[site.name] = HardwareBench(
            spec=site.wiring.rig, wires=wires, after=self._timeline.after, cable=site.device
        )

    def environment(self, site: Site) -> dict[str, str]:
        """What its controller must be started with, so that its wall clock can be moved."""
        if site.name not in self._benches:
            return {}
        wall = self._walls[site.name] = SteppableWall(site.directory)
        return wall.environment()

    def controller(self, site: Site, child: Child) -> None:
        """Its controller's process, which may be stopped and rivalled."""
        if site.name in self._benches:
            rival = [*program("table-controller"), "doctor", "--config", str(site.config), "--seconds", "0"]
            step = self._walls[site.name].step
            self._benches[site.name].host = ControllerProcess(child.process, rival, step_wall=step)

    def on_board(self, site: Site, count: int) -> None:
        """Give every order for this board, its `count`-th. In the thread that works the table."""
        bench = self._benches.get(site.name)
        if bench is None:
            return
        for order in self._orders:
            random = Random(f"{self._seed}/{site.name}/{count}/{order.name}")
            at = some_time(random, self._within_s) if order.at is None else order.at
            timed = MisdeedOrder(name=order.name, options=order.options, at=at, seed=order.seed)
            try:
                timed.begin(bench, random.randrange(1 << 30), do=site.live.do)
            except (NotHere, UnknownHardwareMisdeed) as problem:
                self._say(f"table {site.name}: {problem}")
                continue
            self._say(f"table {site.name}: {order.name} in {at:.1f} s")
