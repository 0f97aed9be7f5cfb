"""Misdeeds with the tray and the board on it (24.4, 24.5, 21.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hw_sim.misdeeds.form import Deed
from hw_sim.players.asks import Pause, Script
from hw_sim.players.customs import Customs
from hw_sim.players.four import BoardPlay
from hw_sim.players.in_vain import NOT_LEFT, not_arrived
from hw_sim.players.moments import Moment
from hw_sim.players.script import BoardScript
from hw_sim.table.changes import MS, SECOND
from hw_sim.table.tags import BoardTag
from table_controller.laws.seat import ScreenSide

STALLED = 10_500 * MS
OTHER_BOARD = 90


def second_calls(script: BoardScript, customs: Customs) -> Iterator[int]:
    """Calls that follow another on the same visit: one has been made there, one is owed."""
    return (index for index in range(1, len(script.calls)) if script.same_visit(index, customs.faces))


def first_calls(script: BoardScript, customs: Customs) -> Iterator[int]:
    """Calls with which a visit begins, the opening call left out: the tray has just arrived."""
    return (index for index in range(1, len(script.calls)) if not script.same_visit(index, customs.faces))


def pushed_early(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """It goes across with one call made and one owed, and comes back for it."""
    for index in second_calls(script, customs):
        yield Deed(
            name="tray pushed early",
            kinds=("TRAY_CROSSED_EARLY",),
            moment=Moment.BEFORE_CALL,
            index=index,
            action=_there_and_back,
        )


def pushed_early_and_summoned(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The same; the receiving face calls the director before it is sent back."""
    for index in second_calls(script, customs):
        yield Deed(
            name="tray pushed early, director called",
            kinds=("TRAY_CROSSED_EARLY",),
            moment=Moment.BEFORE_CALL,
            index=index,
            director=True,
            action=_there_summoned_and_back,
        )


def pushed_without_calls(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    for index in first_calls(script, customs):
        yield Deed(
            name="tray pushed without calls",
            kinds=("TRAY_CROSSED_WITHOUT_CALLS",),
            moment=Moment.BEFORE_CALL,
            index=index,
            action=_there_and_back,
        )


def _there_and_back(play: BoardPlay) -> Script:
    yield from play.push()
    yield from play.push()


def _there_summoned_and_back(play: BoardPlay) -> Script:
    yield from play.push()
    side = play.hands.tray_at
    assert side is not None
    yield from play.summon(play.customs.faces.seats_on(side)[0])
    yield from play.push()


def pushed_by_wrong_seat(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """Not the mover but his screenmate pushes it across."""

    def arrange(side: ScreenSide) -> Callable[[BoardPlay], Script]:
        def act(play: BoardPlay) -> Script:
            play.pusher = play.customs.faces.screenmate(play.customs.movers[side])
            yield play.manner.acts()

        return act

    for index in first_calls(script, customs):
        yield Deed(
            name="tray pushed by the wrong seat",
            kinds=("TRAY_MOVED_BY_WRONG_SEAT",),
            moment=Moment.AFTER_CALL,
            index=index - 1,
            action=arrange(customs.faces.side_of(script.calls[index - 1].seat)),
        )


def tray_stopped(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """It stands between the faces for more than ten seconds, once the visit's calls are made."""
    for index in first_calls(script, customs):
        yield Deed(
            name="tray left between the faces",
            kinds=("TRAY_STALLED",),
            moment=Moment.AFTER_CALL,
            index=index - 1,
            action=_stop_on_the_way,
        )


def _stop_on_the_way(play: BoardPlay) -> Script:
    hands = play.hands
    side = hands.tray_at
    assert side is not None
    yield play.manner.pushes()
    hands.push_tray(play.customs.movers[side])
    yield from play.until(lambda: hands.tray_at is None, NOT_LEFT)
    hands.stop_tray()
    yield Pause(human=12 * SECOND, least=STALLED)
    hands.move_tray_on()
    yield from play.until(lambda: hands.tray_at is side.other, not_arrived(side.other))
    play.account.crossings += 1
    yield play.manner.settles()


def board_lifted(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """The board is taken off the tray in the auction, looked at and put back."""

    def act(play: BoardPlay) -> Script:
        play.hands.lift_board()
        yield play.manner.settles()
        play.hands.place_board(script.tag, hands=False)
        yield play.manner.settles()

    for index in range(1, len(script.calls)):
        yield Deed(
            name="board off the tray",
            kinds=("BOARD_OFF_TRAY",),
            moment=Moment.BEFORE_CALL,
            index=index,
            action=act,
        )


def board_swapped(script: BoardScript, customs: Customs) -> Iterator[Deed]:
    """Another board is laid on top of it in the auction, and taken off; they wait for the director."""

    def act(play: BoardPlay) -> Script:
        before = play.word("WRONG_BOARD")
        number = OTHER_BOARD + (script.number == OTHER_BOARD)
        play.hands.place_board(BoardTag(number=number), hands=False)
        yield play.manner.settles()
        play.hands.place_board(script.tag, hands=False)
        yield from play.await_director("WRONG_BOARD", before)

    for index in range(1, len(script.calls)):
        yield Deed(
            name="another board on the tray",
            kinds=("WRONG_BOARD",),
            moment=Moment.BEFORE_CALL,
            index=index,
            director=True,
            action=act,
        )
