"""The rig a configuration asks for, made anew as often as one is needed.

The only room that knows which rigs there are. Must never fall back from one to another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from firmware_bridge.rig import Rig, RigSpec
from table_controller.config.model import GpioRig, SerialRig

Tap = Callable[[int, str, bytes], None]


def make_rig(section: SerialRig | GpioRig, spec: RigSpec, *, tap: Tap | None = None) -> Callable[[], Rig]:
    """Makes rigs of these wires. `tap` sees a serial rig's traffic. Raises RigConfigError for a bad port."""
    match section:
        case SerialRig():
            from firmware_bridge import serial_rig

            port = serial_rig.SerialPort(
                path=section.port,
                serial_number=section.device_uid if section.port is None else None,
                baud=section.baud,
                backoff_first_s=section.backoff_s,
            )
            return lambda: serial_rig.SerialRig(spec, port, tap=tap)
        case GpioRig():
            from firmware_bridge import gpio_backend, gpio_rig

            simulated = section.factory == gpio_backend.SIMULATED
            lines = gpio_backend.GpioPort(
                factory=section.factory,
                chip_label=None if simulated else section.chip,
                socket=section.socket,
            )
            return lambda: gpio_rig.GpioRig(spec, lines)
        case _:
            assert_never(section)
