"""What direct GPIO cannot do, refused before a line is touched.

No motor without a circuit that stops it: the lines go on driving when the process dies.
"""

from __future__ import annotations

from firmware_bridge.errors import RigConfigError
from firmware_bridge.gpio_backend import SIMULATED, Backend, GpioPort
from firmware_bridge.readings import DeviceInfo, ResetCause
from firmware_bridge.rig import OutputKind, RigSpec

LAST_HEADER_PIN = 27
LAST_SIMULATED_PIN = 127
"""No header limits the simulator: every sense of a full table can be tried through direct GPIO."""


def refuse_for_gpio(spec: RigSpec, port: GpioPort) -> None:
    """Raises `RigConfigError` for wires that only a microcontroller can serve."""
    last = LAST_SIMULATED_PIN if port.factory == SIMULATED else LAST_HEADER_PIN
    for wire in spec.inputs:
        if wire.chain or wire.pin > last:
            raise RigConfigError(
                f"input {wire.signal}: direct GPIO has pins 0 to {last} and no chain; choose a pin"
            )
    for output in spec.outputs:
        if output.kind is OutputKind.MOTOR and not output.hardware_deadman:
            raise RigConfigError(
                f"output {output.name}: a motor on direct GPIO has no lease in hardware; "
                "fit a circuit that stops it and say hardware_deadman = true, or use the microcontroller"
            )
    if spec.tokens and port.factory != SIMULATED:
        raise RigConfigError(
            f"token {spec.tokens[0].signal}: direct GPIO has no readers; use the microcontroller or remove it"
        )


def gpio_info(backend: Backend) -> DeviceInfo:
    """What stands for a device where there is none."""
    return DeviceInfo(
        uid=backend.name,
        boot_id="0000",
        reset_cause=ResetCause.UNKNOWN,
        firmware="none",
        version="0.0.0",
        firmware_hash="00000000",
        interpreter="none",
        protocol="none",
    )
