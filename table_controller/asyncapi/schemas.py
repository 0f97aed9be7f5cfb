"""One JSON schema a message type, made from the models and the core's own types.

A schema is of the whole message: envelope, body, and in it the core value or the arguments. Must never be
written by hand.
"""

from __future__ import annotations

from typing import cast

from table_controller.asyncapi.values import Collector, Schema
from table_controller.messages import (
    ARGS,
    BODIES,
    CommandBody,
    Envelope,
    FaultBody,
    IrregularityBody,
    LogBody,
    VisitBody,
    What,
)
from table_controller.messages.codec import Json
from table_controller.messages.fields import Model
from table_controller.messages.topics import Verb
from table_controller.screen.effects import Effect
from table_controller.screen.entry import Entry, Fault, Visit
from table_controller.screen.events import Event


class MessageSchemas:
    """Every message's schema; `prefix` stands before the name in a reference."""

    def __init__(self, prefix: str) -> None:
        self._values = Collector(prefix)
        self._values.union_of("Event", Event)
        self._values.union_of("Effect", Effect)
        self._envelope = self._model(Envelope)
        self.by_type: dict[str, Schema] = {kind: self._message(kind) for kind in BODIES}

    @property
    def shared(self) -> dict[str, Schema]:
        """The schemas that are referred to, by name."""
        return dict(sorted(self._values.found.items()))

    def _message(self, kind: str) -> Schema:
        body = BODIES[kind]
        described = " ".join((body.__doc__ or "").split())
        if body is CommandBody:
            args = ARGS[Verb(kind.removeprefix("command/"))]
            described = " ".join((args.__doc__ or "").split()) or described
        return {
            "title": kind,
            "description": described,
            "allOf": [
                self._envelope,
                {"required": list(Envelope.model_fields)},
                {"properties": {"type": {"const": kind}, "body": self._body(kind, body)}},
            ],
        }

    def _body(self, kind: str, body: type[Model]) -> Schema:
        schema = self._model(body)
        extra: Schema | None = None
        if body is CommandBody:
            extra = {"args": self._model(ARGS[Verb(kind.removeprefix("command/"))])}
        elif body is IrregularityBody:
            extra = {"entry": self._values.of(Entry)}
        elif body is FaultBody:
            extra = {"fault": self._values.of(Fault)}
        elif body is VisitBody:
            extra = {"visit": self._values.of(Visit)}
        elif body is LogBody:
            return {"allOf": [schema, *(self._log(what) for what in What)]}
        return schema if extra is None else {"allOf": [schema, {"properties": cast("Json", extra)}]}

    def _log(self, what: What) -> Json:
        """What `value` is, if `what` is this."""
        if what is What.EVENT:
            value = self._values.refer("Event")
        elif what in (What.BOOT, What.COMMAND, What.STORAGE, What.NOTE, What.TOO_LONG, What.OTHER):
            value = {"type": "object"}
        else:
            value = self._values.refer("Effect")
        return {
            "if": {"properties": {"what": {"const": what.value}}},
            "then": {"properties": {"value": value}},
        }

    def _model(self, model: type[Model]) -> Schema:
        name = model.__name__
        if name not in self._values.found:
            template = self._values.refer("")["$ref"]
            made = model.model_json_schema(ref_template=f"{template}{{model}}", mode="validation")
            for inner, schema in made.pop("$defs", {}).items():
                self._values.found.setdefault(inner, _tidied(schema))
            self._values.found[name] = _tidied(made)
        return self._values.refer(name)


def _tidied(schema: Schema) -> Schema:
    """Without the titles pydantic makes of field names, and with descriptions on one line."""

    def tidy(value: Json, *, names: bool) -> Json:
        if isinstance(value, list):
            return [tidy(item, names=False) for item in value]
        if not isinstance(value, dict):
            return value
        tidied: dict[str, Json] = {}
        for key, item in value.items():
            if names:
                tidied[key] = tidy(item, names=False)
            elif key == "description" and isinstance(item, str):
                tidied[key] = " ".join(item.split())
            elif key != "title":
                tidied[key] = tidy(item, names=key in ("properties", "$defs"))
        return tidied

    tidied = tidy(schema, names=False)
    assert isinstance(tidied, dict)
    return tidied
