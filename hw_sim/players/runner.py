"""Runs a script of players on a table whose time is virtual: as fast as the machine allows, and exactly.

Must never run where real processes answer: they need real time (`live`).
"""

from __future__ import annotations

from collections.abc import Callable

from hw_sim.players.asks import Complaint, Pause, Script, Until
from hw_sim.players.hands import Stage


def wait_for(ask: Pause, speed: float) -> int:
    """How long a pause lasts at this speed, ns; `float("inf")` leaves only what the hardware needs."""
    return max(round(ask.human / speed), ask.least)


def play_out(
    stage: Stage, script: Script, *, speed: float = 1.0, between: Callable[[], None] = lambda: None
) -> None:
    """Run the script to its end. `between` is called whenever something may have changed.

    Raises Complaint where the script waits in vain.
    """
    while (ask := next(script, None)) is not None:
        between()
        match ask:
            case Pause():
                _pass(stage, stage.now + wait_for(ask, speed), between)
            case Until():
                _wait(stage, ask, between)
    between()


def _pass(stage: Stage, end: int, between: Callable[[], None]) -> None:
    while (due := stage.due()) is not None and due <= end:
        stage.advance(max(due, stage.now))
        between()
    stage.advance(max(end, stage.now))
    between()


def _wait(stage: Stage, ask: Until, between: Callable[[], None]) -> None:
    end = stage.now + ask.within
    while not ask.seen():
        due = stage.due()
        if due is None or due > end:
            raise Complaint.of(ask)
        stage.advance(max(due, stage.now))
        between()
