"""A table's wires as configuration frames, and their CRC.

Pure. The device keeps nothing over a reset: the truth is the `RigSpec`. The CRC is over the frames' bodies in
order, inputs first, so device and host agree exactly when they have the same wires in the same order.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass

from firmware_bridge.errors import RigConfigError
from firmware_bridge.firmware import frames
from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, Pull, RigSpec
from firmware_bridge.wire import ConfigInput, ConfigOutput, body_of

_PULLS = {Pull.NONE: frames.PULL_NONE, Pull.UP: frames.PULL_UP, Pull.DOWN: frames.PULL_DOWN}
_KINDS = {OutputKind.LAMP: frames.LAMP, OutputKind.LATCH: frames.LATCH, OutputKind.MOTOR: frames.MOTOR}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What the host sends before COMMIT."""

    inputs: tuple[ConfigInput, ...]
    outputs: tuple[ConfigOutput, ...]
    crc: int


def configuration_of(spec: RigSpec) -> Configuration:
    """The frames of these wires; an input's index is its place in `spec.inputs`, an output's likewise."""
    index = {wire.signal: at for at, wire in enumerate(spec.inputs)}
    inputs = tuple(_input(at, wire) for at, wire in enumerate(spec.inputs))
    outputs = tuple(_output(at, wire, index) for at, wire in enumerate(spec.outputs))
    bodies = b"".join([*map(body_of, inputs), *map(body_of, outputs)])
    return Configuration(inputs=inputs, outputs=outputs, crc=binascii.crc32(bodies))


def refuse_if_too_large(spec: RigSpec, *, inputs: int, outputs: int, tokens: int) -> None:
    """Raises `RigConfigError` when a device with these capacities cannot serve the wires."""
    readers = max((token.reader + 1 for token in spec.tokens), default=0)
    for what, needed, there in (
        ("inputs", len(spec.inputs), inputs),
        ("outputs", len(spec.outputs), outputs),
        ("readers", readers, tokens),
    ):
        if needed > there:
            raise RigConfigError(
                f"the configuration needs {needed} {what}, the device has {there}; "
                f"remove {what} from the table's configuration or fit another device"
            )


def _input(at: int, wire: InputSpec) -> ConfigInput:
    flags = _PULLS[wire.pull]
    flags |= frames.FLAG_ACTIVE_LOW if wire.active_low else 0
    flags |= frames.FLAG_CHAIN if wire.chain else 0
    return ConfigInput(index=at, pin=wire.pin, flags=flags, on_ms=wire.debounce_ms, off_ms=wire.release_ms)


def _output(at: int, wire: OutputSpec, index: dict[str, int]) -> ConfigOutput:
    def place(signal: str | None) -> int:
        return frames.NO_PIN if signal is None else index[signal]

    return ConfigOutput(
        index=at,
        kind=_KINDS[wire.kind],
        pin=wire.pin,
        close_pin=frames.NO_PIN if wire.close_pin is None else wire.close_pin,
        safe=int(wire.safe_level),
        limit_open=place(wire.limit_open),
        limit_close=place(wire.limit_close),
        obstructed=place(wire.obstructed),
        overcurrent=place(wire.overcurrent),
        max_on_ms=wire.max_on_ms,
    )
