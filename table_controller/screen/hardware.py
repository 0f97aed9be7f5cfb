"""Noting what hardware, link and controller did: faults, doubts, losses, and coming back.

A doubt suspends the checks that rest on it; what was believed stays believed. After a restart beliefs come
from the journal and differences from fresh readings, marked inferred; then orders are derived anew. Must
never invent a departure or a call, and never call a fault an irregularity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from table_controller.screen.beliefs import blocked
from table_controller.screen.effects import ClearFault, RaiseFault
from table_controller.screen.entry import Fault, FaultKind
from table_controller.screen.event_base import WindowOrder
from table_controller.screen.events import (
    DeviceReset,
    EventsLost,
    FaultGone,
    FaultSeen,
    LinkLost,
    LinkRestored,
    Restarted,
    SensorCleared,
    SensorDoubted,
    SensorsRead,
)
from table_controller.screen.facts import Doubt, Given
from table_controller.screen.moment import Moment
from table_controller.screen.override import TARGET
from table_controller.screen.rules import LINK, senses_doubted
from table_controller.screen.senses import Sense

DEVICE = "device"
_JUDGE_WINDOW = frozenset({Sense.WINDOW, Sense.LEAD, Sense.CALLS})
"""What must not be doubted for an opening to be judged, and the window ordered closed for it."""


def note_doubted(m: Moment, event: SensorDoubted) -> None:
    doubt = Doubt(sense=event.sense, kind=event.kind, component=event.component)
    if doubt not in m.now.doubts:
        m.now = replace(m.now, doubts=(*m.now.doubts, doubt))
    _raise(m, event.kind, event.component, event.detail)
    m.interrupt()


def note_cleared(m: Moment, event: SensorCleared) -> None:
    """What was not believed meanwhile is told next, and only then may the window move for it."""
    _believe_again(m, lambda one: (one.kind, one.component) == (event.kind, event.component))
    m.now = replace(m.now, unread=True)
    _clear(m, event.kind, event.component)
    if m.now.given.window is WindowOrder.CLOSE and _JUDGE_WINDOW & senses_doubted(event.sense):
        _order_window_anew(m)


def _believe_again(m: Moment, which: Callable[[Doubt], bool]) -> None:
    """These doubts are over. Nobody watched in the meantime, so that what is timed counts anew."""
    over = {one.sense for one in m.now.doubts if which(one)}
    unwatched = {**dict(m.now.unwatched), **dict.fromkeys(over, m.at)}
    m.now = replace(
        m.now,
        doubts=tuple(one for one in m.now.doubts if not which(one)),
        unwatched=tuple(sorted(unwatched.items())),
    )


def note_fault(m: Moment, event: FaultSeen) -> None:
    _raise(m, event.kind, event.component, event.detail, standing=event.standing)


def note_fault_gone(m: Moment, event: FaultGone) -> None:
    was = blocked(m.now)
    _clear(m, event.kind, event.component)
    if was and not blocked(m.now):
        _order_window_anew(m)


def _order_window_anew(m: Moment) -> None:
    """A hand that moved it meanwhile was not judged, or freed it: where it is not where it was ordered,
    that is ordered again. In a hold it waits until the director resumes.
    """
    given = m.now.given.window
    if given is not None and m.now.window.state is not TARGET[given] and not m.now.holds:
        m.now = replace(m.now, given=replace(m.now.given, window=None))


def note_reset(m: Moment, event: DeviceReset) -> None:
    """Outputs are safe after a reset, so orders are derived anew; and nobody watched while it started."""
    m.now = replace(m.now, counting_from=m.at)
    _raise(m, FaultKind.DEVICE_RESET, DEVICE, event.cause, standing=False)
    m.interrupt()
    _forget_outputs(m)


def note_events_lost(m: Moment, event: EventsLost) -> None:
    detail = str(event.count) if event.count else f"nothing was read for {event.gap / 1e9:.1f} s"
    m.now = replace(m.now, counting_from=m.at)
    _raise(m, FaultKind.EVENTS_LOST, DEVICE, detail, standing=False)
    m.interrupt()


def note_link_lost(m: Moment, event: LinkLost) -> None:
    doubt = Doubt(sense=LINK, kind=FaultKind.LINK_LOST, component=LINK)
    if doubt not in m.now.doubts:
        m.now = replace(m.now, doubts=(*m.now.doubts, doubt))
    _raise(m, FaultKind.LINK_LOST, LINK, event.why)
    m.interrupt()


def note_link_restored(m: Moment, event: LinkRestored) -> None:
    """Outputs went safe while the link was down, so orders are derived anew."""
    _believe_again(m, lambda one: one.kind is FaultKind.LINK_LOST)
    _clear(m, FaultKind.LINK_LOST, LINK)
    _forget_outputs(m)


def _forget_outputs(m: Moment) -> None:
    given = replace(m.now.given, window=None, holds=frozenset(), lamps=frozenset())
    m.now = replace(m.now, given=given, unread=True)


def note_restarted(m: Moment, event: Restarted) -> None:
    m.interrupt()
    m.now = replace(m.now, given=Given(), counting_from=m.at, unread=True)


def note_read(m: Moment, event: SensorsRead) -> None:
    m.now = replace(m.now, unread=False)


def _raise(m: Moment, kind: FaultKind, component: str, detail: str, *, standing: bool = True) -> None:
    if standing and any((f.kind, f.component) == (kind, component) for f in m.now.faults):
        return
    book = m.now.book
    fault = Fault(id=book.next_id, kind=kind, component=component, at=m.at, detail=detail, standing=standing)
    m.now = replace(m.now, book=replace(book, next_id=book.next_id + 1))
    if standing:
        m.now = replace(m.now, faults=(*m.now.faults, fault))
    m.do(RaiseFault(fault=fault))


def _clear(m: Moment, kind: FaultKind, component: str) -> None:
    fault = next((f for f in m.now.faults if (f.kind, f.component) == (kind, component)), None)
    if fault is not None:
        m.now = replace(m.now, faults=tuple(one for one in m.now.faults if one is not fault))
        m.do(ClearFault(fault=replace(fault, standing=False, cleared_at=m.at)))
