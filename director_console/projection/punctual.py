"""Which tables are on time and which are delayed, for everybody: one truth value a table.

Pure. Must never need, or tell, why a table is delayed or whose time it was. A table of which nothing is known
is left out, for a table that is silent is not late.
"""

from __future__ import annotations

from collections.abc import Mapping

from director_console.projection.hall import Hall
from director_console.projection.standing import Standing, standing_of

GRACE_MS = 60_000
"""A board laid down within a minute of the start is in time for everybody but the articles."""
OVER_MS = 12 * 3600 * 1000
"""So long after its start a session that nobody ended is yesterday's, and says nothing of today."""


def delayed_tables(hall: Hall, now: int) -> Mapping[str, bool]:
    """By table, in the order of the wall."""
    found = ((name, is_delayed(standing_of(hall, name, now), now)) for name in hall.order)
    return {name: delayed for name, delayed in found if delayed is not None}


def is_delayed(standing: Standing, now: int) -> bool | None:
    """Not begun when it should have been, two boards behind the plan, or out of time; None: not known."""
    plan = standing.plan
    if plan is None or plan.start is None or not standing.heard:
        return None
    since = now - plan.start
    if since > OVER_MS:
        return None
    if standing.ended or since <= 0:
        return False
    if not standing.arrived:
        return since > GRACE_MS
    expected = min(standing.finished + 2, len(plan.boards))
    return since > plan.allowed(expected) if standing.finished < len(plan.boards) else False
