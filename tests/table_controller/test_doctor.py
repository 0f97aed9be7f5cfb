"""The doctor: what it finds, on a table that is well and on one that is not."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path

import pytest

from firmware_bridge.firmware.main import own_folder, source_hash
from firmware_bridge.readings import DeviceInfo, ResetCause
from firmware_bridge.serial_rig import ListedPort
from hw_sim.table.changes import MS
from hw_sim.table.site import Way
from hw_sim.table.wiring import TableKind
from table_controller.config.model import BrokerSection, SerialRig
from table_controller.doctor.broker import look_at_broker
from table_controller.doctor.cli import _ask as ask
from table_controller.doctor.findings import Finding, Verdict, worst
from table_controller.doctor.machine import Places, look_at_chip, look_at_clock, look_at_disk, strict_gpiod
from table_controller.doctor.ports import look_at_firmware, look_at_port
from table_controller.doctor.show import picture
from table_controller.doctor.wires import Seen
from table_controller.journal import open_journal
from table_controller.messages.topics import Identity, Place
from table_controller.plain.console import plain_console
from tests.table_controller.console_side import write_keys
from tests.table_controller.live_table import CONTROLLER, ROOT, LiveTable, command, free_port

pytestmark = pytest.mark.live


def doctor(
    table: LiveTable, *words: str, answers: str = "", code: int | None = None
) -> dict[str, dict[str, str]]:
    """The findings by subject."""
    done = subprocess.run(
        [*CONTROLLER, "doctor", "--config", str(table.site.config), "--json", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=90, input=answers, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    if code is not None:
        assert done.returncode == code, (done.stdout, done.stderr)
    return {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}


@pytest.mark.parametrize(
    ("kind", "way"),
    [(TableKind.WATCH, Way.GPIO), (TableKind.GUARD, Way.WIRE), (TableKind.FULL, Way.WIRE)],
    ids=["watch", "guard", "full"],
)
def test_a_table_that_is_well(kind: TableKind, way: Way, tmp_path: Path) -> None:
    with LiveTable(tmp_path, kind=kind, way=way) as table:
        for at in range(100):
            press = partial(table.faulty.set_input, "director.n", at % 2 == 0)
            table.timeline.after(300 * at, press)
        found = doctor(table, "--seconds", "4", code=0)
    assert found["configuration"]["verdict"] == "fine"
    told = ("port", "device", "firmware") if way is Way.WIRE else ("factory",)
    assert [found[subject]["verdict"] for subject in told] == ["fine"] * len(told)
    assert found["disk"]["verdict"] == "fine"
    assert found["wires"]["verdict"] == "fine"
    assert "director.n" not in found["inputs"]["says"]
    assert "director.e" in found["inputs"]["says"]
    assert found["broker"]["verdict"] == "advice"
    assert {"clock", "watchdog"} <= set(found)
    assert ("readers" in found) is (kind is TableKind.FULL)
    assert all(finding["do"] for finding in found.values() if finding["verdict"] in ("advice", "wrong"))


@pytest.mark.parametrize(
    ("kind", "way", "subject"),
    [
        pytest.param(TableKind.FULL, Way.WIRE, "inputs bounce", id="wire, all together"),
        pytest.param(
            TableKind.WATCH, Way.GPIO, "input director.n", id="gpio, each by name", marks=pytest.mark.long
        ),
    ],
)
def test_bounces_are_counted_and_said_with_what_to_do(
    kind: TableKind, way: Way, subject: str, tmp_path: Path
) -> None:
    with LiveTable(tmp_path, kind=kind, way=way, quick=False) as table:
        for at in range(400):
            table.timeline.after(50 * at, lambda: table.faulty.spike("director.n", 4))
        found = doctor(table, "--seconds", "5", code=0)
    assert found[subject]["verdict"] == "advice"
    assert "bounced" in found[subject]["says"]
    assert "contact" in found[subject]["do"]


def test_a_port_that_the_service_has_is_the_finding_and_the_service_is_undisturbed(tmp_path: Path) -> None:
    with LiveTable(tmp_path) as table:
        table.run()
        table.settle(1_000 * MS)
        found = doctor(table, "--seconds", "0", code=1)
        assert "already in use" in found["wires"]["says"]
        table.settle(500 * MS)
        assert table.stop() == 0


def test_a_device_that_is_not_there_is_said_with_what_to_do(tmp_path: Path) -> None:
    with LiveTable(tmp_path) as table:
        table.device.unplug()
        found = doctor(table, "--seconds", "0", code=1)
    assert found["device"]["verdict"] == "wrong"
    assert "cable" in found["device"]["do"]
    assert found["port"]["verdict"] == "wrong"
    assert "serial ports here: " in found["port"]["says"]


def test_outputs_are_tried_only_with_a_yes_and_go_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LiveTable(tmp_path, kind=TableKind.WATCH, way=Way.GPIO) as table:
        lit: list[tuple[str, bool]] = []
        monkeypatch.setattr(table.site.body, "set_output", lambda name, on: lit.append((name, on)))
        names = [output.name for output in table.site.wiring.rig.outputs]
        yes = "".join("y\n" if name == "summons.n" else "n\n" for name in names)
        found = doctor(table, "--seconds", "0", "--outputs", answers=yes + "n\n", code=1)
        table.settle(500 * MS)
    assert found["output summons.n"]["verdict"] == "wrong"
    assert [subject for subject in found if subject.startswith("output")] == ["output summons.n"]
    assert ("summons.n", True) in lit
    assert lit[-1] == ("summons.n", False)
    assert {name for name, on in lit if on} == {"summons.n"}


@pytest.mark.parametrize("trouble", [EOFError(), RuntimeError("input(): lost sys.stdin")])
def test_where_nobody_can_answer_it_is_no(trouble: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*words: object) -> str:
        raise trouble

    monkeypatch.setattr("builtins.input", nobody)
    assert not ask(plain_console(), "Switch it on?")


def test_a_configuration_that_cannot_be_read_is_code_2(tmp_path: Path) -> None:
    said = command("doctor", "--config", tmp_path / "none.toml", ok=2)
    assert len(said.strip().splitlines()) == 1


# --- the way to the wires


PICO = ListedPort(device="/dev/ttyACM3", number="E661A4", product="Board in FS mode")


def test_a_port_is_found_by_the_devices_number_whatever_its_name_today() -> None:
    section = SerialRig(kind="serial", device_uid="e661a4")
    found = look_at_port(section, lambda: [ListedPort(device="/dev/ttyS0"), PICO])
    assert found.verdict is Verdict.FINE
    assert "/dev/ttyACM3" in found.says
    gone = look_at_port(section, lambda: [ListedPort(device="/dev/ttyS0")])
    assert gone.verdict is Verdict.WRONG
    assert "serial ports here: /dev/ttyS0" in gone.says


def test_a_link_to_a_port_says_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "ttyACM3").touch()
    (tmp_path / "screen-table").symlink_to(tmp_path / "ttyACM3")
    seen = ListedPort(device=str(tmp_path / "ttyACM3"), number="E661A4")
    section = SerialRig(kind="serial", port=str(tmp_path / "screen-table"))
    assert f"is {seen}" in look_at_port(section, lambda: [seen]).says


def device_info(firmware_hash: str) -> DeviceInfo:
    return DeviceInfo(
        uid="u", boot_id="b", reset_cause=ResetCause.SOFT, firmware="sctb", version="0.1.0",
        firmware_hash=firmware_hash, interpreter="micropython 1.24.0", protocol="1.0",
    )  # fmt: skip


def test_another_firmware_than_ours_is_said_with_what_to_do() -> None:
    assert look_at_firmware(device_info(f"{source_hash(own_folder()):08x}")).verdict is Verdict.FINE
    other = look_at_firmware(device_info("12345678"))
    assert other.verdict is Verdict.ADVICE
    assert "flash" in other.todo
    assert look_at_firmware(device_info("00000000")).verdict is Verdict.UNKNOWN


# --- the machine


def places(tmp_path: Path, persists: str | None = None) -> Places:
    if persists is not None:
        parameters = tmp_path / "pinctrl_rp1" / "parameters"
        parameters.mkdir(parents=True)
        (parameters / "persist_gpio_outputs").write_text(persists + "\n")
    return Places(sys_modules=tmp_path, dev=tmp_path)


@pytest.mark.parametrize(
    ("persists", "verdict"), [("Y", Verdict.WRONG), ("N", Verdict.FINE), (None, Verdict.UNKNOWN)]
)
def test_lines_that_go_on_driving_when_we_die_are_said(
    persists: str | None, verdict: Verdict, tmp_path: Path
) -> None:
    found = strict_gpiod("pinctrl-rp1", places(tmp_path, persists))
    assert found.verdict is verdict
    assert ("dtparam=strict_gpiod" in found.todo) is (verdict is Verdict.WRONG)


def test_a_chip_that_is_not_there_names_the_others(tmp_path: Path) -> None:
    (found,) = look_at_chip("pinctrl-rp1", places(tmp_path))
    assert found.verdict is Verdict.WRONG
    assert "pinctrl-bcm2711" in found.todo


def test_a_clock_that_was_never_set_is_advice_and_no_more(tmp_path: Path) -> None:
    (found,) = look_at_clock(5, places(tmp_path))
    assert found.verdict is Verdict.ADVICE


def test_a_damaged_journal_is_found(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    journal.write_bytes(b"no journal at all" * 100)
    assert [f.verdict for f in look_at_disk(tmp_path, journal) if f.subject == "journal"] == [Verdict.WRONG]


def test_a_look_at_the_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "var" / "table"
    (disk,) = look_at_disk(data, data / "journal.sqlite")
    assert disk.verdict is not Verdict.UNKNOWN
    assert "can be made" in disk.says or "MiB are free" in disk.says
    assert list(tmp_path.iterdir()) == []


def test_a_look_at_a_journal_at_rest_leaves_nothing_behind(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    identity = Identity(place=Place(venue="v", event="e"), table="t1")
    open_journal(journal, identity=identity, session="s1").close()
    before = sorted(tmp_path.iterdir())
    found = look_at_disk(tmp_path, journal)
    assert [f.verdict for f in found if f.subject == "journal"] == [Verdict.FINE]
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["file/data", "n" * 256, "long/" * 1000])
def test_a_folder_that_cannot_be_made_is_wrong(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (disk,) = look_at_disk(tmp_path / name, tmp_path / name / "journal.sqlite")
    assert disk.verdict is Verdict.WRONG
    assert "cannot be written: " in disk.says


# --- the broker


def section(tmp_path: Path, url: str) -> BrokerSection:
    return BrokerSection(url=url, mac_keys=str(tmp_path / "keys.json"))


def by_subject(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.subject: finding for finding in findings}


def test_a_broker_nobody_answers_at_and_keys_that_others_can_read(tmp_path: Path) -> None:
    write_keys(tmp_path / "keys.json")
    (tmp_path / "keys.json").chmod(0o644)
    found = by_subject(look_at_broker(section(tmp_path, f"mqtt://user:secret@127.0.0.1:{free_port()}"), "t1"))
    assert found["keys"].verdict is Verdict.WRONG
    assert "chmod 600" in found["keys"].todo
    assert found["broker"].verdict is Verdict.WRONG
    assert "secret" not in str(found)


def test_keys_of_another_table_are_not_this_ones(tmp_path: Path) -> None:
    write_keys(tmp_path / "keys.json")
    found = by_subject(look_at_broker(section(tmp_path, "mqtt://127.0.0.1:1"), "t2"))
    assert "no key for table t2" in found["keys"].says


# --- drawing


def test_the_tray_in_the_picture_is_where_the_tray_is() -> None:
    def seen(*active: str) -> str:
        names = ("tray.ne", "tray.sw", "window.closed", "window.open")
        return picture(Seen(levels={name: name in active for name in names}))

    ne, moving, sw = (seen(a, "window.closed").splitlines() for a in ("tray.ne", "", "tray.sw"))
    assert ["[" in line for line in ne] == [True, False, False]
    assert ["[" in line for line in moving] == [False, True, False]
    assert ["[" in line for line in sw] == [False, False, True]


def test_the_worst_finding_counts() -> None:
    assert worst([]) is Verdict.FINE
