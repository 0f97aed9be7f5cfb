"""The envelope around everything that goes over MQTT: who, where, when, under which number, and the MAC.

`open_sealed` is the only way in and `sealed` the only way out, for table and console alike. A message that
cannot be believed is a `Refused` with a reason a person can act on: an alarm, never a crash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, ValidationError

from table_controller.messages import mac, topics
from table_controller.messages.bodies import BODIES, Body, ResultBody
from table_controller.messages.codec import Json
from table_controller.messages.fields import ClockQuality, Count, Model, Name, Value, Wall

VERSION: Final = 1
ID_PATTERN = r"^[A-Za-z0-9_-]{1,200}$"


class Envelope(Model):
    """Every field of every message. A field that has no meaning for a type is null."""

    v: Literal[1] = VERSION
    """The version of this envelope. Another one is refused with an alarm."""
    id: Annotated[str, StringConstraints(strict=True, pattern=ID_PATTERN)]
    """`<table>-<epoch>-<seq>` for a row of a journal, for ever; a ULID for everything else."""
    type: Annotated[str, StringConstraints(strict=True, max_length=64)]
    """Which schema the body has; the same word as in the topic."""
    venue: Name
    event: Name
    table: Name | None = None
    """Null in what a console says to everybody."""
    epoch: Name | None = None
    """The journal the table writes. In a command: the one the console has seen, or null."""
    seq: Count | None = None
    """The row's number in that journal, from 1; null for what is no row."""
    session: Name
    """One run of the writer's process. In a command: the table's session that the console has seen."""
    mono_ms: Count
    """The writer's monotonic clock in milliseconds; meaningful within one boot."""
    wall: Wall | None = None
    """The writer's wall clock, or null where it has none."""
    clock: ClockQuality
    rev: Count | None = None
    """The table's state revision when this was written."""
    cause: Annotated[str, StringConstraints(strict=True, max_length=200)] | None = None
    """The id of the command or row that led to this."""
    body: Value
    mac: Annotated[str, StringConstraints(strict=True, max_length=64)] = Field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An envelope that was believed, and its body."""

    envelope: Envelope
    body: Body


class Distrust(StrEnum):
    """Why a message was not believed."""

    MALFORMED = "malformed"
    VERSION = "version"
    STRANGER = "stranger"
    FORGED = "forged"
    MISPLACED = "misplaced"
    TYPE = "type"


class Refused(ValueError):
    """A message that is not believed. `why` is for counting, the text one sentence for the log."""

    def __init__(self, why: Distrust, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


def sealed(envelope: Envelope, key: bytes) -> bytes:
    """The bytes that go on the wire. Raises ValueError if they are more than 16 KiB."""
    fields: dict[str, Json] = envelope.model_dump(mode="json", exclude={"mac"})
    payload = mac.seal(fields, key)
    if len(payload) > mac.MAX_BYTES:
        raise ValueError(
            f"message {envelope.id} has {len(payload)} bytes, at most {mac.MAX_BYTES} may be sent"
        )
    return payload


def open_sealed(topic: str, payload: bytes, key_of: Callable[[str | None], bytes | None]) -> Message:
    """The message, if it is whole, known, in its place and sealed with the key of the table it names.

    `key_of` gives a table's key, for None the venue's; it answers None for a stranger. Raises Refused.
    """
    try:
        fields = mac.parse_object(payload)
    except mac.NotCanonical as error:
        raise Refused(Distrust.MALFORMED, f"{topic}: {error}") from None
    if fields.get("v") != VERSION or isinstance(fields.get("v"), bool):
        version = str(fields.get("v"))[:20]
        raise Refused(Distrust.VERSION, f"{topic}: envelope version {version}, this program reads {VERSION}")
    envelope = _envelope(topic, fields)
    _check_place(topic, envelope)
    key = key_of(envelope.table)
    if key is None:
        raise Refused(
            Distrust.STRANGER, f"{topic}: no key is known for table {envelope.table}; enrol it first"
        )
    if not mac.verify(fields, key):
        raise Refused(
            Distrust.FORGED, f"{topic}: the MAC of message {envelope.id} is wrong; it is not believed"
        )
    message = Message(envelope=envelope, body=read_body(envelope))
    _check_name(topic, message)
    return message


def read_body(envelope: Envelope) -> Body:
    """The body by its type's schema. Raises Refused."""
    model = BODIES.get(envelope.type)
    if model is None:
        raise Refused(Distrust.TYPE, f"message {envelope.id}: no type {envelope.type!r} is known")
    try:
        return model.model_validate(envelope.body)
    except ValidationError as error:
        raise Refused(Distrust.MALFORMED, f"message {envelope.id}: {_first(error)}") from None


def _envelope(topic: str, fields: dict[str, Json]) -> Envelope:
    try:
        return Envelope.model_validate(fields)
    except ValidationError as error:
        raise Refused(Distrust.MALFORMED, f"{topic}: {_first(error)}") from None


def _check_place(topic: str, envelope: Envelope) -> None:
    """Topic and envelope must say the same: no carrier may move a message to another table or verb."""
    parsed = topics.parse(topic)
    if parsed is None:
        raise Refused(Distrust.MISPLACED, f"{topic}: no such topic is known")
    said = (envelope.venue, envelope.event, envelope.table, envelope.type)
    if said != (parsed.place.venue, parsed.place.event, parsed.table, parsed.kind):
        raise Refused(Distrust.MISPLACED, f"{topic}: message {envelope.id} says it belongs to {said}")


def _check_name(topic: str, message: Message) -> None:
    """A row must be named as the row it is, and a result as the command it answers."""
    envelope, body = message.envelope, message.body
    if envelope.type in set(topics.Stream):
        if envelope.seq is None or envelope.epoch is None or envelope.seq < 1:
            raise Refused(Distrust.MALFORMED, f"{topic}: row {envelope.id} has no epoch or no number")
        if envelope.id != f"{envelope.table}-{envelope.epoch}-{envelope.seq}":
            raise Refused(Distrust.MISPLACED, f"{topic}: row {envelope.id} is not what its number says")
    if isinstance(body, ResultBody) and topic.rsplit("/", 1)[1] != body.command:
        raise Refused(Distrust.MISPLACED, f"{topic}: message {envelope.id} answers command {body.command}")


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "message"
    return f"{where}: {problem['msg']}"
