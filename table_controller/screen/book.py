"""The book of entries: one entry a standing condition, amended and never doubled.

Judges write here; the effects (`Report`, `Amend`) come out once an event, with each entry as it ended up.
Must never lose an entry that is open, and never touch one that somebody else closed, but for the number of
its board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from table_controller.laws.call import Call
from table_controller.laws.seat import ScreenSide, Seat
from table_controller.screen.effects import Amend, Report
from table_controller.screen.entry import Entry, Fact, Kind, Level, Mover, Stage, Standing
from table_controller.screen.facts import Hold
from table_controller.screen.moment import Moment

LEVELS: Mapping[Kind, Level] = {
    Kind.WINDOW_OPENED_IN_AUCTION: Level.HOLD,
    Kind.WINDOW_OPENED_BEFORE_LEAD: Level.URGENT,
    Kind.WINDOW_OPENED_BY_DECLARING_SIDE: Level.URGENT,
    Kind.WINDOW_FORCED_IN_HOLD: Level.URGENT,
    Kind.WINDOW_STILL_CLOSED: Level.NOTE,
    Kind.TRAY_MOVED_BY_WRONG_SEAT: Level.NOTE,
    Kind.TRAY_STALLED: Level.NOTE,
    Kind.AUCTION_DIVERGED: Level.HOLD,
    Kind.AUCTION_STUCK: Level.HOLD,
    Kind.AUCTION_OVER_INFERRED: Level.NOTE,
    Kind.SIMULTANEOUS_CALLS: Level.NOTE,
    Kind.STOP_CARD_USED: Level.NOTE,
    Kind.LEAD_FACED_EARLY: Level.NOTE,
    Kind.ALERT_ON_ONE_FACE_ONLY: Level.NOTE,
    Kind.ALERT_TAKEN_BACK_AT_ONCE: Level.NOTE,
    Kind.HANDS_OUT_BEFORE_CLOSED: Level.NOTE,
    Kind.SUMMONS: Level.URGENT,
}
"""The levels of the catalogue; what is not here is a report."""

AFTER_BOARD = frozenset({Kind.ALERT_ON_ONE_FACE_ONLY, Kind.ALERT_TAKEN_BACK_AT_ONCE})
"""Telling a player at the table would leak (23.2.7), so the director sees these when the board is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """An entry to be made. `level` None: the highest the catalogue gives its kinds. `at` None: now."""

    kinds: tuple[Kind, ...]
    level: Level | None = None
    at: int | None = None
    seats: tuple[Seat, ...] = ()
    side: ScreenSide | None = None
    stage: Stage | None = None
    call: Call | None = None
    other_call: Call | None = None
    mover: Mover | None = None
    gap: int | None = None
    facts: tuple[Fact, ...] = ()
    course: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    board: int | None = None
    """The board it is about, where that is not the one being played."""


Key = tuple[str, ...]
_T = TypeVar("_T")


def report(m: Moment, new: New, key: Key | None = None) -> int | None:
    """Make the entry, or add this as evidence to the open one with the same key. None: the check is off."""
    kinds = tuple(kind for kind in new.kinds if m.judges(kind))
    if not kinds:
        return None
    known = known_id(m, key)
    level = new.level if new.level is not None else level_of(kinds)
    if known is not None and (entry := open_entry(m, known)) is not None:
        if level is Level.HOLD:
            begin_hold(m, hold_reason(entry.id))  # also when it had been resumed before
        if _is_of_this_board(m, new):
            make_own(m, entry.id)
        return amend(m, entry, kinds=merged(entry.kinds, kinds), seats=merged(entry.seats, new.seats))
    book = m.now.book
    board = m.now.board.current
    entry = Entry(
        id=book.next_id,
        kinds=kinds,
        level=level,
        at=m.at if new.at is None else new.at,
        uncertainty=m.event.uncertainty,
        board=new.board if new.board is not None else None if board is None else board.number,
        phase=m.before.phase.value,
        seats=new.seats,
        screen_side=new.side,
        stage=new.stage,
        provisions=tuple(cited for kind in kinds for cited in m.rules.cited(kind)),
        evidence=_numbers((*new.evidence, m.number)),
        course=new.course,
        call=new.call,
        other_call=new.other_call,
        mover=new.mover,
        gap=new.gap,
        facts=new.facts,
        after_board=all(kind in AFTER_BOARD for kind in kinds),
    )
    keys = book.keys if key is None else ((key, entry.id), *(pair for pair in book.keys if pair[0] != key))
    entries = (*book.entries, entry)
    own = book.own | {entry.id} if _is_of_this_board(m, new) else book.own
    m.now = replace(m.now, book=replace(book, next_id=entry.id + 1, entries=entries, keys=keys, own=own))
    if level is Level.HOLD:
        begin_hold(m, hold_reason(entry.id))
    return entry.id


def _is_of_this_board(m: Moment, new: New) -> bool:
    """Not about the board that waits, nor about an earlier one."""
    board = m.now.board
    if new.board is None:
        return True
    return board.waiting is None and board.current is not None and new.board == board.current.number


def make_own(m: Moment, entry_id: int) -> None:
    """What is said of the entry now is about the board that is being played."""
    if m.now.board.current is not None and entry_id not in m.now.book.own:
        m.now = replace(m.now, book=replace(m.now.book, own=m.now.book.own | {entry_id}))


def renumber(m: Moment, number: int | None) -> None:
    """The board is found to have this number: its entries name it rightly, and nothing else of them changes.

    Also what is closed: whoever reads it looks for it under the board's own number. What names the wrong
    board goes on naming it.
    """
    for entry in m.now.book.entries:
        if entry.id in m.now.book.own and entry.board != number and Kind.WRONG_BOARD not in entry.kinds:
            _put(m, replace(entry, board=number))


def amend(
    m: Moment,
    entry: Entry,
    *,
    kinds: tuple[Kind, ...] | None = None,
    level: Level | None = None,
    seats: tuple[Seat, ...] | None = None,
    stage: Stage | None = None,
    standing: Standing | None = None,
    course: tuple[str, ...] | None = None,
    call: Call | None = None,
    other_call: Call | None = None,
    mover: Mover | None = None,
    called_over_by: Seat | None = None,
    gap: int | None = None,
    fact: Fact | None = None,
    closed_by: str | None = None,
    closed_why: str | None = None,
) -> int:
    """The same entry with what is given changed, and this event added to its evidence. Returns its id."""
    changed = replace(
        entry,
        kinds=entry.kinds if kinds is None else kinds,
        level=entry.level if level is None else level,
        seats=entry.seats if seats is None else seats,
        stage=entry.stage if stage is None else stage,
        standing=entry.standing if standing is None else standing,
        course=entry.course if course is None else course,
        call=entry.call if call is None else call,
        other_call=entry.other_call if other_call is None else other_call,
        mover=entry.mover if mover is None else mover,
        called_over_by=entry.called_over_by if called_over_by is None else called_over_by,
        gap=entry.gap if gap is None else gap,
        facts=entry.facts if fact is None or fact in entry.facts else (*entry.facts, fact),
        closed_by=entry.closed_by if closed_by is None else closed_by,
        closed_why=entry.closed_why if closed_why is None else closed_why,
        evidence=_numbers((*entry.evidence, m.number)),
    )
    if changed.kinds != entry.kinds:
        cited = tuple(one for kind in changed.kinds for one in m.rules.cited(kind))
        changed = replace(changed, provisions=cited)
    _put(m, changed)
    return entry.id


def flush(m: Moment) -> None:
    """Say what has become of the book in this event: each entry once."""
    if m.now.holds:
        freeze_stages(m)
    if m.now.book is m.flushed:
        return
    old = {entry.id: entry for entry in m.flushed.entries}
    for entry in m.now.book.entries:
        was = old.get(entry.id)
        if was is None:
            m.do(Report(entry=entry))
        elif was != entry:
            revised = replace(entry, revision=was.revision + 1)
            _put(m, revised)
            m.do(Amend(entry=revised))
    m.flushed = m.now.book


def known_id(m: Moment, key: Key | None) -> int | None:
    """The id of the entry last made under this key on this board."""
    if key is None:
        return None
    return next((entry_id for known, entry_id in m.now.book.keys if known == key), None)


def open_entry(m: Moment, entry_id: int | None) -> Entry | None:
    entry = None if entry_id is None else m.now.entry(entry_id)
    return entry if entry is not None and entry.standing is Standing.OPEN else None


def open_entries(m: Moment, *kinds: Kind) -> tuple[Entry, ...]:
    """Open entries of this or an earlier board that have any of these kinds."""
    wanted = set(kinds)
    return tuple(
        entry
        for entry in m.now.book.entries
        if entry.standing is Standing.OPEN and not wanted.isdisjoint(entry.kinds)
    )


def freeze(m: Moment, entry_ids: Iterable[int]) -> None:
    book = m.now.book
    m.now = replace(m.now, book=replace(book, frozen=book.frozen | frozenset(entry_ids)))


def freeze_stages(m: Moment) -> None:
    """A summons or a hold: no stage moves from here on."""
    staged = [entry.id for entry in m.now.book.entries if entry.stage is not None]
    if not m.now.book.frozen.issuperset(staged):
        freeze(m, staged)


def hold_reason(entry_id: int) -> str:
    return f"entry:{entry_id}"


def begin_hold(m: Moment, reason: str) -> None:
    if all(hold.reason != reason for hold in m.now.holds):
        m.now = replace(m.now, holds=(*m.now.holds, Hold(reason=reason, at=m.at)))
    freeze_stages(m)
    m.interrupt()


def level_of(kinds: Iterable[Kind]) -> Level:
    return max(LEVELS.get(kind, Level.REPORT) for kind in kinds)


def merged(old: tuple[_T, ...], new: tuple[_T, ...]) -> tuple[_T, ...]:
    return (*old, *(item for item in new if item not in old))


def _numbers(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for number in numbers if number > 0))


def _put(m: Moment, entry: Entry) -> None:
    book = m.now.book
    entries = tuple(entry if known.id == entry.id else known for known in book.entries)
    m.now = replace(m.now, book=replace(book, entries=entries))
