"""What the table waits for, in one code with its seat or face: why the window is shut, and what is next.

Pure. Made of the controller's own reports (its last view, its faults), of what players are used to, and of
what an eye above the table sees. Must never know a reason that the controller has not given.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.bench.contract import TableFrame, Waits
from hw_sim.players.customs import Customs, Furniture, Opening, WindowKind
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import TableView
from table_controller.screen.entry import FaultKind
from table_controller.screen.phases import Phase

CARDS = 52
NOTHING = Waits(code="nothing")
IN_THE_WAY = frozenset({FaultKind.WINDOW_OBSTRUCTED, FaultKind.WINDOW_JAMMED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """`view` and `faults` (those that stand) as last reported; `claimed`: who claimed in this play."""

    view: TableView
    faults: frozenset[FaultKind]
    claimed: Seat | None
    customs: Customs
    furniture: Furniture


def waits_for(known: Known, table: TableFrame) -> Waits:
    """What has to happen next."""
    view = known.view
    if view.holds:
        return Waits(code="hold")
    match view.phase:
        case Phase.SETUP:
            return _setup(table)
        case Phase.CLOSING:
            return _window_moves(known, open_=False)
        case Phase.AUCTION_NE | Phase.AUCTION_SW:
            return _auction(known)
        case Phase.LEAD_AWAITING:
            return _lead_awaited(view)
        case Phase.LEAD_DOWN:
            return _lead_down(known, table)
        case Phase.OPENING:
            return _window_moves(known, open_=True)
        case Phase.CLARIFICATION:
            return _of("face", view.leader or view.lead)
        case Phase.PLAY:
            return _play(known, table)
        case Phase.COMPLETE:
            return _lift(table)
        case _:
            return NOTHING


def _of(code: str, seat: Seat | None) -> Waits:
    return Waits.model_validate({"code": code, "seat": None if seat is None else seat.value})


def _setup(table: TableFrame) -> Waits:
    left = next((seat for seat, lies in table.alerts.items() if lies), None)
    if table.board is None and left is not None:
        return Waits(code="alert_left", seat=left)
    return Waits(code="board")


def _window_moves(known: Known, *, open_: bool) -> Waits:
    if known.faults & IN_THE_WAY:
        return Waits(code="blocked")
    opener = known.customs.window_by[0]
    if known.furniture.window is WindowKind.HAND:
        return _of("open_by_hand" if open_ else "close_by_hand", opener)
    return Waits(code="opening" if open_ else "closing")


def _auction(known: Known) -> Waits:
    view = known.view
    if view.turn is not None:
        side = known.customs.faces.side_of(view.turn)
        if view.tray in ("NE", "SW") and view.tray != side.value:
            return Waits.model_validate({"code": "tray", "side": side.value})
        return _of("call", view.turn)
    if unseen := _not_shown(view):
        return Waits.model_validate({"code": "passes_unshown", "side": unseen.value})
    return NOTHING


def _not_shown(view: TableView) -> ScreenSide | None:
    """The face that has not seen all of the auction."""
    return next(
        (side for side in ScreenSide if any(side not in shown.sides for shown in view.calls)),
        None,
    )


def _lead_awaited(view: TableView) -> Waits:
    return Waits(code="leader_unknown") if view.leader is None else _of("lead", view.leader)


def _lead_down(known: Known, table: TableFrame) -> Waits:
    """Why the window does not open on the lead that lies: the first thing that is missing."""
    view, customs = known.view, known.customs
    leader = view.leader
    if known.faults & IN_THE_WAY:
        return Waits(code="blocked")
    wrong = [seat for seat, lead in table.leads.items() if lead and leader and seat != leader.value]
    if wrong:
        return Waits(code="wrong_lead", seat=wrong[0])
    if customs.shown_first and (unseen := _not_shown(view)):
        return Waits.model_validate({"code": "unshown", "side": unseen.value})
    if customs.opening is Opening.LEAD_FACED and not view.lead_faced:
        return _of("window_face", leader or view.lead)
    if leader is None:
        return _of("handle", customs.window_by[0])
    if customs.opening is Opening.LEAD_ANNOUNCED and known.furniture.announce_button:
        return _of("announce", customs.faces.screenmate(leader))
    return Waits(code="opening") if view.window.value != "open" else NOTHING


def _play(known: Known, table: TableFrame) -> Waits:
    view = known.view
    if known.claimed is not None:
        return _of("claimed", known.claimed)
    if view.cards_played >= CARDS:
        return _lift(table)
    if any(table.columns.values()):
        return Waits(code="clear")
    return _of("card", view.turn) if view.turn is not None else Waits(code="play")


def _lift(table: TableFrame) -> Waits:
    return Waits(code="clear_lift" if any(table.columns.values()) else "lift")
