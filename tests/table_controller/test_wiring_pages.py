"""The wiring pages leave nothing out, and name pins that are there."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware_bridge.firmware import sampler
from table_controller.config.load import load_config, rig_spec
from table_controller.sensing.signals import LEVELS
from table_controller.wiring_pages.__main__ import TABLES, write
from table_controller.wiring_pages.drawing import draw, on_pins
from table_controller.wiring_pages.headers import PI, PICO, chain_pins, part_of, tag_bus, tag_readers
from table_controller.wiring_pages.page import header_of, page

NAMES = ("watch", "guard", "full")


@pytest.mark.parametrize("name", NAMES)
def test_every_wire_is_in_the_drawing_and_in_the_table(name: str) -> None:
    config = load_config(TABLES / f"{name}.toml")
    spec = rig_spec(config)
    art, text = draw(name, header_of(config), spec), page(name, config)
    words = {element.text for element in ElementTree.fromstring(art).iter() if element.text}
    for wire in spec.inputs:
        assert wire.signal in words
        assert f"| `{wire.signal}` |" in text
    for output in spec.outputs:
        assert output.name in words
        assert f"| `{output.name}`" in text
    for token in spec.tokens:
        bought = token.signal.split(".")[0] in ("board", "seat")
        heading = "## Readers of tags" if bought else "## Simulated only"
        assert f"`{token.signal}`" in text.split(heading)[1].split("\n## ")[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_pin_is_on_the_header(name: str) -> None:
    config = load_config(TABLES / f"{name}.toml")
    header = header_of(config)
    assert [pin for pin in on_pins(rig_spec(config)) if header.position(pin) is None] == []
    assert "not on the header" not in page(name, config)


def test_headers_have_each_pin_once() -> None:
    for header, gpios in ((PICO, [*range(23), 26, 27, 28]), (PI, range(28))):
        names = [*header.left, *header.right]
        assert len(names) == 40
        assert sorted(int(n[2:]) for n in names if re.fullmatch(r"GP\d+", n)) == list(gpios)
        assert sorted([*header.left_numbers, *header.right_numbers]) == list(range(1, 41))


def test_every_signal_there_is_has_a_part() -> None:
    for signal in LEVELS:
        assert part_of(signal)[0]


def test_the_chain_is_that_of_the_firmware() -> None:
    board = Path(sampler.__file__).with_name("board.py").read_text(encoding="utf-8")
    for name, pin in chain_pins().items():
        assert f"{name} = {pin}\n" in board
    assert len(chain_pins()) == 3


def test_no_other_wire_of_the_full_table_is_on_a_pin_of_the_tag_readers() -> None:
    spec = rig_spec(load_config(TABLES / "full.toml"))
    theirs = {*tag_bus().values(), *tag_readers().values()}
    assert len(theirs) == len(tag_bus()) + len(tag_readers())
    assert theirs.isdisjoint(on_pins(spec))
    assert theirs.isdisjoint(chain_pins().values())
    assert [pin for pin in theirs if PICO.position(pin) is None] == []
    named = {token.reader for token in spec.tokens if token.signal.split(".")[0] in ("board", "seat")}
    assert named == set(tag_readers())


def test_a_changed_pin_changes_drawing_and_page(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    text = (TABLES / "watch.toml").read_text(encoding="utf-8")
    changed = text.replace('"tray.ne" = { pin = 4 }', '"tray.ne" = { pin = 25 }')
    assert changed != text
    (tables / "watch.toml").write_text(changed, encoding="utf-8")
    write(tmp_path, tables)
    write(tmp_path / "tables", TABLES)
    for ending in ("md", "svg"):
        one, other = tmp_path / f"wiring-watch.{ending}", tables / f"wiring-watch.{ending}"
        assert one.read_text() != other.read_text()
    assert "| `tray.ne` | GPIO 25 | 22 |" in (tmp_path / "wiring-watch.md").read_text()
