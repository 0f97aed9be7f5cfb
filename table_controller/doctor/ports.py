"""The way to the wires: which port or which lines, what is really there, and whether its firmware is ours.

Must never open a port: whoever owns the wires is found out by the rig itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from firmware_bridge.firmware.main import own_folder, source_hash
from firmware_bridge.readings import DeviceInfo
from firmware_bridge.serial_rig import ListedPort, listed_ports
from table_controller.config.model import SerialRig
from table_controller.doctor.findings import Finding, advice, fine, unknown, wrong

FLASH = "flash the files of this version (docs/flashing.md)"


def look_at_port(section: SerialRig, ports: Callable[[], Iterable[ListedPort]] = listed_ports) -> Finding:
    """Where the device is, under whatever name it has today; or what there is instead."""
    there = list(ports())
    if section.port is not None:
        if os.path.exists(section.port):
            return fine("port", _named(section.port, there))
        missing = f"{section.port} is not there"
    else:
        wanted = (section.device_uid or "").lower()
        found = [port for port in there if (port.number or "").lower() == wanted]
        if found:
            return fine("port", f"the device with serial number {section.device_uid} is {found[0].device}")
        missing = f"no USB device has the serial number {section.device_uid}"
    others = ", ".join(map(str, there)) or "none at all"
    todo = "plug the device in, install the udev rule (docs/wiring.md), or correct rig.port or rig.device_uid"
    return wrong("port", f"{missing}; serial ports here: {others}", todo)


def _named(path: str, there: list[ListedPort]) -> str:
    real = os.path.realpath(path)
    seen = next((port for port in there if port.device == real), None)
    if seen is not None:
        return f"{path} is {seen}"
    return f"{path} is {real}" if real != path else f"{path} is there"


def look_at_firmware(device: DeviceInfo, folder: str | None = None) -> Finding:
    """Whether the device runs the firmware that came with this program, by the hash over its files."""
    ours = f"{source_hash(folder or own_folder()):08x}"
    if device.firmware_hash == "00000000":
        return unknown("firmware", "the device does not say which files it runs")
    if device.firmware_hash == ours:
        return fine("firmware", f"{ours}, the one that came with this program")
    says = f"the device runs {device.firmware_hash}, this program came with {ours}"
    return advice("firmware", says, FLASH)
