"""The circuit board of a simulated device: pins and readers as numbers, in place of the firmware's
`board.py`.

It stands below the firmware and must do nothing cleverer than copper does: it holds levels, it does not
debounce, order or time anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from firmware_bridge.firmware.frames import PULL_UP, RESET_POWER_ON
from firmware_bridge.firmware.pins import Pins
from firmware_bridge.firmware.sampler import MASK, WORD_BITS

CHAIN_BITS = 72
PINS = tuple(range(30))


class SimBoard(Pins):
    """`clock` gives host nanoseconds; `drift_ppm` is how much too fast the device counts.

    `on_write(pin, level)` is told of each change of an output pin.
    """

    def __init__(
        self,
        *,
        uid: bytes,
        boot_id: int,
        clock: Callable[[], int],
        reset_cause: int = RESET_POWER_ON,
        drift_ppm: float = 0.0,
        first_us: int = 0,
        on_write: Callable[[int, int], None] = lambda pin, level: None,
    ) -> None:
        self.uid = uid
        self.boot_id = boot_id
        self.reset_cause = reset_cause
        self.pins = PINS
        self.chain_bits = CHAIN_BITS
        self.incoming = bytearray()
        self.outgoing = bytearray()
        self.room = 4096
        self._clock = clock
        self._zero = clock()
        self._first_us = first_us
        self._drift_ppm = drift_ppm
        self._on_write = on_write
        self._driven: dict[int, int] = {}
        self._pulled: dict[int, int] = {}
        self._outputs: dict[int, int] = {}
        self._words = array("I", [0, 0, 0, 0])
        self._tokens: dict[int, bytes] = {}
        self._changed_tokens: dict[int, bytes] = {}

    # -- the firmware's side

    def ticks_us(self) -> int:
        return self.count_us() & MASK

    def setup_input(self, pin: int, pull: int) -> None:
        self._pulled[pin] = 1 if pull == PULL_UP else 0
        self._place(pin)

    def setup_output(self, pin: int, level: int) -> None:
        self.write(pin, level)

    def write(self, pin: int, level: int) -> None:
        if self._outputs.get(pin) != level:
            self._outputs[pin] = level
            self._on_write(pin, level)

    def read(self, words: array[int]) -> None:
        for at in range(4):
            words[at] = self._words[at]

    def read_tokens(self) -> list[tuple[int, bytes]]:
        return list(self._tokens.items())

    def receive(self) -> bytes:
        data = bytes(self.incoming)
        self.incoming.clear()
        return data

    def send(self, data: bytes) -> int:
        room = max(0, self.room - len(self.outgoing))
        self.outgoing += data[:room]
        return min(room, len(data))

    # -- the world's side

    def count_us(self, at: int | None = None) -> int:
        """The whole microsecond count, before it wraps: now, or at a host time (ns)."""
        elapsed = (self._clock() if at is None else at) - self._zero
        return self._first_us + round(elapsed * (1 + self._drift_ppm / 1e6)) // 1000

    def drift(self, ppm: float) -> None:
        """Run so much too fast from now on; the count does not jump."""
        self._first_us, self._zero = self.count_us(), self._clock()
        self._drift_ppm = ppm

    def set_pin(self, pin: int, level: int | None) -> None:
        """Drive an input pin, or let it go (`None`: the pull decides)."""
        if level is None:
            self._driven.pop(pin, None)
        else:
            self._driven[pin] = level
        self._place(pin)

    def set_chain(self, position: int, level: int) -> None:
        """Drive one input of the shift-register chain."""
        if position >= CHAIN_BITS:
            return
        bit = 1 << (position % WORD_BITS)
        word = 1 + position // WORD_BITS
        self._words[word] = self._words[word] | bit if level else self._words[word] & ~bit

    def set_token(self, reader: int, text: bytes) -> None:
        """What lies on a reader."""
        self._tokens[reader] = text

    def output(self, pin: int) -> int | None:
        """An output pin's level; None before it was set up."""
        return self._outputs.get(pin)

    def wire_from(self, other: SimBoard) -> None:
        """After a reset the world is as it was: same driven levels, same texts."""
        self._driven = dict(other._driven)
        self._tokens = dict(other._tokens)
        for at in range(1, 4):
            self._words[at] = other._words[at]
        for pin in self._driven:
            self._place(pin)

    def _place(self, pin: int) -> None:
        level = self._driven.get(pin, self._pulled.get(pin, 0))
        self._words[0] = self._words[0] | (1 << pin) if level else self._words[0] & ~(1 << pin)
