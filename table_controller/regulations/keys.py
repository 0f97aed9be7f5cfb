"""Every provision that exists, with the form its value must have.

A key that is not here is unknown and is refused wherever it stands; a value its parser does not take is
refused with what was expected. Adding a provision means a row here, a field in `model`, a value in
`profiles/laws-2017.toml` and its words. Must never hold a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from table_controller.regulations import strategies as named
from table_controller.regulations.forms import faces, law_numbers, movers, one_of, positive, yes_or_no
from table_controller.regulations.time_tables import SlowShares
from table_controller.regulations.time_tables_toml import forfeit_table, time_table

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Generic[T_co]):
    """A provision's dotted name and the reader of its value, which raises ValueError with what it expects."""

    name: str
    parse: Callable[[object], T_co]


def key(name: str, parse: Callable[[object], T]) -> Key[T]:
    return Key(name=name, parse=parse)


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
CLOCK_LATE = key("clock.late", time_table)
CLOCK_SLOW = key("clock.slow", time_table)
CLOCK_SLOW_SHARES = key("clock.slow_shares", one_of(SlowShares))
CLOCK_FORFEIT = key("clock.forfeit", forfeit_table)

_HERE: tuple[object, ...] = tuple(globals().values())
ALL: dict[str, Key[object]] = {found.name: found for found in _HERE if isinstance(found, Key)}
"""Every provision by name, in the order a sheet shows them."""

IN_SECONDS: tuple[str, ...] = tuple(name for name in ALL if name.endswith("_s"))
"""The provisions that are waits in seconds: what a scenario at sixty times the speed divides."""
