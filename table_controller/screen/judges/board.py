"""The board: off the tray, or the wrong one."""

from __future__ import annotations

from table_controller.screen.book import New, report
from table_controller.screen.entry import Fact, Kind, Level
from table_controller.screen.moment import BoardOff, BoardOn, Moment

OFF = ("board_off",)


def judge_board(m: Moment) -> None:
    for happening in tuple(m.happened):
        match happening:
            case BoardOff() | BoardOn(back=True):
                report(m, New(kinds=(Kind.BOARD_OFF_TRAY,)), OFF)
            case BoardOn():
                _judge_number(m, happening)
            case _:
                continue


def _judge_number(m: Moment, on: BoardOn) -> None:
    key = ("wrong_board", str(on.number))
    if on.foreign:
        current = m.now.board.current
        due = None if current is None else current.number
        report(m, New(kinds=(Kind.WRONG_BOARD,), level=Level.HOLD, facts=_expected(m, due)), key)
    elif on.swapped:
        report(m, New(kinds=(Kind.WRONG_BOARD,), board=on.number), key)
    elif on.number is not None and m.now.session is not None and on.number != on.expected:
        level = Level.NOTE if _may_be_meant(m, on) else Level.REPORT
        facts = _expected(m, on.expected)
        report(m, New(kinds=(Kind.WRONG_BOARD,), level=level, board=on.number, facts=facts), key)


def _may_be_meant(m: Moment, on: BoardOn) -> bool:
    """Out of order only: of the session and not yet played; or the session's boards are all played, and this
    may be the first of another that nobody has laid down. A board played already is neither (L15).
    """
    session, facts = m.now.session, m.before.board
    if session is None or on.number in facts.played:
        return False
    if facts.current is not None and on.number == facts.current.number:
        return False
    return on.expected is None or any(due.number == on.number for due in session.boards)


def _expected(m: Moment, number: int | None) -> tuple[Fact, ...]:
    return () if number is None else (Fact(name="expected", text=str(number), at=m.at),)
