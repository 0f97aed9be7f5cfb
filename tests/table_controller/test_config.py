"""A table's configuration: what is accepted, and the one sentence of every refusal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.rig import OutputKind
from table_controller.config.load import (
    ConfigError,
    drive_spec,
    load_config,
    parse_config,
    rig_spec,
    senses,
    waits,
)
from table_controller.service.window_drive import WindowKind

TABLES = Path(__file__).resolve().parents[2] / "configs" / "tables"
PATH = Path("/somewhere/table.toml")
FULL = (TABLES / "full.toml").read_text(encoding="utf-8")
WATCH = (TABLES / "watch.toml").read_text(encoding="utf-8")
GUARD = (TABLES / "guard.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["watch", "guard", "full"])
def test_the_tables_that_ship_are_valid(name: str) -> None:
    config = load_config(TABLES / f"{name}.toml")
    spec = rig_spec(config)
    assert len(spec.inputs) == len(config.inputs)
    assert {output.kind for output in spec.outputs} <= set(OutputKind)


def test_watch_is_worked_by_hand_with_lamps_and_the_others_by_a_motor() -> None:
    kinds = [drive_spec(load_config(TABLES / f"{name}.toml")).kind for name in ("watch", "guard", "full")]
    assert kinds == [WindowKind.LAMP, WindowKind.MOTOR, WindowKind.MOTOR]


def test_full_has_every_sense_there_is() -> None:
    from table_controller.screen.senses import Sense

    full = senses(load_config(TABLES / "full.toml"))
    assert {sense for sense in Sense if not sense.is_output} <= full


def test_every_sense_of_the_core_can_be_configured_and_no_other() -> None:
    from table_controller.screen.senses import Sense
    from table_controller.sensing.signals import NEEDS

    assert set(NEEDS) == {sense.value for sense in Sense if not sense.is_output}


def test_paths_are_relative_to_the_file() -> None:
    config = parse_config(FULL.replace("/var/lib/screen-table/full-1", "var/full"), PATH)
    assert config.data_dir == "/somewhere/var/full"


def test_events_wait_for_the_slowest_debounce() -> None:
    assert waits(load_config(TABLES / "full.toml")).order == 30_000_000


def swap(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


REFUSALS = [
    pytest.param(
        swap(WATCH, 'id = "ccba-2006"', 'id = "nope"'),
        "regulations.id",
        "there is no profile 'nope'; write one of ccba-2006",
        id="regulations there are not",
    ),
    pytest.param(
        re.sub(r"senses = \[[^]]*\]", 'senses = "tray"', WATCH, count=1),
        "table.senses",
        "expected a list of names",
        id="one name for a list",
    ),
    pytest.param(
        swap(WATCH, '"tray.ne" = { pin = 4 }', '"tray.ne" = 4'),
        "inputs.tray.ne",
        "expected a table with its keys (pin, chain",
        id="a number for a wire",
    ),
    pytest.param(
        swap(WATCH, "data_dir", "timings = 3\ndata_dir"),
        "timings",
        "expected a table with its keys (settle_ms",
        id="a number for a section",
    ),
    pytest.param(
        swap(FULL, 'id = "full-1"', 'id = "full 1"'),
        "table.id",
        "1 to 40 letters",
        id="a name no topic can have",
    ),
    pytest.param(swap(FULL, "[table]", "[tabel]"), "table", "missing", id="a section misspelt"),
    pytest.param(
        swap(
            FULL, '"tray.ne" = { pin = 0, chain = true }', '"tray.ne" = { pin = 0, chain = true, pul = "up" }'
        ),
        "inputs.tray.ne.pul",
        "unknown key",
        id="a key misspelt",
    ),
    pytest.param(
        swap(WATCH, '"tray.sw" = { pin = 5 }', '"tray.sw" = { pin = 4 }'),
        "inputs.'tray.sw'.pin",
        "already used by inputs.'tray.ne'.pin",
        id="one pin used twice",
    ),
    pytest.param(
        swap(WATCH, '"tray.sw" = { pin = 5 }', '"tray.sw" = { pin = 31 }'),
        "inputs.'tray.sw'.pin",
        "GPIO 0 to 27",
        id="a pin the header has not",
    ),
    pytest.param(
        swap(WATCH, '"lead.w.present" = ', '# "lead.w.present" = '),
        "table.senses",
        "'lead' needs the signal 'lead.w.present'",
        id="a sense without its sensors",
    ),
    pytest.param(
        swap(WATCH, '"tray", "window"', '"window"'),
        "inputs.'tray.ne'",
        "belongs to the sense 'tray'",
        id="a wire whose sense is not named",
    ),
    pytest.param(
        swap(FULL, '"released", ', '"released", "telepathy", '),
        "table.senses",
        "'telepathy' is no sense",
        id="a sense there is not",
    ),
    pytest.param(
        swap(FULL, '"calls", ', ""),
        "table.senses",
        "'released' needs the sense 'calls'",
        id="a sense that rests on another",
    ),
    pytest.param(
        swap(WATCH, '{ kind = "lamp", pin = 19, safe = "low" }', '{ kind = "lamp", pin = 19 }'),
        "outputs.window.lamp.safe",
        "missing",
        id="an output without a safe level",
    ),
    pytest.param(
        swap(WATCH, '"summons.n" =', '"siren.n" ='),
        "outputs.'siren.n'",
        "no such output",
        id="an output there is not",
    ),
    pytest.param(
        swap(WATCH, '"board.present" =', '"board.presence" ='),
        "inputs.'board.presence'",
        "no such input signal",
        id="a signal misspelt",
    ),
    pytest.param(
        swap(GUARD, 'limit_open = "window.open"\n', ""),
        "outputs.'window.motor'.limit_open",
        "set it",
        id="a motor without its limit",
    ),
    pytest.param(
        swap(GUARD, 'kind = "serial"\nport = "/dev/screen-table"', 'kind = "gpio"'),
        "",
        "hardware_deadman",
        id="a motor on direct GPIO that nothing stops",
    ),
    pytest.param(
        swap(WATCH, 'factory = "lgpio"', 'factory = "hw-sim"'),
        "rig.factory",
        "simulated",
        id="a simulator where real hardware is configured",
    ),
    pytest.param(
        swap(WATCH, '"summons.n" = { kind = "lamp",', '"summons.n" = { kind = "lamp", lease_ms = 400,'),
        "outputs.'summons.n'.lease_ms",
        "is for a motor",
        id="a lamp with a motor's lease",
    ),
    pytest.param(
        swap(FULL, 'port = "/dev/screen-table"', "baud = 115200"),
        "rig",
        "give port, or device_uid",
        id="a microcontroller nobody can find",
    ),
    pytest.param(
        swap(FULL, 'kind = "serial"', 'kind = "usb"'), "rig.kind", "serial or gpio", id="a rig there is not"
    ),
    pytest.param(
        swap(FULL, '"board.id" = { reader = 0 }', '"board.id" = { reader = 1 }'),
        "reader",
        "reader 1 already reads",
        id="a reader used twice",
    ),
    pytest.param(
        swap(FULL, "close_limit_s = 6", "close_limit_s = 0"),
        "close_limit_s",
        "greater than 0",
        id="a run of no time",
    ),
    pytest.param(swap(FULL, "chain = true", "chain = yes"), "", "this is not TOML", id="not TOML"),
    pytest.param(
        FULL + '\n[broker]\nurl = "http://x"\nmac_keys = "k"\n',
        "broker.url",
        "expected mqtt://",
        id="a broker of another kind",
    ),
]


@pytest.mark.parametrize(("text", "place", "says"), REFUSALS)
def test_refused_in_one_sentence_with_file_and_place(text: str, place: str, says: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_config(text, PATH)
    sentence = str(refusal.value)
    assert sentence.startswith("/somewhere/table.toml: ")
    assert place in sentence
    assert says in sentence
    assert "\n" not in sentence


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path}/none.toml: cannot be read")):
        load_config(tmp_path / "none.toml")


TROUBLE = [
    pytest.param("a=" + "[" * 20_000, "nested more than 32 deep", id="arrays in arrays"),
    pytest.param("a=" + "[" * 40 + "]" * 40, "nested more than 32 deep", id="deeper than is any use"),
    pytest.param(".".join(["data_dir"] * 20_000) + "=1", "nested more than 32 deep", id="dotted keys"),
    pytest.param("a=" + "9" * 5_000, "digits", id="a number without end"),
]


@pytest.mark.parametrize(("text", "says"), TROUBLE)
def test_toml_that_overwhelms_its_reader_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_config(text, PATH)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.toml", tmp_path / "marked.toml"
    plain.write_text(FULL, encoding="utf-8")
    marked.write_text(FULL, encoding="utf-8-sig")
    assert load_config(marked) == load_config(plain)


@pytest.mark.parametrize("key", ["data_dir", "venue", "url", "mac_keys"])
def test_a_nul_is_in_no_text_of_a_table(key: str) -> None:
    broker = '\n[broker]\nurl = "mqtts://b"\nmac_keys = "keys.json"\n'
    text = re.sub(rf'^({key} = ".*)"$', r'\1\\u0000"', FULL + broker, flags=re.M)
    with pytest.raises(ConfigError, match=rf"^/somewhere/table.toml: [a-z.]*{key}: has a NUL character"):
        parse_config(text, PATH)


def test_a_home_that_nobody_has_is_refused() -> None:
    text = FULL.replace("/var/lib/screen-table/full-1", "~no-such-user-at-all/full")
    with pytest.raises(ConfigError, match="write a path that begins with ~ out") as caught:
        parse_config(text, PATH)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mqtts://[::1", "'mqtts://[::1': expected mqtt://host:port"),
        ("mqtt://h:99999", "'mqtt://h:99999': expected mqtt://host:port or mqtts://host:port, with a port"),
        ("mqtt://h:0", "with a port from 1 to 65535"),
        ("mqtt://:1883", "with a name or an address of the host"),
        ("mqtt://h/there", "nothing after the port"),
        ("http://h", "'http://h': expected mqtt://host:port"),
        ("http://anna:secret@h", "'http://...@h': expected"),
        ("anna:secret@h", "'...@h': expected"),
        ("mqtt://anna:secret", "'mqtt://anna:...': expected"),
    ],
)
def test_a_broker_that_run_could_not_use_is_refused_without_its_password(url: str, words: str) -> None:
    text = swap(WATCH, "[outputs]", f'[broker]\nurl = "{url}"\nmac_keys = "keys.json"\n[outputs]')
    with pytest.raises(ConfigError) as refused:
        parse_config(text, PATH)
    said = str(refused.value)
    assert said.startswith(f"{PATH}: broker.url: broker URL ")
    assert words in said
    assert "secret" not in said
