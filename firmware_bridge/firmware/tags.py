"""Tags on boards and at seats: what a chain of MFRC522 readers finds on NTAG21x stickers, as texts.

Runs in the main loop, never in the tick: one short exchange with one chip a turn, and no waiting. It must
never tell a text that it has not read whole: a tag it cannot read is `?`, no tag is nothing. Nothing here
knows what a text means.

A tag carries one NDEF text record, as any telephone writes it, of at most 12 ASCII characters.
"""

from .pins import Pins

MISSES = 3
"""So many looks in a row without a tag: it is gone. One is often missed as it moves."""
ANSWER_US = 25000
LONGEST_LOOK_US = 600000
UNREADABLE = b"?"
MASK = 0x3FFFFFFF
MOST = 12

# Registers and commands of the MFRC522 (its data sheet, chapter 9), as far as they are used.
COMMAND, COM_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL, BIT_FRAMING = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0D
MODE, TX_CONTROL, TX_ASK, VERSION = 0x11, 0x14, 0x15, 0x37
T_MODE, T_PRESCALER, T_RELOAD_HIGH, T_RELOAD_LOW = 0x2A, 0x2B, 0x2C, 0x2D
IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F
IRQ_ANSWERED, IRQ_TIMER = 0x30, 0x01
ERRORS = 0x1B
VERSIONS = (0x91, 0x92, 0x88, 0x12, 0xB2)
SETTINGS = (
    (T_MODE, 0x80),
    (T_PRESCALER, 0xA9),
    (T_RELOAD_HIGH, 0x00),
    (T_RELOAD_LOW, 0xC8),  # 200 x 25 us: an answer begins within a millisecond
    (TX_ASK, 0x40),
    (MODE, 0x3D),
)

# What is said to a tag, one after the other (ISO/IEC 14443-3 A; NTAG21x data sheet).
WAKE, NEAR, NEAR_SELECT, FAR, FAR_SELECT, READ, READ_ON, HALT = range(8)
CASCADE_TAG = 0x88


class Bus:
    """Register access to readers that share one bus; `select` is the pin that chooses one."""

    def write(self, select: int, register: int, value: int) -> None:
        """Write one register."""
        raise NotImplementedError

    def read(self, select: int, register: int) -> int:
        """Read one register."""
        raise NotImplementedError


def crc_a(data: bytes) -> bytes:
    """The check of ISO/IEC 14443-3 A."""
    crc = 0x6363
    for byte in data:
        ch = (byte ^ crc) & 0xFF
        ch = (ch ^ (ch << 4)) & 0xFF
        crc = (crc >> 8) ^ (ch << 8) ^ (ch << 3) ^ (ch >> 4)
    return bytes((crc & 0xFF, crc >> 8 & 0xFF))


def text_of(pages: bytes) -> bytes:
    """The text of a tag's user memory; `?` where there is none, or it is longer than what was read."""
    at = 0
    while at + 2 <= len(pages):
        kind, size = pages[at], pages[at + 1]
        if kind == 0x00:
            at += 1
        elif kind == 0x03:
            return _record(pages[at + 2 : at + 2 + size], size)
        elif kind == 0xFE:
            break
        else:
            at += 2 + size
    return UNREADABLE


def _record(record: bytes, size: int) -> bytes:
    if len(record) < size or size < 5 or record[0] & 0x17 != 0x11 or record[1] != 1 or record[3] != 0x54:
        return UNREADABLE
    start = 5 + (record[4] & 0x3F)
    text = record[start : 4 + record[2]]
    plain = record[4] & 0x80 == 0 and 0 < len(text) <= MOST and all(32 < byte < 127 for byte in text)
    return bytes(text) if plain else UNREADABLE


class TagReader:
    """One chip. `text` is what lies there; `step(t)` goes on with the look, `done` when one has ended."""

    def __init__(self, bus: Bus, select: int) -> None:
        self.bus = bus
        self.select = select
        self.text = b""
        self.done = False
        self.faults = 0
        self._missed = 0
        self._doing = WAKE
        self._waiting = False
        self._since = 0
        self._uid = b""
        self._pages = b""

    def begin(self) -> bool:
        """Set the chip up; False when there is none."""
        bus = self.bus
        if bus.read(self.select, VERSION) not in VERSIONS:
            return False
        self._set_up()
        return True

    def _set_up(self) -> None:
        bus = self.bus
        bus.write(self.select, COMMAND, SOFT_RESET)
        for register, value in SETTINGS:
            bus.write(self.select, register, value)
        bus.write(self.select, TX_CONTROL, bus.read(self.select, TX_CONTROL) | 0x03)

    def step(self, t: int) -> None:
        """One exchange at most; `t` is the board's microseconds."""
        if not self._waiting:
            self.done = False
            self._say(t)
            return
        irq = self.bus.read(self.select, COM_IRQ)
        if irq & IRQ_ANSWERED:
            self._waiting = False
            self._hear(self._answer())
        elif irq & IRQ_TIMER:
            self._waiting = False
            self._hear(b"")
        elif (t - self._since) & MASK > ANSWER_US:
            # The chip says nothing at all: a loose plug, or it has lost its settings.
            self._waiting = False
            self.faults = (self.faults + 1) & 0xFFFF
            self._set_up()
            self._miss()

    def _say(self, t: int) -> None:
        doing = self._doing
        if doing == WAKE:
            self._transceive(b"\x52", 7, t)
        elif doing == NEAR:
            self._transceive(b"\x93\x20", 0, t)
        elif doing == NEAR_SELECT:
            self._checked(b"\x93\x70" + self._uid, t)
        elif doing == FAR:
            self._transceive(b"\x95\x20", 0, t)
        elif doing == FAR_SELECT:
            self._checked(b"\x95\x70" + self._uid, t)
        elif doing == READ:
            self._checked(b"\x30\x04", t)
        elif doing == READ_ON:
            self._checked(b"\x30\x08", t)
        else:
            self._checked(b"\x50\x00", t)

    def _checked(self, data: bytes, t: int) -> None:
        self._transceive(data + crc_a(data), 0, t)

    def _transceive(self, data: bytes, bits: int, t: int) -> None:
        bus, select = self.bus, self.select
        bus.write(select, COMMAND, IDLE)
        bus.write(select, COM_IRQ, 0x7F)
        bus.write(select, FIFO_LEVEL, 0x80)
        for byte in data:
            bus.write(select, FIFO_DATA, byte)
        bus.write(select, BIT_FRAMING, bits)
        bus.write(select, COMMAND, TRANSCEIVE)
        bus.write(select, BIT_FRAMING, 0x80 | bits)
        self._waiting = True
        self._since = t

    def _answer(self) -> bytes:
        bus, select = self.bus, self.select
        if bus.read(select, ERROR) & ERRORS:
            return b""
        size = min(bus.read(select, FIFO_LEVEL), 64)
        return bytes([bus.read(select, FIFO_DATA) for _ in range(size)])

    def _hear(self, answer: bytes) -> None:
        doing = self._doing
        if doing == HALT:
            self._end()
        elif doing == WAKE:
            self._go(NEAR, len(answer) == 2)
        elif doing in (NEAR, FAR):
            right = len(answer) == 5 and answer[0] ^ answer[1] ^ answer[2] ^ answer[3] == answer[4]
            self._uid = answer
            self._go(doing + 1, right)
        elif doing == NEAR_SELECT:
            self._go(FAR if self._uid[0] == CASCADE_TAG else READ, _whole(answer, 1))
        elif doing == FAR_SELECT:
            self._go(READ, _whole(answer, 1))
        elif doing == READ:
            self._pages = answer[:16]
            self._go(READ_ON, _whole(answer, 16))
        else:
            if _whole(answer, 16):
                self._missed = 0
                self.text = text_of(self._pages + answer[:16])
            self._go(HALT, _whole(answer, 16))

    def _go(self, doing: int, right: bool) -> None:
        if right:
            self._doing = doing
        else:
            self._miss()

    def _miss(self) -> None:
        self._missed += 1
        if self._missed >= MISSES:
            self._missed = MISSES
            self.text = b""
        self._end()

    def _end(self) -> None:
        self._doing = WAKE
        self.done = True


def _whole(answer: bytes, size: int) -> bool:
    return len(answer) == size + 2 and crc_a(answer[:size]) == answer[size:]


class Tags:
    """All readers that answered when the board started, looked at in turn: one antenna at a time."""

    def __init__(self, bus: Bus, places: "tuple[tuple[int, int], ...]") -> None:
        """`places`: (reader, select pin) each."""
        self.readers: list[tuple[int, TagReader]] = []
        self.pins: tuple[int, ...] = ()
        for number, select in places:
            reader = TagReader(bus, select)
            if reader.begin():
                self.readers.append((number, reader))
                self.pins += (select,)
        self._turn = 0

    def step(self, t: int) -> None:
        """A moment's work."""
        if not self.readers:
            return
        reader = self.readers[self._turn][1]
        reader.step(t)
        if reader.done:
            self._turn = (self._turn + 1) % len(self.readers)

    def look(self, board: Pins) -> None:
        """Until each has been looked at for certain: what lies there now is where a table starts from."""
        begun = board.ticks_us()
        for _, reader in self.readers:
            for _ in range(MISSES):
                reader.step(board.ticks_us())
                while not reader.done and (board.ticks_us() - begun) & MASK < LONGEST_LOOK_US:
                    reader.step(board.ticks_us())
                if reader.text:
                    break

    def texts(self) -> "list[tuple[int, bytes]]":
        """(reader, text) of each."""
        return [(number, reader.text) for number, reader in self.readers]
