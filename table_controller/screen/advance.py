"""Advancing: the phase moves by the machine, step by step, until it fits the facts.

What a step does to the facts is here and only this: a board's record is closed and the next begins. Must
never give an order; orders follow from the facts (`desired`).
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.screen.beliefs import outcome
from table_controller.screen.board import lift_before_first_call, next_board, set_board
from table_controller.screen.book import flush
from table_controller.screen.due import due
from table_controller.screen.effects import Moved
from table_controller.screen.judges.people import judge_alerts
from table_controller.screen.moment import Moment
from table_controller.screen.phase import PhaseError, PhaseMachine, Trigger
from table_controller.screen.phases import Phase
from table_controller.screen.record import record_of, was_abandoned

MOST_STEPS = 16
"""More steps than there are phases in a board and the start of the next: it would go round for ever."""


def advance(m: Moment, machine: PhaseMachine) -> None:
    """Fires what is due until nothing is. Raises PhaseError if the table of phases and `due` disagree."""
    for _ in range(MOST_STEPS):
        trigger = due(m.now, m.rules)
        if trigger is None:
            return
        source = m.now.phase
        dest = machine.fire(source, trigger)
        m.do(Moved(trigger=trigger.value, source=source.value, dest=dest.value))
        if trigger is Trigger.RECORD_CLOSED:
            _close_record(m)
        m.now = replace(m.now, phase=dest, phase_since=m.at)
        _after(m, trigger, source)
    raise PhaseError(f"more than {MOST_STEPS} steps are due at once; the last is {trigger} in {source}")


def _after(m: Moment, trigger: Trigger, source: Phase) -> None:
    board = m.now.board
    if m.now.phase is Phase.PLAY and not m.now.lead.faced:
        m.now = replace(m.now, lead=replace(m.now.lead, faced=True))  # also one faced before its time
    match trigger:
        case Trigger.BOARD_BACK:
            set_board(m, replace(board, back=False))
        case Trigger.BOARD_ABANDONED:
            set_board(m, replace(board, abandoned=was_abandoned(m.now, source)))
        case Trigger.BOARD_LIFTED:
            lift_before_first_call(m)
        case _:
            return


def _close_record(m: Moment) -> None:
    judge_alerts(m)
    flush(m)
    without_result = m.rules.reads_calls and outcome(m.now) is None
    m.do(record_of(m.now, abandoned=m.now.board.abandoned or without_result))
    next_board(m)
