"""The visits of the tray and how their time divides: two thinkings, the hold, the transit.

Evidence for the director and for nobody else. Unknown is None, never nought; a visit in which a hold, a
restart or a fault fell is marked, since its figures show nothing. Must never remark on a figure.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import RecordVisit
from table_controller.screen.entry import Mover, Share, Visit
from table_controller.screen.event_base import WindowState
from table_controller.screen.facts import Mark, TableState, VisitFacts
from table_controller.screen.moment import Moment


def begin_visit(
    m: Moment, side: ScreenSide, arrived: int | None, uncertainty: int = 0, *, interrupted: bool = False
) -> None:
    last = m.now.visit
    visit = VisitFacts(
        ordinal=1 if last is None else last.ordinal + 1,
        side=side,
        arrived=arrived,
        uncertainty=uncertainty,
        interrupted=interrupted or bool(m.now.holds),
    )
    m.now = replace(m.now, visit=visit)


def mark_call(m: Moment, seat: Seat, call: Call, *, first: bool) -> None:
    """A call was made on this visit; the first of an auction begins it."""
    side = m.now.tray.at or m.rules.side_of(seat)
    if first:
        begin_visit(m, side, _there_since(m.now))
    visit = m.now.visit
    if visit is None or visit.left is not None:
        return
    again = next((mark for mark in visit.marks if mark.seat is seat), None)
    if again is not None:
        marks = tuple(replace(mark, call=call) if mark is again else mark for mark in visit.marks)
    else:
        due = visit.marks[-1].at if visit.marks else visit.arrived
        mark = Mark(seat=seat, call=call, at=m.at, due=due, uncertainty=m.event.uncertainty)
        marks = (*visit.marks, mark)
    m.now = replace(m.now, visit=replace(visit, marks=marks))


def end_visit(m: Moment, left: int | None, owed: tuple[Seat, ...], mover: Mover) -> None:
    """The tray left (`left` None: nobody saw it go)."""
    visit = m.now.visit
    if visit is None or visit.left is not None:
        return
    ended = replace(
        visit,
        left=left,
        owed=owed,
        mover=mover,
        uncertainty=visit.uncertainty + m.event.uncertainty,
        interrupted=visit.interrupted or left is None,
    )
    m.now = replace(m.now, visit=ended)
    m.do(RecordVisit(visit=figures(m.now, ended)))


def reopen_visit(m: Moment) -> None:
    """The tray came back to the face it left: the visit goes on."""
    visit = m.now.visit
    if visit is not None and visit.left is not None:
        m.now = replace(m.now, visit=replace(visit, left=None, owed=(), returned=True))


def record_transit(m: Moment, transit: int | None) -> None:
    visit = m.now.visit
    if visit is not None and visit.left is not None and visit.transit is None and transit is not None:
        ended = replace(visit, transit=transit)
        m.now = replace(m.now, visit=ended)
        m.do(RecordVisit(visit=figures(m.now, ended)))


def figures(state: TableState, visit: VisitFacts) -> Visit:
    """The visit as the director reads it."""
    shares = [
        Share(seat=mark.seat, thinking=elapsed(mark.due, mark.at), call=mark.call) for mark in visit.marks
    ]
    shares += [Share(seat=seat, thinking=None, call=None) for seat in visit.owed if seat not in _seats(visit)]
    whole = bool(visit.marks) and not visit.owed
    board = state.board.current
    return Visit(
        board=None if board is None else board.number,
        ordinal=visit.ordinal,
        screen_side=visit.side,
        arrived=visit.arrived,
        left=visit.left,
        shares=tuple(shares),
        hold=elapsed(visit.marks[-1].at, visit.left) if whole else None,
        transit=visit.transit,
        mover=visit.mover,
        uncertainty=visit.uncertainty + max((mark.uncertainty for mark in visit.marks), default=0),
        interrupted=visit.interrupted,
        returned=visit.returned,
    )


def elapsed(start: int | None, end: int | None) -> int | None:
    """ns from one to the other; None where either is unknown, or the axis was broken between them."""
    if start is None or end is None or end < start:
        return None
    return end - start


def _seats(visit: VisitFacts) -> frozenset[Seat]:
    return frozenset(mark.seat for mark in visit.marks)


def _there_since(state: TableState) -> int | None:
    """When the first visit began: tray, board and closed window had all come together."""
    if state.tray.since is None:
        return None
    known = [state.tray.since, state.board.placed_at]
    if state.window.state is WindowState.CLOSED:
        known.append(state.window.since)
    return max(moment for moment in known if moment is not None)
