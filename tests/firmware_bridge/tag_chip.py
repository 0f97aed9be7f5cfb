"""An MFRC522 and an NTAG213 sticker as their data sheets have them, as far as a look at a tag needs.

In the subset that MicroPython shares: the driver is tried against this under the real interpreter too.
"""

from firmware_bridge.firmware.tags import Bus, crc_a

IDLE, READY_1, READY_2, ACTIVE, HALTED = range(5)


def ndef(text: bytes, language: bytes = b"en") -> bytes:
    """A text record as a telephone writes it, from page 4 on."""
    payload = bytes((len(language),)) + language + text
    record = bytes((0xD1, 1, len(payload), 0x54)) + payload
    return bytes((0x03, len(record))) + record + b"\xfe"


class Sticker:
    """One NTAG213. `memory` is what is written from page 4 on."""

    def __init__(self, memory: bytes, uid: bytes = b"\x04\x11\x22\x33\x44\x55\x66") -> None:
        self.memory = b"\0" * 16 + memory + b"\0" * (144 - len(memory))
        self.uid = uid
        self.state = IDLE

    def hear(self, data: bytes, bits: int) -> bytes:
        """What it answers; nothing to what it does not understand in its state."""
        if data == b"\x52" and bits == 7:
            awake = self.state in (IDLE, HALTED)
            self.state = READY_1 if awake else IDLE
            return b"\x44\x00" if awake else b""
        if self.state == READY_1 and data[:1] == b"\x93":
            return self._near_or_far(data, b"\x88" + self.uid[:3], READY_2, 0x04)
        if self.state == READY_2 and data[:1] == b"\x95":
            return self._near_or_far(data, self.uid[3:], ACTIVE, 0x00)
        if self.state == ACTIVE and crc_a(data[:2]) == data[2:]:
            if data[0] == 0x30:
                answer = self.memory[data[1] * 4 : data[1] * 4 + 16]
                return answer + crc_a(answer)
            if data[0] == 0x50:
                self.state = HALTED
                return b""
        self.state = IDLE
        return b""

    def _near_or_far(self, data: bytes, part: bytes, then: int, sak: int) -> bytes:
        whole = part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
        if data[1:] == b"\x20":
            return whole
        chosen = data[1:2] + whole
        if data[1] == 0x70 and data[:1] + chosen + crc_a(data[:1] + chosen) == data:
            self.state = then
            return bytes((sak,)) + crc_a(bytes((sak,)))
        self.state = IDLE
        return b""


class Chip:
    """One reader with what lies on it. `spoil`: so many answers are damaged; `hung`: it says nothing."""

    def __init__(self, sticker: "Sticker | None" = None, version: int = 0x92) -> None:
        self.sticker = sticker
        self.version = version
        self.spoil = 0
        self.hung = False
        self.resets = 0
        self.antenna = False
        self._command = 0
        self._fifo = b""
        self._irq = 0
        self._error = 0

    def write(self, register: int, value: int) -> None:
        if register == 0x01:
            self._command = value
            if value == 0x0F:
                self.resets += 1
                self.antenna = False
        elif register == 0x04:
            self._irq = 0
        elif register == 0x0A and value & 0x80:
            self._fifo = b""
        elif register == 0x09:
            self._fifo += bytes((value,))
        elif register == 0x14:
            self.antenna = value & 3 == 3
        elif register == 0x0D and value & 0x80 and self._command == 0x0C:
            self._exchange(value & 7)

    def read(self, register: int) -> int:
        if register == 0x37:
            return self.version
        if register == 0x04:
            return 0 if self.hung else self._irq
        if register == 0x06:
            return self._error
        if register == 0x0A:
            return len(self._fifo)
        if register == 0x09:
            first, self._fifo = self._fifo[0], self._fifo[1:]
            return first
        return 0x80 if register == 0x14 else 0

    def _exchange(self, bits: int) -> None:
        answer = b""
        if self.sticker is not None and self.antenna:
            answer = self.sticker.hear(self._fifo, bits)
        self._error = 0
        if answer and self.spoil:
            self.spoil -= 1
            if self.spoil % 2:
                self._error = 0x08
            else:
                answer = answer[:-1] + bytes((answer[-1] ^ 0x40,))
        self._fifo = answer
        self._irq = 0x20 if answer else 0x01


class Chips(Bus):
    """Several on one bus, by their select pins; where there is none the bus reads nothing."""

    def __init__(self, chips: "dict[int, Chip]") -> None:
        self.chips = chips

    def write(self, select: int, register: int, value: int) -> None:
        if select in self.chips:
            self.chips[select].write(register, value)

    def read(self, select: int, register: int) -> int:
        return self.chips[select].read(register) if select in self.chips else 0
