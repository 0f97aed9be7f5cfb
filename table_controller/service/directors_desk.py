"""What becomes of the director's orders here: judged, taken in one commit with their event, answered.

An order is carried out at most once, and what was answered is in the journal before it is sent. Must never
carry out anything itself: the core is told, and its word is the answer.
"""

from __future__ import annotations

import logging

from table_controller.commands import (
    NOTHING,
    Answer,
    Because,
    Carry,
    CommandGate,
    Ignore,
    Now,
    Objection,
    Remembered,
    events_of,
)
from table_controller.messages import ClockQuality, ReplayArgs, Status, What
from table_controller.screen.refusals import Refusal
from table_controller.service.clockwatch import WallClock
from table_controller.service.engine import Done, Engine
from table_controller.service.reporter import Ordered, Reporter

log = logging.getLogger(__name__)


class DirectorsDesk:
    """Every method belongs to the owner thread. `session`: this run of the controller."""

    def __init__(
        self,
        *,
        gate: CommandGate,
        engine: Engine,
        reporter: Reporter | None,
        wall: WallClock,
        session: str,
    ) -> None:
        self.gate = gate
        self._engine = engine
        self._reporter = reporter
        self._wall = wall
        self._session = session
        self._carried: dict[str, Carry] = {}

    def judge(self, order: Ordered, now: int) -> None:
        """Take an order that arrived and is believed, or answer why not."""
        wall = self._wall.look()
        present = Now(
            epoch=self._engine.journal.epoch,
            session=self._session,
            rev=self._engine.standing.rev,
            mono=now,
            wall=wall.at if wall.quality is ClockQuality.NTP else None,
        )
        match self.gate.judge(order.message, retained=order.retained, now=present):
            case Ignore(sentence=sentence):
                log.warning("%s", sentence)
            case Answer() as answer:
                if not answer.repeat:
                    self._note(answer.told, now)
                if self._reporter is not None:
                    self._reporter.answer(answer.told.result())
            case Carry() as carry:
                self._carry_out(carry, now)

    def _carry_out(self, carry: Carry, now: int) -> None:
        self._carried[carry.id] = carry
        accepted = Remembered(id=carry.id, verb=carry.verb, by=carry.by, status=Status.ACCEPTED)
        events = events_of(
            carry.verb,
            carry.args,
            at=now,
            by=carry.by,
            command=carry.id,
            console_wall=self.gate.console_wall(now),
        )
        if events:
            self._engine.order(carry.id, events, accepted.value())
            return
        status, because = Status.DONE, NOTHING
        match carry.args:
            case ReplayArgs(epoch=epoch, first=first, last=last):
                taken = self._reporter is not None and self._reporter.outbox.replay(epoch, first, last, now)
                if not taken:
                    status = Status.REFUSED
                    because = Because.objects(Objection.NO_SUCH_ROWS, first=first, last=last, epoch=epoch)
            case _:
                pass
        self._answer(carry.id, status, because, now)

    def _answer(self, command: str, status: Status, because: Because, now: int) -> None:
        carry = self._carried.pop(command, None)
        if carry is None:
            return
        told = self.gate.settle(command, status, because)
        self._note(told, now)
        if self._reporter is not None:
            self._reporter.answer(told.result())

    def _note(self, answer: Remembered, now: int) -> None:
        self._engine.note(What.COMMAND, answer.value(), now, cause=answer.id)

    def settle(self, done: Done, now: int) -> bool:
        """Answer the orders a turn carried out. True: another turn must journal the answers first."""
        refused: dict[str, Refusal | None] = {}
        for outcome in done.outcomes:
            refused[outcome.command] = refused.get(outcome.command) or outcome.refused
        for command, why in refused.items():
            if why is None:
                self._answer(command, Status.DONE, NOTHING, now)
            else:
                self._answer(command, Status.REFUSED, Because.refused(why), now)
        return bool(refused)
