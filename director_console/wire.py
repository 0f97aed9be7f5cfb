"""What the desk needs of a link to the broker, and what it hears from it.

The desk knows nothing of MQTT beyond this page, so that it can be tested without a broker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A message. `token` is given back to `acknowledge` once it is committed. `at`: Unix ms."""

    topic: str
    payload: bytes
    retained: bool
    token: object
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChanged:
    up: bool
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Anything the link's own threads put into the desk's inbox, and when (Unix ms)."""

    value: object
    at: int


class Wire(Protocol):
    """A link that may be down. All of it belongs to the desk's thread; none of it waits or raises."""

    def open(self, news: News) -> Arrived | LinkChanged | None:
        """What this news is to the desk. To be called with every one, in order."""
        ...

    @property
    def connected(self) -> bool: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> bool:
        """Hand a message over; False where the link is down and nothing was sent."""
        ...

    def acknowledge(self, arrived: Arrived) -> None: ...


class NoWire:
    """The link before it is opened, and for looking at a journal without a broker."""

    def open(self, news: News) -> Arrived | LinkChanged | None:
        return None

    @property
    def connected(self) -> bool:
        return False

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> bool:
        return False

    def acknowledge(self, arrived: Arrived) -> None:
        return None
