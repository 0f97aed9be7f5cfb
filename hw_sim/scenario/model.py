"""A scenario as it was read: a header, then lines that are deeds, expectations, or both.

Must never hold anything of a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hw_sim.scenario.deeds import Deed
from hw_sim.scenario.expectations import Expectation
from hw_sim.table.changes import SECOND
from hw_sim.table.tags import BoardTag
from hw_sim.table.wiring import TableKind
from table_controller.laws.seat import ScreenSide

DEFAULT_REGULATIONS = "ccba-2006"
DIVISOR = 60.0
"""By how much the full runner divides waits of a second or more, and provisions in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`number` from 1, `text` as written. Without a deed the expectations are about how things stand."""

    number: int
    text: str
    deed: Deed | None = None
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One file. `shows` is its first sentence.

    `regulations_line`: where they are said; None: nowhere. `without` and `more`: senses this table lacks or
    has beyond those of its kind. `tray_on` None: the dealer's face. `window_takes`: the motor's whole way,
    ns. `not_in_full`: why it cannot be played through hardware.
    """

    path: Path
    shows: str
    regulations: str = DEFAULT_REGULATIONS
    regulations_line: int | None = None
    supplements: tuple[Path, ...] = ()
    kind: TableKind = TableKind.FULL
    without: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()
    board: BoardTag
    tray_on: ScreenSide | None = None
    window_takes: int | None = None
    not_in_full: str | None = None
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        """The file without its ending, with the folder it lies in."""
        return f"{self.path.parent.name}/{self.path.stem}"


USUAL_WINDOW = SECOND
"""How long a scenario's window takes where the file says nothing; in full the quickest there is."""
