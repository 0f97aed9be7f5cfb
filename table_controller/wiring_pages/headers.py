"""The two headers a table can be wired to, pin by pin, and the parts that go with each kind of signal.

Facts of the boards' own documents. Must never name a maker or a shop.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import firmware_bridge


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """`left` and `right`: what each pin is, from the top; `GP4` is GPIO 4. `numbers` as printed."""

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    left_numbers: tuple[int, ...]
    right_numbers: tuple[int, ...]
    supply: str

    def position(self, gpio: int) -> int | None:
        """The printed number of a GPIO's pin; None where the header has not this GPIO."""
        for names, numbers in ((self.left, self.left_numbers), (self.right, self.right_numbers)):
            if f"GP{gpio}" in names:
                return numbers[names.index(f"GP{gpio}")]
        return None


def _pins(names: str) -> tuple[str, ...]:
    return tuple(names.split())


PICO = Header(
    name="Raspberry Pi Pico, USB socket up",
    left=_pins("GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"),
    right=_pins(
        "VBUS VSYS GND 3V3_EN 3V3 VREF GP28 GND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16"
    ),
    left_numbers=tuple(range(1, 21)),
    right_numbers=tuple(range(40, 20, -1)),
    supply="3V3 (pin 36)",
)
PI = Header(
    name="Raspberry Pi header, pin 1 at the top left",
    left=_pins("3V3 GP2 GP3 GP4 GND GP17 GP27 GP22 3V3 GP10 GP9 GP11 GND GP0 GP5 GP6 GP13 GP19 GP26 GND"),
    right=_pins("5V 5V GND GP14 GP15 GP18 GND GP23 GP24 GND GP25 GP8 GP7 GP1 GND GP12 GND GP16 GP20 GP21"),
    left_numbers=tuple(range(1, 40, 2)),
    right_numbers=tuple(range(2, 41, 2)),
    supply="3V3 (pin 1 or 17)",
)


CHAIN = ("CHAIN_MISO", "CHAIN_LATCH", "CHAIN_SCK")
TAG_BUS = ("TAGS_SCK", "TAGS_MOSI", "TAGS_MISO")


def chain_pins() -> dict[str, int]:
    """The Pico's pins for the chain of shift registers, read from the firmware itself."""
    return {name: int(str(_constants()[name])) for name in CHAIN}


def tag_bus() -> dict[str, int]:
    """The Pico's pins for the bus of the tag readers."""
    return {name: int(str(_constants()[name])) for name in TAG_BUS}


def tag_readers() -> dict[int, int]:
    """The pin that selects each tag reader, by the reader's number."""
    found = _constants()["TAG_READERS"]
    assert isinstance(found, tuple)
    return dict(found)


def _constants() -> dict[str, object]:
    text = (Path(firmware_bridge.__file__).parent / "firmware" / "board.py").read_text(encoding="utf-8")
    wanted = {*CHAIN, *TAG_BUS, "TAG_READERS"}
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in wanted
    }


_PARTS: tuple[tuple[str, str, str], ...] = (
    ("tray.handle.", "micro switch in the tray's handle", "switch"),
    ("tray.", "reed or Hall switch in the dock, magnet in the tray", "switch"),
    ("window.closed", "limit switch, closed end, its second contact", "switch"),
    ("window.open", "limit switch, open end, its second contact", "switch"),
    ("window.obstructed", "light barrier or pressure edge, output to ground", "sensor"),
    ("window.overcurrent", "fault output of the motor driver, open drain", "sensor"),
    ("window.handle.", "micro switch in the window's handle", "switch"),
    ("lead.present", "reflective sensor in the lead spot, open collector", "sensor"),
    ("lead.faced", "reflective sensor set between back and face of your cards", "sensor"),
    ("announced.", "push button at the seat", "switch"),
    ("director.", "push button at the seat", "switch"),
    ("claim.", "push button at the seat", "switch"),
    ("auction_over.", "push button on this face", "switch"),
    ("cleared.", "micro switch in the bidding boxes, in series", "switch"),
    ("board.present", "micro or reed switch in the tray's bed", "switch"),
    ("released.", "touch sensor at the column, open drain", "sensor"),
    ("alert.", "push button at the seat, or reed switch and a card with a magnet", "switch"),
    ("hand.", "slot sensor in the board, open collector", "sensor"),
)
OUTPUT_PARTS = {
    "lamp": "lamp: resistor and LED, or a transistor",
    "latch": "latch: transistor, coil, diode across the coil",
    "motor": "motor driver (H bridge), pull-downs on both inputs",
}


def part_of(signal: str) -> tuple[str, str]:
    """What to fit for an input, and how it is drawn: switch or sensor."""
    plain = f"lead.{signal.rsplit('.', 1)[1]}" if signal.startswith("lead.") else signal
    return next((what, form) for begins, what, form in _PARTS if plain.startswith(begins))


def every_part() -> frozenset[str]:
    """The beginnings of all signals there is a part for."""
    return frozenset(begins for begins, _, _ in _PARTS)
