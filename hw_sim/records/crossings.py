"""How often the tray crosses in an auction, from the seats alone.

The measure by which what a table reports is compared with what was recorded, so it must never be taken
from a table: it knows seats and faces, no sensor and no procedure.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from table_controller.laws.auction import MadeCall
from table_controller.laws.seat import Faces


def crossings(calls: Iterable[MadeCall], faces: Faces | None = None) -> int:
    """Crossings between two calls made on different faces; the one that shows the end is none."""
    seated = Faces() if faces is None else faces
    sides = [seated.side_of(made.seat) for made in calls]
    return sum(before is not after for before, after in pairwise(sides))
