"""Alerts, hands, seats and the summons."""

from __future__ import annotations

from dataclasses import replace

from table_controller.screen.beliefs import is_over
from table_controller.screen.book import (
    New,
    amend,
    freeze_stages,
    known_id,
    make_own,
    open_entries,
    open_entry,
    report,
)
from table_controller.screen.calls import set_auction
from table_controller.screen.entry import Entry, Fact, Kind, Standing
from table_controller.screen.event_base import WindowState
from table_controller.screen.events import DirectorSummoned, HandsTaken, SeatTaken
from table_controller.screen.facts import Laid
from table_controller.screen.moment import AlertUp, LeadLaid, Moment
from table_controller.screen.phases import Phase


def judge_people(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case AlertUp():
                _alert_up(m, happening)
            case LeadLaid() if is_over(m.now, m.rules):
                judge_alerts(m)
            case _:
                continue
    match m.event:
        case DirectorSummoned():
            _summoned(m, m.event)
        case SeatTaken():
            _seated(m, m.event)
        case HandsTaken():
            _hands(m, m.event)
        case _:
            return


def _alert_up(m: Moment, up: AlertUp) -> None:
    """Taken back at once, or left lying to the end of the visit: a fact, not a missing acknowledgement."""
    if up.after is not None and up.after >= m.rules.alert_at_once:
        return
    laid = _card(m, up.uid)
    if laid is not None and _waived(m, laid):
        return
    new = New(
        kinds=(Kind.ALERT_TAKEN_BACK_AT_ONCE,),
        seats=(up.seat,),
        side=m.rules.side_of(up.seat),
        call=None if laid is None else laid.call,
        facts=() if up.after is not None else (Fact(name="left_lying", at=m.at),),
    )
    report(m, new, ("alert_up", str(up.uid), up.seat))


def judge_alerts(m: Moment) -> None:
    """At the end of the auction: a call alerted on one face and not on the other.

    In a hold it waits: for the next lead, or the end of the board. Where the auction went on after all, what
    was reported before is not reported again.
    """
    auction = m.now.auction
    if auction.alerts_judged or m.held:
        return
    set_auction(m, replace(auction, alerts_judged=True))
    for laid in auction.laid:
        key = ("one_face", str(laid.uid))
        if len(laid.alerted) == 1 and known_id(m, key) is None and not _waived(m, laid):
            alerter = laid.alerted[0]
            new = New(
                kinds=(Kind.ALERT_ON_ONE_FACE_ONLY,),
                seats=(laid.seat,),
                side=m.rules.side_of(alerter),
                call=laid.call,
                facts=(Fact(name="alerted_by", text=alerter.value, at=m.at),),
            )
            report(m, new, key)


def _waived(m: Moment, laid: Laid) -> bool:
    session = m.now.session
    return session is not None and laid.seat.partnership in session.waived


def _card(m: Moment, uid: int | None) -> Laid | None:
    return next((laid for laid in m.now.auction.laid if laid.uid == uid), None)


def _summoned(m: Moment, event: DirectorSummoned) -> None:
    """Pressed again it is the same summons; on another board it is about that one, and a new one."""
    contested = m.now.play.contested and not m.before.play.contested
    fact = Fact(name="claim_contested", at=m.at) if contested else None
    for entry in open_entries(m, Kind.SUMMONS):
        if entry.seats == (event.seat,) and not _of_another_board(m, entry):
            amend(m, entry, fact=fact)
            make_own(m, entry.id)
            freeze_stages(m)
            return
    new = New(
        kinds=(Kind.SUMMONS,),
        seats=(event.seat,),
        side=m.rules.side_of(event.seat),
        facts=() if fact is None else (fact,),
    )
    report(m, new)
    freeze_stages(m)


def _of_another_board(m: Moment, entry: Entry) -> bool:
    """One made while no board was there is of none; until the next is there it is still about the last."""
    none_there = entry.phase == Phase.SETUP
    return m.now.board.current is not None and entry.id not in m.now.book.own and not none_there


def _seated(m: Moment, event: SeatTaken) -> None:
    session = m.now.session
    expected = None if session is None else dict(session.players).get(event.seat)
    if expected is None:
        return
    key = ("player", event.seat)
    if event.player != expected:
        new = New(kinds=(Kind.WRONG_PLAYER,), seats=(event.seat,), side=m.rules.side_of(event.seat))
        report(m, new, key)
    elif (entry := open_entry(m, known_id(m, key))) is not None:
        amend(m, entry, standing=Standing.CORRECTED)


def _hands(m: Moment, event: HandsTaken) -> None:
    if m.now.window.state in (WindowState.OPEN, WindowState.BETWEEN) and not m.now.auction.begun:
        report(m, New(kinds=(Kind.HANDS_OUT_BEFORE_CLOSED,), seats=(event.seat,)), ("hands",))
