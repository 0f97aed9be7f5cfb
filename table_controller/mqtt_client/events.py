"""What the link tells its owner, as values in his inbox: the closed union `LinkEvent`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUp:
    """Connected and subscribed. Whatever was published before and not acknowledged is gone."""

    connection: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDown:
    """Not connected any more, or an attempt failed (`connection` 0 if there was none)."""

    connection: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A message. `retained`: the broker had kept it. `connection` and `mid` are for `ack`."""

    connection: int
    topic: str
    payload: bytes
    retained: bool
    duplicate: bool
    mid: int
    qos: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """The broker's word for a publish. `refused`: why it would not take it (MQTT 5 only; 3.1.1 never
    tells).
    """

    connection: int
    mid: int
    refused: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackFailed:
    """One of our own callbacks raised: an Error of ours. The connection goes on."""

    where: str
    what: str


LinkEvent = LinkUp | LinkDown | Arrived | Acknowledged | CallbackFailed
