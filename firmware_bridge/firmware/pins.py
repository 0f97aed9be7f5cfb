"""What a circuit board must supply to the firmware; `board.py` and the simulators derive from it.

`read` and `write` run in the tick: they must not allocate, raise or wait. Nothing here knows what a pin is
for.
"""

from array import array


class Pins:
    """`uid`: 8 bytes. `boot_id`: another 16-bit number each start. `reset_cause`: a RESET_ code of the
    frames.

    `pins`: the usable GPIO numbers. `chain_bits`: the most inputs a shift-register chain can have; it takes
    `chain_pins` when it is there.
    """

    uid = b"\0\0\0\0\0\0\0\0"
    boot_id = 0
    reset_cause = 0
    pins: "tuple[int, ...]" = ()
    chain_bits = 0
    chain_pins: "tuple[int, ...]" = ()

    def ticks_us(self) -> int:
        """Microseconds, modulo 2**30."""
        raise NotImplementedError

    def setup_input(self, pin: int, pull: int) -> None:
        """Make a pin an input with a PULL_ resistor."""
        raise NotImplementedError

    def setup_output(self, pin: int, level: int) -> None:
        """Make a pin an output that begins at `level`."""
        raise NotImplementedError

    def setup_chain(self, bits: int) -> None:
        """There is a chain, and its first `bits` inputs are wanted."""

    def setup_readers(self, taken: "tuple[int, ...]") -> None:
        """The table's wires are known and use these pins: readers may have what they need of the others."""

    def write(self, pin: int, level: int) -> None:
        """Set an output pin."""
        raise NotImplementedError

    def read(self, words: "array[int]") -> None:
        """Word 0: all pins, a bit each. Words 1 to 3: the chain, 24 bits each."""
        raise NotImplementedError

    def read_tokens(self) -> "list[tuple[int, bytes]]":
        """(reader, text) of every reader."""
        raise NotImplementedError

    def receive(self) -> bytes:
        """What has arrived from the host; b"" at once when nothing has."""
        raise NotImplementedError

    def send(self, data: bytes) -> int:
        """Send what there is room for, without waiting; how many bytes went."""
        raise NotImplementedError
