"""Misdeeds with the bidding cards, the alert card and the stop card (23.2.5, 24.3, 31.2, 21.7).

The wrong card is pointed out by the screenmate and put right before the tray goes, so that the auction is the
recorded one in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hw_sim.misdeeds.form import Deed
from hw_sim.misdeeds.tray import second_calls
from hw_sim.players.asks import Script
from hw_sim.players.customs import Customs
from hw_sim.players.four import BoardPlay
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript
from table_controller.laws.auction import CallFault, MadeCall, faults_of
from table_controller.laws.call import ALL_BIDS, DOUBLE, PASS, REDOUBLE, Bid, Call
from table_controller.laws.contract import Contract
from table_controller.laws.seat import Seat

Chooser = Callable[[BoardScript, int], Call | None]


def _laid_and_lifted(seat: Seat, call: Call) -> Callable[[BoardPlay], Script]:
    def act(play: BoardPlay) -> Script:
        yield play.manner.thinks()
        play.lay(seat, call)
        yield play.manner.settles()
        yield from play.lift(seat)

    return act


def _instead(name: str, kind: str, choose: Chooser) -> Callable[[BoardScript, Customs], Iterator[Deed]]:
    """The due seat lays the chosen call first, takes it off, and then makes the recorded one."""

    def find(script: BoardScript, customs: Customs) -> Iterator[Deed]:
        for index in range(1, len(script.calls)):
            call = choose(script, index)
            if call is not None:
                yield Deed(
                    name=name,
                    kinds=(kind,),
                    moment=Moment.BEFORE_CALL,
                    index=index,
                    action=_laid_and_lifted(script.calls[index].seat, call),
                )

    return find


def _faults(script: BoardScript, index: int, call: Call) -> frozenset[CallFault]:
    return faults_of(script.before(index), script.calls[index].seat, call)


def _insufficient(script: BoardScript, index: int) -> Call | None:
    """The highest bid that is not enough: the last bid itself, made once more."""
    last = script.before(index).last_bid
    return None if last is None else last.call


def _bad_double(script: BoardScript, index: int) -> Call | None:
    return DOUBLE if CallFault.INADMISSIBLE_DOUBLE in _faults(script, index, DOUBLE) else None


def _bad_redouble(script: BoardScript, index: int) -> Call | None:
    return REDOUBLE if CallFault.INADMISSIBLE_REDOUBLE in _faults(script, index, REDOUBLE) else None


def _another_legal(script: BoardScript, index: int) -> Call | None:
    """A legal call that is not the recorded one and would not end the auction."""
    recorded, seat = script.calls[index].call, script.calls[index].seat
    if recorded != PASS:
        ends = script.before(index).after(seat, PASS).is_over
        return None if ends else PASS
    return next((bid for bid in ALL_BIDS if not _faults(script, index, bid)), None)


call_insufficient = _instead("insufficient bid", "INSUFFICIENT_BID", _insufficient)
double_inadmissible = _instead("inadmissible double", "INADMISSIBLE_DOUBLE", _bad_double)
redouble_inadmissible = _instead("inadmissible redouble", "INADMISSIBLE_REDOUBLE", _bad_redouble)
call_changed = _instead("change of call", "CHANGE_OF_CALL", _another_legal)


def call_out_of_rotation(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The second player of a visit calls before the first, and takes his pass back."""
    for index in second_calls(script, customs):
        passed = script.before(index - 1).after(script.calls[index].seat, PASS)
        if index >= 2 and not passed.passed_but_open:  # that would be another irregularity on top
            yield Deed(
                name="call out of rotation",
                kinds=("CALL_OUT_OF_ROTATION",),
                moment=Moment.BEFORE_CALL,
                index=index - 1,
                action=_laid_and_lifted(script.calls[index].seat, PASS),
            )


def call_taken_back(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The second player of a visit takes his call off again, and the tray goes without it."""

    def arrange(made: MadeCall) -> Callable[[BoardPlay], Script]:
        def act(play: BoardPlay) -> Script:
            yield from _laid_and_lifted(made.seat, made.call)(play)
            yield from play.push()
            yield from play.push()

        return act

    for index in second_calls(script, customs):
        if not script.before(index).after(script.calls[index].seat, script.calls[index].call).is_over:
            yield Deed(
                name="call withdrawn",
                kinds=("CALL_WITHDRAWN", "TRAY_CROSSED_EARLY"),
                moment=Moment.BEFORE_CALL,
                index=index,
                action=arrange(script.calls[index]),
            )


def call_after_final_pass(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The screenmate of the player who ended the auction passes once more, and leaves it."""

    def arrange(seat: Seat) -> Callable[[BoardPlay], Script]:
        def act(play: BoardPlay) -> Script:
            yield play.manner.thinks()
            play.lay(seat, PASS)
            play.account.calls.append(str(MadeCall(seat, PASS)))
            yield play.manner.settles()

        return act

    last = script.calls[-1].seat if script.calls else None
    if last is not None and script.auction.is_over and customs.faces.screenmate(last) is last.lho:
        yield Deed(
            name="call after the final pass",
            kinds=("CALL_AFTER_FINAL_PASS",),
            moment=Moment.AUCTION_OVER,
            action=arrange(last.lho),
        )


def cards_cleared_before_shown(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """Both players there clear their cards once the auction is over; the director says what was called."""

    def act(play: BoardPlay) -> Script:
        before = play.word("AUCTION_NOT_SHOWN")
        side = play.hands.tray_at
        assert side is not None
        for seat in play.customs.faces.seats_on(side):
            play.hands.clear_cards(seat)
        yield from play.await_director("AUCTION_NOT_SHOWN", before)

    if isinstance(script.outcome, Contract):
        yield Deed(
            name="cards cleared before shown",
            kinds=("AUCTION_NOT_SHOWN",),
            moment=Moment.AUCTION_OVER,
            director=True,
            action=act,
        )


def alerted_on_one_face(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """A bid is alerted by the player who makes it and not by his partner."""

    def arrange(index: int) -> Callable[[BoardPlay], Script]:
        def act(play: BoardPlay) -> Script:
            play.half_alerted = index
            yield play.manner.acts()

        return act

    for index, made in enumerate(script.calls):
        if isinstance(made.call, Bid) and index not in script.alerts:
            yield Deed(
                name="alert on one face only",
                kinds=("ALERT_ON_ONE_FACE_ONLY",),
                moment=Moment.BEFORE_CALL,
                index=index,
                action=arrange(index),
            )


def stop_card_laid(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """A jump is announced by a stop card, which a screened table does not use."""

    def arrange(seat: Seat) -> Callable[[BoardPlay], Script]:
        def act(play: BoardPlay) -> Script:
            yield play.manner.thinks()
            play.hands.lay_stop_card(seat)
            yield play.manner.settles()
            play.hands.lift_stop_card(seat)
            yield play.manner.settles()

        return act

    for index in range(1, len(script.calls)):
        made = script.calls[index]
        if isinstance(made.call, Bid):
            yield Deed(
                name="stop card",
                kinds=("STOP_CARD_USED",),
                moment=Moment.BEFORE_CALL,
                index=index,
                action=arrange(made.seat),
            )
