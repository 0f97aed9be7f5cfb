"""Every provision that exists, with the form its value must have.

A key that is not here is unknown and is refused wherever it stands; a value its parser does not take is
refused with what was expected. Adding a provision means a row here, a field in `model`, a value in
`profiles/laws-2017.toml` and its words. Must never hold a value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from table_controller.laws.seat import Faces, Seat
from table_controller.regulations import strategies as named
from table_controller.regulations.model import LawNumbers, Movers

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Generic[T_co]):
    """A provision's dotted name and the reader of its value, which raises ValueError with what it expects."""

    name: str
    parse: Callable[[object], T_co]


def key(name: str, parse: Callable[[object], T]) -> Key[T]:
    return Key(name=name, parse=parse)


def one_of(kind: type[E]) -> Callable[[object], E]:
    """A reader for a named strategy, written as its value."""

    def parse(value: object) -> E:
        for member in kind:
            if value == member.value and isinstance(value, str):
                return member
        raise ValueError(f"expected one of {', '.join(member.value for member in kind)}, not {shown(value)}")

    return parse


def yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, not {shown(value)}")


def positive(value: object) -> float:
    """A positive, finite number (seconds or milliseconds by the key's ending)."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        return float(value)
    raise ValueError(f"expected a number above zero, not {shown(value)}")


def seat(value: object) -> Seat:
    return one_of(Seat)(value)


def table(value: object, *fields: str) -> Mapping[str, object]:
    """A TOML table with exactly these fields."""
    wanted = f"expected a table with {' and '.join(fields)}"
    if not isinstance(value, dict):
        raise ValueError(f"{wanted}, not {shown(value)}")
    if set(value) != set(fields):
        raise ValueError(f"{wanted}, not with {', '.join(map(str, value)) or 'nothing'}")
    return value


def _two_seats(value: object) -> tuple[Seat, Seat]:
    if isinstance(value, list) and len(value) == 2:
        return seat(value[0]), seat(value[1])
    raise ValueError(f"expected two seats such as ['N', 'E'], not {shown(value)}")


def faces(value: object) -> Faces:
    both = table(value, "ne", "sw")
    return Faces(ne=_two_seats(both["ne"]), sw=_two_seats(both["sw"]))


def movers(value: object) -> Movers:
    both = table(value, "ne", "sw")
    return Movers(ne=seat(both["ne"]), sw=seat(both["sw"]))


def law_numbers(value: object) -> LawNumbers:
    """A table of older numbers to 2017 numbers, both as text."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a table such as {{ '34' = '17D3' }}, not {shown(value)}")
    pairs: list[tuple[str, str]] = []
    for old, new in value.items():
        if not isinstance(new, str) or not new:
            raise ValueError(f"expected text for the 2017 number of {old}, not {shown(new)}")
        pairs.append((str(old), new))
    return LawNumbers(pairs=tuple(pairs))


def shown(value: object) -> str:
    """A value as it may stand in a sentence: short, on one line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


SEATS_SCREEN_SIDES = key("seats.screen_sides", faces)
TRAY_MOVERS = key("tray.movers", movers)
TRAY_HOLD_OUTPUT = key("tray.hold_output", one_of(named.HoldOutput))
TRAY_STALLED_AFTER_S = key("tray.stalled_after_s", positive)
TRAY_FORGOTTEN_AFTER_S = key("tray.forgotten_after_s", positive)
BOARD_ON_TRAY = key("board.on_tray", one_of(named.OnTray))
BOARD_BACK_WITHIN_S = key("board.back_within_s", positive)
CALL_MADE_WHEN = key("call.made_when", one_of(named.MadeWhen))
WINDOW_OPENS_ON = key("window.opens_on", one_of(named.OpensOn))
WINDOW_OPENED_BY = key("window.opened_by", one_of(named.OpenedBy))
WINDOW_CLOSED_BEFORE = key("window.closed_before", one_of(named.ClosedBefore))
WINDOW_OPEN_WITHIN_S = key("window.open_within_s", positive)
TEMPO_REFERENCE_S = key("tempo.reference_s", positive)
TEMPO_RAISED_BY = key("tempo.raised_by", one_of(named.RaisedBy))
TEMPO_MAY_VARY = key("tempo.may_vary", yes_or_no)
IRREGULAR_NOT_CROSSED = key("irregular.not_crossed", one_of(named.NotCrossed))
IRREGULAR_CROSSED = key("irregular.crossed", one_of(named.Crossed))
IRREGULAR_RETURNED = key("irregular.returned", one_of(named.Returned))
IRREGULAR_INFORMATION = key("irregular.information", one_of(named.CancelledInformation))
IRREGULAR_ATTENTION_BY = key("irregular.attention_by", one_of(named.AttentionBy))
SIMULTANEOUS_WITHIN_MS = key("simultaneous.within_ms", positive)
SIMULTANEOUS_COURSE = key("simultaneous.course", one_of(named.SimultaneousCourse))
ALERT_HOW = key("alert.how", one_of(named.AlertHow))
ALERT_TAKEN_BACK_UNDER_S = key("alert.taken_back_under_s", positive)
EXPLANATION_HOW = key("explanation.how", one_of(named.ExplanationHow))
AUCTION_CLEARED_AFTER = key("auction.cleared_after", one_of(named.ClearedAfter))
AUCTION_CLEARING_WITHIN_S = key("auction.clearing_within_s", positive)
AUCTION_SHOWN_BEFORE_WINDOW = key("auction.shown_before_window", yes_or_no)
LEAD_OUT_OF_TURN = key("lead.out_of_turn", one_of(named.LeadOutOfTurn))
DUMMY_MAY_POINT_OUT = key("dummy.may_point_out_exposed_card", yes_or_no)
LAW13_ONLY_IF_CROSSED = key("law13.only_if_crossed", yes_or_no)
STOP_CARD_USE = key("stop_card.use", one_of(named.StopCard))
ELECTRONIC_RECORD_ALLOWED = key("electronic_record.allowed", one_of(named.ElectronicRecord))
LAWS_CODE = key("laws.code", one_of(named.LawCode))
LAWS_NUMBERS = key("laws.numbers", law_numbers)
LAWS_REVOKE = key("laws.revoke", one_of(named.RevokeCourse))
LAWS_PLAY_AFTER_CLAIM = key("laws.play_after_claim", one_of(named.PlayAfterClaim))

_HERE: tuple[object, ...] = tuple(globals().values())
ALL: dict[str, Key[object]] = {found.name: found for found in _HERE if isinstance(found, Key)}
"""Every provision by name, in the order a sheet shows them."""

IN_SECONDS: tuple[str, ...] = tuple(name for name in ALL if name.endswith("_s"))
"""The provisions that are waits in seconds: what a scenario at sixty times the speed divides."""
