"""Keeping time: what each event changes in the account of the board and in the standing of the session.

Folds the events the core saw, with the state before and after each, and the record of a board when it is
closed. Deterministic like the core: the same events, the same rows. Must never decide anything from a wall
clock, and never hold a time that a view could show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table_controller.clock.ledger import Ledger, opened
from table_controller.clock.owner import NOBODY, UNKNOWN, Presence, owner_of
from table_controller.clock.segments import NS_PER_MS, Owner
from table_controller.clock.standing import SessionStanding, laid_down
from table_controller.screen.effects import Effect, RecordBoard, Refuse
from table_controller.screen.entry import Kind, Standing
from table_controller.screen.events import (
    BoardRemoved,
    CallMade,
    CardPlayed,
    Corrected,
    DeviceReset,
    DirectorSummoned,
    Event,
    EventsLost,
    Held,
    LeadFaced,
    LeadMade,
    Restarted,
    Resumed,
    Ruled,
    SeatObliged,
    SessionOpened,
    TrayBackOrdered,
    TrayLeft,
    WindowOverridden,
)
from table_controller.screen.facts import NOBODY_KNOWN, TableState
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules
from table_controller.screen.times import RecordTime

_GOES_ON = (Resumed, TrayLeft, LeadFaced, BoardRemoved)
"""After a summons: play has visibly gone on."""
_ACTS = (CallMade, CardPlayed, LeadMade)
"""One of these may cross with the summons; the second shows that play has gone on."""
_ACTS_ENOUGH = 2
EARLY_MS = 30 * 60_000
"""A board put down so long before a session that was laid down later belongs to something else."""
MOST_UNCLAIMED = 50
_HIS = (Held, Corrected, Ruled, SeatObliged, TrayBackOrdered, WindowOverridden)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Everything the clock remembers. `last`: of the event before, ns. `unclaimed`: when boards were put
    down while no session was laid down, ms, the latest of them.
    """

    ledger: Ledger | None = None
    session: SessionStanding | None = None
    presence: Presence = NOBODY
    last: int | None = None
    unclaimed: tuple[int, ...] = ()


def keep(
    keeping: Keeping,
    event: Event,
    before: TableState,
    after: TableState,
    effects: Sequence[Effect],
    rules: Rules,
) -> tuple[Keeping, tuple[RecordTime, ...]]:
    """The account after this event, and the rows of boards that it ended."""
    at = event.at if keeping.last is None else max(event.at, keeping.last)
    was = owner_of(before, rules, keeping.presence)
    keeping = _run(keeping, event, was, at)
    keeping = replace(keeping, presence=_presence(keeping.presence, event, after), last=at)
    keeping = _blur(keeping, event, was != owner_of(after, rules, keeping.presence))
    keeping = _hold(keeping, before, after)
    closed = next((effect for effect in effects if isinstance(effect, RecordBoard)), None)
    rows: tuple[RecordTime, ...] = ()
    if closed is not None:
        keeping, rows = _close(keeping, closed, rules)
    if isinstance(event, SessionOpened) and not any(isinstance(one, Refuse) for one in effects):
        keeping = _lay_down(keeping, event, after)
    return _follow_board(keeping, after, at), rows


def _run(keeping: Keeping, event: Event, owner: Owner, at: int) -> Keeping:
    """The time since the event before belongs to whoever it belonged to then."""
    session = keeping.session
    if isinstance(event, Restarted) and event.down_since is None and session is not None:
        session = replace(session, axis_lost=True)
    ledger = keeping.ledger
    if ledger is None:
        return replace(keeping, session=session)
    if isinstance(event, Restarted):
        lost = 0 if event.down_since is not None else 1
        ledger = replace(ledger.run(at // NS_PER_MS, UNKNOWN), unmeasured=ledger.unmeasured + lost)
    else:
        ledger = ledger.run(at // NS_PER_MS, owner)
    return replace(keeping, ledger=ledger, session=session)


def _presence(presence: Presence, event: Event, after: TableState) -> Presence:
    if isinstance(event, DirectorSummoned):
        presence = replace(presence, summoned=0)
    elif presence.summoned is not None and _dealt_with(presence.summoned, event, after):
        presence = replace(presence, summoned=None)
    elif presence.summoned is not None and isinstance(event, _ACTS):
        presence = replace(presence, summoned=presence.summoned + 1)
    here = bool(after.holds) and (presence.here or isinstance(event, _HIS))
    return replace(presence, here=here)


def _dealt_with(acts: int, event: Event, after: TableState) -> bool:
    """Ruled on or resumed, or play goes on. A summons left in the queue does not stop the clock for ever."""
    if isinstance(event, _GOES_ON):
        return True
    if isinstance(event, _ACTS) and acts + 1 >= _ACTS_ENOUGH:
        return True
    return not any(
        Kind.SUMMONS in entry.kinds and entry.standing is Standing.OPEN for entry in after.book.entries
    )


def _blur(keeping: Keeping, event: Event, changed: bool) -> Keeping:
    """What nobody saw is unknown: lost events, a device that began anew, a clock that went back, and a change
    read off a level, which may have come at any time since the level was last read. `changed`: of owner.
    """
    ledger = keeping.ledger
    if ledger is None:
        return keeping
    since: list[int] = []
    stretch = ledger.segments[-1].start if ledger.segments else ledger.begun
    if isinstance(event, EventsLost) and event.gap:
        since.append((event.at - event.gap) // NS_PER_MS)
    elif isinstance(event, EventsLost | DeviceReset):
        since.append(stretch)
    if keeping.last is not None and event.at < keeping.last:
        since.append(event.at // NS_PER_MS)
    if changed:
        ledger = replace(ledger, uncertainty=ledger.uncertainty + event.uncertainty)
        if event.inferred and not isinstance(event, Restarted):
            since.append(stretch if event.not_before is None else event.not_before // NS_PER_MS)
    return replace(keeping, ledger=ledger.blur(max(min(since), ledger.begun)) if since else ledger)


def _hold(keeping: Keeping, before: TableState, after: TableState) -> Keeping:
    ledger = keeping.ledger
    if ledger is None or before.tray.at is None:
        return keeping
    if after.tray.at is None and after.tray.left_from is not None:
        return replace(keeping, ledger=ledger.tray_left(after.tray.mover))
    if after.tray.at is not before.tray.at:
        return replace(keeping, ledger=ledger.tray_left(NOBODY_KNOWN))
    return keeping


def _close(keeping: Keeping, closed: RecordBoard, rules: Rules) -> tuple[Keeping, tuple[RecordTime, ...]]:
    """The board's record is closed; its row is written if there is a session to write it for."""
    ledger, session = keeping.ledger, keeping.session
    if ledger is None:
        return keeping, ()
    keeping = replace(keeping, ledger=None)
    if session is None:
        return keeping, ()
    ledger = replace(ledger, number=closed.number)
    row = ledger.row(session=session.id, ordinal=len(session.rows) + 1, outcome=closed.outcome, rules=rules)
    return replace(keeping, session=replace(session, rows=(*session.rows, row))), (row,)


def _lay_down(keeping: Keeping, event: SessionOpened, after: TableState) -> Keeping:
    """A board that lies on the tray with its play not over is the new session's first, if it is a new one."""
    ledger = keeping.ledger
    on = ledger.begun if ledger is not None and ledger.closed is None else None
    start = event.plan.start
    of_it = [] if start is None else [at for at in keeping.unclaimed if at >= start // NS_PER_MS - EARLY_MS]
    arrived = min(of_it, default=on)
    session = laid_down(
        keeping.session,
        event.session,
        event.plan,
        [board.number for board in event.boards],
        arrived=arrived,
    )
    if keeping.session is not None and keeping.session.id != session.id and on is None:
        keeping = replace(keeping, ledger=None)  # its record is not closed yet, and it was the old one's
    return replace(keeping, session=session, unclaimed=())


def _follow_board(keeping: Keeping, after: TableState, at: int) -> Keeping:
    """The account of the board that is on the tray now, opened, closed or taken up again."""
    board = after.board.current
    if board is None:
        return replace(keeping, ledger=None)
    ledger = keeping.ledger
    placed_at = after.board.placed_at
    if placed_at is None:
        placed_at = at if ledger is None else ledger.placed_at
    if ledger is None or ledger.placed_at != placed_at:
        if ledger is None and after.board.ended:
            return keeping
        return _opened(keeping, opened(placed_at, board.number))
    ledger = replace(ledger, number=board.number, in_auction=after.auction.begun)
    gone = after.phase is Phase.COMPLETE and after.board.present is False
    ledger = ledger.close(at // NS_PER_MS) if gone else ledger.reopen(at // NS_PER_MS)
    return replace(keeping, ledger=ledger)


def _opened(keeping: Keeping, ledger: Ledger) -> Keeping:
    session = keeping.session
    if session is None:
        return replace(keeping, ledger=ledger, unclaimed=(*keeping.unclaimed, ledger.begun)[-MOST_UNCLAIMED:])
    if session.arrived is None:
        session = replace(session, arrived=ledger.begun)
    return replace(keeping, ledger=ledger, session=session)
