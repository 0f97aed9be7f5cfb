"""Why an order of the director's made no sense here: a code, and what it speaks of.

The core knows no language. A `Refusal` is a code with slots, and `words.refusal(code, slots, lang)` is the
sentence in the reader's language: the table answers with the English one, a console shows the viewer's.
Must never hold prose: a slot is a number, a seat, a call, a face, a phase or a hold's reason, as the core
spells it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WhyRefused(StrEnum):
    """Every reason the core has; the slots each fills are in `words/refusals.toml`."""

    NO_ENTRY_NAMED = "no_entry_named"
    NO_SUCH_ENTRY = "no_such_entry"
    ENTRY_RULED = "entry_ruled"
    ENTRY_CLOSED = "entry_closed"
    NO_SUMMONS = "no_summons"
    TURNS_BELOW_ONE = "turns_below_one"
    TRAY_ON_NEITHER_FACE = "tray_on_neither_face"
    NO_AUCTION_ON_TRAY = "no_auction_on_tray"
    WINDOW_OBSTRUCTED = "window_obstructed"
    BOARD_BELOW_ONE = "board_below_one"
    NO_SUCH_PAIR = "no_such_pair"
    NO_HOLD = "no_hold"
    NO_SUCH_HOLD = "no_such_hold"
    NO_BOARD = "no_board"
    BOARD_OVER = "board_over"
    NO_SUCH_CALL = "no_such_call"
    CONTRACT_NO_BID = "contract_no_bid"
    DECLARER_MISSING = "declarer_missing"
    DOUBLED_UNKNOWN = "doubled_unknown"
    AUCTION_NOT_OVER = "auction_not_over"
    PASSED_OUT = "passed_out"
    LEADER_DECLARES = "leader_declares"
    NO_SUCH_PHASE = "no_such_phase"
    PHASE_NO_BOARD = "phase_no_board"
    PHASE_BOARD_ON_TRAY = "phase_board_on_tray"
    PHASE_AUCTION_OVER = "phase_auction_over"
    PHASE_AUCTION_NOT_OVER = "phase_auction_not_over"
    PHASE_PASSED_OUT = "phase_passed_out"
    PHASE_TRAY_ELSEWHERE = "phase_tray_elsewhere"
    PHASE_LEAD_LIES = "phase_lead_lies"
    PHASE_NO_LEAD = "phase_no_lead"
    PHASE_LEAD_FACED = "phase_lead_faced"
    PHASE_OPENS_ON_NOT_MET = "phase_opens_on_not_met"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """`slots`: (name, value) in the spelling of the core, such as `("phase", "lead.awaiting")`."""

    code: WhyRefused
    slots: tuple[tuple[str, str], ...] = ()


def refusal(code: WhyRefused, **slots: object) -> Refusal:
    return Refusal(code=code, slots=tuple((name, str(value)) for name, value in slots.items()))
