"""One table's wires as a drawing: the header with everything on it, the chain, and the motor with its limits.

Every name and pin comes from the configuration. Must never leave out a wire that is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, RigSpec
from table_controller.wiring_pages.headers import Header, chain_pins, part_of
from table_controller.wiring_pages.svg import GOOD, INK, WARM, WIRE, Drawing

WIDTH, ROW = 1180, 30
LEFT, RIGHT = 500, 680
INPUTS_A_CHIP = 8
CHIPS_A_ROW = 4
PINS_165 = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPin:
    """What is at one GPIO: its name, a word more, and how it is drawn."""

    name: str
    note: str
    form: str


def on_pins(spec: RigSpec) -> dict[int, OnPin]:
    """Everything that goes to a pin of the header."""
    found: dict[int, OnPin] = {}
    for wire in spec.inputs:
        if not wire.chain:
            found[wire.pin] = OnPin(name=wire.signal, note="in", form=part_of(wire.signal)[1])
    for output in spec.outputs:
        if output.kind is OutputKind.MOTOR and output.close_pin is not None:
            found[output.pin] = OnPin(name=output.name, note="runs to open", form="driver")
            found[output.close_pin] = OnPin(name=output.name, note="runs to close", form="driver")
        else:
            found[output.pin] = OnPin(name=output.name, note=f"{output.kind}, out", form="lamp")
    if any(wire.chain for wire in spec.inputs):
        for constant, name, note in (
            ("CHAIN_MISO", "chain: data", "from QH of register 1"),
            ("CHAIN_LATCH", "chain: load", "to SH/LD of all"),
            ("CHAIN_SCK", "chain: clock", "to CLK of all"),
        ):
            found[chain_pins()[constant]] = OnPin(name=name, note=note, form="chain")
    return found


def draw(title: str, header: Header, spec: RigSpec) -> str:
    """The SVG of one table."""
    art = Drawing(WIDTH)
    art.text(24, 34, title, size=20, bold=True)
    art.text(
        24,
        56,
        "Every switch and sensor pulls its input to ground; the input's own pull-up holds it at 3.3 V.",
    )
    bottom = _header(art, header, on_pins(spec), 84)
    chained = [wire for wire in spec.inputs if wire.chain]
    if chained:
        bottom = _chain(art, chained, bottom + 40)
    for output in spec.outputs:
        if output.kind is OutputKind.MOTOR:
            bottom = _motor(art, output, bottom + 40)
    _legend(art, bottom + 34, motor=any(o.kind is OutputKind.MOTOR for o in spec.outputs))
    return art.svg(title)


def _header(art: Drawing, header: Header, used: dict[int, OnPin], top: float) -> float:
    rows = len(header.left)
    art.box(LEFT, top, RIGHT - LEFT, rows * ROW + 34)
    art.text((LEFT + RIGHT) / 2, top + 20, header.name.split(",")[0], anchor="middle", bold=True, size=12)
    sides = ((header.left, header.left_numbers, -1), (header.right, header.right_numbers, 1))
    for names, numbers, to in sides:
        edge = LEFT if to < 0 else RIGHT
        for row, (name, number) in enumerate(zip(names, numbers, strict=True)):
            y = top + 34 + ROW * (row + 0.5)
            anchor = "start" if to < 0 else "end"
            art.dot(edge, y, 4)
            art.text(edge - to * 10, y + 4, f"{number}", anchor=anchor, size=11, ink=WIRE)
            art.text(edge - to * 34, y + 4, name, anchor=anchor, size=12, mono=True)
            here = used.get(int(name[2:])) if name.startswith("GP") else None
            if here is not None:
                _at_pin(art, here, edge, y, to)
            elif name == "GND":
                art.line((edge, y), (edge + to * 18, y))
                art.ground(edge + to * 18, y)
            elif name == "3V3":
                art.line((edge, y), (edge + to * 40, y), ink=WARM)
                art.text(edge + to * 46, y + 4, "3.3 V for pull-ups and sensors", size=11, ink=WARM,
                         anchor="end" if to < 0 else "start")  # fmt: skip
    return top + rows * ROW + 34


def _at_pin(art: Drawing, here: OnPin, edge: float, y: float, to: int) -> None:
    end = edge + to * 60
    art.line((edge, y), (end, y))
    match here.form:
        case "switch":
            art.switch(end, y, to)
        case "sensor":
            art.sensor(end, y, to)
        case "lamp":
            art.lamp(end, y, to)
        case "driver":
            art.driver(end, y, to)
        case _:
            art.line((end, y), (end + to * 38, y), ink=GOOD, wide=2.5)
    anchor = "end" if to < 0 else "start"
    at = end + to * 54
    art.text(at, y + 4, here.name, size=13, anchor=anchor, mono=True, bold=True)
    wide = 8.0 * len(here.name) + 14
    art.text(at + to * wide, y + 4, here.note, size=11, anchor=anchor, ink=WIRE)


def _chain(art: Drawing, wires: Sequence[InputSpec], top: float) -> float:
    by_position = {wire.pin: wire.signal for wire in wires}
    chips = max(by_position) // INPUTS_A_CHIP + 1
    art.text(
        24, top, f"The chain: {chips} registers 74HC165, the nearest to the Pico first", size=16, bold=True
    )
    art.text(24, top + 20, "Each: VCC 3.3 V (16), GND (8), CLK INH to GND (15), 100 nF from VCC to GND; "
             "CLK (2) and SH/LD (1) common to all; 10 kOhm from each input to 3.3 V.",
             size=12, ink=WIRE)  # fmt: skip
    wide, high, gap = 250, 8 * 20 + 38, 34
    y = top
    for chip in range(chips):
        x = 24 + (chip % CHIPS_A_ROW) * (wide + gap)
        y = top + 44 + (chip // CHIPS_A_ROW) * (high + 46)
        art.box(x, y, wide, high)
        art.text(x + 12, y + 20, f"register {chip + 1}", bold=True, size=13)
        art.text(
            x + wide - 12, y + 20, f"positions {8 * chip} to {8 * chip + 7}", anchor="end", size=11, ink=WIRE
        )
        for n, (letter, pin) in enumerate(PINS_165.items()):
            line = y + 44 + 20 * n
            signal = by_position.get(8 * chip + n)
            art.text(x + 12, line, f"{letter} ({pin})", size=12, mono=True, ink=WIRE)
            art.text(x + 76, line, signal or "free: to 3.3 V", size=12, mono=True, bold=signal is not None,
                     ink=INK if signal else WIRE)  # fmt: skip
        _serial(art, chip, chips, x, y + high, wide, gap)
    return y + high + 30


def _serial(art: Drawing, chip: int, chips: int, x: float, y: float, wide: float, gap: float) -> None:
    """Where a register's bits go: into the one before it, and the first one's to the Pico."""
    to = (
        f"data: QH (9) to GP{chain_pins()['CHAIN_MISO']}"
        if chip == 0
        else f"QH (9) to SER (10) of register {chip}"
    )
    last = "; SER (10) to GND" if chip == chips - 1 else ""
    art.line((x + wide / 2, y), (x + wide / 2, y + 8), ink=GOOD, wide=2.5)
    art.text(x + wide / 2, y + 22, to + last, size=11, anchor="middle", ink=GOOD)


def _motor(art: Drawing, output: OutputSpec, top: float) -> float:
    art.text(24, top, "The motor and its limits: the switches themselves cut it off", size=16, bold=True)
    art.text(24, top + 20, "Each limit switch has two contacts: a normally closed one in the motor's lead, "
             "and one for the input. The diode across it lets the motor run back.",
             size=12, ink=WIRE)  # fmt: skip
    y = top + 110
    art.box(60, y - 50, 150, 100, fill="#fff3e6", ink=WARM)
    art.text(135, y - 4, "motor driver", anchor="middle", bold=True)
    art.text(135, y + 14, "own supply, fuse", anchor="middle", size=11, ink=WIRE)
    art.line((210, y - 26), (300, y - 26), ink=INK, wide=2)
    art.line((236, y - 33), (276, y - 33), (270, y - 38), (276, y - 33), (270, y - 28), ink=WARM)
    art.text(256, y - 42, "opening", anchor="middle", size=11, ink=WARM)
    _cutting_switch(art, 300, y - 26, f"{output.limit_open} (cuts opening)", forward=True)
    art.line((430, y - 26), (520, y - 26), ink=INK, wide=2)
    _cutting_switch(art, 520, y - 26, f"{output.limit_close} (cuts closing)", forward=False)
    art.line((650, y - 26), (760, y - 26), (760, y - 10), ink=INK, wide=2)
    art.circle(760, y + 12, 22)
    art.text(760, y + 18, "M", anchor="middle", bold=True, size=18)
    art.line((760, y + 34), (760, y + 46), (230, y + 46), (230, y + 26), (210, y + 26), ink=INK, wide=2)
    art.text(
        830, y - 20, f"{output.obstructed or 'no obstruction sensor'}: stops closing", size=12, mono=True
    )
    art.text(830, y + 4, f"{output.overcurrent or 'no current sensor'}: stops both ways", size=12, mono=True)
    art.text(830, y + 28, "lease: no renewal for 400 ms, the firmware stops it", size=12, ink=WIRE)
    return y + 66


def _cutting_switch(art: Drawing, x: float, y: float, label: str, *, forward: bool) -> None:
    """A normally closed contact with a diode across it."""
    art.dot(x, y, 3)
    art.dot(x + 130, y, 3)
    art.line((x, y), (x + 130, y), ink=INK, wide=2)
    art.line((x + 44, y + 7), (x + 44, y), (x + 88, y - 3), (x + 88, y + 7), ink=INK, wide=2.5)
    art.line((x, y), (x, y - 34), (x + 130, y - 34), (x + 130, y), ink=WIRE)
    tip, base = (x + 54, x + 76) if forward else (x + 76, x + 54)
    art.line((base, y - 42), (base, y - 26), (tip, y - 34), (base, y - 42), ink=WARM, wide=2)
    art.line((tip, y - 42), (tip, y - 26), ink=WARM, wide=2)
    art.text(x + 65, y + 24, label, anchor="middle", size=11, mono=True)


def _legend(art: Drawing, y: float, *, motor: bool) -> None:
    art.line((24, y - 16), (WIDTH - 24, y - 16), dash="4 4")
    art.switch(40, y + 8, 1)
    art.text(96, y + 12, "switch or button to ground", size=12)
    art.sensor(310, y + 8, 1)
    art.text(366, y + 12, "sensor, open collector or drain", size=12)
    art.lamp(600, y + 8, 1)
    art.text(656, y + 12, "lamp or latch with its driver", size=12)
    if motor:
        art.driver(880, y + 8, 1)
        art.text(930, y + 12, "input of the motor driver", size=12)
