"""The frames as the host sees them: one frozen dataclass for each row of the device's table.

Pure. It must never know a frame that `firmware/frames.py` does not, nor another order of fields: a test
compares them row by row. What a field means stands in PROTOCOL.md.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar

from firmware_bridge.errors import WireError
from firmware_bridge.firmware import frames


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    CODE: ClassVar[int] = frames.HELLO
    nonce: int
    major: int = frames.MAJOR
    minor: int = frames.MINOR
    capabilities: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    CODE: ClassVar[int] = frames.WELCOME
    nonce: int
    major: int
    minor: int
    capabilities: int
    uid: bytes
    boot_id: int
    reset_cause: int
    firmware: bytes
    version_major: int
    version_minor: int
    version_patch: int
    firmware_hash: int
    interpreter: bytes
    interpreter_major: int
    interpreter_minor: int
    interpreter_patch: int
    inputs: int
    outputs: int
    tokens: int
    ring: int
    config_crc: int
    next_event: int
    uptime_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigInput:
    CODE: ClassVar[int] = frames.CONFIG_INPUT
    index: int
    pin: int
    flags: int
    on_ms: int
    off_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOutput:
    CODE: ClassVar[int] = frames.CONFIG_OUTPUT
    index: int
    kind: int
    pin: int
    close_pin: int
    safe: int
    limit_open: int
    limit_close: int
    obstructed: int
    overcurrent: int
    max_on_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigCommit:
    CODE: ClassVar[int] = frames.CONFIG_COMMIT
    number: int
    inputs: int
    outputs: int
    crc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One change: device microseconds (modulo 2**32), input, level byte."""

    t_us: int
    who: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFrame:
    CODE: ClassVar[int] = frames.EVENT
    first: int
    dropped: int
    entries: bytes

    def parsed(self) -> tuple[Entry, ...]:
        """The entries, in order."""
        return tuple(
            Entry(t_us=t_us, who=who, level=level)
            for t_us, who, level in struct.iter_unpack(frames.ENTRY, self.entries)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFrame:
    CODE: ClassVar[int] = frames.TOKEN
    number: int
    dropped: int
    t_us: int
    reader: int
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    CODE: ClassVar[int] = frames.ACK
    next_event: int
    nak: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotAsk:
    CODE: ClassVar[int] = frames.SNAPSHOT_ASK
    tag: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFrame:
    CODE: ClassVar[int] = frames.SNAPSHOT
    tag: int
    part: int
    parts: int
    next_event: int
    t_us: int
    payload: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    CODE: ClassVar[int] = frames.PING
    echo: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    CODE: ClassVar[int] = frames.PONG
    echo: int
    t_us: int
    next_event: int
    dropped: int
    bad_frames: int
    overruns: int
    edges: int
    glitches: int
    token_digest: int
    levels: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFrame:
    CODE: ClassVar[int] = frames.COMMAND
    number: int
    op: int
    output: int
    argument: int
    lease_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    CODE: ClassVar[int] = frames.RESULT
    number: int
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    CODE: ClassVar[int] = frames.LOG
    level: int
    text: bytes


HostFrame = Hello | ConfigInput | ConfigOutput | ConfigCommit | Ack | SnapshotAsk | Ping | CommandFrame
DeviceFrame = Welcome | EventFrame | TokenFrame | SnapshotFrame | Pong | Result | Log
Frame = HostFrame | DeviceFrame

FRAME_TYPES: tuple[type[Frame], ...] = (
    Hello,
    Welcome,
    ConfigInput,
    ConfigOutput,
    ConfigCommit,
    EventFrame,
    TokenFrame,
    Ack,
    SnapshotAsk,
    SnapshotFrame,
    Ping,
    Pong,
    CommandFrame,
    Result,
    Log,
)
_BUILDERS: dict[int, Callable[..., Frame]] = {frame.CODE: frame for frame in FRAME_TYPES}
_NAMES: dict[int, tuple[str, ...]] = {
    frame.CODE: tuple(f.name for f in fields(frame)) for frame in FRAME_TYPES
}


def field_names(code: int) -> tuple[str, ...]:
    """The names of a frame's fields, the tail's last."""
    return _NAMES[code]


def body_of(frame: Frame) -> bytes:
    """The body alone; the configuration's CRC is over these. Raises `WireError` for a value out of range."""
    values = _values(frame)
    fixed, tail = (values[:-1], values[-1]) if frames.SPECS[frame.CODE][3] else (values, b"")
    try:
        body = struct.pack(frames.SPECS[frame.CODE][1], *fixed)
    except struct.error as error:
        raise WireError(f"{frame!r} does not fit its frame ({error}); correct the value") from error
    return body + (tail if isinstance(tail, bytes) else b"")


def encode(frame: Frame, session: int) -> bytes:
    """One whole frame with its delimiters. Raises `WireError` for a value out of range."""
    body = body_of(frame)
    if not frames.fits(frame.CODE, len(body)):
        raise WireError(f"{frame!r} has a tail of the wrong length; shorten it")
    return frames.frame_bytes(frame.CODE, session, body)


def decode(code: int, body: bytes) -> Frame:
    """The frame of a body that `FrameReader` let through."""
    values, tail = frames.unpack(code, body)
    everything = (*values, tail) if frames.SPECS[code][3] else values
    named = dict(zip(_NAMES[code], everything, strict=True))
    return _BUILDERS[code](**named)


def _values(frame: Frame) -> tuple[int | bytes, ...]:
    return tuple(getattr(frame, name) for name in _NAMES[frame.CODE])
