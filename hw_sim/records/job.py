"""What is asked for when recorded games are played: how deep, at how many tables, how fast."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hw_sim.table.wiring import TableKind

A_NEW_FOLDER = "name another folder, not there yet, with --keep"
"""What to do where journals and ledgers cannot be kept."""


class Through(StrEnum):
    """How deep a game goes: to the core alone, or below the drivers of a real controller."""

    CORE = "core"
    WIRE = "wire"
    GPIO = "gpio"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How games are played. `tables` 0: as many as this machine does well. `speed` as in `Hall`.

    `keep`: a folder, not there yet, that keeps journals, ledgers and what was said (not by the core).
    """

    through: Through
    tables: int = 0
    speed: float = float("inf")
    regulations: str = "ccba-2006"
    kind: TableKind = TableKind.FULL
    keep: Path | None = None

    @property
    def workers(self) -> int:
        """How many tables there are."""
        if self.tables:
            return self.tables
        cores = os.cpu_count() or 1
        return cores if self.through is Through.CORE else 2 * cores
