"""Bytes of the wire as lines a person can read: so that binary costs nothing in debugging.

Pure, and for either direction or both mixed. It must never raise on what it is given; what is no frame is
shown as hex.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_bridge import wire
from firmware_bridge.firmware import frames

SENDERS = {row[0]: row[2] for row in frames.FRAMES}
_ENDS = {
    frames.END_DONE: "done",
    frames.END_LIMIT: "limit",
    frames.END_OBSTRUCTED: "obstructed",
    frames.END_OVERCURRENT: "overcurrent",
    frames.END_LEASE: "lease ended",
    frames.END_LONGEST: "longest run",
    frames.END_SILENT: "host silent",
}
_STATUSES = {
    frames.OK: "ok",
    frames.AT_LIMIT: "at limit",
    frames.NO_SUCH_OUTPUT: "no such output",
    frames.WRONG_OP: "wrong op",
    frames.NOT_CONFIGURED: "not configured",
    frames.BAD_CONFIG: "bad configuration",
    frames.BLOCKED: "blocked",
    frames.NO_SUCH_PIN: "no such pin",
}
_OPS = {frames.OP_SET: "SET", frames.OP_MOVE: "MOVE"}
_WAYS = {frames.MOVE_STOP: "stop", frames.MOVE_OPEN: "open", frames.MOVE_CLOSE: "close"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One frame, or bytes that are none. `kind`: a frame's name, BAD or UNKNOWN; `sender` may be empty."""

    kind: str
    sender: str
    session: int | None
    text: str

    def __str__(self) -> str:
        arrow = {"host": "->", "device": "<-"}.get(self.sender, "??")
        session = "" if self.session is None else f" s{self.session}"
        return f"{arrow}{session} {self.kind} {self.text}".rstrip()


class Decoder:
    """Feed it bytes in any portions."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[Line]:
        """What is complete by now."""
        *whole, rest = (bytes(self._kept) + data).split(b"\0")
        self._kept = bytearray(rest)
        return [_line(piece) for piece in whole if piece]

    def finish(self) -> list[Line]:
        """What was left without an end."""
        rest, self._kept = bytes(self._kept), bytearray()
        return [_bad(rest)] if rest else []


def decode_all(data: bytes) -> Iterator[Line]:
    """All lines of a capture."""
    decoder = Decoder()
    yield from decoder.feed(data)
    yield from decoder.finish()


def _bad(piece: bytes) -> Line:
    shown = "".join(chr(b) if 32 <= b < 127 else "." for b in piece[:48])
    return Line(kind="BAD", sender="", session=None, text=f"{len(piece)} bytes {piece[:48].hex()} |{shown}|")


def _line(piece: bytes) -> Line:
    frame = frames.parse(piece)
    if frame is None:
        return _bad(piece)
    code, session, body = frame
    if code not in frames.SPECS:
        return Line(kind="UNKNOWN", sender="", session=session, text=f"type 0x{code:02x} {body.hex()}")
    return Line(
        kind=frames.SPECS[code][0],
        sender=SENDERS[code],
        session=session,
        text=_text(wire.decode(code, body)),
    )


def _text(frame: wire.Frame) -> str:
    match frame:
        case wire.EventFrame():
            return f"first={frame.first} dropped={frame.dropped} " + "; ".join(
                _entry(entry) for entry in frame.parsed()
            )
        case wire.CommandFrame():
            what = _WAYS.get(frame.argument, "?") if frame.op == frames.OP_MOVE else str(frame.argument)
            lease = f" lease={frame.lease_ms}ms" if frame.op == frames.OP_MOVE else ""
            return f"#{frame.number} {_OPS.get(frame.op, '?')} output={frame.output} {what}{lease}"
        case wire.Result():
            return f"#{frame.number} {_STATUSES.get(frame.status, str(frame.status))}"
        case wire.Ack():
            return f"next={frame.next_event}" + (" NAK" if frame.nak else "")
        case wire.Log():
            return _ascii(frame.text)
        case _:
            return " ".join(_field(frame, name) for name in wire.field_names(frame.CODE))


def _entry(entry: wire.Entry) -> str:
    if entry.who & frames.ENTRY_OUTPUT:
        way = " closing" if entry.level & frames.END_CLOSING else ""
        end = _ENDS.get(entry.level & ~frames.END_CLOSING, "?")
        return f"{entry.t_us}us output {entry.who & ~frames.ENTRY_OUTPUT} ended: {end}{way}"
    level = "active" if entry.level & frames.LEVEL_ACTIVE else "inactive"
    if entry.level & frames.LEVEL_SUSPECT:
        level = "does not settle"
    old = " (older than the count)" if entry.level & frames.LEVEL_OLD else ""
    return f"{entry.t_us}us input {entry.who} {level}{old}"


def _field(frame: wire.Frame, name: str) -> str:
    value: int | bytes = getattr(frame, name)
    if isinstance(value, int):
        shown = f"0x{value:08x}" if name in ("config_crc", "crc", "firmware_hash") else str(value)
    elif name in ("text", "firmware", "interpreter"):
        shown = _ascii(value.rstrip(b"\0"))
    elif name == "levels":
        shown = _active(value)
    else:
        shown = value.hex()
    return f"{name}={shown}"


def _active(levels: bytes) -> str:
    count = int.from_bytes(levels, "little")
    active = [str(at) for at in range(len(levels) * 8) if count >> at & 1]
    return "{" + ",".join(active) + "}"


def _ascii(data: bytes) -> str:
    return repr(data.decode("ascii", "backslashreplace"))


def capture_record(at_ns: int, sender: str, data: bytes) -> bytes:
    """One record of a capture file: when, who sent it (host or device), what. `read_capture` reads it."""
    return struct.pack("<QBH", at_ns, 0 if sender == "host" else 1, len(data)) + data


def read_capture(data: bytes) -> Iterator[tuple[int, Line]]:
    """(ns, line) of a capture. Raises ValueError when it is cut short."""
    decoders = (Decoder(), Decoder())
    for when, sender, piece in _records(data):
        for line in decoders[sender].feed(piece):
            yield when, line


def is_capture(data: bytes) -> bool:
    """Whether these are whole records of a capture, and nothing else."""
    try:
        return all(True for _ in _records(data))
    except ValueError:
        return False


def _records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(ns, sender, bytes) of each. Raises ValueError when it is cut short."""
    at = 0
    while at < len(data):
        if at + 11 > len(data):
            raise ValueError("the capture is cut short in a record's head; use what came before")
        when, sender, size = struct.unpack_from("<QBH", data, at)
        piece = data[at + 11 : at + 11 + size]
        if len(piece) < size or sender > 1:
            raise ValueError("the capture is cut short or damaged; use what came before")
        at += 11 + size
        yield when, sender, piece
