"""What a table can sense and move, and which checks it therefore cannot make.

No two built tables are alike. A check that lacks a sense is off and says so; it is never answered by a
guess. This is the only list of what each check needs: judges, doubts and the `check` command read it. Must
never know how a sense is wired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from table_controller.regulations.model import Regulations
from table_controller.regulations.strategies import (
    AlertHow,
    HoldOutput,
    MadeWhen,
    OpensOn,
    RaisedBy,
    StopCard,
)
from table_controller.screen.entry import Kind


class Sense(StrEnum):
    """Inputs by the names a table's configuration uses, then outputs."""

    TRAY = "tray"
    WINDOW = "window"
    WINDOW_HANDLE = "window.handle"
    LEAD = "lead"
    LEAD_FACE = "lead.face"
    ANNOUNCED = "announced"
    SUMMONS = "summons"
    BOARD = "board"
    BOARD_ID = "board.id"
    CALLS = "calls"
    RELEASED = "released"
    ALERTS = "alerts"
    MOVER = "mover"
    CLEARED = "cleared"
    AUCTION_OVER = "auction_over"
    CARDS = "cards"
    CLAIM = "claim"
    HANDS = "hands"
    SEATS = "seats"

    WINDOW_MOTOR = "window.motor"
    WINDOW_LATCH = "window.latch"
    WINDOW_LAMP = "window.lamp"
    HOLD = "hold"

    @property
    def is_output(self) -> bool:
        return self in _OUTPUTS


_OUTPUTS = frozenset({Sense.WINDOW_MOTOR, Sense.WINDOW_LATCH, Sense.WINDOW_LAMP, Sense.HOLD})


def parse_senses(names: Iterable[str]) -> frozenset[Sense]:
    """Raises ValueError with one sentence for a name that is no sense."""
    try:
        return frozenset(Sense(name) for name in names)
    except ValueError as error:
        raise ValueError(f"{error.args[0]}; the senses are {', '.join(Sense)}") from None


_S = Sense
_TRAY_AND_CALLS = frozenset({_S.TRAY, _S.CALLS})
_CALLS = frozenset({_S.CALLS})
_LEADER = frozenset({_S.LEAD, _S.CALLS})
"""The leader is known from the calls; without call readers only if the director has given the contract."""

NEEDS: Mapping[Kind, frozenset[Sense]] = {
    Kind.WINDOW_NOT_CLOSED: frozenset({_S.WINDOW, _S.TRAY}),
    Kind.WINDOW_OPENED_IN_AUCTION: frozenset({_S.WINDOW}),
    Kind.WINDOW_OPENED_BEFORE_LEAD: frozenset({_S.WINDOW}) | _LEADER,
    Kind.WINDOW_OPENED_BY_DECLARING_SIDE: frozenset({_S.WINDOW, _S.WINDOW_HANDLE, _S.LEAD_FACE}) | _LEADER,
    Kind.WINDOW_STILL_CLOSED: frozenset({_S.WINDOW}) | _LEADER,
    Kind.WINDOW_FORCED_IN_HOLD: frozenset({_S.WINDOW}),
    Kind.TRAY_ON_WRONG_FACE: _TRAY_AND_CALLS,
    Kind.TRAY_CROSSED_EARLY: _TRAY_AND_CALLS,
    Kind.TRAY_CROSSED_WITHOUT_CALLS: _TRAY_AND_CALLS,
    Kind.TRAY_MOVED_BY_WRONG_SEAT: frozenset({_S.TRAY, _S.MOVER}),
    Kind.TRAY_STALLED: frozenset({_S.TRAY}),
    Kind.TRAY_FORGOTTEN: _TRAY_AND_CALLS,
    Kind.BOARD_OFF_TRAY: frozenset({_S.BOARD}),
    Kind.WRONG_BOARD: frozenset({_S.BOARD_ID}),
    Kind.AUCTION_NOT_SHOWN: _TRAY_AND_CALLS,
    Kind.AUCTION_DIVERGED: _CALLS,
    Kind.INSUFFICIENT_BID: _CALLS,
    Kind.CALL_OUT_OF_ROTATION: _CALLS,
    Kind.INADMISSIBLE_DOUBLE: _CALLS,
    Kind.INADMISSIBLE_REDOUBLE: _CALLS,
    Kind.CALL_AFTER_FINAL_PASS: _CALLS,
    Kind.CHANGE_OF_CALL: _CALLS,
    Kind.CALL_WITHDRAWN: _CALLS,
    Kind.SIMULTANEOUS_CALLS: _CALLS,
    Kind.CALL_VIOLATING_OBLIGATION_TO_PASS: _CALLS,
    Kind.STOP_CARD_USED: _CALLS,
    Kind.OPENING_LEAD_OUT_OF_TURN: _LEADER,
    Kind.LEAD_BEFORE_PLAY_PERIOD: _LEADER,
    Kind.LEAD_FACED_EARLY: frozenset({_S.LEAD_FACE}) | _LEADER,
    Kind.LEAD_CHANGED: _LEADER,
    Kind.ALERT_ON_ONE_FACE_ONLY: frozenset({_S.ALERTS, _S.CALLS}),
    Kind.ALERT_TAKEN_BACK_AT_ONCE: frozenset({_S.ALERTS}),
    Kind.HANDS_OUT_BEFORE_CLOSED: frozenset({_S.HANDS, _S.WINDOW}),
    Kind.WRONG_PLAYER: frozenset({_S.SEATS}),
    Kind.AUCTION_STUCK: _CALLS,
    Kind.AUCTION_OVER_INFERRED: frozenset({_S.LEAD}),
    Kind.SUMMONS: frozenset({_S.SUMMONS}),
    Kind.LATE_ARRIVAL: frozenset({_S.BOARD}),
    Kind.SLOW_PLAY: frozenset({_S.BOARD}),
}
"""What each check needs. LATE_ARRIVAL and SLOW_PLAY need a session besides, and are the clock's to judge."""

LEADER_FROM_CONTRACT = frozenset(
    {
        Kind.WINDOW_OPENED_BEFORE_LEAD,
        Kind.WINDOW_OPENED_BY_DECLARING_SIDE,
        Kind.WINDOW_STILL_CLOSED,
        Kind.OPENING_LEAD_OUT_OF_TURN,
        Kind.LEAD_FACED_EARLY,
        Kind.LEAD_CHANGED,
    }
)
"""Checks that need the calls only to know the leader: on while the director has given the contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Why one check is off at this table under these regulations."""

    check: str
    why: str


def lacking(kind: Kind, senses: frozenset[Sense]) -> frozenset[Sense]:
    """The senses this check needs and this table has not."""
    return NEEDS.get(kind, frozenset()) - senses


def checks_off(regulations: Regulations, senses: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Every check that is off, with one sentence why, and what stands in for a sense the profile asks for.

    Besides the kinds of the catalogue the names `window.opens_on`, `call.made_when`, `tray.hold_output`,
    `stages` and `contract` appear, where the profile asks for what the table cannot sense.
    """
    has = parse_senses(senses)
    found = [*_kinds_off(regulations, has), *_stand_ins(regulations, has)]
    return tuple((missing.check, missing.why) for missing in found)


def kinds_off(regulations: Regulations, senses: frozenset[Sense]) -> frozenset[Kind]:
    """The kinds this table never reports under these regulations, `LEADER_FROM_CONTRACT` apart."""
    return frozenset(Kind(missing.check) for missing in _kinds_off(regulations, senses))


def _kinds_off(regulations: Regulations, has: frozenset[Sense]) -> Iterable[Missing]:
    for kind in NEEDS:
        if missing := lacking(kind, has):
            yield Missing(check=kind, why=_why_missing(kind, missing))
        elif why := _why_not_asked(kind, regulations, has):
            yield Missing(check=kind, why=why)


def _why_missing(kind: Kind, missing: frozenset[Sense]) -> str:
    names = ", ".join(sorted(missing))
    if missing == _CALLS and kind in LEADER_FROM_CONTRACT:
        return "calls are not read, so the leader is known only when the director has given the contract"
    return f"this table does not sense {names}"


def _why_not_asked(kind: Kind, regulations: Regulations, has: frozenset[Sense]) -> str:
    match kind:
        case Kind.WINDOW_STILL_CLOSED if _S.WINDOW_MOTOR in has:
            return "the window is moved by a motor"
        case Kind.HANDS_OUT_BEFORE_CLOSED if not regulations.window.closed_before.value.covers_hands:
            return "these regulations do not say that hands wait for the window"
        case Kind.STOP_CARD_USED if regulations.stop_card.use.value is not StopCard.NOT_USED:
            return "these regulations are silent about the stop card"
        case Kind.ALERT_TAKEN_BACK_AT_ONCE if regulations.alert.how.value is not AlertHow.CARD_TAKEN_BACK:
            return "these regulations do not have the alert card taken back on acknowledgement"
        case Kind.AUCTION_OVER_INFERRED if _S.CALLS in has:
            return "calls are read, so the end of the auction is known from them"
    return ""


def _stand_ins(regulations: Regulations, has: frozenset[Sense]) -> Iterable[Missing]:
    opens_on = regulations.window.opens_on.value
    needed = {OpensOn.LEAD_ANNOUNCED: _S.ANNOUNCED, OpensOn.LEAD_FACED: _S.LEAD_FACE}.get(opens_on, _S.LEAD)
    if needed not in has:
        yield Missing(
            check="window.opens_on",
            why=f"this table does not sense {needed}: the window opens by hand or on the director's order",
        )
    if regulations.call.made_when.value is MadeWhen.RELEASED and _S.CALLS in has and _S.RELEASED not in has:
        yield Missing(check="call.made_when", why="this table does not sense released: made means placed")
    if regulations.tray.hold_output.value is HoldOutput.WHILE_OWED and _S.HOLD not in has:
        yield Missing(check="tray.hold_output", why="this table has no hold output")
    if _S.CALLS not in has:
        yield Missing(check="stages", why="calls are not read: no stages, and no call is known to be owed")
        yield Missing(check="contract", why="calls are not read: the contract is the director's to give")
    if regulations.tempo.raised_by.value is RaisedBy.ANYONE:
        yield Missing(
            check="TEMPO_RAISED_ON_SAME_FACE", why="these regulations let anyone raise a break in tempo"
        )
    elif _S.SUMMONS not in has:
        yield Missing(check="TEMPO_RAISED_ON_SAME_FACE", why="this table does not sense summons")
