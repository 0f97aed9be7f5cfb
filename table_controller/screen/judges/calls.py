"""Calls: insufficient, out of rotation, inadmissible, after the end, changed, withdrawn, simultaneous.

An irregular call has one entry that lives as long as its card: it is judged when made, called over, replaced
or made again in its turn. What crosses with the tray is in `tray`. Must never judge a call twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from table_controller.laws.auction import Auction, CallFault
from table_controller.laws.call import Call, Pass
from table_controller.screen.book import New, amend, open_entry, report
from table_controller.screen.calls import set_auction
from table_controller.screen.course import course_of_call
from table_controller.screen.entry import Fact, Kind, Level, Stage, Standing
from table_controller.screen.events import StopCardSeen
from table_controller.screen.facts import Laid
from table_controller.screen.moment import Made, Moment, Replaced, Simultaneous, TurnedLegal, Withdrawn

KIND_OF: Mapping[CallFault, Kind] = {
    CallFault.CALL_OUT_OF_ROTATION: Kind.CALL_OUT_OF_ROTATION,
    CallFault.INSUFFICIENT_BID: Kind.INSUFFICIENT_BID,
    CallFault.INADMISSIBLE_DOUBLE: Kind.INADMISSIBLE_DOUBLE,
    CallFault.INADMISSIBLE_REDOUBLE: Kind.INADMISSIBLE_REDOUBLE,
    CallFault.CALL_AFTER_FINAL_PASS: Kind.CALL_AFTER_FINAL_PASS,
}


def judge_calls(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case Replaced():
                _replaced(m, happening)
            case Withdrawn():
                _withdrawn(m, happening)
            case TurnedLegal():
                _turned_legal(m, happening.card)
            case Simultaneous():
                _simultaneous(m, happening)
            case Made():
                _called_over(m, happening)
                _made(m, happening)
            case _:
                continue
    if isinstance(m.event, StopCardSeen):
        seat = m.event.seat
        new = New(kinds=(Kind.STOP_CARD_USED,), seats=(seat,), side=m.rules.side_of(seat))
        report(m, new, ("stop_card", seat))


def _made(m: Moment, made: Made) -> None:
    index = place_of(m, made.uid)
    if index is None:
        return  # made and taken back at once, when the tray left
    laid = m.now.auction.laid[index]
    kinds = kinds_of(laid)
    if not kinds:
        return
    old = next((e for e in (open_entry(m, i) for i in laid.entries) if e is not None), None)
    if made.again and old is not None and Kind.SIMULTANEOUS_CALLS not in old.kinds:
        again = tuple(kind for kind in kinds if m.judges(kind)) or old.kinds
        against = _not_outranked(m, index) if Kind.INSUFFICIENT_BID in again else None
        fact = Fact(name="made_when_tray_left", at=m.at)
        amend(m, old, kinds=again, other_call=against, fact=fact)
        refresh_course(m, old.id)
        return
    only_a_pass = kinds == (Kind.CALL_AFTER_FINAL_PASS,) and isinstance(laid.call, Pass)
    new = New(
        kinds=kinds,
        level=Level.NOTE if only_a_pass else None,
        seats=(laid.seat,),
        side=m.rules.side_of(laid.seat),
        stage=Stage.NOT_CROSSED,
        call=laid.call,
        other_call=_not_outranked(m, index) if Kind.INSUFFICIENT_BID in kinds else None,
        facts=_whose_turn(m, index) if Kind.CALL_OUT_OF_ROTATION in kinds else (),
        evidence=(laid.number,),
    )
    _link(m, laid.uid, report(m, new))


def place_of(m: Moment, uid: int) -> int | None:
    """Where the card's call stands in the auction now, None if it is no call any more."""
    return next((index for index, laid in enumerate(m.now.auction.laid) if laid.uid == uid), None)


def kinds_of(laid: Laid) -> tuple[Kind, ...]:
    kinds = [KIND_OF[fault] for fault in CallFault if fault in laid.faults]
    if laid.obliged:
        kinds.append(Kind.CALL_VIOLATING_OBLIGATION_TO_PASS)
    return tuple(kinds)


def _not_outranked(m: Moment, index: int) -> Call | None:
    calls = m.now.auction.calls
    last = Auction(calls.dealer, calls.calls[:index]).last_bid
    return None if last is None else last.call


def _whose_turn(m: Moment, index: int) -> tuple[Fact, ...]:
    calls = m.now.auction.calls
    turn = Auction(calls.dealer, calls.calls[:index]).turn
    return () if turn is None else (Fact(name="turn", text=turn.value, at=m.at),)


def _called_over(m: Moment, made: Made) -> None:
    """The first call by the offender's left-hand opponent after an irregular call that is unresolved."""
    index = place_of(m, made.uid)
    if m.held or made.again or index is None:
        return
    auction = m.now.auction
    seat = auction.laid[index].seat
    for laid in auction.laid[:index]:
        if laid.seat.lho is not seat or laid.uid in made.aside or not laid.lies or not laid.entries:
            continue
        for entry_id in laid.entries:
            entry = open_entry(m, entry_id)
            if entry is not None and entry.stage is not None and entry.called_over_by is None:
                amend(m, entry, called_over_by=seat)
                refresh_course(m, entry_id)


def _replaced(m: Moment, change: Replaced) -> None:
    """A legal call changed is an entry of its own; an irregular one replaced was corrected."""
    index = place_of(m, change.uid)
    if index is None:
        return
    fresh = m.now.auction.laid[index]
    if change.old.is_legal:
        new = New(
            kinds=(Kind.CHANGE_OF_CALL,),
            seats=(change.old.seat,),
            side=m.rules.side_of(change.old.seat),
            stage=Stage.NOT_CROSSED,
            call=change.old.call,
            other_call=fresh.call,
            facts=(Fact(name="time_between_ns", text=str(change.after), at=m.at),),
            evidence=(change.old.number,),
        )
        _link(m, fresh.uid, report(m, new))
    for entry_id in change.old.entries:
        _correct(m, entry_id, Fact(name="replaced_by", text=str(fresh.call), at=m.at))


def _withdrawn(m: Moment, gone: Withdrawn) -> None:
    card = gone.card
    if not card.is_legal:
        for entry_id in card.entries:
            entry = open_entry(m, entry_id)
            if entry is not None and not m.held:
                amend(m, entry, fact=Fact(name="taken_back", at=m.at))
        return
    new = New(
        kinds=(Kind.CALL_WITHDRAWN,),
        seats=(card.seat,),
        side=m.rules.side_of(card.seat),
        stage=Stage.NOT_CROSSED,
        call=card.call,
        evidence=(card.number,),
    )
    made = report(m, new)
    if made is not None:
        refresh_course(m, made)


def _turned_legal(m: Moment, card: Laid) -> None:
    for entry_id in card.entries:
        entry = open_entry(m, entry_id)
        if entry is not None and Kind.SIMULTANEOUS_CALLS not in entry.kinds:
            _correct(m, entry_id, Fact(name="made_in_turn", at=m.at))


def _simultaneous(m: Moment, both: Simultaneous) -> None:
    for entry_id in both.entries:
        entry = open_entry(m, entry_id)
        if entry is not None and m.judges(Kind.SIMULTANEOUS_CALLS):
            amend(m, entry, kinds=(Kind.SIMULTANEOUS_CALLS,), level=Level.NOTE)
            refresh_course(m, entry_id)
            return
    new = New(
        kinds=(Kind.SIMULTANEOUS_CALLS,),
        seats=(both.later,),
        side=m.rules.side_of(both.later),
        call=both.call,
    )
    _link(m, both.uid, report(m, new))


def _correct(m: Moment, entry_id: int, fact: Fact) -> None:
    entry = open_entry(m, entry_id)
    if entry is not None:
        amend(m, entry, standing=Standing.CORRECTED, fact=fact)
        refresh_course(m, entry_id)


def refresh_course(m: Moment, entry_id: int) -> None:
    """The course follows the entry's facts; unchanged, nothing is said."""
    entry = m.now.entry(entry_id)
    if entry is None:
        return
    course = course_of_call(entry, m.rules)
    if course != entry.course:
        amend(m, entry, course=course)


def _link(m: Moment, uid: int, entry_id: int | None) -> None:
    """The card knows its entry, so that the entry can live with it."""
    if entry_id is None:
        return

    def marked(laid: Laid) -> Laid:
        return replace(laid, entries=(*laid.entries, entry_id)) if laid.uid == uid else laid

    auction = m.now.auction
    laid = tuple(marked(one) for one in auction.laid)
    strays = tuple(marked(one) for one in auction.strays)
    set_auction(m, replace(auction, laid=laid, strays=strays))
    refresh_course(m, entry_id)
