"""JSON schemas of core values, as `codec` writes them: from the same types, so that they cannot drift apart.

Must never describe what `codec` would not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Union, cast, get_args, get_origin, get_type_hints

from table_controller.laws.call import ALL_BIDS, ALL_CALLS, Bid, Double, Pass, Redouble
from table_controller.laws.card import Card
from table_controller.messages.codec import Json, tag_of, to_json

Schema = dict[str, Json]
_Maker = Callable[[], Schema]
_CALLS = frozenset({Bid, Pass, Double, Redouble})
_PLAIN: Mapping[type, str] = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}


class Collector:
    """Schemas by name, each made once and referred to."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.found: dict[str, Schema] = {}

    def of(self, kind: object) -> Schema:
        """The schema of a value of this type. Raises TypeError for what the core is not made of."""
        origin = get_origin(kind)
        if origin is UnionType or origin is Union:
            return self._union(get_args(kind))
        if origin is tuple:
            return self._tuple(get_args(kind))
        if isinstance(kind, type):
            if kind in _CALLS:
                return self._call(frozenset({kind}))
            if kind is Card:
                return {"type": "string", "pattern": "^[CDHS][2-9TJQKA]$", "description": "Suit, then rank."}
            if issubclass(kind, Enum):
                return self._named(kind.__name__, lambda: _enumeration(kind))
            if is_dataclass(kind):
                return self._named(kind.__name__, lambda: self._record(kind))
            if kind in _PLAIN:
                return {"type": _PLAIN[kind]}
        raise TypeError(f"{kind} is no type of the core")

    def union_of(self, name: str, kind: object) -> Schema:
        """A closed union under a name of its own."""
        return self._named(name, lambda: {"oneOf": [self.of(member) for member in get_args(kind)]})

    def refer(self, name: str) -> Schema:
        return {"$ref": f"{self._prefix}{name}"}

    def _named(self, name: str, make: _Maker) -> Schema:
        if name not in self.found:
            self.found[name] = {}
            self.found[name] = make()
        return self.refer(name)

    def _record(self, kind: type) -> Schema:
        hints = get_type_hints(kind)
        properties: dict[str, Json] = {}
        required: list[Json] = []
        tag = tag_of(kind)
        if tag is not None:
            properties[tag] = {"const": kind.__name__}
            required.append(tag)
        for field in fields(kind):
            schema = self.of(hints[field.name])
            if field.default is MISSING:
                required.append(field.name)
            else:
                schema = _with_default(schema, to_json(field.default))
            properties[field.name] = schema
        record: Schema = {"type": "object", "properties": properties, "required": required}
        if kind.__doc__ and not kind.__doc__.startswith(f"{kind.__name__}("):
            record["description"] = " ".join(kind.__doc__.split())
        return record

    def _union(self, kinds: tuple[object, ...]) -> Schema:
        others = tuple(kind for kind in kinds if kind is not NoneType)
        if len(others) > 1 and _CALLS.issuperset(cast("tuple[type, ...]", others)):
            schema = self._call(frozenset(cast("tuple[type, ...]", others)))
        elif len(others) == 1:
            schema = self.of(others[0])
        else:
            schema = {"oneOf": [self.of(other) for other in others]}
        if len(others) == len(kinds):
            return schema
        return {"anyOf": [schema, {"type": "null"}]}

    def _tuple(self, parts: tuple[object, ...]) -> Schema:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return {"type": "array", "items": self.of(parts[0])}
        return {
            "type": "array",
            "prefixItems": [self.of(part) for part in parts],
            "items": False,
            "minItems": len(parts),
        }

    def _call(self, kinds: frozenset[type]) -> Schema:
        if kinds == _CALLS:
            return self._named("Call", lambda: _words("Any of the 38 calls.", map(str, ALL_CALLS)))
        if kinds == frozenset({Bid}):
            return self._named("Bid", lambda: _words("A bid.", map(str, ALL_BIDS)))
        return {"enum": [str(call) for call in ALL_CALLS if type(call) in kinds]}


def _words(description: str, words: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(words), "description": description}


def _enumeration(kind: type[Enum]) -> Schema:
    schema: Schema = {"enum": [to_json(member) for member in kind]}
    if kind.__doc__:
        schema["description"] = " ".join(kind.__doc__.split())
    return schema


def _with_default(schema: Schema, default: Json) -> Schema:
    if "$ref" in schema:
        return {"allOf": [schema], "default": default}
    return {**schema, "default": default}
