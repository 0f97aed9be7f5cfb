"""The supplement by which a scenario played through hardware need not wait for minutes.

A provision is made shorter, never a clock false.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hw_sim.core_runner.customs import regulations_of
from table_controller.regulations.faster import supplement

KEPT_UNDER_S = 2.0
"""A wait so short is no wait; divided, no hand could keep it."""
LEAST_S = 0.5
"""Shorter than this a busy machine is late by itself."""


def faster(profile: str, supplements: Sequence[Path], divisor: float) -> str:
    """The text of a supplement for this profile. Raises UnknownRegulations."""
    return supplement(
        regulations_of(profile, supplements), divisor, keep_under_s=KEPT_UNDER_S, least_s=LEAST_S
    )
