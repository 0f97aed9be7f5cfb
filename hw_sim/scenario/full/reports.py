"""A table's published rows, in their order, as the effects they are.

Rows may come twice or out of order; each counts once, in its place. Must never make up one that is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hw_sim.scenario.seen import Seen
from table_controller.messages import (
    Change,
    Envelope,
    FaultBody,
    FaultChange,
    IrregularityBody,
    LogBody,
    Message,
    ResultBody,
    Status,
    VisitBody,
    What,
)
from table_controller.screen.effects import Amend, ClearFault, Effect, RaiseFault, RecordVisit, Report


@dataclass(slots=True)
class Reports:
    """One table's. `epoch`, `session`, `rev`: what a command must name. `rows`: how many are in `seen`.

    `on_row` is told of each row in its order, before `seen`.
    """

    seen: Seen
    on_row: Callable[[Message], None] = lambda message: None
    epoch: str = ""
    session: str = ""
    rev: int = 0
    rows: int = 0
    events: int = 0
    boots: int = 0
    mono_ms: int = 0
    answers: dict[str, ResultBody] = field(default_factory=dict)
    _waiting: dict[int, Message] = field(default_factory=dict)

    def take(self, message: Message) -> bool:
        """One message of the table. Whether it brought anything new."""
        body, envelope = message.body, message.envelope
        if isinstance(body, ResultBody):
            new = body.command not in self.answers
            self.answers[body.command] = body
            return new
        if envelope.seq is None or envelope.epoch is None:
            return False
        if envelope.epoch != self.epoch:
            self.epoch, self.rows = envelope.epoch, 0
            self._waiting.clear()
        if envelope.seq <= self.rows:
            return False
        self._waiting[envelope.seq] = message
        before = self.rows
        while (waiting := self._waiting.pop(self.rows + 1, None)) is not None:
            self.rows += 1
            self._row(waiting)
        return self.rows > before

    @property
    def missing(self) -> tuple[int, int] | None:
        """The first and the last row that have not come though a later one has."""
        return (self.rows + 1, min(self._waiting) - 1) if self._waiting else None

    def _row(self, message: Message) -> None:
        self.on_row(message)
        envelope: Envelope = message.envelope
        self.session, self.mono_ms = envelope.session, envelope.mono_ms
        for effect in self._effects(message):
            self.seen.take(effect)

    def _effects(self, message: Message) -> list[Effect]:
        match message.body:
            case LogBody(what=What.BOOT):
                self.boots += 1
                self.seen.restarted()
            case LogBody(what=What.EVENT):
                self.events += 1
            case LogBody() as body if body.has_effect:
                if body.what is What.VIEW:
                    self.rev += 1
                return [body.effect()]
            case IrregularityBody() as body:
                entry = body.read()
                return [Report(entry=entry) if body.change is Change.NEW else Amend(entry=entry)]
            case FaultBody() as body:
                fault = body.read()
                raised = body.change is FaultChange.RAISED
                return [RaiseFault(fault=fault) if raised else ClearFault(fault=fault)]
            case VisitBody() as body:
                return [RecordVisit(visit=body.read())]
            case _:
                pass
        return []


def is_refusal(answer: ResultBody) -> bool:
    """Refused for good; not merely meant for a state that is no more."""
    return answer.status in (Status.REFUSED, Status.EXPIRED)
