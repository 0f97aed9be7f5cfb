"""The wires of a scenario's table: those of its kind, without the senses it lacks, with those it has beyond.

Must never leave a wire whose sense the table does not name: the controller refuses that.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.rig import InputSpec, OutputSpec
from hw_sim.scenario.model import Scenario
from hw_sim.table.wiring import USUAL_DEBOUNCE_MS, TableKind, Wiring, wiring

_BEGINS = {
    "tray": ("tray.ne", "tray.sw"),
    "window": ("window.closed", "window.open"),
    "window.handle": ("window.handle.",),
    "lead": ("lead.",),
    "lead.face": ("lead.",),
    "announced": ("announced.",),
    "summons": ("director.",),
    "board": ("board.present",),
    "board.id": ("board.id",),
    "calls": ("call.",),
    "released": ("released.",),
    "alerts": ("alert.",),
    "mover": ("tray.handle.",),
    "cleared": ("cleared.",),
    "auction_over": ("auction_over.",),
    "cards": ("card.",),
    "claim": ("claim.",),
    "hands": ("hand.",),
    "seats": ("seat.",),
}
_MOTOR_ONLY = ("window.obstructed", "window.overcurrent")
MOTOR = "window.motor"


def wires_of(scenario: Scenario) -> Wiring:
    """Its wiring, at the least debounce."""
    usual = wiring(scenario.kind, quick=True)
    everything = wiring(TableKind.FULL, quick=True)
    outputs = _outputs(scenario, usual, everything)
    moved = any(output.name == MOTOR for output in outputs)
    senses = tuple(
        sense
        for sense in everything.senses
        if sense not in scenario.without and (sense in usual.senses or sense in scenario.more)
    )

    def kept(signal: str) -> bool:
        return moved if signal in _MOTOR_ONLY else any(_belongs(signal, sense) for sense in senses)

    rig = replace(
        usual.rig,
        inputs=tuple(_steadied(wire) for wire in everything.rig.inputs if kept(wire.signal)),
        tokens=tuple(token for token in everything.rig.tokens if kept(token.signal)),
        outputs=outputs,
    )
    return replace(usual, senses=senses, rig=rig)


def _steadied(wire: InputSpec) -> InputSpec:
    """A lead spot is debounced as at a real table: a scenario lets it chatter."""
    if not wire.signal.startswith("lead."):
        return wire
    return replace(wire, debounce_ms=USUAL_DEBOUNCE_MS, release_ms=USUAL_DEBOUNCE_MS)


def _belongs(signal: str, sense: str) -> bool:
    if signal.startswith("lead."):
        return sense == ("lead.face" if signal.endswith(".faced") else "lead")
    return signal.startswith(_BEGINS[sense])


def _outputs(scenario: Scenario, usual: Wiring, everything: Wiring) -> tuple[OutputSpec, ...]:
    found = [
        output
        for output in usual.rig.outputs
        if not any(output.name.startswith(name) for name in scenario.without if name in (MOTOR, "hold"))
    ]
    names = {output.name for output in found}
    if MOTOR in scenario.more:
        found = [output for output in found if not output.name.startswith("window.lamp")]
    extra = [
        output
        for output in everything.rig.outputs
        if output.name not in names and any(output.name.startswith(name) for name in scenario.more)
    ]
    pins = {pin for output in found for pin in (output.pin, output.close_pin)}
    clash = any(output.pin in pins or output.close_pin in pins for output in extra)
    if clash:
        found = [replace(output, pin=output.pin + 20) for output in found]
    return (*extra, *found)
