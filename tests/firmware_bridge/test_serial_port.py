"""Finding, opening and reopening a port; what is seen of the traffic."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge import link
from firmware_bridge.decode import capture_record, read_capture
from firmware_bridge.errors import RigConfigError
from firmware_bridge.readings import LevelRead, LinkDown, LinkUp, Snapshot
from firmware_bridge.serial_rig import SerialPort, SerialRig, byte_ns_of
from hw_sim.hardware.device import SimulatedDevice
from hw_sim.hardware.device_hub import DeviceHub
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.rigs import Bench, bench_of, make_serial, until

MS = 1_000_000
ROOT = Path(__file__).resolve().parents[2]


def test_a_port_is_given_by_path_or_by_serial_number_and_never_both() -> None:
    with pytest.raises(RigConfigError, match="either path or serial_number"):
        SerialPort()
    with pytest.raises(RigConfigError, match="either path or serial_number"):
        SerialPort(path="/dev/ttyACM0", serial_number="e660")


def test_a_device_is_found_by_its_serial_number_whatever_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [
        SimpleNamespace(device="/dev/ttyACM3", serial_number="other", product=None),
        SimpleNamespace(device="/dev/ttyACM7", serial_number="e66058388324", product=None),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    port = SerialPort(serial_number="e66058388324")
    assert port.find() == "/dev/ttyACM7"
    ports.pop()
    assert port.find() is None
    assert str(port) == "USB serial number e66058388324"


def test_a_byte_takes_time_on_a_uart_and_none_on_usb(tmp_path: Path) -> None:
    assert byte_ns_of("/dev/ttyAMA0", 115_200) == 86_805
    assert byte_ns_of("/dev/ttyACM0", 115_200) == 0
    by_id = tmp_path / "usb-uart"
    by_id.symlink_to("/dev/ttyUSB0")
    assert byte_ns_of(str(by_id), 9_600) == 1_041_666


def test_a_port_that_is_not_there_yet_is_one_loss_and_then_found(tmp_path: Path) -> None:
    bench, device = make_serial(tmp_path)
    device.unplug()
    try:
        bench.rig.start(bench.inbox)
        assert "is not there" in bench.wait(LinkDown).why
        assert bench.settle(0.3) == []
        device.replug()
        bench.wait(LinkUp)
    finally:
        bench.rig.close()
        device.close()
        assert bench.hub is not None
        bench.hub.close()


AS_NOBODY = """
import os, queue, sys
from firmware_bridge.readings import LinkDown
from firmware_bridge.rig import RigSpec
from firmware_bridge.serial_rig import SerialPort, SerialRig
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
inbox = queue.SimpleQueue()
rig = SerialRig(RigSpec(), SerialPort(path=sys.argv[1]))
rig.start(inbox.put)
print(next(found.why for found in iter(lambda: inbox.get(timeout=10), None) if isinstance(found, LinkDown)))
rig.close()
"""


def test_a_port_one_may_not_open_says_what_to_do(tmp_path: Path) -> None:
    bench, device = make_serial(tmp_path)
    port = os.readlink(device.link_path)
    try:
        os.chmod(port, 0)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, port],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert done.returncode == 0, done.stderr
        assert "udev rule" in done.stdout
    finally:
        device.close()
        assert bench.hub is not None
        bench.hub.close()


def test_a_device_that_stays_silent_has_its_port_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "REGREET_NS", 200 * MS)
    monkeypatch.setattr(link, "LOST_NS", 300 * MS)
    monkeypatch.setattr(link, "REOPEN_NS", 500 * MS)
    with bench_of("serial", tmp_path) as bench:
        bench.wait(Snapshot)
        device = bench.world
        assert isinstance(device, SimulatedDevice)
        device.mute(True)
        bench.wait(LinkDown)
        until(lambda: bench.rig.health().reconnects > 0)
        device.mute(False)
        bench.wait(LinkUp)


def test_a_tap_sees_both_directions_and_makes_a_capture(tmp_path: Path) -> None:
    bench, device = make_serial(tmp_path)
    capture = bytearray()
    bench.rig = SerialRig(
        SPEC,
        SerialPort(path=str(device.link_path)),
        tap=lambda at, sender, data: capture.extend(capture_record(at, sender, data)),
    )
    try:
        bench.rig.start(bench.inbox)
        bench.wait(Snapshot)
        device.set_input("a", True)
        bench.wait(LevelRead)
    finally:
        bench.rig.close()
        device.close()
        assert bench.hub is not None
        bench.hub.close()
    lines = [line for _, line in read_capture(bytes(capture))]
    kinds = {(line.sender, line.kind) for line in lines}
    assert {("host", "HELLO"), ("device", "WELCOME"), ("device", "EVENT"), ("host", "ACK")} <= kinds
    assert not [line for line in lines if line.kind == "BAD"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), ValueError("closed")])
def test_a_tap_that_fails_is_no_lost_port(tmp_path: Path, error: Exception) -> None:
    bench, device = make_serial(tmp_path)
    tapped: list[bytes] = []

    def tap(at: int, sender: str, data: bytes) -> None:
        tapped.append(data)
        raise error

    bench.rig = SerialRig(SPEC, SerialPort(path=str(device.link_path)), tap=tap)
    try:
        bench.rig.start(bench.inbox)
        bench.wait(Snapshot)
        device.set_input("a", True)
        bench.wait(LevelRead)
        assert not [reading for reading in bench.told if isinstance(reading, LinkDown)]
        assert len(tapped) == 1
        assert "the tap raised" in bench.rig.health().last_error
        assert bench.rig.health().reconnects == 0
    finally:
        bench.rig.close()
        device.close()
        assert bench.hub is not None
        bench.hub.close()


class UsbBus:
    """What the system lists: each plugged device's terminal of the moment, with its own serial number."""

    def __init__(self, devices: dict[str, SimulatedDevice]) -> None:
        self._devices = devices

    def __call__(self) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(device=os.readlink(device.link_path), serial_number=number, product=None)
            for number, device in self._devices.items()
            if device.link_path.is_symlink()
        ]


def _taken_by_another(bench: Bench, ours: SimulatedDevice, other: SimulatedDevice) -> str:
    """Our device is pulled out and another takes its name: the name. Kernels usually give the number that was
    freed just now, unless another process was quicker.
    """
    plug = other.start
    for _ in range(10):
        name = os.readlink(ours.link_path)
        ours.unplug()
        bench.wait(LinkDown)
        plug()
        plug = other.replug
        if os.readlink(other.link_path) == name:
            return name
        other.unplug()
        ours.replug()
        bench.wait(LinkUp)
        bench.wait(Snapshot)
    pytest.skip("ten times this kernel gave another device another number than the one just freed")


def test_case_9_a_device_that_comes_back_under_anothers_name_is_found_by_its_serial_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = DeviceHub().start()
    ours = SimulatedDevice(SPEC, hub, tmp_path / "ours", seed=1)
    other = SimulatedDevice(SPEC, hub, tmp_path / "other", seed=2)
    ours.start()
    monkeypatch.setattr("serial.tools.list_ports.comports", UsbBus({"E661A4": ours, "E661B7": other}))
    rig = SerialRig(SPEC, SerialPort(serial_number="E661A4", backoff_first_s=0.05))
    bench = Bench(kind="serial", rig=rig, world=ours, hub=hub)
    try:
        rig.start(bench.inbox)
        uid = bench.wait(LinkUp).device.uid
        bench.wait(Snapshot)
        name = _taken_by_another(bench, ours, other)
        for active in (True, False):
            ours.set_input("a", active)
            time.sleep(0.1)
        assert not [r for r in bench.settle(0.3) if isinstance(r, LinkUp)]
        ours.replug()
        assert os.readlink(ours.link_path) != name
        assert bench.wait(LinkUp).device.uid == uid
        got = [bench.wait(LevelRead) for _ in range(2)]
        assert [(r.signal, r.active, r.inferred) for r in got] == [("a", True, False), ("a", False, False)]
        assert not [r for r in bench.settle(0.3) if isinstance(r, LevelRead | LinkDown)]
    finally:
        rig.close()
        ours.close()
        other.close()
        hub.close()
