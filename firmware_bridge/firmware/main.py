"""The device: what the main loop does between ticks. It answers the host and resends events until
acknowledged.

`Device.step` never blocks and never raises on what the host sends. All times are the board's microseconds,
which wrap at 2**30. It must never touch an output itself: it asks, and the tick does.
"""

import binascii
import struct
import sys

from . import frames as f
from .motor import MAX_OUTPUTS, Outputs
from .pins import Pins
from .sampler import MASK, MAX_INPUTS, MAX_TOKENS, RING, TOKEN_ENTRY, Sampler

NAME = b"sctb"
VERSION = (0, 1, 0)
FILES = ("frames.py", "pins.py", "sampler.py", "motor.py", "tags.py", "main.py")
RESEND_US = 60000
RESEND_MOST_US = 500000
MOST_WAITING = 2048
LOG_EVERY_US = 200000


def source_hash(folder: str) -> int:
    """Four bytes of SHA-256 over the firmware's files, as a number; 0 where the sources are not there."""
    import hashlib

    digest = hashlib.sha256()
    try:
        for name in FILES:
            with open(folder + "/" + name, "rb") as source:
                block = source.read(512)
                while block:
                    digest.update(block)
                    block = source.read(512)
    except OSError:
        return 0
    return int.from_bytes(digest.digest()[:4], "big")


def own_folder() -> str:
    """Where these files lie."""
    path = __file__
    return path[: path.rfind("/")] if "/" in path else "."


class Device:
    """Everything of one device but the pins; `board` supplies those, the time and the bytes."""

    def __init__(self, board: Pins, firmware_hash: int) -> None:
        self.board = board
        self.firmware_hash = firmware_hash
        self.sampler = Sampler(board)
        self.outputs = Outputs(board, self.sampler)
        self.reader = f.FrameReader()
        self.session = 0
        self.greeted = False
        self.streaming = False
        self.config_crc = 0
        self.inputs: dict[int, bytes] = {}
        self.rows: dict[int, bytes] = {}
        self.waiting = bytearray()
        self.sent = 0
        self.resent = 0
        self.dropped_noted = 0
        self.dropped_before = 0
        self.late = 0
        self.timer = 0
        self.wait_us = RESEND_US
        self.answered = -1
        self.answer = 0
        self.tokens = [b""] * MAX_TOKENS
        self.token_digest = _digest(self.tokens)
        self.overruns = 0
        self.started = board.ticks_us()
        self.logged = (self.started - LOG_EVERY_US) & MASK
        self.sampler.last_t = self.started

    # -- the tick

    def tick(self, t: int) -> None:
        """Called by the board's timer, each millisecond. Allocates nothing. The board counts `late` ones."""
        self.sampler.tick(t)
        self.outputs.tick(t)

    def due(self, t: int) -> int:
        """Microseconds until `tick` or `step` has something to do without being asked; -1: nothing."""
        best = self.sampler.due(t)
        for wait in (self.outputs.due(t), self._resend_due(t)):
            if wait >= 0 and (best < 0 or wait < best):
                best = wait
        return 0 if self.waiting and best < 0 else best

    def _resend_due(self, t: int) -> int:
        sampler = self.sampler
        if not self.streaming or sampler.head == sampler.tail:
            return -1
        if self.sent < sampler.head:
            return 0
        return max(0, self.wait_us - ((t - self.timer) & MASK))

    # -- the main loop

    def step(self) -> None:
        """One turn: what came in, what is due, what goes out."""
        t = self.board.ticks_us()
        data = self.board.receive()
        if data:
            for kind, session, body in self.reader.feed(data):
                self._take(kind, session, body, t)
        self._read_tokens()
        if self.streaming:
            self._send_events(t)
        if self.waiting:
            gone = self.board.send(bytes(self.waiting))
            if gone:
                self.waiting = self.waiting[gone:]

    def _take(self, kind: int, session: int, body: bytes, t: int) -> None:
        if kind == f.HELLO:
            self._hello(session, f.numbers(kind, body), t)
            return
        if not self.greeted or session != self.session:
            return
        self.outputs.hear(t)
        values = f.numbers(kind, body)
        if kind == f.PING:
            self._pong(values[0])
        elif kind == f.ACK:
            self._ack(values, t)
        elif kind == f.COMMAND:
            self._command(values)
        elif kind == f.SNAPSHOT_ASK:
            self._snapshot(values[0])
        elif kind == f.CONFIG_INPUT:
            if values[0] < MAX_INPUTS:
                self.inputs[values[0]] = body
        elif kind == f.CONFIG_OUTPUT:
            if values[0] < MAX_OUTPUTS:
                self.rows[values[0]] = body
        elif kind == f.CONFIG_COMMIT:
            self._commit(values)

    def _queue(
        self, kind: int, values: "tuple[int | bytes, ...]", tail: bytes = b"", session: int = -1
    ) -> bool:
        if len(self.waiting) > MOST_WAITING:
            self.overruns = (self.overruns + 1) & 0xFFFF
            return False
        self.waiting += f.pack(kind, self.session if session < 0 else session, values, tail)
        return True

    # -- greeting and configuration

    def _hello(self, session: int, values: "tuple[int, ...]", t: int) -> None:
        nonce, major = values[0], values[1]
        self.waiting = bytearray()
        if major == f.MAJOR:
            self.session = session
            self.greeted = True
            self.streaming = False
            self.answered = -1
            self.dropped_before = self.dropped_noted
            self.inputs = {}
            self.rows = {}
            self.outputs.hear(t)
        board = self.board
        interpreter = sys.implementation
        uptime = (self.sampler.now(t) - self.started) // 1000
        # MicroPython has no (*a, *b).
        who: tuple[int | bytes, ...] = (
            nonce,
            f.MAJOR,
            f.MINOR,
            0,
            board.uid,
            board.boot_id,
            board.reset_cause,
            NAME,
        )
        what: tuple[int | bytes, ...] = VERSION + (self.firmware_hash, interpreter.name.encode())  # noqa: RUF005
        what += tuple(interpreter.version[:3])
        size = (MAX_INPUTS, MAX_OUTPUTS, MAX_TOKENS, RING)
        state = (self.config_crc, self.sampler.tail, uptime & 0xFFFFFFFF)
        self._queue(f.WELCOME, who + what + size + state, b"", session)

    def _commit(self, values: "tuple[int, ...]") -> None:
        number, inputs, outputs, crc = values
        status = f.OK
        if crc != self.config_crc or not self.sampler.enabled:
            status = self._configure(inputs, outputs, crc)
        self._queue(f.RESULT, (number, status))

    def _configure(self, inputs: int, outputs: int, crc: int) -> int:
        bodies = [self.inputs.get(at, b"") for at in range(inputs)]
        bodies += [self.rows.get(at, b"") for at in range(outputs)]
        if b"" in bodies or binascii.crc32(b"".join(bodies)) & 0xFFFFFFFF != crc:
            return f.BAD_CONFIG
        ins = [f.numbers(f.CONFIG_INPUT, body)[1:] for body in bodies[:inputs]]
        outs = [f.numbers(f.CONFIG_OUTPUT, body)[1:] for body in bodies[inputs:]]
        if not self._possible(ins, outs):
            return f.NO_SUCH_PIN
        sampler = self.sampler
        sampler.enabled = False
        self.outputs.configure(outs)
        # Events under another configuration would be read as other signals: they are lost, and counted.
        sampler.dropped = (sampler.dropped + sampler.head - sampler.tail) & 0xFFFF
        sampler.head = sampler.tail
        self.sent = sampler.tail
        sampler.configure(ins)
        self.board.setup_readers(self._pins_of(ins, outs))
        # What lies on the readers now is where we start from, and no event.
        for reader, text in self.board.read_tokens():
            if reader < MAX_TOKENS:
                self.tokens[reader] = text[: f.MAX_TOKEN]
        self.token_digest = _digest(self.tokens)
        self.config_crc = crc
        self.log(f.LOG_INFO, ("configured: %d inputs, %d outputs" % (len(ins), len(outs))).encode())  # noqa: UP031
        return f.OK

    def _possible(self, ins: "list[tuple[int, ...]]", outs: "list[tuple[int, ...]]") -> bool:
        board = self.board
        wanted = self._pins_of(ins, outs)
        chain = [row[0] for row in ins if row[1] & f.FLAG_CHAIN]
        taken = board.chain_pins if chain else ()
        if chain and max(chain) >= board.chain_bits:
            return False
        return all(pin in board.pins and pin not in taken for pin in wanted)

    def _pins_of(self, ins: "list[tuple[int, ...]]", outs: "list[tuple[int, ...]]") -> "tuple[int, ...]":
        wanted = [row[0] for row in ins if not row[1] & f.FLAG_CHAIN]
        wanted += [row[1] for row in outs]
        wanted += [row[2] for row in outs if row[0] == f.MOTOR]
        return tuple(wanted)

    # -- events

    def _ack(self, values: "tuple[int, ...]", t: int) -> None:
        number, nak, dropped = values
        sampler = self.sampler
        if number > sampler.head:
            return
        if dropped == self._dropped():
            self.dropped_noted = sampler.dropped
        if not self.streaming:
            self.streaming = True
            self.sent = sampler.tail
            self._rewind(t)
        if number > sampler.tail:
            sampler.tail = number
            self.sent = max(self.sent, number)
            self.timer = t
            self.wait_us = RESEND_US
        if nak:
            self._send_again()

    def _send_again(self) -> None:
        self.resent += self.sent - self.sampler.tail
        self.sent = self.sampler.tail

    def _rewind(self, t: int) -> None:
        self.timer = t
        self.wait_us = RESEND_US

    def _send_events(self, t: int) -> None:
        sampler = self.sampler
        if sampler.head == sampler.tail:
            self._rewind(t)
            return
        if self.sent == sampler.tail:
            self.timer = t
        elif ((t - self.timer) & MASK) >= self.wait_us:
            self._send_again()
            self.timer = t
            self.wait_us = min(self.wait_us * 2, RESEND_MOST_US)
        while self.sent < sampler.head:
            done = (
                self._send_token(self.sent) if sampler.is_token(self.sent) else self._send_entries(self.sent)
            )
            if done == self.sent:
                return
            self.sent = done

    def _dropped(self) -> int:
        """Events lost that no host had noted when this session began."""
        return (self.sampler.dropped - self.dropped_before) & 0xFFFF

    def _send_token(self, number: int) -> int:
        full, who, _size, text = self.sampler.entry(number)
        values = (number, self._dropped(), full & 0xFFFFFFFF, who & ~TOKEN_ENTRY)
        return number + 1 if self._queue(f.TOKEN, values, text) else number

    def _send_entries(self, first: int) -> int:
        sampler = self.sampler
        now = sampler.now(self.board.ticks_us())
        tail = b""
        number = first
        while number < sampler.head and number < first + 4 and not sampler.is_token(number):
            full, who, what, _text = sampler.entry(number)
            if who < f.ENTRY_OUTPUT and now - full > 0xF0000000:
                what |= f.LEVEL_OLD
            tail += struct.pack(f.ENTRY, full & 0xFFFFFFFF, who, what)
            number += 1
        return number if self._queue(f.EVENT, (first, self._dropped()), tail) else first

    # -- answers

    def _pong(self, echo: int) -> None:
        sampler = self.sampler
        t = self.board.ticks_us()
        bits = sampler.bitmap()
        self._queue(
            f.PONG,
            (
                echo,
                sampler.now(t) & 0xFFFFFFFF,
                sampler.head,
                self._dropped(),
                self.reader.bad & 0xFFFF,
                (self.overruns + self.late) & 0xFFFF,
                sampler.edges,
                sampler.glitches,
                self.token_digest,
            ),
            bits,
        )

    def _command(self, values: "tuple[int, ...]") -> None:
        number, op, output, argument, lease_ms = values
        if number != self.answered:
            if not self.sampler.enabled:
                self.answer = f.NOT_CONFIGURED
            elif op == f.OP_SET:
                self.answer = self.outputs.set(output, argument)
            elif op == f.OP_MOVE:
                self.answer = self.outputs.move(output, argument, lease_ms)
            else:
                self.answer = f.WRONG_OP
            self.answered = number
        self._queue(f.RESULT, (number, self.answer))

    def _snapshot(self, tag: int) -> None:
        sampler = self.sampler
        head = -1
        bits = b""
        while head != sampler.head:
            head = sampler.head
            bits = sampler.bitmap()
        t = sampler.now(self.board.ticks_us()) & 0xFFFFFFFF
        payloads = [bits]
        payload = b""
        for reader in range(MAX_TOKENS):
            text = self.tokens[reader]
            if text:
                if len(payload) + 2 + len(text) > 46:
                    payloads.append(payload)
                    payload = b""
                payload += bytes((reader, len(text))) + text
        if payload:
            payloads.append(payload)
        for part in range(len(payloads)):
            self._queue(f.SNAPSHOT, (tag, part, len(payloads), head, t), payloads[part])

    def _read_tokens(self) -> None:
        if not self.sampler.enabled:
            return
        for reader, text in self.board.read_tokens():
            text = text[: f.MAX_TOKEN]
            if reader >= MAX_TOKENS or self.tokens[reader] == text:
                continue
            if not self.sampler.mail(reader, text):
                return
            self.tokens[reader] = text
            self.token_digest = _digest(self.tokens)

    def log(self, level: int, text: bytes) -> None:
        """A line for whoever watches the wire; the first thing to go when there is no room."""
        t = self.board.ticks_us()
        if len(self.waiting) < MOST_WAITING // 4 and ((t - self.logged) & MASK) >= LOG_EVERY_US:
            self.logged = t
            self._queue(f.LOG, (level,), text[:56])


def _digest(tokens: "list[bytes]") -> int:
    return binascii.crc32(b"\0".join(tokens)) & 0xFFFF
