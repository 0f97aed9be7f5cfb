"""The Pico's own file: it compiles under the real MicroPython and works its pins, on stand-in metal."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_bridge.firmware import main as firmware
from tests.firmware_bridge.test_micropython import interpreter, pytestmark

__all__ = ["pytestmark"]

FIRMWARE = Path(firmware.__file__).parent

METAL = """
import sys
sys.path.insert(0, {root!r})

class Pin:
    IN, OUT, PULL_UP, PULL_DOWN = "in", "out", "up", "down"
    made = []
    def __init__(self, number, mode=None, pull=None, value=None):
        self.number = number
        self.level = value
        Pin.made.append((number, mode, pull, value))
    def value(self, level=None):
        if level is None:
            return self.level
        self.level = level
        if self.number == 17 and level == 1:
            SPI.shift = list(SPI.loaded)

class SPI:
    loaded = []
    shift = []
    def __init__(self, *args, **kwargs):
        pass
    def readinto(self, buffer):
        # First out is input H of the register nearest to us.
        for at in range(len(buffer)):
            byte = 0
            for bit in range(7, -1, -1):
                byte = byte << 1 | SPI.loaded[at * 8 + bit]
            buffer[at] = byte

class Mem:
    word = 0
    def __getitem__(self, address):
        assert address == 0xD0000004
        return Mem.word

class Timer:
    PERIODIC = 1
    def init(self, freq=0, mode=0, callback=None):
        self.callback = callback

class Machine:
    pass

machine = Machine()
machine.Pin, machine.SPI, machine.mem32, machine.Timer = Pin, SPI, Mem(), Timer
machine.unique_id = lambda: b"12345678"
machine.reset_cause = lambda: 3
machine.WDT_RESET, machine.PWRON_RESET = 3, 1
sys.modules["machine"] = machine

from array import array
from firmware_bridge.firmware import board as b
from firmware_bridge.firmware import frames as f
from firmware_bridge.firmware.main import Device

board = b.Board()
assert board.reset_cause == f.RESET_WATCHDOG
assert 23 not in board.pins and 22 in board.pins
words = array("I", [0] * 4)
Mem.word = 0x00000030
board.read(words)
assert list(words) == [0x30, 0, 0, 0]
board.setup_input(4, f.PULL_UP)
assert Pin.made[-1] == (4, "in", "up", None)
board.setup_output(9, 1)
assert Pin.made[-1] == (9, "out", None, 1)
board.setup_chain(51)
SPI.loaded = [0] * 72
for position in (0, 7, 8, 23, 24, 50, 71):
    SPI.loaded[position] = 1
board.read(words)
assert words[1] == 1 | 1 << 7 | 1 << 8 | 1 << 23, words
assert words[2] == 1, words
assert words[3] == 1 << (50 - 48) | 1 << (71 - 48), words
device = Device(board, 1)
ticker = b.Ticker(device)
ticker.start()
ticker.on_timer(None)
assert device.late == 0
ticker.last -= 5000
ticker.on_timer(None)
assert device.late == 1
# The chain's pins are no outputs once there is a chain.
chained = [(0, f.FLAG_CHAIN, 25, 25)]
lamp = (f.LAMP, 16, f.NO_PIN, 0, 255, 255, 255, 255, 0)
assert not device._possible(chained, [lamp])
assert device._possible([], [lamp])
print("METAL OK")
"""


def run_under_micropython(text: str, folder: Path) -> str:
    script = folder / "script.py"
    script.write_text(text)
    done = subprocess.run(
        [*interpreter(), str(script)], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


def test_every_firmware_file_compiles_under_micropython(tmp_path: Path) -> None:
    names = sorted(path.name for path in FIRMWARE.glob("*.py"))
    assert "board.py" in names
    text = f"""
for name in {names!r}:
    with open({str(FIRMWARE)!r} + "/" + name) as source:
        compile(source.read(), name, "exec")
print("COMPILED")
"""
    assert "COMPILED" in run_under_micropython(text, tmp_path)


def test_the_picos_pins_chain_and_ticker(tmp_path: Path) -> None:
    package = tmp_path / "firmware_bridge"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "firmware").symlink_to(FIRMWARE)
    out = run_under_micropython(METAL.format(root=str(tmp_path)), tmp_path)
    assert "METAL OK" in out, out
