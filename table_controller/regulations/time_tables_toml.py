"""Late, slow and forfeit tables as TOML writes them.

Readers for `keys`: each takes a TOML value and returns the typed table, or raises ValueError saying what it
expected. Must never supply a figure that is not written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from table_controller.regulations.forms import fields, one_of, shown
from table_controller.regulations.time_tables import (
    BoardScore,
    Contest,
    Deduct,
    DeductPerMinute,
    Deed,
    ForfeitTable,
    Imps,
    MayDropBoards,
    Row,
    Score,
    Step,
    TimeTable,
    Unit,
    UnplayedBoards,
    Warn,
)

E = TypeVar("E", bound=StrEnum)


def time_table(value: object) -> TimeTable:
    """`{ teams_vp = [rows], ... }`; each row `{ up_to = MINUTES or "more", steps = [...] }`."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a table of contests, not {shown(value)}")
    return TimeTable(
        by_contest=tuple((one_of(Contest)(contest), _rows(contest, rows)) for contest, rows in value.items())
    )


def _rows(contest: str, value: object) -> tuple[Row, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{contest}: expected a list of rows, not {shown(value)}")
    rows = tuple(_row(contest, item) for item in value)
    bounds = [row.up_to_min for row in rows]
    known = [bound for bound in bounds[:-1] if bound is not None]
    if bounds[-1] is not None or len(known) != len(bounds) - 1 or known != sorted(set(known)):
        raise ValueError(f"{contest}: expected rows with rising up_to and 'more' last")
    if any(isinstance(step, Warn) and step.again is None for step in rows[-1].steps):
        raise ValueError(f"{contest}: expected a row after the one that says 'next_row'")
    return rows


def _row(contest: str, value: object) -> Row:
    found = fields(value, required=("up_to", "steps"), optional=("second_reading",))
    up_to = found["up_to"]
    return Row(
        up_to_min=None if up_to == "more" else _whole(up_to, f"{contest}: up_to"),
        steps=_steps(found["steps"]),
        second_reading=_steps(found["second_reading"]) if "second_reading" in found else None,
    )


def _steps(value: object) -> tuple[Step, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of steps, not {shown(value)}")
    return tuple(_step(item) for item in value)


def _step(value: object) -> Step:
    """One step: a bare word for a deed, else a table whose `do` says which."""
    if isinstance(value, str):
        return one_of(Deed)(value)
    if not isinstance(value, dict):
        raise ValueError(f"expected a step, not {shown(value)}")
    match value.get("do"):
        case "deduct":
            found = fields(value, required=("do", "amount", "unit"))
            return Deduct(amount=number(found["amount"]), unit=one_of(Unit)(found["unit"]))
        case "deduct_per_minute":
            found = fields(value, required=("do", "amount", "unit", "above"))
            return DeductPerMinute(
                amount=number(found["amount"]),
                unit=one_of(Unit)(found["unit"]),
                above_min=_whole(found["above"], "above"),
            )
        case "warn":
            again = fields(value, required=("do", "again"))["again"]
            return Warn(again=None if again == "next_row" else _again(again))
        case "may_drop_boards":
            found = fields(value, required=("do", "least", "most", "offender", "other"))
            least, most = _whole(found["least"], "least"), _whole(found["most"], "most")
            if not 1 <= least <= most:
                raise ValueError(f"expected least from 1 up to most, not {least} and {most}")
            offender, other = _both(found)
            return MayDropBoards(least=least, most=most, offender=offender, other=other)
        case "unplayed_boards":
            offender, other = _both(fields(value, required=("do", "offender", "other")))
            return UnplayedBoards(offender=offender, other=other)
        case do:
            raise ValueError(
                "expected do = deduct, deduct_per_minute, warn, may_drop_boards or unplayed_boards, "
                f"not {shown(do)}"
            )


def _again(value: object) -> Deduct:
    found = fields(value, required=("amount", "unit"))
    return Deduct(amount=number(found["amount"]), unit=one_of(Unit)(found["unit"]))


def _both(found: Mapping[str, object]) -> tuple[Score, Score]:
    return _score(found["offender"]), _score(found["other"])


def _score(value: object) -> Score:
    """A matchpoint score by name, or a number of IMPs."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return Imps(amount=Decimal(str(value)))
    return one_of(BoardScore)(value)


def _whole(value: object, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError(f"{name}: expected a whole number, not {shown(value)}")


def number(value: object) -> Decimal:
    """A finite number above zero, exact as written."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        found = Decimal(str(value))
        if found.is_finite() and found > 0:
            return found
    raise ValueError(f"expected a number above zero, not {shown(value)}")


_FORFEIT_NUMBERS = (
    "drawn_times",
    "opposite_of",
    "opposite_on_top",
    "board_a_match",
    "board_a_match_small",
    "results_kept_from",
)
_FORFEIT_WHOLE = ("out_after_running", "out_after_in_all")
_FORFEIT_BOARDS = ("pairs_matchpoints", "pairs_imp")


def forfeit_table(value: object) -> ForfeitTable | None:
    """The forfeit figures, all of them; an empty table means that the authority has none."""
    if value == {}:
        return None
    found = fields(value, required=(*_FORFEIT_NUMBERS, *_FORFEIT_WHOLE, *_FORFEIT_BOARDS))
    numbers = {name: number(found[name]) for name in _FORFEIT_NUMBERS}
    boards = {name: _both(fields(found[name], required=("offender", "other"))) for name in _FORFEIT_BOARDS}
    return ForfeitTable(
        drawn_times=numbers["drawn_times"],
        opposite_of=numbers["opposite_of"],
        opposite_on_top=numbers["opposite_on_top"],
        board_a_match=numbers["board_a_match"],
        board_a_match_small=numbers["board_a_match_small"],
        pairs_matchpoints=_unplayed(boards["pairs_matchpoints"]),
        pairs_imp=_unplayed(boards["pairs_imp"]),
        out_after_running=_whole(found["out_after_running"], "out_after_running"),
        out_after_in_all=_whole(found["out_after_in_all"], "out_after_in_all"),
        results_kept_from=numbers["results_kept_from"],
    )


def _unplayed(both: tuple[Score, Score]) -> UnplayedBoards:
    return UnplayedBoards(offender=both[0], other=both[1])
