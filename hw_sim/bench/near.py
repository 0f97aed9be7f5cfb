"""What the players of one face see: the only room that looks at the body for a half-table view.

Pure. All that a half view sends is made of a `NearFrame` from here, at the ticks of its own clock. Must never
look at what the other face alone knows: where the tray is while it is not here, what lies on it then, what
the far players do behind a window that is not open. It hears nothing of the controller but the lamps of its
own face.
"""

from __future__ import annotations

from typing import Literal, Protocol

from hw_sim.bench.board_shape import board_shape
from hw_sim.bench.contract import FaceName, NearFrame, NearSeat, NearTray, NearWindow, SeatName
from hw_sim.refusals import Refusing, Why
from hw_sim.scenario import deeds as d
from hw_sim.scenario.deeds import Deed
from hw_sim.scenario.full.body import ScenarioBody
from table_controller.laws.seat import ScreenSide, Seat

PARTS = 20
"""The window's place is told in so many parts of its way: as exactly as an eye takes it."""
CALLS = (d.LayCall, d.LiftCall, d.LayStopCard, d.LiftStopCard, d.LayAlert, d.LiftAlert, d.ClearCards)
ANY_TIME = (
    d.LayLead,
    d.FaceLead,
    d.LiftLead,
    d.AnnounceLead,
    d.PlayCard,
    d.Claim,
    d.CallDirector,
    d.MoveWindow,
    d.WorkHandle,
)


class NotFromHere(Refusing, ValueError):
    """Somebody on this face could not do that, as everybody here can see. One sentence."""


class Sees(Protocol):
    """Whatever shows the present sight of a face."""

    def sight(self, face: FaceName) -> NearFrame | None: ...


def near_lamps(
    side: ScreenSide, body: ScenarioBody, opener: Seat, outputs: tuple[str, ...]
) -> dict[str, bool]:
    """The lamps on this face. Those of the window are on the face of whoever opens it."""
    seats = body.faces.seats_on(side)
    here = [f"summons.{seat.lower()}" for seat in seats] + [f"hold.{side.lower()}"]
    if opener in seats:
        here += ["window.lamp", "window.lamp.close"]
    return {name: body.lamp(name) for name in here if name in outputs}


def sight_of(side: ScreenSide, body: ScenarioBody, opener: Seat, outputs: tuple[str, ...]) -> NearFrame:
    """What the players of a face see now; `outputs` are the lamps this table has."""
    mine = body.faces.seats_on(side)
    theirs = body.faces.seats_on(side.other)
    return NearFrame(
        tick=0,
        face=side.value,
        tray=_tray(body) if body.tray_at is side else None,
        window=NearWindow(position=round(body.window_position * PARTS) / PARTS),
        seats={_name(seat): _seat(body, seat) for seat in mine},
        through={_name(seat): _seat(body, seat) for seat in theirs} if body.window_open else None,
        lamps=near_lamps(side, body, opener, outputs),
    )


def _tray(body: ScenarioBody) -> NearTray:
    levels = body.levels()
    return NearTray(
        board=board_shape(body),
        columns={_name(seat): list(body.cards_of(seat)) for seat in Seat},
        alerts={_name(seat): levels[f"alert.{seat.lower()}"] for seat in Seat},
        hands={_name(seat): levels[f"hand.{seat.lower()}"] for seat in Seat},
    )


def _seat(body: ScenarioBody, seat: Seat) -> NearSeat:
    faced = body.place_of_lead(seat)
    lead: Literal["", "down", "faced"] = "" if faced is None else "faced" if faced else "down"
    return NearSeat(lead=lead, played=body.tokens()[f"card.{seat.lower()}"])


def _name(seat: Seat) -> SeatName:
    return seat.value


def check_near(deed: Deed, face: FaceName, sight: NearFrame) -> None:
    """Whether somebody of this face may try this, by what he sees himself. Raises NotFromHere."""
    match deed:
        case d.PushTray(to=to, by=by):
            if to.value == face or (by is not None and by.value not in sight.seats):
                raise NotFromHere(
                    "from here the tray is pushed to the other face, by a player of this face",
                    Why.PUSH_TO_THE_OTHER_FACE,
                )
            _needs_tray(sight)
        case d.SendTray(by=by):
            _own(by, sight)
            _needs_tray(sight)
        case d.PressAuctionOver(side=side) | d.ClearFace(side=side) | d.TakeHandsOf(side=side):
            if side.value != face:
                raise NotFromHere(
                    f"the players of the {side} face do that, and they are not here",
                    Why.OTHER_FACES_DEED,
                    side=side,
                )
            if not isinstance(deed, d.PressAuctionOver):
                _needs_tray(sight)
        case d.PlaceBoard() | d.LiftBoard():
            _needs_tray(sight)
        case d.TakeHand(seat=seat) | d.ReturnHand(seat=seat):
            _own(seat, sight)
            _needs_tray(sight)
        case _ if isinstance(deed, CALLS):
            _own(deed.seat, sight)
            if sight.through is None:
                _needs_tray(sight)
        case _ if isinstance(deed, ANY_TIME):
            if deed.seat is None:
                raise NotFromHere("name the seat that does it: one of this face's two", Why.SEAT_NOT_NAMED)
            _own(deed.seat, sight)
        case _:
            raise NotFromHere(
                "the players of one face cannot do that; write a deed of one of its two seats",
                Why.NOT_FROM_ONE_FACE,
            )


def _own(seat: Seat, sight: NearFrame) -> None:
    if seat.value not in sight.seats:
        raise NotFromHere(
            f"{seat} does not sit on this face; its seats are {' and '.join(sight.seats)}",
            Why.SEAT_ELSEWHERE,
            seat=seat,
            seats=list(sight.seats),
        )


def _needs_tray(sight: NearFrame) -> None:
    if sight.tray is None:
        raise NotFromHere("the tray is not here; wait until it comes", Why.TRAY_NOT_HERE)
