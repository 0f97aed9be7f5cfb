"""The phases of a board as one literal table, and the machine that interprets it.

Theory. The procedure (setup, closing, auction, lead, opening, clarification, play, complete) is a course a
board runs through; what lies where is not part of it and stands among the facts. A row says *from here, on
this trigger, to there* and nothing else: no condition and no callback, so that the exported diagram is the
whole truth. When a trigger is due is decided by `due`; the machine only says whether the step exists.
Which rows there are depends on the profile in one thing, `window.opens_on`: where the window opens on the
faced lead, clarification comes before opening.

`transitions` lives here and in `diagram`, nowhere else. Must never let a phase change in any other way,
a director's correction excepted, which is no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from transitions import MachineError
from transitions.extensions import HierarchicalMachine
from transitions.extensions.nesting import NestedState

from table_controller.regulations.strategies import OpensOn
from table_controller.screen.phases import Phase


class Trigger(StrEnum):
    BOARD_PLACED = "board_placed"
    BOARD_LIFTED = "board_lifted"
    AUCTION_ON_NE = "auction_on_ne"
    AUCTION_ON_SW = "auction_on_sw"
    WINDOW_REOPENED = "window_reopened"
    TRAY_ON_NE = "tray_on_ne"
    TRAY_ON_SW = "tray_on_sw"
    AUCTION_OVER = "auction_over"
    PASSED_OUT = "passed_out"
    BOARD_ABANDONED = "board_abandoned"
    LEAD_MADE = "lead_made"
    LEAD_LIFTED = "lead_lifted"
    OPENING_PERMITTED = "opening_permitted"
    CLARIFICATION_BEGINS = "clarification_begins"
    WINDOW_OPENED = "window_opened"
    LEAD_FACED = "lead_faced"
    PLAY_BEGINS = "play_begins"
    PLAY_OVER = "play_over"
    BOARD_BACK = "board_back"
    RECORD_CLOSED = "record_closed"


@dataclass(frozen=True, slots=True)
class Row:
    """`source` may be a parent state: then the step exists from each of its leaves."""

    trigger: Trigger
    source: str
    dest: Phase


SEPARATOR = "."
PARENTS: dict[str, tuple[str, ...]] = {"auction": ("ne", "sw"), "lead": ("awaiting", "down")}

_T, _P = Trigger, Phase

_COMMON: tuple[Row, ...] = (
    Row(_T.BOARD_PLACED, _P.SETUP, _P.CLOSING),
    Row(_T.BOARD_LIFTED, _P.CLOSING, _P.SETUP),
    Row(_T.AUCTION_ON_NE, _P.CLOSING, _P.AUCTION_NE),
    Row(_T.AUCTION_ON_SW, _P.CLOSING, _P.AUCTION_SW),
    Row(_T.TRAY_ON_SW, _P.AUCTION_NE, _P.AUCTION_SW),
    Row(_T.TRAY_ON_NE, _P.AUCTION_SW, _P.AUCTION_NE),
    Row(_T.BOARD_LIFTED, "auction", _P.SETUP),
    Row(_T.WINDOW_REOPENED, "auction", _P.CLOSING),
    Row(_T.AUCTION_OVER, "auction", _P.LEAD_AWAITING),
    Row(_T.PASSED_OUT, "auction", _P.COMPLETE),
    Row(_T.BOARD_ABANDONED, "auction", _P.COMPLETE),
    Row(_T.LEAD_MADE, _P.LEAD_AWAITING, _P.LEAD_DOWN),
    Row(_T.PLAY_BEGINS, "lead", _P.PLAY),
    Row(_T.PASSED_OUT, "lead", _P.COMPLETE),
    Row(_T.BOARD_ABANDONED, "lead", _P.COMPLETE),
    Row(_T.LEAD_LIFTED, _P.OPENING, _P.LEAD_AWAITING),
    Row(_T.PLAY_BEGINS, _P.OPENING, _P.PLAY),
    Row(_T.PLAY_OVER, _P.OPENING, _P.COMPLETE),
    Row(_T.LEAD_LIFTED, _P.CLARIFICATION, _P.LEAD_AWAITING),
    Row(_T.PLAY_BEGINS, _P.CLARIFICATION, _P.PLAY),
    Row(_T.PLAY_OVER, _P.CLARIFICATION, _P.COMPLETE),
    Row(_T.PLAY_OVER, _P.PLAY, _P.COMPLETE),
    Row(_T.BOARD_BACK, _P.COMPLETE, _P.PLAY),
    Row(_T.RECORD_CLOSED, _P.COMPLETE, _P.SETUP),
)

_OPENS_ON_LEAD: tuple[Row, ...] = (
    Row(_T.LEAD_LIFTED, _P.LEAD_DOWN, _P.LEAD_AWAITING),
    Row(_T.OPENING_PERMITTED, _P.LEAD_DOWN, _P.OPENING),
    Row(_T.WINDOW_OPENED, _P.OPENING, _P.CLARIFICATION),
    Row(_T.LEAD_FACED, _P.CLARIFICATION, _P.PLAY),
)
"""The window opens on a lead laid or announced; questions are asked through the open window."""

_OPENS_ON_FACED: tuple[Row, ...] = (
    Row(_T.CLARIFICATION_BEGINS, _P.LEAD_DOWN, _P.CLARIFICATION),
    Row(_T.OPENING_PERMITTED, _P.CLARIFICATION, _P.OPENING),
    Row(_T.WINDOW_OPENED, _P.OPENING, _P.PLAY),
)
"""The lead is faced, questions and all, before the window opens. Questions begin at once."""


def clarifies_first(opens_on: OpensOn) -> bool:
    """Whether clarification comes before opening."""
    return opens_on is OpensOn.LEAD_FACED


def rows_for(opens_on: OpensOn) -> tuple[Row, ...]:
    return _COMMON + (_OPENS_ON_FACED if clarifies_first(opens_on) else _OPENS_ON_LEAD)


class PhaseError(RuntimeError):
    """Our own error: a step was due that the table of phases does not have."""


class _DottedState(NestedState):
    separator = SEPARATOR


class _DottedMachine(HierarchicalMachine):
    state_cls = _DottedState


class _Model:
    """What the machine moves; nobody else sees it."""

    state: str


class PhaseMachine:
    """Moves from leaf to leaf by the rows it was made from, and in no other way."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)
        self._answers: dict[tuple[Phase, Trigger], Phase] = {}
        self._model = _Model()
        self._machine = _DottedMachine(
            model=self._model,
            states=states(),
            transitions=[
                {"trigger": row.trigger.value, "source": str(row.source), "dest": row.dest.value}
                for row in self.rows
            ],
            initial=Phase.SETUP.value,
            auto_transitions=False,
            send_event=False,
        )

    def fire(self, phase: Phase, trigger: Trigger) -> Phase:
        """The phase after this step. Raises PhaseError if there is no such row."""
        known = self._answers.get((phase, trigger))
        if known is None:  # the machine is asked once: it has no conditions, so it answers always the same
            known = self._answers[phase, trigger] = self._ask(phase, trigger)
        return known

    def _ask(self, phase: Phase, trigger: Trigger) -> Phase:
        self._machine.set_state(phase.value, self._model)
        try:
            self._machine.trigger_event(self._model, trigger.value)
        except (MachineError, AttributeError) as error:
            raise PhaseError(f"{trigger} is due in {phase}, but no row of the table has it") from error
        return Phase(self._model.state)

    def triggers(self) -> frozenset[str]:
        """The machine's own events, by name."""
        return frozenset(self._machine.events)

    def edges(self) -> tuple[tuple[str, str, str], ...]:
        """Every step the machine itself knows, as (source, trigger, dest); a source may be a parent."""
        return tuple(
            (source, name, transition.dest)
            for name, event in self._machine.events.items()
            for source, transitions in event.transitions.items()
            for transition in transitions
            if transition.dest is not None
        )


def states() -> list[str | dict[str, object]]:
    """The states as the machine wants them: leaves, and parents with their children."""
    found: list[str | dict[str, object]] = []
    for phase in Phase:
        parent, _, _ = phase.value.partition(SEPARATOR)
        if parent not in PARENTS:
            found.append(phase.value)
        elif not any(isinstance(state, dict) and state["name"] == parent for state in found):
            found.append({"name": parent, "children": list(PARENTS[parent])})
    return found


@lru_cache(maxsize=8)
def machine_for(opens_on: OpensOn) -> PhaseMachine:
    """One machine a variant of the table; it keeps nothing between two steps but what it answers."""
    return PhaseMachine(rows_for(opens_on))
