"""Outputs: lamps, latches and motors, each with a level that is safe.

`tick` runs in the timer's interrupt after the sampler's and keeps its rules: no allocation, no exception. It
alone changes outputs; the main loop only asks. A motor runs only under a lease and stops when the lease ends,
at its limit, on obstruction or over-current, or when the host has been silent for a second; everything else
goes safe with it.
"""

from array import array

from .frames import (
    AT_LIMIT,
    BLOCKED,
    END_CLOSING,
    END_DONE,
    END_LEASE,
    END_LIMIT,
    END_LONGEST,
    END_OBSTRUCTED,
    END_OVERCURRENT,
    END_SILENT,
    ENTRY_OUTPUT,
    MOTOR,
    MOVE_CLOSE,
    MOVE_OPEN,
    MOVE_STOP,
    NO_SUCH_OUTPUT,
    OK,
    WRONG_OP,
)
from .pins import Pins
from .sampler import Sampler

MASK = 0x3FFFFFFF
MAX_OUTPUTS = 16
SILENT_US = 1000000
LONGEST_LEASE_MS = 2000


class Outputs:
    """One device's outputs. `state` is 0 for safe, else 1 or the way a motor runs."""

    def __init__(self, board: Pins, sampler: Sampler) -> None:
        self.board = board
        self.sampler = sampler
        self.count = 0
        self.kind = bytearray(MAX_OUTPUTS)
        self.pin = bytearray(MAX_OUTPUTS)
        self.close_pin = bytearray(MAX_OUTPUTS)
        self.safe = bytearray(MAX_OUTPUTS)
        self.limit_open = bytearray(MAX_OUTPUTS)
        self.limit_close = bytearray(MAX_OUTPUTS)
        self.obstructed = bytearray(MAX_OUTPUTS)
        self.overcurrent = bytearray(MAX_OUTPUTS)
        self.longest_us = array("I", [0] * MAX_OUTPUTS)
        self.state = bytearray(MAX_OUTPUTS)
        self.since = array("I", [0] * MAX_OUTPUTS)
        self.renewed = array("I", [0] * MAX_OUTPUTS)
        self.lease_us = array("I", [0] * MAX_OUTPUTS)
        self.was_blocked = bytearray(MAX_OUTPUTS)
        self.ask = bytearray(MAX_OUTPUTS)
        self.ask_us = array("I", [0] * MAX_OUTPUTS)
        self.asked = False
        self.heard = 0
        self.silent = True

    def configure(self, outputs: "list[tuple[int, ...]]") -> None:
        """`outputs`: (kind, pin, close_pin, safe, limit_open, limit_close, obstructed, overcurrent, ms).

        Called while the sampler is disabled, so that no tick comes between.
        """
        self.release()
        at = 0
        for row in outputs:
            self.kind[at] = row[0]
            self.pin[at] = row[1]
            self.close_pin[at] = row[2]
            self.safe[at] = 1 if row[3] else 0
            self.limit_open[at] = row[4]
            self.limit_close[at] = row[5]
            self.obstructed[at] = row[6]
            self.overcurrent[at] = row[7]
            self.longest_us[at] = row[8] * 1000
            self.state[at] = 0
            self.ask[at] = 0
            self.board.setup_output(row[1], self.safe[at])
            if row[0] == MOTOR:
                self.board.setup_output(row[2], self.safe[at])
            at += 1
        self.count = at
        self.asked = False

    def release(self) -> None:
        """Everything to its safe level, without an event."""
        for at in range(self.count):
            self._drive(at, 0)

    def hear(self, t: int) -> None:
        """The host was heard at `t`."""
        self.heard = t
        self.silent = False

    def set(self, at: int, on: int) -> int:
        """Ask for a lamp or latch on or off. A status for RESULT."""
        if at >= self.count:
            return NO_SUCH_OUTPUT
        if self.kind[at] == MOTOR:
            return WRONG_OP
        self._ask(at, 1 if on else 0, 0)
        return OK

    def move(self, at: int, way: int, lease_ms: int) -> int:
        """Ask a motor to run under a lease, or to stop. A status for RESULT."""
        if at >= self.count:
            return NO_SUCH_OUTPUT
        if self.kind[at] != MOTOR or way > MOVE_CLOSE:
            return WRONG_OP
        if way != MOVE_STOP and self._is_active(self._limit(at, way)):
            return AT_LIMIT
        if way == MOVE_CLOSE and self._is_active(self.obstructed[at]):
            return BLOCKED
        self._ask(at, way, min(lease_ms, LONGEST_LEASE_MS) * 1000)
        return OK

    def _ask(self, at: int, state: int, lease_us: int) -> None:
        self.ask_us[at] = lease_us
        self.ask[at] = state + 1
        self.asked = True

    def _limit(self, at: int, way: int) -> int:
        return self.limit_open[at] if way == MOVE_OPEN else self.limit_close[at]

    def _is_active(self, index: int) -> bool:
        return index < self.sampler.count and self.sampler.level[index] == 1

    def tick(self, t: int) -> None:
        """Do what was asked, then stop what must stop, at time `t`."""
        if not self.sampler.enabled:
            return
        if not self.silent and ((t - self.heard) & MASK) >= SILENT_US:
            self.silent = True
            for at in range(self.count):
                self.ask[at] = 0
                self._end(at, END_SILENT, t)
        if self.asked:
            self.asked = False
            for at in range(self.count):
                if self.ask[at]:
                    self._answer(at, self.ask[at] - 1, t)
                    self.ask[at] = 0
        for at in range(self.count):
            if self.state[at]:
                self._watch(at, t)

    def _answer(self, at: int, state: int, t: int) -> None:
        if self.silent:
            return
        if state and self.kind[at] == MOTOR:
            self.lease_us[at] = self.ask_us[at]
            self.renewed[at] = t
        if state == self.state[at]:
            return
        if self.state[at] and self.kind[at] == MOTOR:
            self._end(at, END_DONE, t)
        if state:
            self.since[at] = t
            self.was_blocked[at] = 1 if self._is_active(self.obstructed[at]) else 0
        self._drive(at, state)

    def _watch(self, at: int, t: int) -> None:
        if self.longest_us[at] and ((t - self.since[at]) & MASK) >= self.longest_us[at]:
            self._end(at, END_LONGEST, t)
        elif self.kind[at] == MOTOR:
            if not self._is_active(self.obstructed[at]):
                self.was_blocked[at] = 0
            way = self.state[at]
            if self._is_active(self._limit(at, way)):
                self._end(at, END_LIMIT, t)
            elif self._is_active(self.overcurrent[at]):
                self._end(at, END_OVERCURRENT, t)
            elif self._is_active(self.obstructed[at]) and not self.was_blocked[at]:
                self._end(at, END_OBSTRUCTED, t)
            elif ((t - self.renewed[at]) & MASK) >= self.lease_us[at]:
                self._end(at, END_LEASE, t)

    def _end(self, at: int, code: int, t: int) -> None:
        if self.state[at]:
            if self.kind[at] == MOTOR and self.state[at] == MOVE_CLOSE:
                code |= END_CLOSING
            self._drive(at, 0)
            self.sampler.push(t, ENTRY_OUTPUT | at, code)

    def _drive(self, at: int, state: int) -> None:
        safe = self.safe[at]
        self.state[at] = state
        if self.kind[at] == MOTOR:
            # Never both at once: the one to be released goes first.
            if state != MOVE_OPEN:
                self.board.write(self.pin[at], safe)
            if state != MOVE_CLOSE:
                self.board.write(self.close_pin[at], safe)
            if state == MOVE_OPEN:
                self.board.write(self.pin[at], 1 - safe)
            if state == MOVE_CLOSE:
                self.board.write(self.close_pin[at], 1 - safe)
        else:
            self.board.write(self.pin[at], 1 - safe if state else safe)

    def due(self, t: int) -> int:
        """Microseconds until a tick could change anything by itself; -1: never."""
        if self.asked:
            return 0
        best = -1
        running = False
        for at in range(self.count):
            if self.state[at]:
                running = True
                if self.longest_us[at]:
                    best = _sooner(best, self.longest_us[at] - ((t - self.since[at]) & MASK))
                if self.kind[at] == MOTOR:
                    best = _sooner(best, self.lease_us[at] - ((t - self.renewed[at]) & MASK))
        if running and not self.silent:
            best = _sooner(best, SILENT_US - ((t - self.heard) & MASK))
        return best


def _sooner(best: int, wait: int) -> int:
    wait = max(0, wait)
    return wait if best < 0 else min(best, wait)
