"""The Raspberry Pi Pico: pins, shift registers, tick, watchdog and USB for the files beside this one.

This is the only file that knows the circuit board, and it runs nowhere else. What runs in the tick (`read`,
`write`) must not allocate. No reader of texts is wired here: `read_tokens` yields nothing until one is.
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

GPIO_IN = 0xD0000004
TICK_HZ = 1000
WATCHDOG_MS = 2000
CHAIN_LATCH = 22
CHAIN_CLOCK = 26
CHAIN_DATA = 27
# On the Pico these carry the regulator, USB sensing, the board's own lamp and the supply's measurement.
NOT_ON_HEADER = (23, 24, 25, 29)
CHAIN_PINS = (CHAIN_LATCH, CHAIN_CLOCK, CHAIN_DATA)
SMALL_WRITE = 16


class Board(Pins):
    """`chain_bits` inputs on 74HC165s (0, 8 ... 72), latched by one pin and clocked by another."""

    def __init__(self, chain_bits: int = 0) -> None:
        # A 0x03 in a frame is no Ctrl-C.
        micropython.kbd_intr(-1)
        taken = NOT_ON_HEADER + (CHAIN_PINS if chain_bits else ())
        self.chain_bits = chain_bits
        self.pins = tuple(pin for pin in range(29) if pin not in taken)
        self.uid = machine.unique_id()
        self.boot_id = int.from_bytes(os.urandom(2), "little")
        self.reset_cause = _cause()
        self._out: dict[int, machine.Pin] = {}
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._poll_in = select.poll()
        self._poll_in.register(sys.stdin, select.POLLIN)
        self._poll_out = select.poll()
        self._poll_out.register(sys.stdout, select.POLLOUT)
        if chain_bits:
            self._latch = machine.Pin(CHAIN_LATCH, machine.Pin.OUT, value=1)
            self._clock = machine.Pin(CHAIN_CLOCK, machine.Pin.OUT, value=0)
            self._data = machine.Pin(CHAIN_DATA, machine.Pin.IN)

    def ticks_us(self) -> int:
        now: int = _ticks_us()
        return now

    def setup_input(self, pin: int, pull: int) -> None:
        way = {PULL_UP: machine.Pin.PULL_UP, PULL_DOWN: machine.Pin.PULL_DOWN}.get(pull)
        machine.Pin(pin, machine.Pin.IN, way)

    def setup_output(self, pin: int, level: int) -> None:
        self._out[pin] = machine.Pin(pin, machine.Pin.OUT, value=level)

    def write(self, pin: int, level: int) -> None:
        self._out[pin].value(level)

    def read(self, words: "array[int]") -> None:
        words[0] = machine.mem32[GPIO_IN] & 0x3FFFFFFF
        if self.chain_bits:
            self._read_chain(words)

    def _read_chain(self, words: "array[int]") -> None:
        self._latch.value(0)
        self._latch.value(1)
        word = 0
        for at in range(self.chain_bits):
            if at and at % 24 == 0:
                words[at // 24] = word
                word = 0
            if self._data.value():
                word |= 1 << (at % 24)
            self._clock.value(1)
            self._clock.value(0)
        words[(self.chain_bits - 1) // 24 + 1] = word

    def read_tokens(self) -> "list[tuple[int, bytes]]":
        return []

    def receive(self) -> bytes:
        out = b""
        while len(out) < 256 and self._poll_in.poll(0):
            out += self._stdin.read(1)
        return out

    def send(self, data: bytes) -> int:
        # A host that does not read must not hold us: a few bytes at a time, only where there is room.
        gone = 0
        while gone < len(data) and self._poll_out.poll(0):
            gone += self._stdout.write(data[gone : gone + SMALL_WRITE])
        return gone


_ticks_us = time.ticks_us  # type: ignore[attr-defined]


def _cause() -> int:
    cause: int = machine.reset_cause()
    if cause == machine.WDT_RESET:
        return RESET_WATCHDOG
    if cause == machine.PWRON_RESET:
        return RESET_POWER_ON
    return RESET_PIN if cause == getattr(machine, "HARD_RESET", -1) else RESET_UNKNOWN


def run(chain_bits: int = 0) -> None:
    """Serve for ever. The main loop feeds the watchdog, so that a stuck loop restarts the device."""
    board = Board(chain_bits)
    device = Device(board, source_hash(own_folder()))

    def on_timer(_timer: object) -> None:
        device.tick(_ticks_us())

    timer = machine.Timer()
    timer.init(freq=TICK_HZ, mode=machine.Timer.PERIODIC, callback=on_timer)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        device.step()
        watchdog.feed()
