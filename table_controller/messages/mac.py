"""Canonical JSON and the code that proves who wrote a message.

A broker, a bridge or a cable in between may lose a report but must not be able to make or alter one:
HMAC-SHA256 over the message without its `mac`, with a key that only the table and the console hold
(broadcasts: the venue's key). Canonical means: UTF-8, keys sorted, no spaces, whole numbers only. The code
covers the message as it was parsed, unknown fields included: a later version's message still checks.

Must never log, print or put into an exception any part of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from table_controller.messages.codec import Json

MAX_BYTES = 16 * 1024
"""The largest message there is."""
LARGEST_KEY_FILE = 1024 * 1024
MIN_KEY_BYTES = 16


class NotCanonical(ValueError):
    """Not a JSON object this product writes or accepts. One sentence."""


class KeysUnusable(ValueError):
    """A key file that cannot be used. One sentence: file, key, what was expected."""


def canonical(value: Mapping[str, Json]) -> bytes:
    """The one spelling of this object. Raises NotCanonical for a fraction or a half of a surrogate pair."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode()
    except (ValueError, TypeError, UnicodeEncodeError) as error:
        raise NotCanonical(f"not plain JSON: {error}") from None


def parse_object(payload: bytes, limit: int = MAX_BYTES) -> dict[str, Json]:
    """The JSON object in these bytes. Raises NotCanonical; never anything else, whatever the bytes are."""
    if len(payload) > limit:
        raise NotCanonical(f"a message has at most {limit} bytes, this one has {len(payload)}")
    try:
        value = json.loads(
            payload.decode(),
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            object_pairs_hook=_no_key_twice,
        )
    except (ValueError, RecursionError) as error:
        raise NotCanonical(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise NotCanonical("expected a JSON object")
    return value


def code(message: Mapping[str, Json], key: bytes) -> str:
    """The code of this message, 64 hexadecimal digits; a `mac` it already has is not counted."""
    bare = {name: value for name, value in message.items() if name != "mac"}
    return hmac.new(key, canonical(bare), hashlib.sha256).hexdigest()


def seal(message: Mapping[str, Json], key: bytes) -> bytes:
    """The message with its code, as it goes on the wire."""
    return canonical({**message, "mac": code(message, key)})


def verify(message: Mapping[str, Json], key: bytes) -> bool:
    """Whether the holder of this key wrote exactly this message."""
    given = message.get("mac")
    if not isinstance(given, str) or not given.isascii():
        return False
    try:
        return hmac.compare_digest(given, code(message, key))
    except NotCanonical:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRing:
    """The keys one process holds: a table its own and the venue's, the console all of them."""

    venue: bytes = field(repr=False)
    tables: Mapping[str, bytes] = field(repr=False)

    def of(self, table: str | None) -> bytes | None:
        """The key of this table's messages; of broadcasts where `table` is None; None for a stranger."""
        return self.venue if table is None else self.tables.get(table)


def load_keys(path: Path) -> KeyRing:
    """Keys from a file `{"venue": HEX, "tables": {NAME: HEX}}`. Raises KeysUnusable with one sentence."""
    try:
        raw = parse_object(path.read_bytes(), LARGEST_KEY_FILE)
    except OSError as error:
        raise KeysUnusable(f"{path}: {error.strerror}; give the file enrolment wrote") from None
    except NotCanonical as error:
        raise KeysUnusable(f"{path}: {error}; expected venue and tables with keys in hexadecimal") from None
    if unknown := raw.keys() - {"venue", "tables"}:
        raise KeysUnusable(f"{path}: unknown key {min(unknown)!r}; expected venue and tables")
    tables = raw.get("tables", {})
    if not isinstance(tables, dict):
        raise KeysUnusable(f"{path}: tables: expected an object of table name to key")
    return KeyRing(
        venue=_key(path, "venue", raw.get("venue")),
        tables={name: _key(path, f"tables.{name}", value) for name, value in tables.items()},
    )


def _key(path: Path, name: str, value: Json) -> bytes:
    try:
        key = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        key = b""
    if len(key) < MIN_KEY_BYTES:
        raise KeysUnusable(f"{path}: {name}: expected at least {2 * MIN_KEY_BYTES} hexadecimal digits")
    return key


def _no_fraction(text: str) -> Json:
    raise ValueError(f"{text} is not a whole number")


def _no_key_twice(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value
