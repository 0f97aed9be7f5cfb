"""The page of one table: its drawing, its pin table, and what it has that exists in the simulator only.

Must never say that a sense can be bought which the shipped firmware cannot read.
"""

from __future__ import annotations

from firmware_bridge.rig import OutputKind, RigSpec, TokenSpec
from table_controller.config.load import TableConfig, rig_spec
from table_controller.config.model import GpioRig
from table_controller.wiring_pages.headers import (
    OUTPUT_PARTS,
    PI,
    PICO,
    Header,
    chain_pins,
    part_of,
    tag_bus,
    tag_readers,
)

_Row = tuple[str, ...]


def header_of(config: TableConfig) -> Header:
    """What this table's wires go to."""
    return PI if isinstance(config.rig, GpioRig) else PICO


def page(name: str, config: TableConfig) -> str:
    """The Markdown of one table."""
    spec, header = rig_spec(config), header_of(config)
    parts = [
        f"# Wiring: {name}",
        f"Written by `make docs` from `configs/tables/{name}.toml`; what every table needs is on "
        f"[the wiring page](../wiring.md).",
        f"![Wiring of the {name} table](wiring-{name}.svg)",
        "## Inputs",
        _table(("signal", "where", "pin", "part"), _inputs(spec, header)),
        "## Outputs",
        _table(("output", "where", "pin", "safe", "part"), _outputs(spec, header)),
    ]
    if any(wire.chain for wire in spec.inputs):
        chain = chain_pins()
        rows: list[_Row] = [
            (what, f"GP{chain[key]}", str(header.position(chain[key])))
            for what, key in (("data (QH of register 1)", "CHAIN_MISO"), ("load (SH/LD)", "CHAIN_LATCH"),
                              ("clock (CLK)", "CHAIN_SCK"))
        ]  # fmt: skip
        parts += ["## The chain's own wires", _table(("wire", "where", "pin"), rows)]
    tags = [token for token in spec.tokens if _is_tag(token)]
    if tags:
        parts += [
            "## Readers of tags",
            "MFRC522 boards on one bus; [the wiring page](../wiring.md) says what is written on the tags.",
            _table(("signal", "reader", "wire", "where", "pin"), _tags(tags, header)),
        ]
    cards = [token for token in spec.tokens if not _is_tag(token)]
    if cards:
        parts += [
            "## Simulated only",
            "These readers exist in the simulator: for bidding and playing cards there is no part to "
            "buy. A real table leaves these lines and their senses (`calls`, `cards`, and `released`, which "
            "goes with the calls) out of its file, and `table-controller check` then says which checks are "
            "off.",
            ", ".join(f"`{token.signal}`" for token in cards),
        ]
    return "\n\n".join(parts) + "\n"


def _is_tag(token: TokenSpec) -> bool:
    """A board's or a player's sticker: of cards nobody sells a reader."""
    return token.signal.startswith(("board.", "seat.")) and token.reader in tag_readers()


def _tags(tokens: list[TokenSpec], header: Header) -> list[_Row]:
    selects, bus = tag_readers(), tag_bus()
    rows: list[_Row] = [
        (
            f"`{t.signal}`",
            str(t.reader),
            "select (SDA)",
            f"GP{selects[t.reader]}",
            _pin(header, selects[t.reader]),
        )
        for t in tokens
    ]
    return rows + [
        ("all of them", "", wire, f"GP{bus[name]}", _pin(header, bus[name]))
        for wire, name in (("clock (SCK)", "TAGS_SCK"), ("MOSI", "TAGS_MOSI"), ("MISO", "TAGS_MISO"))
    ]


def _inputs(spec: RigSpec, header: Header) -> list[_Row]:
    rows: list[_Row] = []
    for wire in spec.inputs:
        part = part_of(wire.signal)[0]
        if wire.chain:
            letter = "ABCDEFGH"[wire.pin % 8]
            rows.append(
                (f"`{wire.signal}`", f"register {wire.pin // 8 + 1}, input {letter}", str(wire.pin), part)
            )
        else:
            rows.append((f"`{wire.signal}`", f"GPIO {wire.pin}", _pin(header, wire.pin), part))
    return rows


def _outputs(spec: RigSpec, header: Header) -> list[_Row]:
    rows: list[_Row] = []
    for output in spec.outputs:
        safe, part = ("high" if output.safe_level else "low"), OUTPUT_PARTS[output.kind.value]
        if output.kind is OutputKind.MOTOR and output.close_pin is not None:
            for pin, way in ((output.pin, "to open"), (output.close_pin, "to close")):
                rows.append((f"`{output.name}` {way}", f"GPIO {pin}", _pin(header, pin), safe, part))
        else:
            rows.append((f"`{output.name}`", f"GPIO {output.pin}", _pin(header, output.pin), safe, part))
    return rows


def _pin(header: Header, gpio: int) -> str:
    position = header.position(gpio)
    return "not on the header" if position is None else str(position)


def _table(head: _Row, rows: list[_Row]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
