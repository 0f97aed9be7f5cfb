"""The wire: one table of frames and one codec, for device, host and simulator alike.

Runs unchanged under MicroPython and CPython: tuples, struct, binascii and nothing else. It must never raise
on what arrives; what cannot be a frame is counted and forgotten.

On the wire:  0x00 | COBS( type:1 | len:1 | session:1 | body:len | crc32:4 ) | 0x00, little-endian.
The length byte and the CRC are both needed: a stray or missing byte must not pass for another frame.
"""

import binascii
import struct

MAJOR = 1
MINOR = 0

MAX_FRAME = 64
MAX_BODY = 57
MAX_ENCODED = 66
MAX_TOKEN = 12
# Type, length, session, CRC, one byte of COBS, two delimiters.
OVERHEAD = 10
ENTRY = "<IBB"
ENTRY_SIZE = 6
MAX_ENTRIES = 8

HELLO = 0x01
WELCOME = 0x02
CONFIG_INPUT = 0x03
CONFIG_OUTPUT = 0x04
CONFIG_COMMIT = 0x05
EVENT = 0x06
TOKEN = 0x07
ACK = 0x08
SNAPSHOT_ASK = 0x09
SNAPSHOT = 0x0A
PING = 0x0B
PONG = 0x0C
COMMAND = 0x0D
RESULT = 0x0E
LOG = 0x0F

# type, name, sender, struct format, field names, tail: (name, least bytes, most bytes, multiple of)
FRAMES: "tuple[tuple[int, str, str, str, tuple[str, ...], tuple[str, int, int, int] | None], ...]" = (
    (HELLO, "HELLO", "host", "<HBBB", ("nonce", "major", "minor", "capabilities"), None),
    (
        WELCOME,
        "WELCOME",
        "device",
        "<HBBB8sHB4sBBBI11sBBBBBBBIII",
        (
            "nonce",
            "major",
            "minor",
            "capabilities",
            "uid",
            "boot_id",
            "reset_cause",
            "firmware",
            "version_major",
            "version_minor",
            "version_patch",
            "firmware_hash",
            "interpreter",
            "interpreter_major",
            "interpreter_minor",
            "interpreter_patch",
            "inputs",
            "outputs",
            "tokens",
            "ring",
            "config_crc",
            "next_event",
            "uptime_ms",
        ),
        None,
    ),
    (
        CONFIG_INPUT,
        "CONFIG_INPUT",
        "host",
        "<BBBBB",
        ("index", "pin", "flags", "on_ms", "off_ms"),
        None,
    ),
    (
        CONFIG_OUTPUT,
        "CONFIG_OUTPUT",
        "host",
        "<BBBBBBBBBI",
        (
            "index",
            "kind",
            "pin",
            "close_pin",
            "safe",
            "limit_open",
            "limit_close",
            "obstructed",
            "overcurrent",
            "max_on_ms",
        ),
        None,
    ),
    (CONFIG_COMMIT, "CONFIG_COMMIT", "host", "<HBBI", ("number", "inputs", "outputs", "crc"), None),
    (EVENT, "EVENT", "device", "<IH", ("first", "dropped"), ("entries", 6, 48, 6)),
    (TOKEN, "TOKEN", "device", "<IHIB", ("number", "dropped", "t_us", "reader"), ("text", 0, 12, 1)),
    (ACK, "ACK", "host", "<IBH", ("next_event", "nak", "dropped"), None),
    (SNAPSHOT_ASK, "SNAPSHOT_ASK", "host", "<B", ("tag",), None),
    (
        SNAPSHOT,
        "SNAPSHOT",
        "device",
        "<BBBII",
        ("tag", "part", "parts", "next_event", "t_us"),
        ("payload", 0, 46, 1),
    ),
    (PING, "PING", "host", "<H", ("echo",), None),
    (
        PONG,
        "PONG",
        "device",
        "<HIIHHHHHH",
        (
            "echo",
            "t_us",
            "next_event",
            "dropped",
            "bad_frames",
            "overruns",
            "edges",
            "glitches",
            "token_digest",
        ),
        ("levels", 0, 16, 1),
    ),
    (COMMAND, "COMMAND", "host", "<HBBBH", ("number", "op", "output", "argument", "lease_ms"), None),
    (RESULT, "RESULT", "device", "<HB", ("number", "status"), None),
    (LOG, "LOG", "device", "<B", ("level",), ("text", 0, 56, 1)),
)

# CONFIG_INPUT flags
PULL_NONE = 0
PULL_UP = 1
PULL_DOWN = 2
FLAG_ACTIVE_LOW = 4
FLAG_CHAIN = 8

# CONFIG_OUTPUT kinds
LAMP = 0
LATCH = 1
MOTOR = 2
NO_PIN = 0xFF

# An entry's level byte. OLD: the time is older than t_us can say. SUSPECT: the input does not settle.
LEVEL_ACTIVE = 1
LEVEL_OLD = 2
LEVEL_SUSPECT = 4
# An entry whose input has this bit tells how an output ended; its level byte is an END_ code,
# to which END_CLOSING is added when a motor ran towards closed.
ENTRY_OUTPUT = 0x80
END_DONE = 0
END_LIMIT = 1
END_OBSTRUCTED = 2
END_OVERCURRENT = 3
END_LEASE = 4
END_LONGEST = 5
END_SILENT = 6
END_CLOSING = 0x10

# COMMAND ops and arguments
OP_SET = 1
OP_MOVE = 2
MOVE_STOP = 0
MOVE_OPEN = 1
MOVE_CLOSE = 2
# RESULT statuses
OK = 0
AT_LIMIT = 1
NO_SUCH_OUTPUT = 2
WRONG_OP = 3
NOT_CONFIGURED = 4
BAD_CONFIG = 5
BLOCKED = 6
NO_SUCH_PIN = 7

# WELCOME reset causes
RESET_UNKNOWN = 0
RESET_POWER_ON = 1
RESET_WATCHDOG = 2
RESET_BROWN_OUT = 3
RESET_PIN = 4
RESET_SOFT = 5

LOG_INFO = 1
LOG_WARNING = 2

SPECS: dict[int, tuple[str, str, int, "tuple[str, int, int, int] | None"]] = {}
for _row in FRAMES:
    SPECS[_row[0]] = (_row[1], _row[3], struct.calcsize(_row[3]), _row[5])


def cobs_encode(data: bytes) -> bytes:
    """Bytes without any zero that say the same; at most one byte more for data under 254 bytes."""
    out = bytearray()
    for block in data.split(b"\0"):
        while len(block) >= 254:
            out.append(255)
            out += block[:254]
            block = block[254:]
        out.append(len(block) + 1)
        out += block
    return bytes(out)


def cobs_decode(data: bytes) -> "bytes | None":
    """The original bytes, or None where the code is broken. `data` holds no zero."""
    out = bytearray()
    at = 0
    size = len(data)
    while at < size:
        code = data[at]
        end = at + code
        if code == 0 or end > size:
            return None
        out += data[at + 1 : end]
        at = end
        if code < 255 and at < size:
            out.append(0)
    return bytes(out)


def pack(kind: int, session: int, values: "tuple[int | bytes, ...]", tail: bytes = b"") -> bytes:
    """One whole frame, both delimiters included. `values` as in the table, then the tail's bytes."""
    return frame_bytes(kind, session, struct.pack(SPECS[kind][1], *values) + tail)


def frame_bytes(kind: int, session: int, body: bytes) -> bytes:
    """One whole frame around a body."""
    head = bytes((kind, len(body), session)) + body
    return b"\0" + cobs_encode(head + struct.pack("<I", binascii.crc32(head) & 0xFFFFFFFF)) + b"\0"


def fits(kind: int, size: int) -> bool:
    """Whether a body of `size` bytes can be this kind of frame."""
    spec = SPECS[kind]
    tail = spec[3]
    if tail is None:
        return size == spec[2]
    rest = size - spec[2]
    return tail[1] <= rest <= tail[2] and rest % tail[3] == 0


def unpack(kind: int, body: bytes) -> "tuple[tuple[int | bytes, ...], bytes]":
    """(values, tail) of a body that `fits`."""
    spec = SPECS[kind]
    return struct.unpack(spec[1], body[: spec[2]]), body[spec[2] :]


def numbers(kind: int, body: bytes) -> tuple[int, ...]:
    """The values of a frame that has only numbers: every frame from the host."""
    spec = SPECS[kind]
    return struct.unpack(spec[1], body[: spec[2]])


class FrameReader:
    """Bytes in, frames out; whatever is no frame is counted: bad, unknown, and bytes of noise."""

    def __init__(self) -> None:
        self.bad = 0
        self.unknown = 0
        self.noise = 0
        self._kept = bytearray()
        self._skipping = False

    def reset(self) -> None:
        """Forget a frame half read: the line was cut."""
        self._kept = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """A list of (type, session, body). Never raises."""
        out: list[tuple[int, int, bytes]] = []
        parts = bytes(data).split(b"\0")
        last = len(parts) - 1
        for at in range(last + 1):
            part = parts[at]
            if self._skipping:
                self.noise += len(part)
            else:
                self._kept += part
                if len(self._kept) > MAX_ENCODED:
                    self.noise += len(self._kept)
                    self._kept = bytearray()
                    self._skipping = True
            if at < last:
                self._end(out)
        return out

    def _end(self, out: list[tuple[int, int, bytes]]) -> None:
        if self._skipping:
            self._skipping = False
            self.bad += 1
        elif self._kept:
            frame = parse(bytes(self._kept))
            if frame is None:
                self.bad += 1
                self.noise += len(self._kept)
            elif frame[0] not in SPECS:
                self.unknown += 1
            else:
                out.append(frame)
        self._kept = bytearray()


def parse(encoded: bytes) -> "tuple[int, int, bytes] | None":
    """(type, session, body) of what stands between two delimiters, or None."""
    raw = cobs_decode(encoded)
    if raw is None or len(raw) < 7 or len(raw) > MAX_FRAME or raw[1] != len(raw) - 7:
        return None
    if struct.unpack("<I", raw[-4:])[0] != binascii.crc32(raw[:-4]) & 0xFFFFFFFF:
        return None
    if raw[0] in SPECS and not fits(raw[0], raw[1]):
        return None
    return raw[0], raw[2], raw[3:-4]
