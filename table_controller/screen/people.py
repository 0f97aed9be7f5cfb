"""Noting what players do besides calling and playing: alerts, hands, seats, the summons.

Must never hold a name: players are opaque tokens.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.seat import Seat
from table_controller.screen.calls import set_auction
from table_controller.screen.events import AlertPlaced, AlertRemoved, DirectorSummoned
from table_controller.screen.facts import Alert
from table_controller.screen.moment import AlertUp, Moment


def note_alert(m: Moment, event: AlertPlaced) -> None:
    """Until the alerter has called on this visit it means his partner's last call, afterwards his own."""
    index = _meant(m, event.seat)
    uid = None
    if index is not None:
        auction = m.now.auction
        laid = auction.laid[index]
        uid = laid.uid
        if event.seat not in laid.alerted:
            marked = replace(laid, alerted=(*laid.alerted, event.seat))
            set_auction(m, replace(auction, laid=(*auction.laid[:index], marked, *auction.laid[index + 1 :])))
    others = tuple(one for one in m.now.alerts if one.seat is not event.seat)
    m.now = replace(m.now, alerts=(*others, Alert(seat=event.seat, at=m.at, uid=uid)))


def _meant(m: Moment, seat: Seat) -> int | None:
    auction = m.now.auction
    called = any(laid.seat is seat and laid.stay == m.now.tray.stay for laid in auction.laid)
    about = seat if called else seat.partner
    return next((i for i in range(len(auction.laid) - 1, -1, -1) if auction.laid[i].seat is about), None)


def note_alert_removed(m: Moment, event: AlertRemoved) -> None:
    alert = next((one for one in m.now.alerts if one.seat is event.seat), None)
    if alert is not None:
        m.now = replace(m.now, alerts=tuple(one for one in m.now.alerts if one is not alert))
        m.happened.append(AlertUp(seat=event.seat, uid=alert.uid, after=m.at - alert.at))


def note_summons(m: Moment, event: DirectorSummoned) -> None:
    """After a claim a summons means that it was contested."""
    play = m.now.play
    if play.claimed_by is not None and not play.contested:
        m.now = replace(m.now, play=replace(play, contested=True))
