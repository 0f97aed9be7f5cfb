"""The topics: `screens/v1/<venue>/<event>/...`, built and taken apart in one place.

A topic says who may write (the broker's access list goes by it) and what is in the message; the message says
so again under its MAC, and the two must agree. Must never read anything but names out of a topic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

ROOT = "screens/v1"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


class Stream(StrEnum):
    """The four topics of a journal's rows; one sequence over all of them."""

    LOG = "log"
    IRREGULARITY = "irregularity"
    FAULT = "fault"
    VISIT = "visit"


class Verb(StrEnum):
    """What a director may ask of a table."""

    HOLD = "hold"
    RESUME = "resume"
    TRAY_BACK = "tray_back"
    RULING = "ruling"
    CORRECT = "correct"
    CLASSIFY = "classify"
    OPEN_WINDOW = "open_window"
    CLOSE_WINDOW = "close_window"
    SESSION = "session"
    REPLAY = "replay"
    ACKNOWLEDGE = "acknowledge"


class Broadcast(StrEnum):
    """What the console tells everybody."""

    ANNOUNCE = "announce"
    CLOCK = "clock"
    PAUSE = "pause"


LONGEST = 64
"""Of a name in a topic."""
LONGEST_GIVEN = 40
"""Of a venue, an event or a table, as people may name them: certificates and pages have room for so much."""


def checked_name(name: str, what: str, longest: int = LONGEST) -> str:
    """The name, if it may be a level of a topic. Raises ValueError with one sentence otherwise."""
    if not _NAME.match(name) or len(name) > longest:
        raise ValueError(f"{what} {name!r}: use 1 to {longest} letters, digits, _ or -")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A venue and an event held there. Raises ValueError for names that cannot be topic levels."""

    venue: str
    event: str

    def __post_init__(self) -> None:
        checked_name(self.venue, "venue")
        checked_name(self.event, "event")

    @property
    def prefix(self) -> str:
        return f"{ROOT}/{self.venue}/{self.event}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Which table this is. Raises ValueError for a name that cannot be a topic level."""

    place: Place
    table: str

    def __post_init__(self) -> None:
        checked_name(self.table, "table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic taken apart. `kind` is the message type that belongs on it; the others are names in it."""

    place: Place
    kind: str
    table: str | None = None
    console: str | None = None
    command: str | None = None


def avail(place: Place, table: str) -> str:
    return f"{place.prefix}/t/{table}/avail"


def state(place: Place, table: str) -> str:
    return f"{place.prefix}/t/{table}/state"


def report(place: Place, table: str, stream: Stream) -> str:
    return f"{place.prefix}/t/{table}/ev/{stream}"


def result(place: Place, table: str, command: str) -> str:
    return f"{place.prefix}/t/{table}/result/{command}"


def command(place: Place, table: str, verb: Verb) -> str:
    return f"{place.prefix}/t/{table}/command/{verb}"


def receipt(place: Place, table: str) -> str:
    return f"{place.prefix}/t/{table}/receipt"


def everybody(place: Place, broadcast: Broadcast) -> str:
    return f"{place.prefix}/all/{broadcast}"


def console_avail(place: Place, console: str) -> str:
    return f"{place.prefix}/console/{console}/avail"


def public(place: Place, what: str) -> str:
    return f"{place.prefix}/public/{what}"


def table_filters(place: Place, table: str) -> tuple[str, ...]:
    """What a table subscribes: its own commands and receipt, broadcasts, consoles. No two overlap."""
    prefix = place.prefix
    return (
        f"{prefix}/t/{table}/command/+",
        f"{prefix}/t/{table}/receipt",
        f"{prefix}/all/+",
        f"{prefix}/console/+/avail",
    )


def console_filters(place: Place) -> tuple[str, ...]:
    """What a console subscribes: everything tables write, and other consoles. No two overlap."""
    prefix = place.prefix
    return (
        f"{prefix}/t/+/avail",
        f"{prefix}/t/+/state",
        f"{prefix}/t/+/ev/+",
        f"{prefix}/t/+/result/+",
        f"{prefix}/console/+/avail",
    )


KEPT = ("avail", "state", "receipt", "console")
"""Kinds a broker keeps (retained)."""


def emptied(topic: str, payload: bytes) -> bool:
    """Whether this only says that a broker no longer keeps anything there: no message, and no alarm."""
    parsed = parse(topic) if not payload else None
    return parsed is not None and (parsed.kind in KEPT or parsed.kind.startswith("public/"))


def parse(topic: str) -> Topic | None:
    """The topic taken apart, or None if it is none of ours."""
    levels = topic.split("/")
    if len(levels) < 6 or "/".join(levels[:2]) != ROOT or not all(map(_NAME.match, levels[2:])):
        return None
    place = Place(venue=levels[2], event=levels[3])
    match levels[4:]:
        case ["t", table, ("avail" | "state" | "receipt") as kind]:
            return Topic(place=place, kind=kind, table=table)
        case ["t", table, "ev", stream] if stream in set(Stream):
            return Topic(place=place, kind=stream, table=table)
        case ["t", table, "result", of]:
            return Topic(place=place, kind="result", table=table, command=of)
        case ["t", table, "command", verb] if verb in set(Verb):
            return Topic(place=place, kind=f"command/{verb}", table=table)
        case ["all", broadcast] if broadcast in set(Broadcast):
            return Topic(place=place, kind=f"all/{broadcast}")
        case ["console", console, "avail"]:
            return Topic(place=place, kind="console", console=console)
        case ["public", what]:
            return Topic(place=place, kind=f"public/{what}")
        case _:
            return None
