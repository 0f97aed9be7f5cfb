"""Golden vectors of every frame, for anyone who writes firmware in another language.

`python -m tests.firmware_bridge.vectors` writes the file again; a test says when it is stale.
"""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from pathlib import Path

from firmware_bridge import wire
from firmware_bridge.firmware import frames

VECTOR_FILE = Path(__file__).resolve().parents[1] / "vectors" / "frames.json"
SESSION = 0x5A


def samples() -> list[wire.Frame]:
    """One of each frame, and the edges of those that vary in length; zeros among the values on purpose."""
    entries = struct.pack(frames.ENTRY, 123_456_789, 3, 1) + struct.pack(frames.ENTRY, 0, 0x83, 0x11)
    return [
        wire.Hello(nonce=0x1234),
        wire.Welcome(
            nonce=0x1234,
            major=1,
            minor=0,
            capabilities=0,
            uid=bytes(range(0xE0, 0xE8)),
            boot_id=0xBEEF,
            reset_cause=frames.RESET_WATCHDOG,
            firmware=b"sctb",
            version_major=0,
            version_minor=1,
            version_patch=0,
            firmware_hash=0xDEADBEEF,
            interpreter=b"micropython",
            interpreter_major=1,
            interpreter_minor=28,
            interpreter_patch=0,
            inputs=64,
            outputs=16,
            tokens=24,
            ring=64,
            config_crc=0,
            next_event=7,
            uptime_ms=86_400_000,
        ),
        wire.ConfigInput(index=0, pin=4, flags=frames.PULL_UP | frames.FLAG_ACTIVE_LOW, on_ms=25, off_ms=25),
        wire.ConfigOutput(
            index=2,
            kind=frames.MOTOR,
            pin=16,
            close_pin=17,
            safe=0,
            limit_open=5,
            limit_close=6,
            obstructed=7,
            overcurrent=frames.NO_PIN,
            max_on_ms=12_000,
        ),
        wire.ConfigCommit(number=9, inputs=9, outputs=4, crc=0x00FF00FF),
        wire.EventFrame(first=41, dropped=0, entries=entries),
        wire.EventFrame(first=41, dropped=3, entries=entries * 4),
        wire.TokenFrame(number=43, dropped=0, t_us=0xFFFFFFFF, reader=5, text=b"2:P"),
        wire.TokenFrame(number=44, dropped=0, t_us=1, reader=5, text=b""),
        wire.TokenFrame(number=45, dropped=0, t_us=1, reader=5, text=b"twelve bytes"),
        wire.Ack(next_event=46),
        wire.Ack(next_event=41, nak=1, dropped=3),
        wire.SnapshotAsk(tag=1),
        wire.SnapshotFrame(tag=1, part=0, parts=2, next_event=46, t_us=99, payload=bytes(8)),
        wire.SnapshotFrame(tag=1, part=1, parts=2, next_event=46, t_us=99, payload=b"\5\0032:P"),
        wire.Ping(echo=0),
        wire.Pong(
            echo=0,
            t_us=100,
            next_event=46,
            dropped=0,
            bad_frames=1,
            overruns=0,
            edges=300,
            glitches=2,
            token_digest=0xABCD,
            levels=bytes([1, 0, 0, 0, 0, 0, 0, 0x80]),
        ),
        wire.CommandFrame(number=1, op=frames.OP_SET, output=0, argument=1),
        wire.CommandFrame(number=2, op=frames.OP_MOVE, output=3, argument=frames.MOVE_CLOSE, lease_ms=400),
        wire.Result(number=2, status=frames.AT_LIMIT),
        wire.Log(level=frames.LOG_WARNING, text=b"ring full"),
    ]


def vector_of(frame: wire.Frame) -> dict[str, object]:
    """One vector: the values by name (bytes in hex), the session, and the bytes on the wire in hex."""
    values = {f.name: getattr(frame, f.name) for f in fields(frame)}
    return {
        "frame": frames.SPECS[frame.CODE][0],
        "type": frame.CODE,
        "session": SESSION,
        "values": {k: v.hex() if isinstance(v, bytes) else v for k, v in values.items()},
        "wire": wire.encode(frame, SESSION).hex(),
    }


if __name__ == "__main__":
    VECTOR_FILE.write_text(json.dumps([vector_of(frame) for frame in samples()], indent=1) + "\n")
