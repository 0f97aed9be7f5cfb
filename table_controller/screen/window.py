"""Noting the window: where it is, whose hand is on it, and whether a movement was ours.

Must never judge a movement that our own order caused.
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.screen.event_base import WindowOrder, WindowState
from table_controller.screen.events import WindowHandled, WindowMoved
from table_controller.screen.moment import LeftClosed, Moment
from table_controller.screen.override import followed


def note_handled(m: Moment, event: WindowHandled) -> None:
    window = m.now.window
    if event.held:
        alone = len(m.now.lead.lying) == 1  # of two it cannot be said which one it is for
        worked = window.worked | {event.seat} if alone else window.worked
        window = replace(window, handles=window.handles | {event.seat}, worked=worked)
    else:
        window = replace(window, handles=window.handles - {event.seat})
    m.now = replace(m.now, window=window)


def note_moved(m: Moment, event: WindowMoved) -> None:
    window = m.now.window
    if window.state is event.state:
        return
    moved = replace(window, state=event.state, since=m.at)
    if window.state is WindowState.CLOSED and event.state is not WindowState.UNKNOWN:
        ours = event.order is not None
        moved = replace(
            moved,
            openers=window.handles,
            begun=window.begun or event.order is WindowOrder.OPEN,
        )
        m.happened.append(LeftClosed(ours=ours, openers=window.handles))
    elif event.state is WindowState.CLOSED:
        moved = replace(moved, begun=False)
    m.now = replace(m.now, window=followed(moved))


def forget_given(m: Moment) -> None:
    """A hand has undone what was ordered: what is desired will be ordered anew."""
    m.now = replace(m.now, given=replace(m.now.given, window=None))
