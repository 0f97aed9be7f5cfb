"""Which pair sat where: a pair is followed over the tables and rounds of an evening by its tokens.

Pure. Where no line-up was laid down, a pair is a table's North-South or East-West, and no more is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from director_console.projection.contest import Plan
from table_controller.laws.seat import Partnership, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A pair at a table, from when the plan was laid down until the next one for that table, Unix ms."""

    table: str
    partnership: Partnership
    since: int
    until: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """`tokens`: of the two players; empty where no line-up says who they are."""

    partnership: Partnership
    tokens: frozenset[str]
    sittings: tuple[Sitting, ...]


def pairs_at(plans: Iterable[Plan], table: str) -> tuple[Pair, Pair]:
    """The pairs now at this table, NS and EW, and everywhere they have sat. `plans`: the latest first."""
    laid = tuple(reversed(tuple(plans)))
    holding = next((plan for plan in reversed(laid) if plan.concerns(table)), None)
    ns, ew = (_pair(laid, holding, table, pair) for pair in Partnership)
    return ns, ew


def _pair(laid: tuple[Plan, ...], holding: Plan | None, table: str, partnership: Partnership) -> Pair:
    tokens = _tokens(holding, table, partnership)
    if not tokens:
        alone = Sitting(table=table, partnership=partnership, since=0, until=None)
        return Pair(partnership=partnership, tokens=frozenset(), sittings=(alone,))
    found: list[Sitting] = []
    for number, plan in enumerate(laid):
        for where in plan.lineup:
            for side in Partnership:
                if plan.concerns(where) and _tokens(plan, where, side) == tokens:
                    until = next((later.at for later in laid[number + 1 :] if later.concerns(where)), None)
                    found.append(Sitting(table=where, partnership=side, since=plan.at, until=until))
    return Pair(partnership=partnership, tokens=tokens, sittings=tuple(found))


def _tokens(plan: Plan | None, table: str, partnership: Partnership) -> frozenset[str]:
    seats: Mapping[str, str] = {} if plan is None else plan.lineup.get(table, {})
    found = frozenset(seats.get(seat.value, "") for seat in Seat if seat.partnership is partnership)
    return frozenset() if "" in found or len(found) < 2 else found
