"""The field types all messages share, and the two clocks as text.

Whole numbers, text and truth values are taken strictly (no "5" for 5); unknown fields are passed over,
because a later version may add some. Must never hold a fraction: a MAC is over the spelling.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
)

NAME_PATTERN = r"^[A-Za-z0-9_-]{1,64}$"
WALL_PATTERN = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
ULID_PATTERN = r"^[0-9A-HJKMNP-TV-Z]{26}$"

Whole = StrictInt
Truth = StrictBool
Count = Annotated[int, Field(strict=True, ge=0)]
Text = Annotated[str, StringConstraints(strict=True, max_length=2000)]
Line = Annotated[str, StringConstraints(strict=True, max_length=200)]
Name = Annotated[str, StringConstraints(strict=True, pattern=NAME_PATTERN)]
Wall = Annotated[str, StringConstraints(strict=True, pattern=WALL_PATTERN)]
"""UTC to the millisecond, `2026-05-01T18:30:00.000Z`: as text it sorts as in time."""
Ulid = Annotated[str, StringConstraints(strict=True, pattern=ULID_PATTERN)]
Value = dict[StrictStr, JsonValue]
"""A core value as `codec` writes it."""


class Model(BaseModel):
    """What every body and argument is: frozen, and deaf to fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class ClockQuality(StrEnum):
    """How far a wall clock can be believed. Monotonic time never depends on it."""

    UNSET = "unset"
    """The machine booted without a clock (1970, or the time of the image)."""
    RTC = "rtc"
    """From a battery clock, not checked against others."""
    NTP = "ntp"
    """Synchronised now."""


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WALL = re.compile(WALL_PATTERN)


def wall_text(nanoseconds: int) -> str:
    """Nanoseconds since 1970 (UTC) as `Wall`, cut to the millisecond."""
    moment = _EPOCH + timedelta(milliseconds=nanoseconds // 1_000_000)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def wall_ns(text: str) -> int:
    """The nanoseconds since 1970 of a `Wall`. Raises ValueError with one sentence for anything else."""
    if not _WALL.match(text):
        raise ValueError(f"{text!r} is no time; write it as 2026-05-01T18:30:00.000Z")
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1) * 1_000_000


_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(wall_nanoseconds: int, entropy: bytes) -> str:
    """A ULID: 48 bits of milliseconds and ten bytes of entropy the caller drew."""
    if len(entropy) != 10:
        raise ValueError(f"a ULID takes 10 bytes of entropy, not {len(entropy)}")
    milliseconds = max(0, wall_nanoseconds // 1_000_000) & (1 << 48) - 1
    number = milliseconds << 80 | int.from_bytes(entropy)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5))
