"""Inputs: sampling, debouncing and the ring of events that are kept until acknowledged.

`tick` runs in a timer's interrupt: it must never allocate, raise or wait. So all state lies in arrays made
beforehand, and every number stays below 2**30 (the small integers of the smallest port). Times are
microseconds that wrap at 2**30; `epoch` counts the wraps.

An input leaves its settled level with an edge and settles again when no edge came for its debounce time.
Settled at the other level: one event, stamped with the first edge (with the last, where it bounced for longer
than the debounce time). Settled where it was: a glitch, counted. Unsettled for a second, or for more than one
second of two, or changing faster than any person can: suspect, and silent until quiet for two.
"""

from array import array

from .frames import ENTRY_OUTPUT, FLAG_ACTIVE_LOW, FLAG_CHAIN, LEVEL_SUSPECT, MAX_TOKEN
from .pins import Pins

MASK = 0x3FFFFFFF
MAX_INPUTS = 64
MAX_TOKENS = 24
RING = 128
WORDS = 4
WORD_BITS = 24
UNSETTLED_US = 1000000
QUIET_US = 2000000
WINDOW_US = 2000000
TOKEN_ENTRY = 0x40


class Sampler:
    """One device's inputs. `board.read(words)` fills word 0 with the pins, the others with the chain."""

    def __init__(self, board: Pins) -> None:
        self.board = board
        self.enabled = False
        self.count = 0
        self.words = array("I", [0] * WORDS)
        self.last_words = array("I", [0] * WORDS)
        self.word = bytearray(MAX_INPUTS)
        self.mask = array("I", [0] * MAX_INPUTS)
        self.invert = bytearray(MAX_INPUTS)
        self.on_us = array("I", [0] * MAX_INPUTS)
        self.off_us = array("I", [0] * MAX_INPUTS)
        self.most = array("I", [0] * MAX_INPUTS)
        self.level = bytearray(MAX_INPUTS)
        self.raw = bytearray(MAX_INPUTS)
        self.unsettled = bytearray(MAX_INPUTS)
        self.suspect = bytearray(MAX_INPUTS)
        self.first = array("I", [0] * MAX_INPUTS)
        self.changed = array("I", [0] * MAX_INPUTS)
        self.window = array("I", [0] * MAX_INPUTS)
        self.changes = array("I", [0] * MAX_INPUTS)
        self.busy = array("I", [0] * MAX_INPUTS)
        self.pending = 0
        self.edges = 0
        self.glitches = 0
        self.last_t = 0
        self.epoch = 0
        self.head = 0
        self.tail = 0
        self.dropped = 0
        self.ring_t = array("I", [0] * RING)
        self.ring_epoch = bytearray(RING)
        self.ring_who = bytearray(RING)
        self.ring_what = bytearray(RING)
        self.ring_text = bytearray(RING * MAX_TOKEN)
        self.mail_full = False
        self.mail_reader = 0
        self.mail_size = 0
        self.mail_text = bytearray(MAX_TOKEN)

    def configure(self, inputs: "list[tuple[int, ...]]") -> None:
        """`inputs`: (pin, flags, on_ms, off_ms) each. Levels are as they are now, without an event."""
        self.enabled = False
        self.count = len(inputs)
        chain = [row[0] + 1 for row in inputs if row[1] & FLAG_CHAIN]
        if chain:
            self.board.setup_chain(max(chain))
        for at, (pin, flags, on_ms, off_ms) in enumerate(inputs):
            if flags & FLAG_CHAIN:
                self.word[at] = 1 + pin // WORD_BITS
                self.mask[at] = 1 << (pin % WORD_BITS)
            else:
                self.word[at] = 0
                self.mask[at] = 1 << pin
                self.board.setup_input(pin, flags & 3)
            self.invert[at] = 1 if flags & FLAG_ACTIVE_LOW else 0
            self.on_us[at] = on_ms * 1000
            self.off_us[at] = off_ms * 1000
            # Slower chatter settles each time: so many changes in the window are no person's doing.
            self.most[at] = 500 // max(1, min(on_ms, off_ms))
        self._restart()

    def _restart(self) -> None:
        self.board.read(self.words)
        self.pending = 0
        for at in range(WORDS):
            self.last_words[at] = self.words[at]
        for at in range(self.count):
            level = self.invert[at] ^ (1 if self.words[self.word[at]] & self.mask[at] else 0)
            self.raw[at] = level
            self.level[at] = level
            self.unsettled[at] = 0
            self.suspect[at] = 0
            self._open_window(at, self.last_t)
        self.enabled = True

    def clock(self, t: int) -> None:
        """Note the time; called by every tick, at least once in 17 minutes."""
        if t < self.last_t:
            self.epoch += 1
        self.last_t = t

    def tick(self, t: int) -> None:
        """One sample of everything at time `t`."""
        self.clock(t)
        if not self.enabled:
            return
        if self.mail_full:
            self._take_mail(t)
        words = self.words
        last = self.last_words
        self.board.read(words)
        same = True
        for at in range(WORDS):
            if words[at] != last[at]:
                last[at] = words[at]
                same = False
        if same and self.pending == 0:
            return
        # Locals, because a lookup in the object costs the smallest device a microsecond each.
        invert = self.invert
        word = self.word
        mask = self.mask
        before = self.raw
        unsettled = self.unsettled
        for at in range(self.count):
            raw = invert[at]
            if words[word[at]] & mask[at]:
                raw ^= 1
            if raw != before[at]:
                self._edge(at, raw, t)
            if unsettled[at]:
                self._settle(at, raw, t)

    def _edge(self, at: int, raw: int, t: int) -> None:
        self.raw[at] = raw
        self.changed[at] = t
        self.edges = (self.edges + 1) & 0xFFFF
        if not self.unsettled[at]:
            self.unsettled[at] = 1
            self.first[at] = t
            self.pending += 1

    def _settle(self, at: int, raw: int, t: int) -> None:
        quiet = (t - self.changed[at]) & MASK
        if self.suspect[at]:
            if quiet >= QUIET_US:
                self.suspect[at] = 0
                self._open_window(at, t)
                self._rest(at)
                self.level[at] = raw
                self.push(self.changed[at], at, raw)
        elif quiet >= (self.on_us[at] if raw else self.off_us[at]):
            self._come_to_rest(at, raw, t)
        elif ((t - self.first[at]) & MASK) >= UNSETTLED_US:
            self._suspect(at, t)

    def _come_to_rest(self, at: int, raw: int, t: int) -> None:
        changed = raw != self.level[at]
        if ((t - self.window[at]) & MASK) >= WINDOW_US:
            self._open_window(at, t)
        self.busy[at] += (self.changed[at] - self.first[at]) & MASK
        self.changes[at] += 1 if changed else 0
        if self.busy[at] > UNSETTLED_US or self.changes[at] > self.most[at]:
            self._suspect(at, t)
            return
        self._rest(at)
        if not changed:
            self.glitches = (self.glitches + 1) & 0xFFFF
            return
        self.level[at] = raw
        first = self.first[at]
        if ((self.changed[at] - first) & MASK) > (self.on_us[at] if raw else self.off_us[at]):
            first = self.changed[at]
        self.push(first, at, raw)

    def _open_window(self, at: int, t: int) -> None:
        self.window[at] = t
        self.changes[at] = 0
        self.busy[at] = 0

    def _rest(self, at: int) -> None:
        self.unsettled[at] = 0
        self.pending -= 1

    def _suspect(self, at: int, t: int) -> None:
        self.suspect[at] = 1
        self.push(t, at, self.level[at] | LEVEL_SUSPECT)

    def push(self, t: int, who: int, what: int) -> int:
        """Keep one event, or count it as dropped. Only ever called in the tick."""
        if self.head - self.tail >= RING:
            self.dropped = (self.dropped + 1) & 0xFFFF
            return -1
        at = self.head % RING
        self.ring_t[at] = t
        self.ring_epoch[at] = (self.epoch - (1 if t > self.last_t else 0)) & 0xFF
        self.ring_who[at] = who
        self.ring_what[at] = what
        self.head += 1
        return at

    def _take_mail(self, t: int) -> None:
        at = self.push(t, TOKEN_ENTRY | self.mail_reader, self.mail_size)
        if at >= 0:
            start = at * MAX_TOKEN
            for byte in range(self.mail_size):
                self.ring_text[start + byte] = self.mail_text[byte]
        self.mail_full = False

    def mail(self, reader: int, text: bytes) -> bool:
        """From the main loop: a reader's new text, to be taken by the next tick. False: try again later."""
        if self.mail_full:
            return False
        size = min(len(text), MAX_TOKEN)
        self.mail_reader = reader
        self.mail_size = size
        self.mail_text[:size] = text[:size]
        self.mail_full = True
        return True

    def due(self, t: int) -> int:
        """Microseconds until the next tick could do anything without a change; -1: never."""
        if not self.enabled:
            return -1
        if self.mail_full:
            return 0
        if self.pending == 0:
            return -1
        best = MASK
        for at in range(self.count):
            if self.unsettled[at]:
                quiet = (t - self.changed[at]) & MASK
                if self.suspect[at]:
                    wait = QUIET_US - quiet
                else:
                    wait = (self.on_us[at] if self.raw[at] else self.off_us[at]) - quiet
                    wait = min(wait, UNSETTLED_US - ((t - self.first[at]) & MASK))
                best = min(best, max(0, wait))
        return best

    def bitmap(self) -> bytes:
        """The settled levels, eight to a byte, as long as the device has inputs."""
        out = bytearray(MAX_INPUTS // 8)
        for at in range(self.count):
            if self.level[at]:
                out[at >> 3] |= 1 << (at & 7)
        return bytes(out)

    def full_time(self, epoch: int, t: int) -> int:
        """Microseconds since the device started counting, as one large integer."""
        return (epoch << 30) | t

    def now(self, t: int) -> int:
        """The same for the present time `t`, whether or not a tick has seen it wrap."""
        return self.full_time(self.epoch + (1 if t < self.last_t else 0), t)

    def entry(self, number: int) -> "tuple[int, int, int, bytes]":
        """(full time, who, what, text) of a kept event."""
        at = number % RING
        epoch = self.epoch - ((self.epoch - self.ring_epoch[at]) & 0xFF)
        text = b""
        if self.ring_who[at] & TOKEN_ENTRY and not self.ring_who[at] & ENTRY_OUTPUT:
            text = bytes(self.ring_text[at * MAX_TOKEN : at * MAX_TOKEN + self.ring_what[at]])
        return self.full_time(epoch, self.ring_t[at]), self.ring_who[at], self.ring_what[at], text

    def is_token(self, number: int) -> bool:
        """Whether this event goes out as a TOKEN frame."""
        who = self.ring_who[number % RING]
        return who & TOKEN_ENTRY != 0 and who & ENTRY_OUTPUT == 0
