"""Wires for tests, and the three rigs on them."""

from __future__ import annotations

from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, Pull, RigSpec, TokenSpec

SPEC = RigSpec(
    inputs=(
        InputSpec(signal="a", pin=4),
        InputSpec(signal="b", pin=5),
        InputSpec(signal="c", pin=6, pull=Pull.DOWN, active_low=False),
        InputSpec(signal="d", pin=7, pull=Pull.DOWN, active_low=True),
        InputSpec(signal="quick", pin=8, debounce_ms=0, release_ms=0),
        InputSpec(signal="limit.open", pin=9, debounce_ms=5, release_ms=5),
        InputSpec(signal="limit.close", pin=10, debounce_ms=5, release_ms=5),
        InputSpec(signal="blocked", pin=11, debounce_ms=5, release_ms=5),
        InputSpec(signal="current", pin=12, debounce_ms=5, release_ms=5),
    ),
    tokens=(TokenSpec(signal="t0", reader=0), TokenSpec(signal="t5", reader=5)),
    outputs=(
        OutputSpec(name="lamp", kind=OutputKind.LAMP, pin=13),
        OutputSpec(name="low lamp", kind=OutputKind.LAMP, pin=14, safe_level=True),
        OutputSpec(name="latch", kind=OutputKind.LATCH, pin=15, max_on_ms=300),
        OutputSpec(
            name="motor",
            kind=OutputKind.MOTOR,
            pin=16,
            close_pin=17,
            max_on_ms=3000,
            limit_open="limit.open",
            limit_close="limit.close",
            obstructed="blocked",
            overcurrent="current",
            hardware_deadman=True,
        ),
    ),
)
