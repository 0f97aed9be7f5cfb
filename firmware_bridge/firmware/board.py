"""The Raspberry Pi Pico: pins, shift registers, tick, watchdog and USB for the files beside this one.

This is the only file that knows the circuit board, and it runs nowhere else. What runs in the tick (`read`,
`write`) must not allocate. Readers of tags have a bus of their own, which only the main loop uses.
"""

import os
import select
import sys
import time
from array import array

import machine
import micropython

from .frames import PULL_DOWN, PULL_UP, RESET_PIN, RESET_POWER_ON, RESET_UNKNOWN, RESET_WATCHDOG
from .main import Device, own_folder, source_hash
from .pins import Pins
from .sampler import MASK
from .tags import Bus, Tags

GPIO_IN = 0xD0000004
TICK_HZ = 1000
LATE_US = 2000
WATCHDOG_MS = 2000
# 74HC165s, nearest first: QH to MISO, CLK to SCK, SH/LD to the latch. Position = 8 x register + input (A is
# 0).
CHAIN_MISO = 16
CHAIN_LATCH = 17
CHAIN_SCK = 18
CHAIN_BITS = 72
CHAIN_HZ = 1000000
# MFRC522s on a bus of their own, and the pin that selects each: (reader, pin). A table whose wires use one of
# these pins has not that reader; one that uses the bus has none.
TAGS_SCK = 10
TAGS_MOSI = 11
TAGS_MISO = 12
TAGS_HZ = 1000000
TAG_READERS = ((0, 13), (13, 14), (14, 15), (15, 20), (16, 21))
# On the Pico these carry the regulator, USB sensing, the board's own lamp and the supply's measurement.
NOT_ON_HEADER = (23, 24, 25)
SMALL_WRITE = 16

_ticks_us = time.ticks_us  # type: ignore[attr-defined]


class Board(Pins):
    """One Pico."""

    def __init__(self) -> None:
        # A 0x03 in a frame is no Ctrl-C.
        micropython.kbd_intr(-1)
        self.pins = tuple(pin for pin in range(29) if pin not in NOT_ON_HEADER)
        self.chain_bits = CHAIN_BITS
        self.chain_pins = (CHAIN_MISO, CHAIN_LATCH, CHAIN_SCK)
        self.uid = machine.unique_id()
        self.boot_id = int.from_bytes(os.urandom(2), "little")
        self.reset_cause = _cause()
        self._out: dict[int, machine.Pin] = {}
        self._chain = bytearray(0)
        self._tags: Tags | None = None
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._poll_in = select.poll()
        self._poll_in.register(sys.stdin, select.POLLIN)
        self._poll_out = select.poll()
        self._poll_out.register(sys.stdout, select.POLLOUT)

    def ticks_us(self) -> int:
        now: int = _ticks_us()
        return now

    def setup_input(self, pin: int, pull: int) -> None:
        way = {PULL_UP: machine.Pin.PULL_UP, PULL_DOWN: machine.Pin.PULL_DOWN}.get(pull)
        machine.Pin(pin, machine.Pin.IN, way)

    def setup_output(self, pin: int, level: int) -> None:
        self._out[pin] = machine.Pin(pin, machine.Pin.OUT, value=level)

    def setup_chain(self, bits: int) -> None:
        self._latch = machine.Pin(CHAIN_LATCH, machine.Pin.OUT, value=1)
        self._spi = machine.SPI(
            0, baudrate=CHAIN_HZ, sck=machine.Pin(CHAIN_SCK), miso=machine.Pin(CHAIN_MISO)
        )
        # Always whole words, so that the tick need not count.
        self._chain = bytearray(9)

    def write(self, pin: int, level: int) -> None:
        self._out[pin].value(level)

    def read(self, words: "array[int]") -> None:
        words[0] = machine.mem32[GPIO_IN] & MASK
        chain = self._chain
        if chain:
            self._latch.value(0)
            self._latch.value(1)
            self._spi.readinto(chain)
            words[1] = chain[0] | chain[1] << 8 | chain[2] << 16
            words[2] = chain[3] | chain[4] << 8 | chain[5] << 16
            words[3] = chain[6] | chain[7] << 8 | chain[8] << 16

    def setup_readers(self, taken: "tuple[int, ...]") -> None:
        self._tags = None
        for pin in (TAGS_SCK, TAGS_MOSI, TAGS_MISO):
            if pin in taken:
                return
        places = tuple(place for place in TAG_READERS if place[1] not in taken)
        tags = Tags(_TagBus(tuple(place[1] for place in places)), places)
        for _, pin in places:
            if pin not in tags.pins:
                machine.Pin(pin, machine.Pin.IN)
        if tags.readers:
            self._tags = tags
            tags.look(self)

    def read_tokens(self) -> "list[tuple[int, bytes]]":
        if self._tags is None:
            return []
        self._tags.step(self.ticks_us())
        return self._tags.texts()

    def receive(self) -> bytes:
        out = b""
        while len(out) < 256 and self._poll_in.poll(0):
            byte = self._stdin.read(1)
            if not byte:
                break
            out += byte
        return out

    def send(self, data: bytes) -> int:
        # A host that does not read must not hold us: a few bytes at a time, only where there is room.
        gone = 0
        while gone < len(data) and self._poll_out.poll(0):
            gone += self._stdout.write(data[gone : gone + SMALL_WRITE])
        return gone


class _TagBus(Bus):
    """The chips' registers over SPI; every exchange is two bytes."""

    def __init__(self, selects: "tuple[int, ...]") -> None:
        self._select = {pin: machine.Pin(pin, machine.Pin.OUT, value=1) for pin in selects}
        self._spi = machine.SPI(
            1,
            baudrate=TAGS_HZ,
            sck=machine.Pin(TAGS_SCK),
            mosi=machine.Pin(TAGS_MOSI),
            miso=machine.Pin(TAGS_MISO),
        )
        self._out = bytearray(2)
        self._in = bytearray(2)

    def write(self, select: int, register: int, value: int) -> None:
        self._exchange(select, register << 1, value)

    def read(self, select: int, register: int) -> int:
        self._exchange(select, register << 1 | 0x80, 0)
        return self._in[1]

    def _exchange(self, select: int, first: int, second: int) -> None:
        self._out[0] = first
        self._out[1] = second
        chosen = self._select[select]
        chosen.value(0)
        self._spi.write_readinto(self._out, self._in)
        chosen.value(1)


def _cause() -> int:
    cause: int = machine.reset_cause()
    if cause == machine.WDT_RESET:
        return RESET_WATCHDOG
    if cause == machine.PWRON_RESET:
        return RESET_POWER_ON
    return RESET_PIN if cause == getattr(machine, "HARD_RESET", -1) else RESET_UNKNOWN


class Ticker:
    """The timer's callback: one tick, and a count of those that came late."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.last = _ticks_us()
        self.timer = machine.Timer()

    def start(self) -> None:
        """A hard interrupt where the port has them for timers: it may not allocate, and does not."""
        settings = {"freq": TICK_HZ, "mode": machine.Timer.PERIODIC, "callback": self.on_timer}
        try:
            self.timer.init(hard=True, **settings)
        except TypeError:
            self.timer.init(**settings)

    def on_timer(self, _timer: object) -> None:
        """In the interrupt."""
        now = _ticks_us()
        if (now - self.last) & MASK > LATE_US:
            self.device.late += 1
        self.last = now
        self.device.tick(now)


def run() -> None:
    """Serve for ever. The main loop feeds the watchdog, so that a stuck loop restarts the device."""
    board = Board()
    device = Device(board, source_hash(own_folder()))
    ticker = Ticker(device)
    ticker.start()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        device.step()
        watchdog.feed()
