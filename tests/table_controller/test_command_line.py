"""`table-controller` as a person uses it: help with an example, one sentence and code 2 for bad input."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from table_controller.config.help import keys
from table_controller.regulations.errors import RegulationsError
from table_controller.replay.cli import core_of_boot
from table_controller.screen.entry import Kind
from table_controller.screen.senses import NEEDS
from table_controller.wiretap import Capture
from tests.table_controller.live_table import CONTROLLER, ROOT, LiveTable, command

pytestmark = pytest.mark.live

TABLES = ROOT / "configs" / "tables"
COMMANDS = ("run", "check", "config", "replay", "diagram", "decode", "doctor", "journal", "regulations")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    said = command(name, "--help")
    if name == "journal":
        said += command("journal", "verify", "--help")
    assert "Example: table-controller" in " ".join(said.split())


def test_check_says_what_a_table_sees_and_which_checks_are_off_and_why() -> None:
    watch = json.loads(command("check", TABLES / "watch.toml", "--json"))
    off = {item["check"]: item["why"] for item in watch["off"]}
    assert "calls" in watch["lacks"]
    assert off["INSUFFICIENT_BID"] == "this table does not sense calls"
    assert "WINDOW_OPENED_IN_AUCTION" in watch["on"]
    full = json.loads(command("check", TABLES / "full.toml", "--json"))
    assert full["lacks"] == []
    accounted = set(full["on"]) | {item["check"] for item in full["off"]}
    assert accounted >= {kind.value for kind in Kind if kind in NEEDS}
    assert "INSUFFICIENT_BID" in full["on"]


def test_check_is_readable_too() -> None:
    said = " ".join(command("check", TABLES / "watch.toml").split())
    assert "worked by hand, a lamp says when" in said
    assert "the director's to give" in said


def test_every_key_of_the_configuration_is_explained() -> None:
    schema = json.loads(command("config", "--schema"))
    assert schema["additionalProperties"] is False
    assert [place for place in keys(schema) if not place[4]] == []
    said = command("config")
    for key in ("debounce_ms", "lease_ms", "settle_ms", "mac_keys", "senses"):
        assert key in said


@pytest.mark.parametrize(
    "words",
    [
        ("check", "/nowhere.toml"),
        ("run", "--config", "/nowhere.toml"),
        ("decode",),
        ("decode", "/nowhere.bin"),
        ("decode", "--tap", "/nowhere/tty"),
        ("diagram", "--regulations", "fifa"),
        ("replay", str(TABLES)),
        ("replay", "/nowhere.sqlite"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(words: tuple[str, ...]) -> None:
    said = command(*words, ok=2).strip()
    assert len(said.splitlines()) == 1, said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "words",
    [("check",), ("run", "--config"), ("doctor", "--config"), ("diagram", "--regulations")],
    ids=lambda words: words[0],
)
def test_a_file_nested_without_end_is_one_sentence_and_code_2(words: tuple[str, ...], tmp_path: Path) -> None:
    deep = tmp_path / "deep.toml"
    deep.write_text("a=" + "[" * 20_000)
    said = command(*words, deep, ok=2).strip()
    assert len(said.splitlines()) == 1, said
    with pytest.raises(RegulationsError, match="nested more than"):  # which `replay` says in one sentence
        core_of_boot({}, str(deep))


def test_a_table_with_real_hardware_refuses_a_broker_without_tls(tmp_path: Path) -> None:
    text = (
        TABLES / "guard.toml"
    ).read_text() + '\n[broker]\nurl = "mqtt://127.0.0.1:1883"\nmac_keys = "keys.json"\n'
    config = tmp_path / "guard.toml"
    config.write_text(text.replace("/var/lib/screen-table/guard-1", str(tmp_path / "data")))
    said = command("run", "--config", config, ok=2)
    assert "mqtts://" in said
    assert "--insecure" in said


def test_the_wire_captured_by_a_run_is_read_afterwards(tmp_path: Path) -> None:
    with LiveTable(tmp_path) as table:
        table.options = ["--capture", str(tmp_path / "wire.bin")]
        table.run()
        table.settle(1_000_000_000)
        assert table.stop() == 0
    lines = command("decode", tmp_path / "wire.bin").splitlines()
    kinds = {line.split()[3] for line in lines}
    assert {"HELLO", "WELCOME", "CONFIG_INPUT", "SNAPSHOT", "PING", "PONG"} <= kinds


def test_the_wire_is_read_live_from_between(tmp_path: Path) -> None:
    with LiveTable(tmp_path) as table:
        tapped = tmp_path / "tapped"
        tap = subprocess.Popen(
            [*CONTROLLER, "decode", "--tap", str(tmp_path / "table-t1" / "tty"), "--as", str(tapped)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert tap.stderr is not None
        assert "may open" in tap.stderr.readline()
        text = table.site.config.read_text()
        table.site.config.write_text(text.replace(str(tmp_path / "table-t1" / "tty"), str(tapped)))
        table.run()
        table.settle(1_500_000_000)
        assert table.stop() == 0
        tap.terminate()
        out, _ = tap.communicate(timeout=10)
    assert "WELCOME" in out
    assert "PONG" in out
    assert "BAD" not in out


def test_a_capture_of_the_wire_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "wire.capture"
    Capture(path).tap(1, "host", b"x")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_size > 0


@pytest.mark.parametrize("words", [("enrol", "-"), ("decode", "-"), ("decode", "--raw", "-")], ids=" ".join)
def test_a_closed_standard_input_is_one_sentence_and_code_2(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *CONTROLLER, *words],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "table-controller: -: standard input is closed; give it something to read\n"


def test_a_code_that_is_no_text_is_one_sentence_and_code_2() -> None:
    done = subprocess.run(
        [*CONTROLLER, "enrol", "-"],
        cwd=ROOT, capture_output=True, timeout=60, check=False, input=b"\xff\xfe\n",
    )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
