"""How players behave under an authority: read off its regulations, so that a simulated evening keeps them.

Must never decide what an authority says, and never name one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from hw_sim.players.customs import Customs, Opening
from hw_sim.refusals import Refusing, Why
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.load import available, load
from table_controller.regulations.model import Regulations
from table_controller.regulations.strategies import OpenedBy, OpensOn

_OPENING = {
    OpensOn.LEAD_PLACED: Opening.LEAD_PLACED,
    OpensOn.LEAD_ANNOUNCED: Opening.LEAD_ANNOUNCED,
    OpensOn.LEAD_FACED: Opening.LEAD_FACED,
}
_OPENED_BY = {
    OpenedBy.WEST_AND_SOUTH: (Seat.W, Seat.S),
    OpenedBy.WEST: (Seat.W,),
    OpenedBy.DEFENDER: (Seat.W, Seat.S),
}


class UnknownRegulations(Refusing, ValueError):
    """No such profile, or it does not load; the message is one sentence."""


def known_regulations() -> tuple[str, ...]:
    """The ids that can be asked for."""
    return available()


@lru_cache(maxsize=16)
def _loaded(profile: str, supplements: tuple[Path, ...]) -> Regulations:
    try:
        return load(profile, supplements)
    except RegulationsError as problem:
        known = available()
        if profile in known:
            raise UnknownRegulations(str(problem), Why.REGULATIONS_DO_NOT_LOAD, regulations=profile) from None
        raise UnknownRegulations(
            str(problem), Why.NO_SUCH, thing="profile", name=profile, known=known
        ) from None


def regulations_of(profile: str, supplements: Sequence[Path] = ()) -> Regulations:
    """Raises UnknownRegulations."""
    return _loaded(profile, tuple(supplements))


def customs_of(profile: str, supplements: Sequence[Path] = ()) -> Customs:
    """The customs of the players under a profile. Raises UnknownRegulations."""
    regulations = regulations_of(profile, supplements)
    movers = regulations.tray.movers.value
    return Customs(
        faces=regulations.seats.screen_sides.value,
        movers={side: movers.on(side) for side in ScreenSide},
        window_by=_OPENED_BY[regulations.window.opened_by.value],
        hands_wait=regulations.window.closed_before.value.covers_hands,
        opening=_OPENING[regulations.window.opens_on.value],
        shown_first=regulations.auction.shown_before_window.value,
    )
