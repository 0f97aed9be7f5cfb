"""The names of everything a table can sense, and which sense each belongs to.

One grammar, used by the configuration (to refuse a wrong name) and by sensing (to know what a wire means).
Must never know about pins.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table_controller.laws.seat import ScreenSide, Seat


class Meaning(StrEnum):
    """What a signal tells. The values are the names' heads, seat and face left out."""

    TRAY = "tray"
    WINDOW_CLOSED = "window.closed"
    WINDOW_OPEN = "window.open"
    WINDOW_OBSTRUCTED = "window.obstructed"
    WINDOW_OVERCURRENT = "window.overcurrent"
    WINDOW_HANDLE = "window.handle"
    LEAD_PRESENT = "lead.present"
    LEAD_FACED = "lead.faced"
    ANNOUNCED = "announced"
    DIRECTOR = "director"
    BOARD_PRESENT = "board.present"
    RELEASED = "released"
    ALERT = "alert"
    TRAY_HANDLE = "tray.handle"
    CLEARED = "cleared"
    AUCTION_OVER = "auction_over"
    CLAIM = "claim"
    HAND = "hand"
    BOARD_ID = "board.id"
    CALL = "call"
    CARD = "card"
    SEAT = "seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A parsed name. `seat` and `side` are set where the name has them."""

    name: str
    meaning: Meaning
    seat: Seat | None = None
    side: ScreenSide | None = None


def _every() -> tuple[dict[str, Signal], dict[str, Signal]]:
    levels: list[Signal] = []
    tokens: list[Signal] = [Signal(name="board.id", meaning=Meaning.BOARD_ID)]
    for meaning in (
        Meaning.WINDOW_CLOSED,
        Meaning.WINDOW_OPEN,
        Meaning.WINDOW_OBSTRUCTED,
        Meaning.WINDOW_OVERCURRENT,
        Meaning.BOARD_PRESENT,
    ):
        levels.append(Signal(name=meaning.value, meaning=meaning))
    for side in ScreenSide:
        for meaning in (Meaning.TRAY, Meaning.CLEARED, Meaning.AUCTION_OVER):
            levels.append(Signal(name=f"{meaning.value}.{side.lower()}", meaning=meaning, side=side))
        for seat in Seat:
            name = f"call.{side.lower()}.{seat.lower()}"
            tokens.append(Signal(name=name, meaning=Meaning.CALL, seat=seat, side=side))
    for seat in Seat:
        for meaning in (
            Meaning.WINDOW_HANDLE,
            Meaning.ANNOUNCED,
            Meaning.DIRECTOR,
            Meaning.RELEASED,
            Meaning.ALERT,
            Meaning.TRAY_HANDLE,
            Meaning.CLAIM,
            Meaning.HAND,
        ):
            levels.append(Signal(name=f"{meaning.value}.{seat.lower()}", meaning=meaning, seat=seat))
        levels.append(Signal(name=f"lead.{seat.lower()}.present", meaning=Meaning.LEAD_PRESENT, seat=seat))
        levels.append(Signal(name=f"lead.{seat.lower()}.faced", meaning=Meaning.LEAD_FACED, seat=seat))
        for meaning in (Meaning.CARD, Meaning.SEAT):
            tokens.append(Signal(name=f"{meaning.value}.{seat.lower()}", meaning=meaning, seat=seat))
    return {s.name: s for s in levels}, {s.name: s for s in tokens}


LEVELS, TOKENS = _every()
"""Every level signal and every token signal there is, by name."""

BUTTONS = frozenset(
    {Meaning.ANNOUNCED, Meaning.DIRECTOR, Meaning.AUCTION_OVER, Meaning.CLAIM},
)
"""What a hand presses and lets go: active for long, it is stuck."""


def _seats(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.format(seat.lower()) for seat in Seat)


def _sides(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.format(side.lower()) for side in ScreenSide)


@dataclass(frozen=True, slots=True, kw_only=True)
class SenseNeeds:
    """`signals` must all be wired; of `some` at least one; `senses` must be there too."""

    signals: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()


NEEDS: dict[str, SenseNeeds] = {
    "tray": SenseNeeds(signals=_sides("tray.{}")),
    "window": SenseNeeds(signals=("window.closed", "window.open")),
    "window.handle": SenseNeeds(some=_seats("window.handle.{}"), senses=("window",)),
    "lead": SenseNeeds(signals=_seats("lead.{}.present")),
    "lead.face": SenseNeeds(signals=_seats("lead.{}.faced"), senses=("lead",)),
    "announced": SenseNeeds(signals=_seats("announced.{}")),
    "summons": SenseNeeds(signals=_seats("director.{}")),
    "board": SenseNeeds(some=("board.present", "board.id")),
    "board.id": SenseNeeds(signals=("board.id",)),
    "calls": SenseNeeds(signals=(*_seats("call.ne.{}"), *_seats("call.sw.{}")), senses=("tray",)),
    "released": SenseNeeds(signals=_seats("released.{}"), senses=("calls",)),
    "alerts": SenseNeeds(signals=_seats("alert.{}")),
    "mover": SenseNeeds(some=_seats("tray.handle.{}"), senses=("tray",)),
    "cleared": SenseNeeds(signals=_sides("cleared.{}")),
    "auction_over": SenseNeeds(signals=_sides("auction_over.{}")),
    "cards": SenseNeeds(signals=_seats("card.{}")),
    "claim": SenseNeeds(signals=_seats("claim.{}")),
    "hands": SenseNeeds(signals=_seats("hand.{}")),
    "seats": SenseNeeds(signals=_seats("seat.{}")),
}
"""What each sense is made of."""

WITHOUT_SENSE = frozenset({"window.obstructed", "window.overcurrent"})
"""Inputs that protect the motor and belong to no sense of the procedure."""

_SENSE_OF = {name: sense for sense, needs in NEEDS.items() for name in (*needs.signals, *needs.some)}


def sense_of(signal: str) -> str | None:
    """The sense a signal belongs to; None for the motor's own protections."""
    return _SENSE_OF.get(signal)
