"""A table for the bench, made to order: its wires, its controller's file, how fast its things move.

Must never tell the controller more than a real table's file does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hw_sim.bench.taps import Ear, HeardWires
from hw_sim.core_runner import customs_of
from hw_sim.scenario.core.faster import faster
from hw_sim.scenario.core.runner import begins_on
from hw_sim.scenario.full.table import Setting
from hw_sim.scenario.full.wires_of import wires_of
from hw_sim.scenario.model import Scenario
from hw_sim.table.changes import MS, SECOND, Travel
from hw_sim.table.site import Way
from hw_sim.table.tags import BoardTag
from hw_sim.table.wiring import USUAL_DEBOUNCE_MS, TableFile, TableKind, Wiring

TABLE = "bench"
VENUE, EVENT = "bench", "evening"
SETTLE_MS = 90
"""How long a column that empties may be the tray leaving, where time is divided."""
QUICK_TRAY_FROM = 7.0
"""From this pace on the tray is quicker than a person pushes it: a stalled one is divided too."""
TRAY_CLEARS, PRESS, TOUCH = 40 * MS, 250 * MS, 60 * MS
LEAST_WINDOW = 400 * MS
BY_HAND = Path("bench.scn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What all tables of one bench share. `keys`: the table's message keys, a file."""

    directory: Path
    broker: str
    keys: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which table: as a scenario's header has it (its lines are not looked at), `way` in, `pace`."""

    scenario: Scenario
    way: Way
    pace: float = 1.0


def bare_table(kind: TableKind, regulations: str, board: int = 1) -> Scenario:
    """A table at which nothing is to happen by itself."""
    return Scenario(
        path=BY_HAND,
        shows="",
        regulations=regulations,
        kind=kind,
        board=BoardTag(number=board),
        window_takes=Travel().window,
        lines=(),
    )


def furnish(order: Order, place: Place, directory: Path, ear: Ear) -> Setting:
    """The setting of a table whose files go to `directory`. Raises UnknownRegulations."""
    scenario, pins = order.scenario, order.way is Way.GPIO
    customs = customs_of(scenario.regulations, scenario.supplements)
    directory.mkdir(parents=True)
    supplements = scenario.supplements
    if order.pace > 1:
        quicker = directory / "faster.toml"
        text = faster(scenario.regulations, scenario.supplements, order.pace)
        quicker.write_text(text, encoding="utf-8")
        supplements = (*supplements, quicker)
    wires = wires_of(scenario) if order.pace > 1 else steadied(wires_of(scenario))
    wiring = on_pins(wires) if pins else wires

    def config(end: Path) -> str:
        return TableFile(
            table=TABLE,
            directory=directory / "data",
            rig=_rig(end, pins=pins),
            wiring=wiring,
            venue=VENUE,
            event=EVENT,
            regulations=scenario.regulations,
            supplements=supplements,
            broker=place.broker,
            mac_keys=place.keys,
            quick=order.pace > 1,
            settle_ms=SETTLE_MS,
        ).text()

    return Setting(
        directory=directory,
        wiring=wiring,
        travel=travel_at(order),
        tray_on=begins_on(scenario, customs),
        customs=customs,
        divisor=order.pace,
        config=config,
        controller=(sys.executable, "-m", "table_controller"),
        pins=pins,
        tap=lambda metal: HeardWires(metal, ear),
    )


def travel_at(order: Order) -> Travel:
    """How long things take: as at a table; divided where the time of a scenario is, as far as they can be."""
    takes = order.scenario.window_takes or SECOND
    if order.pace <= 1:
        return replace(Travel(), window=takes)
    usual = Travel().at_speed(max(order.pace / QUICK_TRAY_FROM, 1.0))
    return replace(
        usual,
        tray_clears=TRAY_CLEARS,
        press=PRESS,
        touch=TOUCH,
        window=max(LEAST_WINDOW, round(takes / order.pace)),
    )


def _rig(end: Path, *, pins: bool) -> str:
    if pins:
        return f'kind = "gpio"\nfactory = "hw-sim"\nsocket = "{end}"'
    return f'kind = "serial"\nport = "{end}"'


def steadied(wiring: Wiring) -> Wiring:
    """The same wires debounced as at a real table, where nothing is divided: a short spike is no edge."""
    steady = tuple(
        replace(wire, debounce_ms=USUAL_DEBOUNCE_MS, release_ms=USUAL_DEBOUNCE_MS)
        for wire in wiring.rig.inputs
    )
    return replace(wiring, rig=replace(wiring.rig, inputs=steady))


def on_pins(wiring: Wiring) -> Wiring:
    """The same wires on a header's own pins, one after another."""
    rig = wiring.rig
    inputs = tuple(replace(wire, pin=pin, chain=False) for pin, wire in enumerate(rig.inputs))
    pin, outputs = len(inputs), []
    for output in rig.outputs:
        if output.close_pin is None:
            outputs.append(replace(output, pin=pin))
            pin += 1
        else:
            outputs.append(replace(output, pin=pin, close_pin=pin + 1, hardware_deadman=True))
            pin += 2
    return replace(wiring, rig=replace(rig, inputs=inputs, outputs=tuple(outputs)))


def write_private(path: Path, value: Mapping[str, object]) -> None:
    """A file that only its owner may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(value, file)
