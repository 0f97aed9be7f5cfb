"""The Raspberry Pi Pico: pins, shift registers, tick, watchdog and USB for the files beside this one.

This is the only file that knows the circuit board. Whatever runs in the tick (`read`, `write`) must not allocate.
Readers of texts are not wired here: `read_tokens` yields nothing until one is.
"""

import os
import select
import sys

import machine
import micropython

from .frames import PULL_DOWN, PULL_UP, RESET_PIN, RESET_POWER_ON, RESET_UNKNOWN, RESET_WATCHDOG

GPIO_IN = 0xD0000004
TICK_HZ = 1000
WATCHDOG_MS = 2000
CHAIN_LATCH = 22
CHAIN_CLOCK = 26
CHAIN_DATA = 27
RESERVED = (CHAIN_LATCH, CHAIN_CLOCK, CHAIN_DATA, 23, 24, 25, 29)


class Board:
    """`chain_bits` inputs on 74HC165s (0, 8 ... 72), latched by one pin and clocked by another."""

    def __init__(self, chain_bits=0):
        micropython.kbd_intr(-1)
        self.chain_bits = chain_bits
        self.pins = tuple(pin for pin in range(29) if chain_bits == 0 or pin not in RESERVED)
        self.uid = machine.unique_id()
        self.boot_id = int.from_bytes(os.urandom(2), "little")
        self.reset_cause = self._cause()
        self._out = {}
        self._tokens = ()
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._poll_out = select.poll()
        self._poll_out.register(sys.stdout, select.POLLOUT)
        self._latch = machine.Pin(CHAIN_LATCH, machine.Pin.OUT, value=1) if chain_bits else None
        self._clock = machine.Pin(CHAIN_CLOCK, machine.Pin.OUT, value=0) if chain_bits else None
        self._data = machine.Pin(CHAIN_DATA, machine.Pin.IN) if chain_bits else None
        self._timer = machine.Timer()
        self._watchdog = None

    def _cause(self):
        cause = machine.reset_cause()
        if cause == machine.WDT_RESET:
            return RESET_WATCHDOG
        if cause == machine.PWRON_RESET:
            return RESET_POWER_ON
        return RESET_PIN if cause == getattr(machine, "HARD_RESET", -1) else RESET_UNKNOWN

    def ticks_us(self):
        return _ticks_us()

    def setup_input(self, pin, pull):
        way = {PULL_UP: machine.Pin.PULL_UP, PULL_DOWN: machine.Pin.PULL_DOWN}.get(pull)
        machine.Pin(pin, machine.Pin.IN, way)

    def setup_output(self, pin, level):
        self._out[pin] = machine.Pin(pin, machine.Pin.OUT, value=level)

    def write(self, pin, level):
        self._out[pin].value(level)

    def read(self, words):
        words[0] = machine.mem32[GPIO_IN] & 0x3FFFFFFF
        if self.chain_bits:
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

    def read_tokens(self):
        return self._tokens

    def receive(self):
        out = b""
        while len(out) < 256 and self._poll.poll(0):
            out += self._stdin.read(1)
        return out

    def send(self, data):
        # A host that does not read must not hold us: a few bytes at a time, only when there is room.
        gone = 0
        while gone < len(data) and self._poll_out.poll(0):
            gone += self._stdout.write(data[gone : gone + 16])
        return gone

    def start_ticks(self, tick):
        def on_timer(_timer):
            tick(_ticks_us())

        self._timer.init(freq=TICK_HZ, mode=machine.Timer.PERIODIC, callback=on_timer)
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def feed_watchdog(self):
        self._watchdog.feed()

    def idle(self):
        pass


def _ticks_us():
    import time

    return time.ticks_us()
