"""The bench's table: a scenario's table in real processes, with an ear at the metal.

Must never look into the controller but by what it publishes, and never take a console's receipts away: where
a console runs, it alone says what it has.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from hw_sim.bench.taps import Ear, HeardLine
from hw_sim.hardware.device_hub import DeviceHub
from hw_sim.refusals import Why
from hw_sim.scenario.deeds import DirectorDeed
from hw_sim.scenario.errors import CannotBePlayed
from hw_sim.scenario.full.body import ScenarioBody
from hw_sim.scenario.full.desk import Desk
from hw_sim.scenario.full.reports import Reports
from hw_sim.scenario.full.table import FullTable, Setting
from hw_sim.scenario.room import Levers, ScenarioHands
from table_controller.messages import Message
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb

SEED = 1
MISSING_NS = 500_000_000
"""So long a row may be behind a later one before it is asked for."""


class BenchTable(FullTable):
    """`on_row` hears every published row in its order; `turn` is called whenever some time has passed.

    `listens`: whether anything of the controller's can be heard now, and so waited for.
    """

    def __init__(
        self,
        name: str,
        setting: Setting,
        hub: DeviceHub,
        desk: Desk,
        ear: Ear,
        *,
        on_row: Callable[[Message], None],
        turn: Callable[[], None],
        console: Callable[[], bool],
        listens: Callable[[], bool],
    ) -> None:
        super().__init__(name, setting, hub, desk)
        self.reports = Reports(self.seen, on_row)
        self.heard_at = 0
        """When something new was reported last, monotonic ns."""
        self.between_deeds: int | None = None
        """A person's time from one deed to the next, ns; None: as usual."""
        self._missing_since: int | None = None
        self._turn = turn
        self._console = console
        self._listens = listens
        self.saying = ""
        """The line being done, as it is written."""
        self.on_order: Callable[[str], None] = lambda text: None
        """Told of each order of the director's that was given."""
        self.written: tuple[ScenarioHands, Levers] | None = None
        """Hands and levers that write down what they do, in place of the bare ones."""
        if self._device is not None:
            self._device.line = HeardLine(SEED, ear)

    @property
    def body(self) -> ScenarioBody:
        return self._body

    @property
    def running(self) -> bool:
        """Whether the controller's process is there."""
        return self._child is not None and self._child.alive

    @property
    def ended_by_itself(self) -> str | None:
        """What the controller said last, where it ended and nobody ended it; else None."""
        if self._child is None or self._child.alive:
            return None
        return self._last_words() or "it said nothing"

    @property
    def hands(self) -> ScenarioHands:
        return self._body if self.written is None else self.written[0]

    @property
    def levers(self) -> Levers:
        return self if self.written is None else self.written[1]

    @property
    def between(self) -> int:
        return super().between if self.between_deeds is None else self.between_deeds

    def let_pass(self, ns: int) -> bool:
        new = super().let_pass(ns)
        self._turn()
        return new

    def collect(self) -> bool:
        new = super().collect()
        now = time.monotonic_ns()
        if new:
            self.heard_at = now
        self._ask_for_missing(now)
        return new

    def _ask_for_missing(self, now: int) -> None:
        """A broker that was out may have passed rows on before we listened again: they are said anew."""
        missing = self.reports.missing
        if missing is None:
            self._missing_since = None
        elif self._missing_since is None:
            self._missing_since = now
        elif now - self._missing_since > MISSING_NS and self._listens():
            self._missing_since = now
            first, last = missing
            args: dict[str, Json] = {"epoch": self.reports.epoch, "first": first, "last": last}
            self._desk.order(self.name, (Verb.REPLAY, args), self.reports)

    def order(self, deed: DirectorDeed) -> None:
        if not self._listens():
            raise CannotBePlayed(
                "the broker is out: no order of the director's reaches the table", Why.BROKER_OUT
            )
        super().order(deed)
        self.on_order(self.saying)

    def come_back(self) -> int:
        if self.ended_by_itself is not None and self._child is not None:
            self._supervisor.children.remove(self._child)
            self._child = None
        return super().come_back()

    @property
    def cable_in(self) -> bool:
        """Whether the device can be reached; a header's pins always can."""
        return self._device is None or self._device.link_path.is_symlink()

    def _await(self, seen: Callable[[], bool], what: str) -> None:
        if self._listens():
            super()._await(seen, what)

    def _confirm(self) -> None:
        if not self._console():
            super()._confirm()
