"""What the tests of the link share: an opened one, what it told, deeds to plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from firmware_bridge import wire
from firmware_bridge.firmware import frames
from firmware_bridge.readings import (
    LevelRead,
    Reading,
)
from firmware_bridge.rig import (
    Command,
    RigSpec,
)
from hw_sim.hardware.virtual_link import VirtualLink
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.vectors import samples

MS = 1_000_000


def opened(spec: RigSpec = SPEC, **options: float) -> VirtualLink:
    link = VirtualLink(spec, **options)  # type: ignore[arg-type]
    link.open()
    link.run(500)
    return link


def names(link: VirtualLink) -> list[str]:
    return [type(reading).__name__ for _, reading in link.readings]


def levels(link: VirtualLink) -> list[tuple[str, bool]]:
    return [(r.signal, r.active) for _, r in link.readings if isinstance(r, LevelRead)]


def last(link: VirtualLink, kind: type[Reading]) -> Reading:
    return link.of(kind)[-1]


def worker(link: VirtualLink, signal: str, active: bool) -> Callable[[], None]:
    return lambda: link.set(signal, active)


def orderer(link: VirtualLink, command: Command) -> Callable[[], None]:
    return lambda: link.command(command)


def answer_with_major(link: VirtualLink, major: int) -> None:
    for code, session, body in link.device.reader.feed(link.board.receive()):
        hello = wire.decode(code, body)
        if isinstance(hello, wire.Hello):
            welcome = next(f for f in samples() if isinstance(f, wire.Welcome))
            link.board.outgoing += wire.encode(replace(welcome, nonce=hello.nonce, major=major), session)


def watch_host(link: VirtualLink, sent: list[wire.Frame]) -> None:
    reader = frames.FrameReader()
    through = link.line.to_device

    def spy(data: bytes, now: int) -> bytes:
        sent.extend(wire.decode(code, body) for code, _, body in reader.feed(data))
        return through(data, now)

    link.line.to_device = spy  # type: ignore[method-assign]
