"""May this command be carried out? At most once, in time, for this table, as it stands now, and not a
ghost.

Every answer is kept by the command's id: a repeat gets the same answer again and moves nothing. After a
restart the answers are rebuilt from the journal. Pure: time, revision and clock are arguments.

Must never let through a command that was retained, repeated, late, or meant for a state that is no more: a
window must not open minutes later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from table_controller.commands.because import NOTHING, Because, Objection
from table_controller.commands.console_clock import ConsoleClock
from table_controller.commands.convert import read_args
from table_controller.messages import (
    MOVES_HARDWARE,
    Args,
    CommandBody,
    Envelope,
    Message,
    ResultBody,
    Status,
    wall_ns,
)
from table_controller.messages.codec import Json
from table_controller.messages.topics import Verb

MS = 1_000_000
SNAPSHOT_AGE_NS = 45_000_000_000
"""A console acts on no snapshot older than this, so a command is younger than the one it names, plus its
life.
"""
REMEMBERED = 4096
"""Answers kept; a console asks again for seconds or a day, not for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """The table as the command finds it. `wall`: ns since 1970, or None where the clock is not
    synchronised.
    """

    epoch: str
    session: str
    rev: int
    mono: int
    wall: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """To be journalled and carried out now; then `settle` says how it ended."""

    id: str
    verb: Verb
    by: str
    args: Args


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Not to be carried out. `repeat`: the same as was answered before; otherwise to be journalled first."""

    told: Remembered
    repeat: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """No command of ours at all; one sentence for the log."""

    sentence: str


Decision = Carry | Answer | Ignore


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What was answered to a command, as the journal keeps it."""

    id: str
    verb: Verb
    by: str
    status: Status
    because: Because = NOTHING

    def result(self) -> ResultBody:
        """As it goes over the wire."""
        why = self.because
        return ResultBody(
            command=self.id,
            verb=self.verb,
            status=self.status,
            reason=why.reason,
            code=why.code,
            slots=dict(why.slots),
        )

    def value(self) -> dict[str, Json]:
        """For a row of the game log about a command."""
        return {
            "id": self.id,
            "verb": self.verb.value,
            "by": self.by,
            "status": self.status.value,
            "reason": self.because.reason,
            "code": self.because.code,
            "slots": [[name, value] for name, value in self.because.slots],
        }

    @classmethod
    def read(cls, value: dict[str, Json]) -> Remembered:
        """Raises ValueError for what is no such row."""
        given = {name: value.get(name, "") for name in ("id", "verb", "by", "status", "reason")}
        text = {name: item for name, item in given.items() if isinstance(item, str)}
        if text.keys() != given.keys() or not text["id"]:
            raise ValueError("expected a command's id, verb, by, status and reason as text")
        return cls(
            id=text["id"],
            verb=Verb(text["verb"]),
            by=text["by"],
            status=Status(text["status"]),
            because=_because(text["reason"], value),
        )


class CommandGate:
    """Remembers every command it has judged. `remembered`: from the journal, in the order written."""

    def __init__(self, table: str, remembered: Iterable[Remembered] = ()) -> None:
        self._table = table
        self._known: OrderedDict[str, Remembered] = OrderedDict()
        self._clock = ConsoleClock()
        for answer in remembered:
            self._remember(answer)

    def judge(self, message: Message, *, retained: bool, now: Now) -> Decision:
        """What to do with a message that `open_sealed` has believed."""
        body = message.body
        envelope = message.envelope
        if not isinstance(body, CommandBody):
            return Ignore(sentence=f"message {envelope.id} of type {envelope.type} is no command")
        if envelope.table != self._table:
            return Ignore(sentence=f"command {body.id} is for table {envelope.table}, not for {self._table}")
        if envelope.id != body.id:
            return Ignore(sentence=f"command {body.id} came under another id, {envelope.id}")
        verb = Verb(envelope.type.removeprefix("command/"))
        if (before := self._known.get(body.id)) is not None:
            return Answer(told=before, repeat=True)
        objection = self._objection(message, body, verb, retained, now)
        if objection is None:
            try:
                args = read_args(verb, body.args)
            except ValidationError as error:
                objection = (Status.REFUSED, Because.said(_first(error)))
            else:
                self._remember(Remembered(id=body.id, verb=verb, by=body.by, status=Status.ACCEPTED))
                return Carry(id=body.id, verb=verb, by=body.by, args=args)
        status, because = objection
        told = Remembered(id=body.id, verb=verb, by=body.by, status=status, because=because)
        self._remember(told)
        return Answer(told=told, repeat=False)

    def settle(self, id_: str, status: Status, because: Because = NOTHING) -> Remembered:
        """How a command that was carried out ended. Raises KeyError for one never judged."""
        known = self._known[id_]
        told = Remembered(id=known.id, verb=known.verb, by=known.by, status=status, because=because)
        self._remember(told)
        return told

    def heard(self, envelope: Envelope, mono: int) -> None:
        """An authentic message of the console to this table, not retained: it tells its clocks."""
        if envelope.wall is not None:
            self._clock.heard(wall_ns(envelope.wall), envelope.mono_ms * MS, mono)

    def console_wall(self, mono: int) -> int | None:
        """What the console's clock shows at `mono`, ns since 1970, by its latest message."""
        return self._clock.now(mono)

    def _objection(
        self, message: Message, body: CommandBody, verb: Verb, retained: bool, now: Now
    ) -> tuple[Status, Because] | None:
        if retained:
            return Status.REFUSED, Because.objects(Objection.RETAINED)
        if (late := self._late(message, body, verb, now)) is not None:
            return Status.EXPIRED, late
        return _stale(message, body, verb, now)

    def _late(self, message: Message, body: CommandBody, verb: Verb, now: Now) -> Because | None:
        """Why this command is too old. Without a believable clock the snapshot it rests on tells its age."""
        deadline, issued = wall_ns(body.deadline), wall_ns(body.issued)
        if now.wall is not None and now.wall > deadline:
            return Because.objects(Objection.DEADLINE_PASSED, ms=(now.wall - deadline) // MS)
        sent = None if message.envelope.wall is None else wall_ns(message.envelope.wall)
        there = self._clock.at_least(sent, message.envelope.mono_ms * MS, now.mono)
        if there is not None and there > deadline:
            return Because.objects(Objection.DEADLINE_PASSED_THERE)
        if verb not in MOVES_HARDWARE:
            return None
        if body.seen_ms is None:
            return None if now.wall is not None else Because.objects(Objection.NO_CLOCK)
        if message.envelope.session == now.session:
            age = now.mono - body.seen_ms * MS
            if age > deadline - issued + SNAPSHOT_AGE_NS:
                return Because.objects(Objection.SNAPSHOT_OLD, seconds=age // 1_000_000_000)
        return None

    def _remember(self, answer: Remembered) -> None:
        self._known[answer.id] = answer
        self._known.move_to_end(answer.id)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _stale(message: Message, body: CommandBody, verb: Verb, now: Now) -> tuple[Status, Because] | None:
    moves = verb in MOVES_HARDWARE
    if body.expect_rev is None:
        if moves:
            return Status.REFUSED, Because.objects(Objection.NO_STATE, verb=verb)
        return None
    if moves and message.envelope.session != now.session:
        return Status.STALE, Because.objects(Objection.RESTARTED)
    if message.envelope.epoch not in (None, now.epoch):
        return Status.STALE, Because.objects(
            Objection.OTHER_JOURNAL, then=message.envelope.epoch, now=now.epoch
        )
    if body.expect_rev != now.rev:
        return Status.STALE, Because.objects(Objection.OTHER_STATE, then=body.expect_rev, now=now.rev)
    return None


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "args"
    return f"{where}: {problem['msg']}"[:200]


def _because(reason: str, value: dict[str, Json]) -> Because:
    """Why, from a row; one written before there were codes has the sentence alone."""
    code, slots = value.get("code", ""), value.get("slots", [])
    if not isinstance(code, str) or not isinstance(slots, list):
        raise ValueError("expected a code as text and its slots as a list of pairs")
    pairs: list[tuple[str, str]] = []
    for pair in slots:
        match pair:
            case [str(name), str(item)]:
                pairs.append((name, item))
            case _:
                raise ValueError("expected each slot as a pair of texts")
    return Because(reason=reason, code=code, slots=tuple(pairs))
