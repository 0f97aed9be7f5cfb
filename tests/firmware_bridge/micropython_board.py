"""A circuit board for the real MicroPython on Linux: pins from lines on standard input, bytes on a
descriptor.

Stands in for the Pico's `board.py`. `serve` runs the device; `locked` proves
that the tick allocates nothing. Lines: `pin N 0|1`, `token N TEXT`.
"""

import os
import select
import sys
import time
from array import array

import micropython

from firmware_bridge.firmware import frames as f
from firmware_bridge.firmware.main import Device, own_folder, source_hash
from firmware_bridge.firmware.pins import Pins

MASK = 0x3FFFFFFF


_ticks_us = time.ticks_us  # type: ignore[attr-defined]
_sleep_ms = time.sleep_ms  # type: ignore[attr-defined]


class Descriptor:
    """Reads and writes without waiting."""

    def __init__(self, fd: int) -> None:
        self.file = open(fd, "r+b", buffering=0)  # noqa: SIM115
        self.poll_in = select.poll()
        self.poll_in.register(self.file, select.POLLIN)
        self.poll_out = select.poll()
        self.poll_out.register(self.file, select.POLLOUT)


class Board(Pins):
    """Thirty pins, no chain, six readers."""

    def __init__(self, fd: int) -> None:
        self.uid = b"\x01\x02\x03\x04\x05\x06\x07\x08"
        self.boot_id = int.from_bytes(os.urandom(2), "little")
        self.reset_cause = f.RESET_POWER_ON
        self.pins = tuple(range(30))
        self.chain_bits = 0
        self.word = 0
        self.written = bytearray(32)
        self.texts: dict[int, bytes] = {}
        self.line = Descriptor(fd)
        self.stdin = sys.stdin.buffer
        self.stdin_poll = select.poll()
        self.stdin_poll.register(sys.stdin, select.POLLIN)

    def ticks_us(self) -> int:
        now: int = _ticks_us()
        return now & MASK

    def setup_input(self, pin: int, pull: int) -> None:
        pass

    def setup_output(self, pin: int, level: int) -> None:
        self.written[pin] = level

    def write(self, pin: int, level: int) -> None:
        self.written[pin] = level

    def read(self, words: "array[int]") -> None:
        words[0] = self.word

    def read_tokens(self) -> "list[tuple[int, bytes]]":
        return list(self.texts.items())

    def receive(self) -> bytes:
        # A read of more than one byte waits for all of them.
        out = b""
        while len(out) < 256 and self.line.poll_in.poll(0):
            out += self.line.file.read(1) or b""
        return out

    def send(self, data: bytes) -> int:
        if self.line.poll_out.poll(0):
            return self.line.file.write(data) or 0
        return 0

    def listen(self) -> None:
        """Take what the test says of the world."""
        while self.stdin_poll.poll(0):
            words = self.stdin.readline().split()
            if not words:
                return
            if words[0] == b"pin":
                bit = 1 << int(words[1])
                self.word = self.word | bit if words[2] == b"1" else self.word & ~bit
            elif words[0] == b"token":
                self.texts[int(words[1])] = words[2] if len(words) > 2 else b""


def serve(fd: int) -> None:
    """The device, for ever. The tick is called from the loop: this port has no timer interrupt."""
    board = Board(fd)
    device = Device(board, source_hash(own_folder()))
    while True:
        board.listen()
        device.tick(board.ticks_us())
        device.step()
        _sleep_ms(1)


def locked(fd: int) -> None:
    """Ten thousand ticks with the heap locked, in every kind of weather; and that the lock does lock."""
    board = Board(fd)
    device = Device(board, 0)
    sampler = device.sampler
    inputs: list[tuple[int, ...]] = [(at, f.PULL_UP, at % 7, 3) for at in range(20)]
    motor: tuple[int, ...] = (f.MOTOR, 24, 25, 0, 18, 19, 17, 16, 500)
    lamp = (f.LAMP, 26, f.NO_PIN, 0, 255, 255, 255, 255, 50)
    device.outputs.configure([motor, lamp])
    sampler.configure(inputs)
    device.outputs.hear(0)
    seed = 12345
    t = MASK - 3000000
    sampler.last_t = t
    micropython.heap_lock()
    for turn in range(10000):
        seed = (seed * 1103515245 + 12345) & MASK
        t = (t + 1000) & MASK
        if turn % 3 == 0:
            board.word ^= 1 << (seed >> 8) % 20
        if turn % 50 == 0:
            device.outputs.heard = t
            device.outputs.silent = False
            device.outputs.move(0, 1 + turn // 50 % 2, 40)
            device.outputs.set(1, turn // 100 % 2)
        if turn % 700 == 0:
            sampler.tail = sampler.head
        if turn % 90 == 0:
            sampler.mail_reader = 3
            sampler.mail_size = 4
            sampler.mail_full = True
        device.tick(t)
    micropython.heap_unlock()
    print("events", sampler.head, "dropped", sampler.dropped, "edges", sampler.edges, "epoch", sampler.epoch)
    ok = sampler.head > 500 and sampler.dropped > 0 and sampler.epoch == 1
    print("LOCKED OK" if ok else "LOCKED BUT IDLE")
    micropython.heap_lock()
    try:
        caught = None
        bytearray(100)
    except MemoryError as error:
        caught = error
    micropython.heap_unlock()
    print("allocates:", "MemoryError" if caught else "nothing raised: the lock does not lock")
