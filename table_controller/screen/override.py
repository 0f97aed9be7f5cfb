"""The director's own window order: how long it stands against what the phase wants.

It stands while it is needed and no longer. It lapses when the table would order the same by itself; when it
has been carried out and a hand has undone it; when the board has gone on to where the window belongs the
other way; when he resumes; and with the board. In a hold the board goes on by his hands, so that only he,
or a hand on the window, ends it. Must never give an order.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from table_controller.screen.event_base import WindowOrder, WindowState
from table_controller.screen.facts import WindowFacts
from table_controller.screen.phase import clarifies_first
from table_controller.screen.phases import Phase
from table_controller.screen.rules import Rules

TARGET = {WindowOrder.OPEN: WindowState.OPEN, WindowOrder.CLOSE: WindowState.CLOSED}
_OTHER = {WindowOrder.OPEN: WindowState.CLOSED, WindowOrder.CLOSE: WindowState.OPEN}


class Stretch(Enum):
    """The parts of a board between which it changes where the window belongs."""

    BEFORE = auto()
    AUCTION = auto()
    LEAD = auto()
    OPENED = auto()
    AFTER = auto()


def stretch_of(phase: Phase, rules: Rules) -> Stretch:
    match phase:
        case Phase.SETUP:
            return Stretch.BEFORE
        case Phase.CLOSING | Phase.AUCTION_NE | Phase.AUCTION_SW:
            return Stretch.AUCTION
        case Phase.LEAD_AWAITING | Phase.LEAD_DOWN:
            return Stretch.LEAD
        case Phase.CLARIFICATION if clarifies_first(rules.opens_on):
            return Stretch.LEAD
        case Phase.OPENING | Phase.CLARIFICATION | Phase.PLAY:
            return Stretch.OPENED
        case Phase.COMPLETE:
            return Stretch.AFTER


def ordered(window: WindowFacts, to: WindowOrder) -> WindowFacts:
    return replace(window, override=to, obeyed=window.state is TARGET[to])


def followed(window: WindowFacts) -> WindowFacts:
    """The window has moved. From one end to the other after it was carried out: a hand has undone it."""
    if window.override is None:
        return window
    if window.state is TARGET[window.override]:
        return replace(window, obeyed=True)
    undone = window.obeyed and window.state is _OTHER[window.override]
    return replace(window, override=None, obeyed=False) if undone else window


def lapsed(window: WindowFacts, phase: Phase, rules: Rules) -> WindowFacts:
    """It stands no longer. What he opened where it belongs shut was not opened for a lead."""
    if window.override is None:
        return window
    for_lead = window.override is WindowOrder.CLOSE or stretch_of(phase, rules) is Stretch.OPENED
    return replace(window, override=None, obeyed=False, begun=window.begun and for_lead)


def gone_on(window: WindowFacts, before: Phase, now: Phase, rules: Rules) -> WindowFacts:
    """The board has gone on. An order to open stands on where the window belongs open."""
    stretch = stretch_of(now, rules)
    if stretch is stretch_of(before, rules):
        return window
    if stretch is Stretch.OPENED and window.override is WindowOrder.OPEN:
        return window
    return lapsed(window, now, rules)
