"""Misdeeds with the window and the opening lead, and a call for the director (23.1, 21.8, 41A, 24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_bridge.readings import Direction
from hw_sim.misdeeds.form import Deed
from hw_sim.players.asks import Script
from hw_sim.players.customs import Customs, Opening
from hw_sim.players.four import BoardPlay
from hw_sim.players.in_vain import NOT_BY_HAND
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript
from table_controller.laws.contract import Contract
from table_controller.laws.seat import Seat


def _open_by_hand(play: BoardPlay) -> Script:
    """By the handle, all the way, as nobody should now."""
    hands = play.hands
    hands.move_window(play.customs.window_by[-1], Direction.OPEN)
    yield from play.until(lambda: not hands.window_closed, NOT_BY_HAND)
    yield play.manner.settles()


def window_opened_in_auction(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """A hold begins: the window closes again, and they wait for the director."""

    def act(play: BoardPlay) -> Script:
        before = play.word("WINDOW_OPENED_IN_AUCTION")
        yield from _open_by_hand(play)
        yield from play.close_window()
        yield from play.await_director("WINDOW_OPENED_IN_AUCTION", before)

    for index in range(1, len(script.calls)):
        yield Deed(
            name="window opened in the auction",
            kinds=("WINDOW_OPENED_IN_AUCTION",),
            moment=Moment.BEFORE_CALL,
            index=index,
            director=True,
            action=act,
        )


def window_opened_before_lead(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    def act(play: BoardPlay) -> Script:
        yield from _open_by_hand(play)
        yield from play.close_window()
        yield play.manner.settles()

    if isinstance(script.outcome, Contract):
        yield Deed(
            name="window opened before the lead",
            kinds=("WINDOW_OPENED_BEFORE_LEAD",),
            moment=Moment.BEFORE_LEAD,
            action=act,
        )


def _lead_and_take_back(seat: Seat, *, faced: bool) -> Callable[[BoardPlay], Script]:
    def act(play: BoardPlay) -> Script:
        yield play.manner.plays()
        play.ledger.note("lead", play.hands.now, seat=seat, faced=faced)
        play.hands.lay_lead(seat, faced=faced)
        yield play.manner.settles()
        play.hands.lift_lead(seat)
        yield play.manner.settles()

    return act


def lead_out_of_turn(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """Each of the other three in turn of the clock: leader's partner, dummy, declarer."""
    contract = script.outcome
    if isinstance(contract, Contract):
        for seat in (contract.leader.partner, contract.dummy, contract.declarer):
            yield Deed(
                name="opening lead out of turn",
                kinds=("OPENING_LEAD_OUT_OF_TURN",),
                moment=Moment.BEFORE_LEAD,
                action=_lead_and_take_back(seat, faced=False),
            )


def lead_during_auction(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    for index in range(1, len(script.calls)):
        yield Deed(
            name="lead during the auction",
            kinds=("LEAD_BEFORE_PLAY_PERIOD",),
            moment=Moment.BEFORE_CALL,
            index=index,
            action=_lead_and_take_back(script.calls[index].seat, faced=False),
        )


def lead_faced_at_once(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The right leader, but face up."""

    def act(play: BoardPlay) -> Script:
        play.faces_lead_at_once = True
        yield play.manner.acts()

    if isinstance(script.outcome, Contract) and customs.opening is not Opening.LEAD_ANNOUNCED:
        yield Deed(
            name="lead faced early", kinds=("LEAD_FACED_EARLY",), moment=Moment.BEFORE_LEAD, action=act
        )


def hands_out_before_closed(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """Dealer looks at his hand while the window is open, where an authority says he must wait."""

    def act(play: BoardPlay) -> Script:
        play.hands.take_hand(play.script.dealer)
        yield play.manner.acts()

    if customs.hands_wait:
        yield Deed(
            name="hands out before the window is closed",
            kinds=("HANDS_OUT_BEFORE_CLOSED",),
            moment=Moment.PLACED,
            action=act,
        )


def director_called(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """No misdeed of itself: somebody wants the director, who comes and sends them on."""

    def arrange(seat: Seat) -> Callable[[BoardPlay], Script]:
        return lambda play: play.summon(seat)

    for index in range(1, len(script.calls)):
        yield Deed(
            name="director called",
            kinds=(),
            moment=Moment.BEFORE_CALL,
            index=index,
            director=True,
            action=arrange(script.calls[index].seat),
        )
