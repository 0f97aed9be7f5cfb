"""The driver for readers of tags, against simulated chips and stickers: here and under MicroPython."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from firmware_bridge.firmware import tags
from firmware_bridge.firmware.tags import Tags, crc_a, text_of
from tests.firmware_bridge.tag_chip import Chip, Chips, Sticker, ndef
from tests.firmware_bridge.test_micropython import pytestmark as under_micropython
from tests.firmware_bridge.test_pico_board import FIRMWARE, METAL, run_under_micropython

PLACES = ((0, 13), (13, 14), (14, 15))
ROOT = Path(__file__).resolve().parents[2]


class Table:
    """Readers with a clock of their own: a millisecond a turn."""

    def __init__(self, chips: dict[int, Chip]) -> None:
        self.chips = chips
        self.tags = Tags(Chips(chips), PLACES)
        self.t = tags.MASK - 50_000
        self.told: list[dict[int, bytes]] = [{}]

    def run(self, turns: int = 300) -> dict[int, bytes]:
        """The texts after so many turns; `told` keeps every change."""
        for _ in range(turns):
            self.t = (self.t + 1000) & tags.MASK
            self.tags.step(self.t)
            now = dict(self.tags.texts())
            if now != self.told[-1]:
                self.told.append(now)
        return self.told[-1]


def test_the_check_is_that_of_the_standard() -> None:
    assert crc_a(b"\x00\x00") == b"\xa0\x1e"  # ISO/IEC 14443-3, annex B
    assert crc_a(b"\x12\x34") == b"\x26\xcf"


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        (ndef(b"7:E:NS"), b"7:E:NS"),
        (ndef(b"player12345"), b"player12345"),
        (ndef(b"7", language=b"zh-Hans"), b"7"),
        (b"\x00\x00" + ndef(b"7"), b"7"),
        (b"\x01\x03\xa0\x0c\x34" + ndef(b"12"), b"12"),
        (ndef(b"more than twelve"), b"?"),
        (ndef("七".encode()), b"?"),
        (b"\x03\x09\xd1\x01\x05\x55\x01abcd", b"?"),
        (bytes(32), b"?"),
        (b"\xff" * 32, b"?"),
        (b"\x03\xff\xd1\x01", b"?"),
        (b"", b"?"),
    ],
    ids=[
        "a board", "a player", "another language", "padding before", "a lock record before", "too long",
        "not ASCII", "an address and no text", "empty", "blank", "cut off", "nothing at all",
    ],
)  # fmt: skip
def test_a_tags_text_is_its_first_text_record_or_a_question_mark(pages: bytes, text: bytes) -> None:
    assert text_of(pages[:32]) == text


def test_what_lies_on_each_reader_is_told_and_a_tag_that_goes_is_gone() -> None:
    table = Table({13: Chip(Sticker(ndef(b"7:E:NS"))), 14: Chip()})
    assert table.run() == {0: b"7:E:NS", 13: b""}
    table.chips[14].sticker = Sticker(ndef(b"p17"))
    assert table.run() == {0: b"7:E:NS", 13: b"p17"}
    table.chips[13].sticker = None
    assert table.run() == {0: b"", 13: b"p17"}
    table.chips[13].sticker = Sticker(ndef(b"8"))
    assert table.run()[0] == b"8"


def test_a_tag_that_stays_is_one_text_over_a_thousand_looks() -> None:
    table = Table({13: Chip(Sticker(ndef(b"7")))})
    table.run(16_000)
    assert table.told == [{}, {0: b""}, {0: b"7"}]


def test_two_damaged_answers_are_no_tag_that_went() -> None:
    table = Table({13: Chip(Sticker(ndef(b"7")))})
    table.run()
    for _ in range(20):
        table.chips[13].spoil = 2
        table.run()
    assert table.told[-1] == {0: b"7"}
    assert len(table.told) == 3


def test_a_damaged_answer_is_never_a_text() -> None:
    table = Table({13: Chip(Sticker(ndef(b"7:E:NS")))})
    table.chips[13].spoil = 2_000
    table.run(5_000)
    assert {text for told in table.told for text in told.values()} <= {b"", b"7:E:NS"}


def test_a_chip_that_says_nothing_is_set_up_anew_and_holds_up_no_other() -> None:
    table = Table({13: Chip(Sticker(ndef(b"7"))), 14: Chip(Sticker(ndef(b"p1")))})
    table.run()
    table.chips[13].hung = True
    table.chips[14].sticker = None
    assert table.run(600) == {0: b"", 13: b""}
    assert table.chips[13].resets > 2
    table.chips[13].hung = False
    assert table.run() == {0: b"7", 13: b""}


def test_no_chip_is_no_reader_and_no_pin() -> None:
    table = Table({14: Chip(), 15: Chip(version=0x00)})
    assert [number for number, _ in table.tags.readers] == [13]
    assert table.tags.pins == (14,)
    assert Table({}).run() == {}


BOARD = """
from tests.firmware_bridge.tag_chip import Chip, Sticker, ndef
from firmware_bridge.firmware import board as b
from firmware_bridge.firmware import frames as f
from firmware_bridge.firmware.main import Device

chips = {13: Chip(Sticker(ndef(b"7:E:NS"))), 14: Chip(Sticker(ndef(b"p1")))}
selected = []
class TagPin(Pin):
    def value(self, level=None):
        super().value(level)
        if self.number in chips and level is not None:
            (selected.remove if level else selected.append)(self.number)
class TagSPI(SPI):
    def write_readinto(self, out, into):
        assert len(selected) <= 1
        chip = chips[selected[0]] if selected else None
        register = out[0] >> 1 & 0x3F
        if chip is None:
            into[1] = 0
        elif out[0] & 0x80:
            into[1] = chip.read(register)
        else:
            chip.write(register, out[1])
machine.Pin, machine.SPI = TagPin, TagSPI

board = b.Board()
device = Device(board, 1)
before = len(Pin.made)
assert board.read_tokens() == [] and len(Pin.made) == before, "a pin was driven before the wires were known"
lamp = (f.LAMP, 14, f.NO_PIN, 0, 255, 255, 255, 255, 0)
board.setup_readers(device._pins_of([], [lamp]))
assert board.read_tokens() == [(0, b"7:E:NS")], board.read_tokens()
assert not [made for made in Pin.made[before:] if made[0] == 14], "a lamp's pin was taken for a reader"
board.setup_readers((11,))
assert board.read_tokens() == []
board.setup_readers(())
assert board.read_tokens() == [(0, b"7:E:NS"), (13, b"p1")]
assert (15, "in", None, None) in Pin.made, "a pin without a reader goes on driving"
chips[13].sticker = None
for _ in range(2000):
    texts = board.read_tokens()
assert texts == [(0, b""), (13, b"p1")], texts
print("READERS OK")
"""


@pytest.mark.skipif(under_micropython.args[0], reason=under_micropython.kwargs["reason"])
def test_the_picos_readers_under_micropython(tmp_path: Path) -> None:
    package = tmp_path / "firmware_bridge"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "firmware").symlink_to(FIRMWARE)
    chips = tmp_path / "tests" / "firmware_bridge"
    chips.mkdir(parents=True)
    (tmp_path / "tests" / "__init__.py").touch()
    (chips / "__init__.py").touch()
    shutil.copy(ROOT / "tests" / "firmware_bridge" / "tag_chip.py", chips)
    metal = METAL[: METAL.index("from array import array")].format(root=str(tmp_path))
    out = run_under_micropython(metal + BOARD, tmp_path)
    assert "READERS OK" in out, out
