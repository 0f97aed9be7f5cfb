"""Core values as plain JSON values, and back: the one spelling of events, effects, entries and views.

The journal, the messages and every export write a value the same way, so that a row read years later, or a
message read by somebody else's console, means what it meant. A member of a closed union carries its class's
name under `event`, `effect` or `correction`; a call is `1NT`, a card `SQ`, an enumeration its value; a field
that has its default is left out.

Reading is strict: an unknown name, field or value in a row of our own is damage. With `newer=True` unknown
*fields* are passed over, as messages from a later version may have them. Must never guess a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TypeVar, Union, cast, get_args, get_origin, get_type_hints

from table_controller.laws.call import Bid, Double, Pass, Redouble, parse_call
from table_controller.laws.card import Card, parse_card
from table_controller.screen.effects import Effect
from table_controller.screen.events import Correction, Event

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""What a message may hold. No fractions: languages spell them differently, and a MAC is over the spelling."""

T = TypeVar("T")
_Reader = Callable[[Json, str, bool], object]
"""Takes the JSON value, where it stands (for the sentence), and whether unknown fields are passed over."""

_CALLS: frozenset[type] = frozenset({Bid, Pass, Double, Redouble})
_UNIONS: tuple[tuple[str, object], ...] = (("event", Event), ("effect", Effect), ("correction", Correction))
_TAG_OF: dict[type, str] = {member: tag for tag, union in _UNIONS for member in get_args(union)}


class CodecError(ValueError):
    """A value that is not what this product writes. One sentence: where, and what was expected."""


def to_json(value: object) -> Json:
    """The plain value of anything the core is made of. Raises TypeError for what it is not made of."""
    if isinstance(value, Bid | Pass | Double | Redouble | Card):
        return str(value)
    if isinstance(value, Enum):
        return cast("Json", value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return _record_to_json(value)
    raise TypeError(f"{type(value).__name__} is no value of the core")


def from_json(kind: type[T], value: Json, *, newer: bool = False) -> T:
    """The `kind` written as `value`. Raises CodecError; never anything else for any JSON value."""
    wanted: object = kind
    return cast("T", _reader_of(wanted)(value, kind.__name__, newer))


def event_from_json(value: Json, *, newer: bool = False) -> Event:
    return cast("Event", _reader_of(Event)(value, "event", newer))


def effect_from_json(value: Json, *, newer: bool = False) -> Effect:
    return cast("Effect", _reader_of(Effect)(value, "effect", newer))


def correction_from_json(value: Json, *, newer: bool = False) -> Correction:
    return cast("Correction", _reader_of(Correction)(value, "correction", newer))


def tag_of(kind: type) -> str | None:
    """The field that says which member of a closed union a value of this class is; None if it is in none."""
    return _TAG_OF.get(kind)


def _record_to_json(value: object) -> Json:
    written: dict[str, Json] = {}
    if (tag := _TAG_OF.get(type(value))) is not None:
        written[tag] = type(value).__name__
    kind: object = type(value)
    for field in _fields(kind):
        item = getattr(value, field.name)
        if field.default is MISSING or item != field.default:
            written[field.name] = to_json(item)
    return written


@cache
def _fields(kind: object) -> tuple[Field[object], ...]:
    return tuple(fields(cast("type", kind)))


@cache
def _reader_of(kind: object) -> _Reader:
    """How a value of this type is read. Raises TypeError for a type the core is not made of."""
    origin = get_origin(kind)
    if origin is UnionType or origin is Union:
        return _union(get_args(kind))
    if origin is tuple:
        return _tuple(get_args(kind))
    if isinstance(kind, type):
        if kind in _CALLS:
            return _parsed(parse_call, frozenset({kind}))
        if kind is Card:
            return _parsed(parse_card, frozenset({Card}))
        if issubclass(kind, Enum):
            return _enumeration(kind)
        if is_dataclass(kind):
            return _record(kind)
        if kind in (int, str, bool, NoneType):
            return _plain(kind)
    raise TypeError(f"{kind} is no type of the core")


def _plain(kind: type) -> _Reader:
    def read(value: Json, where: str, newer: bool) -> object:
        if type(value) is not kind:
            raise CodecError(f"{where}: expected {kind.__name__}, found {_short(value)}")
        return value

    return read


def _parsed(parse: Callable[[str], object], kinds: frozenset[type]) -> _Reader:
    def read(value: Json, where: str, newer: bool) -> object:
        if isinstance(value, str):
            try:
                parsed = parse(value)
            except ValueError as error:
                raise CodecError(f"{where}: {error}") from None
            if type(parsed) in kinds:
                return parsed
        raise CodecError(f"{where}: {_short(value)} is none of {_names(kinds)}")

    return read


def _enumeration(kind: type[Enum]) -> _Reader:
    members = {member.value: member for member in kind}

    def read(value: Json, where: str, newer: bool) -> object:
        if isinstance(value, str | int) and type(value) is not bool and value in members:
            return members[value]
        raise CodecError(f"{where}: {_short(value)} is no {kind.__name__}")

    return read


def _tuple(parts: tuple[object, ...]) -> _Reader:
    if len(parts) == 2 and parts[1] is Ellipsis:
        of_item = _reader_of(parts[0])

        def read_many(value: Json, where: str, newer: bool) -> object:
            if not isinstance(value, list):
                raise CodecError(f"{where}: expected a list, found {_short(value)}")
            return tuple(of_item(item, f"{where}[{i}]", newer) for i, item in enumerate(value))

        return read_many
    of_parts = tuple(_reader_of(part) for part in parts)

    def read_each(value: Json, where: str, newer: bool) -> object:
        if not isinstance(value, list) or len(value) != len(of_parts):
            raise CodecError(f"{where}: expected a list of {len(of_parts)}, found {_short(value)}")
        pairs = zip(of_parts, value, strict=True)
        return tuple(of_part(item, f"{where}[{i}]", newer) for i, (of_part, item) in enumerate(pairs))

    return read_each


def _union(kinds: tuple[object, ...]) -> _Reader:
    others = tuple(kind for kind in kinds if kind is not NoneType)
    if len(others) == 1:
        inner = _reader_of(others[0])
    elif _CALLS.issuperset(cast("tuple[type, ...]", others)):
        inner = _parsed(parse_call, frozenset(cast("tuple[type, ...]", others)))
    else:
        inner = _tagged(cast("tuple[type, ...]", others))
    if len(others) == len(kinds):
        return inner

    def read(value: Json, where: str, newer: bool) -> object:
        return None if value is None else inner(value, where, newer)

    return read


def _tagged(kinds: tuple[type, ...]) -> _Reader:
    tags = {_TAG_OF.get(kind) for kind in kinds}
    tag = tags.pop()
    if tag is None or tags:
        raise TypeError(f"the union of {_names(frozenset(kinds))} has no tag")
    by_name = {kind.__name__: _reader_of(kind) for kind in kinds}

    def read(value: Json, where: str, newer: bool) -> object:
        name = value.get(tag) if isinstance(value, dict) else None
        if not isinstance(name, str) or name not in by_name:
            raise CodecError(f"{where}: {_short(name)} is no {tag} this version knows")
        return by_name[name](value, f"{where}.{name}", newer)

    return read


def _record(kind: type) -> _Reader:
    tag = _TAG_OF.get(kind)
    hints = get_type_hints(kind)
    parts = {field.name: _reader_of(hints[field.name]) for field in _fields(kind)}
    needed = frozenset(field.name for field in _fields(kind) if field.default is MISSING)

    def read(value: Json, where: str, newer: bool) -> object:
        if not isinstance(value, dict):
            raise CodecError(f"{where}: expected an object, found {_short(value)}")
        if tag is not None and value.get(tag) != kind.__name__:
            raise CodecError(f"{where}: expected {tag} {kind.__name__}, found {_short(value.get(tag))}")
        given = {name: item for name, item in value.items() if name in parts}
        if not newer and (unknown := value.keys() - given.keys() - {tag}):
            raise CodecError(f"{where}: unknown field {min(unknown)!r}")
        if missing := needed - given.keys():
            raise CodecError(f"{where}: field {min(missing)!r} is missing")
        read_parts = {name: parts[name](item, f"{where}.{name}", newer) for name, item in given.items()}
        try:
            return kind(**read_parts)
        except ValueError as error:
            raise CodecError(f"{where}: {error}") from None

    return read


def _names(kinds: frozenset[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in kinds))


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
